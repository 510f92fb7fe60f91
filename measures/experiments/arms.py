"""Arms of an experiment: how people or tasks are drawn into them, and whether the draw went as it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.seeded_order import seeded_key
from measures.core.undefined import Undefined

LEAST_HAD_CHANCE = 0.8
"""With this chance a task goes to the arm that its person had least."""
WRONGLY_DRAWN = 0.001
MARKED = 0.1
ONE_PERSON = Undefined("an arm has fewer than two people with this value")
NO_SPREAD = Undefined("the value is the same for everybody of both arms")
NOBODY = Undefined("nobody has been drawn")
_KEYS = 16**64


def next_arm_of_person(arms: Sequence[str], drawn: Sequence[str], *, seed: int, stratum: str = "") -> str:
    """Return the arm of the next person of a stratum.

    People come in blocks that hold each arm once or twice, in an order drawn from the seed. The size of a block is
    drawn too, so that nobody who knows the arms so far knows the next for sure.

    Source: Matts and Lachin 1988, "Properties of permuted-block randomization in clinical trials".

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    drawn : sequence of str
        The arms of the people of the stratum so far, in the order in which they were drawn.
    seed : int
        Seed of the draw; on any machine the same seed gives the same arms.
    stratum : str, default ""
        The stratum. Each has blocks of its own.

    Returns
    -------
    str
        One of the arms.

    Raises
    ------
    ValueError
        If there are fewer than two arms or one stands twice, or `drawn` is not what this seed draws.

    Examples
    --------
    >>> drawn = []
    >>> for person in range(6):
    ...     drawn.append(next_arm_of_person(["three", "five"], drawn, seed=1))
    >>> drawn
    ['three', 'three', 'five', 'five', 'five', 'three']
    """
    stream = _person_stream(_checked(arms), seed, stratum)
    for place, arm in enumerate(drawn):
        expected = next(stream)
        if arm != expected:
            raise ValueError(f"person {place + 1} of stratum {stratum!r} was drawn into {arm!r}, not {expected!r}")
    return next(stream)


def arms_of_people(arms: Sequence[str], strata: Sequence[str], *, seed: int) -> list[str]:
    """Return the arms of people in the order in which they come, as `next_arm_of_person` draws them one by one.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    strata : sequence of str
        The stratum of each person.
    seed : int
        Seed of the draw.

    Returns
    -------
    list of str
        The arm of each person.

    Raises
    ------
    ValueError
        If there are fewer than two arms, or one stands twice.

    Examples
    --------
    >>> sorted(arms_of_people(["a", "b"], ["new", "old", "new", "old"], seed=3))
    ['a', 'a', 'b', 'b']
    """
    checked = _checked(arms)
    streams = {stratum: _person_stream(checked, seed, stratum) for stratum in set(strata)}
    return [next(streams[stratum]) for stratum in strata]


def next_arm_of_task(
    arms: Sequence[str], drawn: Sequence[str], had: Mapping[str, int], *, seed: int, source: str
) -> str:
    """Return the arm of the next task with a source.

    The tasks of a source come in blocks that hold each arm once. Of the arms still open in the block it is, with chance
    .8, one of those that the person had least; else any of them.

    Source: Pocock and Simon 1975, "Sequential treatment assignment with balancing for prognostic factors in the
    controlled clinical trial", with blocks of sources.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    drawn : sequence of str
        The arms of the tasks of this source so far.
    had : mapping of str to int
        How many tasks of each arm this person had; an arm that is not there counts as 0.
    seed : int
        Seed of the draw; on any machine the same seed gives the same arms.
    source : str
        The source.

    Returns
    -------
    str
        One of the arms.

    Raises
    ------
    ValueError
        If there are fewer than two arms or one stands twice, or `drawn` holds another arm or one of them twice in a
        block.

    Examples
    --------
    >>> next_arm_of_task(["plain", "draft"], ["draft"], {"plain": 7}, seed=1, source="s1")
    'plain'
    """
    checked = _checked(arms)
    block = drawn[len(drawn) - len(drawn) % len(checked) :]
    if not set(drawn) <= set(checked) or len(set(block)) < len(block):
        raise ValueError(f"the arms of source {source!r} were not drawn in blocks of {', '.join(checked)}")
    still_open = [arm for arm in checked if arm not in block]
    least = min(had.get(arm, 0) for arm in still_open)
    name = f"task:{source}:{len(drawn)}"
    among = still_open
    if int(seeded_key(seed, name), 16) < LEAST_HAD_CHANCE * _KEYS:
        among = [arm for arm in still_open if had.get(arm, 0) == least]
    return min(among, key=lambda arm: seeded_key(seed, f"{name}:{checked.index(arm)}"))


def arms_of_tasks(arms: Sequence[str], sources: Sequence[str], people: Sequence[str], *, seed: int) -> list[str]:
    """Return the arms of tasks in the order in which they are given out, as `next_arm_of_task` draws them one by one.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    sources, people : sequence of str
        The source and the person of each task.
    seed : int
        Seed of the draw.

    Returns
    -------
    list of str
        The arm of each task.

    Raises
    ------
    ValueError
        If lengths differ, there are fewer than two arms, or one stands twice.

    Examples
    --------
    >>> sorted(arms_of_tasks(["a", "b"], ["s1", "s1", "s2", "s2"], ["p", "q", "p", "q"], seed=1))
    ['a', 'a', 'b', 'b']
    """
    of_source: dict[str, list[str]] = {source: [] for source in sources}
    of_person: dict[str, Counter[str]] = {person: Counter() for person in people}
    found = []
    for source, person in zip(sources, people, strict=True):
        arm = next_arm_of_task(arms, of_source[source], of_person[person], seed=seed, source=source)
        of_source[source].append(arm)
        of_person[person][arm] += 1
        found.append(arm)
    return found


def _checked(arms: Sequence[str]) -> Sequence[str]:
    if len(arms) < 2 or len(set(arms)) < len(arms):
        raise ValueError(f"two or more distinct arms, not {', '.join(arms) or 'none'}")
    return arms


def _person_stream(arms: Sequence[str], seed: int, stratum: str) -> Iterator[str]:
    for block in count():
        name = f"person:{stratum}:{block}"
        size = len(arms) * (1 + int(seeded_key(seed, f"{name}:size"), 16) % 2)
        keyed = sorted((seeded_key(seed, f"{name}:{place}"), place) for place in range(size))
        yield from (arms[place % len(arms)] for _, place in keyed)


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
