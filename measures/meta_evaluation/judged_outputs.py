"""Outputs of systems with scores of metrics and a quality that people gave them: the input of everything here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import isfinite
from typing import NamedTuple

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.meta_evaluation.system_differences import Missing, PairDifferences, pair_differences


class ScoreRecord(NamedTuple):
    """The value of one metric for one output.

    Attributes
    ----------
    input, system : str
        The output: what a system made of an input.
    metric : str
        Name of the metric.
    value : float
        Its value.
    """

    input: str
    system: str
    metric: str
    value: float


class QualityRecord(NamedTuple):
    """The quality or the length of one output.

    Attributes
    ----------
    input, system : str
        The output.
    value : float
        The mean of its ratings, or its length.
    """

    input: str
    system: str
    value: float


class SystemDifferences(NamedTuple):
    """Differences between two systems, first minus second, on the inputs on which they are compared.

    Attributes
    ----------
    scores : FloatArray of shape (m, k)
        Of each metric, to 12 decimals; a row of NaN for a metric without any value on this pair.
    quality : FloatArray of shape (k,)
        Of the quality, to 9 decimals.
    inputs : IntArray of shape (k,)
        Places of the inputs.
    """

    scores: FloatArray
    quality: FloatArray
    inputs: IntArray

    @classmethod
    def of(cls, found: PairDifferences, pair: int) -> SystemDifferences:
        """Take those of one pair, given by its place."""
        places = np.flatnonzero(found.used[pair])
        scores = np.where(found.scored[:, pair, None], found.scores[:, pair][:, places], np.nan)
        return cls(scores, found.quality[pair, places], places)


@dataclass(frozen=True, eq=False)
class JudgedOutputs:
    """Scores and one judgement of the outputs of systems for inputs.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics.
    systems : tuple of str
        Names of the systems in their order.
    inputs : tuple of str
        Names of the inputs.
    scores : FloatArray of shape (m, s, n)
        Value of each metric for each output, larger is better; NaN where missing.
    quality : FloatArray of shape (s, n)
        One judgement (meaning, grammar or both) of each output; NaN where missing.
    lengths : FloatArray of shape (s, n) or None
        Length of each output, in any unit; NaN where unknown.

    Raises
    ------
    ValueError
        If the shapes do not fit, a name occurs twice, the systems are not in the order of their names, or a value is
        infinite.

    Examples
    --------
    >>> scores = [[[0.1, 0.4, 0.2], [0.3, np.nan, 0.9]]]
    >>> outputs = JudgedOutputs(("R",), ("A", "B"), ("x", "y", "z"), np.array(scores), np.array([[1, 2, 3], [3, 2, 1]]))
    >>> outputs.pair_names, outputs.differences(0, 1).scores.tolist(), outputs.differences(0, 1).inputs.tolist()
    ((('A', 'B'),), [[-0.2, -0.7]], [0, 2])
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    inputs: tuple[str, ...]
    scores: FloatArray
    quality: FloatArray
    lengths: FloatArray | None = None

    def __post_init__(self) -> None:
        outputs = (len(self.systems), len(self.inputs))
        arrays = {"scores": self.scores, "quality": self.quality, "lengths": self.lengths}
        shapes = {"scores": (len(self.metrics), *outputs), "quality": outputs, "lengths": outputs}
        for name, array in arrays.items():
            if array is None:
                continue
            if array.shape != shapes[name]:
                raise ValueError(f"{name} must be of shape {shapes[name]}, not {array.shape}")
            if np.isinf(array).any():
                raise ValueError(f"{name} must be finite, or NaN where missing")
        for kind, names in (("metric", self.metrics), ("system", self.systems), ("input", self.inputs)):
            if len(set(names)) < len(names):
                raise ValueError(f"each {kind} needs a name of its own")
        if any(first > second for first, second in pairwise(self.systems)):
            raise ValueError("the systems must be in the order of their names")

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every unordered pair of systems, as places, in the order of their names."""
        return tuple(combinations(range(len(self.systems)), 2))

    @property
    def pair_names(self) -> tuple[tuple[str, str], ...]:
        """Names of the systems of each pair."""
        return tuple(combinations(self.systems, 2))

    def differences(self, a: int, b: int, *, missing: Missing = "by pair") -> SystemDifferences:
        """Subtract the scores and quality of one system from those of another.

        Parameters
        ----------
        a, b : int
            Places of the two systems, the smaller one first.
        missing : {"by pair", "complete"}
            Take the inputs where both outputs have the quality and all metrics, or those where all systems have. A
            metric that has no value at all on this pair takes away no input: its row is NaN.

        Returns
        -------
        SystemDifferences
            The differences.

        Raises
        ------
        ValueError
            If these are not two systems in their order.
        """
        if (a, b) not in self.pairs:
            raise ValueError(f"{a} and {b} are not the places of two systems in their order")
        pair = np.array([[a, b]], dtype=np.int64)
        return SystemDifferences.of(pair_differences(self.scores, self.quality, missing=missing, pairs=pair), 0)

    def pair_differences(self, *, missing: Missing = "by pair") -> PairDifferences:
        """Subtract the outputs of every pair of systems: the one rule for what is missing; see `pair_differences`."""
        return pair_differences(self.scores, self.quality, missing=missing)

    def of_metrics(self, names: Sequence[str]) -> JudgedOutputs:
        """Return the same outputs with only these metrics, in this order.

        Raises
        ------
        ValueError
            If there is no metric of a name.
        """
        unknown = [each for each in names if each not in self.metrics]
        if unknown:
            raise ValueError(f"there is no metric called {unknown[0]}")
        places = [self.metrics.index(each) for each in names]
        return replace(self, metrics=tuple(names), scores=self.scores[places])

    def of_inputs(self, places: IntArray | Sequence[int]) -> JudgedOutputs:
        """Return the outputs for some inputs, given by their places, such as those of a genre."""
        chosen = np.asarray(places, dtype=np.int64)
        return replace(
            self,
            inputs=tuple(self.inputs[each] for each in chosen),
            scores=self.scores[:, :, chosen],
            quality=self.quality[:, chosen],
            lengths=None if self.lengths is None else self.lengths[:, chosen],
        )


def arrange_outputs(
    scores: Iterable[ScoreRecord | tuple[str, str, str, float]],
    qualities: Iterable[QualityRecord | tuple[str, str, float]],
    *,
    lengths: Iterable[QualityRecord | tuple[str, str, float]] | None = None,
    smaller_is_better: Iterable[str] = (),
) -> JudgedOutputs:
    """Arrange records, each of one value, in arrays.

    Inputs are all that have a score, in the order of their names; so are systems. Outputs without a quality stay:
    metrics may be averaged over them.

    Parameters
    ----------
    scores : iterable of ScoreRecord
        Input, system, metric, value.
    qualities : iterable of QualityRecord
        Input, system, value: the mean rating of each output.
    lengths : iterable of QualityRecord, optional
        Input, system, length.
    smaller_is_better : iterable of str
        Metrics whose values are negated.

    Returns
    -------
    JudgedOutputs
        The arrays.

    Raises
    ------
    ValueError
        If a value occurs twice or is not finite, a quality or length is of an input or system without any score, or a
        metric of `smaller_is_better` is unknown.

    Examples
    --------
    >>> scores = [("x", "A", "R", 0.1), ("x", "B", "R", 0.3), ("y", "A", "R", 0.4)]
    >>> outputs = arrange_outputs(scores, [("x", "A", 2.5), ("x", "B", 3)])
    >>> outputs.systems, outputs.scores.tolist(), outputs.quality.tolist()
    (('A', 'B'), [[[0.1, 0.4], [0.3, nan]]], [[2.5, nan], [3.0, nan]])
    >>> arrange_outputs(scores, [("x", "C", 2.5)])
    Traceback (most recent call last):
        ...
    ValueError: system 'C' has a quality but no score
    """
    rows = [ScoreRecord(*each) for each in scores]
    metrics = {name: place for place, name in enumerate(dict.fromkeys(each.metric for each in rows))}
    systems = {name: place for place, name in enumerate(sorted({each.system for each in rows}))}
    inputs = {name: place for place, name in enumerate(sorted({each.input for each in rows}))}
    values = np.full((len(metrics), len(systems), len(inputs)), np.nan)
    for row in rows:
        place = metrics[row.metric], systems[row.system], inputs[row.input]
        _put(values, place, row.value, f"{row.metric} of system {row.system!r} for input {row.input!r}")
    for name in smaller_is_better:
        if name not in metrics:
            raise ValueError(f"there is no metric called {name}")
        values[metrics[name]] *= -1
    return JudgedOutputs(
        tuple(metrics),
        tuple(systems),
        tuple(inputs),
        values,
        _by_output(qualities, systems, inputs, "quality"),
        None if lengths is None else _by_output(lengths, systems, inputs, "length"),
    )


def _by_output(
    records: Iterable[QualityRecord | tuple[str, str, float]],
    systems: Mapping[str, int],
    inputs: Mapping[str, int],
    what: str,
) -> FloatArray:
    values = np.full((len(systems), len(inputs)), np.nan)
    for record in records:
        row = QualityRecord(*record)
        if row.system not in systems:
            raise ValueError(f"system {row.system!r} has a {what} but no score")
        if row.input not in inputs:
            raise ValueError(f"input {row.input!r} has a {what} but no score")
        place = systems[row.system], inputs[row.input]
        _put(values, place, row.value, f"{what} of system {row.system!r} for input {row.input!r}")
    return values


def _put(values: FloatArray, place: tuple[int, ...], value: float, what: str) -> None:
    if not isfinite(value):
        raise ValueError(f"the {what} is {value}: it must be a finite number")
    if not np.isnan(values[place]):
        raise ValueError(f"the {what} is there twice")
    values[place] = value
