"""Staff change what people were told only after seeing what will differ, and can look up what it was."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.scales import scales_to_text
from crowd.settings_difference import settings_difference
from crowd.tests.test_staff import settings_of
from tests.support.factories import (
    EDIT,
    edit_next,
    enrol,
    judged_campaign,
    make_campaign,
    make_staff,
    readable,
    staff_client,
)
from tests.support.settings import settings_change, version_numbers

pytestmark = pytest.mark.django_db


def at_work(**settings: Any) -> tuple[Campaign, Client, str]:
    """A campaign with one compression, and its staff at the settings."""
    owner = make_staff()
    campaign = make_campaign(sources=2, owner=owner, **settings)
    edit_next(enrol(campaign, EDIT))
    return campaign, staff_client(owner), f"/campaigns/{campaign.slug}/settings/"


def seen(response: Any) -> str:
    """The text of a page in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", readable(response)).split())


def test_a_change_of_the_rule_shows_what_will_differ_and_saves_nothing() -> None:
    campaign, client, page = at_work(keep_percent=75)

    answer = client.post(page, settings_of(campaign, keep_percent=70, name="New name"))

    assert answer.status_code == 409
    assert "Longest compression, in % of the source's characters 75 → 70" in seen(answer)
    assert "Under settings that are the same in this, 1 person consented, and 1 compression and 0 ratings" in seen(
        answer
    )
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.keep_percent, stored.name, version_numbers(campaign)) == (75, campaign.name, [1])


def hidden_fields(response: Any) -> dict[str, str]:
    fields = re.findall(r'<input type="hidden"\s+name="(\w+)"(?:\s+value="([^"]*)")?', response.content.decode())
    unescaped = re.findall(r'<input type="hidden"\s+name="(\w+)"(?:\s+value="([^"]*)")?', readable(response))
    assert len(fields) == len(unescaped)
    return dict(unescaped)


def test_the_confirmation_keeps_what_was_typed_and_saves_it() -> None:
    campaign, client, page = at_work(keep_percent=75)
    sent = settings_of(campaign, keep_percent=70, name="New name", extra_raters=True, consent="One\r\n\r\nTwo <b>")
    sent["scales_text"] = scales_to_text(campaign.rating_scales)
    kept = hidden_fields(client.post(page, sent))

    answer = client.post(page, kept | {"confirmed": "1"})

    assert answer.status_code == 302
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.keep_percent, stored.name, stored.extra_raters, stored.is_open) == (70, "New name", True, True)
    assert stored.consent == "One\n\nTwo <b>"
    assert campaign.settings_versions.get(number=2).created_by == campaign.staff.get()


def test_one_can_go_back_to_the_form_with_what_was_typed() -> None:
    campaign, client, page = at_work(keep_percent=75)
    answer = client.post(page, settings_of(campaign, keep_percent=70) | {"edit_again": "1"})
    assert answer.status_code == 200
    assert re.search(r'name="keep_percent" value="70"', readable(answer))
    assert version_numbers(campaign) == [1]


@pytest.mark.parametrize("number", ["2", "0", "x", "", "9" * 30, "١"])
def test_a_confirmation_for_another_version_asks_again(number: str) -> None:
    campaign, client, page = at_work(keep_percent=75)
    answer = client.post(page, settings_of(campaign, keep_percent=70) | {"confirmed": number})
    assert answer.status_code == 409
    assert "the settings were changed while this page was open" in seen(answer)
    assert version_numbers(campaign) == [1]


def test_who_confirms_what_somebody_else_changed_meanwhile_is_shown_the_new_difference() -> None:
    campaign, client, page = at_work(keep_percent=75)
    sent = settings_of(campaign, keep_percent=70)
    assert "75 → 70" in seen(client.post(page, sent))
    settings_change(campaign, keep_percent=60)

    answer = client.post(page, sent | {"confirmed": "1"})

    assert "60 → 70" in seen(answer)
    assert client.post(page, sent | {"confirmed": "2"}).status_code == 302
    assert version_numbers(campaign) == [1, 2, 3]


def test_texts_differ_line_by_line() -> None:
    campaign, client, page = at_work(editor_guidelines="Keep names.\nBe brief.\n\nThank you.")
    answer = client.post(
        page, settings_of(campaign, editor_guidelines="Keep names.\r\nBe very brief.\r\n\r\nThank you.")
    )
    lines = re.findall(r'<li class="(\w+)">\s*(?:<\w+>)?(.*?)(?:</\w+>)?\s*</li>', answer.content.decode(), re.DOTALL)
    assert [line for line in lines if line[0] in {"removed", "added", "kept"}] == [
        ("kept", "Keep names."),
        ("removed", "Be brief."),
        ("added", "Be very brief."),
    ]


def test_what_a_browser_does_to_texts_is_no_change() -> None:
    """The default texts end with a line; browsers send CR LF, and the form trims."""
    campaign, client, page = at_work(**default_texts())
    sent = settings_of(campaign)
    sent |= {name: str(sent[name]).replace("\n", "\r\n") for name in default_texts()}
    assert client.post(page, sent).status_code == 302
    assert version_numbers(campaign) == [1]


LINES = st.lists(st.sampled_from(["", "one", "two", "-- three", "@@ four", "+ five"]), max_size=6).map("\n".join)


@given(before=LINES, after=LINES)
def test_the_lines_of_a_difference_are_those_removed_and_added(before: str, after: str) -> None:
    (changed,) = settings_difference({"consent": before}, {"consent": after}) or (None,)
    if before.strip() == after.strip():
        assert changed is None
        return
    assert changed
    old, new = before.strip().split("\n"), after.strip().split("\n")
    removed = [line.text for line in changed.lines if line.kind == "removed"]
    added = [line.text for line in changed.lines if line.kind == "added"]
    assert len(old) - len(removed) == len(new) - len(added)
    assert all(line in old for line in removed)
    assert all(line in new for line in added)


def test_settings_are_named_as_on_the_page() -> None:
    before = {"editor_start": "source", "extra_raters": False, "keep_percent": 75}
    after = {"editor_start": "empty", "extra_raters": True, "keep_percent": 70}
    found = [(each.before, each.after) for each in settings_difference(before, after)]
    assert found == [("the source", "nothing"), ("75", "70"), ("no", "yes")]


# The history.


def test_the_history_tells_who_changed_what_and_what_was_done_under_each_version() -> None:
    owner = make_staff("dora")
    campaign = judged_campaign(sources=2, owner=owner, keep_percent=75)
    client, page = staff_client(owner), f"/campaigns/{campaign.slug}/settings/"
    client.post(page, settings_of(campaign, keep_percent=70) | {"confirmed": "1"})
    enrol(campaign, EDIT, "late")

    shown = seen(client.get(f"{page}history/"))

    newest, oldest = re.findall(r"Version \d.*?(?=Version \d|$)", shown[shown.index("Version 2") :])
    assert "in force" in newest
    assert "by dora" in newest
    assert "1 person consented, 0 compressions, 0 ratings." in newest
    assert "75 → 70" in newest
    assert "3 people consented, 2 compressions, 4 ratings." in oldest
    assert "The first version." in oldest
    assert f'href="{page}history/"' in readable(client.get(page))


def test_the_history_takes_as_many_queries_for_many_versions() -> None:
    def queries(versions: int) -> int:
        owner = make_staff()
        campaign = make_campaign(owner=owner)
        for number in range(1, versions):
            settings_change(campaign, keep_percent=50 + number)
        client = staff_client(owner)
        with CaptureQueriesContext(connection) as made:
            assert client.get(f"/campaigns/{campaign.slug}/settings/history/").status_code == 200
        return len(made)

    assert queries(1) == queries(9)


def test_a_form_that_others_overtook_is_not_saved_until_it_is_sent_again() -> None:
    campaign, client, page = at_work(lease_minutes=31)
    opened = client.get(page)
    number = hidden_fields(opened)["seen"]
    settings_change(campaign, lease_minutes=45)

    answer = client.post(page, settings_of(campaign, lease_minutes=31, rater_tasks=33) | {"seen": number})

    assert answer.status_code == 409
    assert "someone changed these settings while you were editing (minutes before" in seen(answer)
    assert Campaign.objects.get(pk=campaign.pk).lease_minutes == 45
    assert hidden_fields(answer)["seen"] == "2"
    again = client.post(page, settings_of(campaign, lease_minutes=45, rater_tasks=33) | {"seen": "2"})
    assert again.status_code == 302
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.lease_minutes, stored.rater_tasks) == (45, 33)


def test_the_confirmation_counts_work_under_all_versions_with_the_same_values() -> None:
    campaign, client, page = at_work(keep_percent=75)
    settings_change(campaign, lease_minutes=45)

    answer = client.post(page, settings_of(campaign, keep_percent=70))

    assert answer.status_code == 409
    assert "Under settings that are the same in this, 1 person consented, and 1 compression and 0 ratings" in seen(
        answer
    )
