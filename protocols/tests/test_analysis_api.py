"""The analysis, fixed and read by a program."""

from typing import Any

import pytest

from common.json_values import json_digest
from crowd.models import Campaign, Role
from protocols.comparison.tests.releases import compared_release
from protocols.spans.report import KIND as SPANS
from protocols.tests.test_before_people_come import answered, campaign_with_text
from reports.services import report_get_or_create
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def owner_of(campaign: Campaign) -> Api:
    return Api(campaign.memberships.get(role=Role.OWNER).user)


def address(campaign: Campaign) -> str:
    return f"campaigns/{campaign.slug}/analysis/"


def test_what_is_fixed_is_read_with_its_checksum() -> None:
    campaign = campaign_with_text()
    api = owner_of(campaign)

    nothing = api.get(address(campaign))
    fixed = api.call("put", address(campaign), {"parameters": {"draws": 500}})
    read = api.get(address(campaign)).json()

    assert nothing.status_code == 404
    assert fixed.status_code == 200
    assert fixed.json() == read
    assert read["analysis"]["report"] == "spans"
    assert read["analysis"]["parameters"]["draws"] == 500
    assert "whose" not in read["analysis"]["parameters"]
    assert read["plan_sha256"] == json_digest(read["analysis"])
    assert (read["answers_before"], read["answers_of_files"]) == (0, 0)


def test_without_parameters_it_is_the_newest_report_as_on_the_page() -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=True)
    parameters = SPANS.parameters(whose="test participants", draws=700)
    report_get_or_create(kind=SPANS, on=campaign, parameters=parameters)

    fixed = owner_of(campaign).call("put", address(campaign)).json()
    default = owner_of(campaign).call("put", address(campaign), {"parameters": {}}).json()

    assert fixed["analysis"]["parameters"]["draws"] == 700
    assert default["analysis"]["parameters"]["draws"] == SPANS.parameters().draws


def test_fixed_after_an_answer_it_says_how_many_there_were() -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=False)

    assert owner_of(campaign).call("put", address(campaign)).json()["answers_before"] == 1


def test_of_ratings_it_is_a_report_on_releases() -> None:
    release = compared_release(owner=make_staff())
    api = owner_of(release.campaign)

    fixed = api.call("put", address(release.campaign), {"report": "comparison", "parameters": {"seed": 5}})

    assert fixed.json()["analysis"]["report"] == "comparison"
    assert fixed.json()["analysis"]["parameters"]["seed"] == 5


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        ({"report": "ranking"}, "report", "Choices: spans"),
        ({"parameters": {"drawz": 500}}, "parameters.drawz", "Did you mean draws?"),
        ({"parameters": {"seed": -1}}, "parameters.seed", "greater than or equal to 0"),
        ({"parameters": {"draws": "many"}}, "parameters.draws", "integer"),
        ({"parameters": {"whose": "test participants"}}, "parameters.whose", "no such field"),
        ({"parameters": []}, "parameters", "dictionary"),
        ({"analysis": {}}, "analysis", "no such field"),
    ],
)
def test_what_cannot_be_fixed_is_named(sent: dict[str, Any], field: str, words: str) -> None:
    campaign = campaign_with_text()

    told = owner_of(campaign).call("put", address(campaign), sent)

    assert told.status_code == 400
    [fault] = told.json()["errors"]
    assert fault["field"] == field
    assert words in fault["reason"]
    campaign.refresh_from_db()
    assert campaign.planned_analysis == {}


def test_a_task_without_a_report_has_no_analysis() -> None:
    campaign = make_campaign(rating_task="extract")

    told = owner_of(campaign).call("put", address(campaign))

    assert (told.status_code, told.json()["detail"]) == (409, "This judgement task has no report.")
