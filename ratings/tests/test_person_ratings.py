"""A rater's ratings on their page: where each leads, and what the others gave."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.models import Target
from crowd.models import Campaign, Worker
from ratings.models import RatingVersion
from ratings.selectors.people import RatingBesideOthers
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.gold import gold_create
from tests.support.factories import (
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    judged_campaign,
    make_campaign,
    rate_all,
    rate_next,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db


def ratings_shown(campaign: Campaign, name: str, place: int = 0) -> tuple[list[RatingBesideOthers], str]:
    number = Worker.objects.get(campaign=campaign, external_id=name).number
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/people/{number}/")
    return page.context["rounds"][place].ratings, readable(page)


def means_of(row: RatingBesideOthers) -> list[tuple[str, int, float | None, int]]:
    return [(each.scale, each.point, each.mean, each.others) for each in row.points]


def test_each_rating_leads_to_its_compression_and_says_what_the_others_gave() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (2, 3), (1, 1)))

    rows, page = ratings_shown(campaign, "rater-1")

    assert [means_of(row) for row in rows] == [[("meaning", 3, 1.5, 2), ("grammar", 3, 2.0, 2)]] * 2
    for target in Target.objects.all():
        assert f"/campaigns/{campaign.slug}/sources/{target.source.source_id}/#text-{target.pk}" in page
    assert "meaning 1.50 (2)" in page


def test_excluded_raters_and_experts_are_no_others() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 3), (2, 3), (1, 1)))
    expert_sample_draw(campaign=campaign, size=1, seed=1, experts=1)
    rate_next(enrol(campaign, "expert", "expert"), 1, 2)
    excluded = Worker.objects.get(external_id="rater-3")
    person_exclude(worker=excluded, work_round=RATE, note="A program.", user=None)

    (row,), _ = ratings_shown(campaign, "rater-1")
    assert means_of(row) == [("meaning", 3, 2.0, 1), ("grammar", 3, 3.0, 1)]
    (own,), page = ratings_shown(campaign, "expert")
    assert means_of(own) == [("meaning", 1, None, 0), ("grammar", 2, None, 0)]
    assert "none yet" in page


def test_pairs_lead_to_their_text_and_gold_questions_to_none() -> None:
    pairs = make_campaign(sources=1, rating_task="pair", editors_per_source=2)
    edit_all(pairs, 2)
    rate_next(enrol(pairs, RATE, "one"), 1, 3)
    rate_next(enrol(pairs, RATE, "two"), 3, 3)
    (row,), _ = ratings_shown(pairs, "one")
    assert row.source_id == "1"
    assert sum(others for *_, others in means_of(row)) == 2

    golden = judged_campaign(sources=3, scores=((3, 3),), gold_percent=50, raters_per_compression=2, rater_tasks=9)
    gold_create(campaign=golden, example=EXAMPLE)
    rate_all(enrol(golden, RATE, "other"))
    rows, _ = ratings_shown(golden, "other")
    assert {row.source_id for row in rows} == {"1", "2", "3", ""}


def test_the_page_needs_the_same_number_of_queries_for_any_number_of_ratings() -> None:
    few, many = judged_campaign(sources=1), judged_campaign(sources=4, editors=2)

    def queries(campaign: Campaign) -> int:
        with CaptureQueriesContext(connection) as captured:
            ratings_shown(campaign, "rater-1")
        return len(captured)

    assert queries(few) == queries(many)


def test_what_a_raters_pages_counted_stands_beside_their_work_and_no_other() -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3), (2, 3)))
    told = [
        {"v": 1, "away_n": 2, "away_ms": 90_000, "copies": 1, "untrusted": 0, "webdriver": 0},
        {"v": 1, "copies": 1},
    ]
    mine = RatingVersion.objects.filter(rating__worker__external_id="rater-1").order_by("pk")
    for version, record in zip(mine, told, strict=False):
        RatingVersion.objects.filter(pk=version.pk).update(page_record=record)

    _, page = ratings_shown(campaign, "rater-1")

    facts = dict(re.findall(r"<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>", page))
    counted = {
        "Pages that were left": "1 of 2",
        "Times away": "2",
        "Away in all": "1 min 30 s",
        "Pages on which something was copied": "2 of 2",
        "Copies": "2",
    }
    assert facts | counted == facts
    assert "It is not a verdict" in page
    assert "What the pages recorded" not in ratings_shown(campaign, "rater-2")[1]
