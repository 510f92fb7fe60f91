"""Attention flags: what staff should look at in the work of one rater."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.rating_scale import COMMON_POINTS, DECIMALS
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.drift import drift
from measures.quality_control.permutation_test import permutation_z

__all__ = [
    "DEFAULT_THRESHOLDS",
    "AttentionFlag",
    "AttentionFlagName",
    "AttentionThresholds",
    "RaterWork",
    "attention_flags",
]


class AttentionFlagName(StrEnum):
    """Kinds of attention flags."""

    STRAIGHT_LINING = "gave the same answer many times in a row"
    TOO_FAST = "answered faster than one can read"
    DISAGREEMENT = "agrees with the others no better than chance"
    DRIFT = "grew milder or stricter"


@dataclass(frozen=True)
class AttentionFlag:
    """One thing for staff to look at, and why.

    Attributes
    ----------
    name : AttentionFlagName
        The kind of flag.
    evidence : str
        The reason in words, with numbers. Texts are numbered from 1 in the order of work.

    Examples
    --------
    >>> AttentionFlag(AttentionFlagName.TOO_FAST, "9 of 30 texts").name.value
    'answered faster than one can read'
    """

    name: AttentionFlagName
    evidence: str


@dataclass(frozen=True)
class AttentionThresholds:
    """Thresholds above which work is flagged. They are this project's choice; no paper gives any.

    Attributes
    ----------
    run : int, default 20
        Least number of texts in a row with the same answer, at least 2.
    run_disagreed : int, default 3
        Least number of texts of such a run on which the others disagree, if they rated any; 0 flags every run.
    fast_texts : int, default 5
        Least number of texts answered too fast, at least 1. Fewer may be slips, or texts seen before.
    fast_words_per_second : float, default 12
        Reading speed above which an answer is too fast; positive, finite. People read about 4 words a second
        (Brysbaert 2019: 238 a minute); nobody reads three times as fast.
    fast_share : float, default 0.2
        Least share of fast answers among the texts with a known time, 0 to 1.
    min_shared : int, default 20
        Least number of texts that others rated too, for disagreement; drift needs one and a half times as many.
        At least 4, so that each third has a variance.
    chance_z : float, default 1
        Standard deviations by which agreement must exceed that of shuffled answers. About one in six shuffles
        reaches 1; very few honest raters of skewed texts fall below it.
    drift_z : float, default 3
        Least change in standard errors, not below 0.
    drift_points : float, default 0.3
        Least change in points, on scales of 3 points and averaged over them; positive, finite.

    Raises
    ------
    ValueError
        If a field is out of range; the message begins with its name.

    Examples
    --------
    >>> AttentionThresholds(run=30).run_disagreed
    3
    """

    run: int = 20
    run_disagreed: int = 3
    fast_texts: int = 5
    fast_words_per_second: float = 12.0
    fast_share: float = 0.2
    min_shared: int = 20
    chance_z: float = 1.0
    drift_z: float = 3.0
    drift_points: float = 0.3

    def __post_init__(self) -> None:
        for name, least in {"run": 2, "run_disagreed": 0, "fast_texts": 1, "min_shared": 4, "drift_z": 0}.items():
            if not getattr(self, name) >= least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")
        for name in ("fast_words_per_second", "drift_points"):
            if not 0 < getattr(self, name) < inf:
                raise ValueError(f"{name} must be finite and above 0, not {getattr(self, name)}")
        if not 0 <= self.fast_share <= 1:
            raise ValueError(f"fast_share must be between 0 and 1, not {self.fast_share}")
        if not -inf < self.chance_z < inf:
            raise ValueError(f"chance_z must be finite, not {self.chance_z}")


DEFAULT_THRESHOLDS = AttentionThresholds()


def attention_flags(work: RaterWork, thresholds: AttentionThresholds = DEFAULT_THRESHOLDS) -> tuple[AttentionFlag, ...]:
    """Find what staff should look at in the work of one rater.

    Flags are hints, never by themselves a reason to exclude a rater.

    - Straight-lining: the same answer on all scales many times in a row. Where most texts deserve the highest
      scores, careful raters have long runs too. A run therefore counts only if nobody else rated any of its
      texts, or if the others disagree on enough of them (their mean, rounded half up, is another score on some
      scale). The longest such run is reported.
    - Too fast: enough texts, and a large enough share of those with a known time, were answered faster than
      they can be read.
    - Disagreement: the squared differences from the others are hardly smaller than with shuffled answers
      (`permutation_z`). On few texts, or where nearly all answers are equal, a careful rater may not differ
      from chance either. Not tested if the answers of the rater or of the others never vary.
    - Drift: the mean difference from the others changes between the first and the last third of the texts
      that others rated too (`drift`).

    For the last two, all scales are `rescaled` to 3 points, so that scales of different lengths count equally.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater, n rows.
    thresholds : AttentionThresholds
        Thresholds above which work is flagged.

    Returns
    -------
    tuple of AttentionFlag
        In the order of `AttentionFlagName`, at most one of each kind. Takes linear time.

    Examples
    --------
    >>> work = RaterWork(
    ...     scores=np.full((25, 2), 3.0),
    ...     others=np.tile([[2.0, 3.0], [3.0, 3.0], [np.nan, np.nan], [3.0, 2.5], [3.0, 3.0]], (5, 1)),
    ...     milliseconds=np.full(25, 8_000.0),
    ...     words=np.full(25, 40),
    ...     points=(3, 3),
    ... )
    >>> (flag,) = attention_flags(work)
    >>> flag.evidence
    'the same answer (3, 3) to 25 texts in a row, 1 to 25; others rated 20 of these and judged 5 otherwise'
    """
    flags = (
        _straight_lining(work, thresholds),
        _too_fast(work, thresholds),
        _disagreement(work, thresholds),
        _drift(work, thresholds),
    )
    return tuple(flag for flag in flags if flag)


def _straight_lining(work: RaterWork, thresholds: AttentionThresholds) -> AttentionFlag | None:
    shared, disagreed = work.shared, work.disagreed
    suspicious = [
        run
        for run in _runs(work.scores)
        if len(run) >= thresholds.run and (disagreed[run].sum() >= thresholds.run_disagreed or not shared[run].any())
    ]
    if not suspicious:
        return None
    run = max(suspicious, key=len)
    answer = ", ".join(f"{score:g}" for score in work.scores[run.start])
    if shared[run].any():
        by_others = f"others rated {shared[run].sum()} of these and judged {disagreed[run].sum()} otherwise"
    else:
        by_others = "nobody else rated any of these"
    evidence = f"the same answer ({answer}) to {len(run)} texts in a row, {run.start + 1} to {run.stop}; {by_others}"
    return AttentionFlag(AttentionFlagName.STRAIGHT_LINING, evidence)


def _runs(scores: FloatArray) -> list[range]:
    """Split the rows into runs of equal rows."""
    borders = np.flatnonzero((scores[1:] != scores[:-1]).any(axis=1)) + 1
    return [range(start, stop) for start, stop in zip([0, *borders], [*borders, len(scores)], strict=True)]


def _too_fast(work: RaterWork, thresholds: AttentionThresholds) -> AttentionFlag | None:
    known = int((~np.isnan(work.milliseconds)).sum())
    # Comparisons with NaN, an unknown time, are false.
    fast = np.flatnonzero(work.words * 1000 > thresholds.fast_words_per_second * work.milliseconds)
    if len(fast) < thresholds.fast_texts or len(fast) / known < thresholds.fast_share:
        return None
    with np.errstate(divide="ignore"):
        speeds = work.words[fast] * 1000 / work.milliseconds[fast]
    pace = f"at {speeds.max():.1f} words a second" if np.isfinite(speeds).all() else "in no time at all"
    evidence = (
        f"{len(fast)} of {known} texts with a known time answered at more than "
        f"{thresholds.fast_words_per_second:g} words a second; the quickest, text {fast[speeds.argmax()] + 1}, {pace}"
    )
    return AttentionFlag(AttentionFlagName.TOO_FAST, evidence)


def _disagreement(work: RaterWork, thresholds: AttentionThresholds) -> AttentionFlag | None:
    own, others = work.on_common_scale()
    if len(own) < thresholds.min_shared:
        return None
    found = permutation_z(own, others)
    if found.z is None or found.z >= thresholds.chance_z:
        return None
    evidence = (
        f"over {len(own)} texts the mean squared difference from the others is {found.observed:.2f}; with the "
        f"same answers shuffled it would be {found.expected:.2f}, give or take {found.deviation:.2f}"
    )
    return AttentionFlag(AttentionFlagName.DISAGREEMENT, evidence)


def _drift(work: RaterWork, thresholds: AttentionThresholds) -> AttentionFlag | None:
    own, others = work.on_common_scale()
    if 2 * len(own) < 3 * thresholds.min_shared:
        return None
    found = drift((own - others).mean(axis=1))
    change = round(abs(found.change), DECIMALS)
    if change < thresholds.drift_points or change < round(thresholds.drift_z * found.error, DECIMALS):
        return None
    evidence = (
        f"grew {'milder' if found.change > 0 else 'stricter'}: {_relative_to_others(found.first)} over the first "
        f"{found.texts} of {len(own)} texts, {_relative_to_others(found.last)} over the last {found.texts}, "
        f"on scales of 1 to {COMMON_POINTS}"
    )
    return AttentionFlag(AttentionFlagName.DRIFT, evidence)


def _relative_to_others(difference: float) -> str:
    if round(difference, 2) == 0:
        return "level with the others"
    return f"{abs(difference):.2f} points {'milder' if difference > 0 else 'stricter'} than the others"
