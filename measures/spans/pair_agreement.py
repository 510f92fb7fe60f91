"""F of the marks of two people, and its mean over the pairs of people who have texts in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation
from measures.spans.pairing import (
    MATCHINGS,
    Matching,
    chosen_pairs,
    common_characters,
    credits_of,
    pair_values,
    person_marks,
)
from measures.spans.token_agreement import check_text

LEAST_COMMON = 5
DRAWS = 10_000

NO_MARKS = Undefined("neither person marked anything in the texts that both have")
NO_COUPLE = Undefined("no two people have enough texts in common")
NO_DEFINED_COUPLE = Undefined("no two people with enough texts in common marked anything in them")

Texts: TypeAlias = Mapping[tuple[str, str], Annotation]
Compare: TypeAlias = Callable[[Sequence[Annotation], Sequence[Annotation]], FloatArray]
"""From the annotations of two people of the same texts to four numbers of each text: what both have in common as the
first person's and as the second's, and how much each has."""


@dataclass(frozen=True)
class Couple:
    """How far the marks of two people agree.

    Attributes
    ----------
    people : tuple of (str, str)
        The two, in order of their names.
    texts : int
        Number of texts that both have.
    precision, recall : float or Undefined
        Shares of the first person's marks, and of the second's, that the other has, 0 to 1.
    f : float or Undefined
        Their harmonic mean: 0 if one person alone marked anything; undefined if nobody did.
    """

    people: tuple[str, str]
    texts: int
    precision: float | Undefined
    recall: float | Undefined
    f: float | Undefined


@dataclass(frozen=True)
class PairAgreement:
    """The mean over pairs of people.

    Attributes
    ----------
    mean : float or Undefined
        Mean of F over the pairs for which it is defined.
    interval : Interval or Undefined
        Over draws of the sources, the same for all pairs.
    couples : tuple of Couple
        The pairs of people with enough texts in common.
    sources : int
        Number of sources that they have in common.
    """

    mean: float | Undefined
    interval: Interval | Undefined
    couples: tuple[Couple, ...]
    sources: int


def pair_f(
    annotations: Iterable[Annotation],
    matching: Matching = "credit",
    *,
    penalty: float = 0.0,
    missing: bool = False,
    least_common: int = LEAST_COMMON,
    source_of: Mapping[str, str] | None = None,
    draws: int = DRAWS,
    seed: int,
) -> PairAgreement:
    """Compute how far the marks of pairs of people agree, mark by mark.

    Marks are paired one to one, so that the sum of the pairs' values is the largest in each text; of equal sums the one
    with smaller starts is taken. Counts are added up over texts before P, R and F are computed (micro).

    Source: Perrella et al. 2026 for "credit": a pair of marks of a and b characters, o of them in common, has the value
    2o / (a + b), adds o / a to what precision counts and o / b to what recall does.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text. Marks that a person deleted do not count; `only` chooses others.
    matching : {"exact", "overlap", "credit"}
        A pair counts if its spans are the same; if they have any character in common (which long marks win by); or by
        the characters in common.
    penalty : float, default 0
        What a pair of unequal severity loses, 0 to 1.
    missing : bool, default False
        Whether marks of what is missing are compared, by their number alone, instead of those of spans.
    least_common : int, default 5
        Fewest texts that two people must have in common.
    source_of : mapping of str to str, optional
        The source of each segment; by default each segment is one.
    draws : int, default 10_000
        Number of draws of the sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    PairAgreement
        Takes some 10 µs for each text and pair of people, and draws times sources for each pair.

    Raises
    ------
    ValueError
        If the matching is unknown, the penalty is not one, people who marked a text had different ones, or a person has
        two annotations of a text.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> texts = [Annotation(who, "s", "1", marks=(Mark("1", "output", 0, end),)) for who, end in (("A", 4), ("B", 8))]
    >>> (couple,) = pair_f(texts, least_common=1, seed=1).couples
    >>> couple.precision, couple.recall, round(couple.f, 3)
    (1.0, 0.5, 0.667)
    """
    if matching not in MATCHINGS:
        raise ValueError(f"matching must be {', '.join(MATCHINGS)}, not {matching!r}")
    if not 0 <= penalty <= 1:
        raise ValueError(f"penalty must be from 0 to 1, not {penalty}")

    def compare(mine: Sequence[Annotation], theirs: Sequence[Annotation]) -> FloatArray:
        severities: dict[str | None, int] = {}
        one, other = (person_marks(each, severities, missing=missing) for each in (mine, theirs))
        pairs = common_characters(one, other)
        texts = one.text[pairs.one]
        chosen = chosen_pairs(pairs, pair_values(one, other, pairs, matching, penalty), texts)
        gains = (each[chosen] for each in credits_of(one, other, pairs, matching, penalty))
        columns = [np.bincount(texts[chosen], gain, minlength=len(mine)) for gain in gains]
        return np.stack([*columns, *(np.bincount(each.text, minlength=len(mine)) for each in (one, other))], axis=1)

    return mean_over_couples(
        annotations, compare, least_common=least_common, source_of=source_of, draws=draws, seed=seed
    )


def mean_over_couples(
    annotations: Iterable[Annotation],
    compare: Compare,
    *,
    least_common: int = LEAST_COMMON,
    source_of: Mapping[str, str] | None = None,
    draws: int = DRAWS,
    seed: int,
) -> PairAgreement:
    """Compute F of each pair of people from sums over texts, and its mean, with an interval over sources.

    Parameters
    ----------
    annotations : iterable of Annotation
        One of each person and text.
    compare : callable
        From the annotations of two people of the same n texts to sums of shape (n, 4).
    least_common, source_of, draws, seed
        As in `pair_f`.

    Returns
    -------
    PairAgreement
        The mean, undefined without a pair of people.

    Raises
    ------
    ValueError
        As `pair_f`.

    Examples
    --------
    >>> always = lambda mine, theirs: np.array([[1, 1, 2, 2]] * len(mine))
    >>> mean_over_couples([Annotation(who, "s", "1") for who in "AB"], always, least_common=1, seed=1).mean
    0.5
    """
    people = _by_person(annotations)
    couples, tables, names = list[Couple](), list[FloatArray](), list[list[str]]()
    for one, other in combinations(sorted(people), 2):
        texts = [text for text in people[one] if text in people[other]]
        if len(texts) < max(1, least_common):
            continue
        for text in texts:
            check_text((people[one][text], people[other][text]))
        table = compare([people[one][text] for text in texts], [people[other][text] for text in texts])
        couples.append(_couple((one, other), len(texts), table.sum(axis=0)))
        tables.append(table)
        names.append([(source_of or {}).get(segment, segment) for segment, _ in texts])
    sources = {name: place for place, name in enumerate(dict.fromkeys(name for each in names for name in each))}
    defined = [each.f for each in couples if not isinstance(each.f, Undefined)]
    if not defined:
        reason = NO_DEFINED_COUPLE if couples else NO_COUPLE
        return PairAgreement(reason, reason, tuple(couples), len(sources))
    sums = [
        _by_source(table, np.array([sources[name] for name in each]), len(sources))
        for table, each in zip(tables, names, strict=True)
    ]
    drawn = _drawn_means(sums, draws, seed)
    interval = drawn_interval(drawn[~np.isnan(drawn)], len(sources))
    return PairAgreement(float(np.mean(defined)), interval, tuple(couples), len(sources))


def _by_person(annotations: Iterable[Annotation]) -> dict[str, dict[tuple[str, str], Annotation]]:
    people: dict[str, dict[tuple[str, str], Annotation]] = defaultdict(dict)
    for each in annotations:
        if each.text in people[each.person]:
            check_text((people[each.person][each.text], each))
        people[each.person][each.text] = each
    return people


def _couple(people: tuple[str, str], texts: int, sums: FloatArray) -> Couple:
    if not sums[2:].any():
        return Couple(people, texts, NO_MARKS, NO_MARKS, NO_MARKS)
    precision, recall = (float(sums[place] / sums[place + 2]) if sums[place + 2] else 0.0 for place in (0, 1))
    return Couple(people, texts, precision, recall, float(_f(sums[None])[0]))


def _f(sums: FloatArray) -> FloatArray:
    """Return F of sums (d, 4): 0 where one side alone has something, NaN where neither has."""
    precision, recall = (
        np.divide(sums[:, place], sums[:, place + 2], out=np.zeros(len(sums)), where=sums[:, place + 2] > 0)
        for place in (0, 1)
    )
    both = precision + recall
    f = np.divide(2 * precision * recall, both, out=np.zeros(len(sums)), where=both > 0)
    return np.where(sums[:, 2:].sum(axis=1) > 0, f, np.nan)


def _by_source(table: FloatArray, source: IntArray, sources: int) -> FloatArray:
    return np.stack([np.bincount(source, table[:, column], minlength=sources) for column in range(4)], axis=1)


def _drawn_means(sums: Sequence[FloatArray], draws: int, seed: int) -> FloatArray:
    """Return the mean of F over the pairs of people for which it is defined, in each draw of the sources."""
    table, means = np.concatenate(sums, axis=1), list[FloatArray]()
    for times in source_draws(len(table), draws, seed):
        f = np.stack([_f(each) for each in np.split(times @ table, len(sums), axis=1)])
        known = ~np.isnan(f)
        number = known.sum(axis=0)
        total = np.where(known, f, 0).sum(axis=0)
        means.append(np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0))
    return np.concatenate(means)
