"""Analysis of variance of scores that each person has under every condition, with sphericity and effect sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from measures.core.arrays import FloatArray
from measures.core.confidence import CONFIDENCE
from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.complete_cases import complete_cases
from measures.experiments.normality import Normality, normality

DRAWS = 10_000
LEAST_PEOPLE_DRAWN = 10
"""Draws of fewer people vary too little for an interval, as those of sources do (`measures.core.drawn_sources`)."""
LEAST_FOR_SHARES = 20
"""Shares of variance want more: of simulated studies of 12 people, a 95% interval held the true one in 82 to 92%."""

NOTHING_LEFT = Undefined("all people differ alike between the conditions, so there is no error to test against")
TWO_CONDITIONS = Undefined("with two conditions sphericity always holds")
FEW_FOR_MAUCHLY = Undefined("the test of sphericity needs at least as many people as conditions")
DEPENDENT = Undefined("differences between conditions follow from one another")
FEW_FOR_HUYNH_FELDT = Undefined("too few people for the correction of Huynh and Feldt")
TOO_FEW_DRAWN = Undefined(f"no interval from fewer than {LEAST_PEOPLE_DRAWN} people")
TOO_FEW_FOR_SHARES = Undefined(f"no interval from fewer than {LEAST_FOR_SHARES} people")

# Sums in another order differ by less, relative to the whole.
_NOTHING = 1e-12


@dataclass(frozen=True)
class ConditionTest:
    """The F of the conditions with degrees of freedom that are multiplied by an epsilon.

    Attributes
    ----------
    epsilon : float
        How nearly all differences between conditions vary alike, from 1 / (conditions - 1) to 1.
    numerator_df, df : float
        Degrees of freedom of the numerator and the denominator.
    p : float
        p-value.
    """

    epsilon: float
    numerator_df: float
    df: float
    p: float


@dataclass(frozen=True)
class Mauchly:
    """Mauchly's test of sphericity: whether all differences between conditions vary alike.

    Attributes
    ----------
    w : float
        The statistic, 0 to 1.
    chi2 : float
        Its transformation.
    df : int
        Degrees of freedom.
    p : float
        p-value, with the second-order term.
    """

    w: float
    chi2: float
    df: int
    p: float


@dataclass(frozen=True)
class EffectSize:
    """A share of variance.

    Attributes
    ----------
    value : float
        From 0 to 1.
    interval : Interval or Undefined
        95% interval over draws of people: percentiles, corrected for the bias that draws have as all such shares do;
        undefined for fewer than 20. A share is above 0 by chance alone, so 0 is never in its interval.
    """

    value: float
    interval: Interval | Undefined


@dataclass(frozen=True)
class RepeatedMeasures:
    """Analysis of variance with one factor within people.

    Attributes
    ----------
    people, left_out, conditions : int
        Numbers of people who were compared, of people who lack a score, and of conditions.
    ss_condition, ss_person, ss_error : float
        Sums of squares, in squared units of the scores.
    f : float
        The statistic.
    uncorrected, greenhouse_geisser : ConditionTest
        Its test as if sphericity held, and the one to report.
    huynh_feldt : ConditionTest or Undefined
        The less strict correction.
    mauchly : Mauchly or Undefined
        The test of sphericity. It has little power, so it decides nothing.
    partial_eta2 : EffectSize
        SS of the conditions / (SS of the conditions + SS of the error).
    generalised_eta2 : EffectSize
        The same with the people's SS in the denominator: comparable with designs between people.
    residuals, scores : Normality or Undefined
        Of the residuals (score - person's mean - condition's mean + mean), and of the scores as they are.
    """

    people: int
    left_out: int
    conditions: int
    ss_condition: float
    ss_person: float
    ss_error: float
    f: float
    uncorrected: ConditionTest
    greenhouse_geisser: ConditionTest
    huynh_feldt: ConditionTest | Undefined
    mauchly: Mauchly | Undefined
    partial_eta2: EffectSize
    generalised_eta2: EffectSize
    residuals: Normality | Undefined
    scores: Normality | Undefined

    @property
    def error_variance(self) -> float:
        """Mean square of the error, in squared units of the scores."""
        return self.ss_error / ((self.people - 1) * (self.conditions - 1))


def repeated_measures(scores: npt.ArrayLike, *, draws: int = DRAWS, seed: int) -> RepeatedMeasures | Undefined:
    """Test whether the mean score differs between conditions, when each person has a score under each.

    The correction of Greenhouse and Geisser is always the one to report: choosing by Mauchly's test, which has little
    power, gives more errors.

    Source: Greenhouse and Geisser 1959; Huynh and Feldt 1976; Mauchly 1940, with the second-order term of Anderson
    2003, *An Introduction to Multivariate Statistical Analysis*, section 10.7, as in pingouin; Olejnik and Algina 2003
    (generalised eta squared); Efron 1981 (percentiles corrected for bias). McCallum et al. 2012, §3.6, give the
    uncorrected F and p.

    Parameters
    ----------
    scores : array_like of shape (n, c)
        Scores of people under conditions; people with a NaN are left out.
    draws : int, default 10_000
        Draws of people for the intervals of the effect sizes, at least 1.
    seed : int
        Seed of the draws.

    Returns
    -------
    RepeatedMeasures or Undefined
        Undefined with fewer than 2 conditions or complete people, or without any error.

    Raises
    ------
    ValueError
        If the table is not two-dimensional, a score is infinite, or `draws` < 1.

    Examples
    --------
    >>> scores = [[54, 50, 38], [71, 67, 58], [33, 42, 29], [58, 50, 46], [46, 54, 50]]
    >>> found = repeated_measures(scores, seed=1)
    >>> round(found.f, 2), round(found.greenhouse_geisser.p, 3), round(found.partial_eta2.value, 2)
    (4.76, 0.067, 0.54)
    >>> found.partial_eta2.interval.reason
    'no interval from fewer than 20 people'
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    cases = complete_cases(scores)
    if isinstance(cases, Undefined):
        return cases
    # Whatever is added to all scores changes nothing below but rounding errors.
    table = cases.scores - cases.scores.mean()
    n, c = table.shape
    residuals = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0)
    of_condition = n * float((table.mean(axis=0) ** 2).sum())
    of_person = c * float((table.mean(axis=1) ** 2).sum())
    error = float((residuals**2).sum())
    if error <= _NOTHING * max(1.0, float((cases.scores**2).sum())):
        return NOTHING_LEFT
    f = (n - 1) * of_condition / error
    roots = _contrast_variances(table)
    greenhouse_geisser = float(roots.sum() ** 2 / ((c - 1) * (roots**2).sum()))
    huynh_feldt = _huynh_feldt(greenhouse_geisser, n, c)
    effects = of_condition / (of_condition + error), of_condition / (of_condition + of_person + error)
    partial, generalised = _drawn_effects(table, effects, draws, seed)
    return RepeatedMeasures(
        people=n,
        left_out=cases.left_out,
        conditions=c,
        ss_condition=of_condition,
        ss_person=of_person,
        ss_error=error,
        f=f,
        uncorrected=_test(f, 1.0, n, c),
        greenhouse_geisser=_test(f, greenhouse_geisser, n, c),
        huynh_feldt=huynh_feldt if isinstance(huynh_feldt, Undefined) else _test(f, huynh_feldt, n, c),
        mauchly=_mauchly(roots, n),
        partial_eta2=EffectSize(effects[0], partial),
        generalised_eta2=EffectSize(effects[1], generalised),
        residuals=normality(residuals),
        scores=normality(cases.scores),
    )


def _contrast_variances(table: FloatArray) -> FloatArray:
    """Return the variances of the principal contrasts of the conditions: c - 1 eigenvalues."""
    c = table.shape[1]
    contrasts = scipy.linalg.helmert(c)
    return np.clip(np.linalg.eigvalsh(contrasts @ np.cov(table.T) @ contrasts.T), 0, None)


def _test(f: float, epsilon: float, n: int, c: int) -> ConditionTest:
    above, below = (c - 1) * epsilon, (n - 1) * (c - 1) * epsilon
    return ConditionTest(epsilon, above, below, float(scipy.stats.f.sf(f, above, below)))


def _huynh_feldt(greenhouse_geisser: float, n: int, c: int) -> float | Undefined:
    if c == 2:
        return 1.0
    free = (c - 1) * greenhouse_geisser
    below = (c - 1) * (n - 1 - free)
    return FEW_FOR_HUYNH_FELDT if below <= _NOTHING else min(1.0, (n * free - 2) / below)


def _mauchly(roots: FloatArray, n: int) -> Mauchly | Undefined:
    d = len(roots)
    if d == 1:
        return TWO_CONDITIONS
    if n <= d:
        return FEW_FOR_MAUCHLY
    if roots.min() <= _NOTHING * roots.max():
        return DEPENDENT
    log_w = float(np.log(roots / roots.mean()).sum())
    shrink = (n - 1) - (2 * d * d + d + 2) / (6 * d)
    chi2, df = -shrink * log_w, d * (d + 1) // 2 - 1
    # Anderson has 3 d where pingouin has 3 c, d + 1 = c: p differs by less than .0001, and users compare with pingouin.
    second = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d * d + 3 * (d + 1) + 2) / (288 * (d * shrink) ** 2)
    p, later = (float(scipy.stats.chi2.sf(chi2, each)) for each in (df, df + 4))
    return Mauchly(float(np.exp(log_w)), chi2, df, min(1.0, max(0.0, p + second * (later - p))))


def _drawn_effects(
    table: FloatArray, effects: tuple[float, float], draws: int, seed: int
) -> tuple[Interval | Undefined, Interval | Undefined]:
    """Return the intervals of partial and generalised eta squared, from sums over the people who were drawn."""
    n, c = table.shape
    if n < LEAST_FOR_SHARES:
        return TOO_FEW_FOR_SHARES, TOO_FEW_FOR_SHARES
    person = table.mean(axis=1)
    columns = np.column_stack([table, person**2, (table**2).sum(axis=1)])
    partial, generalised = [], []
    for times in source_draws(n, draws, seed):
        sums = times @ columns
        means = sums[:, :c] / n
        mean = means.mean(axis=1)
        of_condition = n * ((means - mean[:, None]) ** 2).sum(axis=1)
        whole = sums[:, -1] - n * c * mean**2
        of_person = c * (sums[:, -2] - n * mean**2)
        varies, differs = whole > _NOTHING, whole - of_person > _NOTHING
        generalised.append(of_condition[varies] / whole[varies])
        partial.append(of_condition[differs] / (whole - of_person)[differs])
    return _corrected(partial, effects[0]), _corrected(generalised, effects[1])


def _corrected(blocks: list[FloatArray], value: float) -> Interval:
    """Return the interval of draws whose percentiles are moved by how many draws lie above and below the value."""
    drawn = np.clip(np.concatenate(blocks), 0, 1)
    plain, below = Interval.of(drawn), float((drawn < value).mean())
    edge = 1 / (len(drawn) + 1)
    moved = 2 * float(scipy.special.ndtri(min(1 - edge, max(edge, below))))
    reach = float(scipy.special.ndtri((1 + CONFIDENCE) / 2))
    low, high = np.quantile(drawn, scipy.special.ndtr([moved - reach, moved + reach]))
    return Interval(plain.mean, plain.variance, float(low), float(high))
