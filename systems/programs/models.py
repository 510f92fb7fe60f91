"""Trained systems as folders of plain files: nothing in them is ever executed."""

from __future__ import annotations

import json
import lzma
import math
import unicodedata
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from systems.programs.lm.arpa import arpa_lines, read_arpa
from systems.programs.lm.trigrams import TrigramModel

FORMAT = 1
MOST_BYTES = 1_000_000_000
"""Of the arrays together, and of each other file when it is unpacked."""
DESCRIPTION, ARRAYS, VOCABULARY = "model.json", "arrays.npz", "vocabulary.txt"
RULES, LANGUAGE_MODEL = "rules.tsv.xz", "trigrams.arpa.xz"
WORD_COUNTS = "trigrams.counts"
"""Array with how often each word of the language model was seen, which the ARPA format does not hold."""

Arrays = Mapping[str, NDArray[Any]]
Number = int | float | str
Content = TypeVar("Content")


@dataclass(frozen=True)
class Model:
    """A trained system.

    Attributes
    ----------
    kind : str
        The system's name in the registry.
    language : str
        Tag of the language that it was trained on.
    seed : int
        Of what was drawn in training.
    parameters : mapping of str to number or str
        What was chosen, by hand or on the dev split.
    made_from : mapping of str to number or str
        Which release, parser and files it was trained on, with their checksums.
    curve : tuple of mapping of str to float
        A row for each step of the training.
    arrays : mapping of str to ndarray
        Weights: numbers that are finite.
    vocabulary : tuple of str
        Words, in NFC and without white space.
    rules : tuple of tuple of str
        Rows of fields, without tabs and ends of lines.
    trigrams : TrigramModel or None
        The language model that it stands on.
    """

    kind: str
    language: str
    seed: int
    parameters: Mapping[str, Number] = field(default_factory=dict)
    made_from: Mapping[str, Number] = field(default_factory=dict)
    curve: tuple[Mapping[str, float], ...] = ()
    arrays: Arrays = field(default_factory=dict)
    vocabulary: tuple[str, ...] = ()
    rules: tuple[tuple[str, ...], ...] = ()
    trigrams: TrigramModel | None = None


def write_model(model: Model, folder: Path) -> None:
    """Write a model as a folder.

    Parameters
    ----------
    model : Model
        The model.
    folder : Path
        Made if it is not there.

    Raises
    ------
    ValueError
        If a word, a field or a number could not be read again.
    """
    _check_words(model.vocabulary)
    for cell in (cell for row in model.rules for cell in row):
        if any(sign in cell for sign in "\t\n\r"):
            raise ValueError(f"the field {cell!r} of a rule has a tab or an end of line in it")
    _check_arrays(model.arrays)
    folder.mkdir(parents=True, exist_ok=True)
    counts = {} if model.trigrams is None else {WORD_COUNTS: model.trigrams.counts}
    _write_arrays(folder / ARRAYS, {**model.arrays, **counts})
    (folder / VOCABULARY).write_text("".join(f"{word}\n" for word in model.vocabulary), encoding="utf-8", newline="\n")
    with lzma.open(folder / RULES, "wt", encoding="utf-8", newline="\n") as stream:
        stream.writelines("\t".join(row) + "\n" for row in model.rules)
    if model.trigrams is not None:
        with lzma.open(folder / LANGUAGE_MODEL, "wt", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in arpa_lines(model.trigrams))
    described = {
        "format": FORMAT,
        "kind": model.kind,
        "language": model.language,
        "seed": model.seed,
        "parameters": dict(model.parameters),
        "made_from": dict(model.made_from),
        "curve": [dict(row) for row in model.curve],
    }
    text = json.dumps(described, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / DESCRIPTION).write_text(text + "\n", encoding="utf-8", newline="\n")


def read_model(folder: Path) -> Model:
    """Read a model that was written as a folder.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    ValueError
        If a file is missing, too large, damaged or of a newer format; it says which.
    """
    described = _read(folder / DESCRIPTION, _description)
    arrays, trigrams = _read(folder / ARRAYS, _read_arrays), None
    counts = arrays.pop(WORD_COUNTS, None)
    if counts is not None:
        trigrams = _read(folder / LANGUAGE_MODEL, _language_model)
        if counts.shape != trigrams.counts.shape or counts.dtype.kind != "i":
            raise ValueError(f"{ARRAYS}: {WORD_COUNTS} does not fit the words of {LANGUAGE_MODEL}")
        trigrams = replace(trigrams, counts=counts)
    return Model(
        kind=described["kind"],
        language=described["language"],
        seed=described["seed"],
        parameters=described["parameters"],
        made_from=described["made_from"],
        curve=tuple(described["curve"]),
        arrays=arrays,
        vocabulary=_read(folder / VOCABULARY, _words),
        rules=_read(folder / RULES, _rules),
        trigrams=trigrams,
    )


class Checkpoint:
    """Where a training that is cut off goes on.

    Parameters
    ----------
    folder : Path or None
        Where its arrays are kept; None keeps nothing.

    Examples
    --------
    >>> Checkpoint().read("epoch") is None
    True
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def read(self, name: str) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of the last step that was written by this name; None if there is none."""
        if self.folder is None or not (path := self.folder / f"{name}.npz").exists():
            return None
        return _read(path, _read_arrays)

    def write(self, name: str, arrays: Arrays) -> None:
        """Keep the arrays of a step instead of those of the step before; a cut leaves the one or the other."""
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f"{name}.part"
        _write_arrays(part, arrays)
        part.replace(self.folder / f"{name}.npz")


def _write_arrays(path: Path, arrays: Arrays) -> None:
    # Not np.savez, which writes the time of day into the file.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(arrays):
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.ascontiguousarray(arrays[name]), allow_pickle=False)


def _read(path: Path, read: Callable[[Path], Content]) -> Content:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"larger than {MOST_BYTES:,} bytes")
        return read(path)
    except FileNotFoundError:
        raise ValueError(f"{path.name}: missing") from None
    except (ValueError, KeyError, EOFError, OSError, lzma.LZMAError, zipfile.BadZipFile) as fault:
        raise ValueError(f"{path.name}: {fault}") from fault


def _description(path: Path) -> dict[str, Any]:
    described = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(described, dict):
        raise ValueError("not an object")
    if described.get("format") != FORMAT:
        raise ValueError(f"of format {described.get('format')!r}, and only {FORMAT} is known here")
    kinds = {"kind": str, "language": str, "seed": int, "parameters": dict, "made_from": dict, "curve": list}
    for name, kind in kinds.items():
        if not isinstance(described.get(name), kind):
            raise ValueError(f"{name} is missing or of another kind")
    for values in (described["parameters"], described["made_from"], *described["curve"]):
        if not isinstance(values, dict) or not all(_is_plain(value) for value in values.values()):
            raise ValueError("a value is neither a finite number nor a text")
    return described


def _is_plain(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int | float) and math.isfinite(value))


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes when it is unpacked")
        for member in members:
            with archive.open(member) as stream:
                # A header may promise more than is there, and memory would be taken for it.
                if np.lib.format.read_magic(stream) != (1, 0):
                    raise ValueError(f"{member.filename} is of another version")
                shape, _order, kind = np.lib.format.read_array_header_1_0(stream)
                if math.prod(shape) * kind.itemsize > member.file_size:
                    raise ValueError(f"{member.filename} is shorter than it says")
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    _check_arrays(arrays)
    return arrays


def _check_arrays(arrays: Arrays) -> None:
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ValueError(f"the array {name} holds no numbers")
        if not np.isfinite(array).all():
            raise ValueError(f"the array {name} has a number that is not finite")


def _words(path: Path) -> tuple[str, ...]:
    words = tuple(path.read_text(encoding="utf-8").split("\n")[:-1])
    _check_words(words)
    return words


def _check_words(words: Sequence[str]) -> None:
    for word in words:
        if word.split() != [word] or not unicodedata.is_normalized("NFC", word):
            raise ValueError(f"the word {word!r} is empty, has white space in it or is not in NFC")


def _rules(path: Path) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split("\t")) for line in _unpacked(path).split("\n")[:-1])


def _language_model(path: Path) -> TrigramModel:
    return read_arpa(StringIO(_unpacked(path)))


def _unpacked(path: Path) -> str:
    with lzma.open(path) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES:,} bytes when it is unpacked")
    return content.decode()
