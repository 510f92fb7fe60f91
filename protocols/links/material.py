"""A line of material for linking sentences: those of a document, and of somebody's abstract if it is there already."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

MOST_SENTENCES, MOST_IN_ABSTRACT, MOST_BOXES = 1_000, 40, 8_000
MOST_NAMES, LONGEST_NAME, LONGEST_ID = 50, 100, 40
LISTS = ("acts", "entities", "tags")
"""What a sentence of a document may have lists of."""
FILE_HELP = gettext_lazy(
    "JSONL. One document with one abstract in a line: id of the document; sentences, a list of objects with id, text "
    "and perhaps speaker, acts, entities and tags, the parts of speech; abstract, a list of objects with id and text; "
    "annotator, the name of who wrote the abstract, if a document has several. Practice has expected: for each "
    "sentence of the abstract, by its id, the list of ids of the sentences to be linked to it."
)

Sentences = list[dict[str, Any]]


class LinksForm(forms.Form):
    writes_abstract = forms.BooleanField(
        label=gettext_lazy("People first write a summary of their own"),
        required=False,
        initial=False,
        help_text=gettext_lazy("Then lines of material have no abstract, but for practice."),
    )


def body_of(fields: Mapping[str, Any]) -> dict[str, Sentences]:
    """Return the sentences of both as they are stored; raise ValueError if they cannot be linked."""
    sentences = [
        _sentence(each, number) for number, each in _numbered(fields["sentences"], "sentences", MOST_SENTENCES)
    ]
    given = _numbered(fields["abstract"], "abstract", MOST_IN_ABSTRACT) if fields.get("abstract") else []
    abstract = [_part(each, number) for number, each in given]
    if len(sentences) < 2:
        raise ValueError("sentences must be two or more")
    for name, parts in (("sentences", sentences), ("abstract", abstract)):
        if len({each["id"] for each in parts}) < len(parts):
            raise ValueError(f"{name}: two have the same id")
    if (boxes := len(sentences) * len(abstract)) > MOST_BOXES:
        words = f"{len(sentences):,} sentences with {len(abstract):,} of the abstract make {boxes:,} boxes"
        raise ValueError(f"{words}; a page takes at most {MOST_BOXES:,}")
    return {"sentences": sentences, **({"abstract": abstract} if abstract else {})}


def _numbered(given: object, name: str, most: int) -> list[tuple[str, Any]]:
    if not isinstance(given, list) or not 1 <= len(given) <= most:
        raise ValueError(f"{name} must be a list of at most {most:,} objects (JSONL)")
    return [(f"{name} {number}", each) for number, each in enumerate(given, start=1)]


def _part(given: object, place: str, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the id and the text of a sentence."""
    if not isinstance(given, dict) or not {"id", "text"} <= given.keys() <= {"id", "text", *more}:
        raise ValueError(f"{place} must be an object with {', '.join(('id', 'text', *more))}")
    name, text = given["id"], given["text"]
    if isinstance(name, bool) or not isinstance(name, str | int) or not 0 < len(str(name).strip()) <= LONGEST_ID:
        raise ValueError(f"{place}: id must be a text of at most {LONGEST_ID} characters, or a number")
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{place}: text must be a text with something in it")
    return {"id": str(name).strip(), "text": unicodedata.normalize("NFC", text.strip())}


def _sentence(given: object, place: str) -> dict[str, Any]:
    found = _part(given, place, ("speaker", *LISTS))
    assert isinstance(given, dict), "a part is one"
    speaker = given.get("speaker")
    if speaker:
        found["speaker"] = _name(speaker, f"{place}: speaker")
    for what in LISTS:
        names = given.get(what) or []
        if not isinstance(names, list) or len(names) > MOST_NAMES:
            raise ValueError(f"{place}: {what} must be a list of at most {MOST_NAMES} names")
        if names:
            found[what] = sorted({_name(each, f"{place}: {what}") for each in names})
    return found


def _name(given: object, place: str) -> str:
    if not isinstance(given, str) or not 0 < len(given) <= LONGEST_NAME:
        raise ValueError(f"{place} must be names of at most {LONGEST_NAME} characters")
    return given
