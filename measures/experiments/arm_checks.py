"""Whether people fell into arms as they were drawn: by numbers, by what they are, and by who stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.undefined import Undefined

WRONGLY_DRAWN = 0.001
MARKED = 0.1
ONE_PERSON = Undefined("an arm has fewer than two people with this value")
NO_SPREAD = Undefined("the value is the same for everybody of both arms")
NOBODY = Undefined("nobody has been drawn")


@dataclass(frozen=True)
class CountCheck:
    """Whether arms were drawn equally often.

    Attributes
    ----------
    counts : mapping of str to int
        By arm.
    chi2 : float
        Pearson's statistic against equal numbers.
    df : int
        Degrees of freedom.
    p : float
        p-value.
    """

    counts: Mapping[str, int]
    chi2: float
    df: int
    p: float

    @property
    def drawn_wrongly(self) -> bool:
        """Whether p is below .001: so uneven by chance once in a thousand draws without blocks, or less often."""
        return self.p < WRONGLY_DRAWN


def count_check(counts: Mapping[str, int]) -> CountCheck | Undefined:
    """Test whether arms were drawn equally often.

    Parameters
    ----------
    counts : mapping of str to int
        People or tasks drawn into each of two or more arms, those lost later included.

    Returns
    -------
    CountCheck or Undefined
        Undefined while nobody has been drawn.

    Raises
    ------
    ValueError
        If there are fewer than two arms, or a count is negative.

    Examples
    --------
    >>> check = count_check({"three": 60, "five": 20})
    >>> check.chi2, check.df, check.drawn_wrongly
    (20.0, 1, True)
    """
    numbers = list(counts.values())
    if len(numbers) < 2 or min(numbers) < 0:
        raise ValueError("two or more arms with counts from 0")
    if not any(numbers):
        return NOBODY
    test = scipy.stats.chisquare(numbers)
    return CountCheck(dict(counts), float(test.statistic), len(numbers) - 1, float(test.pvalue))


@dataclass(frozen=True)
class ArmDifference:
    """How far two arms differ in something that was known before the draw.

    Attributes
    ----------
    first, second : str
        The arms.
    means : tuple of (float, float)
        Means of the arms.
    value : float or Undefined
        Their difference, first less second, in standard deviations; undefined where an arm has fewer than two values,
        or all are the same.
    """

    first: str
    second: str
    means: tuple[float, float]
    value: float | Undefined

    @property
    def marked(self) -> bool:
        """Whether it is above .1 of a standard deviation, in either direction."""
        return not isinstance(self.value, Undefined) and abs(self.value) > MARKED


def standardised_differences(values: npt.ArrayLike, arms: Sequence[str]) -> list[ArmDifference]:
    """Compare every two arms in something that was known before the draw.

    There are no tests: where arms are drawn, a difference is chance, and what matters is its size.

    Source: Austin 2009, "Balance diagnostics for comparing the distribution of baseline covariates between treatment
    groups in propensity-score matched samples", for the measure and for .1.

    Parameters
    ----------
    values : array_like of shape (n,)
        A number for each person, or 1 and 0 for yes and no; NaN where it is not known.
    arms : sequence of str, of length n
        The arm of each.

    Returns
    -------
    list of ArmDifference
        One for each pair of arms, in the order of their names.

    Raises
    ------
    ValueError
        If lengths differ.

    Examples
    --------
    >>> (found,) = standardised_differences([30, 40, 50, 30, 45, 60], ["a", "a", "a", "b", "b", "b"])
    >>> found.means, round(found.value, 3), found.marked
    ((40.0, 45.0), -0.392, True)
    """
    numbers, names = np.asarray(values, dtype=np.float64), np.asarray(arms)
    if numbers.ndim != 1 or numbers.shape != names.shape:
        raise ValueError(f"an arm for each value: {numbers.shape} is not {names.shape}")
    of_arm = {str(arm): numbers[(names == arm) & ~np.isnan(numbers)] for arm in np.unique(names)}
    found = []
    for (first, one), (second, other) in combinations(of_arm.items(), 2):
        means = tuple(float(each.mean()) if len(each) else float("nan") for each in (one, other))
        value: float | Undefined = ONE_PERSON
        if min(len(one), len(other)) > 1:
            spread = float(np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2))
            value = (means[0] - means[1]) / spread if spread else NO_SPREAD
        found.append(ArmDifference(first, second, (means[0], means[1]), value))
    return found


@dataclass(frozen=True)
class ArmLoss:
    """How many of those drawn into an arm are not in the analysis.

    Attributes
    ----------
    arm : str
        The arm.
    drawn, lost : int
        Numbers.
    low, high : float
        95% interval of the share lost (Wilson).
    """

    arm: str
    drawn: int
    lost: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Share lost."""
        return self.lost / self.drawn


def loss_by_arm(drawn: Mapping[str, int], kept: Mapping[str, int]) -> list[ArmLoss]:
    """Count who was lost, arm by arm: arms that lose people differently are no longer alike.

    Parameters
    ----------
    drawn : mapping of str to int
        People or tasks drawn into each arm.
    kept : mapping of str to int
        Those of them that are in the analysis; an arm that is not there counts as 0.

    Returns
    -------
    list of ArmLoss
        One for each arm with anybody in it, in the order given.

    Raises
    ------
    ValueError
        If an arm keeps more than were drawn into it.

    Examples
    --------
    >>> (first, second) = loss_by_arm({"three": 20, "five": 20}, {"three": 20, "five": 15})
    >>> second.share, round(second.low, 3), round(second.high, 3)
    (0.25, 0.112, 0.469)
    """
    for arm in {*drawn, *kept}:
        if not 0 <= kept.get(arm, 0) <= drawn.get(arm, 0):
            raise ValueError(f"arm {arm!r} keeps {kept.get(arm, 0)} of {drawn.get(arm, 0)}")
    found = []
    for arm, number in drawn.items():
        if number:
            lost = number - kept.get(arm, 0)
            ends = scipy.stats.binomtest(lost, number).proportion_ci(method="wilson")
            found.append(ArmLoss(arm, number, lost, float(ends.low), float(ends.high)))
    return found
