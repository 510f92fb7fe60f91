"""Create sources, each with its item for editors, and link sentences to their paragraphs."""

import random
from collections.abc import Sequence

from compressions.models import Source
from compressions.rows import UsableRow
from crowd.models import Campaign, Round
from crowd.services.item_slots import items_block_for_workers_of
from crowd.services.items import conflicts_create, items_create

BATCH = 500


def sources_create(*, campaign: Campaign, rows: Sequence[UsableRow], rng: random.Random) -> None:
    """Create sources from checked rows; call inside a transaction."""
    items = items_create(campaign=campaign, work_round=Round.EDIT, count=len(rows), rng=rng)
    sources = [
        Source(
            campaign=campaign,
            source_id=row.source_id,
            genre=row.genre,
            text=row.text,
            sentences=row.sentences,
            item=item,
        )
        for row, item in zip(rows, items, strict=True)
    ]
    Source.objects.bulk_create(sources, batch_size=BATCH)
    _link(campaign, rows, {source.source_id: source for source in sources})


def _link(campaign: Campaign, rows: Sequence[UsableRow], new: dict[str, Source]) -> None:
    """Link sentences to their paragraphs, and bar everybody from both, past editors of the paragraph included."""
    outside = {row.paragraph_id for row in rows} - new.keys() - {""}
    older = {source.source_id: source for source in Source.objects.filter(campaign=campaign, source_id__in=outside)}
    known = new | older
    sentences: list[Source] = []
    for row in rows:
        if row.paragraph_id:
            sentence = new[row.source_id]
            sentence.paragraph = known[row.paragraph_id]
            sentences.append(sentence)
    Source.objects.bulk_update(sentences, ["paragraph"], batch_size=BATCH)
    pairs = [(one.item_id, one.paragraph.item_id) for one in sentences if one.paragraph]
    conflicts_create(pairs=[*pairs, *((blocked, item) for item, blocked in pairs)])
    had_before = {source.item_id for source in older.values()}
    items_block_for_workers_of(
        pairs=[(item, blocked) for item, blocked in pairs if blocked in had_before], work_round=Round.EDIT
    )
