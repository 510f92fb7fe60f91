"""Which facts of its source does a text have? Agreement and overlap of such answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.cohen import kappa_of_table, kappa_or_undefined
from measures.core.arrays import FloatArray, IntArray
from measures.core.drawn_sources import Ratio, drawn_interval, drawn_ratios, source_draws
from measures.core.intervals import Interval
from measures.core.item_means import ItemMean, item_mean
from measures.core.undefined import ONE_CATEGORY, Undefined

DRAWS = 10_000

NO_FACTOID = Undefined("no factoid has both answers")
NO_ITEM_KAPPA = "no item has a kappa: each has no factoid with both answers, or one answer only"
NO_FOUND = "the text has none of the factoids"
NO_GOLD = "the reference has none of the factoids"
NEITHER = "neither text has any of the factoids"
NO_ANSWER = "nobody looked for added facts"


@dataclass(frozen=True)
class FactoidAgreement:
    """How far two texts, or two judges of a text, have the same factoids.

    Attributes
    ----------
    kappa : float or Undefined
        Cohen's kappa over the factoids of all items together.
    kappa_interval : Interval or Undefined
        Over draws of the items; undefined for fewer than 10.
    item_kappa : ItemMean or Undefined
        Mean of the kappas of items, without those that have none.
    ac1 : float or Undefined
        Gwet's AC1 over all factoids together, which does not fall where nearly all answers are the same.
    ac1_interval : Interval or Undefined
        Over the same draws.
    agreement : float
        Share of the factoids with the same answer.
    first_share, second_share : float
        Share of the factoids that each has: kappa depends on how common they are.
    factoids, items : int
        Numbers of factoids with both answers, and of their items.
    """

    kappa: float | Undefined
    kappa_interval: Interval | Undefined
    item_kappa: ItemMean | Undefined
    ac1: float | Undefined
    ac1_interval: Interval | Undefined
    agreement: float
    first_share: float
    second_share: float
    factoids: int
    items: int


def factoid_agreement(
    first: npt.ArrayLike, second: npt.ArrayLike, items: npt.ArrayLike, *, draws: int = DRAWS, seed: int
) -> FactoidAgreement | Undefined:
    """Compute kappa and AC1 of two vectors of factoids.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", factoid evaluation and
    Table 3, for kappa of two texts; Cohen 1960, "A coefficient of agreement for nominal scales"; Gwet 2008, "Computing
    inter-rater reliability and its variance in the presence of high agreement".

    Parameters
    ----------
    first, second : array_like of shape (f,)
        1 where it has the factoid, 0 where not, NaN where nobody has answered; a factoid that is there, but too broken
        to answer a question, counts as 0.
    items : array_like of shape (f,)
        The item that each factoid was cut from, as a number or a name.
    draws : int, default 10_000
        Number of draws of items.
    seed : int
        Seed of the draws.

    Returns
    -------
    FactoidAgreement or Undefined
        Undefined if no factoid has both answers.

    Raises
    ------
    ValueError
        If lengths differ, an answer is not 0, 1 or NaN, or `draws` < 1.

    Examples
    --------
    >>> one, other = [1, 1, 0, 1, 0, 1, 0, 1], [1, 0, 1, 1, 0, 0, 0, 1]
    >>> agreement = factoid_agreement(one, other, [1, 1, 1, 1, 2, 2, 2, 2], seed=1)
    >>> agreement.kappa, agreement.first_share, agreement.kappa_interval.reason
    (0.25, 0.625, 'no interval from fewer than 10 sources')
    """
    one, other, of_items = answers_of(first), answers_of(second), np.asarray(items)
    if not one.shape == other.shape == of_items.shape or one.ndim != 1 or draws < 1:
        raise ValueError("both must have an answer for each factoid, each factoid an item, and draws be at least 1")
    both = ~np.isnan(one) & ~np.isnan(other)
    if not both.any():
        return NO_FACTOID
    _, place = np.unique(of_items[both], return_inverse=True)
    number = int(place.max()) + 1
    cells = 4 * place + 2 * one[both].astype(np.int64) + other[both].astype(np.int64)
    tables: IntArray = np.bincount(cells, minlength=4 * number).reshape(number, 4)
    whole = tables.sum(axis=0)
    kappa = kappa_or_undefined(float(_kappa(whole[None])[0]))
    ac1 = float(_ac1(whole[None])[0])
    drawn = [(_kappa(times @ tables), _ac1(times @ tables)) for times in source_draws(number, draws, seed)]
    kappas, ac1s = (np.concatenate(each) for each in zip(*drawn, strict=True))
    total = int(whole.sum())
    return FactoidAgreement(
        kappa=kappa,
        kappa_interval=kappa if isinstance(kappa, Undefined) else _interval(kappas, number),
        item_kappa=item_mean(_kappa(tables), bounds=(-1, 1), nothing=NO_ITEM_KAPPA),
        ac1=ONE_CATEGORY if np.isnan(ac1) else ac1,
        ac1_interval=ONE_CATEGORY if np.isnan(ac1) else _interval(ac1s, number),
        agreement=float((whole[0] + whole[3]) / total),
        first_share=float((whole[2] + whole[3]) / total),
        second_share=float((whole[1] + whole[3]) / total),
        factoids=total,
        items=number,
    )


def answers_of(values: npt.ArrayLike) -> FloatArray:
    """Check answers about factoids.

    Parameters
    ----------
    values : array_like of any shape
        0, 1 or NaN.

    Returns
    -------
    FloatArray of the same shape
        The answers.

    Raises
    ------
    ValueError
        If there is another value.

    Examples
    --------
    >>> answers_of([True, False]).tolist()
    [1.0, 0.0]
    """
    answers = np.asarray(values, dtype=np.float64)
    if not (np.isnan(answers) | (answers == 0) | (answers == 1)).all():
        raise ValueError("answers about factoids must be 0, 1 or NaN")
    return answers


def _kappa(tables: npt.ArrayLike) -> FloatArray:
    return kappa_of_table(np.asarray(tables).reshape(-1, 2, 2), "none")


def _ac1(tables: npt.ArrayLike) -> FloatArray:
    counts = np.asarray(tables, dtype=np.float64)
    total = counts.sum(axis=1)
    # As often as a category is used by either: of 2 n answers.
    share = (counts[:, 1] + counts[:, 2] + 2 * counts[:, 3]) / (2 * total)
    chance = 2 * share * (1 - share)
    same = (counts[:, 0] + counts[:, 3]) / total
    return np.where(chance > 0, (same - chance) / (1 - chance), np.nan)


def _interval(drawn: FloatArray, items: int) -> Interval | Undefined:
    return drawn_interval(drawn[~np.isnan(drawn)], items)


@dataclass(frozen=True)
class Overlap:
    """Precision, recall and their harmonic mean.

    Attributes
    ----------
    precision, recall, f : Ratio or ItemMean or Undefined
        Pooled over factoids, or means over items, with an interval over items.
    """

    precision: Ratio | ItemMean | Undefined
    recall: Ratio | ItemMean | Undefined
    f: Ratio | ItemMean | Undefined


@dataclass(frozen=True)
class FactoidOverlap:
    """Which of the factoids of a reference a text has, and which besides.

    Attributes
    ----------
    micro : Overlap
        Pooled over the factoids of all items; the values are `Ratio`.
    macro : Overlap
        Means over items; the values are `ItemMean`, whose `left_out` counts items without a value.
    """

    micro: Overlap
    macro: Overlap


def factoid_overlap(
    found: npt.ArrayLike, gold: npt.ArrayLike, items: npt.ArrayLike, *, draws: int = DRAWS, seed: int
) -> FactoidOverlap:
    """Compute precision, recall and F of the factoids of a text against those of a reference.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", factoid evaluation and
    Table 4.

    Parameters
    ----------
    found, gold : array_like of shape (f,)
        The factoids of the text and of the reference, as for `factoid_agreement`; factoids without both answers are
        left out.
    items : array_like of shape (f,)
        The item that each factoid was cut from.
    draws : int, default 10_000
        Number of draws of items.
    seed : int
        Seed of the draws.

    Returns
    -------
    FactoidOverlap
        Where the text has no factoid, precision is undefined and F is 0, unless the reference has none either: then F
        is undefined, too.

    Raises
    ------
    ValueError
        As `factoid_agreement`.

    Examples
    --------
    >>> overlap = factoid_overlap([1, 0, 1, 1, 0, 0, 0, 1], [1, 1, 0, 1, 0, 1, 0, 1], [1] * 4 + [2] * 4, seed=1)
    >>> overlap.micro.precision.value, overlap.micro.recall.value, round(overlap.micro.f.value, 3)
    (0.75, 0.6, 0.667)
    """
    mine, theirs, of_items = answers_of(found), answers_of(gold), np.asarray(items)
    if not mine.shape == theirs.shape == of_items.shape or mine.ndim != 1:
        raise ValueError("both must have an answer for each factoid, and each factoid an item")
    both = ~np.isnan(mine) & ~np.isnan(theirs)
    _, place = np.unique(of_items[both], return_inverse=True)
    number = int(place.max()) + 1 if len(place) else 0
    columns = (mine[both] * theirs[both], mine[both], theirs[both])
    hits, of_text, of_gold = (np.bincount(place, each, minlength=number) for each in columns)
    above, below = np.column_stack([hits, hits, 2 * hits]), np.column_stack([of_text, of_gold, of_text + of_gold])
    reasons = (NO_FOUND, NO_GOLD, NEITHER)
    pooled = drawn_ratios(above, below, np.arange(number), draws=draws, seed=seed, nothing="")
    by_item = np.where(below > 0, above / np.maximum(below, 1), np.nan)
    return FactoidOverlap(
        micro=Overlap(
            *(
                Undefined(reason) if isinstance(each, Undefined) else each
                for each, reason in zip(pooled, reasons, strict=True)
            )
        ),
        macro=Overlap(
            *(item_mean(each, bounds=(0, 1), nothing=reason) for each, reason in zip(by_item.T, reasons, strict=True))
        ),
    )


@dataclass(frozen=True)
class AddedFacts:
    """What texts say that is not in their source.

    Attributes
    ----------
    number : ItemMean
        Added facts of a text.
    share_with_any : ItemMean
        Share of the texts with at least one.
    """

    number: ItemMean
    share_with_any: ItemMean


def added_facts(counts: npt.ArrayLike) -> AddedFacts | Undefined:
    """Compute how much the texts of a system add, apart from the factoids of their sources.

    Parameters
    ----------
    counts : array_like of shape (items,)
        The number of added facts of the text of each item, the mean if there were several judges; NaN where nobody
        looked.

    Returns
    -------
    AddedFacts or Undefined
        Means over items with intervals; undefined if nobody looked.

    Raises
    ------
    ValueError
        If a number is below 0 or infinite.

    Examples
    --------
    >>> facts = added_facts([0, 2, 1, 0])
    >>> facts.number.value, facts.share_with_any.value
    (0.75, 0.5)
    """
    given = np.asarray(counts, dtype=np.float64)
    if (given < 0).any():
        raise ValueError("numbers of added facts must be at least 0")
    number = item_mean(given, nothing=NO_ANSWER)
    with_any = item_mean(np.where(np.isnan(given), np.nan, given > 0), bounds=(0, 1), nothing=NO_ANSWER)
    if isinstance(number, Undefined) or isinstance(with_any, Undefined):
        return Undefined(NO_ANSWER)
    return AddedFacts(number, with_any)
