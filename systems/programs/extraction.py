"""Baselines that keep whole units, sentences or clauses, without training."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments.relevance_and_novelty import BALANCE, marginal_relevance
from measures.text.normalization import length
from measures.text.segmentation import sentences
from systems.programs.baselines import Compress, or_first
from systems.programs.latent_topics import extract, weighted_terms
from systems.programs.parses import Parse, Sentence
from systems.programs.texts import Output, Range, Source, Status, joined
from systems.programs.tokens import FINAL, kept_text, tokens_of

NO_SENTENCE_FITS = "no whole sentence is short enough"
NO_CLAUSE_FITS = "no whole clause is short enough"
NO_QUESTION = Undefined("there is no question for this text")
REDUNDANT = 0.7
Places: TypeAlias = tuple[int, ...]
Choose: TypeAlias = Callable[[Source, Callable[[Places], bool]], Places]
"""Choose sentences of a source, given what says whether some of them are short enough together."""


CLAUSES = frozenset({"root", "conj", "ccomp", "advcl", "acl:relcl", "parataxis"})
"""Relations whose subtrees are the units of a sentence that stands alone."""


def extractive(
    choose: Choose, parse: Parse | None = None, wholes: Mapping[str, Source] = MappingProxyType({})
) -> Compress:
    """Return a system that keeps the units which `choose` picks: sentences, or the clauses of a single one.

    Parameters
    ----------
    choose : callable
        Of a source, and of what says whether sentences are short enough together.
    parse : callable, optional
        Parses a single sentence into its clauses; without it, such a sentence is one unit.
    wholes : mapping of str to Source, optional
        The documents whose sentences are chosen from, by the ids of their texts; others have their own sentences.

    Returns
    -------
    callable
        The system. Where no unit is short enough, it gives the `first` words. Outputs below the range are
        `relaxed`: units are never cut.

    Examples
    --------
    >>> source = Source("1", "en", ("It rained.", "The old bridge fell into the river."))
    >>> extractive(lead)(source, Range(), 0)
    Output(text='It rained.', status=<Status.RELAXED: 'relaxed'>, note='shorter than the range')
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        most = range_.most_length(source.text)
        units, note = wholes.get(source.id, source), NO_SENTENCE_FITS
        if parse is None or len(units.sentences) > 1:
            parts = units.sentences

            def text_of(places: Places) -> str:
                return joined([parts[place] for place in sorted(places)])

        else:
            sentence, note = parse(units.sentences[0]), NO_CLAUSE_FITS
            spans = clauses(sentence) or [frozenset()]
            units = replace(units, sentences=tuple(kept_text(sentence.words, span) for span in spans))

            def text_of(places: Places) -> str:
                return _clauses_text(sentence, [spans[place] for place in places])

        chosen = choose(units, lambda places: length(text_of(places)) <= most)
        return or_first(text_of(chosen), source, range_, seed, note)

    return compress


def clauses(sentence: Sentence) -> list[frozenset[int]]:
    """Return the clauses of a sentence in the order of their first words, without its final marks.

    Parameters
    ----------
    sentence : Sentence
        A parsed sentence.

    Returns
    -------
    list of frozenset of int
        Places of the words of each clause; a word belongs to the nearest clause above it.
    """
    found: dict[int, set[int]] = {}
    for place, word in enumerate(sentence.words):
        if word.text in FINAL and place == len(sentence.words) - 1:
            continue
        head, seen = place, set[int]()
        while sentence.words[head].relation not in CLAUSES and head not in seen:
            seen.add(head)
            head = sentence.words[head].head
        found.setdefault(head, set()).add(place)
    return [frozenset(span) for span in sorted(found.values(), key=min)]


def _clauses_text(sentence: Sentence, spans: Iterable[Collection[int]]) -> str:
    chosen = set[int]().union(*spans)
    words, last = sentence.words, len(sentence.words) - 1
    # A comma beside what is gone parted it from what is kept.
    kept = {place for place in chosen if not words[place].is_sign or {place - 1, place + 1} <= chosen | {-1, last}}
    if any(not words[place].is_sign for place in kept) and words[last].text in FINAL:
        kept.add(last)
    return kept_text(words, kept)


def lead(source: Source, fits: Callable[[Places], bool]) -> Places:
    """Choose sentences from the start while they fit."""
    number = max((n for n in range(len(source.sentences) + 1) if fits(tuple(range(n)))), default=0)
    return tuple(range(number))


def terms_of(source: Source) -> list[list[str]]:
    """Return the words of each sentence, in lower case, without signs."""
    return [
        [token.text.casefold() for token in tokens_of(sentence, source.language) if not token.is_sign]
        for sentence in source.sentences
    ]


def latent_topics(source: Source, fits: Callable[[Places], bool]) -> Places:
    """Choose sentences by latent semantic analysis (Steinberger and Turchi 2012, §3)."""
    return extract(weighted_terms(terms_of(source)), fits)


def sentence_summarizer(keep_percent: int) -> Callable[[str, str], str | Undefined]:
    """Return a function that shortens texts of any language to their best sentences by latent semantic analysis.

    A text whose end of sentences `measures.text.segmentation` does not know, such as one in Chinese, is one sentence.

    Parameters
    ----------
    keep_percent : int
        Share of the characters that may be kept, in percent, 1 to 99.

    Returns
    -------
    callable
        Of a text and the tag of its language; undefined if no sentence is short enough.

    Examples
    --------
    >>> sentence_summarizer(75)("It rained all day. The old bridge fell into the river.", "en")
    'The old bridge fell into the river.'
    """
    compress, allowed = extractive(latent_topics), Range(1, keep_percent)

    def shortened(text: str, language: str) -> str | Undefined:
        output = compress(Source("", language, sentences(text) or (text,)), allowed, 0)
        if isinstance(output, Undefined) or output.status == Status.FALLBACK:
            return Undefined(NO_SENTENCE_FITS)
        return output.text

    return shortened


@dataclass(frozen=True)
class Weights:
    """How rare words are among the sentences of many sources: ln((1 + N) / (1 + n)) + 1 of a word that n of N have.

    Attributes
    ----------
    sentences : int
        N.
    by_word : mapping of str to int
        n of each word.

    Examples
    --------
    >>> weights = Weights.of([Source("1", "en", ("a cat", "a dog"))])
    >>> weights.sentences, weights.by_word["a"]
    (2, 2)
    """

    sentences: int
    by_word: Mapping[str, int]

    @classmethod
    def of(cls, sources: Iterable[Source]) -> Weights:
        """Count the words of sources."""
        number, counts = 0, dict[str, int]()
        for source in sources:
            for words in terms_of(source):
                number += 1
                for word in set(words):
                    counts[word] = counts.get(word, 0) + 1
        return cls(number, counts)

    def vectors(self, source: Source, question: Sequence[str] = ()) -> tuple[FloatArray, FloatArray]:
        """Return tf-idf vectors of length 1: of each sentence, (sentences, words), and of a question, (words,)."""
        lines = [*terms_of(source), question]
        words = {word: place for place, word in enumerate(sorted({word for line in lines for word in line}))}
        table = np.zeros((len(lines), len(words)))
        for number, line in enumerate(lines):
            for word in line:
                table[number, words[word]] += np.log((1 + self.sentences) / (1 + self.by_word.get(word, 0))) + 1
        norms = np.linalg.norm(table, axis=1, keepdims=True)
        found: FloatArray = table / np.where(norms > 0, norms, 1)
        return found[:-1], found[-1]


def mmr(weights: Weights, *, balance: float = BALANCE, question: Sequence[str] = ()) -> Choose:
    """Choose by maximal marginal relevance: near to the whole, unlike what is chosen.

    Source: `measures.experiments.relevance_and_novelty`; here the whole is the sum of vectors of length 1, and rare
    words are those of many sources.

    Parameters
    ----------
    weights : Weights
        How rare words are.
    balance : float
        Weight of the likeness to the whole, 0 to 1; the rest is that of the greatest likeness to a chosen sentence.
    question : sequence of str
        Words in lower case; where there are any, the likeness to them counts as much as that to the whole.

    Returns
    -------
    callable
        It adds the best sentence that still fits, until none does; ties go to the earlier one.

    Examples
    --------
    >>> source = Source("1", "en", ("A cat sat.", "A cat sat on a mat.", "Dogs ran off."))
    >>> mmr(Weights.of([source]), balance=1.0)(source, lambda chosen: len(chosen) <= 1)
    (0,)
    >>> mmr(Weights.of([source]), balance=1.0, question=["dogs"])(source, lambda chosen: len(chosen) <= 1)
    (2,)
    """

    def choose(source: Source, fits: Callable[[Places], bool]) -> Places:
        vectors, asked = weights.vectors(source, question)
        relevance = vectors @ _unit(vectors.sum(axis=0))
        if question:
            relevance = (relevance + vectors @ asked) / 2

        def open_after(chosen: Places) -> list[int]:
            return [each for each in range(len(vectors)) if each not in chosen and fits((*chosen, each))]

        def cosines(place: int) -> FloatArray:
            found: FloatArray = vectors @ vectors[place]
            return found

        return marginal_relevance(relevance, cosines, open_after, balance=balance)

    return choose


def answering(weights: Weights, questions: Mapping[str, str], parse: Parse | None = None) -> Compress:
    """Return a system that keeps what answers a question on each text, by maximal marginal relevance.

    Source: Mithun et al. 2012, §3, whose summarizer has similarity to the question as a feature.

    Parameters
    ----------
    weights : Weights
        How rare words are.
    questions : mapping of str to str
        The question, or the topic, by the id of the text.
    parse : callable, optional
        As of `extractive`.

    Returns
    -------
    callable
        The system; undefined for a text without a question.
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        if source.id not in questions:
            return NO_QUESTION
        (words,) = terms_of(replace(source, sentences=(questions[source.id],)))
        return extractive(mmr(weights, question=words), parse)(source, range_, seed)

    return compress


def centroid(weights: Weights, *, redundant: float = REDUNDANT) -> Choose:
    """Choose by the weight of the words that a sentence shares with the centroid, as MEAD does.

    Source: Radev et al. 2004, "Centroid-based summarization of multiple documents".

    Parameters
    ----------
    weights : Weights
        How rare words are.
    redundant : float
        A sentence whose cosine with a chosen one is above this is left out.

    Returns
    -------
    callable
        It adds the best sentence that still fits, until none does; ties go to the earlier one.

    Examples
    --------
    >>> source = Source("1", "en", ("A cat sat on a mat.", "A cat sat on a mat.", "Dogs ran off."))
    >>> centroid(Weights.of([source]))(source, lambda chosen: True)
    (0, 2)
    """

    def choose(source: Source, fits: Callable[[Places], bool]) -> Places:
        vectors, _ = weights.vectors(source)
        weight = vectors.mean(axis=0)
        scores = np.round((vectors > 0) @ weight, 12)
        chosen: Places = ()
        for place in np.argsort(-scores, kind="stable").tolist():
            if scores[place] > 0 and _likeness(vectors, place, chosen) <= redundant and fits((*chosen, place)):
                chosen = (*chosen, place)
        return tuple(sorted(chosen))

    return choose


def _likeness(vectors: FloatArray, place: int, chosen: Places) -> float:
    return max((float(vectors[place] @ vectors[other]) for other in chosen), default=0.0)


def _unit(vector: FloatArray) -> FloatArray:
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector
