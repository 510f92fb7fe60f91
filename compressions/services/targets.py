"""Create distinct texts and their items for raters: single, or side by side with others of the same source."""

import random

from django.db.models import Q

from common.inserts import insert, insert_unless_there
from common.sql import Columns, Statement
from compressions.models import Pair, Source, Target, text_digest
from compressions.selectors.writing import texts_of_excluded_only
from crowd.models import Campaign, Item, ItemConflict, Round, Stream
from crowd.round_registry import all_round_pages
from crowd.services.claim_statements import OTHERS_OF_BROWSERS
from crowd.services.items import item_create, items_close, items_reopen
from crowd.services.leases import items_block_for_workers_of

TARGET = Columns(Target, "t", "id source_id text digest item_id")
KNOWN = Statement(f"""
    SELECT {TARGET} FROM compressions_target t
    WHERE t.source_id = %(source)s AND t.digest = %(digest)s
""")  # noqa: S608 - of constants
BLOCK_RATING = Statement(f"""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT r.item_id, w.id, r.round, 'blocked', 0
    FROM (
        SELECT item_id, 'rate' AS round FROM compressions_target WHERE id = %(target)s
        UNION ALL SELECT item_id, 'rate' FROM compressions_pair WHERE first_id = %(target)s
        UNION ALL SELECT item_id, 'rate' FROM compressions_pair WHERE second_id = %(target)s
        UNION ALL SELECT s.item_id, 'edit' FROM compressions_target t JOIN compressions_source s ON s.id = t.source_id
        WHERE t.id = %(target)s
    ) r, (SELECT id FROM crowd_worker WHERE id = %(worker)s UNION {OTHERS_OF_BROWSERS}) w
    WHERE true
    ORDER BY r.item_id, w.id
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - of constants
# Of everything that one person wrote, for another one.
BLOCK_TEXTS_OF = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT r.item_id, %(reader)s, 'rate', 'blocked', 0
    FROM (
        SELECT t.item_id FROM compressions_compression c JOIN compressions_target t ON t.id = c.target_id
        WHERE c.worker_id = %(author)s
        UNION
        SELECT p.item_id FROM compressions_compression c JOIN compressions_pair p ON p.first_id = c.target_id
        WHERE c.worker_id = %(author)s
        UNION
        SELECT p.item_id FROM compressions_compression c JOIN compressions_pair p ON p.second_id = c.target_id
        WHERE c.worker_id = %(author)s
    ) r
    WHERE true
    ORDER BY r.item_id
    ON CONFLICT DO NOTHING
""")
BLOCK_SOURCES_OF = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT a.item_id, %(reader)s, 'edit', 'blocked', 0
    FROM crowd_assignment a
    WHERE a.worker_id = %(author)s AND a.round = 'edit' AND a.state <> 'blocked'
    ORDER BY a.item_id
    ON CONFLICT DO NOTHING
""")


def target_known(*, source: Source, text: str) -> Target | None:
    row = KNOWN.row(source=source.pk, digest=text_digest(text))
    target = TARGET.read(row) if row else None
    if target is not None:
        target.source = source
    return target


def rating_block(*, target: Target, worker_id: int) -> None:
    """Block a text's author from all items in which it is rated, and those who share a browser with them.

    The others are blocked from its source, too: if they came during the claim, that may have missed them.
    """
    BLOCK_RATING.run(target=target.pk, worker=worker_id)


def known_text_block(*, target: Target, worker_id: int) -> None:
    """Block a text that another had written first, wherever the rounds have come to use it since."""
    for pages in all_round_pages():
        if pages.block_text_again is not None:
            pages.block_text_again(target.pk, worker_id)


def texts_block(author: int, reader: int) -> None:
    """Block everything that one person wrote for another who shares a browser with them."""
    BLOCK_TEXTS_OF.run(author=author, reader=reader)


def sources_block(author: int, reader: int) -> None:
    """Block the sources that one person has been given for another who shares a browser with them."""
    BLOCK_SOURCES_OF.run(author=author, reader=reader)


def target_create(*, campaign: Campaign, source: Source, text: str, stream: str = Stream.WORK) -> Target:
    """Create a distinct text together with its items for raters; call inside a transaction."""
    digest = text_digest(text)
    rng = random.Random(digest)
    # A text that is rated only in its pairs is for nobody.
    item = _item(campaign, source, rng, stream, None if campaign.task.judges_single_texts else 0)
    target = Target(source=source, text=text, digest=digest, item=item)
    if not insert_unless_there(target):  # another editor submitted the same text at the same moment
        item.delete()
        return Target.objects.get(source=source, digest=digest)
    if campaign.task.makes_pairs:
        _pairs_create(campaign, target, rng, stream)
    return target


def target_reopen(*, target: Target, stream: str) -> None:
    """Reopen a known text, written again, that was closed or for tests only: excluded or test people had written it.

    What it was is read here: somebody may have been excluded since the text was looked up.
    """
    was = Item.objects.filter(pk=target.item_id).values("is_closed", "stream").get()
    if was["stream"] == Stream.TEST and stream != Stream.TEST:
        _leave_tests(target, stream)
    if was["is_closed"]:
        texts_close(campaign=target.source.campaign)


def _leave_tests(target: Target, stream: str) -> None:
    """Give a text that only test participants had written to all raters, and its pairs with texts of others."""
    Item.objects.filter(pk=target.item_id).update(stream=stream)
    pairs = Pair.objects.filter(Q(first=target) | Q(second=target), item__stream=Stream.TEST)
    with_others = pairs.exclude(first__item__stream=Stream.TEST).exclude(second__item__stream=Stream.TEST)
    Item.objects.filter(pk__in=list(with_others.values_list("item_id", flat=True))).update(stream=stream)


def texts_close(*, campaign: Campaign) -> None:
    """Close the items of texts that only excluded people wrote or whose source is retired, and reopen all others.

    Pairs are closed with either of their texts.
    """
    excluded = texts_of_excluded_only(campaign).values("pk")
    items = Item.objects.filter(campaign=campaign, round=Round.RATE).exclude(stream=Stream.GOLD)
    affected = Q(target__in=excluded) | Q(pair__first__in=excluded) | Q(pair__second__in=excluded)
    affected |= Q(target__source__retired_at__isnull=False) | Q(pair__first__source__retired_at__isnull=False)
    # Items whose text was erased have none, and stay closed.
    with_text = Q(target__isnull=False) | Q(pair__isnull=False)
    to_close = items.filter(affected, is_closed=False)
    to_reopen = items.filter(with_text, is_closed=True).exclude(affected)
    # Both are read before any is locked, since raters who submit would have to wait for these rows.
    closing, reopening = (list(each.values_list("pk", flat=True)) for each in (to_close, to_reopen))
    items_close(item_ids=closing)
    items_reopen(item_ids=reopening)


def _item(campaign: Campaign, source: Source, rng: random.Random, stream: str, people: int | None) -> Item:
    item = item_create(campaign=campaign, work_round=Round.RATE, rng=rng, stream=stream, people=people)
    # Raters of a compression have seen how others wrote it, so they may not write one of the same source.
    insert(ItemConflict(item=item, blocks_id=source.item_id))
    return item


def _pairs_create(campaign: Campaign, target: Target, rng: random.Random, stream: str) -> None:
    """Pair a new text with earlier ones of its source, up to `pairs_per_compression`."""
    others = Target.objects.filter(source=target.source, pk__lt=target.pk, item__is_closed=False)
    if stream != Stream.TEST:
        others = others.exclude(item__stream=Stream.TEST)
    earlier, blocked = list(others.order_by("pk")), []
    for other in rng.sample(earlier, min(campaign.pairs_per_compression, len(earlier))):
        item = _item(campaign, target.source, rng, stream, None)
        Pair.objects.create(first=other, second=target, item=item)
        blocked.append((item.pk, other.item_id))
    # The authors of the other texts are blocked from their own items, so block them from the pairs too. All at once:
    # the items are locked in the same order by everybody who pairs texts of this source.
    items_block_for_workers_of(pairs=blocked, work_round=Round.RATE)
