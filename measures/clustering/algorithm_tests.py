"""Which algorithm finds communities that are nearer to those of people: tests over documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.paired import DRAWS, NO_PAIRS, PairedTests, paired_tests


@dataclass(frozen=True)
class AlgorithmPair:
    """Two algorithms compared over the documents for which both have a value.

    Attributes
    ----------
    one, other : str
        Their names.
    documents, left_out : int
        Numbers of documents that are compared, and of those without a value of one of the two.
    tests : PairedTests or Undefined
        Tests of the value of one minus that of the other: paired t with its interval, d_z, signed ranks, permutation;
        undefined without a document.
    t_holm, signed_rank_holm, permutation_holm : float or Undefined
        The p of three tests, each by Holm over all pairs of algorithms for which that test is defined.
    """

    one: str
    other: str
    documents: int
    left_out: int
    tests: PairedTests | Undefined
    t_holm: float | Undefined
    signed_rank_holm: float | Undefined
    permutation_holm: float | Undefined


def algorithm_tests(values: Mapping[str, npt.ArrayLike], *, draws: int = DRAWS, seed: int) -> list[AlgorithmPair]:
    """Compare algorithms two by two over documents.

    Source: Murray et al. 2012, section 7.2, for the paired t; signed ranks, permutation, d_z and Holm's correction are
    not in the paper.

    Parameters
    ----------
    values : mapping of str to array_like of shape (n,)
        For each algorithm, a value for each document, such as the median of the Omega index over relabelled copies; NaN
        where it is undefined.
    draws : int, default 10_000
        Draws of the permutation tests, and of the intervals.
    seed : int
        Seed of these draws.

    Returns
    -------
    list of AlgorithmPair
        Every two algorithms, in the order of `values`.

    Raises
    ------
    ValueError
        If the algorithms have not as many values, or one is infinite.

    Examples
    --------
    >>> omega = {"CONGA": [0.3, 0.5, 0.4, 0.6, 0.5], "CONGO": [0.2, 0.3, 0.4, 0.4, float("nan")]}
    >>> (found,) = algorithm_tests(omega, seed=1)
    >>> found.documents, found.left_out, round(found.tests.mean, 3), round(found.tests.t.p, 3)
    (4, 1, 0.125, 0.08)
    """
    table = {name: np.asarray(its, dtype=np.float64) for name, its in values.items()}
    if len({its.shape for its in table.values()}) > 1 or any(its.ndim != 1 for its in table.values()):
        raise ValueError("every algorithm needs a list of one value for each document")
    pairs = [(one, other, table[one] - table[other]) for one, other in combinations(table, 2)]
    found = [_tests(differences, draws, seed) for _, _, differences in pairs]
    t, ranks, flips = (_family(found, p) for p in (_p_of_t, _p_of_ranks, _p_of_flips))
    return [
        AlgorithmPair(
            one,
            other,
            documents=int((~np.isnan(differences)).sum()),
            left_out=int(np.isnan(differences).sum()),
            tests=tests,
            t_holm=t[place],
            signed_rank_holm=ranks[place],
            permutation_holm=flips[place],
        )
        for place, ((one, other, differences), tests) in enumerate(zip(pairs, found, strict=True))
    ]


def _tests(differences: FloatArray, draws: int, seed: int) -> PairedTests | Undefined:
    known = differences[~np.isnan(differences)]
    return paired_tests(known, draws=draws, seed=seed) if len(known) else NO_PAIRS


def _family(
    found: list[PairedTests | Undefined], p_of: Callable[[PairedTests], float | Undefined]
) -> list[float | Undefined]:
    p = [each if isinstance(each, Undefined) else p_of(each) for each in found]
    adjusted = holm([np.nan if isinstance(each, Undefined) else each for each in p])
    return [each if isinstance(each, Undefined) else float(its) for each, its in zip(p, adjusted, strict=True)]


def _p_of_t(tests: PairedTests) -> float | Undefined:
    return tests.t if isinstance(tests.t, Undefined) else tests.t.p


def _p_of_ranks(tests: PairedTests) -> float:
    return tests.signed_rank.p


def _p_of_flips(tests: PairedTests) -> float:
    return tests.permutation_p
