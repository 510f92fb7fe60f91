"""The systems by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from systems.programs.baselines import (
    Compress,
    Weights,
    centroid,
    extractive,
    first,
    latent_topics,
    lead,
    mmr,
    random_words,
)
from systems.programs.texts import Source


@dataclass(frozen=True)
class System:
    """A system that can be run.

    Attributes
    ----------
    title : str
        What it does, in a few words.
    prepare : callable
        Makes it ready to compress, with all sources of the corpus, in which some look how rare words are.
    """

    title: str
    prepare: Callable[[Iterable[Source]], Compress]


SYSTEMS: Mapping[str, System] = {
    "first": System("the first words", lambda _sources: first),
    "random": System("words by chance", lambda _sources: random_words),
    "lead": System("the first sentences", lambda _sources: extractive(lead)),
    "lsa": System("sentences by latent semantic analysis", lambda _sources: extractive(latent_topics)),
    "mmr": System("sentences by maximal marginal relevance", lambda sources: extractive(mmr(Weights.of(sources)))),
    "centroid": System("sentences near the centroid", lambda sources: extractive(centroid(Weights.of(sources)))),
}
