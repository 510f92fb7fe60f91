"""The summary of scores that the page shows: means by system with intervals, by genre and by length."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from measures.core.arrays import BoolArray, FloatArray
from measures.core.intervals import resampled
from measures.sampling.terciles import thirds
from scoring.parquet_tables import ABOUT

REPLICATIONS, SEED = 1000, 2016
Groups = Mapping[str, Sequence[tuple[str, BoolArray]]]


def summary_of(parts: Iterable[Path]) -> dict[str, Any]:
    """Summarise scores by system: number of outputs, and metric means with 95% bootstrap intervals over the sources.

    Also gives the means within each genre and each third of the source lengths; "genres" and "lengths" list these in
    order.
    """
    wide = pa.concat_tables([pq.read_table(part) for part in parts])
    metrics = [name for name in wide.column_names if name not in ABOUT]
    systems = np.array(wide["system"].to_pylist(), dtype=str)
    scores = np.column_stack([wide[name].to_numpy() for name in metrics])
    genres = np.array(wide["genre"].to_pylist(), dtype=str)
    groups = {
        "genres": [(str(genre), genres == genre) for genre in np.unique(genres)],
        "lengths": thirds(wide["words"].to_numpy()),
    }
    return {
        "metrics": metrics,
        **{kind: [name for name, _ in parts] for kind, parts in groups.items()},
        "systems": [
            _system(str(system), systems == system, wide["source"], scores, metrics, groups)
            for system in np.unique(systems)
        ],
    }


def _system(
    name: str, own: BoolArray, source: pa.ChunkedArray, scores: FloatArray, metrics: list[str], groups: Groups
) -> dict[str, Any]:
    low, high = _intervals(np.array(source.filter(pa.array(own)).to_pylist(), dtype=str), scores[own])
    return {
        "system": name,
        "outputs": int(own.sum()),
        "means": _by_metric(metrics, scores[own].mean(axis=0)),
        "low": _by_metric(metrics, low),
        "high": _by_metric(metrics, high),
        **{
            kind: {name: _part(own & chosen, scores, metrics) for name, chosen in parts if (own & chosen).any()}
            for kind, parts in groups.items()
        },
    }


def _part(chosen: BoolArray, scores: FloatArray, metrics: list[str]) -> dict[str, Any]:
    return {"outputs": int(chosen.sum()), "means": _by_metric(metrics, scores[chosen].mean(axis=0))}


def _by_metric(metrics: list[str], values: FloatArray) -> dict[str, float]:
    return dict(zip(metrics, map(float, values), strict=True))


def _intervals(source: npt.NDArray[np.str_], scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return 95% intervals of the means from resampling sources, each with all of its outputs."""
    _, index, number = np.unique(source, return_inverse=True, return_counts=True)
    sums = np.zeros((len(number), scores.shape[1]))
    np.add.at(sums, index, scores)
    rng = np.random.default_rng(SEED)
    means = np.concatenate(
        [
            times @ sums / (times @ number)[:, None]
            for times in resampled(np.ones(len(number), np.int64), REPLICATIONS, rng)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return low, high
