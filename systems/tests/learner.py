"""A system that learns next to nothing, quickly, in steps: for what is about any training."""

from collections.abc import Callable
from typing import Any

import numpy as np

from systems.programs import baselines
from systems.programs.baselines import Compress
from systems.programs.models import Checkpoint, Model
from systems.programs.pairs import TrainingData
from systems.programs.registry import System
from systems.programs.resources import Resources
from systems.programs.texts import Output, Range, Source

STEPS = 4


class Learner:
    """A system that learns how long targets are, in steps; `stops_at` lets it be stopped at one."""

    def __init__(self) -> None:
        self.stops_at, self.steps, self.data = 0, list[int](), TrainingData("en")

    def train(
        self,
        data: TrainingData,
        known: Resources,
        *,
        seed: int,
        preset: str = "cpu",
        align: object = None,
        checkpoint: Checkpoint,
        progress: Callable[[int, int], None],
    ) -> Model:
        assert align is None
        if len(data.train) < 2:
            raise ValueError("two pairs at least are wanted")
        self.data = data
        kept = checkpoint.read("step")
        done = 0 if kept is None else int(kept["done"][0])
        for step in range(done + 1, STEPS + 1):
            if step == self.stops_at:
                raise KeyboardInterrupt
            self.steps.append(step)
            checkpoint.write("step", {"done": np.array([step])})
            progress(step, STEPS)
        curve = tuple({"step": float(step), "loss": 1 / step} for step in range(1, STEPS + 1))
        words = sum(len(pair.target.split()) for pair in data.train)
        parameters: dict[str, int | float | str] = {"preset": preset, "known": len(known.sources)}
        return Model(
            "learner", data.language, seed, parameters, curve=curve, arrays={"words": np.array([words + seed])}
        )

    def prepare(self, known: Resources) -> Compress:
        def compress(source: Source, range_: Range, seed: int) -> Output | Any:
            assert known.trained is not None
            assert known.trained.arrays["words"][0] > 0
            return baselines.first(source, range_, seed)

        return compress

    @property
    def system(self) -> System:
        return System("learns how long texts are", self.prepare, train=self.train)
