"""The summary of scores that the page shows: means by system with intervals, by genre and by length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.intervals import resampled
from measures.metrics.options import Ground
from measures.sampling.terciles import thirds
from scoring.entries import ALL, JACKKNIFED, PEOPLE
from scoring.parquet_tables import ABOUT

if TYPE_CHECKING:
    import pyarrow as pa

REPLICATIONS, SEED = 1000, 2016
Names = npt.NDArray[np.str_]
Groups = Mapping[str, Sequence[tuple[str, BoolArray]]]


def summary_of(wide: pa.Table) -> dict[str, Any]:
    """Summarise scores by system, by all references and under "jackknifed" on the same ground.

    Each has by system the number of outputs, and metric means with 95% bootstrap intervals over the sources, also
    the means within each genre and each third of the source lengths; "genres" and "lengths" list these in order.
    By all references a text counts by its weight: once, or for each of its editors. Jackknifed, only sources count
    that all systems and people have in common, each once; "sources" is their number, and "coverage" the number that
    each has for itself.
    """
    metrics = [name for name in wide.column_names if name not in ABOUT]
    rows = _Rows.of(wide, metrics)
    by_all, jackknifed = (
        rows.chosen(on_ground(rows.systems, rows.sources, rows.grounds, ground)) for ground in (ALL, JACKKNIFED)
    )
    return {
        "metrics": metrics,
        **_section(by_all, metrics),
        "jackknifed": {
            "sources": len(np.unique(jackknifed.sources)),
            "coverage": _coverage(rows.chosen(rows.grounds == JACKKNIFED)),
            **_section(jackknifed.with_equal_sources(), metrics),
        },
    }


def names_of(wide: pa.Table) -> tuple[Names, Names, Names]:
    """Return the system, the source and the ground of each row."""
    systems, sources, grounds = (_names(wide[name]) for name in ("system", "source", "ground"))
    return systems, sources, grounds


def _names(column: pa.ChunkedArray) -> Names:
    """Return the names in a column, of which most stand there many times."""
    coded = column.combine_chunks().dictionary_encode()
    named: Names = np.array(coded.dictionary.to_pylist(), dtype=str)[coded.indices.to_numpy()]
    return named


def on_ground(systems: Names, sources: Names, grounds: Names, ground: Ground) -> BoolArray:
    """Return which rows a table shows: jackknifed, those of the sources that all who are jackknifed have.

    Texts by people have all references but their own in both tables.
    """
    is_jackknifed = grounds == JACKKNIFED
    if ground != JACKKNIFED:
        return np.asarray(~is_jackknifed | (systems == PEOPLE))
    common = set(sources[is_jackknifed].tolist())
    for system in np.unique(systems[is_jackknifed]):
        common &= set(sources[is_jackknifed & (systems == system)].tolist())
    return np.asarray(is_jackknifed & np.isin(sources, sorted(common)))


@dataclass(frozen=True)
class _Rows:
    """Scored texts (n), their scores (n, m), and how often each counts in means (n)."""

    systems: Names
    sources: Names
    genres: Names
    grounds: Names
    words: IntArray
    scores: FloatArray
    texts: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, wide: pa.Table, metrics: list[str]) -> _Rows:
        systems, sources, grounds = names_of(wide)
        genres = np.array(wide["genre"].to_pylist(), dtype=str)
        texts = wide["weight"].to_numpy()
        scores = np.column_stack([wide[name].to_numpy() for name in metrics])
        words = wide["words"].to_numpy()
        return cls(systems, sources, genres, grounds, words, scores, texts, texts.astype(np.float64))

    def chosen(self, chosen: BoolArray) -> _Rows:
        return _Rows(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def with_equal_sources(self) -> _Rows:
        """The same with weights that sum to 1 in each source of a system, however many texts people wrote for it."""
        (_, system), (known, source) = (np.unique(each, return_inverse=True) for each in (self.systems, self.sources))
        index = system * len(known) + source
        return replace(self, weights=self.weights / np.bincount(index, self.weights)[index])

    def means(self) -> FloatArray:
        return np.asarray(np.average(self.scores, axis=0, weights=self.weights))


def _coverage(rows: _Rows) -> list[tuple[str, int]]:
    """Return the number of sources of each system; a list, since a database may order the keys of an object anew."""
    return [(str(system), len(np.unique(rows.sources[rows.systems == system]))) for system in np.unique(rows.systems)]


def _section(rows: _Rows, metrics: list[str]) -> dict[str, Any]:
    groups = {
        "genres": [(str(genre), rows.genres == genre) for genre in np.unique(rows.genres)],
        "lengths": thirds(rows.words),
    }
    return {
        **{kind: [name for name, _ in parts] for kind, parts in groups.items()},
        "systems": [_system(str(system), rows, metrics, groups) for system in np.unique(rows.systems)],
    }


def _system(name: str, rows: _Rows, metrics: list[str], groups: Groups) -> dict[str, Any]:
    own = rows.systems == name
    low, high = _intervals(rows.chosen(own))
    return {
        "system": name,
        **_part(rows.chosen(own), metrics),
        "low": _by_metric(metrics, low),
        "high": _by_metric(metrics, high),
        **{
            kind: {part: _part(rows.chosen(own & mask), metrics) for part, mask in parts if (own & mask).any()}
            for kind, parts in groups.items()
        },
    }


def _part(rows: _Rows, metrics: list[str]) -> dict[str, Any]:
    return {"outputs": int(rows.texts.sum()), "means": _by_metric(metrics, rows.means())}


def _by_metric(metrics: list[str], values: FloatArray) -> dict[str, float]:
    return dict(zip(metrics, map(float, values), strict=True))


def _intervals(rows: _Rows) -> tuple[FloatArray, FloatArray]:
    """Return 95% intervals of the means from resampling sources, each with all of its outputs."""
    _, index = np.unique(rows.sources, return_inverse=True)
    number = np.bincount(index, rows.weights)
    sums = np.zeros((len(number), rows.scores.shape[1]))
    np.add.at(sums, index, rows.scores * rows.weights[:, None])
    rng = np.random.default_rng(SEED)
    means = np.concatenate(
        [
            times @ sums / (times @ number)[:, None]
            for times in resampled(np.ones(len(number), np.int64), REPLICATIONS, rng)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return low, high
