"""The summary of scores that the page shows: means by system with intervals, by genre and by length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.intervals import resampled
from measures.sampling.terciles import thirds
from scoring.parquet_tables import ABOUT, read_wide

REPLICATIONS, SEED = 1000, 2016
Groups = Mapping[str, Sequence[tuple[str, BoolArray]]]


def summary_of(parts: Iterable[Path]) -> dict[str, Any]:
    """Summarise scores by system: number of outputs, and metric means with 95% bootstrap intervals over the sources.

    A text counts by its weight: once, or for each of its editors. Also gives the means within each genre and each
    third of the source lengths; "genres" and "lengths" list these in order.
    """
    wide = pa.concat_tables([read_wide(part) for part in parts])
    metrics = [name for name in wide.column_names if name not in ABOUT]
    systems = np.array(wide["system"].to_pylist(), dtype=str)
    scores = np.column_stack([wide[name].to_numpy() for name in metrics])
    weights = wide["weight"].to_numpy()
    genres = np.array(wide["genre"].to_pylist(), dtype=str)
    groups = {
        "genres": [(str(genre), genres == genre) for genre in np.unique(genres)],
        "lengths": thirds(wide["words"].to_numpy()),
    }
    return {
        "metrics": metrics,
        **{kind: [name for name, _ in parts] for kind, parts in groups.items()},
        "systems": [
            _system(str(system), systems == system, wide["source"], _Weighted(scores, weights), metrics, groups)
            for system in np.unique(systems)
        ],
    }


@dataclass(frozen=True)
class _Weighted:
    """Scores of texts (n, m), and how often each text counts (n)."""

    scores: FloatArray
    weights: IntArray

    def rows(self, chosen: BoolArray) -> _Weighted:
        return _Weighted(self.scores[chosen], self.weights[chosen])

    def mean(self, chosen: BoolArray) -> FloatArray:
        return np.average(self.scores[chosen], axis=0, weights=self.weights[chosen])


def _system(
    name: str, own: BoolArray, source: pa.ChunkedArray, scores: _Weighted, metrics: list[str], groups: Groups
) -> dict[str, Any]:
    low, high = _intervals(np.array(source.filter(pa.array(own)).to_pylist(), dtype=str), scores.rows(own))
    return {
        "system": name,
        "outputs": int(scores.weights[own].sum()),
        "means": _by_metric(metrics, scores.mean(own)),
        "low": _by_metric(metrics, low),
        "high": _by_metric(metrics, high),
        **{
            kind: {name: _part(own & chosen, scores, metrics) for name, chosen in parts if (own & chosen).any()}
            for kind, parts in groups.items()
        },
    }


def _part(chosen: BoolArray, scores: _Weighted, metrics: list[str]) -> dict[str, Any]:
    return {"outputs": int(scores.weights[chosen].sum()), "means": _by_metric(metrics, scores.mean(chosen))}


def _by_metric(metrics: list[str], values: FloatArray) -> dict[str, float]:
    return dict(zip(metrics, map(float, values), strict=True))


def _intervals(source: npt.NDArray[np.str_], scores: _Weighted) -> tuple[FloatArray, FloatArray]:
    """Return 95% intervals of the means from resampling sources, each with all of its outputs."""
    _, index = np.unique(source, return_inverse=True)
    number = np.bincount(index, scores.weights)
    sums = np.zeros((len(number), scores.scores.shape[1]))
    np.add.at(sums, index, scores.scores * scores.weights[:, None])
    rng = np.random.default_rng(SEED)
    means = np.concatenate(
        [
            times @ sums / (times @ number)[:, None]
            for times in resampled(np.ones(len(number), np.int64), REPLICATIONS, rng)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return low, high
