"""Scores as tables for a terminal: metrics in rows, systems in columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from common.console import Cell, Section, blocks, with_interval
from measures.metrics.writers import Result
from scoring.entries import PEOPLE, system_label
from scoring.selectors import MAIN_METRIC, MetricLine, metric_lines

# Of the eighty: what the page begins with, and the best known ones of other papers.
FIRST_METRICS = (
    MAIN_METRIC,
    "LR-2+F-1+MULT-ALL",
    "PARSE-2+F-1+MULT-ALL",
    "BLEU-4+PrecBrev+MULT-ALL",
    "ROUGE-L+Recall+MULT-MAX",
)
BEST = "*"
METRIC = "Metric"
METRIC_WIDTH, CELL_WIDTH = 28, 21
MAX_ROWS = 20


def score_sections(
    summary: Mapping[str, Any], title: str, asked: Sequence[str] | None, width: int, *, is_all: bool
) -> list[Section]:
    """Return the means of each system with their intervals, in as many tables as the systems need.

    A star marks the best system where its interval lies above those of all other systems.
    """
    metrics = summary["metrics"] if is_all else shown_metrics(summary["metrics"], asked)
    lines = metric_lines({**summary, "metrics": metrics})
    places = [str(place) for place in range(len(summary["systems"]))]
    groups = list(blocks(places, width, METRIC_WIDTH, CELL_WIDTH))
    return [_block(summary, title, lines, list(map(int, group)), len(groups) > 1) for group in groups]


def shown_metrics(metrics: Sequence[str], asked: Sequence[str] | None) -> list[str]:
    """Return the metrics asked for, or those to look at first; others where none of these was computed."""
    chosen = [each for each in asked or FIRST_METRICS if each in metrics]
    return chosen or list(metrics[: len(FIRST_METRICS)])


def _block(
    summary: Mapping[str, Any], title: str, lines: Sequence[MetricLine], places: Sequence[int], is_part: bool
) -> Section:
    systems = [summary["systems"][place] for place in places]
    names = [f"{system_label(each['system'])} ({each['outputs']:,})" for each in systems]
    rows: list[Sequence[Cell]] = []
    for line in lines:
        best = best_place(summary, line)
        rows.append([line.metric, *(_cell(line.cells[place], is_best=place == best) for place in places)])
    heading = f"{title}: {', '.join(names)}" if is_part else title
    return Section(heading, (METRIC, *names), rows, (), frozenset(names))


def _cell(cell: Mapping[str, float], *, is_best: bool) -> str:
    return f"{BEST if is_best else ''}{with_interval(cell['value'], cell['low'], cell['high'])}"


def best_place(summary: Mapping[str, Any], line: MetricLine) -> int | None:
    """Return the system that is surely the best of two or more; people, whom they are held against, do not count."""
    systems = [place for place, each in enumerate(summary["systems"]) if each["system"] != PEOPLE]
    if len(systems) < 2:
        return None
    first, *others = sorted(systems, key=lambda place: -line.cells[place]["value"])
    highest = max(line.cells[place]["high"] for place in others)
    return first if line.cells[first]["low"] > highest else None


def result_sections(result: Result, title: str, asked: Sequence[str] | None, *, is_all: bool) -> list[Section]:
    """Return the scores of a file: the means, and with `is_all` those of each output by the metrics asked for."""
    metrics = list(result.signatures)
    chosen = metrics if is_all else shown_metrics(metrics, asked)
    means = result.mean().scores
    rows: list[Sequence[Cell]] = [(name, float(means[0, metrics.index(name)])) for name in chosen if result.names]
    notes = [] if rows else ["The file has no outputs that can be scored."]
    heading = f"{title}: means over {len(result.names):,} outputs"
    sections = [Section(heading, (METRIC, "Mean"), rows, notes, frozenset({"Mean"}))]
    if asked and result.names and result.names != ["mean"]:
        sections.append(_outputs(result, chosen, is_all=is_all))
    return sections


def _outputs(result: Result, metrics: Sequence[str], *, is_all: bool) -> Section:
    columns = [list(result.signatures).index(name) for name in metrics]
    shown = len(result.names) if is_all else min(MAX_ROWS, len(result.names))
    rows: list[Sequence[Cell]] = [
        [name, *(float(row[column]) for column in columns)]
        for name, row in zip(result.names[:shown], result.scores, strict=False)
    ]
    left = len(result.names) - shown
    notes = [f"{left:,} more outputs: --all."] if left else []
    return Section("Each output", ("Source", *metrics), rows, notes, frozenset(metrics))
