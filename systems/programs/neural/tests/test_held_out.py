"""On made pairs that were not trained on, each system is better than the first words and than words by chance."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from systems.programs.models import Checkpoint
from systems.programs.neural.tests.data import data_of, pairs_for, source_of, texts_by, trained
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Output, Range
from systems.programs.tuning import scores_of

pytest.importorskip("torch")
pytestmark = pytest.mark.slow
LEARNING: dict[str, tuple[int, dict[str, Any]]] = {
    "seq2seq": (1000, {"layers": 1, "hidden": 48, "embedding": 32, "rate": 5e-3, "most_epochs": 6}),
    "abs": (4000, {"dimension": 48, "hidden": 96, "batch": 16, "rate": 0.05, "most_epochs": 5}),
}
LEARNING["abs+"] = (LEARNING["abs"][0], {**LEARNING["abs"][1], "texts": 40, "rounds": 2, "restarts": 5})


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ABS+ begins with the network of ABS, which is trained once."""
    return tmp_path_factory.mktemp("steps")


@pytest.mark.parametrize("name", LEARNING)
def test_it_beats_the_first_words_and_chance_on_a_thousand_pairs(name: str, steps: Path, seed: int) -> None:
    number, options = LEARNING[name]
    pairs = {pair.source_text: pair for pair in pairs_for(name, number + 1100, 5)}
    made = list(pairs.values())
    learnt, dev, held_out = made[:number], made[number : number + 100], made[number + 100 :]
    assert len(held_out) == 1000
    model = trained(name, data_of(learnt, dev), checkpoint=Checkpoint(steps / name.rstrip("+")), **options)
    texts = texts_by(model, map(source_of, held_out))
    references = [[pair.target_text] for pair in held_out]
    own = scores_of(texts, references, "en")
    rng = np.random.default_rng(seed)
    draws = rng.integers(0, len(own), size=(2000, len(own)))
    for baseline in ("first", "random"):
        compress = SYSTEMS[baseline].prepare(Resources([]))
        outputs = [compress(source_of(pair), Range(), 0) for pair in held_out]
        theirs = scores_of([each.text for each in outputs if isinstance(each, Output)], references, "en")
        low = np.quantile((own - theirs)[draws].mean(axis=1), 0.025)
        assert low > 0
