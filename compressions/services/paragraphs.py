"""Add the sentences of paragraphs as sources of their own, to be compressed by other editors."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from compressions.models import Source
from compressions.rows import UsableRow, is_source_id
from compressions.selectors.writing import undivided_paragraphs
from compressions.services.sources import sources_create
from crowd.models import Campaign
from crowd.services.audit import audit_record
from measures.text.segmentation import sentences, word_count


@dataclass(frozen=True)
class Division:
    """How many paragraphs were divided, and how many were suitable."""

    divided: int
    suitable: int


@transaction.atomic
def paragraphs_divide(*, campaign: Campaign, count: int, seed: int, user: User | None = None) -> Division:
    """Draw up to `count` paragraphs and add each of their sentences as a source of its own.

    A paragraph is suitable if it has two sentences, both long enough for the campaign, and free ids exist for them.
    The draw is from the paragraphs sorted by id, so the same texts and seed give the same paragraphs on any machine.
    """
    Campaign.objects.select_for_update().get(pk=campaign.pk)  # excludes concurrent imports
    taken = set(Source.objects.filter(campaign=campaign).values_list("source_id", flat=True))
    # Sorted here because databases differ in collation.
    undivided = sorted(undivided_paragraphs(campaign), key=str)
    suitable = [each for each in undivided if _is_suitable(each, campaign) and _free_ids(each, taken)]
    rng = random.Random(seed)
    drawn = rng.sample(suitable, min(count, len(suitable)))
    rows = [row for paragraph in drawn for row in _sentence_rows(paragraph, taken)]
    sources_create(campaign=campaign, rows=rows, rng=rng)
    audit_record(campaign=campaign, user=user, action="paragraphs divided", detail=f"{len(rows) // 2} paragraphs")
    return Division(len(rows) // 2, len(suitable))


def _is_suitable(paragraph: Source, campaign: Campaign) -> bool:
    texts = sentences(paragraph.text)
    return len(texts) == 2 and all(word_count(text) >= campaign.sentence_min_words for text in texts)


def _sentence_rows(paragraph: Source, taken: set[str]) -> list[UsableRow]:
    """Return rows for the sentences and add their ids to `taken`; no rows if no free ids exist."""
    ids = _free_ids(paragraph, taken)
    taken.update(ids)
    return [
        UsableRow(0, source_id, paragraph.genre, text, sentences=1, paragraph_id=paragraph.source_id)
        for source_id, text in zip(ids, sentences(paragraph.text), strict=False)
    ]


def _free_ids(paragraph: Source, taken: set[str]) -> tuple[str, ...]:
    return next((ids for ids in _possible_ids(paragraph.source_id) if not taken & set(ids)), ())


def _possible_ids(paragraph_id: str) -> Iterator[tuple[str, ...]]:
    """Yield ids for the sentences: those in the paragraph's id, as in 101_102, then the id with a number appended."""
    parts = tuple(paragraph_id.split("_"))
    if len(set(parts)) == len(parts) == 2 and all(map(is_source_id, parts)):
        yield parts
    numbered = (f"{paragraph_id}.1", f"{paragraph_id}.2")
    if all(map(is_source_id, numbered)):
        yield numbered
