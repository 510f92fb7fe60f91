"""The dataset card says what was in force when people consented, wrote and rated, whatever the settings are today."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Compression
from corpus.release.options import ReleaseOptions
from corpus.services.building import release_build
from corpus.services.release import release_create
from corpus.tests.support.cards import card_of, collection_of, head_of, section, with_two_versions
from crowd.models import Enrolment, Round
from measures.quality_control.parameters import FilterParameters
from ratings.models import QualityRun, Rating
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from ratings.services.sittings import qualification_submit
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    rate_all,
    rate_next,
    silent,
    submit_text,
)
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db


def test_the_rule_and_the_texts_are_those_of_the_work_not_those_of_today() -> None:
    campaign = judged_campaign(keep_percent=75, editor_guidelines="Shorten.", rater_guidelines="Judge.")
    settings_change(campaign, keep_percent=20, editor_guidelines="NEW", rater_guidelines="NEW", consent="NEW")

    card = card_of(freeze(campaign))

    assert "Each compression has at most 75% of the characters of its source; the program enforced this." in card
    assert "NEW" not in card
    assert "version of the settings" not in card
    assert section(card, "What the editors were told") == "1 editor had read this before 2 compressions in this " + (
        "release: > Shorten."
    )
    assert section(card, "What the raters were told").endswith("> Judge.")
    assert section(card, "What people agreed to") == "3 people agreed to this: > Do you agree?"


def test_work_under_several_versions_is_told_version_by_version() -> None:
    release = freeze(with_two_versions())
    card = card_of(release)

    assert "6 compressions: at most 75%; 1 compression: at most 80%." in card
    assert section(card, "What the editors were told") == (
        "2 editors had read this before 6 compressions in this release: > Shorten. "
        "1 editor had read this before 1 compression in this release: > Shorten a bit."
    )
    assert section(card, "What the raters were told") == (
        "4 raters had read this before 14 ratings in this release: > Judge."
    )
    assert section(card, "What people agreed to") == (
        "4 people agreed to this: > Do you agree? 3 people agreed to this: > Do you agree to more?"
    )
    rows = re.findall(r"^\| (\d), from \d{4}-\d\d-\d\d \| (\d+) \| (\d+) \| 0 \| 0 \|$", card, re.MULTILINE)
    assert rows == [("1", "6", "12"), ("2", "1", "2")]
    assert [each["number"] for each in collection_of(release)["versions"]] == [1, 2]


def test_an_editor_who_read_the_guidelines_twice_counts_under_what_was_read_before_each_text() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1, raters_per_compression=1)
    submit_text(enrol(campaign, EDIT, "ann"), "The old bridge.")
    settings_change(campaign, editor_guidelines="Shorten a bit.")
    submit_text(enrol(campaign, EDIT, "ann"), "The new bridge.")
    rate_all(enrol(campaign, RATE))

    told = section(card_of(freeze(campaign)), "What the editors were told")

    assert told.count("1 editor had read this before 1 compression in this release:") == 2


def test_the_card_is_the_same_whenever_it_is_written() -> None:
    campaign = with_two_versions()
    release = release_create(campaign=campaign, options=ReleaseOptions())
    later = release_create(campaign=campaign, options=ReleaseOptions())
    release_build(release=release, progress=silent)
    settings_change(campaign, keep_percent=40, rater_guidelines="NEW", rater_tasks=50)
    submit_text(enrol(campaign, EDIT, "latest"), "Bridge.") if campaign.items.filter(open_slots__gt=0).exists() else 0
    release_build(release=later, progress=silent)

    assert collection_of(release) == collection_of(later)
    renamed = re.sub(r"(?m)version 1(?=[\n\"}])", "version 2", card_of(release)).replace("-v1", "-v2")
    assert renamed == card_of(later)


def test_work_from_before_versions_is_not_recorded() -> None:
    campaign = with_two_versions()
    nothing = {"settings_version": None, "guidelines_version": None}
    Compression.objects.filter(settings_version__number=1).update(**nothing)
    Rating.objects.filter(settings_version__number=1).update(**nothing)
    Enrolment.objects.filter(settings_version__number=1).update(**nothing)

    card = card_of(freeze(campaign))

    assert "1 compression: at most 80%; 6 compressions: not recorded." in card
    assert "What 2 editors had read before 6 compressions in this release: not recorded." in card
    assert "What 4 people agreed to: not recorded." in card
    assert "| none (not recorded) | 6 | 12 | 0 | 0 |" in card
    assert "The program showed no rater who had written a text" in card


def test_who_never_said_to_have_read_anything_is_counted_as_such() -> None:
    campaign = judged_campaign()
    Enrolment.objects.filter(round=EDIT).update(guidelines_version=None, guidelines_read_at=None)
    Compression.objects.update(guidelines_version=None)
    told = section(card_of(freeze(campaign)), "What the editors were told")
    assert told == "1 editor had not said that they had read anything before 2 compressions in this release."


def test_a_test_is_counted_where_it_was_passed_before_the_first_rating() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1, raters_per_compression=2)
    edit_all(campaign, 1)
    rate_next(enrol(campaign, RATE, "before there was a test"))
    (item,) = add_qualification(campaign)
    ann = enrol(campaign, RATE, "ann")
    qualification_submit(enrolment=ann, number=1, answers={item.pk: {"meaning": 3, "grammar": 3}})
    rate_all(ann)
    early = Enrolment.objects.get(worker__external_id="before there was a test")
    qualification_submit(enrolment=early, number=1, answers={item.pk: {"meaning": 3, "grammar": 3}})
    assert rate_all(early) == 1

    assert "1 of 2 raters had passed a test before their first rating." in card_of(freeze(campaign))


def test_editors_and_ratings_are_counted_in_the_release_not_in_the_settings() -> None:
    campaign = with_two_versions()
    settings_change(campaign, editors_per_source=9, raters_per_compression=9)
    card = card_of(freeze(campaign))
    assert "2 to 3 editors per source." in card
    assert "2 ratings per compression." in card
    assert not re.search(r"\b9\b", section(card, "How it was collected"))


def test_a_text_of_two_editors_counts_for_both_and_the_card_says_so() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3, raters_per_compression=1)
    for name, text in (("ann", "The old bridge."), ("ben", "The old bridge."), ("cat", "The bridge.")):
        submit_text(enrol(campaign, EDIT, name), text)
    rate_all(enrol(campaign, RATE))
    card = card_of(freeze(campaign))
    assert "1 source, 2 compressions, 2 ratings." in card
    assert "A text that several editors wrote counts once for each of them here: 3 compressions instead of 2." in card
    assert "3 editors had read this before 3 compressions in this release:" in card


def test_experts_are_told_apart() -> None:
    campaign = judged_campaign(sources=2)
    expert_sample_draw(campaign=campaign, size=2, seed=1, experts=1)
    rate_all(enrol(campaign, Round.EXPERT))
    release = freeze(campaign)
    assert section(card_of(release), "What the experts were told") == (
        "1 expert had read this before 2 ratings in this release: > Judge."
    )
    assert head_of(release)["annotations_creators"] == ["crowdsourced", "expert-generated"]


@given(cuts=st.lists(st.sampled_from(["edit", "rate", "rule", "guidelines"]), min_size=1, max_size=8))
def test_what_is_counted_by_version_adds_up_to_the_release(cuts: list[str]) -> None:
    """Whatever is done in whatever order: no compression and no rating is under two versions, or under none."""
    campaign = make_campaign(sources=3, editors_per_source=4, raters_per_compression=2, editor_tasks=9)
    for number, step in enumerate(["edit", "rate", *cuts, "rate"]):
        if step == "edit":
            submit_text(enrol(campaign, EDIT, f"editor {number}"), f"The old bridge number {number}.")
        elif step == "rate":
            rate_next(enrol(campaign, RATE, f"rater {number}"))
        elif step == "rule":
            settings_change(campaign, keep_percent=60 + number)
        else:
            settings_change(campaign, editor_guidelines=f"Guidelines {number}.", rater_guidelines=f"Or {number}.")
        campaign.refresh_from_db()
    release = freeze(campaign)
    collection, summary = collection_of(release), release.summary
    assert sum(row["ratings"] for row in collection["work"]) == summary["ratings"]
    assert sum(row["compressions"] for row in collection["work"]) == summary["compressions"]
    assert sum(row["work"] for row in collection["guidelines"]["editors"]) == summary["compressions"]
    assert sum(row["work"] for row in collection["guidelines"]["raters"]) == summary["ratings"]
    assert sum(number * count for number, count in collection["ratings_per_text"]) == summary["ratings"]


def test_the_card_says_of_how_many_texts_there_is_an_edit_log_and_what_the_rule_did_not_see() -> None:
    campaign = judged_campaign(sources=2)
    quality_apply(campaign=campaign, parameters=FilterParameters())
    campaign.items.filter(round=RATE).update(wanted=9, open_slots=7)
    rate_next(enrol(campaign, RATE, "late"))

    card = card_of(freeze(campaign))

    assert "`edit_logs.jsonl` has every change of 2 texts by an editor with its time" in card
    today = QualityRun.objects.get().created_at
    assert f"was applied on {today:%Y-%m-%d}." in card
    assert "It did not see 1 rating of this campaign that came later." in card


def test_the_card_says_what_people_read_with_its_numbers_filled_in() -> None:
    texts: dict[str, Any] = {"editor_guidelines": "Cut {percent}%.", "rater_guidelines": "All are {percent}% shorter."}
    campaign = make_campaign(sources=1, consent="You {task}.", editor_tasks=3, rater_tasks=4, **texts)
    submit_text(enrol(campaign, EDIT, "ann"), "The old bridge.")
    settings_change(campaign, keep_percent=60)
    submit_text(enrol(campaign, EDIT, "ben"), "The bridge.")
    rate_all(enrol(campaign, RATE))

    release = freeze(campaign)

    card = card_of(release)
    assert section(card, "What the editors were told") == (
        "1 editor had read this before 1 compression in this release: > Cut 25%. "
        "1 editor had read this before 1 compression in this release: > Cut 40%."
    )
    assert "> All are 40% shorter." in section(card, "What the raters were told")
    assert section(card, "What people agreed to") == (
        "2 people agreed to this: > You shorten up to 3 short texts. "
        "1 person agreed to this: > You rate up to 4 shortened texts."
    )
    collection = collection_of(release)
    assert [row["text"] for row in collection["guidelines"]["editors"]] == ["Cut 25%.", "Cut 40%."]
    assert collection["versions"][0]["settings"]["editor_guidelines"] == "Cut {percent}%."
