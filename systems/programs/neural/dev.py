"""The sources of dev, on which training is judged, as sentences."""

from __future__ import annotations

from measures.text.segmentation import sentences
from systems.programs.pairs import Pair, TrainingData, sentence_pairs


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
