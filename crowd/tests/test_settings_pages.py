"""Staff change what people were told only after seeing what will differ, and can look up what it was."""

import re
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from common.templatetags.formatting import markdown, markdown_parser
from crowd.default_texts import default_texts
from crowd.models import Campaign, SettingsVersion
from crowd.models.campaign import RANGES
from crowd.models.setting_words import WORDS
from crowd.models.settings_version import NOT_VERSIONED, VERSIONED
from crowd.prose_bounds import MAX_BRACKETS, MAX_PROSE_LENGTH, prose_validate
from crowd.settings_difference import settings_difference
from crowd.settings_tabs import GENERAL, SCALES_TEXT, TABS, WRITTEN, Tab
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
from tests.support.settings import settings_change, settings_of, settings_page, settings_send, version_numbers

pytestmark = pytest.mark.django_db


# A value for many settings that is not the default.
OTHER: dict[str, Any] = {
    "name": "Other",
    "licence": "cc0-1.0",
    "keep_percent": 61,
    "editor_start": "choice",
    "sentence_min_words": 7,
    "rater_tasks": 33,
    "extra_raters": True,
    "record_leaving": False,
    "gold_percent": 11,
    "qualification_tries": 3,
    "currency": "EUR",
    "editor_pay": Decimal("0.25"),
    "rater_minutes": 12,
    "failed_pay": Decimal("0.50"),
    "minimum_hourly_pay": Decimal("9.50"),
    "consent": "Other?",
    "sentence_examples": "Other sentences.",
    "rater_guidelines": "Rate otherwise.",
}


def at_work(**settings: Any) -> tuple[Campaign, Client, str]:
    """A campaign with one compression, and its staff at the settings of the texts."""
    owner = make_staff()
    campaign = make_campaign(sources=2, owner=owner, **settings)
    edit_next(enrol(campaign, EDIT))
    return campaign, staff_client(owner), settings_page(campaign, "keep_percent")


def seen(response: Any) -> str:
    """The text of a page in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", readable(response)).split())


def test_a_change_of_the_rule_shows_what_will_differ_and_saves_nothing() -> None:
    campaign, client, page = at_work(keep_percent=75)

    answer = client.post(page, settings_of(campaign, keep_percent=70, editor_tasks=8))

    assert answer.status_code == 409
    assert "Maximum length of a compression (% of the source) 75 → 70" in seen(answer)
    assert "with these settings as they are: 1 participant consented · 1 compression · 0 ratings" in seen(answer)
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.keep_percent, stored.editor_tasks, version_numbers(campaign)) == (75, campaign.editor_tasks, [1])


def hidden_fields(response: Any) -> dict[str, str]:
    fields = re.findall(r'<input type="hidden"\s+name="(\w+)"(?:\s+value="([^"]*)")?', response.content.decode())
    unescaped = re.findall(r'<input type="hidden"\s+name="(\w+)"(?:\s+value="([^"]*)")?', readable(response))
    assert len(fields) == len(unescaped)
    return dict(unescaped)


def test_the_confirmation_keeps_what_was_typed_on_its_tab_and_saves_it() -> None:
    campaign, client, _ = at_work(rater_tasks=20)
    page = settings_page(campaign, "name")
    sent = settings_of(campaign, name="New <b>", texts_go_on_erasure="on", description="One\r\nTwo")
    kept = hidden_fields(client.post(page, sent))
    assert set(kept) - {"csrfmiddlewaretoken", "opened"} == set(GENERAL.fields)
    settings_change(campaign, rater_tasks=19)

    assert client.post(page, kept | {"confirmed": "1"}).status_code == 409
    answer = client.post(page, kept | {"confirmed": "2"})

    assert answer.status_code == 302
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.name, stored.texts_go_on_erasure, stored.description) == ("New <b>", True, "One\r\nTwo")
    assert (stored.rater_tasks, stored.is_open) == (19, True)
    assert campaign.settings_versions.get(number=3).created_by == campaign.staff.get()


def test_texts_are_stored_with_plain_line_ends() -> None:
    campaign, client, _ = at_work()
    page = settings_page(campaign, "consent")
    kept = hidden_fields(client.post(page, settings_of(campaign, consent="One\r\n\r\nTwo <b>")))
    client.post(page, kept | {"confirmed": "1"})
    assert Campaign.objects.get(pk=campaign.pk).consent == "One\n\nTwo <b>"


@pytest.mark.parametrize("tab", TABS, ids=lambda tab: tab.title)
def test_a_tab_saves_its_settings_and_no_others(tab: Tab) -> None:
    """Every other setting was changed while the tab was open, and stays so."""
    campaign, client, _ = at_work()
    page = settings_page(campaign, *tab.fields)
    sent = settings_of(campaign, **{name: value for name, value in OTHER.items() if name in tab.fields})
    settings_change(campaign, **{name: value for name, value in OTHER.items() if name not in tab.fields})
    number = version_numbers(campaign)[-1]

    answer = client.post(page, sent | {"confirmed": str(number)})

    assert answer.headers["Location"] == page
    stored = Campaign.objects.get(pk=campaign.pk)
    assert {name: getattr(stored, name) for name in OTHER} == OTHER


def test_every_setting_stands_on_one_tab_with_what_it_does_and_its_range() -> None:
    fields = [name for tab in TABS for name in tab.fields]
    assert len(fields) == len(set(fields))
    campaign, client, _ = at_work()
    settings = {name for tab in TABS for name in tab.settings}
    others = {"id", "created_at", "state", "staff", "edit_paused", "rate_paused", "expert_paused", "sandbox_of"}
    others |= {"settings_version", "editor_guidelines_changed", "rater_guidelines_changed"}
    others |= {"task_settings", "planned_analysis"}  # on the pages of the judgement task
    others |= {"arms_seed"}  # drawn, and on no page
    assert settings == set(VERSIONED + NOT_VERSIONED) - others
    for tab in TABS:
        page = readable(client.get(settings_page(campaign, *tab.fields)))
        for field in set(tab.fields) - {SCALES_TEXT}:
            name = WRITTEN.get(field, field)
            assert str(WORDS[name].help) in page
            assert not WORDS[name].help or f'aria-describedby="id_{field}_helptext"' in page
            least, most = RANGES.get(name, ("", ""))
            assert not least or f"From {least:,} to {most:,}." in page


def test_there_are_no_other_tabs() -> None:
    campaign, client, _ = at_work()
    for method in (client.get, client.post):
        assert method(f"/campaigns/{campaign.slug}/settings/general/").status_code == 404


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
    campaign, client, _ = at_work(editor_guidelines="Keep names.\nBe brief.\n\nThank you.")
    answer = settings_send(client, campaign, editor_guidelines="Keep names.\r\nBe very brief.\r\n\r\nThank you.")
    lines = re.findall(r'<li class="(\w+)">\s*(?:<\w+>)?(.*?)(?:</\w+>)?\s*</li>', answer.content.decode(), re.DOTALL)
    assert [line for line in lines if line[0] in {"removed", "added", "kept"}] == [
        ("kept", "Keep names."),
        ("removed", "Be brief."),
        ("added", "Be very brief."),
    ]


def test_what_a_browser_does_to_texts_is_no_change() -> None:
    """The default texts end with a line; browsers send CR LF, and the form trims."""
    campaign, client, _ = at_work(**default_texts())
    for name, text in default_texts().items():
        sent: dict[str, object] = {name: text.replace("\n", "\r\n")}
        assert settings_send(client, campaign, **sent).status_code == 302
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
    assert found == [("the source", "none: an empty box"), ("75", "70"), ("no", "yes")]


def test_amounts_are_said_with_their_currency_and_unit() -> None:
    before = {"editor_pay": None, "editor_pay_unit": "text", "currency": "GBP", "rater_pay": "2.00"}
    after = before | {"editor_pay": "0.25", "rater_pay": "2.50", "rater_pay_unit": "study"}
    found = [(each.before, each.after) for each in settings_difference(before, after)]
    assert found == [("not set", "0.25 GBP per text"), ("2.00 GBP", "2.50 GBP per study")]


def test_a_number_that_a_text_names_is_shown_as_people_read_it() -> None:
    before = {"editor_guidelines": "Cut {percent}%.\nThanks.", "keep_percent": 75}
    rule, text = settings_difference(before, before | {"keep_percent": 60})
    assert (rule.before, rule.after) == ("75", "60")
    assert text.label == "editor guidelines, with the numbers filled in"
    assert [line.text for line in text.lines if line.kind != "kept"] == ["Cut 25%.", "Cut 40%."]


# The history.


def test_the_history_tells_who_changed_what_and_what_was_done_under_each_version() -> None:
    owner = make_staff("dora")
    campaign = judged_campaign(sources=2, owner=owner, keep_percent=75)
    client, page = staff_client(owner), f"/campaigns/{campaign.slug}/settings/"
    settings_send(client, campaign, {"confirmed": "1"}, keep_percent=70)
    enrol(campaign, EDIT, "late")

    shown = seen(client.get(f"{page}history/"))

    newest, oldest = re.findall(r"Version \d.*?(?=Version \d|$)", shown[shown.index("Version 2") :])
    assert "active" in newest
    assert "by dora" in newest
    assert "1 participant consented · 0 compressions · 0 ratings" in newest
    assert "75 → 70" in newest
    assert "3 participants consented · 2 compressions · 4 ratings" in oldest
    assert "The first version." in oldest
    assert f'href="{page}history/"' in readable(client.get(page))


def test_what_a_version_is_too_old_to_know_is_no_change() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, editor_pay="0.25", editor_pay_unit="text")
    settings_change(campaign, lease_minutes=45)
    version = campaign.settings_versions.get(number=1)
    known = {name: value for name, value in version.settings.items() if name not in {"editor_pay", "partial_after"}}
    SettingsVersion.objects.filter(pk=version.pk).update(settings=known)

    shown = seen(staff_client(owner).get(f"/campaigns/{campaign.slug}/settings/history/"))

    newest = shown[shown.index("Version 2") : shown.index("Version 1")]
    assert "Minutes a text stays reserved 30 → 45 First recorded in this version" in newest
    assert "Pay of an editor not recorded → 0.25 GBP per text" in newest
    assert "Texts that earn partial pay not recorded → 0" in newest


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
    before = hidden_fields(opened)["opened"]
    settings_change(campaign, lease_minutes=45)

    answer = client.post(page, settings_of(campaign, lease_minutes=31, editor_tasks=33) | {"opened": before})

    assert answer.status_code == 409
    assert "someone changed these settings while you were editing (minutes a text stays" in seen(answer)
    assert Campaign.objects.get(pk=campaign.pk).lease_minutes == 45
    now = hidden_fields(answer)["opened"]
    again = client.post(page, settings_of(campaign, lease_minutes=45, editor_tasks=33) | {"opened": now})
    assert again.status_code == 302
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.lease_minutes, stored.editor_tasks) == (45, 33)


@pytest.mark.parametrize(
    ("theirs", "mine", "label"),
    [
        ({"description": "Theirs."}, {"name": "Mine"}, "description of the corpus"),
        ({"name": "Theirs"}, {"description": "Mine."}, "name"),
        ({"language": "de"}, {"licence": "cc0-1.0"}, "language of the texts"),
        ({"homepage": "https://theirs.example/"}, {"name": "Mine"}, "project website"),
    ],
)
def test_settings_without_versions_are_not_undone_either(
    theirs: dict[str, str], mine: dict[str, str], label: str
) -> None:
    campaign, client, _ = at_work()
    page = settings_page(campaign, *theirs)
    before = {"opened": hidden_fields(client.get(page))["opened"]}
    assert settings_send(client, campaign, before, **theirs).status_code == 302

    answer = settings_send(client, campaign, before, **mine)

    assert answer.status_code == 409
    assert f"someone changed these settings while you were editing ({label})" in seen(answer)
    stored = Campaign.objects.get(pk=campaign.pk)
    assert {name: getattr(stored, name) for name in theirs} == theirs
    assert {name: getattr(stored, name) for name in mine} == {name: getattr(campaign, name) for name in mine}
    again = {"opened": hidden_fields(answer)["opened"]}
    assert settings_send(client, campaign, again, **theirs, **mine).status_code == 302


@pytest.mark.parametrize("sent", [{"name": ""}, {"preview": "1"}, {"edit_again": "1"}])
def test_a_page_that_is_shown_again_still_knows_when_it_was_opened(sent: dict[str, str]) -> None:
    campaign, client, _ = at_work()
    page = settings_page(campaign, "name")
    before = {"opened": hidden_fields(client.get(page))["opened"]}
    settings_change(Campaign.objects.get(pk=campaign.pk), description="Theirs.")
    own = settings_of(campaign, name="Mine")

    shown = client.post(page, own | before | sent)

    assert hidden_fields(shown)["opened"] == before["opened"]
    assert client.post(page, own | before).status_code == 409
    assert Campaign.objects.get(pk=campaign.pk).description == "Theirs."


def test_a_confirmation_does_not_undo_what_others_saved_while_it_was_shown() -> None:
    campaign, client, _ = at_work(texts_go_on_erasure=False)
    own = settings_of(campaign, name="Mine", texts_go_on_erasure=True)
    page = settings_page(campaign, "name")
    asked = client.post(page, own | {"opened": hidden_fields(client.get(page))["opened"]})
    assert "Confirm the change" in readable(asked)
    settings_change(campaign, description="Theirs.")

    answer = client.post(page, hidden_fields(asked) | {"confirmed": "1"})

    assert answer.status_code == 409
    assert "someone changed these settings while you were editing (description of the corpus)" in seen(answer)
    assert Campaign.objects.get(pk=campaign.pk).description == "Theirs."


def test_what_others_change_on_another_tab_is_no_obstacle() -> None:
    campaign, client, page = at_work()
    before = hidden_fields(client.get(page))["opened"]
    settings_change(campaign, rater_tasks=44)
    answer = client.post(page, settings_of(campaign, editor_tasks=33) | {"opened": before})
    assert answer.status_code == 302
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.rater_tasks, stored.editor_tasks) == (44, 33)


def test_a_text_that_cannot_be_filled_in_comes_back_with_the_reason_beside_it() -> None:
    campaign, client, _ = at_work()
    answer = settings_send(client, campaign, editor_guidelines="Cut {procent}%.", sentence_examples="{minutes}")
    page = readable(answer)
    assert answer.status_code == 422
    assert "Cut {procent}%." in page
    assert page.count("There is no placeholder {procent}.") >= 2
    assert "{minutes} has no value yet: set “Minutes an editor needs” first" in page
    assert 'aria-invalid="true"' in page


def test_a_value_that_a_text_on_another_tab_needs_is_not_taken_away() -> None:
    campaign, client, _ = at_work(consent="{minutes} min", editor_minutes=5, rater_minutes=5)
    answer = settings_send(client, campaign, editor_minutes="")
    assert answer.status_code == 422
    assert "Consent text: {minutes} has no value yet" in readable(answer)


# The preview.


def test_a_text_is_shown_as_its_readers_see_it_and_nothing_is_stored() -> None:
    campaign, client, _ = at_work(keep_percent=80, editor_tasks=3, rater_tasks=4)
    page = f"/campaigns/{campaign.slug}/settings/preview/"
    guidelines = client.post(
        page, {"name": "editor_guidelines", "text": "# Rule\nCut **{percent}%**. <script>x</script>"}
    )
    consent = client.post(page, {"name": "consent", "text": "You {task}."}).content.decode()
    assert "<h3>Rule</h3>" in guidelines.content.decode()
    assert "Cut <strong>20%</strong>. &lt;script&gt;" in guidelines.content.decode()
    assert re.findall(r"<summary>What (\w+) read</summary>", consent) == ["editors", "raters", "experts"]
    assert "You shorten up to 3 short texts." in consent
    assert Campaign.objects.get(pk=campaign.pk).editor_guidelines == campaign.editor_guidelines
    assert version_numbers(campaign) == [1]


def test_a_preview_says_what_saving_would_refuse() -> None:
    campaign, client, _ = at_work()
    page = f"/campaigns/{campaign.slug}/settings/preview/"
    answer = client.post(page, {"name": "consent", "text": "{nonsense}"})
    assert answer.status_code == 200
    assert "There is no placeholder {nonsense}." in readable(answer)


@pytest.mark.parametrize(
    "sent",
    [
        {"name": "consent", "text": "x" * 20_001},
        {"name": "consent", "text": "x" * 80_000},
        {"name": "consent", "text": "[" * 501},
        {"name": "slug", "text": "x"},
        {"text": "x"},
        {},
    ],
)
def test_a_preview_of_anything_else_is_refused(sent: dict[str, str]) -> None:
    campaign, client, _ = at_work()
    assert client.post(f"/campaigns/{campaign.slug}/settings/preview/", sent).status_code == 422


def test_a_text_that_is_too_long_is_not_rendered() -> None:
    campaign, client, _ = at_work()
    long = "*x* " * 5_001
    for extra in ({}, {"preview": "1"}):
        page = readable(settings_send(client, campaign, extra, rater_guidelines=long))
        assert "<em>x</em>" not in page
        assert "This text is 20,003 characters long. Use 20,000 or fewer." in page


@pytest.mark.parametrize("text", ["x" * 20_001, "x" * 60_000, "[" * 501, "[a](b) " * 501])
def test_a_text_that_costs_too_much_is_not_saved_unless_it_was_stored_before(text: str) -> None:
    campaign, client, _ = at_work(editor_guidelines="Shorten.", sentence_examples="Long: short.")
    assert settings_send(client, campaign, rater_guidelines=text).status_code == 422

    stored = f"{text}\nOld."
    version = SettingsVersion.objects.filter(campaign=campaign)
    version.update(settings=version.get().settings | {"editor_guidelines": stored})
    Campaign.objects.filter(pk=campaign.pk).update(editor_guidelines=stored)
    campaign.editor_guidelines = stored.replace("\n", "\r\n")
    change = settings_of(campaign, sentence_examples="Longer: short.") | {"confirmed": "1"}
    assert client.post(settings_page(campaign, "sentence_examples"), change).status_code == 302
    assert settings_send(client, campaign, {"confirmed": "2"}, editor_guidelines=f"New. {text}").status_code == 422
    now = Campaign.objects.get(pk=campaign.pk)
    assert (now.editor_guidelines, now.sentence_examples) == (stored, "Longer: short.")


@pytest.mark.parametrize("unit", ["[", "![", "[a", "[](", "[x][", "[a\n", "[[]", "[a](<b"])
def test_a_text_within_the_bounds_is_rendered_in_few_steps(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    skipping = Mock(wraps=markdown_parser.inline.skipToken)
    monkeypatch.setattr(markdown_parser.inline, "skipToken", skipping)
    text = (unit * (MAX_BRACKETS // unit.count("["))).ljust(MAX_PROSE_LENGTH, "x")
    prose_validate(text)
    markdown(text)
    assert skipping.call_count < 100 * MAX_BRACKETS  # 400,000 without a bound


def test_without_scripts_a_button_shows_the_preview_and_saves_nothing() -> None:
    campaign, client, _ = at_work(keep_percent=80)
    answer = settings_send(client, campaign, {"preview": "1"}, editor_guidelines="Cut *{percent}%*.")
    assert answer.status_code == 200
    assert "Cut *{percent}%*." in readable(answer)
    assert "Cut <em>20%</em>." in readable(answer)
    assert version_numbers(campaign) == [1]


def test_the_confirmation_counts_work_under_all_versions_with_the_same_values() -> None:
    campaign, client, page = at_work(keep_percent=75)
    settings_change(campaign, lease_minutes=45)

    answer = client.post(page, settings_of(campaign, keep_percent=70))

    assert answer.status_code == 409
    assert "with these settings as they are: 1 participant consented · 1 compression · 0 ratings" in seen(answer)
