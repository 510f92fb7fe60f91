"""The attention model as two systems: ABS, and ABS+ with weights of what an output shares with its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from systems.programs.baselines import Compress, of_language
from systems.programs.models import Checkpoint, Model
from systems.programs.neural.batches import batched
from systems.programs.neural.by_sentence import by_sentence
from systems.programs.neural.namas.decoding import ABS_WEIGHTS, FEATURES, Hypothesis, Search, Words, texts
from systems.programs.neural.namas.tuning import Candidates, tuned
from systems.programs.neural.namas.writing import Piece, capitalized, masked, piece_of, source_pieces, usual_case
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
from systems.programs.neural.vocabulary import BEGIN, END, FIRST_WORD, PADDING, UNKNOWN, GivenVectors, Vocabulary
from systems.programs.pairs import Pair, TrainingData, dev_pairs, dev_sentences
from systems.programs.resources import Resources
from systems.programs.tokens import Token, tokens_of
from systems.programs.tuning import scores_of

if TYPE_CHECKING:
    from systems.programs.neural.namas.network import AttentionNetwork

ABS, ABS_PLUS = "abs", "abs+"
BOUNDS = (26, 40, 60, 200)
"""Most words of sources that are trained on together; longer ones are not trained on."""

FEWEST_PAIRS = 20
MOST_WORDS = 400
"""Of a sentence that is compressed."""

WEIGHTS = "weights"
FORBID, COPY, ALLOW = "forbid", "copy", "allow"


@dataclass(frozen=True)
class Settings:
    """How the attention model is built, trained and used. What the paper leaves open is ours.

    Attributes
    ----------
    dimension, hidden, vocabulary, least_seen : int
        D, H; words at most, and how often a word must be seen.
    context, window : int
        C, Q: last words and words beside a source word that are looked at.
    rate : float
        Of gradient descent; halved after an epoch that is no better on dev than all before.
    norm : float
        The vectors of words are made this long after each epoch where they are longer; 0 leaves them.
    batch, most_epochs : int
        Pairs of a batch; epochs.
    beam : int
        Texts that go on from each word to the next.
    unknown, repeat : str
        Unknown words: "forbid" or "copy"; a word a third time and three words in a row again: "forbid" or "allow".
    texts, rounds, restarts, candidates : int
        Of the weights of ABS+: sentences of dev, rounds, drawn starts of each, and outputs of a sentence.
    """

    dimension: int
    hidden: int
    vocabulary: int
    least_seen: int
    context: int = 5
    window: int = 2
    rate: float = 0.05
    norm: float = 0.0
    batch: int = 64
    most_epochs: int = 15
    beam: int = 8
    unknown: str = FORBID
    repeat: str = FORBID
    texts: int = 200
    rounds: int = 5
    restarts: int = 20
    candidates: int = 100

    @property
    def search(self) -> Search:
        """How texts are searched for."""
        return Search(self.beam, self.context, self.unknown == COPY, self.repeat == ALLOW)


PRESETS: Mapping[str, Settings] = {
    "cpu": Settings(dimension=64, hidden=128, vocabulary=5_000, least_seen=2),
    "paper": Settings(dimension=200, hidden=400, vocabulary=200_000, least_seen=5, norm=1.0),
}
"""`paper`: Rush et al. 2015, §6 and 7."""

Progress = Callable[[int, int], None]


def train_abs(
    data: TrainingData,
    known: Resources,
    *,
    seed: int,
    checkpoint: Checkpoint,
    progress: Progress,
    preset: str = "cpu",
    device: str = "cpu",
    vectors: str = "",
    **changes: Any,
) -> Model:
    """Train ABS on all pairs.

    Source: Rush et al. 2015, §3 and 4.

    Parameters
    ----------
    data : TrainingData
        Pairs, and the sources of dev, on which training is judged.
    known : Resources
        Not used.
    seed : int
        Seed of what is drawn.
    checkpoint : Checkpoint
        Holds the state after the last whole epoch.
    progress : callable
        Is told how many epochs are done, and of how many.
    preset, device : str
        A name of `PRESETS`; "cpu" or "cuda".
    vectors : str
        A file of vectors that words begin with where they stand in the text (E and G; D is then the numbers of those).
        The source's words (F) have more numbers, and are drawn.
    **changes
        Settings in place of the preset's.

    Returns
    -------
    Model
        The weights of the epoch with the lowest loss on dev.

    Raises
    ------
    ValueError
        If there are too few pairs, PyTorch is missing, or the file of vectors cannot be read.
    """
    del known
    require_pytorch(device)
    settings = chosen(PRESETS, preset, changes)
    learnt = [_Cut.of(pair, data.language) for pair in data.train]
    short = [pair for pair in learnt if 0 < len(pair.source) <= BOUNDS[-1] and pair.target]
    judged = [_Cut.of(pair, data.language) for pair in dev_pairs(data)]
    if len(short) < FEWEST_PAIRS or not judged:
        raise ValueError(
            f"the attention model needs {FEWEST_PAIRS} pairs or more and one of dev (pairs: {len(short)}, pairs with "
            f"too long a source: {len(learnt) - len(short)}, pairs of dev: {len(judged)}): add pairs"
        )
    lines = [words for pair in short for words in (pair.source, pair.target)]
    forms = ([masked(word) for word in line] for line in lines)
    vocabulary = Vocabulary.of(forms, settings.vocabulary, settings.least_seen)
    usual = {word: written for word, written in usual_case(lines).items() if word in vocabulary.places}
    given = GivenVectors.of(vectors, vocabulary) if vectors else None
    if given is not None:
        settings = replace(settings, dimension=given.dimensions)
    with repeatable(seed):
        network = network_of(settings, vocabulary.size).to(device)
    if given is not None:
        begin_with([network.e, network.g], given)
    pairs = [pair.numbers(vocabulary) for pair in short], [pair.numbers(vocabulary) for pair in judged]
    arrays, curve = _trained(network, settings, pairs, seed, checkpoint, progress)
    made_from: dict[str, int | str] = {
        "pairs": len(short),
        "pairs with too long a source": len(learnt) - len(short),
        "pairs of dev": len(judged),
        "pytorch": version(),
        **(given.about if given is not None else {}),
    }
    return Model(
        ABS, data.language, seed, asdict(settings), made_from, curve, arrays, vocabulary.words, tuple(usual.items())
    )


def train_abs_plus(
    data: TrainingData,
    known: Resources,
    *,
    seed: int,
    checkpoint: Checkpoint,
    progress: Progress,
    preset: str = "cpu",
    device: str = "cpu",
    vectors: str = "",
    **changes: Any,
) -> Model:
    """Train ABS, and the weights of ABS+ on dev.

    Source: Rush et al. 2015, §5; Och 2003. The weights are those of the round whose outputs are best on dev, those of
    ABS among them.

    Parameters
    ----------
    data, known, seed, checkpoint, progress, preset, device, vectors, **changes
        As those of `train_abs`.

    Returns
    -------
    Model
        With the array "weights", one of each of `FEATURES`.

    Raises
    ------
    ValueError
        If there are too few pairs, PyTorch is missing, or the file of vectors cannot be read.
    """
    plain = train_abs(
        data,
        known,
        seed=seed,
        checkpoint=checkpoint,
        progress=progress,
        preset=preset,
        device=device,
        vectors=vectors,
        **changes,
    )
    writer, settings = Writer(plain), chosen(PRESETS, preset, changes)
    dev = [
        (sentence, references, tokens_of(sentence, data.language))
        for sentence, references in dev_sentences(data, settings.texts)
    ]
    rng = np.random.default_rng([seed, settings.rounds])
    pools = [_Pool(sentence, references, data.language) for sentence, references, _tokens in dev]
    best, now = (-1.0, np.array(ABS_WEIGHTS)), np.array(ABS_WEIGHTS)
    for number in range(settings.rounds + 1):
        for pool, (sentence, _references, tokens) in zip(pools, dev, strict=True):
            least, most = data.allowed.least_length(sentence), data.allowed.most_length(sentence)
            pool.add(writer.texts(tokens, now.tolist(), least, most)[: settings.candidates])
        gain = float(np.mean([pool.gains[pool.newest] for pool in pools]))
        best = (gain, now) if gain > best[0] else best
        if number < settings.rounds:
            now = tuned([pool.candidates for pool in pools], now, settings.restarts, rng)
    made_from = {**plain.made_from, "sentences of dev for the weights": len(dev)}
    arrays = {**plain.arrays, WEIGHTS: best[1]}
    return replace(plain, kind=ABS_PLUS, arrays=arrays, made_from=made_from)


@dataclass(frozen=True)
class _Cut:
    """A pair as words."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    @classmethod
    def of(cls, pair: Pair, language: str) -> _Cut:
        source, target = (tokens_of(text, language) for text in (pair.source, pair.target))
        return cls(tuple(token.text for token in source), tuple(token.text for token in target))

    def numbers(self, vocabulary: Vocabulary) -> tuple[IntArray, IntArray]:
        return numbers_of(self.source, vocabulary), numbers_of(self.target, vocabulary)


def numbers_of(words: Sequence[str], vocabulary: Vocabulary) -> IntArray:
    """Return the numbers of words, with their digits masked."""
    return vocabulary.numbers([masked(word) for word in words])


class _Pool:
    """The outputs that are known of a sentence of dev, and how good they are."""

    def __init__(self, sentence: str, references: Sequence[str], language: str) -> None:
        self.sentence, self.references, self.language = sentence, references, language
        self.places: dict[tuple[int, ...], int] = {}
        self.features: list[FloatArray] = []
        self.gains: list[float] = []
        self.newest = 0

    def add(self, found: Sequence[Hypothesis]) -> None:
        """Add outputs, the best one first."""
        new = [each for each in found if each.words not in self.places]
        for each in new:
            self.places[each.words] = len(self.places)
        self.features += [each.per_word for each in new]
        written = [capitalized(each.text, self.sentence) for each in new]
        self.gains += scores_of(written, [self.references] * len(new), self.language).tolist()
        self.newest = self.places[found[0].words]

    @property
    def candidates(self) -> Candidates:
        return Candidates(np.array(self.features), np.array(self.gains))


def network_of(settings: Settings, words: int) -> AttentionNetwork:
    """Return a new network."""
    from systems.programs.neural.namas.network import AttentionNetwork, Shape

    return AttentionNetwork(Shape(words, settings.dimension, settings.hidden, settings.context, settings.window))


Numbers = Sequence[tuple[IntArray, IntArray]]


def _trained(
    network: AttentionNetwork,
    settings: Settings,
    pairs: tuple[Numbers, Numbers],
    seed: int,
    checkpoint: Checkpoint,
    progress: Progress,
) -> Any:
    import torch

    from systems.programs.neural.epochs import Course, train_epochs
    from systems.programs.neural.namas.network import Batch

    learnt, dev = pairs
    device = str(network.v.weight.device)
    optimizer = torch.optim.SGD(network.parameters(), lr=settings.rate)

    def made(chosen: Numbers) -> Any:
        return Batch.of(chosen, settings.context, device)

    judged = [made(dev[start : start + settings.batch]) for start in range(0, len(dev), settings.batch)]

    def batches(rng: np.random.Generator) -> list[Any]:
        drawn = batched([len(source) for source, _target in learnt], BOUNDS, settings.batch, rng)
        return [made([learnt[place] for place in places]) for places in drawn]

    def judge() -> dict[str, float]:
        total = sum(float(network.loss(batch)) * len(batch.sources) for batch in judged)
        return {"dev_loss": total / sum(len(target) + 1 for _source, target in dev)}

    def after_epoch(curve: Sequence[Mapping[str, float]]) -> None:
        if settings.norm:
            network.renormalize(settings.norm)
        if not _is_best(curve):
            optimizer.param_groups[0]["lr"] /= 2

    course = Course(
        network,
        optimizer,
        batches,
        network.loss,
        judge,
        is_over=lambda _curve: False,
        is_best=_is_best,
        most_norm=float("inf"),
        after_epoch=after_epoch,
    )
    return train_epochs(course, seed, settings.most_epochs, checkpoint, progress)


def _is_best(curve: Sequence[Mapping[str, float]]) -> bool:
    losses = [figures["dev_loss"] for figures in curve]
    return losses[-1] < min(losses[:-1], default=float("inf"))


class Writer:
    """A trained attention model at work.

    Parameters
    ----------
    model : Model
        What `train_abs` or `train_abs_plus` returned.
    """

    def __init__(self, model: Model) -> None:
        self.settings = Settings(**dict(model.parameters))  # type: ignore[arg-type]
        self.vocabulary = Vocabulary(model.vocabulary)
        with repeatable(0):
            self.network = network_of(self.settings, self.vocabulary.size)
        load_arrays(self.network, {name: array for name, array in model.arrays.items() if name != WEIGHTS})
        self.network.eval()
        if any(len(row) != 2 for row in model.rules):
            raise ValueError("a rule of the model is no word with the way it is written")
        self.usual = {row[0]: row[1] for row in model.rules}
        written = [self.usual.get(word, word) for word in model.vocabulary]
        self.pieces = [*[Piece("")] * FIRST_WORD, *map(piece_of, written)]
        self.is_forbidden = np.array(["#" in piece.text for piece in self.pieces])
        self.is_forbidden[[PADDING, BEGIN, END, UNKNOWN]] = True

    def words(self, tokens: Sequence[Token]) -> Words:
        """Return the words that a text of a source may have."""
        own = source_pieces(tokens, self.usual)
        places, pieces, is_forbidden = dict(self.vocabulary.places), list(self.pieces), self.is_forbidden.copy()
        for known, piece in own.items():
            if known in places:
                pieces[places[known]], is_forbidden[places[known]] = piece, False
            else:
                places[known] = len(pieces)
                pieces.append(piece)
        source = tuple(places[masked(token.text)] for token in tokens)
        return Words(source, self.vocabulary.size, pieces, is_forbidden)

    def texts(self, tokens: Sequence[Token], weights: Sequence[float], least: int, most: int) -> list[Hypothesis]:
        """Return texts of a sentence, the best one first."""
        from systems.programs.neural.namas.network import Steps

        numbers = numbers_of([token.text for token in tokens], self.vocabulary)
        with at_work():
            steps = Steps(self.network, numbers)
            return texts(steps, self.words(tokens), weights, least, most, self.settings.search)


def abs_compressor(known: Resources) -> Compress:
    """Return trained ABS as a system.

    Parameters
    ----------
    known : Resources
        With what `train_abs` returned.

    Returns
    -------
    callable
        The system; on the processor, wherever it was trained.

    Raises
    ------
    ValueError
        If PyTorch or the model is missing.
    """
    return _compressor(trained_model(known, ABS))


def abs_plus_compressor(known: Resources) -> Compress:
    """Return trained ABS+ as a system, as `abs_compressor` does of what `train_abs_plus` returned."""
    return _compressor(trained_model(known, ABS_PLUS))


def _compressor(model: Model) -> Compress:
    require_pytorch()
    writer = Writer(model)
    weights = model.arrays.get(WEIGHTS, np.array(ABS_WEIGHTS))
    if weights.shape != (len(FEATURES),):
        raise ValueError(f"the model's array {WEIGHTS} has the shape {weights.shape}, not ({len(FEATURES)},)")

    def shorten(sentence: str, language: str, least: int, most: int) -> str | None:
        tokens = tokens_of(sentence, language)
        if not 0 < len(tokens) <= MOST_WORDS:
            return None
        found = writer.texts(tokens, weights.tolist(), least, most)
        return capitalized(found[0].text, sentence) if found else None

    return of_language(by_sentence(shorten), model.language)
