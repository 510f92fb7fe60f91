"""Made-up pairs as training data, and small networks on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from systems.programs.made_pairs import DELETIONS, REWRITES, MadePair, made_pairs
from systems.programs.models import Checkpoint, Model
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Output, Range, Source

SMALL: dict[str, dict[str, Any]] = {
    "seq2seq": {"layers": 1, "hidden": 16, "embedding": 8, "most_epochs": 6},
    "abs": {"dimension": 8, "hidden": 12, "vocabulary": 300, "most_epochs": 4, "batch": 8},
}
SMALL["abs+"] = {**SMALL["abs"], "texts": 6, "rounds": 2, "restarts": 2}


class Cut(Exception):
    """A training is cut off."""


def data_of(learnt: Iterable[MadePair], dev: Iterable[MadePair]) -> TrainingData:
    return TrainingData(
        "en",
        tuple(Pair(pair.source_text, pair.target_text) for pair in learnt),
        tuple(DevSource(source_of(pair), (pair.target_text,)) for pair in dev),
    )


def source_of(pair: MadePair) -> Source:
    return Source("1", "en", (pair.source_text,))


def pairs_for(name: str, number: int, seed: int) -> list[MadePair]:
    return made_pairs(number, seed=seed, rewrites=DELETIONS if name == "seq2seq" else REWRITES)


def trained(
    name: str,
    data: TrainingData,
    *,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    known: Resources | None = None,
    **changes: Any,
) -> Model:
    learn: Any = SYSTEMS[name].train
    model: Model = learn(
        data, known or Resources([]), seed=3, checkpoint=checkpoint or Checkpoint(), progress=progress, **changes
    )
    return model


def small(name: str, **more: Any) -> Model:
    """Train a system on a few pairs, so that it runs; it has learnt next to nothing."""
    data = data_of(pairs_for(name, 40, 1), pairs_for(name, 8, 2))
    return trained(name, data, **{**SMALL[name], **more})


def texts_by(model: Model, sources: Iterable[Source], range_: Range | None = None) -> list[str]:
    compress = SYSTEMS[model.kind].prepare(Resources([], trained=model))
    outputs = [compress(source, range_ or Range(), 0) for source in sources]
    assert all(isinstance(output, Output) for output in outputs)
    return [output.text for output in outputs if isinstance(output, Output)]


def cut_after(epochs: int) -> Callable[[int, int], None]:
    def progress(done: int, _total: int) -> None:
        if done == epochs:
            raise Cut

    return progress
