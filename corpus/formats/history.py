"""How the texts of a release were written: compressionhistory.tsv of the public release, and the logs themselves."""

import json
from collections.abc import Sequence

from compressions.services.submission import beginning
from corpus.formats.base import CardFacts, FormatWriter, ReleaseFormat
from corpus.formats.rawdata import BYTE_ORDER_MARK, cell
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedRating, ReleasedSource, WrittenText
from crowd.scales import Scale
from measures.keystrokes.edit_log import edit_history, parse_log
from measures.keystrokes.effort import effort

HISTORY_FILE, LOGS_FILE = "compressionhistory.tsv", "edit_logs.jsonl"
FIXED_COLUMNS = ("sourceID", "Domain", "SourceText", "CompressedText", "judgeID")
LAST_COLUMNS = ("TimespentOnTask", "EditHistory")


def history_head(scales: Sequence[Scale]) -> bytes:
    averages = [f"Average{scale.name.title().replace(' ', '')}Quality" for scale in scales]
    return BYTE_ORDER_MARK + _line((*FIXED_COLUMNS, *averages, *LAST_COLUMNS))


def history_line(
    source: ReleasedSource, written: WrittenText, ratings: Sequence[ReleasedRating], scales: Sequence[Scale]
) -> bytes:
    """A line for each editor. Time is in seconds, active time as the app measures it."""
    operations = parse_log(written.edit_log)
    start = beginning(source.text, written.started_from)
    spent = (effort(source.text, start, operations).active_ms or 0) / 1000
    means = [_mean([each.scores[scale.key] for each in ratings if scale.key in each.scores]) for scale in scales]
    history = edit_history(start, operations)
    return _line(
        (
            source.source_id,
            source.genre,
            source.text,
            written.text,
            written.editor,
            *means,
            f"{spent:.1f}",
            history,
        )
    )


def _mean(points: Sequence[float]) -> str:
    return f"{sum(points) / len(points):.4f}" if points else ""


def log_line(source: ReleasedSource, written: WrittenText) -> bytes:
    """The log, replayed over what the box held, gives the text, up to white space."""
    kept = {
        "source": source.source_id,
        "split": source.split,
        "editor": written.editor,
        "text": written.text,
        "started_from": written.started_from,
        "log": written.published_log,
    }
    return json.dumps(kept, ensure_ascii=False).encode() + b"\n"


def _line(fields: Sequence[str]) -> bytes:
    # A cell keeps the two spaces between snapshots; only what would break the line is replaced.
    return "\t".join(cell(field) for field in fields).encode() + b"\r\n"


class HistoryWriter(FormatWriter):
    """A line for each person's text in both files; a text that was only compared has no averages."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        super().__init__(folder, scales)
        self._history, self._logs = folder.stream(HISTORY_FILE, history_head(scales)), folder.stream(LOGS_FILE)

    def add(self, source: ReleasedSource, written: Sequence[WrittenText]) -> None:
        ratings = {text.text: text.ratings for text in source.texts}
        for each in written:
            self._logs.write(log_line(source, each))
            if ratings[each.text]:
                self._history.write(history_line(source, each, ratings[each.text], self.scales))


def _card(facts: CardFacts) -> str:
    """What the logs hold; imported and erased work has none."""
    logs = facts.summary["edit_logs"]
    if not facts.summary["compressions"]:
        return f"`{LOGS_FILE}` and `{HISTORY_FILE}` are empty: there are no texts by editors."
    if not logs:
        return f"`{LOGS_FILE}` and `{HISTORY_FILE}` are empty: nothing is known of how these texts were written."
    texts = "1 text" if logs == 1 else f"{logs} texts"
    times = "its time" if facts.summary.get("exact_times") else "its time to a tenth of a second"
    every = f"`{LOGS_FILE}` has every change of {texts} by an editor with {times}"
    return f"{every}, `{HISTORY_FILE}` the text after each change."


FORMAT = ReleaseFormat("edit history", rank=40, writer=HistoryWriter, card=_card)
