"""Ratings by the API."""

from typing import Any

import pytest

from compressions.models import Compression
from crowd.models import Campaign
from ratings.services.gold import gold_create
from tests.support.api_client import Api
from tests.support.factories import (
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
    rate_next,
)

pytestmark = pytest.mark.django_db


def listed(campaign: Campaign, **asked: Any) -> list[dict[str, Any]]:
    answer = Api(campaign.staff.get()).get(f"campaigns/{campaign.slug}/ratings/", **asked)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def test_ratings_are_listed_and_narrowed() -> None:
    campaign, _other = judged_campaign(sources=2, scores=((3, 2), (1, 1))), judged_campaign(sources=1)
    found = listed(campaign)
    rater = campaign.workers.get(external_id="rater-1")
    assert len(found) == 4
    mine = listed(campaign, rater=rater.number)
    assert [(each["rater"], each["points"]) for each in mine] == [(rater.number, {"meaning": 3, "grammar": 2})] * 2
    assert {each["text_id"] for each in listed(campaign, text_id="1")} == {"1"}
    compression = Compression.objects.get(source__campaign=campaign, source__source_id="2")
    of_two = listed(campaign, compression=compression.pk)
    assert [each["version_id"] for each in of_two] == [compression.target_id] * 2
    assert of_two == listed(campaign, version_id=compression.target_id)
    assert listed(campaign, pool="experts") == []
    assert [each["id"] for each in listed(campaign, since=found[1]["id"])] == [each["id"] for each in found[2:]]


def test_a_correction_is_told_with_what_it_corrects_if_that_is_asked_for() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2),), raters_per_compression=2)
    ann = enrol(campaign, RATE, "ann")
    stored = rate_next(ann, 3, 3)
    assert stored is not None
    assert stored.assignment is not None
    rate(ann, stored.assignment, known_version=1, meaning=1, grammar=2)
    told = next(each for each in listed(campaign) if each["id"] == stored.pk)
    assert (told["version"], told["points"], told["versions"]) == (2, {"meaning": 1, "grammar": 2}, None)
    told = next(each for each in listed(campaign, versions="all") if each["id"] == stored.pk)
    assert [each["points"] for each in told["versions"]] == [
        {"meaning": 3, "grammar": 3},
        {"meaning": 1, "grammar": 2},
    ]


def test_ratings_of_gold_questions_have_no_text() -> None:
    campaign = make_campaign(sources=12, gold_percent=50)
    gold = gold_create(campaign=campaign, example=EXAMPLE)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    (told,) = listed(campaign, gold="true")
    assert (told["gold_id"], told["text_id"], told["version_id"], told["pair"]) == (gold.pk, None, None, None)
    others = listed(campaign, gold="false")
    assert {each["gold_id"] for each in others} == {None}
    assert len(listed(campaign)) == len(others) + 1


def test_ratings_side_by_side_name_both_versions() -> None:
    campaign = make_campaign(sources=1, rating_task="pair", editors_per_source=2, raters_per_compression=1)
    edit_all(campaign, 2)
    stored = rate_next(enrol(campaign, RATE))
    assert stored is not None
    assert stored.pair is not None
    (told,) = listed(campaign)
    assert (told["pair"], told["version_id"]) == ([stored.pair.first_id, stored.pair.second_id], None)
    assert listed(campaign, version_id=stored.pair.second_id) == [told]


@pytest.mark.parametrize("asked", [{"rater": "ann"}, {"pool": "all"}, {"versions": "some"}, {"since": 2**63}])
def test_filters_that_make_no_sense_are_refused_by_name(asked: dict[str, Any]) -> None:
    campaign = make_campaign()
    refused = Api(campaign.staff.get()).get(f"campaigns/{campaign.slug}/ratings/", **asked)
    assert refused.status_code == 400
    assert [each["field"] for each in refused.json()["errors"]] == list(asked)
