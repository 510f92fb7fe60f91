"""Create sources, each with its item for editors, and link sentences to their paragraphs."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from common.inserts import rows_insert
from compressions.models import Source
from compressions.rows import UsableRow
from crowd.models import Campaign, Round
from crowd.services.items import conflicts_create, items_insert
from crowd.services.leases import items_block_for_workers_of

COLUMNS = ("source_id", "genre", "text", "nuggets", "sentences", "item_id")


@dataclass(frozen=True)
class _Stored:
    """A source with its item."""

    pk: int
    item: int


def sources_create(*, campaign: Campaign, rows: Sequence[UsableRow], rng: random.Random) -> None:
    """Create sources from checked rows; call inside a transaction."""
    items = items_insert(campaign=campaign, work_round=Round.EDIT, count=len(rows), rng=rng)
    values = [
        (row.source_id, row.genre, row.text, row.nuggets, row.sentences, item)
        for row, item in zip(rows, items, strict=True)
    ]
    created = rows_insert(Source, COLUMNS, values, same={"campaign_id": campaign.pk})
    stored = map(_Stored, created, items)
    _link(campaign, rows, {row.source_id: each for row, each in zip(rows, stored, strict=True)})


def _link(campaign: Campaign, rows: Sequence[UsableRow], new: Mapping[str, _Stored]) -> None:
    """Link sentences to their paragraphs, and bar everybody from both, past editors of the paragraph included."""
    linked = [row for row in rows if row.paragraph_id]
    if not linked:
        return
    outside = {row.paragraph_id for row in linked} - new.keys()
    found = Source.objects.filter(campaign=campaign, source_id__in=outside).values_list("source_id", "pk", "item_id")
    older = {source_id: _Stored(pk, item) for source_id, pk, item in found}
    known = {**older, **new}
    both = [(new[row.source_id], known[row.paragraph_id]) for row in linked]
    _paragraphs_set([(paragraph.pk, sentence.pk) for sentence, paragraph in both])
    pairs = [(sentence.item, paragraph.item) for sentence, paragraph in both]
    conflicts_create(pairs=[*pairs, *((blocked, item) for item, blocked in pairs)])
    had_before = {source.item for source in older.values()}
    items_block_for_workers_of(
        pairs=[(item, blocked) for item, blocked in pairs if blocked in had_before], work_round=Round.EDIT
    )


def _paragraphs_set(pairs: Sequence[tuple[int, int]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE compressions_source SET paragraph_id = %s WHERE id = %s", pairs)
