"""A preview of the worker filter as tables for a terminal, and as rows for programs."""

from collections.abc import Iterator, Sequence

from common.console import Cell, Section
from crowd.models import Round
from measures.quality_control.parameters import FilterParameters
from ratings.selectors.preview import FilteredWorker, FilterPreview

COLUMNS = ("round", "participant", "texts", "quality", "standard_error", "gap", "excluded", "reason")
NUMBERS = frozenset({"Assessed", "Of", "Excluded", "Raters excluded", "Editors excluded", "Ratings kept", "Texts kept"})
OF_PEOPLE = frozenset({"Quality", "Standard error", "To the cut"})
ROLES = {Round.RATE: "rater", Round.EDIT: "editor"}


def preview_sections(preview: FilterPreview, parameters: FilterParameters, *, is_all: bool) -> list[Section]:
    """Return the counts, what other shares would do, and who would be excluded; with `is_all` everyone."""
    return [_counts(preview, parameters), _shares(preview), *_people(preview, is_all=is_all)]


def _counts(preview: FilterPreview, parameters: FilterParameters) -> Section:
    roles = (("Raters", preview.raters), ("Editors", preview.editors))
    rows: list[Sequence[Cell]] = [(name, role.cut.eligible, len(role.workers), role.removed) for name, role in roles]
    kept = (
        f"{preview.ratings_kept:,} of {preview.ratings:,} ratings and {preview.texts_kept:,} of {preview.texts:,} "
        "texts would be kept. Nothing has been changed."
    )
    heading = f"Who would be excluded: a share of {parameters.share:g} of those who can be assessed"
    return Section(heading, ("Role", "Assessed", "Of", "Excluded"), rows, [kept, *why_nobody(preview)], NUMBERS)


def why_nobody(preview: FilterPreview) -> list[str]:
    """Say why a preview without work or without anyone to exclude has nobody in it."""
    if not preview.texts:
        return ["Nobody has written a compression in this campaign yet, so there is nothing to assess."]
    if not preview.ratings:
        return ["No compression has a rating yet, so nobody can be assessed."]
    if not preview.raters.removed + preview.editors.removed:
        return ["Nobody would be excluded: the share of those who can be assessed is less than one participant."]
    return []


def _shares(preview: FilterPreview) -> Section:
    rows: list[Sequence[Cell]] = [
        (f"{each.share:g}", each.n_removed_raters, each.n_removed_editors, each.ratings_kept, each.texts_kept)
        for each in preview.shares
    ]
    columns = ("Share", "Raters excluded", "Editors excluded", "Ratings kept", "Texts kept")
    return Section("What other shares would do", columns, rows, (), NUMBERS)


def _people(preview: FilterPreview, *, is_all: bool) -> Iterator[Section]:
    for name, role in (("Raters", preview.raters), ("Editors", preview.editors)):
        rows = [_person(each, is_all=is_all) for each in role.workers if is_all or each.removed]
        who = f"{name}, worst first" if is_all else f"{name} who would be excluded"
        kept = ("Excluded",) if is_all else ()
        columns = ("Participant", *kept, "Quality", "Standard error", "To the cut", "Why")
        yield Section(who, columns, rows, role.notes if rows else ["None.", *role.notes], OF_PEOPLE)


def _person(each: FilteredWorker, *, is_all: bool) -> Sequence[Cell]:
    kept = ["yes" if each.removed else "no"] if is_all else []
    gap = None if each.gap is None else f"{each.gap:+.3f}"
    return [each.worker.public_name, *kept, each.quality, each.standard_error, gap, each.reason]


def preview_rows(preview: FilterPreview) -> list[dict[str, object]]:
    """Return a row for each participant, worst first, raters before editors."""
    return [
        {
            "round": role.round.value,
            "participant": each.worker.public_name,
            "texts": each.items,
            "quality": each.quality,
            "standard_error": each.standard_error,
            "gap": each.gap,
            "excluded": each.removed,
            "reason": each.reason,
        }
        for role in (preview.raters, preview.editors)
        for each in role.workers
    ]
