"""When editors made the operations of a text, from the logs of their edits."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compressions.models import Compression
from compressions.services.submission import beginning
from corpus.models import Release
from corpus.release.records import ReleasedSource
from edit_operations.aligned import LogOrder, Places
from measures.alignment import TextOperations
from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import EditLogError, parse_log
from measures.keystrokes.edit_order import AlignedWords, EditOrder, edit_order, word_spans

DIGITS = 4


@dataclass(frozen=True)
class Log:
    """An editor's log, and the text that it leads to before tidying."""

    editor: str
    source: str
    text: str
    started_from: str
    edit_log: list[Any]


@dataclass(frozen=True)
class WordsDone:
    """The words of a source and of a text, their alignment, and what was done to them."""

    source: Sequence[str]
    text: Sequence[str]
    places: Places
    operations: TextOperations


@dataclass(frozen=True)
class LoggedEdits:
    """Logs by the source's id and the text."""

    logs: Mapping[tuple[str, str], Sequence[Log]]

    def orders(self, source_id: str, text: str, editors: Sequence[str], done: WordsDone) -> tuple[LogOrder, ...]:
        """Return when each word got its final state, for each of a text's editors whose log shows it."""
        logs = [log for log in self.logs.get((source_id, text), ()) if log.editor in editors]
        found = [_order(log, done) for log in logs]
        return tuple(
            tuple(
                (each.operation, each.word, round(each.by_edits, DIGITS), _rounded(each.by_time))
                for each in order.words
            )
            for order in found
            if isinstance(order, EditOrder)
        )


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)


def _order(log: Log, done: WordsDone) -> EditOrder | Undefined:
    """Return the order in a log; undefined if tidying changed the words that the log leads to."""
    replaced = {number for number, name in enumerate(done.operations.target_classes) if name == "paraphrased"}
    try:
        spans = word_spans(log.source, done.source), word_spans(log.text, done.text)
        words = AlignedWords(*spans, done.places, replaced, done.operations.moved)
        return edit_order(log.source, beginning(log.source, log.started_from), parse_log(log.edit_log), words)
    except (EditLogError, ValueError) as error:
        return Undefined(str(error))


def logged_edits(release: Release, sources: Sequence[ReleasedSource]) -> LoggedEdits:
    """Read the logs of the compressions that the release was frozen from; imported ones have none."""
    pinned = Compression.objects.filter(
        source__campaign=release.campaign_id,
        source__source_id__in=[source.source_id for source in sources],
        pk__lte=release.last_rows.get("compressions", 0),
        is_imported=False,
    )
    logs: dict[tuple[str, str], list[Log]] = defaultdict(list)
    for each in pinned.exclude(edit_log=[]).select_related("source", "target", "worker").order_by("pk"):
        log = Log(each.worker.public_name, each.source.text, each.text, each.started_from, each.edit_log)
        logs[each.source.source_id, each.target.text].append(log)
    return LoggedEdits(logs)
