"""Confidence intervals from a standard error and Student's t."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, exp, inf, isfinite, pi, sin, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
# From here on an expansion around the normal distribution is as exact, and quicker.
_MANY_DEGREES = 1000
_BISECTION_STEPS = 80
_NEGLIGIBLE = 1e-18
_MOST_ODDS = 300.0


@dataclass(frozen=True)
class ConfidenceInterval:
    """A 95% confidence interval for a value that was estimated from sampled sources, or sampled sources and raters.

    Attributes
    ----------
    low, high : float
        The ends of the interval.
    standard_error : float
        Standard error of the value.
    sources, raters : int
        Numbers of sources and raters that were sampled. `raters` is 0 where the interval takes the raters as given:
        it then says nothing about other raters.
    """

    low: float
    high: float
    standard_error: float
    sources: int
    raters: int = 0

    @property
    def width(self) -> float:
        """Distance from the low to the high end."""
        return self.high - self.low


def degrees_of_freedom(sources: int, raters: float = 0, of_raters: float = 0.5) -> int:
    """Return the degrees of freedom of a standard error over sources, or over sources and raters.

    A variance over raters is known far less well than their number suggests: in shares that agree, a few differ far
    more than the rest, and what each rating has of its own is in it too. It counts with a third of them as degrees of
    freedom, of three to six raters with two. How much of the whole variance it is, is no better known, so it counts as
    a half at least. The inverse degrees of the two parts add up by their shares. The third and the half are ours:
    `benchmarks/coverage.py` shows what they do.

    Parameters
    ----------
    sources : int
        Number of sources.
    raters : float, default 0
        Number of raters, or of as many with equal work as tell as much; 0 if they are taken as given.
    of_raters : float, default 0.5
        Share of the variance that comes from the raters.

    Returns
    -------
    int
        The degrees of freedom, at least 1.

    Examples
    --------
    >>> degrees_of_freedom(300), degrees_of_freedom(300, 25), degrees_of_freedom(300, 25, 0.9)
    (299, 16, 9)
    """
    most = max(1, sources - 1)
    if not raters:
        return most
    share = max(0.5, of_raters)
    least = max(1.0, min(2.0, raters - 1))
    return max(1, min(most, int(1 / (share / max(least, raters / 3) + (1 - share) / most))))


def interval_ends(
    value: float, standard_error: float, degrees: int, bounds: tuple[float, float] = (-inf, inf)
) -> tuple[float, float]:
    """Return the ends of the 95% confidence interval of a value, by Student's t.

    With bounds, the interval is symmetric on the logit scale between them, so it never passes them and is longer on the
    side that has room; for a coefficient from -1 to 1 that is Fisher's scale. A value at a bound has no place on that
    scale: its interval is symmetric and cut there.

    Parameters
    ----------
    value : float
        The estimate.
    standard_error : float
        Its standard error.
    degrees : int
        Degrees of freedom of the standard error.
    bounds : tuple of float, default (-inf, inf)
        The smallest and the largest possible value, both finite or neither.

    Returns
    -------
    tuple of float
        The low and the high end.

    Examples
    --------
    >>> [round(each, 3) for each in interval_ends(0.65, 0.05, 24)]
    [0.547, 0.753]
    >>> [round(each, 3) for each in interval_ends(0.9, 0.05, 24, (0, 1))]
    [0.741, 0.966]
    """
    reach = student_t_quantile((1 + CONFIDENCE) / 2, degrees) * standard_error
    low, high = bounds
    if not (isfinite(low) and low < value < high):
        return float(max(low, value - reach)), float(min(high, value + reach))
    below, above = value - low, high - value
    # At the most so much that neither end is a bound itself.
    times = exp(min(_MOST_ODDS, reach * (high - low) / (below * above)))
    return float(low + (high - low) * below / (below + above * times)), float(
        high - (high - low) * above / (above + below * times)
    )


def detectable_effect(standard_error: float, degrees: int, *, power: float = 0.8) -> float:
    """Return how large a true value must be for a two-sided test at .05 to tell it from 0 with a given power.

    Parameters
    ----------
    standard_error : float
        Standard error of the estimate.
    degrees : int
        Degrees of freedom of the standard error.
    power : float, default 0.8
        How often the value is to be told from 0, from 0.5 to below 1.

    Returns
    -------
    float
        The value, in the units of the standard error.

    Examples
    --------
    >>> round(detectable_effect(0.05, 24), 3)
    0.146
    """
    return (student_t_quantile((1 + CONFIDENCE) / 2, degrees) + student_t_quantile(power, degrees)) * standard_error


@lru_cache(maxsize=1024)
def student_t_quantile(probability: float, degrees: int) -> float:
    """Return a quantile of Student's t distribution with a whole number of degrees of freedom.

    Inverts the closed form of the distribution by bisection, so that the library needs no SciPy for it.

    Source: Abramowitz and Stegun 1964, *Handbook of Mathematical Functions*, 26.7.3, 26.7.4 and, for many degrees of
    freedom, 26.7.5.

    Parameters
    ----------
    probability : float
        Between 0.5 and 1.
    degrees : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        The quantile, to six decimals or more.

    Raises
    ------
    ValueError
        If the probability is not from 0.5 to below 1, or `degrees` < 1.

    Examples
    --------
    >>> round(student_t_quantile(0.975, 1), 4), round(student_t_quantile(0.975, 24), 4)
    (12.7062, 2.0639)
    """
    if not 0.5 <= probability < 1 or degrees < 1:
        raise ValueError(f"probability {probability} or degrees of freedom {degrees} is out of range")
    normal = NormalDist().inv_cdf(probability)
    if degrees > _MANY_DEGREES:
        first, second = (normal**3 + normal) / 4, (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
        return normal + first / degrees + second / degrees**2
    angle, upper = 0.0, pi / 2
    # The angle whose tangent is t / sqrt(degrees) has a range with an end, unlike t.
    for _ in range(_BISECTION_STEPS):
        middle = (angle + upper) / 2
        angle, upper = (middle, upper) if _t_probability(middle, degrees) < probability else (angle, middle)
    return sin(angle) / cos(angle) * sqrt(degrees)


def _t_probability(angle: float, degrees: int) -> float:
    """Return the probability that t is below sqrt(degrees) times the tangent of `angle`."""
    square, odd = cos(angle) ** 2, degrees % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
        if term < _NEGLIGIBLE * total:
            break
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return (1 + inside) / 2
