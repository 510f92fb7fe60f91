"""Count what a platform says of a campaign's participants, so that nobody can be known by it.

A group of fewer than five people has no number. Where this would hide one group alone, the next smaller one has none
either: else the first would follow from the sum. Nothing of the file is kept.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.readers import BadLine, read_rows
from crowd.models import Campaign, Worker
from crowd.selectors.members import workers_of_tests

LEAST = 5  # people of a group that has a number
DECADE = 10
_AGE = re.compile(r"[0-9]{1,3}")
_HIDDEN = ("", "data_expired", "consent_revoked")  # what the platform writes where it says nothing


@dataclass(frozen=True)
class Groups:
    """A column's groups with their people, the largest first; how many people are in groups that are not shown."""

    column: str
    shown: dict[str, int]
    hidden: int

    def __str__(self) -> str:
        parts = [f"{name} {people}" for name, people in self.shown.items()]
        if self.hidden:
            parts.append(_("in groups of fewer than %(n)s, or hidden with them, %(people)s") % self._hidden())
        return f"{self.column}: {', '.join(parts)}."

    def _hidden(self) -> dict[str, int]:
        return {"n": LEAST, "people": self.hidden}


@dataclass(frozen=True)
class Described:
    """Of the people who did something in a campaign, those whom the file knows, and their groups by column."""

    people: int
    known: int
    columns: list[Groups]

    def __str__(self) -> str:
        words = _("The platform says of %(known)s of %(people)s people who wrote or rated:")
        return " ".join([words % {"known": self.known, "people": self.people}, *map(str, self.columns)])


def people_described(
    campaign: Campaign, file_name: str, content: bytes, *, id_column: str, columns: Sequence[str]
) -> Described:
    """Count the groups of the columns of a file with a line for each person. Raise Refused for a file without them."""
    names = [name.strip().lower() for name in (id_column, *columns)]
    ids = _ids(campaign)
    rows = {row[0]: row[1:] for row in _rows(file_name, content, names) if row[0] in ids}
    if not rows:
        words = _("%(file)s: nobody who wrote or rated in %(campaign)s is in the column %(name)s.")
        raise Refused(words % {"file": file_name, "campaign": campaign.slug, "name": repr(id_column)})
    if len(rows) < LEAST:
        words = _("Fewer than %(n)s people are in the file: whatever was said of them could be said of one.")
        raise Refused(words % {"n": LEAST})
    groups = [_groups(column, [values[place] for values in rows.values()]) for place, column in enumerate(columns)]
    return Described(len(ids), len(rows), groups)


def _ids(campaign: Campaign) -> set[str]:
    """The platform's ids of those who submitted something that counts."""
    worked = Worker.objects.filter(campaign=campaign, assignments__submitted_at__isnull=False)
    return set(worked.exclude(pk__in=workers_of_tests(campaign)).values_list("external_id", flat=True)) - {""}


def _rows(file_name: str, content: bytes, names: Sequence[str]) -> Iterator[list[str]]:
    for row in read_rows(file_name, content, names, ()):
        if isinstance(row, BadLine):
            words = _("%(file)s, line %(line)s: %(reason)s")
            raise Refused(words % {"file": file_name, "line": row.line, "reason": row.reason})
        yield [row.fields[name].strip() for name in names]


def _groups(column: str, values: Sequence[str]) -> Groups:
    counted = Counter(_group(value) for value in values)
    kept = {name: people for name, people in counted.most_common() if people >= LEAST}
    if len(counted) - len(kept) == 1 and kept:
        kept.popitem()
    return Groups(column, kept, len(values) - sum(kept.values()))


def _group(value: str) -> str:
    """The value itself, of an age its ten years; the same word for all that says nothing."""
    if value.lower() in _HIDDEN:
        return _("not said")
    if _AGE.fullmatch(value):
        first = int(value) // DECADE * DECADE
        return f"{first} to {first + DECADE - 1}"
    return value
