"""The systems by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from systems.programs.baselines import (
    Compress,
    Weights,
    centroid,
    extractive,
    first,
    latent_topics,
    lead,
    longest_sentence,
    mmr,
    random_words,
    without_stop_words,
)
from systems.programs.ilp.compress import ilp, most_likely_words
from systems.programs.lm.trigrams import TrigramModel
from systems.programs.parses import Parse
from systems.programs.pruning import without_subtrees
from systems.programs.texts import Source


@dataclass(frozen=True)
class Resources:
    """What systems stand on: all sources of the corpus, a parser and a language model.

    Attributes
    ----------
    sources : sequence of Source
        In which some systems look how rare words are.
    parse : callable or None
        Parses a sentence; None if there is no parser.
    model : TrigramModel or None
        How likely words are in a row; None if there is none.
    """

    sources: Sequence[Source]
    parse: Parse | None = None
    model: TrigramModel | None = None

    def parser(self) -> Parse:
        """Return the parser, or raise ValueError."""
        if self.parse is None:
            raise ValueError("there is no parser")
        return self.parse

    def language_model(self) -> TrigramModel:
        """Return the language model, or raise ValueError."""
        if self.model is None:
            raise ValueError("there is no language model")
        return self.model


@dataclass(frozen=True)
class System:
    """A system that can be run.

    Attributes
    ----------
    title : str
        What it does, in a few words.
    prepare : callable
        Makes it ready to compress.
    is_parsing : bool
        Whether it needs a parser and a language model.
    """

    title: str
    prepare: Callable[[Resources], Compress]
    is_parsing: bool = False


SYSTEMS: Mapping[str, System] = {
    "first": System("the first words", lambda _known: first),
    "random": System("words by chance", lambda _known: random_words),
    "lead": System("the first sentences", lambda _known: extractive(lead)),
    "lsa": System("sentences by latent semantic analysis", lambda _known: extractive(latent_topics)),
    "mmr": System("sentences by maximal marginal relevance", lambda known: extractive(mmr(Weights.of(known.sources)))),
    "centroid": System("sentences near the centroid", lambda known: extractive(centroid(Weights.of(known.sources)))),
    "longer": System("the longest sentence", lambda _known: longest_sentence),
    "dropstop": System("all words but stop words", lambda _known: without_stop_words),
    "drop": System("all but some parts of the tree", lambda known: without_subtrees(known.parser()), is_parsing=True),
    "lm": System(
        "the most likely words in a row",
        lambda known: most_likely_words(known.parser(), known.language_model()),
        is_parsing=True,
    ),
    "ilp": System(
        "words by integer linear programming",
        lambda known: ilp(known.parser(), known.language_model()),
        is_parsing=True,
    ),
}
