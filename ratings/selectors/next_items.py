"""The order in which candidate items are offered to a rater.

The round mixes three streams: compressions, system outputs and gold items. For each task one stream is drawn at the
rates of the campaign; if it has no item for this rater, the other streams follow. Gold items are offered only while
other work is left.

Test participants are offered what other test participants wrote before anything else; nobody else ever is.

Within a stream, items are taken from a window at the head of the drawn order, so that texts are completed one after
another; inside the window they are shuffled, so that raters see them in different orders. Assignments record that
order. Texts of sources that the rater has not seen come first; but where a task compares the texts of a source, those
of sources seen three tasks ago or earlier come before them, and those seen just now after them.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common.sql import Row, Statement
from crowd.models import Enrolment, Round, Stream
from crowd.models.work import streams_of_work
from crowd.services.claim_statements import AVAILABLE, IN_DRAWN_ORDER, OPEN_TO_ARM
from crowd.services.leases import available_to, of_arm
from ratings.selectors.gold import gold_is_due, gold_rank

Seen = Sequence[Any]
"""A source, how many of its texts the rater has been given, and the latest of these tasks."""
WINDOWS = (64, 1024)
TASKS_APART = 3
"""How many tasks two texts of one source are apart where a task compares them."""
DUE, NEW, JUST_SEEN = range(3)

# The source of an item: of its text, its first text side by side, or its text in an expert sample.
SOURCE_OF = """
    SELECT t.source_id FROM compressions_target t WHERE t.item_id = i.id
    UNION ALL SELECT f.source_id FROM compressions_pair p JOIN compressions_target f ON f.id = p.first_id
    WHERE p.item_id = i.id
    UNION ALL SELECT e.source_id FROM ratings_expertitem x JOIN compressions_target e ON e.id = x.target_id
    WHERE x.item_id = i.id
"""
# The accepted answers of the gold items that a rater may have, and of those that they have had.
GOLD = Statement(f"""
    SELECT i.id, (SELECT g.answers FROM ratings_golditem g WHERE g.item_id = i.id) {AVAILABLE}
    UNION ALL
    SELECT NULL, g.answers FROM crowd_assignment o JOIN ratings_golditem g ON g.item_id = o.item_id
    WHERE o.worker_id = %(worker)s AND o.state IN ('leased', 'submitted')
""")  # noqa: S608 - of constants
ANY_ITEM = Statement(f"SELECT i.id {AVAILABLE} LIMIT 1")
WINDOW = Statement(f"SELECT i.id, ({SOURCE_OF}) {AVAILABLE} {IN_DRAWN_ORDER} LIMIT %(size)s")
# The same where the round has arms: items on which the rater's arm wants people.
ANY_ITEM_OF_ARM = Statement(f"SELECT i.id {AVAILABLE} {OPEN_TO_ARM} LIMIT 1")
WINDOW_OF_ARM = Statement(f"SELECT i.id, ({SOURCE_OF}) {AVAILABLE} {OPEN_TO_ARM} {IN_DRAWN_ORDER} LIMIT %(size)s")
SOURCES_SEEN = Statement(f"""
    SELECT ({SOURCE_OF}), count(*), max(a.id)
    FROM crowd_assignment a JOIN crowd_item i ON i.id = a.item_id
    WHERE a.worker_id = %(worker)s AND a.round = %(round)s AND a.state IN ('leased', 'expired', 'submitted')
    AND i.stream <> 'gold'
    GROUP BY 1
""")  # noqa: S608 - of constants


def rater_candidates(enrolment: Enrolment, number: int) -> Iterator[list[int]]:
    """Yield the ids of the items that a rater may have, for their `number`-th task, best first, stream by stream."""
    rng = random.Random(f"task:{enrolment.worker.number}:{number}")
    campaign = enrolment.campaign
    if enrolment.round == Round.RATE and gold_is_due(
        rater=enrolment.worker.number,
        number=number,
        percent=campaign.gold_percent,
        visit=campaign.rater_tasks,
    ):
        yield _gold_items(enrolment, rng)
    streams = [Stream.WORK, Stream.SYSTEM]
    if rng.random() * 100 < campaign.system_percent:
        streams.reverse()
    if enrolment.worker.is_test:
        streams.insert(0, Stream.TEST)
    seen = SOURCES_SEEN.rows(worker=enrolment.worker_id, round=enrolment.round)
    rank = _due_first(seen) if campaign.task.completes_sources else _unseen_first(seen)
    for stream in streams:
        yield _best_first(enrolment, stream, rank, rng)


def _gold_items(enrolment: Enrolment, rng: random.Random) -> list[int]:
    others = streams_of_work(is_test=enrolment.worker.is_test)
    if not any(_is_left(enrolment, stream) for stream in others):
        return []
    rows = [(item_id, json.loads(right)) for item_id, right in GOLD.rows(**available_to(enrolment, Stream.GOLD))]
    seen = [right for item_id, right in rows if item_id is None]
    gold = sorted((item_id, right) for item_id, right in rows if item_id is not None)
    rng.shuffle(gold)
    scales = enrolment.shown_scales
    return [item_id for item_id, _ in sorted(gold, key=lambda each: gold_rank(each[1], seen, scales))]


def _is_left(enrolment: Enrolment, stream: Stream) -> bool:
    if not enrolment.arm:
        return ANY_ITEM.row(**available_to(enrolment, stream)) is not None
    return ANY_ITEM_OF_ARM.row(**available_to(enrolment, stream), **of_arm(enrolment)) is not None


def _window(enrolment: Enrolment, stream: Stream, size: int) -> list[Row]:
    if not enrolment.arm:
        return WINDOW.rows(**available_to(enrolment, stream), size=size)
    return WINDOW_OF_ARM.rows(**available_to(enrolment, stream), **of_arm(enrolment), size=size)


@dataclass(frozen=True)
class Ranks:
    """How soon a text comes, by its source, the lowest rank first; texts at `best` leave nothing to look for."""

    by_source: Mapping[int, int]
    other: int
    best: int

    def __call__(self, source_id: int) -> int:
        return self.by_source.get(source_id, self.other)


def _unseen_first(seen: Sequence[Seen]) -> Ranks:
    """Rank sources by how many of their texts the rater has been given."""
    return Ranks({source_id: count for source_id, count, _ in seen}, other=0, best=0)


def _due_first(seen: Sequence[Seen]) -> Ranks:
    """Rank the sources of earlier texts before new ones, and those of the latest texts last."""
    latest = sorted(seen, key=lambda row: -row[2])
    ranks = {source: JUST_SEEN if place < TASKS_APART - 1 else DUE for place, (source, _, _) in enumerate(latest)}
    return Ranks(ranks, other=NEW, best=DUE if DUE in ranks.values() else NEW)


def _best_first(enrolment: Enrolment, stream: Stream, rank: Ranks, rng: random.Random) -> list[int]:
    """Return a shuffled window of items, stably sorted by the ranks of their sources.

    The window is widened only if no item in it has the best rank.
    """
    ranks: dict[int, int] = {}
    for size in WINDOWS:
        rows = _window(enrolment, stream, size)
        ranks = {item_id: rank(source_id) for item_id, source_id in rows}
        if len(rows) < size or rank.best in ranks.values():
            break
    window = list(ranks)
    rng.shuffle(window)
    return sorted(window, key=ranks.__getitem__)
