"""Marks of answers to a quiz: by a key, and from people who mark without knowing whose answer it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median

import numpy as np
import numpy.typing as npt

from measures.agreement.krippendorff import AlphaResult, krippendorff_alpha
from measures.agreement.rater_pairs import pairwise_kappa
from measures.core.undefined import Undefined
from measures.text.normalization import canonical

MARKS = (0.0, 0.5, 1.0, 1.5, 2.0)
"""What a marker may give for a short answer."""

MARKERS, MOST_APART, MOST_MARKERS = 2, 0.5, 3
LEAST_SHARED = 5
"""Two markers with fewer answers in common have no kappa."""

NO_QUESTIONS = Undefined("there are no questions to mark")
FEW_SHARED = Undefined(f"no two markers have {LEAST_SHARED} answers in common with marks that differ")


@dataclass(frozen=True)
class MarkerAgreement:
    """How far the first two markers of each answer agree.

    Attributes
    ----------
    kappa : float or Undefined
        Quadratic kappa, as the mean over the pairs of markers with at least 5 answers in common.
    pairs : int
        Number of these pairs.
    alpha : AlphaResult or Undefined
        Krippendorff's alpha at interval level, with its interval over answers and markers.
    answers, apart : int
        Numbers of answers with two marks, and of those whose marks are more than .5 apart.
    """

    kappa: float | Undefined
    pairs: int
    alpha: AlphaResult | Undefined
    answers: int
    apart: int


def answer_form(text: str) -> str:
    """Return the form in which answers are compared: without case, invisible characters and superfluous white space.

    Parameters
    ----------
    text : str
        What somebody gave.

    Returns
    -------
    str
        The same for answers that are one; empty for an empty answer.

    Examples
    --------
    >>> answer_form("  Cafe\u0301  NOIR ")
    'café noir'
    """
    return unicodedata.normalize("NFC", canonical(text).casefold())


def matches_key(answer: str, accepted: Iterable[str]) -> bool:
    """Say whether an answer is one of the accepted ones, whatever its case, white space and Unicode form.

    Invisible characters do not count. An empty answer matches nothing.

    Parameters
    ----------
    answer : str
        What somebody gave.
    accepted : iterable of str
        The key.

    Returns
    -------
    bool
        Whether it is accepted.

    Examples
    --------
    >>> matches_key("  Cafe\u0301  NOIR ", ["café noir"]), matches_key("noir", ["café noir"]), matches_key(" ", [""])
    (True, False, False)
    """
    given = answer_form(answer)
    return bool(given) and any(given == answer_form(each) for each in accepted)


def markers_wanted(marks: Sequence[float]) -> int:
    """Return how many markers an answer still wants: two, and a third if these are more than .5 apart.

    Parameters
    ----------
    marks : sequence of float
        The marks so far, in order: at most three of 0, 0.5, 1, 1.5 and 2.

    Returns
    -------
    int
        How many more.

    Raises
    ------
    ValueError
        If there are more marks, or a mark is another number.

    Examples
    --------
    >>> markers_wanted([]), markers_wanted([1.0, 1.5]), markers_wanted([0.5, 1.5])
    (2, 0, 1)
    """
    if len(marks) > MOST_MARKERS or any(each not in MARKS for each in marks):
        raise ValueError(f"an answer has at most {MOST_MARKERS} marks of 0 to 2 in halves, not {list(marks)}")
    if len(marks) < MARKERS:
        return MARKERS - len(marks)
    return int(len(marks) == MARKERS and abs(marks[0] - marks[1]) > MOST_APART)


def combined_mark(marks: Sequence[float]) -> float | Undefined:
    """Return the mark of an answer: the mean of two, or the median of three.

    McCallum et al. 2012, §3.6, had one marker.

    Parameters
    ----------
    marks : sequence of float
        As in `markers_wanted`.

    Returns
    -------
    float or Undefined
        From 0 to 2; undefined while the answer wants a marker.

    Raises
    ------
    ValueError
        As `markers_wanted`.

    Examples
    --------
    >>> combined_mark([1.0, 1.5]), combined_mark([0.5, 1.5, 2.0]), combined_mark([0.5, 1.5]).reason
    (1.25, 1.5, 'the answer wants 1 more marker')
    """
    wanted = markers_wanted(marks)
    if wanted:
        return Undefined(f"the answer wants {wanted} more marker{'s' if wanted > 1 else ''}")
    return float(mean(marks) if len(marks) == MARKERS else median(marks))


def quiz_score(marks: Sequence[float], possible: Sequence[float]) -> float | Undefined:
    """Return the score of a quiz: 100 times the sum of its marks by the sum that is possible.

    Parameters
    ----------
    marks, possible : sequence of float
        For each question its mark, and the highest there is, which is above 0. Questions without an answer have 0.

    Returns
    -------
    float or Undefined
        From 0 to 100; undefined without questions.

    Raises
    ------
    ValueError
        If lengths differ, or a mark is below 0 or above what is possible.

    Examples
    --------
    >>> quiz_score([2, 1.5, 0], [2, 2, 2])
    58.333333333333336
    """
    if len(marks) != len(possible) or not all(
        0 <= mark <= most > 0 for mark, most in zip(marks, possible, strict=True)
    ):
        raise ValueError("each question has a mark from 0 to the highest there is, which is above 0")
    return 100 * sum(marks) / sum(possible) if possible else NO_QUESTIONS


def marker_agreement(marks: npt.ArrayLike, markers: npt.ArrayLike) -> MarkerAgreement:
    """Compute how far markers agree, from the first two marks of each answer.

    A third mark is there only where two are far apart, so it would make agreement look worse or better than it is.

    Source: Cohen 1968 (weighted kappa); Krippendorff 2011.

    Parameters
    ----------
    marks : array_like of shape (n, m)
        Marks of answers, first marks first, NaN where there is none; columns after the second are ignored.
    markers : array_like of int, of shape (n, m)
        Who gave each mark, 0 or above; negative where there is none.

    Returns
    -------
    MarkerAgreement
        Kappa and alpha, undefined without pairs of marks or if all marks are the same.

    Raises
    ------
    ValueError
        If shapes differ, a mark is none of 0, 0.5, 1, 1.5 and 2, or somebody marked an answer twice.

    Examples
    --------
    >>> found = marker_agreement([[2, 2], [1, 1.5], [0, 0], [2, 1.5], [0, 1]], [[1, 2]] * 5)
    >>> round(found.kappa, 2), found.apart, round(found.alpha.alpha, 2)
    (0.77, 1, 0.79)
    """
    table, who = np.asarray(marks, dtype=np.float64), np.asarray(markers, dtype=np.int64)
    if table.ndim != 2 or table.shape != who.shape:
        raise ValueError(f"marks of answers by markers, and who gave each: {table.shape} is not {who.shape}")
    table, who = table[:, :MARKERS], who[:, :MARKERS]
    twice = ~np.isnan(table).any(axis=1) if table.shape[1] == MARKERS else np.zeros(len(table), dtype=np.bool_)
    pairs = pairwise_kappa(table, raters=who, categories=MARKS, min_items=LEAST_SHARED)
    kappas = [pair.kappa for pair in pairs if not isinstance(pair.kappa, Undefined)]
    return MarkerAgreement(
        kappa=mean(kappas) if kappas else FEW_SHARED,
        pairs=len(kappas),
        alpha=krippendorff_alpha(table, level="interval", categories=MARKS, raters=who),
        answers=int(twice.sum()),
        apart=int((np.ptp(table[twice], axis=1) > MOST_APART).sum()),
    )
