"""What the dev split prefers is chosen, and a tuning that is cut off goes on."""

from pathlib import Path

import pytest

from systems.programs.ilp.tuning import LEAST_PERCENTS, WEIGHTS, compressor, tune
from systems.programs.lm.trigrams import trained
from systems.programs.models import Checkpoint, Model, read_model, write_model
from systems.programs.pairs import DevSource, TrainingData
from systems.programs.resources import Resources
from systems.programs.tests.trees import chained
from systems.programs.texts import Output, Range, Source
from systems.programs.tuning import quality

TEXTS = (
    "the committee agreed to repair the old bridge before the snow .",
    "the old man saw the dog near the river before the rain .",
)
KNOWN = Resources((), chained, trained([text.split() for text in TEXTS], least=1))
DEV = tuple(
    DevSource(Source(str(number), "en", (text,)), (" ".join(text.split()[:8]) + " .",))
    for number, text in enumerate(TEXTS)
)


def tuned(checkpoint: Checkpoint, dev: tuple[DevSource, ...] = DEV) -> tuple[Model, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    data = TrainingData("en", dev=dev)
    return tune(data, KNOWN, seed=1, checkpoint=checkpoint, progress=lambda *step: told.append(step)), told


def test_the_best_of_all_parameters_is_kept_and_used(tmp_path: Path) -> None:
    model, told = tuned(Checkpoint())
    assert told[-1] == (len(WEIGHTS) * len(LEAST_PERCENTS),) * 2
    write_model(model, tmp_path)
    system = compressor(Resources((), chained, trained=read_model(tmp_path)))
    assert quality(system, DEV, Range(), 1) == max(row["score"] for row in model.curve)
    least = int(model.parameters["least"])
    for each in DEV:
        output = system(each.source, Range(), 1)
        assert isinstance(output, Output)
        assert Range(least, 75).holds(each.source.text, output.text)


def test_what_is_cut_off_goes_on_with_the_same_result(tmp_path: Path) -> None:
    def cut(done: int, _of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(TrainingData("en", dev=DEV), KNOWN, seed=1, checkpoint=Checkpoint(tmp_path), progress=cut)
    model, told = tuned(Checkpoint(tmp_path))
    assert told[0][0] == 6
    whole, _ = tuned(Checkpoint())
    assert model == whole


def test_without_a_dev_split_nothing_is_tuned() -> None:
    model, told = tuned(Checkpoint(), ())
    assert (model.parameters["weight"], model.parameters["least"], model.curve, told) == (1.0, 50, (), [])
