"""Files of vectors: told apart by their content, read as streams, refused by line."""

import gzip
import lzma
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from measures.metrics.vectors import files
from measures.metrics.vectors.files import read_word_vectors, vector_file

WORDS = {"car": (3.0, 4.0), "autó": (0.5, -1.0), "New": (1e-3, 2.0)}


def glove(words: Mapping[str, tuple[float, ...]]) -> bytes:
    return "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in words.items()).encode()


def word2vec_text(words: Mapping[str, tuple[float, ...]]) -> bytes:
    return f"{len(words)} 2\n".encode() + glove(words)


def word2vec_binary(words: Mapping[str, tuple[float, ...]], end: bytes = b"\n") -> bytes:
    rows = (word.encode() + b" " + struct.pack("<2f", *numbers) + end for word, numbers in words.items())
    return f"{len(words)} 2\n".encode() + b"".join(rows)


def gensim_binary(words: Mapping[str, tuple[float, ...]]) -> bytes:
    return word2vec_binary(words, end=b"")


Write = Callable[[Mapping[str, tuple[float, ...]]], bytes]
FORMS: tuple[tuple[Write, str], ...] = (
    (glove, "GloVe text"),
    (word2vec_text, "word2vec text"),
    (word2vec_binary, "word2vec binary"),
    (gensim_binary, "word2vec binary"),
)
PACKINGS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize(("write", "form"), FORMS)
def test_forms_are_told_by_content_whatever_a_file_is_called(
    write: Write, form: str, packing: str, tmp_path: Path
) -> None:
    path = tmp_path / "vectors.dat"
    path.write_bytes(PACKINGS[packing](write(WORDS)))
    assert vector_file(path).form == form
    assert vector_file(path).size == path.stat().st_size
    found = read_word_vectors(path, ["Car", "autó", "new", "New", "bus"])
    assert set(found.rows) == {"car", "autó", "New"}
    for word, row in found.rows.items():
        assert found.matrix[row] == pytest.approx(WORDS[word], rel=1e-6)


def test_bytes_of_numbers_that_look_like_lines_and_spaces_are_no_ends(tmp_path: Path) -> None:
    odd = struct.unpack("<2f", b"\n \n  \n \n")
    path = tmp_path / "odd.bin"
    path.write_bytes(word2vec_binary({"a": odd, "b": odd, "c": (1.0, 2.0)}))
    found = read_word_vectors(path, ["a", "c"])
    assert found.matrix[found.rows["c"]].tolist() == [1, 2]
    assert found.matrix[found.rows["a"]] == pytest.approx(odd)


def test_a_large_binary_file_is_read_across_its_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BUFFER", 7)
    path = tmp_path / "vectors.bin"
    path.write_bytes(word2vec_binary({f"word{n}": (float(n), 0.0) for n in range(50)}))
    found = read_word_vectors(path, ["word49", "word3"])
    assert {word: found.matrix[row, 0] for word, row in found.rows.items()} == {"word49": 49, "word3": 3}


def test_a_word_of_glove_may_have_spaces_and_the_first_of_two_counts(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(b"car 1 2\n. . . 3 4\ncar 5 6\ncar 7 8\n")
    found = read_word_vectors(path, ["car", ". . ."])
    assert found.matrix.tolist() == [[1, 2], [3, 4]]
    assert found.repeated == 1
    assert found.signature.startswith("glove.txt[dim=2,bytes=")


def test_an_apostrophe_of_another_coding_costs_one_word_alone(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_bytes(b"a 1 2\n\xff 3 4\nb 5 6\n")
    assert set(read_word_vectors(path, ["a", "b"]).rows) == {"a", "b"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: neither a header"),
        (b"car\n", "line 1: neither a header"),
        (b"car one two\n", "line 1: after the word there is what is no number"),
        (b"car 1 2\nbus 3\n", "line 2: a word and 2 numbers are expected, not 1"),
        (b"car 1 2\n\nbus 3 4\n", "line 2: a word and 2 numbers are expected, not 0"),
        (b"2 2\ncar 1 2\nbus 3 4 5\n", "line 3: a word and 2 numbers are expected, not 3"),
        (b"car 1 2\nbus 3 four\n", "line 2: could not convert string to float: b'four'"),
        (b"car 1 2\ntram 3x 4\n", "line 2: '3x' is no number"),
        (b"car 1 nan\n", "line 1: a number is not finite"),
        (b"car 1 2\nbus inf 2\n", "line 2: a number is not finite"),
        (b"3 99999\n", "line 1: 3 words of 99,999 dimensions; at most"),
        (b"99999999 2\n", "line 1: 99,999,999 words of 2 dimensions; at most"),
        (word2vec_binary(WORDS)[:-6], "word 3 of 3: the file ends before it should"),
        (word2vec_binary({"car": (float("nan"), 0.0)}), "word 1 of 1: a number is not finite"),
        (gzip.compress(glove(WORDS), mtime=0)[:-12], "the compressed file is damaged"),
        (lzma.compress(glove(WORDS))[:-12], "the compressed file is damaged"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message.replace("(", r"\(")) as refused:
        read_word_vectors(path, ["car", "bus", "autó", "New"])
    assert str(refused.value).startswith(str(path))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        vector_file(tmp_path / "none")
    with pytest.raises(ValueError, match="directory"):
        vector_file(tmp_path)


def test_lengths_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(b"a" * 300 + b" 1 2\n")
    monkeypatch.setattr(files, "MAX_LINE", 100)
    with pytest.raises(ValueError, match="line 1: neither a header"):
        read_word_vectors(path, [])
    monkeypatch.setattr(files, "MAX_NUMBERS", 3)
    path.write_bytes(b"a 1 2\n")
    with pytest.raises(ValueError, match="2 words of 2 dimensions are more than can be kept"):
        read_word_vectors(path, ["a", "b"])


def test_a_file_that_has_changed_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(b"car 1 2\n")
    before = vector_file(path).sha256
    path.write_bytes(b"car 1 2 3\n")
    assert vector_file(path).sha256 != before
    assert vector_file(path).dimensions == 3
