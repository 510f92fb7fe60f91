"""What the texts of a report can be narrowed to, as far as they differ."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from compressions.genres import genre_label
from edit_operations.sections.base import Row
from edit_operations.sections.shares import COMPRESSIONS


@dataclass(frozen=True)
class TextChoices:
    """The genres, splits, numbers of sentences, editors and systems of a report."""

    genres: list[str] = field(default_factory=list)
    splits: list[str] = field(default_factory=list)
    source_sentences: list[str] = field(default_factory=list)
    editors: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)


def text_choices(rows: Iterable[Row]) -> TextChoices:
    """Return the parts that a report has rows for."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        if row["table"] == COMPRESSIONS:
            groups.setdefault(row.get("part") or "", []).append(row.get("group") or "")
    kept = {part: list(dict.fromkeys(names)) for part, names in groups.items()}
    return TextChoices(
        [genre_label(genre) for genre in kept.get("genre", [])],
        kept.get("split", []),
        kept.get("sentences", []),
        kept.get("editor", []),
        kept.get("system", []),
    )
