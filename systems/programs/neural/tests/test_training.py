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
from systems.programs.neural.vocabulary import FIRST_WORD, Vocabulary, form

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


def vector_file(folder: Path, words: tuple[str, ...]) -> str:
    path = folder / "words.txt"
    path.write_text("".join(f"{word} {place} 0.5 -1\n" for place, word in enumerate(words, start=1)), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("name", "tables"), [("seq2seq", ["embedding"]), ("abs", ["e", "g"]), ("abs+", ["e", "g"])])
def test_words_begin_with_the_vectors_of_a_file(name: str, tables: list[str], tmp_path: Path) -> None:
    words = small(name).vocabulary
    path = vector_file(tmp_path, words[:3])
    model = small(name, vectors=path, rate=1e-9, most_epochs=1)
    for table in tables:
        found = model.arrays[f"{table}.weight"]
        assert found.shape == (len(words) + FIRST_WORD, 3)
        np.testing.assert_allclose(
            found[FIRST_WORD : FIRST_WORD + 3], [[1, 0.5, -1], [2, 0.5, -1], [3, 0.5, -1]], atol=1e-5
        )
        assert not np.isclose(found[FIRST_WORD + 3 :, 1], 0.5).all()
    assert model.made_from["words with a vector"] == 3
    assert str(model.made_from["vectors"]).startswith("words.txt[dim=3,")
    write_model(model, tmp_path / "model")
    sources = [source_of(pair) for pair in pairs_for(name, 3, 9)]
    assert texts_by(read_model(tmp_path / "model"), sources) == texts_by(model, sources)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_vectors_without_the_words_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"words\.txt: none of the \d+ words has a vector"):
        small(name, vectors=vector_file(tmp_path, ("zzz",)))
    with pytest.raises(ValueError, match="No such file"):
        small(name, vectors=str(tmp_path / "nowhere"))
