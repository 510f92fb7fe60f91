"""Training gives the same model each time, also if it was cut off, and the model is what its files hold."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from systems.programs.models import Checkpoint, read_model, write_model
from systems.programs.neural.tests.data import (
    SMALL,
    Cut,
    cut_after,
    data_of,
    pairs_for,
    small,
    source_of,
    texts_by,
    trained,
)
from systems.programs.neural.vocabulary import Vocabulary, form

torch = pytest.importorskip("torch")
NAMES = tuple(SMALL)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_trained_twice_the_files_are_the_same_and_the_random_state_is_left_alone(name: str, tmp_path: Path) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    write_model(small(name), tmp_path / "one")
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    write_model(small(name), tmp_path / "other")
    assert files(tmp_path / "one") == files(tmp_path / "other")


@pytest.mark.parametrize("name", NAMES)
def test_a_training_that_was_cut_off_goes_on_and_gives_the_same_model(name: str, tmp_path: Path) -> None:
    seen: list[int] = []
    with pytest.raises(Cut):
        small(name, checkpoint=Checkpoint(tmp_path / "steps"), progress=cut_after(2))
    model = small(name, checkpoint=Checkpoint(tmp_path / "steps"), progress=lambda done, _total: seen.append(done))
    assert seen[0] == 2
    write_model(model, tmp_path / "resumed")
    write_model(small(name), tmp_path / "whole")
    assert files(tmp_path / "resumed") == files(tmp_path / "whole")


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_was_read_writes_what_it_wrote_before(name: str, tmp_path: Path) -> None:
    model, sources = small(name), [source_of(pair) for pair in pairs_for(name, 5, 9)]
    write_model(model, tmp_path)
    again = read_model(tmp_path)
    assert texts_by(again, sources) == texts_by(model, sources)
    assert [figures["epoch"] for figures in again.curve] == list(range(1, len(again.curve) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_arrays_that_are_not_those_of_the_network_are_refused(name: str) -> None:
    model = small(name)
    first = next(iter(model.arrays))
    with pytest.raises(ValueError, match="not those of its network"):
        texts_by(replace(model, arrays={key: each for key, each in model.arrays.items() if key != first}), [])
    with pytest.raises(ValueError, match=r"has the shape \(2,\)"):
        texts_by(replace(model, arrays={**model.arrays, first: np.zeros(2)}), [])


def test_rules_that_say_no_case_are_refused() -> None:
    with pytest.raises(ValueError, match="a rule of the model"):
        texts_by(replace(small("abs"), rules=(("rome",),)), [])


def test_the_weights_kept_are_those_of_the_best_epoch() -> None:
    data = data_of(pairs_for("seq2seq", 40, 1), pairs_for("seq2seq", 8, 2))
    whole = trained("seq2seq", data, **SMALL["seq2seq"])
    best = 1 + int(np.argmax([figures["dev_f1"] for figures in whole.curve]))
    until = trained("seq2seq", data, **{**SMALL["seq2seq"], "most_epochs": best})
    assert all(np.array_equal(array, until.arrays[name]) for name, array in whole.arrays.items())


def test_words_are_forms_and_rare_ones_unknown() -> None:
    known = Vocabulary.of([["The", "the", "Cat", "cat", "sat"]], most=5)
    assert known.words == ("cat", "the")
    assert known.numbers(["CAT", "sat", "the"]).tolist() == [4, 1, 5]
    assert form("e\u00a0\u0301") == "é"
