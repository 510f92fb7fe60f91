"""Which of two scales tells more systems, or editors, apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.paired import paired_t
from measures.experiments.scale_arms import ScaleArm
from measures.experiments.small_samples import TTest

LEVEL = 0.05


@dataclass(frozen=True)
class SystemPair:
    """Two systems, or editors, and whether an arm tells them apart.

    Attributes
    ----------
    first, second : object
        Their names.
    test : TTest or Undefined
        Paired t of the second less the first over sources.
    p_holm : float or Undefined
        Its p, corrected for all pairs of the arm (Holm).
    """

    first: object
    second: object
    test: TTest | Undefined
    p_holm: float | Undefined

    @property
    def apart(self) -> bool:
        """Whether p is below .05, uncorrected."""
        return not isinstance(self.test, Undefined) and self.test.p < LEVEL


def system_pairs(arm: ScaleArm, sources: npt.ArrayLike, systems: npt.ArrayLike) -> list[SystemPair]:
    """Test every two systems by their mean ratings of the sources that both have.

    Parameters
    ----------
    arm : ScaleArm
        The ratings of n texts.
    sources, systems : array_like of shape (n,)
        The source of each text, and the system or editor that it is by.

    Returns
    -------
    list of SystemPair
        For each pair, in the order of the names.

    Raises
    ------
    ValueError
        If lengths differ.

    Examples
    --------
    >>> from measures.experiments.scale_arms import scale_arm
    >>> arm = scale_arm([[1, 1], [2, 3], [1, 2], [3, 3], [2, 2], [3, 2]], categories=3)
    >>> (pair,) = system_pairs(arm, [0, 0, 1, 1, 2, 2], ["a", "b"] * 3)
    >>> round(pair.test.p, 3), pair.apart
    (0.073, False)
    """
    means = arm.means
    of_source, of_system = np.asarray(sources), np.asarray(systems)
    if of_source.shape != means.shape or of_system.shape != means.shape:
        raise ValueError("a source and a system for each text")
    rated = ~np.isnan(means)
    _, place = np.unique(of_source, return_inverse=True)
    names, column = np.unique(of_system, return_inverse=True)
    shape = int(place.max(initial=-1)) + 1, len(names)
    code = place[rated] * len(names) + column[rated]
    number = np.bincount(code, minlength=shape[0] * shape[1])
    table = np.where(number > 0, np.bincount(code, means[rated], minlength=len(number)) / np.maximum(number, 1), np.nan)
    table = table.reshape(shape)
    found = []
    for one, other in combinations(range(len(names)), 2):
        differences = table[:, other] - table[:, one]
        found.append((names[one].item(), names[other].item(), paired_t(differences[~np.isnan(differences)])))
    corrected = holm([np.nan if isinstance(test, Undefined) else test.p for *_, test in found])
    return [
        SystemPair(first, second, test, test if isinstance(test, Undefined) else p)
        for (first, second, test), p in zip(found, corrected.tolist(), strict=True)
    ]


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> float | Undefined:
    """Test whether one of two arms tells more pairs apart than the other, exactly.

    Source: McNemar 1947, "Note on the sampling error of the difference between correlated proportions or percentages".

    Parameters
    ----------
    one, other : sequence of bool
        Whether each arm tells each pair apart.

    Returns
    -------
    float or Undefined
        Two-sided p; undefined if the arms tell the same pairs apart.

    Raises
    ------
    ValueError
        If lengths differ.

    Examples
    --------
    >>> mcnemar([True] * 6 + [False], [False] * 6 + [False])
    0.03125
    """
    unlike = [mine for mine, theirs in zip(one, other, strict=True) if bool(mine) != bool(theirs)]
    if not unlike:
        return Undefined("both arms tell the same pairs apart")
    return float(scipy.stats.binomtest(sum(map(bool, unlike)), len(unlike)).pvalue)
