"""Check the rows of an imported file: which become sources, and why the others cannot."""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from common.errors import Refused
from compressions.readers import BadLine, Row, text_fault
from crowd.models import Campaign
from crowd.models.setting_words import WORDS
from measures.text.normalization import display_text, forbidden_character, length
from measures.text.segmentation import has_word_spaces, sentence_count, word_count

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._:-]*")
_LINE_OR_TAB = re.compile(r"[\t\r\n\v\f\x85\u2028\u2029]")
_LINE_BREAK = re.compile(r"\r\n?|\n")
_SEPARATOR = re.compile(r"\|{3,}")
MAX_TEXT = 5_000
MAX_ID_LENGTH = 100
MAX_GENRE_LENGTH = 100


@dataclass(frozen=True)
class UsableRow:
    """A row that becomes a source."""

    line: int
    source_id: str
    genre: str
    text: str
    sentences: int
    paragraph_id: str
    nuggets: str = ""


@dataclass(frozen=True)
class KnownSource:
    """An existing source: its text, the id of its paragraph or an empty string, and its nuggets."""

    text: str
    paragraph_id: str
    nuggets: str = ""


@dataclass
class CheckedRows:
    """What became of the rows; `taken` of the usable ones turned out to be problems when they were to be written.

    `repeated` say what a row further up says, as in files that have a line for each rating of an output.
    """

    usable: list[UsableRow] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    taken: int = 0
    repeated: int = 0


class _UnusableRow(Exception):
    """Why a row cannot be used."""


def check_rows(
    rows: Iterable[Row | BadLine],
    campaign: Campaign,
    existing: Mapping[str, KnownSource],
    on_checked: Callable[[int], None],
) -> CheckedRows:
    """Split rows into usable ones and problems; `existing` maps the campaign's source ids to its sources."""
    checked = CheckedRows()
    readable: list[Row] = []
    for row in rows:
        if isinstance(row, BadLine):
            checked.problems.append((row.line, row.reason))
        else:
            readable.append(row)
    paragraph_ids = {row.fields.get("paragraph", "").strip() for row in readable}
    seen: dict[str, UsableRow] = {}
    for number, row in enumerate(readable, start=1):
        on_checked(number)
        try:
            usable = _usable(row, campaign, paragraph_ids, checked.warnings)
            first = seen.get(usable.source_id)
            if first is not None and replace(usable, line=first.line) == first:
                checked.repeated += 1
                continue
            _refuse_known(usable, seen, existing)
        except _UnusableRow as reason:
            checked.problems.append((row.line, str(reason)))
        else:
            seen[usable.source_id] = usable
            checked.usable.append(usable)
    checked.usable = _without_invalid_paragraphs(checked, existing)
    checked.problems.sort()
    checked.warnings.sort()
    return checked


def check_again(rows: Iterable[UsableRow], existing: Mapping[str, KnownSource]) -> CheckedRows:
    """Check usable rows against the sources that there are by now, without reading any text again."""
    checked = CheckedRows()
    for row in rows:
        try:
            _refuse_known(row, (), existing)
        except _UnusableRow as reason:
            checked.problems.append((row.line, str(reason)))
        else:
            checked.usable.append(row)
    checked.usable = _without_invalid_paragraphs(checked, existing)
    return checked


def paragraphs_first(rows: Sequence[UsableRow]) -> list[UsableRow]:
    """Return the rows in their order, but each paragraph before its sentences: nobody may be given a sentence of it
    before it is known whose it is."""
    by_id = {row.source_id: row for row in rows}
    ordered: dict[str, UsableRow] = {}
    for row in rows:
        if paragraph := by_id.get(row.paragraph_id):
            ordered.setdefault(paragraph.source_id, paragraph)
        ordered.setdefault(row.source_id, row)
    return list(ordered.values())


def is_source_id(text: str) -> bool:
    """Whether a text is a valid source id."""
    return len(text) <= MAX_ID_LENGTH and _ID.fullmatch(text) is not None


def text_check(text: str, *, sentences: int, campaign: Campaign) -> str:
    """Return a text as a row of a file would bring it in, or raise Refused."""
    row = Row(1, {"id": "text", "text": text, "sentences": str(sentences)})
    try:
        return _usable(row, campaign, set(), []).text
    except _UnusableRow as reason:
        said = str(reason)
        raise Refused(f"{said[:1].upper()}{said[1:]}.") from reason


def _usable(row: Row, campaign: Campaign, paragraph_ids: set[str], warnings: list[tuple[int, str]]) -> UsableRow:
    source_id = row.fields["id"].strip()
    if not is_source_id(source_id):
        raise _UnusableRow(f"id {source_id[:40]!r} is empty or has characters other than letters, digits, . _ : -")
    text = _clean("text", row, warnings)
    genre = _clean("genre", row, warnings)
    if not text:
        raise _UnusableRow("the text is empty")
    if len(text) > MAX_TEXT:
        raise _UnusableRow(f"the text has {len(text)} characters, at most {MAX_TEXT} allowed")
    if len(genre) > MAX_GENRE_LENGTH:
        raise _UnusableRow(f"the genre is longer than {MAX_GENRE_LENGTH} characters")
    sentences = _sentences(row, text, warnings, is_paragraph=source_id in paragraph_ids)
    if campaign.fuses and (found := sentence_count(text)) != 2:
        raise _UnusableRow(f"one sentence is to be made of two, and the text has {found}")
    _refuse_short(text, sentences, campaign)
    paragraph_id = row.fields.get("paragraph", "").strip()
    if paragraph_id == source_id:
        raise _UnusableRow("the text names itself as its paragraph")
    return UsableRow(row.line, source_id, genre, text, sentences, paragraph_id, _nuggets(row, warnings))


def _nuggets(row: Row, warnings: list[tuple[int, str]]) -> str:
    """Return the nuggets, each cleaned as a text is."""
    given = _listed(row.fields.get("nuggets", ""))
    nuggets = "\n".join(filter(None, (_clean("nuggets", row, warnings, each) for each in given)))
    if len(nuggets) > MAX_TEXT:
        raise _UnusableRow(f"the nuggets have {len(nuggets)} characters, at most {MAX_TEXT} allowed")
    return nuggets


def _listed(cell: str) -> list[str]:
    """Return the lines of a cell, or the strings of a list in JSON, as which exports of other tools write it."""
    if cell.startswith("["):
        with suppress(ValueError, RecursionError):
            found = json.loads(cell)
            if all(isinstance(each, str) for each in found):
                return list(found)
    return _LINE_BREAK.split(cell)


def _clean(name: str, row: Row, warnings: list[tuple[int, str]], raw: str | None = None) -> str:
    """Return a field fit for a cell of a release, replacing and reporting characters that would break its lines."""
    raw = row.fields.get(name, "") if raw is None else raw
    if reason := text_fault(raw):
        raise _UnusableRow(f"{name}: {reason}")
    if raw.isprintable() and "|||" not in raw:  # which a tab, a line break and what is forbidden are not
        return display_text(raw)
    replaced = _LINE_OR_TAB.sub(" ", raw)
    if replaced.strip() != raw.strip():
        warnings.append((row.line, f"{name}: a tab or line break was replaced by a space"))
    if forbidden := forbidden_character(replaced):
        position, character = forbidden
        raise _UnusableRow(f"{name}: {character} at character {position + 1}")
    if _SEPARATOR.search(replaced):
        replaced = _SEPARATOR.sub(lambda bars: " ".join(bars.group()), replaced)
        warnings.append((row.line, f"{name}: ||| was replaced by | | |"))
    return display_text(replaced)


def _sentences(row: Row, text: str, warnings: list[tuple[int, str]], *, is_paragraph: bool) -> int:
    stated = row.fields.get("sentences", "").strip()
    if stated in {"1", "2"}:
        return int(stated)
    if stated:
        raise _UnusableRow(f"sentences is {stated[:40]!r}; a source has 1 or 2")
    counted = sentence_count(text)
    if counted > 2:
        warnings.append((row.line, f"the text seems to have {counted} sentences: taken for a paragraph of two"))
    return 2 if is_paragraph or counted > 1 else 1


def _refuse_short(text: str, sentences: int, campaign: Campaign) -> None:
    """Refuse a text of too few words, or of too few characters in a language that does not part its words."""
    setting = "paragraph_min_words" if sentences == 2 else "sentence_min_words"
    minimum: int = getattr(campaign, setting)
    is_parted = has_word_spaces(campaign.language)
    if (amount := word_count(text) if is_parted else length(text)) < minimum:
        kind, unit = "paragraph" if sentences == 2 else "sentence", "words" if is_parted else "characters"
        raise _UnusableRow(f"too short: {amount} {unit}, a {kind} needs {minimum} (setting “{WORDS[setting].label}”)")


def _refuse_known(row: UsableRow, seen: Container[str], existing: Mapping[str, KnownSource]) -> None:
    if row.source_id in seen:
        raise _UnusableRow(
            f"duplicate id {row.source_id!r}: it stands further up in this file with another text, genre or paragraph, "
            "or with other nuggets"
        )
    if row.source_id in existing and existing[row.source_id].text != row.text:
        raise _UnusableRow(f"duplicate id {row.source_id!r}: the campaign has it with another text")
    if row.nuggets and row.source_id in existing and existing[row.source_id].nuggets != row.nuggets:
        raise _UnusableRow(f"duplicate id {row.source_id!r}: the campaign has it with other nuggets, or with none")


def _without_invalid_paragraphs(checked: CheckedRows, existing: Mapping[str, KnownSource]) -> list[UsableRow]:
    """Drop, with a warning, paragraph links to unknown sources or to parts of another paragraph."""
    known = {row.source_id for row in checked.usable} | existing.keys()
    parts = {source_id for source_id, source in existing.items() if source.paragraph_id}
    parts |= {row.source_id for row in checked.usable if row.paragraph_id in known} - existing.keys()
    rows: list[UsableRow] = []
    for row in checked.usable:
        fault = "is itself part of another" if row.paragraph_id in parts else ""
        if row.paragraph_id and row.paragraph_id not in known:
            fault = "is not among the texts"
        if fault:
            warning = f"its paragraph {row.paragraph_id[:40]!r} {fault}: imported without the link"
            checked.warnings.append((row.line, warning))
        rows.append(replace(row, paragraph_id="") if fault else row)
    return rows
