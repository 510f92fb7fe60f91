"""Releases with outputs of systems; what metrics say of them, computed plainly; what page and files say."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from measures.core.arrays import FloatArray
from measures.metrics import METRICS, Comparisons, Models, Options, compare, score
from scoring.models import ScoreRun
from scoring.services.runs import score_run_get_or_create, scores_compute
from scoring.settings import ScoreSettings
from tests.support.factories import silent, staff_client
from tests.support.reports import every_tab, released
from tests.support.stored import path_of

Key = tuple[str, str, str]
Scores = dict[Key, dict[str, float]]
NAME, OTHER = "LR-1+Recall+MULT-ALL", "SKIP-2+Recall+MULT-PROB"
WITHOUT_PARSER = [name for name, metric in METRICS.items() if not metric.wants_parser]
FEW = ScoreSettings(metrics=(NAME, OTHER))
TABLE = "Scores by system"
NASTY = '<script>alert("1")</script>'


def of_texts(
    number: int | str,
    written: Sequence[str],
    outputs: Mapping[str, str] | None = None,
    *,
    genre: str = "Letters",
    text: str = "The two old men went home late last night.",
) -> ReleasedSource:
    """A source with what people wrote and, by system, its output."""
    return ReleasedSource(
        str(number),
        genre,
        text,
        1,
        "",
        str(number),
        "train",
        [ReleasedText(each, ("9",), ()) for each in written],
        [ReleasedOutput(system, each, ()) for system, each in (outputs or {}).items()],
    )


def varied() -> list[ReleasedSource]:
    """Sources with many texts, with one and with none; systems that leave some out; equal texts; three lengths."""
    return [
        of_texts(
            1, ["Two men went home.", "The men went home late.", "Men went."], {"A": "Men went.", "B": "Two men."}
        ),
        of_texts(2, ["Men went home late."], {"A": "The men went."}, genre="News", text="Two men went home late."),
        of_texts(3, [], {"A": "Nobody wrote beside it.", "B": "Nobody."}, genre="News"),
        of_texts(4, ["Two went home.", "Two old men went home."], text="Two old men went home late at night, alone."),
        of_texts(5, ["Men left.", "Two men left early."], {"B": "Men left early."}, genre="News", text="Two men left."),
        of_texts(
            6,
            ["Old men.", "They went.", "They went home."],
            {"A": "", "B": "They went home late."},
            text="They were two old men, and went home late on a cold night.",
        ),
        of_texts(7, ["Alone at last."], genre="News"),
    ]


def released_with(sources: Iterable[ReleasedSource], *, owner: User | None = None) -> Release:
    """A release that holds these sources, and says how many."""
    kept = list(sources)
    release = released(kept, owner=owner)
    release.summary = {"sources": len(kept)}
    release.save()
    return release


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/scores"


def plainly(sources: Iterable[ReleasedSource], question: ScoreSettings | None = None) -> Scores:
    """The scores of all outputs beside all texts by people, and of each of these beside the others."""
    asked = question or ScoreSettings()
    keys: list[Key] = []
    references: list[list[str]] = []
    for source in sources:
        written = [each.text for each in source.texts]
        if asked.options.reference_weights == "by-editor":
            written = [each.text for each in source.texts for _ in each.editors]
        beside = [(each.system, each.text, written) for each in source.outputs]
        beside += [("", text, without(written, text)) for text in dict.fromkeys(written)]
        keys += [(source.source_id, system, text) for system, text, others in beside if others]
        references += [others for _, _, others in beside if others]
    names = [metric.name for metric in asked.chosen]
    compared = compare(
        list(asked.analysis.texts([text for _, _, text in keys])),
        [list(asked.analysis.texts(each)) for each in references],
    )
    scores = score(compared, names, asked.options).tolist()
    return {key: dict(zip(names, row, strict=True)) for key, row in zip(keys, scores, strict=True)}


def plainly_jackknifed(sources: Iterable[ReleasedSource], question: ScoreSettings | None = None) -> Scores:
    """The scores of outputs of systems, each k times without one of k references, averaged; and those of people."""
    asked = question or ScoreSettings()
    kept = list(sources)
    scores = {key: row for key, row in plainly(kept, asked).items() if not key[1]}
    for source in kept:
        if len(source.texts) < 2:
            continue
        times = [
            plainly([replace(source, texts=[*source.texts[:each], *source.texts[each + 1 :]])], asked)
            for each in range(len(source.texts))
        ]
        for output in source.outputs:
            key = (source.source_id, output.system, output.text)
            rows = [time[key] for time in times]
            scores[key] = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
    return scores


def without(written: Sequence[str], text: str) -> list[str]:
    """All but one of the copies of a text."""
    others = list(written)
    others.remove(text)
    return others


def started(release: Release, question: ScoreSettings | None = None) -> ScoreRun:
    return score_run_get_or_create(release=release, settings=question or ScoreSettings())


def computed(release: Release, question: ScoreSettings | None = None) -> ScoreRun:
    """The run, computed at once."""
    run = started(release, question)
    scores_compute(run=run, progress=silent)
    return reread(run)


def reread(run: ScoreRun) -> ScoreRun:
    return ScoreRun.objects.get(pk=run.pk)


def summary_of(run: ScoreRun) -> dict[str, Any]:
    assert run.summary is not None
    return dict(run.summary)


def long_file(run: ScoreRun) -> Path:
    return path_of(run)


def scores_in(rows: Iterable[Mapping[str, Any]], *, jackknifed: bool = False) -> Scores:
    """Rows of a download by output and metric, one for each: of systems those by all references, or the jackknifed."""
    found: Scores = {}
    for row in rows:
        if row["system"] and (row.get("ground") == "jackknifed") != jackknifed:
            continue
        of_output = found.setdefault((row["source"], row["system"], row["text"]), {})
        assert row["metric"] not in of_output
        of_output[row["metric"]] = float(row["score"])
    return found


def stored(run: ScoreRun, *, jackknifed: bool = False) -> Scores:
    return scores_in(pq.read_table(long_file(run)).to_pylist(), jackknifed=jackknifed)


def body(reply: Any) -> bytes:
    """What a download holds."""
    content = b"".join(reply.streaming_content)
    reply.close()
    return content


def tsv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t"))


def page_of(release: Release, **asked: Any) -> Any:
    """The page of scores, with what stands in its tabs behind it."""
    return every_tab(staff_client(release.campaign.staff.get()), f"{address(release)}/", asked)


def rows_of(release: Release, ending: str, **asked: Any) -> list[dict[str, Any]]:
    """What a download holds, row by row."""
    reply = staff_client(release.campaign.staff.get()).get(f"{address(release)}.{ending}", asked)
    assert reply.status_code == 200
    content = body(reply)
    if ending == "tsv":
        return list(tsv_rows(content.decode()))
    rows: list[dict[str, Any]] = pq.read_table(pa.BufferReader(content)).to_pylist()
    return rows


def means(scores: Scores, metric: str) -> dict[str, float]:
    """The mean of a metric by system."""
    systems = {system for _, system, _ in scores}
    return {
        each: float(np.mean([row[metric] for (_, system, _), row in scores.items() if system == each]))
        for each in systems
    }


class Watched:
    """The real scoring, which counts its calls and may fail at one of them."""

    def __init__(self, fails_at: int = 0) -> None:
        self.calls, self.fails_at, self._lock = 0, fails_at, Lock()

    def __call__(self, compared: Comparisons, metrics: Sequence[str], options: Options, models: Models) -> FloatArray:
        with self._lock:
            self.calls += 1
            fails = self.calls == self.fails_at
        if fails:
            raise OSError("No space left on device")
        return score(compared, metrics, options, models)


def json_lines(path: Path, *rows: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
