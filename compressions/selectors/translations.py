"""Query translations of a campaign's texts, as they were up to a given one."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Count, Max, Q

from compressions.models import TranslatedText
from crowd.models import Campaign


class TranslationRow(NamedTuple):
    """A translation and the text that it is of, which for a source is the source's own."""

    source_id: str
    kind: str
    text: str
    language: str
    made_by: str
    translated: str


def last_translation(campaign: Campaign) -> int | None:
    """Return the id of the last translation in a campaign; None if there is none."""
    last: int | None = TranslatedText.objects.filter(campaign=campaign).aggregate(last=Max("pk"))["last"]
    return last


def translations_until(campaign: Campaign, last: int | None) -> Iterator[TranslationRow]:
    """Yield the translations that there were when `last` was the last one, oldest first; none without a last one."""
    if last is None:
        return
    rows = TranslatedText.objects.filter(campaign=campaign, pk__lte=last).order_by("pk")
    fields = ("source__source_id", "kind", "source__text", "target__text", "language", "made_by", "text")
    for source_id, kind, source, target, language, made_by, text in rows.values_list(*fields).iterator():
        yield TranslationRow(source_id, kind, source if target is None else target, language, made_by, text)


class TranslationCount(NamedTuple):
    """How much one translator has translated into a language."""

    language: str
    made_by: str
    sources: int
    references: int
    outputs: int


def translation_counts(campaign: Campaign) -> list[TranslationCount]:
    """Return how many translations there are of each kind, by language and translator."""
    groups = TranslatedText.objects.filter(campaign=campaign).values_list("language", "made_by")
    kinds = TranslatedText.Kind
    counted = groups.annotate(
        sources=Count("pk", filter=Q(kind=kinds.SOURCE)),
        references=Count("pk", filter=Q(kind=kinds.REFERENCE)),
        outputs=Count("pk", filter=Q(kind=kinds.OUTPUT)),
    )
    return [TranslationCount(*row) for row in counted.order_by("language", "made_by")]
