"""Campaigns as files by the API."""

import pytest

from crowd.models import Campaign, CampaignState
from dashboard.campaign_files.templates import TEMPLATES
from dashboard.campaign_files.writing import campaign_file
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff

pytestmark = pytest.mark.django_db
FILE = "precis_campaign: 1\nname: From a file\nslug: from-a-file\nsettings:\n  keep_percent: 60\n"


def test_a_campaign_is_read_as_a_file_and_made_of_it() -> None:
    campaign = make_campaign(keep_percent=61)
    api = Api(campaign.staff.get())

    file = api.get(f"campaigns/{campaign.slug}/file/")
    made = api.post("campaign-files/", {"file": file.content.decode(), "slug": "again"})

    assert file.headers["Content-Type"] == "application/yaml"
    assert file.content == campaign_file(campaign)
    assert made.status_code == 201
    assert made.json()["slug"] == "again"
    assert made.json()["state"] == CampaignState.DRAFT
    assert Campaign.objects.get(slug="again").keep_percent == 61


def test_the_same_key_makes_one_campaign() -> None:
    api = Api(make_staff())

    answers = [api.post("campaign-files/", {"file": FILE}, Idempotency_Key="once").json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert Campaign.objects.count() == 1


def test_faults_name_their_lines() -> None:
    api = Api(make_staff())

    answer = api.post("campaign-files/", {"file": FILE.replace("keep_percent", "keep_percents"), "slug": "new"})

    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"field": "slug", "reason": "This word has another meaning in addresses. Choose another one."},
        {"field": "file", "reason": "line 5: keep_percents: this is not known here; did you mean keep_percent?"},
    ]
    assert not Campaign.objects.exists()


def test_a_file_of_what_json_can_say_and_utf_8_cannot_is_refused() -> None:
    answer = Api(make_staff()).post("campaign-files/", {"file": FILE + "# \ud800"})

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "file"


def test_templates_are_listed_and_sent() -> None:
    api = Api(make_staff())

    listed = api.get("templates/").json()["results"]

    assert [each["key"] for each in listed] == list(TEMPLATES)
    assert all(each["title"] and each["summary"] for each in listed)
    assert [each["file"].encode() for each in listed] == [each.content for each in TEMPLATES.values()]
