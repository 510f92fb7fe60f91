"""Asking for paragraphs to be compressed sentence by sentence as well, by other editors."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from compressions.models import Source
from compressions.rows import UsableRow, is_source_id
from compressions.selectors.writing import undivided_paragraphs
from compressions.services.sources import sources_create
from crowd.models import Campaign
from measures.text.segmentation import sentences, word_count


@dataclass(frozen=True)
class Division:
    """How many paragraphs were divided, of how many that can be."""

    divided: int
    suitable: int


@transaction.atomic
def paragraphs_divide(*, campaign: Campaign, count: int, seed: int) -> Division:
    """Draw up to `count` paragraphs and give each of their sentences to editors as a source of its own.

    A paragraph suits if it has two sentences, both long enough for the campaign, and ids are left for them. They are
    drawn from the order of the ids, so the same texts and seed give the same paragraphs on any machine.
    """
    Campaign.objects.select_for_update().get(pk=campaign.pk)  # no import at the same time
    taken = set(Source.objects.filter(campaign=campaign).values_list("source_id", flat=True))
    # Sorted here, since databases differ in how they order letters.
    undivided = sorted(undivided_paragraphs(campaign), key=str)
    suitable = [paragraph for paragraph in undivided if _suits(paragraph, campaign) and _free_ids(paragraph, taken)]
    rng = random.Random(seed)
    drawn = rng.sample(suitable, min(count, len(suitable)))
    rows = [row for paragraph in drawn for row in _rows_of_sentences(paragraph, taken)]
    sources_create(campaign=campaign, rows=rows, rng=rng, on_written=lambda _: None)
    return Division(len(rows) // 2, len(suitable))


def _suits(paragraph: Source, campaign: Campaign) -> bool:
    texts = sentences(paragraph.text)
    return len(texts) == 2 and all(word_count(text) >= campaign.sentence_min_words for text in texts)


def _rows_of_sentences(paragraph: Source, taken: set[str]) -> list[UsableRow]:
    """The sentences as sources, under ids that are then taken; nothing where no id is left for them."""
    ids = _free_ids(paragraph, taken)
    taken.update(ids)
    return [
        UsableRow(0, source_id, paragraph.genre, text, sentences=1, paragraph_id=paragraph.source_id)
        for source_id, text in zip(ids, sentences(paragraph.text), strict=False)
    ]


def _free_ids(paragraph: Source, taken: set[str]) -> tuple[str, ...]:
    return next((ids for ids in _possible_ids(paragraph.source_id) if not taken & set(ids)), ())


def _possible_ids(paragraph_id: str) -> Iterator[tuple[str, ...]]:
    """Where an id names its sentences, as 101_102 does, those; else the paragraph's id with a number."""
    named = tuple(paragraph_id.split("_"))
    if len(set(named)) == len(named) == 2 and all(map(is_source_id, named)):
        yield named
    numbered = (f"{paragraph_id}.1", f"{paragraph_id}.2")
    if all(map(is_source_id, numbered)):
        yield numbered
