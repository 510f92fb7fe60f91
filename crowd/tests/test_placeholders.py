"""Numbers in guidelines and consent are filled in from the settings, so that they cannot differ from the rule."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from crowd.models import Campaign, Round, SettingsVersion
from crowd.placeholders import NUMBERS, PLACEHOLDERS, PlaceholdersRefused, faults_of, fill
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    readable,
    worker_client,
)
from tests.support.settings import settings_change, version_numbers

EXPERT = Round.EXPERT
SETTINGS: dict[str, Any] = {
    "keep_percent": 70,
    "editor_tasks": 5,
    "rater_tasks": 1,
    "editor_minutes": 15,
    "rater_minutes": 20,
    "currency": "GBP",
    "editor_pay": "2.50",
    "editor_pay_unit": "study",
    "rater_pay": Decimal("0.2"),
    "rater_pay_unit": "text",
    "qualification_tries": 2,
    "qualification_pass_percent": 80,
}


@pytest.mark.parametrize(
    ("work_round", "expected"),
    [
        (EDIT, "30 70 5 15 2.50 GBP 2 80 shorten up to 5 short texts"),
        (RATE, "30 70 1 20 0.20 GBP per text 2 80 rate up to 1 shortened text"),
        (EXPERT, "30 70 all (as agreed) (as agreed) 2 80 rate shortened texts"),
    ],
)
def test_each_round_reads_its_own_values(work_round: str, expected: str) -> None:
    text = "{percent} {keep_percent} {texts} {minutes} {pay} {tries} {pass_percent} {task}"
    assert fill(text, SETTINGS, work_round) == expected
    assert set(re.findall(r"\w+", text)) == set(PLACEHOLDERS)


def test_what_is_filled_in_is_read_from_the_listed_settings() -> None:
    assert set(NUMBERS) == set(SETTINGS)


def test_the_list_is_documented() -> None:
    documented = re.findall(
        r"^\| `\{(\w+)\}` \|", (django_settings.BASE_DIR / "docs/formats.md").read_text("utf-8"), re.MULTILINE
    )
    assert documented == list(PLACEHOLDERS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{percent}} and {percent}", "{percent} and 30"),
        ("{other} {Percent} {percent } { } {} {1}", "{other} {Percent} {percent } { } {} {1}"),
        ("{minutes}", "{minutes}"),
        ("{{", "{"),
    ],
)
def test_braces_around_anything_else_stay(text: str, expected: str) -> None:
    assert fill(text, {"keep_percent": 70}, EDIT) == expected


@given(text=st.text(alphabet=st.sampled_from("ab {}_percent1\n"), max_size=40))
def test_a_text_without_braces_is_read_as_it_is_and_one_without_faults_has_no_name_left(text: str) -> None:
    shown = fill(text, SETTINGS, EDIT)
    if not {"{", "}"} & set(text):
        assert shown == text
    if not faults_of(text, SETTINGS, [EDIT]) and "{{" not in text and "}}" not in text:
        assert not re.search(r"\{[a-z_]+\}", shown)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Keep {percnt}.", "There is no placeholder {percnt}. You can use {percent}, "),
        ("It takes {minutes} minutes.", "{minutes} has no value yet: set “Minutes"),
        ("You get {pay}.", "{pay} has no value yet"),
    ],
)
def test_a_text_that_cannot_be_filled_in_is_refused_with_the_reason(text: str, reason: str) -> None:
    campaign = make_campaign()
    for name in ("consent", "editor_guidelines"):
        texts: dict[str, Any] = {name: text}
        with pytest.raises(PlaceholdersRefused) as refusal:
            campaign_update(campaign=campaign, **texts)
        assert reason in refusal.value.faults[name][0]
        with pytest.raises(PlaceholdersRefused):
            make_campaign(**texts)
    assert version_numbers(campaign) == [1]


@pytest.mark.django_db
def test_a_setting_that_a_text_needs_cannot_be_unset() -> None:
    campaign = make_campaign(consent="{minutes} minutes.", editor_minutes=9, rater_minutes=12)
    with pytest.raises(PlaceholdersRefused) as refusal:
        campaign_update(campaign=campaign, rater_minutes=None)
    assert list(refusal.value.faults) == ["consent"]
    campaign_update(campaign=campaign, rater_minutes=None, consent="It takes a while.")


@pytest.mark.django_db
def test_a_text_from_before_there_were_placeholders_is_no_obstacle_until_it_is_changed() -> None:
    campaign = make_campaign(editor_guidelines="Shorten.")
    old = "Shorten {this} and {minutes}."
    Campaign.objects.update(editor_guidelines=old)
    version = campaign.settings_versions.get()
    SettingsVersion.objects.update(settings=version.settings | {"editor_guidelines": old})

    campaign_update(campaign=campaign, editor_tasks=3, editor_guidelines=old.replace("\n", "\r\n"))

    assert old in readable(worker_client(campaign, EDIT).get("/work/guidelines/"))
    with pytest.raises(PlaceholdersRefused):
        campaign_update(campaign=campaign, editor_guidelines=f"{old} Please.")


# What people read


@pytest.mark.django_db
def test_people_of_both_rounds_agree_to_what_holds_for_them() -> None:
    campaign = make_campaign(sources=2, consent="You {task}: {texts}.", editor_tasks=3, rater_tasks=4)
    edit_next(enrol(campaign, EDIT))
    pages = [readable(Client().get(f"/join/{link_of(campaign, each).token}/")) for each in (EDIT, RATE)]
    assert "You shorten up to 3 short texts: 3." in pages[0]
    assert "You rate up to 4 shortened texts: 4." in pages[1]


@pytest.mark.django_db
def test_every_page_of_an_editor_fills_in_the_rule() -> None:
    texts: dict[str, Any] = {
        "editor_guidelines": "Cut {percent}%.",
        "sentence_examples": "Sentences: {percent}%.",
        "paragraph_examples": "Paragraphs: {percent}%.",
    }
    campaign = make_campaign(sources=2, keep_percent=60, **texts)
    client = worker_client(campaign, EDIT)
    read, at_work = readable(client.get("/work/guidelines/")), readable(client.get("/work/", follow=True))
    assert all(words in read for words in ("Cut 40%.", "Sentences: 40%.", "Paragraphs: 40%."))
    assert "Cut 40%." in at_work
    assert "Sentences: 40%." in at_work


@pytest.mark.django_db
def test_every_page_of_a_rater_fills_in_the_rule() -> None:
    campaign = make_campaign(sources=2, rater_guidelines="You may do {texts}.", rater_tasks=7, gold_percent=0)
    edit_all(campaign, 1)
    at_work = worker_client(campaign, RATE, "bob").get("/work/", follow=True)
    add_qualification(campaign)
    client = worker_client(campaign, RATE, "eve")
    expert = worker_client(campaign, EXPERT, "dora").get("/work/guidelines/")
    assert "You may do 7." in readable(at_work)
    assert "You may do 7." in readable(client.get("/work/qualification/"))
    assert "You may do all." in readable(expert)


@pytest.mark.django_db
def test_a_filled_page_of_work_follows_the_setting() -> None:
    campaign = make_campaign(sources=2, editor_guidelines="Cut {percent}%.", keep_percent=60)
    client = worker_client(campaign, EDIT)
    assert "Cut 40%." in readable(client.get("/work/", follow=True))
    settings_change(campaign, keep_percent=50)
    client.post("/work/guidelines/")
    assert "Cut 50%." in readable(client.get("/work/", follow=True))


# A change of what is filled in is a change of what people read


@pytest.mark.django_db
def test_editors_read_again_when_a_number_changes_that_their_guidelines_name() -> None:
    campaign = make_campaign(sources=3, editor_guidelines="Cut {percent}%.")
    edit_all(campaign, 1)
    clients = [worker_client(campaign, EDIT, "ann"), worker_client(campaign, RATE, "bob")]
    settings_change(campaign, keep_percent=60)
    read_again = [client.post("/work/next/").headers["Location"] == "/work/guidelines/" for client in clients]
    assert read_again == [True, False]
    assert "Cut 40%." in readable(clients[0].get("/work/guidelines/"))


@pytest.mark.django_db
def test_what_is_read_the_same_in_other_words_is_not_read_again() -> None:
    campaign = make_campaign(sources=3, editor_guidelines="Cut 25%.", keep_percent=75)
    client = worker_client(campaign, EDIT, "ann")
    settings_change(campaign, editor_guidelines="Cut {percent}%.")
    assert client.post("/work/next/").headers["Location"] != "/work/guidelines/"


@pytest.mark.django_db
def test_a_number_that_a_text_names_changes_only_when_it_is_confirmed() -> None:
    named, not_named = make_campaign(consent="Up to {texts}."), make_campaign()
    for campaign in (named, not_named):
        enrol(campaign, EDIT)
    campaign_update(campaign=not_named, rater_tasks=33)
    with pytest.raises(UnconfirmedChange):
        campaign_update(campaign=named, rater_tasks=33)
    assert version_numbers(named) == [1]
    campaign_update(campaign=named, rater_tasks=33, confirmed=1)
    assert version_numbers(named) == [1, 2]


@pytest.mark.django_db
def test_a_setting_that_the_version_is_too_old_to_know_is_recorded_when_it_changes() -> None:
    campaign = make_campaign()
    version = campaign.settings_versions.get()
    known = {name: value for name, value in version.settings.items() if name != "partial_after"}
    SettingsVersion.objects.update(settings=known)
    enrol(campaign, EDIT)
    campaign_update(campaign=campaign, editors_per_source=9)
    SettingsVersion.objects.filter(number=2).update(settings=known | {"editors_per_source": 9})
    with pytest.raises(UnconfirmedChange):
        campaign_update(campaign=campaign, partial_after=2)
    campaign_update(campaign=campaign, partial_after=2, confirmed=2)
    assert campaign.settings_versions.get(number=3).settings["partial_after"] == 2
