"""How large a difference of two scales a study finds."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from measures.core.confidence import CONFIDENCE

POWER = 0.8


def icc_standard_error(icc: float, texts: int, people: int) -> float:
    """Return the standard error of ICC(1) of normal ratings.

    Source: Fisher 1925, *Statistical Methods for Research Workers*, section 39; Donner 1986.

    Parameters
    ----------
    icc : float
        The true value, 0 to 1.
    texts, people : int
        Texts, and ratings of each, both at least 2.

    Returns
    -------
    float
        sqrt(2 (1 - r)² (1 + (k - 1) r)² / (k (k - 1) (n - 1))).

    Raises
    ------
    ValueError
        If the ICC is not from 0 to 1, or there are fewer than 2 texts or people.

    Examples
    --------
    >>> round(icc_standard_error(0.3, 100, 5), 4)
    0.0489
    """
    if not 0 <= icc <= 1 or min(texts, people) < 2:
        raise ValueError("an ICC from 0 to 1, of two or more texts and people")
    return sqrt(2 * (1 - icc) ** 2 * (1 + (people - 1) * icc) ** 2 / (people * (people - 1) * (texts - 1)))


def detectable_scale_difference(icc: float, texts: int, people: int) -> float:
    """Return how large a difference of two arms' ICC(1) is found with a chance of 80%, at .05, two-sided.

    The arms are taken as independent, which is on the safe side: they share the texts.

    Parameters
    ----------
    icc : float
        ICC(1) in both arms.
    texts, people : int
        Texts, and people for each text and arm.

    Returns
    -------
    float
        The difference.

    Raises
    ------
    ValueError
        As `icc_standard_error`.

    Examples
    --------
    >>> round(detectable_scale_difference(0.3, 100, 5), 2), round(detectable_scale_difference(0.3, 785, 5), 2)
    (0.19, 0.07)
    """
    normal = NormalDist()
    times = normal.inv_cdf((1 + CONFIDENCE) / 2) + normal.inv_cdf(POWER)
    return times * sqrt(2) * icc_standard_error(icc, texts, people)
