"""Links to the list of texts: from each figure of a report to the texts behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _

from compressions.genres import genre_label
from edit_operations.found_texts import PEOPLE, SYSTEMS

YES, NO = "yes", "no"
BY = "by"
COMPRESSION, SENTENCES = "compression", "sentences"
PARAPHRASED, INSERTED, REORDERED, CORRECTED = "paraphrased", "inserted", "reordered", "corrected"
QUERIES: Mapping[str, Mapping[str, str]] = {
    "paraphrased": {PARAPHRASED: YES},
    "inserted": {INSERTED: YES},
    "deletion only": {COMPRESSION: "deletion only"},
    "deletion and reordering": {COMPRESSION: "deletion and reordering"},
    "abstractive": {COMPRESSION: "abstractive"},
    "kept": {SENTENCES: "kept"},
    "merged": {SENTENCES: "merged"},
    "sentence deleted": {SENTENCES: "sentence deleted"},
    "substitute": {PARAPHRASED: YES},
    "substitute or insert": {COMPRESSION: "abstractive"},
    "reorder": {REORDERED: YES},
    "merge": {SENTENCES: "merged"},
    "moved": {REORDERED: YES},
    "corrected": {CORRECTED: YES},
}
PART_FIELDS = {
    "genre": "genre",
    "split": "split",
    "editor": "editor",
    "system": "system",
    "sentences": "source_sentences",
}
"""The filter of each kind of part; `sentences` is the number of them in the source, not what became of them."""


def texts_query(digest: str, figure: str = "", part: str = "release", group: str = "") -> str:
    """Return the query that lists the texts that a figure counts; "deleted" and "copied" list all texts."""
    query = {"report": digest[:16], BY: SYSTEMS if part == "system" else PEOPLE, **QUERIES.get(figure, {})}
    if part in PART_FIELDS:
        query[PART_FIELDS[part]] = genre_label(group) if part == "genre" else group
    return urlencode(query)


@dataclass(frozen=True)
class ActiveFilter:
    """A filter that is set, in words, and the query of the list without it."""

    words: str
    query: str


def active_filters(form: forms.BaseForm, query: Mapping[str, str]) -> list[ActiveFilter]:
    """Return the filters that are set and valid; the scale is none by itself."""
    found = []
    for name in query:
        value = form.cleaned_data.get(name)
        if name != "scale" and value not in ("", None):
            field = form.fields[name]
            shown = dict(getattr(field, "choices", ())).get(value, value)
            words = _("%(filter)s: %(value)s") % {"filter": field.label, "value": shown}
            without = {key: each for key, each in query.items() if key != name}
            found.append(ActiveFilter(words, urlencode(without)))
    return found
