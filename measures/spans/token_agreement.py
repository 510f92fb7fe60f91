"""Agreement of people on which tokens are marked, where marks begin and end, and whether something is missing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from measures.agreement.krippendorff import Level, alphas, coincidences
from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined
from measures.spans.annotation import Annotation
from measures.spans.characters import Span
from measures.spans.mark import Mark, places_of
from measures.spans.tokens import tokens

Unit: TypeAlias = Literal["marked", "severity", "boundary", "missing"]
Side: TypeAlias = Literal["source", "output"]

UNITS: dict[Unit, Level] = {"marked": "nominal", "severity": "ordinal", "boundary": "nominal", "missing": "nominal"}
DRAWS = 10_000


@dataclass(frozen=True)
class SpanAlpha:
    """Krippendorff's alpha of what people marked.

    Attributes
    ----------
    alpha : float or Undefined
        At most 1.
    interval : Interval or Undefined
        Over draws of the sources, each with all its texts.
    share : float or Undefined
        Share of the values that are not 0, such as of tokens that are marked, over texts and people.
    units, texts, sources : int
        Numbers of tokens (gaps, texts) with two values, of their texts and of the sources.
    """

    alpha: float | Undefined
    interval: Interval | Undefined
    share: float | Undefined
    units: int
    texts: int
    sources: int


def span_alpha(
    annotations: Iterable[Annotation],
    unit: Unit,
    *,
    severities: Sequence[str] = (),
    side: Side = "output",
    language: str = "en",
    source_of: Mapping[str, str] | None = None,
    draws: int = DRAWS,
    seed: int,
) -> SpanAlpha:
    """Compute Krippendorff's alpha of what people marked.

    All that alpha depends on is the sum of the coincidences of each source, so a draw of the sources is a row of one
    matrix product.

    Sources: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; the units are this project's own.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text, with texts. Marks that a person deleted do not count; `only` chooses others.
    unit : {"marked", "severity", "boundary", "missing"}
        What has a value: each token, 1 if a mark is on it (nominal), or the greatest severity on it, from 1 for the
        first one, 0 for none (ordinal); each of the n + 1 gaps of n tokens, 1 if a mark begins or ends there (nominal),
        which tells one long mark from two; each text, 1 if something is said to be missing (nominal).
    severities : sequence of str
        The severities, the lightest first; for "severity" alone.
    side : {"source", "output"}
        The text whose tokens count.
    language : str, default "en"
        Tag of its language: characters count as tokens where words are not parted by spaces.
    source_of : mapping of str to str, optional
        The source of each segment; by default each segment is one.
    draws : int, default 10_000
        Number of draws.
    seed : int
        Seed of the draws.

    Returns
    -------
    SpanAlpha
        Takes time in proportion to the tokens, and draws times sources.

    Raises
    ------
    ValueError
        If people who marked a text had different ones, a person has two annotations of a text, or a mark has a
        severity that is not one of `severities`.

    Examples
    --------
    >>> one, other = Mark("1", "output", 0, 4), Mark("1", "output", 0, 9)
    >>> texts = [Annotation(who, "s", "1", "", "Rain fell today.", (each,)) for who, each in (("A", one), ("B", other))]
    >>> found = span_alpha(texts, "marked", seed=1)
    >>> round(found.alpha, 3), found.share, found.units
    (0.533, 0.375, 4)
    """
    values = _values(unit, severities, side, language)
    k = len(severities) + 1 if unit == "severity" else 2
    texts = [group for group in by_text(annotations) if len(group) > 1]
    of_text = [_counts(group, values, k) for group in texts]
    names = [(source_of or {}).get(group[0].segment, group[0].segment) for group in texts]
    sums = _sums_by_source(of_text, names, k)
    totals = np.sum([counts.sum(axis=0) for counts in of_text], axis=0) if of_text else np.zeros(k, dtype=np.int64)
    alpha, interval = alpha_of_sources(sums, UNITS[unit], draws=draws, seed=seed)
    return SpanAlpha(
        alpha=alpha,
        interval=interval,
        share=float(totals[1:].sum() / totals.sum()) if totals.sum() else NO_PAIRS,
        units=sum(len(each) for each in of_text),
        texts=len(texts),
        sources=len(sums),
    )


def alpha_of_sources(
    sums: FloatArray, level: Level, *, draws: int = DRAWS, seed: int
) -> tuple[float | Undefined, Interval | Undefined]:
    """Compute alpha and its interval from the coincidences of each source.

    Parameters
    ----------
    sums : FloatArray of shape (n, k * k)
        Sums of coincidences of each of n sources.
    level : {"nominal", "ordinal", "interval"}
        Level of measurement; the categories are 0 to k - 1.
    draws : int, default 10_000
        Number of draws of the sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    float or Undefined, Interval or Undefined
        Alpha and its percentile interval over the draws; undefined without pairs, or if there is one category.

    Examples
    --------
    >>> alpha, interval = alpha_of_sources(coincidences(np.array([[2, 0], [1, 1], [0, 2]])), "nominal", seed=1)
    >>> round(alpha, 3), interval.reason
    (0.444, 'no interval from fewer than 10 sources')
    """
    if not len(sums) or not sums.any():
        return NO_PAIRS, NO_PAIRS
    categories = np.arange(round(sums.shape[1] ** 0.5), dtype=np.float64)
    alpha = float(alphas(sums.sum(axis=0, keepdims=True), categories, level)[0])
    if np.isnan(alpha):
        return ONE_CATEGORY, ONE_CATEGORY
    drawn = np.concatenate([alphas(times @ sums, categories, level) for times in source_draws(len(sums), draws, seed)])
    return alpha, drawn_interval(drawn[~np.isnan(drawn)], len(sums))


def by_text(annotations: Iterable[Annotation]) -> list[list[Annotation]]:
    """Return annotations text by text.

    Parameters
    ----------
    annotations : iterable of Annotation
        The annotations.

    Returns
    -------
    list of list of Annotation
        A list for each segment and system, in the order in which they come first.

    Raises
    ------
    ValueError
        As `check_text`.

    Examples
    --------
    >>> keys = ("A", "s", "1"), ("A", "s", "2"), ("B", "s", "1")
    >>> [len(each) for each in by_text(Annotation(*key) for key in keys)]
    [2, 1]
    """
    texts: dict[tuple[str, str], list[Annotation]] = defaultdict(list)
    for each in annotations:
        texts[each.text].append(each)
    for group in texts.values():
        check_text(group)
    return list(texts.values())


def check_text(group: Sequence[Annotation]) -> None:
    """Refuse annotations of one text that cannot be compared.

    Parameters
    ----------
    group : sequence of Annotation
        All annotations of a segment and system.

    Raises
    ------
    ValueError
        If their texts differ or a person has two.

    Examples
    --------
    >>> check_text([Annotation("A", "s", "1", "", "Rain."), Annotation("B", "s", "1", "", "Snow.")])
    Traceback (most recent call last):
    ...
    ValueError: segment 1 of s: A and B marked different texts
    """
    first, people = group[0], set[str]()
    for each in group:
        if (each.source, each.output) != (first.source, first.output):
            raise ValueError(
                f"segment {first.segment} of {first.system}: {first.person} and {each.person} marked different texts"
            )
        if each.person in people:
            raise ValueError(f"segment {first.segment} of {first.system}: {each.person} has two annotations")
        people.add(each.person)


_Values: TypeAlias = Callable[[Annotation, Sequence[Span]], IntArray]


def _values(unit: Unit, severities: Sequence[str], side: Side, language: str) -> tuple[_Values, ...]:
    """Return how an annotation's tokens are found, and their values."""
    ranks = {name: rank for rank, name in enumerate(severities, start=1)}

    def cut(annotation: Annotation, _spans: Sequence[Span] = ()) -> IntArray:
        return np.asarray(tokens(annotation.output if side == "output" else annotation.source, language)).reshape(-1, 2)

    if unit == "missing":
        return (lambda _annotation, _spans: np.zeros((1, 2), np.int64)), _missing
    if unit == "boundary":
        return cut, partial(_boundaries, side=side)
    rank = partial(_rank, ranks=ranks) if unit == "severity" else lambda _mark: 1
    return cut, partial(_marked, side=side, rank=rank)


def _counts(group: Sequence[Annotation], values: tuple[_Values, ...], k: int) -> IntArray:
    """Return how many people gave each value to each unit of a text (units, k)."""
    cut, of = values
    spans = [(int(start), int(end)) for start, end in cut(group[0], ())]
    given = np.stack([of(each, spans) for each in group])
    return np.asarray((given[:, :, None] == np.arange(k)).sum(axis=0), dtype=np.int64)


def _sums_by_source(of_text: Sequence[IntArray], names: Sequence[str], k: int) -> FloatArray:
    """Return the coincidences of each source; equal units are counted together (sources, k * k)."""
    if not of_text:
        return np.empty((0, k * k))
    counts = np.concatenate(of_text)
    order = {name: place for place, name in enumerate(dict.fromkeys(names))}
    sources = np.repeat([order[name] for name in names], [len(each) for each in of_text])
    base = int(counts.max(initial=0)) + 1
    codes = counts @ (base ** np.arange(k, dtype=np.int64))
    _, first, pattern = np.unique(codes, return_index=True, return_inverse=True)
    table = np.bincount(sources * len(first) + pattern, minlength=len(order) * len(first))
    return np.asarray(table.reshape(len(order), len(first)) @ coincidences(counts[first]))


def _rank(mark: Mark, ranks: Mapping[str, int]) -> int:
    if mark.severity is None or mark.severity not in ranks:
        raise ValueError(f"mark {mark.id}: severity {mark.severity!r} is not one of {', '.join(ranks)}")
    return ranks[mark.severity]


def _ranges(annotation: Annotation, spans: Sequence[Span], side: Side) -> list[tuple[Mark, int, int]]:
    """Return the marks with the first token that they touch and the one after the last."""
    marks = {mark.id: mark for mark in annotation.marks}
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    return [
        (mark, bisect_right(ends, start), bisect_left(starts, end))
        for mark in annotation.counted
        for each, start, end in places_of(mark, marks)
        if each == side
    ]


def _marked(annotation: Annotation, spans: Sequence[Span], side: Side, rank: Callable[[Mark], int]) -> IntArray:
    values = np.zeros(len(spans), dtype=np.int64)
    for mark, first, end in _ranges(annotation, spans, side):
        np.maximum(values[first:end], rank(mark), out=values[first:end])
    return values


def _boundaries(annotation: Annotation, spans: Sequence[Span], side: Side) -> IntArray:
    values = np.zeros(len(spans) + 1, dtype=np.int64)
    for _, first, end in _ranges(annotation, spans, side):
        if first < end:
            values[[first, end]] = 1
    return values


def _missing(annotation: Annotation, _spans: Sequence[Span]) -> IntArray:
    return np.array([any(mark.missing for mark in annotation.counted)], dtype=np.int64)
