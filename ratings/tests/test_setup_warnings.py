"""What staff are warned of before participants come: only what is so, with whatever settings."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import Campaign, JoinLink
from measures.quality_control.parameters import FilterParameters, RaterQuality
from ratings.models import GoldItem
from ratings.selectors.gold import gold_is_due, most_gold
from ratings.selectors.setup_warnings import setup_warnings
from ratings.services.gold import gold_create, gold_retire
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EXAMPLE,
    RATE,
    add_qualification,
    judged_campaign,
    make_campaign,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db


def warned(campaign: Campaign) -> str:
    return " ".join(warning.text for warning in setup_warnings(campaign))


def with_gold(campaign: Campaign, count: int) -> Campaign:
    for number in range(count):
        gold_create(campaign=campaign, example=replace(EXAMPLE, compression=f"Version {number}."))
    return campaign


@pytest.mark.parametrize("percent", [1, 5, 33, 50])
@pytest.mark.parametrize(("tasks", "visit"), [(1, 1), (3, 3), (20, 20), (100, 100), (7, 20)])
def test_no_rater_is_due_more_gold_questions_than_said_and_some_rater_is_due_all(
    percent: int, tasks: int, visit: int
) -> None:
    due = [
        sum(gold_is_due(rater=rater, number=number, percent=percent, visit=visit) for number in range(1, tasks + 1))
        for rater in range(60)
    ]

    assert max(due) == most_gold(tasks=tasks, percent=percent, visit=visit)
    assert most_gold(tasks=tasks, percent=0, visit=visit) == 0


@pytest.mark.parametrize(
    ("chosen", "gold", "said"),
    [
        ({}, 0, "There are no gold questions, though 5% of the ratings"),
        ({}, 2, "A rater with 20 ratings can be due 4 gold questions, and there are only 2."),
        ({}, 1, "there is only 1."),
        ({}, 2, "Raters are flagged for their gold questions only after 4 of them"),
        ({}, 4, "While there are fewer than 8, raters are given much the same ones"),
        ({}, 8, ""),
        ({"gold_percent": 0}, 0, ""),
        ({"rater_tasks": 1}, 1, ""),
        ({"rater_tasks": 100, "gold_percent": 50}, 4, "A rater with 100 ratings can be due 50 gold questions"),
    ],
)
def test_gold_questions_are_counted_against_what_a_rater_is_due(chosen: dict[str, Any], gold: int, said: str) -> None:
    campaign = with_gold(make_campaign(**chosen), gold)
    add_qualification(campaign)

    assert said in warned(campaign)
    assert bool(said) == bool(warned(campaign))


def test_in_a_tiny_campaign_nobody_is_due_more_than_there_is_to_rate() -> None:
    campaign = with_gold(make_campaign(sources=1, editors_per_source=2, rater_tasks=500), 2)

    assert "gold" not in warned(campaign)


def test_retired_gold_questions_do_not_count() -> None:
    campaign = with_gold(make_campaign(), 8)
    assert "gold" not in warned(campaign)

    for gold in GoldItem.objects.order_by("pk")[:5]:
        gold_retire(gold=gold)

    assert "there are only 3" in warned(campaign)


def test_a_rule_that_wants_more_gold_questions_than_there_are_is_named_while_it_is_active() -> None:
    campaign = with_gold(judged_campaign(sources=1, gold_percent=0), 2)
    quality_apply(campaign=campaign, parameters=FilterParameters(rater_quality=RaterQuality.GOLD))
    assert "assesses raters with 5 or more gold questions, and there are only 2." in warned(campaign)

    quality_apply(campaign=campaign, parameters=FilterParameters(rater_quality=RaterQuality.GOLD, min_items=2))
    assert "assesses" not in warned(campaign)


def test_no_test_is_named_only_where_raters_can_come() -> None:
    campaign = make_campaign()
    assert "Raters start without a test" in warned(campaign)

    add_qualification(campaign)
    assert "test" not in warned(campaign)
    campaign.qualification_items.update(is_practice=True)
    assert "Raters start without a test" in warned(campaign)
    JoinLink.objects.filter(campaign=campaign, round=RATE).update(is_active=False)
    assert "test" not in warned(campaign)


def test_raters_who_are_paid_should_know_what_failing_pays() -> None:
    campaign = with_gold(make_campaign(rater_pay="2.00"), 8)
    assert "Raters are not told what they are paid" not in warned(campaign)
    add_qualification(campaign)
    assert "Raters are not told what they are paid if they don’t pass the test." in warned(campaign)

    campaign.failed_pay = Decimal(0)

    assert warned(campaign) == ""


@pytest.mark.parametrize(
    ("chosen", "said", "unsaid"),
    [
        ({"language": "en-GB"}, "", "language"),
        ({"language": "pt"}, "", "language"),
        ({"language": "zh-Hant"}, "count characters instead: at least 15 per sentence, 25 per paragraph.", "no rules"),
        ({"language": "xzz"}, "The program has no rules for the words of the language “xzz”.", "spaces"),
    ],
)
def test_languages_are_named_that_words_cannot_be_counted_in(chosen: dict[str, Any], said: str, unsaid: str) -> None:
    found = warned(make_campaign(gold_percent=0, **chosen))

    assert said in found
    assert unsaid not in found


def test_the_page_shows_the_warnings_in_a_fixed_number_of_queries() -> None:
    campaign, other = make_campaign(sources=1), with_gold(judged_campaign(sources=3, editors=2), 2)

    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/examples/"))
    assert "There are no gold questions" in page

    def queries(each: Campaign) -> int:
        with CaptureQueriesContext(connection) as captured:
            setup_warnings(each)
        return len(captured)

    assert queries(campaign) == queries(other)
