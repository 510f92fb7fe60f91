"""What raters are judged by: their deviation from the others, gold items, or the model of Dawid and Skene."""

from dataclasses import replace
from typing import Any

import pytest

from crowd.models import Assignment, Campaign, Enrolment, Stream
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityRun
from ratings.selectors.quality import decisions_of_run
from ratings.services.gold import gold_create
from ratings.services.quality import quality_apply
from ratings.tests.quality.test_preview import rows_of
from ratings.tests.quality.test_preview_form import SEVEN_AND_TWO
from ratings.tests.quality.test_quality import role_summary
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    golden_campaign,
    make_campaign,
    rate,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db

GOLD, DEVIATION, DAWID_SKENE = RaterQuality.GOLD, RaterQuality.DEVIATION, RaterQuality.DAWID_SKENE
A_THIRD = FilterParameters(share=0.4, min_items=5)
Points = tuple[int, int]
RIGHT, HALF, WRONG = (3, 3), (1, 3), (1, 1)


def campaign_with_gold(items: int = 5) -> Campaign:
    """Ten texts of one editor, and gold items whose right answers are 3 and 3."""
    campaign = make_campaign(
        sources=10, editors_per_source=1, editor_tasks=99, rater_tasks=99, raters_per_compression=9, gold_percent=50
    )
    edit_all(campaign, 1)
    for number in range(items):
        gold_create(campaign=campaign, example=replace(EXAMPLE, compression=f"Mill {number} burnt down."))
    return campaign


def judge_all(campaign: Campaign, name: str, *, gold: Points = RIGHT, text: Points = (2, 2)) -> Enrolment:
    """One rater who judges all texts alike, and all gold items alike."""
    rater = enrol(campaign, RATE, name)
    while task := assignment_claim(enrolment=rater):
        meaning, grammar = gold if is_gold(task) else text
        rate(rater, task, meaning=meaning, grammar=grammar)
    return rater


def is_gold(task: Assignment) -> bool:
    return task.item.stream == Stream.GOLD


def apply(campaign: Campaign, quality: RaterQuality, **changes: Any) -> QualityRun:
    return quality_apply(campaign=campaign, parameters=replace(A_THIRD, rater_quality=quality, **changes))


def reasons_of(run: QualityRun, work_round: str = RATE) -> dict[str, str]:
    decisions = run.decisions.filter(round=work_round).select_related("worker")
    return {each.worker.external_id: each.reason for each in decisions}


def left_out_by(run: QualityRun) -> set[str]:
    return set(run.decisions.filter(removed=True).values_list("worker__external_id", flat=True))


def quality_page(campaign: Campaign) -> str:
    reply = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/quality/")
    assert reply.status_code == 200
    return " ".join(readable(reply).split())


# Gold items


def test_who_errs_on_gold_items_is_left_out() -> None:
    campaign = campaign_with_gold()
    for name, points in (("ann", RIGHT), ("ben", HALF), ("cem", WRONG)):
        judge_all(campaign, name, gold=points)

    run = apply(campaign, GOLD)

    assert reasons_of(run) == {
        "ann": "kept",
        "ben": "kept",
        "cem": "accuracy 0.00 over 5 gold items is among the lowest 1 of 3",
    }
    assert dict(run.decisions.filter(round=RATE).values_list("worker__external_id", "quality")) == {
        "ann": 1.0,
        "ben": 0.5,
        "cem": 0.0,
    }


def test_gold_finds_a_careless_majority_that_deviation_takes_for_good() -> None:
    campaign = campaign_with_gold()
    judge_all(campaign, "careful", text=(3, 3))
    for name in ("ben", "cem"):
        judge_all(campaign, name, gold=WRONG, text=(1, 1))

    assert left_out_by(apply(campaign, DEVIATION)) == {"careful"}
    # Two are equally bad, and the one with the lower id goes.
    assert left_out_by(run := apply(campaign, GOLD)) == {"ben"}
    assert run.summary["raters"]["tie"] is True
    assert "The cutoff fell within a tie: fewer items, then the lower ID, decided." in quality_page(campaign)


def test_without_gold_answers_no_rater_is_judged() -> None:
    campaign = golden_campaign()

    run = apply(campaign, GOLD, share=0.5)

    assert set(reasons_of(run).values()) == {"not eligible: 0 gold items, 5 wanted"}
    assert left_out_by(run) == {"editor-2"}
    assert set(run.decisions.filter(round=RATE).values_list("quality", "items")) == {(None, 0)}
    assert "0 raters could be assessed." in quality_page(campaign)


@pytest.mark.parametrize(("wanted", "left_out"), [(4, {"cem"}), (5, set())])
def test_with_fewer_gold_items_than_wanted_nobody_is_left_out(wanted: int, left_out: set[str]) -> None:
    campaign = campaign_with_gold(items=4)
    for name, points in (("ann", RIGHT), ("ben", RIGHT), ("cem", WRONG)):
        judge_all(campaign, name, gold=points)

    run = apply(campaign, GOLD, min_items=wanted, roles=Roles.RATERS)

    assert left_out_by(run) == left_out
    if not left_out:
        assert reasons_of(run)["cem"] == "not eligible: 4 gold items, 5 wanted"


def test_who_met_too_few_gold_items_does_not_count_in_the_share() -> None:
    """Of two with enough gold items, four tenths are nobody."""
    campaign = campaign_with_gold()
    judge_all(campaign, "ann")
    judge_all(campaign, "ben", gold=HALF)
    late = enrol(campaign, RATE, "late")
    task = assignment_claim(enrolment=late)
    assert task is not None
    while is_gold(task):
        rate(late, task, meaning=1, grammar=1)
        task = assignment_claim(enrolment=late)
        assert task is not None
    rate(late, task, meaning=2, grammar=2)

    run = apply(campaign, GOLD, roles=Roles.RATERS)

    assert left_out_by(run) == set()
    assert run.summary["raters"]["eligible"] == 2


# The model of Dawid and Skene


@pytest.mark.parametrize("order", list(Order))
def test_who_does_not_see_what_others_see_is_left_out(order: Order) -> None:
    run = apply(golden_campaign(), DAWID_SKENE, order=order)

    reasons = reasons_of(run)
    grim = run.decisions.get(worker__external_id="grim")
    assert left_out_by(run) == {"grim"}
    assert grim.quality is not None
    assert reasons["grim"] == (
        f"Dawid-Skene accuracy {grim.quality:.2f} over {grim.items} texts is among the lowest 1 of 3"
    )
    assert {reasons["fair"], reasons["fair too"]} == {"kept"}
    assert set(run.decisions.filter(worker__external_id__startswith="fair").values_list("items", flat=True)) == {10}


@pytest.mark.parametrize("quality", [DEVIATION, DAWID_SKENE])
def test_scales_of_any_number_of_points_are_judged(quality: RaterQuality) -> None:
    scales = scales_dump(scales_from_text(SEVEN_AND_TWO))
    campaign = make_campaign(sources=6, scales=scales, editors_per_source=1, editor_tasks=9, rater_tasks=9)
    edit_all(campaign, 1)
    for name, is_contrary in (("ann", False), ("ben", False), ("cem", True)):
        rater = enrol(campaign, RATE, name)
        while task := assignment_claim(enrolment=rater):
            number = int(task.item.target.source.source_id)
            fluency, facts = (7 - number, 2 - number % 2) if is_contrary else (number, 1 + number % 2)
            rate(rater, task, fluency=fluency, facts=facts)

    run = apply(campaign, quality, roles=Roles.RATERS)

    assert left_out_by(run) == {"cem"}


# One role only


@pytest.mark.parametrize("quality", [DEVIATION, DAWID_SKENE])
def test_raters_only_keeps_every_editor(quality: RaterQuality) -> None:
    run = apply(golden_campaign(), quality, share=0.5, roles=Roles.RATERS)

    assert left_out_by(run) == {"grim"}
    assert set(reasons_of(run, EDIT).values()) == {"not judged by this rule"}
    assert run.summary["editors"] == role_summary(workers=2)
    assert (run.summary["texts_kept"], run.summary["ratings_kept"]) == (10, 20)


@pytest.mark.parametrize("quality", list(RaterQuality))
def test_editors_only_keeps_every_rater(quality: RaterQuality) -> None:
    run = apply(golden_campaign(), quality, share=0.5, roles=Roles.EDITORS)

    assert left_out_by(run) == {"editor-2"}
    assert set(reasons_of(run).values()) == {"not judged by this rule"}
    assert (run.summary["texts_kept"], run.summary["ratings_kept"]) == (5, 15)


# What the pages say


@pytest.mark.parametrize(
    ("quality", "heading", "column", "words"),
    [
        (DEVIATION, "Raters, highest deviation first", "Deviation", "deviation from the others"),
        (GOLD, "Raters, lowest accuracy first", "Accuracy", "accuracy on gold questions"),
        (
            DAWID_SKENE,
            "Raters, lowest Dawid-Skene accuracy first",
            "Dawid-Skene accuracy",
            "accuracy under the model of Dawid and Skene",
        ),
    ],
)
def test_the_worst_stand_first_below_a_heading_that_says_so(
    quality: RaterQuality, heading: str, column: str, words: str
) -> None:
    campaign = campaign_with_gold()
    for name, gold, text in (("ann", RIGHT, (2, 2)), ("ben", RIGHT, (2, 2)), ("cem", WRONG, (1, 3))):
        judge_all(campaign, name, gold=gold, text=text)
    run = apply(campaign, quality)

    page = quality_page(campaign)

    assert heading in page
    head = page.split('aria-label="Decisions about raters"')[1].split("</thead>")[0]
    assert f'<th scope="col" class="num">{column}</th>' in head
    rows = rows_of(page, "Decisions about raters")
    assert rows[0][5] == "excluded"
    assert [row[0] for row in rows] == [each.worker.public_name for each in decisions_of_run(run, RATE)]
    shown = [float(row[1]) for row in rows]
    assert shown == sorted(shown, reverse=quality == DEVIATION)
    assert f"Raters are assessed by their {words}." in page
