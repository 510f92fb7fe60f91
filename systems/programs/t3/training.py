"""Training of T3: rules from one part of the pairs, weights of their features from the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from measures.alignment import Aligner, Places
from measures.core.arrays import FloatArray
from measures.text.normalization import length
from systems.programs.models import Checkpoint, Model
from systems.programs.pairs import Pair, TrainingData
from systems.programs.parses import Parse, Sentence
from systems.programs.resources import Resources
from systems.programs.t3.alignments import alignments, links_of
from systems.programs.t3.compress import MOST_WORDS, t3
from systems.programs.t3.decode import Beam, Decoder, Made
from systems.programs.t3.extract import Counts
from systems.programs.t3.forced import derives
from systems.programs.t3.grammar import LANGUAGE_MODEL, WORDS, Grammar
from systems.programs.t3.mira import Listed, improved, losses
from systems.programs.t3.trees import Tree, tree_of
from systems.programs.tuning import CRITERION, quality

LEAST_PAIRS, MOST_DEV = 20, 200
MOST_NAMED = 100
"""Of the pairs that the rules do not derive, in what the model says of itself."""


@dataclass(frozen=True)
class Parameters:
    """What is chosen by hand.

    Attributes
    ----------
    items, in_bin : int
        Most items of a node, and of about the same length.
    rounds : int
        How often the sentences are decoded and the weights improved.
    cost : float
        The largest step of the weights (C).
    listed : int
        Most outputs of a sentence that the weights learn from.
    tuning : int
        Most sentences that weights are learnt from; they are at most a fifth, and no rules come from them.
    least : int
        Composed rules are left out if seen more seldom, and rules that bring in words if these came in more seldom for
        the same words.
    """

    items: int = 100
    in_bin: int = 10
    rounds: int = 10
    cost: float = 0.01
    listed: int = 100
    tuning: int = 500
    least: int = 2


def train(
    data: TrainingData,
    known: Resources,
    *,
    seed: int,
    checkpoint: Checkpoint,
    progress: Callable[[int, int], None],
    parameters: Parameters = Parameters(),
    align: Aligner | None = None,
) -> Model:
    """Learn rules and their weights.

    Source: Cohn and Lapata 2008, "Sentence compression beyond word deletion". Rules are counted in four fifths of the
    sentences or more. The others are decoded in each round, and the weights improved by batch k-best MIRA on the lists
    of that round; those of the round that does best on the dev split are kept, and without one those with the least
    loss of the sentences that they were learnt from.

    Parameters
    ----------
    data : TrainingData
        At least 20 pairs of sentences of at most 80 words. Pairs that come with an alignment of the parser's words
        are not aligned here; nor are those that come with one of certain words, if the parser cuts the same.
    known : Resources
        With a parser and a language model.
    seed : int
        Of which sentences weights are learnt from, and in which order.
    checkpoint : Checkpoint
        Keeps the weights after each round.
    progress : callable
        Is told how many rounds are done, and how many there are.
    parameters : Parameters
        What is chosen by hand.
    align : callable, optional
        Aligns the words of a source and a target, in place of the aligner of `measures.alignment`.

    Returns
    -------
    Model
        The rules as rows, the weights as an array, and the names of the features as its vocabulary. `made_from` says
        how many pairs the rules do not derive, such as those with a word that came in once, and names up to 100.

    Raises
    ------
    ValueError
        If there are too few pairs, or the alignment of one is not of its words.
    """
    parse = lru_cache(maxsize=None)(known.parser())
    pairs = [pair for pair in dict.fromkeys(data.train) if _is_usable(parse(pair.source), parse(pair.target))]
    if len(pairs) < LEAST_PAIRS:
        raise ValueError(
            f"t3 wants at least {LEAST_PAIRS} different pairs of sentences of at most {MOST_WORDS} words; there are "
            f"{len(pairs)}, and {len(set(data.train)) - len(pairs)} others are longer or empty"
        )
    tuning = _drawn({pair.source for pair in pairs}, parameters.tuning, seed)
    learnt = [pair for pair in pairs if pair.source not in tuning]
    trees = [(tree_of(parse(pair.source)), tree_of(parse(pair.target))) for pair in learnt]
    grammar = Grammar.of(_counted(learnt, trees, data.language, align), least=parameters.least)
    lost = [pair for pair, (source, target) in zip(learnt, trees, strict=True) if not derives(grammar, source, target)]
    teacher = _Teacher(data, known, parse, grammar, parameters, seed)
    wanted = defaultdict[str, list[str]](list)
    for pair in pairs:
        if pair.source in tuning:
            wanted[pair.source].append(pair.target)
    weights, curve = teacher.taught(sorted(wanted.items()), checkpoint, progress)
    return Model(
        kind="t3",
        language=data.language,
        seed=seed,
        parameters={**vars(parameters), "criterion": CRITERION if data.dev else "loss"},
        made_from={
            "pairs": len(pairs),
            "pairs_left_out": len(set(data.train)) - len(pairs),
            "pairs_for_rules": len(trees),
            "pairs_not_derived": len(lost),
            "not_derived": named(lost),
            "sentences_for_weights": len(tuning),
            "dev_texts": len(data.dev[:MOST_DEV]),
        },
        curve=curve,
        arrays={"weights": weights},
        vocabulary=grammar.names,
        rules=grammar.rows(),
        trigrams=known.language_model(),
    )


def _is_usable(*sentences: Sentence) -> bool:
    return all(
        0 < len(sentence.words) <= MOST_WORDS and all(word.text.split() == [word.text] for word in sentence.words)
        for sentence in sentences
    )


def _drawn(sources: Iterable[str], most: int, seed: int) -> set[str]:
    ordered = sorted(sources)
    return set(Random(seed).sample(ordered, min(most, len(ordered) // 5)))


def named(pairs: Sequence[Pair]) -> str:
    """Return where pairs come from, as far as it is known."""
    names = list(dict.fromkeys(pair.name for pair in pairs if pair.name))
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _counted(pairs: Sequence[Pair], trees: Sequence[tuple[Tree, Tree]], language: str, align: Aligner | None) -> Counts:
    """Count the rules of pairs, those that come with an alignment by it."""
    unaligned = [place for place, pair in enumerate(pairs) if not _is_aligned(pair, *trees[place])]
    words = [(trees[place][0].words, trees[place][1].words) for place in unaligned]
    ours = dict(zip(unaligned, alignments(words, language, align), strict=True))
    counts = Counts()
    for place, (pair, (source, target)) in enumerate(zip(pairs, trees, strict=True)):
        counts.add(source, target, ours[place] if place in ours else _given(pair, source, target))
    return counts


def _is_aligned(pair: Pair, source: Tree, target: Tree) -> bool:
    if pair.aligned_words is None:
        return bool(pair.alignment)
    # The first word of a tree may have lost its capital.
    cut, given = (
        [" ".join(each).lower() for each in two] for two in ((source.words, target.words), pair.aligned_words)
    )
    return cut == given


def _given(pair: Pair, source: Tree, target: Tree) -> Places:
    try:
        return links_of(pair.alignment, source.words, target.words)
    except ValueError as fault:
        raise ValueError(f"the alignment of {pair.name or pair.source}: {fault}") from fault


@dataclass(frozen=True)
class _Teacher:
    """Improves weights in rounds."""

    data: TrainingData
    known: Resources
    parse: Parse
    grammar: Grammar
    parameters: Parameters
    seed: int

    def taught(
        self, wanted: Sequence[tuple[str, Sequence[str]]], checkpoint: Checkpoint, progress: Callable[[int, int], None]
    ) -> tuple[FloatArray, tuple[dict[str, float], ...]]:
        """Return the weights of the best round, and a row for each round."""
        rounds = self.parameters.rounds
        kept = checkpoint.read("rounds")
        weights = np.array([_first_weights(self.grammar)]) if kept is None else kept["weights"]
        curve = np.zeros((0, 2)) if kept is None else kept["curve"]
        for number in range(len(curve) + 1, rounds + 1):
            lists, loss = self.listed(wanted, weights[-1])
            now = improved(weights[-1], lists, cost=self.parameters.cost, seed=self.seed + number)
            dev = self.on_dev(now)
            weights, curve = np.vstack([weights, now]), np.vstack([curve, [loss, dev]])
            checkpoint.write("rounds", {"weights": weights, "curve": curve})
            progress(number, rounds)
        if not self.data.dev and wanted:  # the loss of a round is that of the weights before it
            _lists, last = self.listed(wanted, weights[-1])
            best = int(np.argmin([*curve[:, 0], last]))
        else:
            best = 1 + int(np.argmax(curve[:, 1])) if len(curve) else 0
        rows = tuple(
            {"round": float(number), "loss": loss, "dev": dev} for number, (loss, dev) in enumerate(curve.tolist(), 1)
        )
        return weights[best], rows

    def decoder(self, weights: FloatArray) -> Decoder:
        beam = Beam(self.parameters.items, self.parameters.in_bin)
        return Decoder(self.grammar, weights, self.known.language_model(), beam)

    def listed(self, wanted: Sequence[tuple[str, Sequence[str]]], weights: FloatArray) -> tuple[list[Listed], float]:
        """Return the best outputs of sentences, within the range where some are, and the mean loss of the very best."""
        decoder, lists, lost = self.decoder(weights), list[Listed](), list[float]()
        for source, references in wanted:
            made = self._in_range(source, decoder.best(self.parse(source)))[: self.parameters.listed]
            own = losses([each.text for each in made], references, self.data.language)
            lists.append(Listed(np.array([decoder.features(each) for each in made]), own))
            lost.append(float(own[0]))
        return lists, float(np.mean(lost)) if lost else 0.0

    def _in_range(self, source: str, made: list[Made]) -> list[Made]:
        least, most = self.data.allowed.least_length(source), self.data.allowed.most_length(source)
        return [each for each in made if least <= length(each.text) <= most] or made

    def on_dev(self, weights: FloatArray) -> float:
        dev = self.data.dev[:MOST_DEV]
        system = t3(self.parse, self.decoder(weights))
        return quality(system, dev, self.data.allowed, self.seed) if dev else 0.0


def _first_weights(grammar: Grammar) -> FloatArray:
    """Return weights to begin with, so small that outputs' scores differ about as much as their losses."""
    weights = np.zeros(len(grammar.names))
    weights[:3] = 0.01
    weights[LANGUAGE_MODEL], weights[WORDS] = 0.01, 0.03
    return weights
