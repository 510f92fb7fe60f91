"""A summary projected into another language by the sentences of its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from measures.core.undefined import Undefined

Group: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Sentences of the source, and those of the translation that stand for them, by their ids; one side may be empty."""

EMPTY_BOTH = Undefined("neither summary has a sentence")
EMPTY = Undefined("the summary has no sentence")
NO_SUMMARY = Undefined("the summary has no characters")

_N = 3


class AlignmentFault(NamedTuple):
    """What is wrong with an alignment.

    Attributes
    ----------
    group : int or None
        Place of the group in which it is found, from 0; None of a sentence that is in no group.
    words : str
        What is wrong.
    """

    group: int | None
    words: str


def alignment_faults(groups: Sequence[Group], source: Sequence[str], target: Sequence[str]) -> Iterator[AlignmentFault]:
    """Find everything for which groups do not have each sentence of a document once.

    Parameters
    ----------
    groups : sequence of Group
        The groups.
    source, target : sequence of str
        Ids of the sentences of the source and of the translation.

    Yields
    ------
    AlignmentFault
        Group by group, and then the sentences that are in none.

    Examples
    --------
    >>> [fault.words for fault in alignment_faults([(("a1",), ("b2",))], ["a1"], ["b1"])]
    ['target sentence b2 is not in the document', 'target sentence b1 is in no group']
    """
    sides = (("source", set(source)), ("target", set(target)))
    seen: tuple[set[str], set[str]] = (set(), set())
    for place, group in enumerate(groups):
        if not any(group):
            yield AlignmentFault(place, "a group has no sentence")
        for (name, known), had, own in zip(sides, seen, group, strict=True):
            for sentence in own:
                if sentence not in known:
                    yield AlignmentFault(place, f"{name} sentence {sentence} is not in the document")
                elif sentence in had:
                    yield AlignmentFault(place, f"{name} sentence {sentence} is in a group already")
                had.add(sentence)
    for name, ids, had in (("source", source, seen[0]), ("target", target, seen[1])):
        yield from (AlignmentFault(None, f"{name} sentence {each} is in no group") for each in ids if each not in had)


def alignment_groups(groups: Sequence[Group], source: Sequence[str], target: Sequence[str]) -> tuple[Group, ...]:
    """Check that each sentence of a document is in exactly one group.

    Parameters
    ----------
    groups : sequence of Group
        The groups.
    source, target : sequence of str
        Ids of the sentences of the source and of the translation.

    Returns
    -------
    tuple of Group
        The groups as given.

    Raises
    ------
    ValueError
        If a sentence is unknown, in two groups or in none, or a group is empty.

    Examples
    --------
    >>> alignment_groups([(("a1",), ("b1",)), (("a2",), ())], ["a1", "a2"], ["b1"])
    ((('a1',), ('b1',)), (('a2',), ()))
    >>> alignment_groups([(("a1",), ("b1",))], ["a1", "a2"], ["b1"])
    Traceback (most recent call last):
        ...
    ValueError: source sentence a2 is in no group
    """
    fault = next(alignment_faults(groups, source, target), None)
    if fault is not None:
        raise ValueError(fault.words)
    return tuple((tuple(one), tuple(other)) for one, other in groups)


def trigram_dice(one: Sequence[str], other: Sequence[str]) -> float:
    """Compute the Dice coefficient of the trigrams of words of two sentences.

    Trigrams count as often as they occur, in lower case. If a sentence has fewer than three words, n-grams of its own
    length take their place.

    Source: Steinberger and Turchi 2012, section 5.1, which says "3-gram overlap"; Dice 1945, "Measures of the amount of
    ecologic association between species".

    Parameters
    ----------
    one, other : sequence of str
        The words, signs included if they are to count.

    Returns
    -------
    float
        0 to 1; 0 if a sentence has no word.

    Examples
    --------
    >>> trigram_dice("Schools were closed .".split(), "Schools were closed in two towns .".split()) == 2 / 7
    True
    """
    n = min(_N, len(one), len(other))
    if not n:
        return 0.0
    first, second = (Counter(_ngrams([word.lower() for word in each], n)) for each in (one, other))
    return 2 * (first & second).total() / (first.total() + second.total())


def _ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


@dataclass(frozen=True)
class MatchedSentence:
    """A sentence of a summary and what it was projected to.

    Attributes
    ----------
    dice : float
        Of its trigrams with those of the source sentence, 0 to 1.
    source : str or None
        Id of the source sentence; None if none shares a trigram.
    target : tuple of str
        Ids of the translated sentences of its group; empty without a match and without a translation.
    """

    dice: float
    source: str | None
    target: tuple[str, ...]


@dataclass(frozen=True)
class Projection:
    """A projected summary.

    Attributes
    ----------
    sentences : tuple of MatchedSentence
        One for each sentence of the summary.
    target : tuple of str
        Ids of the translated sentences that it became, each once, in the order of the groups.
    """

    sentences: tuple[MatchedSentence, ...]
    target: tuple[str, ...]

    @property
    def not_matched(self) -> int:
        """Number of sentences that share no trigram with the source."""
        return sum(each.source is None for each in self.sentences)

    @property
    def without_translation(self) -> int:
        """Number of sentences whose source sentence was not translated."""
        return sum(each.source is not None and not each.target for each in self.sentences)

    def length_ratio(self, summary_lengths: Sequence[int], target_lengths: Mapping[str, int]) -> float | Undefined:
        """Return the length of the projected summary divided by that of the summary.

        Parameters
        ----------
        summary_lengths : sequence of int
            Length of each sentence of the summary, in characters.
        target_lengths : mapping of str to int
            Length of each translated sentence by its id.

        Returns
        -------
        float or Undefined
            The ratio; undefined for a summary without characters.
        """
        total = sum(summary_lengths)
        return sum(target_lengths[each] for each in self.target) / total if total else NO_SUMMARY


def project(
    summary: Sequence[Sequence[str]], source: Mapping[str, Sequence[str]], groups: Sequence[Group]
) -> Projection:
    """Project a summary: each sentence becomes the translation of the source sentence most like it.

    Source: Steinberger and Turchi 2012, section 5.1.

    Parameters
    ----------
    summary : sequence of sequences of str
        The words of each sentence.
    source : mapping of str to sequence of str
        The words of each source sentence by its id, in the order of the text.
    groups : sequence of Group
        As `alignment_groups` returns them; in their order the translated sentences come out.

    Returns
    -------
    Projection
        Of several source sentences with the largest Dice coefficient, the earliest is taken. All translated sentences
        of its group are taken, once.

    Raises
    ------
    ValueError
        If a source sentence is in no group.

    Examples
    --------
    >>> source = {"a1": "Heavy rain fell on Monday .".split(), "a2": "No one was hurt .".split()}
    >>> found = project([["No", "one", "was", "hurt"]], source, [(("a1",), ("b1",)), (("a2",), ("b2", "b3"))])
    >>> found.target, found.not_matched
    (('b2', 'b3'), 0)
    """
    target_of = {sentence: target for its_sources, target in groups for sentence in its_sources}
    missing = next((each for each in source if each not in target_of), None)
    if missing is not None:
        raise ValueError(f"source sentence {missing} is in no group")
    sentences = []
    for words in summary:
        scores = {name: trigram_dice(words, each) for name, each in source.items()}
        best = max(scores, key=scores.__getitem__, default=None)
        if best is None or not scores[best]:
            sentences.append(MatchedSentence(0.0, None, ()))
        else:
            sentences.append(MatchedSentence(scores[best], best, target_of[best]))
    taken = {sentence for each in sentences for sentence in each.target}
    in_order = tuple(sentence for _, target in groups for sentence in target if sentence in taken)
    return Projection(tuple(sentences), in_order)


@dataclass(frozen=True)
class SharedTargets:
    """Sentences that a projected summary shares with one made in the other language.

    Attributes
    ----------
    dice : float or Undefined
        Twice the shared sentences divided by those of both.
    of_projected, of_own : float or Undefined
        Shared sentences as a share of the projected summary, and of the other one.
    """

    dice: float | Undefined
    of_projected: float | Undefined
    of_own: float | Undefined


def shared_targets(projected: Collection[str], own: Collection[str]) -> SharedTargets:
    """Compare a projected summary with the summary of the same system in that language.

    Source: Steinberger and Turchi 2012, section 5.1, which gives percentages without their denominator.

    Parameters
    ----------
    projected, own : collection of str
        Ids of their sentences.

    Returns
    -------
    SharedTargets
        A share of a summary without sentences is undefined.

    Examples
    --------
    >>> shared_targets(["b1", "b2"], ["b2", "b3", "b4"])
    SharedTargets(dice=0.4, of_projected=0.5, of_own=0.3333333333333333)
    """
    one, other = set(projected), set(own)
    both = len(one & other)
    return SharedTargets(
        dice=2 * both / (len(one) + len(other)) if one or other else EMPTY_BOTH,
        of_projected=both / len(one) if one else EMPTY,
        of_own=both / len(other) if other else EMPTY,
    )
