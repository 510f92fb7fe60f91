"""Add the sentences of paragraphs as sources of their own, to be compressed by other editors."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from common.sql import slices
from compressions.models import Source
from compressions.rows import UsableRow
from compressions.selectors.writing import free_ids, is_suitable, possible_ids, undivided_paragraphs
from compressions.services.sources import sources_create
from crowd.models import Campaign
from crowd.services.audit import audit_record
from crowd.services.write_locks import campaign_write_lock
from measures.text.segmentation import sentences

SLICE = 25


@dataclass(frozen=True)
class Division:
    """How many paragraphs were divided, and how many were suitable."""

    divided: int
    suitable: int


def paragraphs_divide(*, campaign: Campaign, count: int, seed: int, user: User | None = None) -> Division:
    """Draw up to `count` paragraphs and add each of their sentences as a source of its own.

    A paragraph is suitable if it has two sentences, both long enough for the campaign, and free ids exist for them.
    The draw is from the paragraphs sorted by id, so the same texts and seed give the same paragraphs on any machine.
    They are divided in slices, each in a short transaction and recorded for itself.
    """
    taken = set(Source.objects.filter(campaign=campaign).values_list("source_id", flat=True))
    # Sorted here because databases differ in collation.
    undivided = sorted(undivided_paragraphs(campaign), key=str)
    suitable = [each for each in undivided if is_suitable(each, campaign) and free_ids(each, taken)]
    rng = random.Random(seed)
    drawn = rng.sample(suitable, min(count, len(suitable)))
    divided = sum(_slice_divide(campaign, each, rng, user) for each in slices(drawn, SLICE))
    return Division(divided, len(suitable))


@transaction.atomic
def _slice_divide(campaign: Campaign, drawn: Sequence[Source], rng: random.Random, user: User | None) -> int:
    """Divide the paragraphs that are not divided or retired meanwhile, and return how many."""
    campaign_write_lock(campaign_id=campaign.pk)
    still = set(undivided_paragraphs(campaign).filter(pk__in=[each.pk for each in drawn]).values_list("pk", flat=True))
    possible = [name for each in drawn for ids in possible_ids(each.source_id) for name in ids]
    known = Source.objects.filter(campaign=campaign, source_id__in=possible)
    taken = set(known.values_list("source_id", flat=True))
    rows = [row for paragraph in drawn if paragraph.pk in still for row in _sentence_rows(paragraph, taken)]
    sources_create(campaign=campaign, rows=rows, rng=rng)
    audit_record(campaign=campaign, user=user, action="paragraphs divided", detail=f"{len(rows) // 2} paragraphs")
    return len(rows) // 2


def _sentence_rows(paragraph: Source, taken: set[str]) -> list[UsableRow]:
    """Return rows for the sentences and add their ids to `taken`; no rows if no free ids exist."""
    ids = free_ids(paragraph, taken)
    taken.update(ids)
    return [
        UsableRow(0, source_id, paragraph.genre, text, sentences=1, paragraph_id=paragraph.source_id)
        for source_id, text in zip(ids, sentences(paragraph.text), strict=False)
    ]
