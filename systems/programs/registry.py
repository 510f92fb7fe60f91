"""The systems by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from systems.programs.baselines import Compress, first, longest_sentence, random_words, without_stop_words
from systems.programs.documents import start_of_centroid, topline
from systems.programs.extraction import Weights, answering, centroid, extractive, latent_topics, lead, mmr
from systems.programs.ilp.compress import most_likely_words
from systems.programs.ilp.tuning import compressor, tune
from systems.programs.models import Checkpoint, Model
from systems.programs.neural.deletion import system as deletion
from systems.programs.neural.namas import system as namas
from systems.programs.pairs import TrainingData
from systems.programs.pruning import without_subtrees
from systems.programs.resources import Resources
from systems.programs.t3.compress import compressor as t3_compressor
from systems.programs.t3.training import train as t3_train


class Train(Protocol):
    """Training of a system: from pairs to a model.

    Training that is cut off goes on from its checkpoint, and the model is the same.
    """

    def __call__(
        self,
        data: TrainingData,
        known: Resources,
        *,
        seed: int,
        checkpoint: Checkpoint,
        progress: Callable[[int, int], None],
    ) -> Model: ...


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
        Whether it needs a parser and a language model. Others use a parser where there is one: what they keep are
        then the clauses of a sentence that stands alone.
    has_seen_references : bool
        Whether it looks at what people wrote: it is an upper bound, and is not to be ranked beside systems.
    wants_about : bool
        Whether it needs to be told the documents of texts, or questions on them.
    takes_documents : bool
        Whether it can choose among the sentences of the whole document of a text.
    train : callable or None
        Learns from pairs; None if there is nothing to learn.
    is_learnt : bool
        Whether it can do nothing before it was trained.
    """

    title: str
    prepare: Callable[[Resources], Compress]
    is_parsing: bool = False
    has_seen_references: bool = False
    wants_about: bool = False
    takes_documents: bool = False
    train: Train | None = None
    is_learnt: bool = False


SYSTEMS: Mapping[str, System] = {
    "first": System("the first words", lambda _known: first),
    "random": System("words by chance", lambda _known: random_words),
    "lead": System(
        "the first sentences", lambda known: extractive(lead, known.parse, known.wholes), takes_documents=True
    ),
    "lsa": System(
        "sentences by latent semantic analysis",
        lambda known: extractive(latent_topics, known.parse, known.wholes),
        takes_documents=True,
    ),
    "mmr": System(
        "sentences by maximal marginal relevance",
        lambda known: extractive(mmr(Weights.of(known.sources)), known.parse, known.wholes),
        takes_documents=True,
    ),
    "centroid": System(
        "sentences near the centroid",
        lambda known: extractive(centroid(Weights.of(known.sources)), known.parse, known.wholes),
        takes_documents=True,
    ),
    "question": System(
        "sentences that answer a question",
        lambda known: answering(Weights.of(known.sources), known.questions, known.parse),
        wants_about=True,
    ),
    "start-of-centroid": System(
        "the beginning of the text nearest to the centroid of its document",
        lambda known: start_of_centroid(known.sources, known.documents),
        wants_about=True,
    ),
    "topline": System(
        "the words nearest to the references",
        lambda known: topline(known.references),
        has_seen_references=True,
    ),
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
        compressor,
        is_parsing=True,
        train=tune,
    ),
    "t3": System("rules on trees", t3_compressor, is_parsing=True, train=t3_train, is_learnt=True),
    "seq2seq": System("words by a network that deletes", deletion.compressor, train=deletion.train, is_learnt=True),
    "abs": System("words by a network with attention", namas.abs_compressor, train=namas.train_abs, is_learnt=True),
    "abs+": System(
        "the same, drawn to the words of the source",
        namas.abs_plus_compressor,
        train=namas.train_abs_plus,
        is_learnt=True,
    ),
}
