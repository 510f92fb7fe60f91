"""The deletion network as a system: how it is trained and how it compresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from systems.programs.baselines import Compress, of_language
from systems.programs.models import Checkpoint, Model
from systems.programs.neural.batches import batched
from systems.programs.neural.by_sentence import by_sentence
from systems.programs.neural.deletion.decoding import best_labels
from systems.programs.neural.deletion.examples import KEPT, Example, cut, deletions_of, example_of
from systems.programs.neural.pytorch import (
    at_work,
    begin_with,
    chosen,
    load_arrays,
    repeatable,
    require_pytorch,
    trained_model,
    version,
)
from systems.programs.neural.vocabulary import GivenVectors, Vocabulary
from systems.programs.pairs import TrainingData, dev_pairs
from systems.programs.resources import Resources
from systems.programs.tokens import kept_text

if TYPE_CHECKING:
    from systems.programs.neural.deletion.network import DeletionNetwork

KIND = "seq2seq"
BOUNDS = (26, 40, 60)
"""Most words of sentences that are trained on together; longer ones are not trained on."""

FEWEST_PAIRS = 20


@dataclass(frozen=True)
class Settings:
    """How the deletion network is built, trained and used. What the papers leave open is ours.

    Attributes
    ----------
    layers, hidden, embedding, vocabulary : int
        Layers, numbers of a layer's state and of a word's vector, and words at most.
    parents : bool
        Whether each word comes with the one that it depends on: a parser is needed.
    dropout, rate, norm : float
        Share of a layer's input that is dropped, the rate of Adam, and the longest gradient.
    batch, least_epochs, most_epochs, patience : int
        Sentences of a batch; epochs; and after how many epochs without a lower loss on dev training ends.
    beam, bins : int
        Of the search.
    """

    layers: int
    hidden: int
    embedding: int
    vocabulary: int
    parents: bool = False
    dropout: float = 0.2
    rate: float = 1e-3
    norm: float = 5.0
    batch: int = 64
    least_epochs: int = 5
    most_epochs: int = 12
    patience: int = 2
    beam: int = 8
    bins: int = 8


PRESETS: Mapping[str, Settings] = {
    "cpu": Settings(layers=2, hidden=128, embedding=100, vocabulary=20_000),
    "paper": Settings(layers=3, hidden=512, embedding=512, vocabulary=30_000),
}
"""`paper`: Toutanova et al. 2016, §4.2."""


def train(
    data: TrainingData,
    known: Resources,
    *,
    seed: int,
    checkpoint: Checkpoint,
    progress: Callable[[int, int], None],
    preset: str = "cpu",
    device: str = "cpu",
    vectors: str = "",
    **changes: Any,
) -> Model:
    """Train the deletion network on the pairs whose text only drops words.

    Source: Filippova et al. 2015, §3 and 4; Toutanova et al. 2016, §4.2.

    Parameters
    ----------
    data : TrainingData
        Pairs, and the sources of dev, on which training is judged.
    known : Resources
        Has the parser where `parents` is set.
    seed : int
        Seed of what is drawn.
    checkpoint : Checkpoint
        Holds the state after the last whole epoch.
    progress : callable
        Is told how many epochs are done, and of how many.
    preset, device : str
        A name of `PRESETS`; "cpu" or "cuda".
    vectors : str
        A file of vectors that words begin with; a word's vector then has as many numbers as those.
    **changes
        Settings in place of the preset's.

    Returns
    -------
    Model
        The weights of the epoch with the best F1 of words kept on dev.

    Raises
    ------
    ValueError
        If there are too few pairs, PyTorch is missing, the file of vectors cannot be read, or `parents` is set and
        there is no parser.
    """
    require_pytorch(device)
    settings = chosen(PRESETS, preset, changes)
    parse = known.parser() if settings.parents else None
    learnt = deletions_of(data.train, data.language, parse)
    short = [deletion for deletion in learnt if len(deletion.tokens) <= BOUNDS[-1]]
    judged = deletions_of(dev_pairs(data), data.language, parse)
    made_from: dict[str, int | str] = {
        "pairs": len(short),
        "pairs that do more than drop words": len(data.train) - len(learnt),
        "pairs with too long a sentence": len(learnt) - len(short),
        "pairs of dev": len(judged),
        "pytorch": version(),
    }
    _check(made_from)
    vocabulary = Vocabulary.of(([token.text for token in each.tokens] for each in short), settings.vocabulary)
    examples = [example_of(each.tokens, vocabulary, each.kept) for each in short]
    dev = [example_of(each.tokens, vocabulary, each.kept) for each in judged]
    given = GivenVectors.of(vectors, vocabulary) if vectors else None
    if given is not None:
        settings = replace(settings, embedding=given.dimensions)
        made_from |= given.about
    with repeatable(seed):
        network = network_of(settings, vocabulary.size).to(device)
    if given is not None:
        begin_with([network.embedding], given)
    weights, curve = _trained(network, settings, (examples, dev), seed, checkpoint, progress)
    parameters = {name: int(value) if isinstance(value, bool) else value for name, value in asdict(settings).items()}
    return Model(KIND, data.language, seed, parameters, made_from, curve, weights, vocabulary.words, ())


def _check(counts: Mapping[str, int | str]) -> None:
    if int(counts["pairs"]) < FEWEST_PAIRS or not counts["pairs of dev"]:
        said = ", ".join(f"{name}: {number}" for name, number in counts.items() if name != "pytorch")
        raise ValueError(
            f"the deletion network needs {FEWEST_PAIRS} pairs or more whose text only drops words, and one of dev "
            f"({said}): add pairs, or train a system that learns from all pairs"
        )


def network_of(settings: Settings, words: int) -> DeletionNetwork:
    """Return a new network."""
    from systems.programs.neural.deletion.network import DeletionNetwork, Shape

    shape = Shape(words, settings.embedding, settings.hidden, settings.layers, settings.parents)
    return DeletionNetwork(shape, settings.dropout)


def _trained(
    network: DeletionNetwork,
    settings: Settings,
    examples: tuple[Sequence[Example], Sequence[Example]],
    seed: int,
    checkpoint: Checkpoint,
    progress: Callable[[int, int], None],
) -> Any:
    import torch

    from systems.programs.neural.deletion.network import Batch
    from systems.programs.neural.epochs import Course, train_epochs

    learnt, dev = examples
    device = str(next(network.parameters()).device)
    judged = [Batch.of([dev[place] for place in places], device) for places in _in_order(dev, settings.batch)]

    def batches(rng: np.random.Generator) -> list[Any]:
        drawn = batched([len(each.words) for each in learnt], BOUNDS, settings.batch, rng)
        return [Batch.of([learnt[place] for place in places], device) for places in drawn]

    def judge() -> dict[str, float]:
        words = sum(int(batch.lengths.sum()) for batch in judged)
        loss = sum(float(network.loss(batch)) * int(batch.lengths.sum()) for batch in judged) / words
        hits, made, true = np.sum([_kept_counts(network.greedy(batch), batch.labels) for batch in judged], axis=0)
        return {"dev_loss": loss, "dev_f1": 2 * float(hits) / max(float(made + true), 1.0)}

    course = Course(
        network,
        torch.optim.Adam(network.parameters(), lr=settings.rate, fused=True),
        batches,
        network.loss,
        judge,
        is_over=lambda curve: is_over(curve, settings.least_epochs, settings.patience),
        is_best=lambda curve: curve[-1]["dev_f1"] > max((each["dev_f1"] for each in curve[:-1]), default=-1.0),
        most_norm=settings.norm,
    )
    return train_epochs(course, seed, settings.most_epochs, checkpoint, progress)


def _in_order(examples: Sequence[Example], size: int) -> list[list[int]]:
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].words))
    return [order[start : start + size] for start in range(0, len(order), size)]


def _kept_counts(made: Any, true: Any) -> tuple[int, int, int]:
    """Return how many words both keep, the made ones keep, and the true ones keep."""
    is_made, is_true = (made == KEPT) & (true >= 0), true == KEPT
    return int((is_made & is_true).sum()), int(is_made.sum()), int(is_true.sum())


def is_over(curve: Sequence[Mapping[str, float]], least: int, patience: int) -> bool:
    """Say whether training ends: after so many epochs without a lower loss on dev.

    Examples
    --------
    >>> [is_over([{"dev_loss": loss} for loss in losses], 2, 2) for losses in ([3.0, 2.0], [3.0, 3.0, 4.0])]
    [False, True]
    """
    losses = [figures["dev_loss"] for figures in curve]
    return len(losses) >= max(least, patience + 1) and min(losses[-patience:]) >= min(losses[:-patience])


def compressor(known: Resources) -> Compress:
    """Return the trained network as a system.

    Parameters
    ----------
    known : Resources
        With what `train` returned, and a parser where the network wants the words that words depend on.

    Returns
    -------
    callable
        The system; on the processor, wherever it was trained.

    Raises
    ------
    ValueError
        If PyTorch, the model or the parser is missing.
    """
    model = trained_model(known, KIND)
    require_pytorch()
    from systems.programs.neural.deletion.network import Steps

    settings = Settings(**dict(model.parameters))  # type: ignore[arg-type]
    parse = known.parser() if settings.parents else None
    vocabulary = Vocabulary(model.vocabulary)
    with repeatable(0):
        network = network_of(settings, vocabulary.size)
    load_arrays(network, model.arrays)
    network.eval()

    def shorten(sentence: str, language: str, least: int, most: int) -> str | None:
        tokens = cut(sentence, language, parse)
        if not tokens:
            return None
        with at_work():
            steps = Steps(network, example_of(tokens, vocabulary))
            found = best_labels(steps, tokens, least, most, beam=settings.beam, bins=settings.bins)
        return None if found is None else kept_text(tokens, found.kept)

    return of_language(by_sentence(shorten), model.language)
