"""The worked example with values found by other programs, and small made-up data."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from measures.meta_evaluation.judged_outputs import JudgedOutputs

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
DATA = GOLDEN["data"]
METRICS = tuple(DATA["metrics"])


def golden_outputs() -> JudgedOutputs:
    quality = np.array([[np.mean(ratings) for ratings in of_system] for of_system in DATA["ratings"]])
    inputs = tuple(f"{place:02}" for place in range(quality.shape[1]))
    return JudgedOutputs(METRICS, tuple(DATA["systems"]), inputs, np.array(list(DATA["metrics"].values())), quality)


def made_outputs(seed: int, *, metrics: int = 5, systems: int = 4, inputs: int = 30) -> JudgedOutputs:
    """Return outputs of which better ones have higher scores in most metrics, with ratings of 1 to 3."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=(systems, inputs)) + np.linspace(0, 1, systems)[:, None]
    ratings = np.clip(np.round(true[..., None] + rng.normal(size=(systems, inputs, 5)) + 2), 1, 3)
    scores = true + rng.normal(size=(metrics, systems, inputs)) * np.linspace(0.5, 2, metrics)[:, None, None]
    return JudgedOutputs(
        tuple(f"m{place}" for place in range(metrics)),
        tuple(f"s{place}" for place in range(systems)),
        tuple(f"i{place:03}" for place in range(inputs)),
        scores,
        ratings.mean(axis=2),
        rng.integers(20, 200, (systems, inputs)).astype(float),
    )
