"""Make a release of what people wrote and judged with another annotation tool.

People are numbered in the order in which the export names them, so that nobody's account there is in a corpus.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.other_tools import ToolTable
from corpus.formats.rawdata_reader import Problem
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.release_import.faults import source_fault
from corpus.release_import.reading import ReadRelease
from corpus.release_import.stated import stated_name
from crowd.scales import DEFAULT_SCALES, NumberRange, Scale, imported_scale, plain_number
from measures.text.normalization import display_text
from measures.text.segmentation import sentence_count

COLUMNS = ("id", "source", "genre", "compression", "text", "system", "editor", "person")
# Nobody knows what the points were called there: that these are named so says nothing of the words.
USUAL_SCALES = tuple(imported_scale(each.key, NumberRange(1, len(each.points), 1)) for each in DEFAULT_SCALES)
_HASH_LETTERS = 16


class _Unusable(Exception):
    """Why a line of the table cannot be used."""


@dataclass
class _Text:
    """A text of a source: who wrote it, and its points by the raters who gave them, "?" for each who is unknown."""

    editors: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    points: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def ratings(self) -> tuple[ReleasedRating, ...]:
        return tuple(ReleasedRating(rater.rstrip("?"), points) for rater, points in self.points.items())


@dataclass(frozen=True)
class ToolMapping:
    """Under which names the table has what is wanted; what all lines have alike; and the scales that it has."""

    columns: Mapping[str, str]
    fill: Mapping[str, str]
    scales: Sequence[Scale]

    def __post_init__(self) -> None:
        wanted = {*COLUMNS, *(scale.key for scale in self.scales)}
        if unknown := sorted({*self.columns, *self.fill} - wanted):
            words = _("There is no use for %(name)s. What can be named: %(names)s.")
            raise Refused(words % {"name": repr(unknown[0]), "names": ", ".join(sorted(wanted))})

    def found_in(self, table: ToolTable) -> tuple[Scale, ...]:
        """Which of the scales the table has; all of them if it has none, and nobody rated anything."""
        names = {*self.fill, *(name for line in table.lines for name in line)}
        found = tuple(scale for scale in self.scales if self.columns.get(scale.key, scale.key) in names)
        return found or tuple(self.scales)

    def cell(self, line: Mapping[str, str], name: str) -> str:
        """What a line has for a name; a column that is named for something else is not taken for its own name."""
        own = "" if name in self.columns.values() else name
        return display_text(self.fill.get(name) or line.get(self.columns.get(name, own), ""))


class ToolRelease:
    """The sources of a table, with everything that its lines say of them."""

    def __init__(self, mapping: ToolMapping, scales: Sequence[Scale]) -> None:
        self.mapping, self.scales = mapping, scales
        self.sources: dict[str, ReleasedSource] = {}
        self.texts: dict[str, dict[str, _Text]] = {}
        self.people: dict[str, str] = {}

    def add(self, line: Mapping[str, str]) -> None:
        source_id, person = self._source(line), self._person(self.mapping.cell(line, "person"))
        texts = self.texts[source_id]
        if written := self.mapping.cell(line, "compression"):
            if not person:
                raise _Unusable(_("nothing says who wrote %(text)s") % {"text": repr(written[:40])})
            texts.setdefault(written, _Text()).editors.append(person)
        judged, points = self.mapping.cell(line, "text"), self._points(line)
        if judged:
            self._judge(texts, judged, line, person, points)
        elif points:
            raise _Unusable(_("it has points, and no text that they are of"))

    def _source(self, line: Mapping[str, str]) -> str:
        """Note the source of a line, and return its id: the tool's own if the item has none."""
        source_id, text = self.mapping.cell(line, "id") or line["item"], self.mapping.cell(line, "source")
        if not text:
            raise _Unusable(_("it has no source: name its column with --column source=COLUMN"))
        new = ReleasedSource(
            source_id, self.mapping.cell(line, "genre"), text, min(2, max(1, sentence_count(text))), "", source_id
        )
        if self.sources.setdefault(source_id, new).text != text:
            raise _Unusable(_("the source %(id)s has another text in a line above") % {"id": repr(source_id[:40])})
        self.texts.setdefault(source_id, {})
        return source_id

    def _person(self, name: str) -> str:
        return self.people.setdefault(name, str(len(self.people) + 1)) if name else ""

    def _points(self, line: Mapping[str, str]) -> dict[str, float]:
        points = dict[str, float]()
        for scale in self.scales:
            if cell := self.mapping.cell(line, scale.key):
                try:
                    points[scale.key] = number = plain_number(float(cell))
                except ValueError:
                    raise _Unusable(_("%(key)s is %(value)s, which is no number") % _shown(scale, cell)) from None
                if not scale.has(number):
                    raise _Unusable(_("%(key)s is %(value)s, which is no point of the scale") % _shown(scale, cell))
        if lacking := [scale.key for scale in self.scales if points and scale.key not in points]:
            raise _Unusable(_("it has no points on %(keys)s") % {"keys": ", ".join(lacking)})
        return points

    def _judge(
        self, texts: dict[str, _Text], text: str, line: Mapping[str, str], person: str, points: dict[str, float]
    ) -> None:
        system, editor = self.mapping.cell(line, "system"), self._person(self.mapping.cell(line, "editor"))
        if not system and not editor and text not in texts:
            words = _("nothing says who wrote %(text)s: --column or --fill with system=… or editor=… does")
            raise _Unusable(words % {"text": repr(text[:40])})
        judged = texts.setdefault(text, _Text())
        if system and system not in judged.systems:
            judged.systems.append(system)
        if editor and editor not in judged.editors:
            judged.editors.append(editor)
        rater = person or "?" * (len(judged.points) + 1)
        given = judged.points.setdefault(rater, {}) if points else {}
        if twice := sorted({*given} & {*points}):
            words = _("this person has judged the text on %(keys)s already: the first answer counts")
            raise _Unusable(words % {"keys": ", ".join(twice)})
        given.update(points)

    def released(self) -> list[ReleasedSource]:
        for source_id, source in self.sources.items():
            for text, found in self.texts[source_id].items():
                if found.editors:
                    source.texts.append(ReleasedText(text, tuple(found.editors), found.ratings))
                source.outputs += [ReleasedOutput(system, text, found.ratings) for system in found.systems]
        return list(self.sources.values())


def _shown(scale: Scale, cell: str) -> dict[str, str]:
    return {"key": scale.key, "value": repr(cell[:40])}


def tool_release_read(table: ToolTable, file_name: str, content: bytes, mapping: ToolMapping) -> ReadRelease:
    """Return what an export has, and a problem for each line of its table that could not be used."""
    if faults := sorted({*mapping.columns.values()} - {name for line in table.lines for name in line}):
        names = ", ".join(dict.fromkeys(name for line in table.lines for name in line))
        words = _("%(file)s has no column or question %(name)s. It has: %(names)s.")
        raise Refused(words % {"file": file_name, "name": repr(faults[0]), "names": names[:2000]})
    scales = mapping.found_in(table)
    made = ToolRelease(mapping, scales)
    name = f"{file_name}, SHA-256 {sha256(content).hexdigest()[:_HASH_LETTERS]}"
    read = ReadRelease(scales=scales, name=stated_name(name, "an export"))
    for number, line in enumerate(table.lines, start=2):  # below the line that names the columns
        try:
            made.add(line)
        except _Unusable as reason:
            read.problems.append(Problem(file_name, number, f"item {line['item'][:40]}: {reason}"))
    for source in made.released():
        if fault := source_fault(source, read.scales):
            read.problems.append(Problem(file_name, 0, f"source {source.source_id[:40]}: {fault}"))
        else:
            read.sources.append(source)
    return read
