"""Summaries that are sets of utterances: how far those of peers are those of models."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import BoolArray, FloatArray
from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.repeated_measures import DRAWS, LEAST_PEOPLE_DRAWN, TOO_FEW_DRAWN

BOTH_EMPTY = Undefined("both summaries are empty")
NO_PAIRS = Undefined("no text has two different summaries, one of each kind")
ALL_EMPTY = Undefined("all pairs of summaries are empty")


@dataclass(frozen=True)
class UtteranceSummary:
    """A summary as a set of utterances.

    Attributes
    ----------
    text : str
        What it summarises.
    kind : str
        Under which condition it was made, such as "primed" or "context-free".
    person : str or None
        Who made it; None for a program.
    utterances : frozenset of str
        The utterances.
    """

    text: str
    kind: str
    person: str | None
    utterances: frozenset[str]


@dataclass(frozen=True)
class UtteranceAgreement:
    """Utterance F of the summaries of one kind against those of another.

    Attributes
    ----------
    peers, models : str
        The two kinds.
    value : float or Undefined
        Mean F over the pairs of each text, then over texts.
    interval : Interval or Undefined
        Over draws of people; undefined if neither kind has 10.
    pairs, empty : int
        Numbers of pairs, and of pairs of empty summaries, which have no F.
    texts : int
        Number of texts with a pair.
    people : int
        Number of people who were drawn. Those of a kind with fewer than 10 are taken as given: the interval then says
        nothing about others.
    """

    peers: str
    models: str
    value: float | Undefined
    interval: Interval | Undefined
    pairs: int
    empty: int
    texts: int
    people: int


def utterance_f(peer: Collection[str], model: Collection[str]) -> float | Undefined:
    """Return ``2 |P ∩ M| / (|P| + |M|)`` of two sets of utterances.

    Source: McCallum et al. 2012, §4.

    Parameters
    ----------
    peer, model : collection of str
        The utterances; each counts once.

    Returns
    -------
    float or Undefined
        From 0 to 1; undefined if both are empty.

    Examples
    --------
    >>> utterance_f({"1", "2", "5"}, {"2", "5", "9"})
    0.6666666666666666
    """
    one, other = frozenset(peer), frozenset(model)
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else BOTH_EMPTY


def utterance_agreement(
    summaries: Sequence[UtteranceSummary], *, draws: int = DRAWS, seed: int
) -> tuple[UtteranceAgreement, ...]:
    """Compute the mean utterance F of every kind of summary against every kind.

    Pairs are of one text, and a summary is never paired with itself. A draw of people takes all summaries of each of
    them along, as peers and as models.

    Source: McCallum et al. 2012, §4, Table 2; Field and Welsh 2007 for the draws.

    Parameters
    ----------
    summaries : sequence of UtteranceSummary
        The summaries.
    draws : int, default 10_000
        Number of draws, at least 1.
    seed : int
        Seed of the draws.

    Returns
    -------
    tuple of UtteranceAgreement
        For each kind of models, sorted, each kind of peers, sorted.

    Raises
    ------
    ValueError
        If `draws` < 1.

    Examples
    --------
    >>> summaries = [
    ...     UtteranceSummary("t", "generic", "p1", frozenset({"1", "2"})),
    ...     UtteranceSummary("t", "generic", "p2", frozenset({"2", "3"})),
    ...     UtteranceSummary("t", "automatic", None, frozenset({"1"})),
    ... ]
    >>> [(each.peers, each.models, each.pairs) for each in utterance_agreement(summaries, seed=1)]
    [('automatic', 'automatic', 0), ('generic', 'automatic', 2), ('automatic', 'generic', 2), ('generic', 'generic', 2)]
    """
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    tables = _tables(summaries)
    kinds = sorted({each.kind for each in summaries})
    return tuple(_agreement(summaries, tables, (peers, models), draws, seed) for models in kinds for peers in kinds)


def against_models(summaries: Sequence[UtteranceSummary], models: str) -> tuple[float | Undefined, ...]:
    """Return the mean utterance F of each summary against the models of its text, itself left out.

    Parameters
    ----------
    summaries : sequence of UtteranceSummary
        The summaries, models among them.
    models : str
        The kind of the models.

    Returns
    -------
    tuple of (float or Undefined)
        One for each summary; undefined if its text has no other model, or it and all of them are empty.

    Examples
    --------
    >>> one, other = (UtteranceSummary("t", "free", name, frozenset({"1", name})) for name in ("2", "3"))
    >>> against_models([one, other], "free")
    (0.5, 0.5)
    """
    found: list[float | Undefined] = [NO_PAIRS] * len(summaries)
    for members, f in _tables(summaries):
        chosen = np.array([summaries[each].kind == models for each in members])
        paired = chosen[None, :] & ~np.eye(len(members), dtype=np.bool_)
        for place, member in enumerate(members):
            values = f[place, paired[place]]
            known = values[~np.isnan(values)]
            if len(values):
                found[member] = float(known.mean()) if len(known) else ALL_EMPTY
    return tuple(found)


_Table = tuple[list[int], FloatArray]


def _tables(summaries: Sequence[UtteranceSummary]) -> list[_Table]:
    """Return for each text its summaries and the F of every two, NaN if both are empty."""
    by_text: dict[str, list[int]] = {}
    for place, each in enumerate(summaries):
        by_text.setdefault(each.text, []).append(place)
    return [(members, _f_table([summaries[each].utterances for each in members])) for members in by_text.values()]


def _f_table(sets: Sequence[frozenset[str]]) -> FloatArray:
    numbers = {name: number for number, name in enumerate(sorted(frozenset().union(*sets)))}
    chosen = np.zeros((len(sets), len(numbers)))
    for row, each in zip(chosen, sets, strict=True):
        row[[numbers[name] for name in each]] = 1
    sizes = chosen.sum(axis=1)
    both = sizes[:, None] + sizes
    return np.where(both > 0, 2 * (chosen @ chosen.T) / np.where(both > 0, both, 1), np.nan)


def _agreement(
    summaries: Sequence[UtteranceSummary], tables: Sequence[_Table], kinds: tuple[str, str], draws: int, seed: int
) -> UtteranceAgreement:
    peers, models = kinds
    blocks = []
    for members, f in tables:
        rows, columns = ([each for each in members if summaries[each].kind == kind] for kind in kinds)
        at = {member: place for place, member in enumerate(members)}
        apart = np.array(rows, dtype=np.int64)[:, None] != np.array(columns, dtype=np.int64)
        if apart.any():
            blocks.append((rows, columns, f[np.ix_([at[row] for row in rows], [at[each] for each in columns])], apart))
    pairs = sum(int(apart.sum()) for *_, apart in blocks)
    empty = sum(int((apart & np.isnan(f)).sum()) for *_, f, apart in blocks)
    drawn = _drawn_people(summaries, kinds)
    one_each = np.ones((1, len(summaries)))
    value = float(_macro(blocks, one_each)[0])
    if np.isnan(value):
        reason = ALL_EMPTY if pairs else NO_PAIRS
        return UtteranceAgreement(peers, models, reason, reason, pairs, empty, len(blocks), people=0)
    return UtteranceAgreement(
        peers=peers,
        models=models,
        value=value,
        interval=_interval(summaries, blocks, drawn, draws, seed) if drawn else TOO_FEW_DRAWN,
        pairs=pairs,
        empty=empty,
        texts=len(blocks),
        people=len(drawn),
    )


_Block = tuple[list[int], list[int], FloatArray, BoolArray]


def _drawn_people(summaries: Sequence[UtteranceSummary], kinds: tuple[str, str]) -> list[str]:
    """Return the people of those of the kinds that have enough of them."""
    of_kinds = [{each.person for each in summaries if each.kind == kind and each.person is not None} for kind in kinds]
    return sorted(frozenset().union(*(each for each in of_kinds if len(each) >= LEAST_PEOPLE_DRAWN)))


def _macro(blocks: Sequence[_Block], weights: FloatArray) -> FloatArray:
    """Return the mean over texts of the weighted mean F, for each row of weights of summaries; NaN without a pair."""
    total, texts = np.zeros(len(weights)), np.zeros(len(weights))
    for rows, columns, f, apart in blocks:
        known = apart & ~np.isnan(f)
        of_rows, of_columns = weights[:, rows], weights[:, columns]
        below = ((of_rows @ known) * of_columns).sum(axis=1)
        above = ((of_rows @ np.where(known, f, 0.0)) * of_columns).sum(axis=1)
        total += np.divide(above, below, out=np.zeros(len(weights)), where=below > 0)
        texts += below > 0
    return np.asarray(np.divide(total, texts, out=np.full(len(weights), np.nan), where=texts > 0))


def _interval(
    summaries: Sequence[UtteranceSummary], blocks: Sequence[_Block], drawn: Sequence[str], draws: int, seed: int
) -> Interval | Undefined:
    number = {person: place for place, person in enumerate(drawn)}
    # The last column is of those who are taken as given.
    column = [number.get(each.person, len(drawn)) if each.person else len(drawn) for each in summaries]
    found = []
    for times in source_draws(len(drawn), draws, seed):
        weights = np.column_stack([times, np.ones(len(times))])[:, column]
        found.append(_macro(blocks, weights))
    values = np.concatenate(found)
    known = values[~np.isnan(values)]
    return Interval.of(known) if len(known) else TOO_FEW_DRAWN
