"""Deletions: how much of a source goes, in spans of what lengths, and what the words were in its grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from measures.alignment.aligner import Places
from measures.core.arrays import BoolArray, FloatArray
from measures.core.drawn_sources import DRAWS, Ratio, drawn_ratios
from measures.core.undefined import Undefined

LONGEST = 5
"""Spans of so many words and more are counted together."""

SPANS = (*(f"spans of {length}" for length in range(1, LONGEST)), f"spans of {LONGEST} or more")
FIGURES = ("rate", "span length", "spans", *SPANS, "success rate")
NO_TEXTS, NO_OTHERS = "no text has words in its source", "no source has another text by a person"


@dataclass(frozen=True)
class Grammar:
    """What a parser found of the words of a source.

    Attributes
    ----------
    relations : tuple of str
        The relation of each word to its head.
    heads : tuple of int
        The place of each word's head; a root is its own.
    constituents : tuple of (str, int, int)
        The label of each constituent, and where it begins and ends; empty where no parser of constituents is at hand.
    """

    relations: tuple[str, ...]
    heads: tuple[int, ...]
    constituents: tuple[tuple[str, int, int], ...] = ()

    def subtrees(self) -> Iterator[tuple[str, list[int]]]:
        """Yield for each word but roots its relation, and the places of it and of all that hangs on it.

        Yields
        ------
        (str, list of int)
            In the order of the words.

        Examples
        --------
        >>> list(Grammar(("det", "nsubj", "root"), (1, 2, 2)).subtrees())
        [('det', [0]), ('nsubj', [0, 1])]
        """
        members: dict[int, list[int]] = {place: [] for place in range(len(self.heads))}
        for place in range(len(self.heads)):
            above, seen = place, set[int]()
            while above not in seen:
                seen.add(above)
                members[above].append(place)
                above = self.heads[above]
        for place, relation in enumerate(self.relations):
            if self.heads[place] != place:
                yield relation, members[place]


def kept_words(words: int, places: Places) -> BoolArray:
    """Say which words of a source a text keeps, as they are or in another form.

    Parameters
    ----------
    words : int
        The words of the source.
    places : sequence of (int or None)
        For each word of the text its place in the source.

    Returns
    -------
    BoolArray of shape (words,)
        True for those that some word of the text is aligned with.

    Examples
    --------
    >>> kept_words(3, (2, None)).tolist()
    [False, False, True]
    """
    kept = np.zeros(words, dtype=bool)
    kept[[place for place in places if place is not None]] = True
    return kept


def deleted_spans(kept: BoolArray) -> list[int]:
    """Return the lengths of the runs of deleted words.

    Source: Clarke 2008, of which Toutanova et al. 2016, §2, say so.

    Parameters
    ----------
    kept : BoolArray of shape (words,)
        Which words are kept.

    Returns
    -------
    list of int
        Numbers of words, in the order of the source.

    Examples
    --------
    >>> deleted_spans(np.array([False, False, True, False]))
    [2, 1]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[True], kept, [True]]).astype(np.int8)))
    return [int(length) for length in np.diff(edges)[::2]]


@dataclass(frozen=True, eq=False)
class DeletedText:
    """A text by what it keeps of its source.

    Attributes
    ----------
    source : int
        A number of the source, by which texts are drawn.
    kept : BoolArray of shape (words,)
        Which words of the source it keeps.
    rate : float
        Its characters by those of the source.
    others : sequence of BoolArray
        Which words other texts of people keep, for the success rate.
    grammar : Grammar, optional
        What a parser found in the source.
    """

    source: int
    kept: BoolArray
    rate: float
    others: Sequence[BoolArray] = ()
    grammar: Grammar | None = None


def deletion_figures(texts: Sequence[DeletedText], *, draws: int = DRAWS, seed: int) -> dict[str, Ratio | Undefined]:
    """Describe the deletions of texts.

    Source: Toutanova et al. 2016, §2: compression rate and length of deleted spans (Clarke 2008); the success rate of
    decisions to delete a word (Jing 2000), here over all other texts by people of the same source.

    Parameters
    ----------
    texts : sequence of DeletedText
        The texts.
    draws : int, default 1_000
        Bootstrap draws of sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict of str to (Ratio or Undefined)
        The mean rate; the mean length of a deleted span and the mean number of them in a text; the shares of spans of
        1 to 4 and of 5 or more words; the share of words of which text and another one agree whether to keep them.

    Examples
    --------
    >>> texts = [DeletedText(0, np.array([True, False, False, True]), 0.5)]
    >>> found = deletion_figures(texts, seed=1)
    >>> found["span length"].value, found["spans of 2"].value, found["success rate"].reason
    (2.0, 1.0, 'no source has another text by a person')
    """
    above = np.zeros((len(texts), len(FIGURES)))
    below = np.zeros_like(above)
    for row, text in enumerate(texts):
        above[row], below[row] = _counts(text)
    found = drawn_ratios(above, below, [text.source for text in texts], draws=draws, seed=seed, nothing=NO_TEXTS)
    named = dict(zip(FIGURES, found, strict=True))
    if isinstance(named["success rate"], Undefined) and texts:
        named["success rate"] = Undefined(NO_OTHERS)
    return named


def _counts(text: DeletedText) -> tuple[FloatArray, FloatArray]:
    spans, words = deleted_spans(text.kept), len(text.kept)
    lengths = np.bincount(np.minimum(spans, LONGEST), minlength=LONGEST + 1)[1:] if spans else np.zeros(LONGEST)
    agreed = sum(int((text.kept == other).sum()) for other in text.others)
    number = len(text.others) or 1
    above = [text.rate, sum(spans), len(spans), *lengths, agreed / number]
    below = [1, len(spans), 1, *[len(spans)] * LONGEST, words if text.others else 0]
    return np.array(above, dtype=np.float64), np.array(below, dtype=np.float64)


def deletions_by_grammar(
    texts: Sequence[DeletedText], kind: str, *, draws: int = DRAWS, seed: int
) -> dict[str, Ratio | Undefined]:
    """Return how often words of each relation, subtrees below each relation, or constituents of each label go.

    A subtree or a constituent has gone if none of its words is kept.

    Source: Toutanova et al. 2016, §2: deletion probability by syntactic constituent type (Clarke 2008).

    Parameters
    ----------
    texts : sequence of DeletedText
        The texts; those without grammar are left out.
    kind : {"relation", "subtree", "constituent"}
        What is counted.
    draws : int, default 1_000
        Bootstrap draws of sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict of str to (Ratio or Undefined)
        By relation or label, the most frequent first.

    Raises
    ------
    ValueError
        If the kind is unknown.

    Examples
    --------
    >>> grammar = Grammar(("det", "nsubj", "root"), (1, 2, 2))
    >>> text = DeletedText(0, np.array([False, True, True]), 0.7, grammar=grammar)
    >>> [(name, share.value) for name, share in deletions_by_grammar([text], "subtree", seed=1).items()]
    [('det', 1.0), ('nsubj', 0.0)]
    """
    if kind not in ("relation", "subtree", "constituent"):
        raise ValueError(f"kind must be relation, subtree or constituent, not {kind!r}")
    parsed = [(text, text.grammar) for text in texts if text.grammar is not None]
    counted = [_by_name(text.kept, grammar, kind) for text, grammar in parsed]
    totals: dict[str, int] = {}
    for counts in counted:
        for name, (_, all_) in counts.items():
            totals[name] = totals.get(name, 0) + all_
    names = sorted(totals, key=lambda name: (-totals[name], name))
    table = np.array([[counts.get(name, (0, 0)) for name in names] for counts in counted], dtype=np.float64)
    table = table.reshape(len(counted), len(names), 2)
    sources = [text.source for text, _ in parsed]
    found = drawn_ratios(table[:, :, 0], table[:, :, 1], sources, draws=draws, seed=seed, nothing=NO_TEXTS)
    return dict(zip(names, found, strict=True))


def _by_name(kept: BoolArray, grammar: Grammar, kind: str) -> dict[str, tuple[int, int]]:
    """Return how many of each name have gone, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for name, places in _named(grammar, kind):
        gone, all_ = found.get(name, (0, 0))
        found[name] = gone + (not kept[places].any()), all_ + 1
    return found


def _named(grammar: Grammar, kind: str) -> Iterator[tuple[str, list[int]]]:
    if kind == "relation":
        yield from ((relation, [place]) for place, relation in enumerate(grammar.relations))
    elif kind == "subtree":
        yield from grammar.subtrees()
    else:
        yield from ((label, list(range(begin, end))) for label, begin, end in grammar.constituents if end > begin)


def bracketed_constituents(tree: str, begins: int = 0) -> tuple[list[tuple[str, int, int]], int]:
    """Return the constituents of a tree in brackets.

    Parameters
    ----------
    tree : str
        A tree, as benepar writes it, such as ``(S (NP (DT the) (NN house)) (VP (VBZ stands)))``.
    begins : int
        The place of its first word.

    Returns
    -------
    (list of (str, int, int), int)
        The label of each constituent but words' tags, where it begins and where it ends; and where the tree ends.

    Examples
    --------
    >>> bracketed_constituents("(S (NP (DT the) (NN house)) (VP (VBZ stands)))")
    ([('NP', 0, 2), ('VP', 2, 3), ('S', 0, 3)], 3)
    """
    found: list[tuple[str, int, int]] = []
    opened: list[tuple[str, int, bool]] = []
    place = begins
    for part in tree.replace("(", " ( ").replace(")", " ) ").split():
        if part == "(":
            opened.append(("", place, False))
        elif part == ")":
            label, begin, is_tag = opened.pop()
            if not is_tag:
                found.append((label, begin, place))
        else:
            label, begin, _ = opened.pop()
            if label:
                place += 1
                opened.append((label, begin, True))
            else:
                opened.append((part, begin, False))
    return found, place
