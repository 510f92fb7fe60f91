"""What pages and commands say about the limits of the worker filter: who is not assessed, and what has not settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from crowd.models import Round
from measures.quality_control.measured_quality import Convergence
from measures.quality_control.parameters import FilterParameters, RaterQuality
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure


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
        return str(_ALL_ASSESSED[work_round])
    who = _editors_words(found) if work_round == Round.EDIT else _raters_words(found)
    return " ".join([who, _needed_words(measure, min_items), *_work_words(found, work_round)])


_ALL_ASSESSED = {
    Round.EDIT: gettext_lazy("No editor has too few rated compressions to be assessed."),
    Round.RATE: gettext_lazy("No rater has too few ratings to be assessed."),
}


def _editors_words(found: Unassessed) -> str:
    words = ngettext(
        "Not assessed: %(n)s of %(all)s editor.", "Not assessed: %(n)s of %(all)s editors.", found.all_people
    )
    return words % {"n": f"{found.people:,}", "all": f"{found.all_people:,}"}


def _raters_words(found: Unassessed) -> str:
    words = ngettext(
        "Not assessed: %(n)s of %(all)s rater.", "Not assessed: %(n)s of %(all)s raters.", found.all_people
    )
    return words % {"n": f"{found.people:,}", "all": f"{found.all_people:,}"}


def _needed_words(measure: Measure, number: int) -> str:
    """Say how much of what a measure needs of each person."""
    if measure == EDITOR_MEASURE:
        words = ngettext(
            "An editor needs at least %(n)s rated compression.",
            "An editor needs at least %(n)s rated compressions.",
            number,
        )
    elif measure == RATER_MEASURES[RaterQuality.DEVIATION]:
        words = ngettext(
            "A rater needs at least %(n)s rating of a text that others rated, too.",
            "A rater needs at least %(n)s ratings of texts that others rated, too.",
            number,
        )
    elif measure == RATER_MEASURES[RaterQuality.GOLD]:
        words = ngettext(
            "A rater needs at least %(n)s gold question.", "A rater needs at least %(n)s gold questions.", number
        )
    else:
        words = ngettext(
            "A rater needs at least %(n)s rated text.", "A rater needs at least %(n)s rated texts.", number
        )
    return words % {"n": f"{number:,}"}


def _work_words(found: Unassessed, work_round: Round) -> list[str]:
    """Say how much of the work is by those who are not assessed; nothing where there is no work."""
    if not found.all_work:
        return []
    if work_round == Round.EDIT:
        words = ngettext(
            "Those not assessed wrote %(n)s of %(all)s compression (%(percent)s%%).",
            "Those not assessed wrote %(n)s of %(all)s compressions (%(percent)s%%).",
            found.all_work,
        )
    else:
        words = ngettext(
            "Those not assessed gave %(n)s of %(all)s rating (%(percent)s%%).",
            "Those not assessed gave %(n)s of %(all)s ratings (%(percent)s%%).",
            found.all_work,
        )
    percent = f"{100 * found.work / found.all_work:.0f}"
    return [words % {"n": f"{found.work:,}", "all": f"{found.all_work:,}", "percent": percent}]


def convergence_note(convergence: Sequence[Convergence]) -> str:
    """Say that an estimate has not settled; nothing if all have, or there are none."""
    moving = [each for each in convergence if not each.converged]
    if not moving:
        return ""
    worst = max(moving, key=lambda each: each.last_change)
    return _(
        "The model of Dawid and Skene has not settled: in its last step, number %(step)s, an accuracy still changed by "
        "%(change)s, and at most %(wanted)s is wanted. The accuracies of the raters may still be far from their final "
        "values."
    ) % {"step": f"{worst.steps:,}", "change": f"{worst.last_change:.1g}", "wanted": f"{worst.tolerance:.1g}"}
