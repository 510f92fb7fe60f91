"""Points of marks, and scores of annotations, segments and systems that are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from measures.core.drawn_sources import Ratio, drawn_ratios
from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation, text_means
from measures.spans.mark import Mark
from measures.text.segmentation import word_count

Weights: TypeAlias = Mapping[str, float]

NO_ANNOTATION = Undefined("no text has an answer")
NO_SCORE = "no text has a score"
DRAWS = 10_000


def mark_points(kind: str | None, severity: str | None, weights: Weights) -> float:
    """Return the points of a kind and severity.

    Source: the programs of the WMT metrics task (mt-metrics-eval, score_mqm.py): of the keys that begin
    "severity/kind/sub", case folded, the longest decides.

    Parameters
    ----------
    kind, severity : str or None
        Kind, such as "Fluency/Punctuation", and severity of a mark.
    weights : mapping of str to float
        Points by "severity", "severity/kind" or "severity/kind/sub".

    Returns
    -------
    float
        Points, 0 if no key fits.

    Examples
    --------
    >>> weights = {"Major": 5, "Minor": 1, "Minor/Fluency/Punctuation": 0.1}
    >>> [mark_points(kind, "minor", weights) for kind in ("Fluency/Punctuation", "Fluency/Grammar")]
    [0.1, 1.0]
    >>> mark_points("Fluency/Grammar", "critical", weights)
    0.0
    """
    folded = {key.casefold(): value for key, value in weights.items()}
    steps = "/".join(filter(None, (severity, kind))).casefold().split("/")
    keys = ("/".join(steps[:number]) for number in range(len(steps), 0, -1))
    return float(next((folded[key] for key in keys if key in folded), 0))


def check_weighted(annotations: Iterable[Annotation], weights: Weights) -> None:
    """Refuse annotations with critical marks that have no weight.

    Programs differ too far to choose for anybody: `critical` is 0 in mt-metrics-eval, 5 in that of WMT24, and 25 in
    that of ESA.

    Parameters
    ----------
    annotations : iterable of Annotation
        What is to be scored.
    weights : mapping of str to float
        The weights.

    Raises
    ------
    ValueError
        If a mark is critical and neither "critical" nor a longer key that begins so fits it; it names the mark.

    Examples
    --------
    >>> check_weighted([Annotation("A", "sys", "1", marks=(Mark("m1", severity="Critical"),))], {"critical": 25})
    >>> check_weighted([Annotation("A", "sys", "1", marks=(Mark("m1", severity="Critical"),))], {"major": 5})
    Traceback (most recent call last):
    ...
    ValueError: segment 1 of sys, A, mark m1: "critical" has no weight: give it one (0, 5 and 25 are in use)
    """
    for each in annotations:
        for mark in each.counted:
            if (mark.severity or "").casefold() == "critical" and not _has_weight(mark, weights):
                raise ValueError(
                    f"segment {each.segment} of {each.system}, {each.person}, mark {mark.id}: "
                    '"critical" has no weight: give it one (0, 5 and 25 are in use)'
                )


def _has_weight(mark: Mark, weights: Weights) -> bool:
    name = "/".join(filter(None, (mark.severity, mark.kind))).casefold() + "/"
    return any(name.startswith(key.casefold() + "/") for key in weights)


def annotation_points(annotation: Annotation, weights: Weights, *, per_100_words: bool = False) -> float:
    """Return the sum of the points of an annotation.

    Parameters
    ----------
    annotation : Annotation
        The marks; those that a person deleted do not count.
    weights : mapping of str to float
        The weights.
    per_100_words : bool, default False
        Whether to divide by the words of the source and multiply by 100.

    Returns
    -------
    float
        Points from 0, where more is worse.

    Raises
    ------
    ValueError
        If points per 100 words are asked for and the source has no word.

    Examples
    --------
    >>> marks = Mark("m1", severity="major"), Mark("m2", severity="minor", fate="deleted")
    >>> annotation_points(Annotation("A", "sys", "1", "It rained all day.", marks=marks), {"major": 5, "minor": 1})
    5.0
    """
    points = float(sum(Fraction(str(mark_points(each.kind, each.severity, weights))) for each in annotation.counted))
    if not per_100_words:
        return points
    words = word_count(annotation.source)
    if not words:
        raise ValueError(f"segment {annotation.segment}: its source has no word")
    return 100 * points / words


def segment_scores(
    annotations: Iterable[Annotation], weights: Weights, *, per_100_words: bool = False
) -> dict[tuple[str, str], float]:
    """Return the mean points over people of each text.

    Source: Freitag et al. 2021, "Experts, errors, and context", §3.3.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text.
    weights : mapping of str to float
        The weights.
    per_100_words : bool, default False
        As in `annotation_points`.

    Returns
    -------
    dict of (str, str) to float
        By segment and system, in the order of the annotations: points from 0, where more is worse.

    Raises
    ------
    ValueError
        As `annotation_points`.

    Examples
    --------
    >>> one = Annotation("A", "sys", "1", marks=(Mark("m1", severity="major"),))
    >>> segment_scores([one, Annotation("B", "sys", "1")], {"major": 5})
    {('1', 'sys'): 2.5}
    """
    return text_means(
        (each.text, annotation_points(each, weights, per_100_words=per_100_words)) for each in annotations
    )


@dataclass(frozen=True)
class SystemScore:
    """The score of a system.

    Attributes
    ----------
    system : str
        Its name.
    score : Ratio or Undefined
        Mean over segments with its interval over sources.
    """

    system: str
    score: Ratio | Undefined

    @property
    def wmt(self) -> float | Undefined:
        """The mean with the sign that WMT prints: negative points."""
        return self.score if isinstance(self.score, Undefined) else -self.score.value


def system_scores(
    segments: Mapping[tuple[str, str], float],
    *,
    source_of: Mapping[str, str] | None = None,
    shared_only: bool = False,
    seed: int,
    draws: int = DRAWS,
) -> tuple[SystemScore, ...]:
    """Return the mean over segments of each system, with intervals that draw the sources.

    Source: Freitag et al. 2021, §3.3; Kocmi et al. 2024 for segments that all systems share.

    Parameters
    ----------
    segments : mapping of (str, str) to float
        Scores by segment and system.
    source_of : mapping of str to str, optional
        The source of each segment, where several segments are of one; by default each is a source of its own.
    shared_only : bool, default False
        Whether only segments count that all systems have.
    seed : int
        Seed of the draws.
    draws : int, default 10_000
        Number of draws.

    Returns
    -------
    tuple of SystemScore
        In the order of the names; undefined if the systems share no segment.

    Examples
    --------
    >>> (one,) = system_scores({("1", "sys"): 3.0, ("2", "sys"): 0.0}, seed=1)
    >>> one.system, one.score.value, one.wmt, one.score.interval.reason
    ('sys', 1.5, -1.5, 'no interval from fewer than 10 sources')
    """
    systems = sorted({system for _, system in segments})
    chosen = {system: {segment for segment, other in segments if other == system} for system in systems}
    if shared_only and systems:
        shared = set.intersection(*chosen.values())
        chosen = dict.fromkeys(systems, shared)
    return tuple(
        SystemScore(
            system,
            _mean({segment: segments[segment, system] for segment in chosen[system]}, source_of or {}, seed, draws),
        )
        for system in systems
    )


def _mean(values: Mapping[str, float], source_of: Mapping[str, str], seed: int, draws: int) -> Ratio | Undefined:
    names: Sequence[str] = sorted(values)
    sources = [source_of.get(name, name) for name in names]
    rows = [[values[name]] for name in names]
    if not rows:
        return NO_ANNOTATION
    (found,) = drawn_ratios(rows, [[1]] * len(rows), sources, draws=draws, seed=seed, nothing=NO_SCORE)
    return found
