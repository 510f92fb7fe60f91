"""The form that narrows the list of texts of a report."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from common.words import Words
from compressions.genres import genre_label, genre_words
from crowd.scales import MAX_POINTS, Scale
from edit_operations.found_texts import PEOPLE, SYSTEMS, TextFilter, first_scale
from edit_operations.page_tables import CLASSES, SENTENCES
from edit_operations.page_words import label_of
from edit_operations.sections.base import Row
from edit_operations.sections.shares import COMPRESSIONS
from edit_operations.text_links import NO, YES


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


OFFERED = {
    "split": "splits",
    "source_sentences": "source_sentences",
    "editor": "editors",
    "system": "systems",
}

SWITCHES = ("paraphrased", "inserted", "reordered", "corrected")
NUMBERS = ("source_sentences",)


def _yes_or_no(label: Words) -> forms.ChoiceField:
    choices = [("", gettext_lazy("any")), (YES, gettext_lazy("yes")), (NO, gettext_lazy("no"))]
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _any_of(label: Words) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False)


class TextsForm(TypedTexts, forms.Form):
    """Which texts are wanted; nothing is required."""

    compression = _any_of(gettext_lazy("Kind of compression"))
    sentences = _any_of(gettext_lazy("What happened to two sentences"))
    paraphrased = _yes_or_no(gettext_lazy("Paraphrased words"))
    inserted = _yes_or_no(gettext_lazy("Inserted words"))
    reordered = _yes_or_no(gettext_lazy("Reordered"))
    corrected = _yes_or_no(gettext_lazy("Alignment corrected by hand"))
    genre = _any_of(gettext_lazy("Genre"))
    split = _any_of(gettext_lazy("Split"))
    source_sentences = _any_of(gettext_lazy("Sentences of the source"))
    by = forms.ChoiceField(
        label=gettext_lazy("Written by"),
        required=False,
        choices=[
            ("", gettext_lazy("people and systems")),
            (PEOPLE, gettext_lazy("people")),
            (SYSTEMS, gettext_lazy("systems")),
        ],
    )
    editor = _any_of(gettext_lazy("Editor"))
    system = _any_of(gettext_lazy("System"))
    scale = _any_of(gettext_lazy("Mean rating on"))
    least = forms.FloatField(label=gettext_lazy("Mean from"), min_value=0, max_value=MAX_POINTS, required=False)
    most = forms.FloatField(label=gettext_lazy("Mean to"), min_value=0, max_value=MAX_POINTS, required=False)

    def __init__(self, *args: Any, choices: TextChoices, scales: Iterable[Scale], **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self._offer("compression", [(each, label_of(each)) for each in CLASSES])
        self._offer("sentences", [(each, label_of(each)) for each in SENTENCES])
        self._offer("genre", [(each, genre_words(each)) for each in choices.genres])
        for name, attribute in OFFERED.items():
            self._offer(name, [(each, each) for each in getattr(choices, attribute)])
        rated = {scale.key: scale for scale in scales if not scale.is_preference}
        self._offer("scale", [(key, scale.name) for key, scale in rated.items()], has_any=False)
        self.first_scale = first_scale(rated.values())
        if not choices.systems:
            del self.fields["by"]
        if not rated:
            for name in ("least", "most"):
                del self.fields[name]

    def _offer(self, name: str, choices: list[tuple[str, str]], *, has_any: bool = True) -> None:
        """Offer choices; a filter without choices is not shown."""
        found = self.fields[name]
        if not choices:
            del self.fields[name]
        elif isinstance(found, forms.ChoiceField):
            found.choices = [("", _("any")), *choices] if has_any else choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        least, most = cleaned.get("least"), cleaned.get("most")
        if least is not None and most is not None and least > most:
            self.add_error("most", _("This is less than “Mean from”, so no text can match."))
        return cleaned

    @property
    def wanted(self) -> TextFilter:
        """What is asked for in the fields that are valid; a range of ratings is on the first scale by default."""
        given = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        switches = {name: given[name] == YES for name in SWITCHES if name in given}
        numbers = {name: int(given[name]) for name in NUMBERS if name in given}
        return TextFilter(**{"scale": self.first_scale} | given | switches | numbers)

    @property
    def asked(self) -> dict[str, str]:
        """The fields of the query that narrow the list, as they were given."""
        return {name: value for name in self.fields if (value := self.data.get(name, "").strip())}
