"""What pages and commands say about the limits of the worker filter: who is not assessed, and what has not settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crowd.models import Round
from measures.quality_control.measured_quality import Convergence
from measures.quality_control.parameters import FilterParameters, RaterQuality
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure

PEOPLE = {Round.EDIT: ("editor", "editors"), Round.RATE: ("rater", "raters")}
WORK = {Round.EDIT: ("wrote", "compression", "compressions"), Round.RATE: ("gave", "rating", "ratings")}
NEEDED = {
    EDITOR_MEASURE: ("rated compression", "rated compressions"),
    RATER_MEASURES[RaterQuality.DEVIATION]: (
        "rating of a text that others rated, too",
        "ratings of texts that others rated, too",
    ),
    RATER_MEASURES[RaterQuality.GOLD]: ("gold item", "gold items"),
    RATER_MEASURES[RaterQuality.DAWID_SKENE]: ("rated text", "rated texts"),
}


@dataclass(frozen=True)
class Unassessed:
    """How many people of a role have too few items to be assessed, and how much of the work of all is theirs."""

    people: int
    all_people: int
    work: int
    all_work: int


def role_notes(
    work_round: Round, parameters: FilterParameters, unassessed: Unassessed, convergence: Sequence[Convergence]
) -> list[str]:
    """Return what there is to say of a role beside its figures; nothing of one that is not filtered."""
    if not (parameters.judges_raters if work_round == Round.RATE else parameters.judges_editors):
        return []
    if work_round == Round.EDIT:
        return [unassessed_note(unassessed, work_round, EDITOR_MEASURE, parameters.min_items)]
    measure = RATER_MEASURES[parameters.rater_quality]
    notes = [unassessed_note(unassessed, work_round, measure, parameters.min_items), convergence_note(convergence)]
    return [note for note in notes if note]


def notes_of_run(summary: Mapping[str, Any], work_round: Round, parameters: FilterParameters) -> list[str]:
    """Return the notes of a role from the summary of a run; nothing for early runs, which do not tell."""
    role, all_work = (
        (summary["raters"], summary["ratings"]) if work_round == Round.RATE else (summary["editors"], summary["texts"])
    )
    if "unassessed" not in role:
        return []
    unassessed = Unassessed(role["unassessed"], role["workers"], role["unassessed_work"], all_work)
    return role_notes(work_round, parameters, unassessed, convergence_of(summary))


def convergence_of(summary: Mapping[str, Any]) -> list[Convergence]:
    """Return how the estimates of a run's raters ended; nothing for early runs, and where nothing is iterated."""
    return [Convergence(**each) for each in summary["raters"].get("convergence", [])]


def unassessed_note(found: Unassessed, work_round: Round, measure: Measure, min_items: int) -> str:
    """Say who is not assessed for lack of items; for a role that is filtered."""
    if not found.people:
        return f"No {PEOPLE[work_round][0]} goes unassessed for lack of items."
    verb, *work = WORK[work_round]
    share = f" ({100 * found.work / found.all_work:.0f}%)" if found.all_work else ""
    return (
        f"{found.people:,} of {_counted(found.all_people, *PEOPLE[work_round])} "
        f"{'has' if found.people == 1 else 'have'} fewer than {_counted(min_items, *NEEDED[measure])}, "
        f"so the rule does not assess {'this person' if found.people == 1 else 'them'}. "
        f"They {verb} {found.work:,} of {_counted(found.all_work, *work)}{share}."
    )


def convergence_note(convergence: Sequence[Convergence]) -> str:
    """Say that an estimate has not settled; nothing if all have, or there are none."""
    moving = [each for each in convergence if not each.converged]
    if not moving:
        return ""
    worst = max(moving, key=lambda each: each.last_change)
    return (
        f"The model of Dawid and Skene has not settled: in its last step, number {worst.steps:,}, an accuracy still "
        f"changed by {worst.last_change:.1g}, and at most {worst.tolerance:.1g} is wanted. "
        "The accuracies of the raters may still be far from their final values."
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
