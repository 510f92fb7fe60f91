"""The integer linear program, tuned on the dev split."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from systems.programs.baselines import Compress
from systems.programs.ilp.compress import WEIGHT, ilp
from systems.programs.models import Checkpoint, Model
from systems.programs.pairs import TrainingData
from systems.programs.resources import Resources
from systems.programs.texts import Range
from systems.programs.tuning import CRITERION, quality

WEIGHTS = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)
LEAST_PERCENTS = (50, 60, 65)
MOST_TEXTS = 200
"""Of the dev split: each is compressed for each pair of parameters."""


def tune(
    data: TrainingData, known: Resources, *, seed: int, checkpoint: Checkpoint, progress: Callable[[int, int], None]
) -> Model:
    """Choose the weight of the words that matter, and the least length, by the outputs for the dev split.

    Parameters
    ----------
    data : TrainingData
        Its dev split is used, at most the first 200 texts of it; without one, what was not tuned is taken.
    known : Resources
        With a parser and a language model.
    seed : int
        Kept with the model; nothing is drawn.
    checkpoint : Checkpoint
        Keeps the scores of the parameters that were tried.
    progress : callable
        Is told how many pairs of parameters were tried, and how many there are.

    Returns
    -------
    Model
        Of equal scores, the first parameters: the smaller weight, then the smaller length.
    """
    parse, dev = lru_cache(maxsize=None)(known.parser()), data.dev[:MOST_TEXTS]
    tried = [
        (weight, least) for weight, least in product(WEIGHTS, LEAST_PERCENTS) if dev and least <= data.allowed.most
    ]
    kept = checkpoint.read("scores")
    scores = [] if kept is None else kept["scores"].tolist()
    for number, (weight, least) in enumerate(tried[len(scores) :], start=len(scores) + 1):
        system = ilp(parse, known.language_model(), weight=weight)
        scores.append(quality(system, dev, Range(least, data.allowed.most), seed))
        checkpoint.write("scores", {"scores": np.array(scores)})
        progress(number, len(tried))
    weight, least = tried[int(np.argmax(scores))] if tried else (WEIGHT, data.allowed.least)
    return Model(
        kind="ilp",
        language=data.language,
        seed=seed,
        parameters={"weight": weight, "least": least, "criterion": CRITERION, "dev_texts": len(dev)},
        curve=tuple(
            {"weight": one, "least": float(other), "score": score}
            for (one, other), score in zip(tried, scores, strict=True)
        ),
        trigrams=known.language_model(),
    )


def compressor(known: Resources) -> Compress:
    """Return the system as it was tuned; as it comes, if it was not."""
    if known.trained is None:
        return ilp(known.parser(), known.language_model())
    if known.trained.trigrams is None:
        raise ValueError("the model of ilp has no language model")
    system = ilp(known.parser(), known.trained.trigrams, weight=float(known.trained.parameters["weight"]))
    least = int(known.trained.parameters["least"])
    return lambda source, range_, seed: system(
        source, replace(range_, least=max(range_.least, min(least, range_.most))), seed
    )
