"""How sure the filter is, and whom it cannot assess: on pages, in tables and by commands."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from crowd.models import Campaign, Round, Worker
from measures.quality_control import filter_input
from measures.quality_control.dawid_skene import dawid_skene_accuracy
from measures.quality_control.measured_quality import Convergence
from measures.quality_control.parameters import FilterParameters, RaterQuality, Roles
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES
from ratings.models import QualityDecision
from ratings.quality_notes import Unassessed, convergence_note, unassessed_note
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from ratings.tests.quality.test_preview import preview_page, query_of, rows_of, section_of, staff_of
from tests.support.factories import EDIT, RATE, golden_campaign, judged_campaign, make_campaign, readable

pytestmark = pytest.mark.django_db

HALF = FilterParameters(share=0.5)
DAWID_SKENE = FilterParameters(share=0.25, rater_quality=RaterQuality.DAWID_SKENE)
UNSETTLED = "The model of Dawid and Skene has not settled: in its last step, number 2, an accuracy still changed by"


def quality_page(campaign: Campaign) -> str:
    return readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/quality/"))


# Standard errors and gaps


def test_beside_each_quality_stand_its_error_and_its_distance_from_the_cut() -> None:
    """Of ten texts grim is 2 points from the others on five and 1 on five; the others are 1 and 0.5 off."""
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=HALF)

    for page, label in (
        (quality_page(campaign), "Decisions about raters"),
        (preview_page(campaign, share=25), "Raters, worst first"),
    ):
        shown = [row[1:3] for row in rows_of(page, label)]
        assert shown == [["1.500", "0.167"], ["0.750", "0.083"], ["0.750", "0.083"]]
    rows = rows_of(quality_page(campaign), "Decisions about raters")
    assert [row[3] for row in rows] == ["−0.375 (−2.2 SE)", "+0.375 (+4.5 SE)", "+0.375 (+4.5 SE)"]
    # All texts of an editor are alike here: no distance in errors of nothing.
    assert [row[1:4] for row in rows_of(quality_page(campaign), "Decisions about editors")] == [
        ["2.000", "0.000", "−0.500"],
        ["3.000", "0.000", "+0.500"],
    ]
    assert "The cutoff is at 1.125, halfway between the last one excluded and the first one kept." in quality_page(
        campaign
    )


def test_over_one_item_the_error_is_unknown_and_not_nothing() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 3), (1, 2)))

    page = preview_page(campaign, min_items=1)

    assert [row[1:5] for row in rows_of(page, "Editors, worst first")] == [["2.250", "–", "–", "1"]]
    assert {row[2] for row in rows_of(page, "Raters, worst first")} == {"–"}
    assert "There is no cutoff" in section_of(page, EDIT)


def test_of_a_role_that_is_not_judged_no_cut_is_told() -> None:
    page = preview_page(golden_campaign(), roles=Roles.RATERS)

    assert "cut" not in section_of(page, EDIT).split("<table>")[0]
    assert "does not assess editors" in section_of(page, EDIT)


def test_the_page_of_a_person_tells_it_too() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=HALF)
    grim = Worker.objects.get(campaign=campaign, external_id="grim")

    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/people/{grim.number}/"))

    assert rows_of(page, "What rules decided")[0][2:5] == ["1.500", "0.167", "−0.375"]


@pytest.mark.parametrize(
    "wrong", [{"standard_error": -0.1}, {"standard_error": 0.1, "quality": None}, {"gap": 0.1, "quality": None}]
)
def test_the_database_holds_no_error_below_nothing_or_of_nothing(wrong: dict[str, Any]) -> None:
    run = quality_apply(campaign=golden_campaign(), parameters=FilterParameters())
    decision = QualityDecision.objects.filter(run=run).update

    with pytest.raises(IntegrityError), transaction.atomic():
        decision(**{"quality": 1.0, "standard_error": None, "gap": None} | wrong)


# Who is not assessed


def unassessed(people: int, of: int, work: int, of_work: int) -> Unassessed:
    return Unassessed(people, of, work, of_work)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            unassessed(24, 40, 61, 190),
            "Not assessed: 24 of 40 editors. An editor needs at least 5 rated compressions. "
            "Those not assessed wrote 61 of 190 compressions (32%).",
        ),
        (
            unassessed(1, 1, 1, 1),
            "Not assessed: 1 of 1 editor. An editor needs at least 5 rated compressions. "
            "Those not assessed wrote 1 of 1 compression (100%).",
        ),
        (unassessed(0, 40, 0, 190), "No editor has too few rated compressions to be assessed."),
        (unassessed(0, 0, 0, 0), "No editor has too few rated compressions to be assessed."),
    ],
)
def test_the_sentence_fits_its_numbers(found: Unassessed, said: str) -> None:
    assert unassessed_note(found, Round.EDIT, EDITOR_MEASURE, 5) == said


@pytest.mark.parametrize(
    ("quality", "min_items", "said"),
    [
        (RaterQuality.DEVIATION, 5, "at least 5 ratings of texts that others rated, too."),
        (RaterQuality.GOLD, 1, "at least 1 gold question."),
        (RaterQuality.DAWID_SKENE, 2, "at least 2 rated texts."),
    ],
)
def test_raters_lack_what_their_quality_needs(quality: RaterQuality, min_items: int, said: str) -> None:
    note = unassessed_note(unassessed(2, 3, 0, 0), Round.RATE, RATER_MEASURES[quality], min_items)

    assert note == f"Not assessed: 2 of 3 raters. A rater needs {said}"


def test_the_preview_tells_how_many_are_not_assessed_and_what_they_did() -> None:
    """Each of two editors wrote five."""
    campaign = golden_campaign()
    sentence = (
        "Not assessed: 2 of 2 editors. An editor needs at least 6 rated compressions. "
        "Those not assessed wrote 10 of 10 compressions (100%)."
    )

    page = preview_page(campaign, min_items=6)
    quality_apply(campaign=campaign, parameters=FilterParameters(min_items=6))

    assert sentence in section_of(page, EDIT)
    assert "No rater has too few ratings to be assessed." in section_of(page, RATE)
    assert sentence in quality_page(campaign)


def test_who_is_decided_by_hand_lacks_nothing() -> None:
    campaign = golden_campaign()
    person = Worker.objects.get(campaign=campaign, external_id="editor-2")
    person_exclude(worker=person, work_round=EDIT, note="a friend of ours", user=None)

    page = preview_page(campaign, min_items=6)

    assert (
        "Not assessed: 1 of 2 editors. An editor needs at least 6 rated compressions. "
        "Those not assessed wrote 5 of 10 compressions (50%)."
    ) in section_of(page, EDIT)


# A model that has not settled


@pytest.fixture
def two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def hurried(*given: Any, **named: Any) -> Any:
        return dawid_skene_accuracy(*given, **named, iterations=2)

    monkeypatch.setattr(filter_input, "dawid_skene_accuracy", hurried)


may_warn = pytest.mark.filterwarnings("ignore::measures.quality_control.dawid_skene.ConvergenceWarning")


@may_warn
@pytest.mark.usefixtures("two_steps")
def test_pages_and_commands_say_that_the_model_has_not_settled(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = golden_campaign()

    assert UNSETTLED in section_of(preview_page(campaign, **query_of(DAWID_SKENE)), RATE)
    call_command("apply_quality", campaign.slug, "--dry-run", "--rater-quality=dawid-skene")
    assert UNSETTLED in capsys.readouterr().out
    call_command("apply_quality", campaign.slug, "--rater-quality=dawid-skene")
    assert UNSETTLED in capsys.readouterr().out
    assert UNSETTLED in quality_page(campaign)


def test_of_a_settled_model_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = golden_campaign()

    call_command("apply_quality", campaign.slug, "--rater-quality=dawid-skene")

    assert "settled" not in capsys.readouterr().out + quality_page(campaign)


def test_the_scale_that_moves_most_is_told() -> None:
    ends = [
        Convergence(True, 20, 1e-9, 1e-7),
        Convergence(False, 5000, 0.00012, 1e-7),
        Convergence(False, 9, 1e-6, 1e-7),
    ]

    assert "number 5,000, an accuracy still changed by 0.0001, and at most 1e-07 is" in convergence_note(ends)
    assert convergence_note(ends[:1]) == convergence_note([]) == ""


def test_a_campaign_without_work_leaves_nobody_unassessed() -> None:
    page = preview_page(make_campaign())

    assert "Nobody yet." in section_of(page, EDIT)
