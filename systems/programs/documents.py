"""Baselines that look beyond the text itself: at its document, or at what people wrote."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress, first, or_first
from systems.programs.extraction import Weights
from systems.programs.texts import Output, Range, Source
from systems.programs.tokens import FINAL, Token, kept_text, tokens_of

NO_REFERENCE = Undefined("there is no reference for this text")
STEPS = 2_000
"""Tries of the search; each keeps or drops one word more, or changes one for another."""


def wholes(sources: Sequence[Source], documents: Mapping[str, str]) -> dict[str, Source]:
    """Return the whole document of each text, by the text's id: the sentences of all its texts, in their order.

    Parameters
    ----------
    sources : sequence of Source
        All texts.
    documents : mapping of str to str
        The document of each text, by its id; a text without one is its own document.

    Returns
    -------
    dict of str to Source
        Texts of the same document share one.

    Examples
    --------
    >>> texts = [Source("1", "en", ("It rained.",)), Source("2", "en", ("We left.", "It was late."))]
    >>> wholes(texts, {"1": "one", "2": "one"})["2"].sentences
    ('It rained.', 'We left.', 'It was late.')
    """
    found = dict[str, Source]()
    for group in _groups(sources, documents):
        whole = Source("", group[0].language, tuple(sentence for each in group for sentence in each.sentences))
        found |= dict.fromkeys((each.id for each in group), whole)
    return found


def _groups(sources: Sequence[Source], documents: Mapping[str, str]) -> Iterable[list[Source]]:
    found: dict[str, list[Source]] = {}
    for source in sources:
        found.setdefault(documents.get(source.id, f"\t{source.id}"), []).append(source)
    return found.values()


def start_of_centroid(sources: Sequence[Source], documents: Mapping[str, str]) -> Compress:
    """Return the system that takes the beginning of the text nearest to the centroid of its document's texts.

    Source: Steinberger and Turchi 2012, §3 (their baseline: the start of the centroid article).

    Parameters
    ----------
    sources : sequence of Source
        All texts.
    documents : mapping of str to str
        The document of each text, by its id; a text without one is its own document.

    Returns
    -------
    callable
        The system. Of texts equally near, it takes the first.
    """
    texts = [Source(each.id, each.language, (each.text,)) for each in sources]
    weights = Weights.of(texts)
    place = dict[str, Source]()
    for group in _groups(texts, documents):
        place |= dict.fromkeys((each.id for each in group), _central(weights, group))

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        nearest = place.get(source.id, source)
        if nearest.text == source.text:
            return first(source, range_, seed)
        share = max(1, min(100, range_.most_length(source.text) * 100 // max(1, length(nearest.text))))
        start = first(nearest, Range(1, share), seed)
        text = "" if isinstance(start, Undefined) else start.text
        return or_first(text, source, range_, seed, "the beginning of the nearest text does not fit")

    return compress


def _central(weights: Weights, group: Sequence[Source]) -> Source:
    together = Source("", group[0].language, tuple(each.text for each in group))
    vectors, _ = weights.vectors(together)
    return group[int(np.argmax(np.round(vectors @ vectors.sum(axis=0), 12)))]


def topline(references: Mapping[str, Sequence[str]]) -> Compress:
    """Return what keeps the words with the most pairs of neighbours in common with the references.

    It has seen the references: an upper bound to hold systems against, and no system itself.

    Source: Steinberger and Turchi 2012, §3 (their topline, by a genetic algorithm; this one climbs by chance).

    Parameters
    ----------
    references : mapping of str to sequence of str
        What people wrote, by the id of the text.

    Returns
    -------
    callable
        The system; undefined for a text without references.
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        if not references.get(source.id):
            return NO_REFERENCE
        tokens = tokens_of(source.text, source.language)
        wanted = [_pairs(tokens_of(text, source.language)) for text in references[source.id]]
        rng = Random(int.from_bytes(hashlib.sha256(f"{seed} {source.id}".encode()).digest()[:8]))
        search = _Search(tokens, wanted, range_.least_length(source.text), range_.most_length(source.text))
        kept = _climbed(search, rng)
        return or_first(kept_text(tokens, kept), source, range_, seed, "nothing is short enough")

    return compress


def _pairs(tokens: Sequence[Token]) -> Counter[tuple[str, str]]:
    return Counter(pairwise(token.text.lower() for token in tokens))


@dataclass(frozen=True)
class _Search:
    tokens: Sequence[Token]
    wanted: Sequence[Counter[tuple[str, str]]]
    least: int
    most: int

    def worth(self, kept: frozenset[int]) -> tuple[float, int]:
        """Mean recall of the references' pairs, then how near it is to the range; below 0 if it is too long."""
        size = length(kept_text(self.tokens, kept))
        if not kept or size > self.most:
            return -1.0, -size
        own = _pairs([self.tokens[place] for place in sorted(kept)])
        shares = [(own & each).total() / max(1, each.total()) for each in self.wanted]
        return sum(shares) / len(shares), min(size, self.least)


def _climbed(search: _Search, rng: Random) -> frozenset[int]:
    places = range(len(search.tokens))
    mark = {place for place in places[-1:] if search.tokens[place].text in FINAL}
    kept = frozenset(mark)
    # Begin with what stands in some reference, in order, as far as it fits; then climb.
    words = {word for pairs in search.wanted for pair in pairs for word in pair}
    for place in places:
        more = kept | {place}
        if search.tokens[place].text.lower() in words and search.worth(more)[0] >= 0:
            kept = more
    best = search.worth(kept)
    for _ in range(STEPS if len(search.tokens) > 1 else 0):
        other = kept ^ set(rng.sample(places, rng.choice((1, 2))))
        worth = search.worth(other)
        if worth >= best:
            kept, best = other, worth
    return kept
