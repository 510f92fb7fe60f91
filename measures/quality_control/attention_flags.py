"""Attention flags: what staff should look at in the work of one rater."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

from measures.core.rating_scale import COMMON_POINTS, DECIMALS
from measures.quality_control import rater_rules
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.drift import MIN_TEXTS, drift

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

    GOLD = "answered most gold questions wrong"
    CONSTANT = "gave one answer to everything"
    STRAIGHT_LINING = "gave the same answer many times in a row"
    DISAGREEMENT = "agrees with the others no better than chance"
    LENGTH = "answers follow the length"
    FULL_STOP = "answers follow the full stop"
    CHANGE = "further from the others from some text on"
    LATE = "agrees with the others in the first half only"
    TOO_FAST = "answered faster than one can read"
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


VISIT = 20
"""Number of texts of the visits that the default thresholds are for."""


@dataclass(frozen=True)
class AttentionThresholds:
    """Thresholds above which work is flagged. They are this project's choice; no paper gives any.

    Attributes
    ----------
    run : int, default 8
        Least number of texts in a row with the same answer, two gold questions among them being wrong; at least 2.
    min_shared : int, default 12
        Least number of texts that others rated too, for disagreement, with 3 gold questions; at least 4.
    edge : int, default 5
        Least number of texts that others rated before and after a change, at least 2.
    run_alone, min_shared_alone : int, default 20 and 100
        The first two with fewer gold questions.
    chance_z, chance_z_alone : float, default 2 and 1
        Standard deviations by which agreement must exceed that of shuffled answers, with 3 gold questions and with
        fewer.
    fast_texts : int, default 5
        Least number of texts answered too fast, at least 1. Fewer may be slips, or texts seen before.
    fast_words_per_second : float, default 12
        Reading speed above which an answer is too fast; positive, finite. People read about 4 words a second
        (Brysbaert 2019: 238 a minute); nobody reads three times as fast.
    fast_share : float, default 0.2
        Least share of fast answers among the texts with a known time, 0 to 1.
    min_drift : int, default 30
        Least number of texts that others rated too, for drift; at least 6, so that each third has a variance.
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
    >>> AttentionThresholds(run=30).chance_z
    2.0
    """

    run: int = 8
    min_shared: int = 12
    edge: int = 5
    run_alone: int = 20
    min_shared_alone: int = 100
    chance_z: float = 2.0
    chance_z_alone: float = 1.0
    fast_texts: int = 5
    fast_words_per_second: float = 12.0
    fast_share: float = 0.2
    min_drift: int = 30
    drift_z: float = 3.0
    drift_points: float = 0.3

    def __post_init__(self) -> None:
        least = {"run": 2, "min_shared": 4, "edge": 2, "run_alone": 2, "min_shared_alone": 4, "fast_texts": 1}
        for name, lowest in {**least, "min_drift": MIN_TEXTS, "drift_z": 0}.items():
            if not getattr(self, name) >= lowest:
                raise ValueError(f"{name} must be at least {lowest}, not {getattr(self, name)}")
        for name in ("fast_words_per_second", "drift_points"):
            if not 0 < getattr(self, name) < inf:
                raise ValueError(f"{name} must be finite and above 0, not {getattr(self, name)}")
        if not 0 <= self.fast_share <= 1:
            raise ValueError(f"fast_share must be between 0 and 1, not {self.fast_share}")
        for name in ("chance_z", "chance_z_alone"):
            if not -inf < getattr(self, name) < inf:
                raise ValueError(f"{name} must be finite, not {getattr(self, name)}")

    @classmethod
    def of_visit(cls, texts: int) -> AttentionThresholds:
        """Return the thresholds for visits of so many texts.

        Longer visits have longer runs by chance; shorter ones have fewer texts in which to see anything.

        Parameters
        ----------
        texts : int
            Number of texts that one rater may rate, at least 1.

        Returns
        -------
        AttentionThresholds
            With `run`, `run_alone`, `min_shared` and `edge` in proportion, within bounds.

        Examples
        --------
        >>> AttentionThresholds.of_visit(20) == AttentionThresholds(), AttentionThresholds.of_visit(100).run
        (True, 40)
        """
        part = texts / VISIT
        return cls(
            run=max(round(8 * part), 6),
            run_alone=max(round(8 * part), 20),
            min_shared=min(max(round(12 * part), 6), 12),
            edge=min(max(round(5 * part), 3), 10),
        )


DEFAULT_THRESHOLDS = AttentionThresholds()


def attention_flags(
    work: RaterWork, thresholds: AttentionThresholds = DEFAULT_THRESHOLDS, *, seed: int = 0
) -> tuple[AttentionFlag, ...]:
    """Find what staff should look at in the work of one rater.

    Flags are hints, never by themselves a reason to exclude a rater. Each is a rule of
    `measures.quality_control.rater_rules`, but for drift: the mean difference from the others changes between the first
    and the last third of the texts that others rated too (`drift`), all scales `rescaled` to 3 points.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater, n rows.
    thresholds : AttentionThresholds
        Thresholds above which work is flagged.
    seed : int, optional
        Seed of the shuffles that a change is compared with, such as the rater's number.

    Returns
    -------
    tuple of AttentionFlag
        In the order of `AttentionFlagName`, at most one of each kind. Takes linear time.

    Examples
    --------
    >>> work = RaterWork.of([[3, 3]] * 9 + [[1, 2]] * 9, gold={2: ([1], [3]), 7: ([3], [1])})
    >>> (flag,) = attention_flags(work)
    >>> flag.evidence
    'the same answer (3, 3) to 9 texts in a row, 1 to 9; 2 gold questions among them are wrong'
    """
    t, name = thresholds, AttentionFlagName
    found = {
        name.GOLD: rater_rules.gold_wrong(work),
        name.CONSTANT: rater_rules.constant(work),
        name.STRAIGHT_LINING: rater_rules.run_of_answers(work, least=t.run, least_alone=t.run_alone),
        name.DISAGREEMENT: rater_rules.no_relation(
            work,
            least=t.min_shared,
            below=t.chance_z,
            least_alone=t.min_shared_alone,
            below_alone=t.chance_z_alone,
        ),
        name.LENGTH: rater_rules.by_length(work),
        name.FULL_STOP: rater_rules.by_full_stop(work),
        name.CHANGE: rater_rules.change_point(work, edge=t.edge, seed=seed),
        name.LATE: rater_rules.late_wrong(work),
        name.TOO_FAST: rater_rules.too_fast(
            work, words_per_second=t.fast_words_per_second, texts=t.fast_texts, share=t.fast_share
        ),
        name.DRIFT: _drift(work, t),
    }
    return tuple(AttentionFlag(kind, evidence) for kind, evidence in found.items() if evidence)


def _drift(work: RaterWork, thresholds: AttentionThresholds) -> str | None:
    own, others = work.on_common_scale()
    if len(own) < thresholds.min_drift:
        return None
    found = drift((own - others).mean(axis=1))
    change = round(abs(found.change), DECIMALS)
    if change < thresholds.drift_points or change < round(thresholds.drift_z * found.error, DECIMALS):
        return None
    return (
        f"grew {'milder' if found.change > 0 else 'stricter'}: {_relative_to_others(found.first)} over the first "
        f"{found.texts} of {len(own)} texts, {_relative_to_others(found.last)} over the last {found.texts}, "
        f"on scales of 1 to {COMMON_POINTS}"
    )


def _relative_to_others(difference: float) -> str:
    if round(difference, 2) == 0:
        return "level with the others"
    return f"{abs(difference):.2f} points {'milder' if difference > 0 else 'stricter'} than the others"
