"""F of the marks of two people, and its mean over the pairs of people who have texts in common."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, TypeVar

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.drawn_sources import drawn_interval, source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation
from measures.spans.pairing import (
    MATCHINGS,
    Matching,
    PersonMarks,
    chosen_pairs,
    common_characters,
    credits_of,
    pair_values,
    person_marks,
)
from measures.spans.token_agreement import by_text

LEAST_COMMON = 5
DRAWS = 10_000

NO_MARKS = Undefined("neither person marked anything in the texts that both have")
NO_COUPLE = Undefined("no two people have enough texts in common")
NO_DEFINED_COUPLE = Undefined("no two people with enough texts in common marked anything in them")

Prepared = TypeVar("Prepared")
Prepare: TypeAlias = Callable[[Mapping[int, Annotation]], Prepared]
"""From the annotations of a person by the number of the text to what is compared."""
Compare: TypeAlias = Callable[[Prepared, Prepared, BoolArray], FloatArray]
"""From two people and which of the n texts both have to four numbers of each text (n, 4): what both have in common as
the first person's and as the second's, and how much each has; all 0 of a text that not both have."""


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

    severities: dict[str | None, int] = {}

    def compare(mine: PersonMarks, theirs: PersonMarks, both: BoolArray) -> FloatArray:
        one, other = mine.within(both), theirs.within(both)
        pairs = common_characters(one, other)
        texts = one.text[pairs.one]
        chosen = chosen_pairs(pairs, pair_values(one, other, pairs, matching, penalty), texts)
        gains = (each[chosen] for each in credits_of(one, other, pairs, matching, penalty))
        columns = [np.bincount(texts[chosen], gain, minlength=len(both)) for gain in gains]
        return np.stack([*columns, *(np.bincount(each.text, minlength=len(both)) for each in (one, other))], axis=1)

    return mean_over_couples(
        annotations,
        lambda own: person_marks(own, severities, missing=missing),
        compare,
        least_common=least_common,
        source_of=source_of,
        draws=draws,
        seed=seed,
    )


def mean_over_couples(
    annotations: Iterable[Annotation],
    prepare: Prepare[Prepared],
    compare: Compare[Prepared],
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
    prepare : callable
        What is done once for each person, given the annotations by the number of the text.
    compare : callable
        From what was prepared for two people, and which of the n texts both have, to sums of shape (n, 4).
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
    >>> always = lambda mine, theirs, both: np.array([[1, 1, 2, 2]] * len(both))
    >>> two = [Annotation(who, "s", "1") for who in "AB"]
    >>> mean_over_couples(two, lambda own: None, always, least_common=1, seed=1).mean
    0.5
    """
    groups = by_text(annotations)
    names = [(source_of or {}).get(group[0].segment, group[0].segment) for group in groups]
    people: dict[str, dict[int, Annotation]] = defaultdict(dict)
    for number, group in enumerate(groups):
        for each in group:
            people[each.person][number] = each
    prepared = {person: prepare(own) for person, own in people.items()}
    has = {person: np.isin(np.arange(len(groups)), list(own)) for person, own in people.items()}
    couples, tables, used = list[Couple](), list[FloatArray](), np.zeros(len(groups), dtype=bool)
    for one, other in combinations(sorted(people), 2):
        both = has[one] & has[other]
        texts = int(both.sum())
        if texts >= max(1, least_common):
            tables.append(compare(prepared[one], prepared[other], both))
            couples.append(_couple((one, other), texts, tables[-1].sum(axis=0)))
            used |= both
    sources = {name: place for place, name in enumerate(dict.fromkeys(itertools.compress(names, used)))}
    defined = [each.f for each in couples if not isinstance(each.f, Undefined)]
    if not defined:
        reason = NO_DEFINED_COUPLE if couples else NO_COUPLE
        return PairAgreement(reason, reason, tuple(couples), len(sources))
    source = np.array([sources[name] for name in itertools.compress(names, used)])
    drawn = _drawn_means([_by_source(table[used], source, len(sources)) for table in tables], draws, seed)
    interval = drawn_interval(drawn[~np.isnan(drawn)], len(sources))
    return PairAgreement(float(np.mean(defined)), interval, tuple(couples), len(sources))


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
