"""Read and check the lines of a file of translations, without the database."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compressions.models import MAX_LANGUAGE_LENGTH, MAX_MAKER_LENGTH, TranslatedText
from compressions.readers import BadLine, Row, read_rows, text_fault
from compressions.rows import MAX_TEXT, is_source_id
from measures.text.normalization import display_text, forbidden_character

COLUMNS = ("id", "kind", "language", "made_by", "translated")
OPTIONAL_COLUMNS = ("text", "system")
MAX_TRANSLATED = 2 * MAX_TEXT  # other languages may need more room

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_NO_LANGUAGES = {"mul", "und", "zxx", "mis"}


@dataclass(frozen=True)
class Translation:
    """A line of a file: a translation of a source, or of one of its texts, named by itself or by its system."""

    line: int
    source_id: str
    kind: str
    text: str
    system: str
    language: str
    made_by: str
    translated: str


class UnusableTranslation(Exception):
    """Why a line cannot be used."""


def read_translations(file_name: str, content: bytes) -> Iterator[Translation | BadLine]:
    """Yield the lines of a JSONL, CSV or TSV file, with their texts as they are stored, or why they cannot be used."""
    for row in read_rows(file_name, content, COLUMNS, OPTIONAL_COLUMNS):
        if isinstance(row, BadLine):
            yield row
            continue
        try:
            yield _translation(row)
        except UnusableTranslation as reason:
            yield BadLine(row.line, str(reason))


def _translation(row: Row) -> Translation:
    fields = {name: row.fields.get(name, "").strip() for name in (*COLUMNS, *OPTIONAL_COLUMNS)}
    found = Translation(
        row.line,
        fields["id"],
        fields["kind"],
        _tidied("text", fields["text"], MAX_TEXT),
        fields["system"],
        _language(fields["language"]),
        _maker(fields["made_by"]),
        _tidied("translated", fields["translated"], MAX_TRANSLATED),
    )
    if not is_source_id(found.source_id):
        raise UnusableTranslation(f"id {found.source_id[:40]!r} is not the id of a source")
    _refuse_unnamed(found)
    if not found.translated:
        raise UnusableTranslation("the translation is empty")
    return found


def _refuse_unnamed(found: Translation) -> None:
    """Refuse a line that does not say which text was translated."""
    kinds = TranslatedText.Kind
    if found.kind not in kinds.values:
        raise UnusableTranslation(f"kind is {found.kind[:40]!r}, not source, reference or output")
    if found.system and found.kind != kinds.OUTPUT:
        raise UnusableTranslation("a system is only given for an output")
    if found.kind == kinds.REFERENCE and not found.text:
        raise UnusableTranslation("the text that was translated is missing")
    if found.kind == kinds.OUTPUT and not (found.text or found.system):
        raise UnusableTranslation("neither the text that was translated nor its system is given")


def _tidied(name: str, text: str, most: int) -> str:
    if reason := text_fault(text):
        raise UnusableTranslation(f"{name}: {reason}")
    if forbidden := forbidden_character(text):
        position, character = forbidden
        raise UnusableTranslation(f"{name}: {character} at character {position + 1}")
    tidied = display_text(text)
    if len(tidied) > most:
        raise UnusableTranslation(f"{name} has {len(tidied):,} characters, at most {most:,} allowed")
    return tidied


def _language(tag: str) -> str:
    if len(tag) > MAX_LANGUAGE_LENGTH or not _LANGUAGE.fullmatch(tag) or tag.lower() in _NO_LANGUAGES:
        raise UnusableTranslation(f"language is {tag[:40]!r}, not a language tag such as fr or pt-BR")
    return tag


def _maker(name: str) -> str:
    if not name or len(name) > MAX_MAKER_LENGTH or not name.isprintable():
        raise UnusableTranslation(f"made_by takes 1 to {MAX_MAKER_LENGTH} characters, none of them a control character")
    return name
