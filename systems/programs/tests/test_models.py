"""Models as folders: what is written is read again, and what is damaged is refused by its name."""

import json
import lzma
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from systems.programs.lm.trigrams import trained
from systems.programs.models import Checkpoint, Model, read_model, write_model

MODEL = Model(
    kind="ilp",
    language="en",
    seed=7,
    parameters={"weight": 0.3, "preset": "cpu"},
    made_from={"release": "abc"},
    curve=({"epoch": 1, "loss": 0.5}, {"epoch": 2, "loss": 0.25}),
    arrays={"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array([1, 2], dtype=np.int64)},
    vocabulary=("cat", "é"),
    trigrams=trained([["the", "cat", "sat"], ["the", "cat"]], least=1),
    rules=(("X", "X^(Y Z)", "0.5"), ("X", "", "1")),
)


def test_a_model_is_read_as_it_was_written_and_twice_the_same_bytes(tmp_path: Path) -> None:
    write_model(MODEL, tmp_path / "one")
    write_model(MODEL, tmp_path / "two")
    found = read_model(tmp_path / "one")
    for name, array in MODEL.arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].dtype == array.dtype
    apart = {"arrays": None, "trigrams": None}
    assert {**vars(found), **apart} == {**vars(MODEL), **apart}
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_the_language_model_goes_with_it(tmp_path: Path) -> None:
    write_model(MODEL, tmp_path)
    found, trigrams = read_model(tmp_path).trigrams, MODEL.trigrams
    assert found is not None
    assert trigrams is not None
    assert found.vocabulary.words == trigrams.vocabulary.words
    np.testing.assert_array_equal(found.counts, trigrams.counts)
    np.testing.assert_allclose(found.trigrams.log_p, trigrams.trigrams.log_p, atol=1e-6)


def damaged_json(**changes: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "model.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return damage


def pickled(folder: Path) -> None:
    np.savez(folder / "arrays.npz", a=np.array([{}], dtype=object))


def not_finite(folder: Path) -> None:
    np.savez(folder / "arrays.npz", a=np.array([np.nan]))


def promising(folder: Path) -> None:
    with zipfile.ZipFile(folder / "arrays.npz", "w") as archive, archive.open("a.npy", "w") as stream:
        np.lib.format.write_array_header_1_0(
            stream, {"descr": "<f8", "fortran_order": False, "shape": (1_000_000, 1_000_000)}
        )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damaged_json(format=2), "model.json: of format 2, and only 1 is known here"),
        (damaged_json(seed="7"), "model.json: seed is missing"),
        (damaged_json(curve=[{"loss": None}]), "model.json: a value is neither"),
        (lambda folder: (folder / "model.json").write_text("[]"), "model.json: not an object"),
        (lambda folder: (folder / "vocabulary.txt").unlink(), "vocabulary.txt: missing"),
        (lambda folder: (folder / "vocabulary.txt").write_text("a b\n"), "vocabulary.txt: the word 'a b'"),
        (lambda folder: (folder / "rules.tsv.xz").write_bytes(b"no"), "rules.tsv.xz: "),
        (lambda folder: (folder / "arrays.npz").write_bytes(b"PK"), "arrays.npz: "),
        (lambda folder: (folder / "trigrams.arpa.xz").unlink(), "trigrams.arpa.xz: missing"),
        (lambda folder: (folder / "trigrams.arpa.xz").write_bytes(lzma.compress(b"no")), "trigrams.arpa.xz: "),
        (pickled, "arrays.npz: "),
        (not_finite, "arrays.npz: the array a has a number that is not finite"),
        (promising, "arrays.npz: a.npy is shorter than it says"),
    ],
)
def test_a_damaged_model_is_refused_by_the_name_of_its_file(
    tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    write_model(MODEL, tmp_path)
    damage(tmp_path)
    with pytest.raises(ValueError, match="^" + re.escape(said)):
        read_model(tmp_path)


@pytest.mark.parametrize(
    "model",
    [
        Model("x", "en", 1, vocabulary=("a b",)),
        Model("x", "en", 1, rules=(("a\tb",),)),
        Model("x", "en", 1, arrays={"a": np.array([np.inf])}),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, model: Model) -> None:
    with pytest.raises(ValueError, match=r"white space|tab|not finite"):
        write_model(model, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_checkpoint_keeps_the_last_step(tmp_path: Path) -> None:
    for folder in (tmp_path, None):
        Checkpoint(folder).write("epoch", {"a": np.array([1])})
        Checkpoint(folder).write("epoch", {"a": np.array([2])})
    found = Checkpoint(tmp_path).read("epoch")
    assert found is not None
    assert found["a"].tolist() == [2]
    assert Checkpoint(tmp_path).read("other") is None
    assert [path.name for path in tmp_path.iterdir()] == ["epoch.npz"]
