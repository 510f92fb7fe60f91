"""A baseline that takes away whole parts of the tree."""

from __future__ import annotations

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress, or_first
from systems.programs.parses import Parse, Sentence
from systems.programs.texts import Output, Range, Source, joined
from systems.programs.tokens import FINAL, kept_text

ORDER = ("parataxis", "acl:relcl", "appos", "advcl", "acl", "obl", "advmod", "amod", "nmod", "conj")
"""What goes first; of one kind, the longest."""


def without_subtrees(parse: Parse) -> Compress:
    """Return a system that takes away parts of a sentence, by kind, until it is short enough.

    Parameters
    ----------
    parse : callable
        Parses a sentence.

    Returns
    -------
    callable
        The system; where no part that may go is left, it gives the `first` words.

    Examples
    --------
    >>> from systems.programs.parses import Word
    >>> words = (Word("Men", True, 1, "nsubj", "NOUN"), Word("slept", True, 1, "root", "VERB"),
    ...     Word("very", True, 3, "advmod", "ADV"), Word("late", True, 1, "advmod", "ADV"))
    >>> without_subtrees(lambda _text: Sentence(words))(Source("1", "en", ("Men slept very late",)), Range(), 0).text
    'Men slept'
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        parts = []
        for text in source.sentences:
            sentence = parse(text)
            parts.append(_pruned(sentence, range_.most_length(text)))
        return or_first(joined(parts), source, range_, seed, "no part that may go is left")

    return compress


def _pruned(sentence: Sentence, most: int) -> str:
    kept, final = set(range(len(sentence.words))), _final(sentence)
    for relation in ORDER:
        while length(kept_text(sentence.words, kept)) > most:
            parts = [
                (below(sentence, place) & kept) - final
                for place in kept
                if sentence.words[place].relation == relation and sentence.governor(place) is not None
            ]
            longest = max(filter(None, parts), key=lambda part: (len(part), -min(part)), default=None)
            if longest is None:
                break
            kept -= longest
    return kept_text(sentence.words, kept)


def below(sentence: Sentence, place: int) -> set[int]:
    """Return a word and all that hangs on it."""
    found, waiting = set[int](), [place]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += sentence.children[each]
    return found


def _final(sentence: Sentence) -> set[int]:
    last = len(sentence.words) - 1
    return {last} if last >= 0 and sentence.words[last].text in FINAL else set()
