"""Settings by the API: read at once, changed as on the pages, with the same confirmation and the same refusals."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import AuditEntry, Campaign, SettingsVersion
from crowd.settings_tabs import TABS
from tests.support.api_client import Api
from tests.support.factories import EDIT, edit_next, enrol, make_campaign, make_staff
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db


def campaign_and_api(**settings: Any) -> tuple[Campaign, Api, str]:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=1, **settings)
    return campaign, Api(owner), f"campaigns/{campaign.slug}/settings/"


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {each["field"]: each["reason"] for each in answer.json()["errors"]}


def test_all_settings_of_all_tabs_are_read_at_once() -> None:
    campaign, api, address = campaign_and_api(editor_pay="0.25", keep_percent=60)
    settings = api.get(address).json()
    assert settings.keys() == {name for tab in TABS for name in tab.settings} - {"slug"} | {"version"}
    assert (settings["version"], settings["editor_pay"], settings["rater_pay"], settings["keep_percent"]) == (
        1,
        "0.25",
        None,
        60,
    )
    assert settings["scales"] == campaign.scales


def test_what_was_read_can_be_sent_back_and_changes_nothing() -> None:
    campaign, api, address = campaign_and_api(editor_pay="0.25")
    edit_next(enrol(campaign, EDIT))
    settings = api.get(address).json()
    answer = api.patch(address, {name: value for name, value in settings.items() if name != "version"})
    assert answer.status_code == 200, answer.content
    assert answer.json() == settings
    assert not AuditEntry.objects.filter(campaign=campaign, action="settings changed").exists()


def test_settings_that_a_program_has_are_not_sent_again() -> None:
    _, api, address = campaign_and_api()
    for each in (address, address.removesuffix("settings/")):
        first = api.get(each)
        again = api.call("get", each, If_None_Match=first["ETag"])
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert api.call("get", each, If_None_Match='"another"').status_code == 200
        assert first["Cache-Control"] == "private, no-cache"


def test_a_campaign_in_another_state_has_another_tag() -> None:
    _, api, address = campaign_and_api()
    one = address.removesuffix("settings/")
    tag = api.get(one)["ETag"]
    assert api.post(f"{one}state/", {"state": "paused"}).status_code == 200
    assert api.call("get", one, If_None_Match=tag).json()["state"] == "paused"


@pytest.mark.parametrize("other", [{"editor_tasks": 9}, {"description": "Not of a version."}])
def test_a_change_of_what_others_changed_since_it_was_read_is_refused(other: dict[str, Any]) -> None:
    campaign, api, address = campaign_and_api()
    tag = api.get(address)["ETag"]
    assert api.patch(address, other).status_code == 200

    refused = api.call("patch", address, {"rater_tasks": 7}, If_Match=tag)

    assert (refused.status_code, refused.json()["title"]) == (412, "Precondition Failed")
    campaign.refresh_from_db()
    assert campaign.rater_tasks != 7


def test_a_change_of_what_was_read_is_made_and_gives_the_tag_to_go_on_with() -> None:
    campaign, api, address = campaign_and_api()
    for tasks, form in enumerate(("{}", "W/{}", "*"), 7):
        tag = form.format(api.get(address)["ETag"])
        changed = api.call("patch", address, {"rater_tasks": tasks, "editor_pay": "0.5"}, If_Match=tag)
        assert (changed.status_code, changed.json()["rater_tasks"]) == (200, tasks)
        assert changed["ETag"] == api.get(address)["ETag"]
        campaign.refresh_from_db()
        assert campaign.rater_tasks == tasks
        assert api.call("patch", address, {"rater_tasks": tasks}, If_Match=changed["ETag"]).status_code == 200


def test_a_change_makes_a_version_and_an_entry_in_the_log() -> None:
    campaign, api, address = campaign_and_api()
    answer = api.patch(address, {"editor_tasks": 7, "minimum_hourly_pay": "9.5", "name": "Other"})
    assert {name: answer.json()[name] for name in ("version", "editor_tasks", "minimum_hourly_pay", "name")} == {
        "version": 2,
        "editor_tasks": 7,
        "minimum_hourly_pay": "9.50",
        "name": "Other",
    }
    entry = AuditEntry.objects.get(campaign=campaign, action="settings changed")
    assert (entry.username, entry.subject) == (campaign.staff.get().username, "version 2")
    assert entry.detail == "editor_tasks, minimum_hourly_pay, name"


def test_what_people_were_told_changes_only_once_it_is_confirmed() -> None:
    campaign, api, address = campaign_and_api(keep_percent=75)
    edit_next(enrol(campaign, EDIT))

    asked = api.patch(address, {"keep_percent": 70})
    assert (asked.status_code, asked.json()["code"], asked.json()["confirm"]) == (409, "unconfirmed", 1)
    assert asked.json()["changes"] == [{"name": "keep_percent", "before": 75, "after": 70}]
    assert Campaign.objects.get(pk=campaign.pk).keep_percent == 75

    assert api.patch(address, {"keep_percent": 70, "confirmed": 2}).status_code == 409
    confirmed = api.patch(address, {"keep_percent": 70, "confirmed": asked.json()["confirm"]})
    assert (confirmed.status_code, confirmed.json()["keep_percent"], confirmed.json()["version"]) == (200, 70, 2)


def test_a_confirmation_of_an_older_version_is_asked_for_again() -> None:
    campaign, api, address = campaign_and_api(keep_percent=75)
    edit_next(enrol(campaign, EDIT))
    settings_change(campaign, keep_percent=80)
    asked = api.patch(address, {"keep_percent": 70, "confirmed": 1})
    assert (asked.status_code, asked.json()["confirm"]) == (409, 2)
    assert asked.json()["changes"] == [{"name": "keep_percent", "before": 80, "after": 70}]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"slug": "another"}, "slug"),
        ({"state": "open"}, "state"),
        ({"version": 1}, "version"),
        ({"keep_percent": 0}, "keep_percent"),
        ({"keep_percent": "many"}, "keep_percent"),
        ({"editor_pay": "-1"}, "editor_pay"),
        ({"editor_pay": "1.001"}, "editor_pay"),
        ({"editor_minutes": 0}, "editor_minutes"),
        ({"currency": "pounds"}, "currency"),
        ({"currency": "gbp"}, "currency"),
        ({"homepage": "javascript:alert(1)"}, "homepage"),
        ({"licence": "a licence"}, "licence"),
        ({"language": "?"}, "language"),
        ({"rating_task": "guessing"}, "rating_task"),
        ({"extra_raters": "perhaps"}, "extra_raters"),
        ({"consent": ""}, "consent"),
        ({"consent": "x" * 20_001}, "consent"),
        ({"consent": "x" * 50_001}, "consent"),
        ({"consent": "It pays {pay}."}, "consent"),
        ({"description": "x" * 50_001}, "description"),
        ({"description": "e" + "\N{COMBINING ACUTE ACCENT}" * 100}, "description"),
        ({"confirmed": -1}, "confirmed"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_the_field(sent: dict[str, Any], field: str) -> None:
    campaign, api, address = campaign_and_api()
    assert set(faults(api.patch(address, sent))) == {field}
    assert SettingsVersion.objects.filter(campaign=campaign).count() == 1


SCALE = {"key": "style", "name": "Style", "question": "How is it?", "points": ["Bad", "Good"]}


@pytest.mark.parametrize(
    "scales",
    [
        [],
        [SCALE] * 2,
        [SCALE | {"key": f"style_{number}", "name": f"Style {number}"} for number in range(7)],
        [SCALE | {"key": "comment"}],
        [SCALE | {"key": "Two words"}],
        [SCALE | {"name": "Style: more"}],
        [SCALE | {"name": "2nd style"}],
        [SCALE | {"name": ""}],
        [SCALE | {"question": "How\nis it?"}],
        [SCALE | {"question": "x" * 201}],
        [SCALE | {"points": ["Good"]}],
        [SCALE | {"points": ["x"] * 8}],
        [SCALE | {"points": ["Bad", "x" * 101]}],
        [SCALE | {"colour": "red"}],
        [{name: value for name, value in SCALE.items() if name != "points"}],
        "Style: How is it?",
    ],
)
def test_scales_that_staff_could_not_have_written_are_refused(scales: Any) -> None:
    campaign, api, address = campaign_and_api()
    assert {each.split(".")[0] for each in faults(api.patch(address, {"scales": scales}))} == {"scales"}
    assert Campaign.objects.get(pk=campaign.pk).scales == campaign.scales


def test_scales_are_set_and_then_fixed_once_there_is_work_for_raters() -> None:
    campaign, api, address = campaign_and_api()
    assert api.patch(address, {"scales": [SCALE]}).json()["scales"] == [SCALE]
    edit_next(enrol(campaign, EDIT))
    answer = api.patch(address, {"scales": campaign.scales})
    assert (answer.status_code, answer.json().get("code")) == (409, None)
    assert api.get(address).json()["scales"] == [SCALE]


def test_the_versions_say_who_changed_what() -> None:
    campaign, api, address = campaign_and_api(keep_percent=75)
    api.patch(address, {"keep_percent": 70, "lease_minutes": 20})
    settings_change(campaign, keep_percent=65)
    name = campaign.staff.get().username
    listed = api.get(f"campaigns/{campaign.slug}/versions/").json()["results"]
    assert [(each["number"], each["changed"]) for each in listed] == [
        (1, []),
        (2, ["keep_percent", "lease_minutes"]),
        (3, ["keep_percent"]),
    ]
    assert [each["created_by"] for each in listed][:2] == [name, name]
    second = api.get(f"campaigns/{campaign.slug}/versions/2/").json()
    assert (second["number"], second["settings"]["keep_percent"], second["created_by"]) == (2, 70, name)
    for number in (0, 4, 2**70):
        assert api.get(f"campaigns/{campaign.slug}/versions/{number}/").status_code == 404


def test_many_versions_cost_no_more_queries_than_one() -> None:
    campaign, api, _ = campaign_and_api()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            api.get(f"campaigns/{campaign.slug}/versions/")
        counts.append(len(queries))
        for minutes in range(10, 15):
            settings_change(campaign, lease_minutes=minutes)
    assert counts[1] <= counts[0]
