"""What systems learn from: sentences with what people made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from measures.text.segmentation import sentences
from systems.programs.texts import Range, Source, joined
from systems.programs.tokens import FINAL, tokens_of

MERGED_SHARE = 0.3


@dataclass(frozen=True)
class Pair:
    """A sentence and its compression.

    Attributes
    ----------
    source, target : str
        The sentence and its compression.
    name : str
        Where they come from, as the id of the text; pairs are the same without it.
    alignment : str
        Which of their words belong together, in the Pharaoh format; empty if nobody said so.
    aligned_words : pair of tuples of str, or None
        The words that it is of, where it only holds for a parser that cuts the same ones; None if it must hold.
    """

    source: str
    target: str
    name: str = field(default="", compare=False)
    alignment: str = field(default="", compare=False)
    aligned_words: tuple[tuple[str, ...], tuple[str, ...]] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class DevSource:
    """A text on which parameters are chosen, with the compressions that people made of it."""

    source: Source
    references: tuple[str, ...]


@dataclass(frozen=True)
class TrainingData:
    """What a system is trained on.

    Attributes
    ----------
    language : str
        Tag of the language of all texts.
    train : tuple of Pair
        To learn from.
    dev : tuple of DevSource
        To choose parameters on; may be empty.
    allowed : Range
        How long outputs may be.
    """

    language: str
    train: tuple[Pair, ...] = ()
    dev: tuple[DevSource, ...] = ()
    allowed: Range = field(default_factory=Range)


@dataclass(frozen=True)
class Cut:
    """A text and its compression as pairs of sentences.

    Attributes
    ----------
    pairs : tuple of Pair
        A pair for each sentence that something was made of.
    merged : int
        How many sentences of the compression are made of several and left out.
    unmatched : int
        How many sentences of the text are without a pair.
    """

    pairs: tuple[Pair, ...]
    merged: int
    unmatched: int


def sentence_pairs(parts: Sequence[str], targets: Sequence[str], language: str) -> Cut:
    """Cut a text and its compression into pairs of sentences.

    Each sentence of the compression goes to the sentence of the text with the largest F1 of its words, the first of
    equal ones; one that has at least three tenths of its words from another one, too, is a merge and is left out.

    Parameters
    ----------
    parts : sequence of str
        The sentences of the text.
    targets : sequence of str
        The sentences of the compression.
    language : str
        Tag of their language.

    Returns
    -------
    Cut
        What became of them.

    Examples
    --------
    >>> cut = sentence_pairs(["It rained all day.", "We left for home."], ["We left."], "en")
    >>> [(pair.source, pair.target) for pair in cut.pairs], cut.merged, cut.unmatched
    ([('We left for home.', 'We left.')], 0, 1)
    """
    if len(parts) == 1:
        return Cut((Pair(parts[0], joined(targets)),), 0, 0)
    words = [_words(part, language) for part in parts]
    found: list[list[str]] = [[] for _ in parts]
    merged = 0
    for target in targets:
        own = _words(target, language)
        scores = [_f1(own, each) for each in words]
        best = scores.index(max(scores))
        # A word that stands in both is drawn from the nearer one: "the" makes no merge.
        left = own - words[best]
        if any((left & each).total() >= MERGED_SHARE * own.total() > 0 for each in words):
            merged += 1
        elif scores[best] > 0:
            found[best].append(target)
    pairs = tuple(Pair(part, joined(own)) for part, own in zip(parts, found, strict=True) if own)
    return Cut(pairs, merged, len(parts) - len(pairs))


def cut_pair(whole: Pair, parts: Sequence[str], language: str) -> Cut:
    """Cut a pair of texts into pairs of sentences, which keep its name; one with an alignment stays as it is.

    Parameters
    ----------
    whole : Pair
        The pair.
    parts : sequence of str
        The sentences of its source.
    language : str
        Tag of their language.

    Returns
    -------
    Cut
        What became of it.

    Examples
    --------
    >>> whole = Pair("It rained. We left.", "We left.", "7")
    >>> [(pair.source, pair.name) for pair in cut_pair(whole, ("It rained.", "We left."), "en").pairs]
    [('We left.', '7')]
    """
    if whole.alignment:
        return Cut((whole,), 0, 0)
    found = sentence_pairs(parts, sentences(whole.target) or (whole.target,), language)
    return replace(found, pairs=tuple(replace(pair, name=whole.name) for pair in found.pairs))


def dev_pairs(data: TrainingData) -> list[Pair]:
    """Return the pairs of sentences of dev, in their order."""
    return [
        pair
        for each in data.dev
        for reference in each.references
        for pair in sentence_pairs(each.source.sentences, sentences(reference) or (reference,), data.language).pairs
    ]


def dev_sentences(data: TrainingData, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the first sentences of dev, each with the texts that people made of it."""
    found: dict[str, list[str]] = {}
    for pair in dev_pairs(data):
        found.setdefault(pair.source, []).append(pair.target)
    return [(source, tuple(targets)) for source, targets in found.items()][:most]


def _f1(words: Counter[str], others: Counter[str]) -> float:
    return 2 * (words & others).total() / max(1, words.total() + others.total())


def _words(text: str, language: str) -> Counter[str]:
    return Counter(token.text.casefold() for token in tokens_of(text, language) if not token.is_sign)


def embedded(source: Sequence[str], target: Sequence[str]) -> tuple[int, ...] | None:
    """Return which tokens of a sentence its compression keeps, if it only deletes.

    Case does not matter, nor does punctuation at the end. Of several ways, that with the fewest gaps is taken, and of
    these the earliest.

    Parameters
    ----------
    source : sequence of str
        The tokens of the sentence.
    target : sequence of str
        Those of its compression.

    Returns
    -------
    tuple of int or None
        Places in the sentence, with its final punctuation if both end in some; None if something is no deletion.

    Examples
    --------
    >>> embedded(["The", "old", "cat", "and", "the", "dog", "sat", "."], ["The", "dog", "sat", "!"])
    (4, 5, 6, 7)
    >>> embedded(["The", "cat", "sat", "."], ["A", "cat", "."]) is None
    True
    """
    whole, part = _without_end(source), _without_end(target)
    if part == 0:
        return None
    kept = _earliest([token.casefold() for token in source[:whole]], [token.casefold() for token in target[:part]])
    if kept is None:
        return None
    has_end = whole < len(source) and part < len(target)
    return (*kept, len(source) - 1) if has_end else kept


def _without_end(tokens: Sequence[str]) -> int:
    number = len(tokens)
    while number and tokens[number - 1] in FINAL:
        number -= 1
    return number


def _earliest(source: Sequence[str], target: Sequence[str]) -> tuple[int, ...] | None:
    """Return the way with the fewest gaps, from tables of the fewest gaps that follow each place."""
    none = len(target) + 1
    follows: list[list[int]] = []  # of the tokens of the target from the last one: gaps if it stands at a place
    for word in reversed(target):
        after = follows[-1] if follows else None
        row = [none] * len(source)
        best = none  # gaps of what follows somewhere behind the next place
        for place in reversed(range(len(source))):
            if after is not None and place + 2 < len(source):
                best = min(best, after[place + 2] + 1)
            if source[place] == word:
                next_to = after[place + 1] if after is not None and place + 1 < len(source) else none
                row[place] = 0 if after is None else min(best, next_to)
        follows.append(row)
    return _read_off(list(reversed(follows)), none)


def _read_off(gaps: Sequence[Sequence[int]], none: int) -> tuple[int, ...] | None:
    left = min(gaps[0], default=none)
    if left >= none:
        return None
    kept = [gaps[0].index(left)]
    for row in gaps[1:]:
        place = kept[-1] + 1
        if row[place] != left:
            left -= 1
            place = row.index(left, place + 1)
        kept.append(place)
    return tuple(kept)
