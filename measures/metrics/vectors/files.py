"""Files of word vectors as word2vec and GloVe write them, read as a stream: only the words that are asked for stay."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, cast

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics.vectors.words import WordVectors

MAX_DIMENSIONS = 4_096
MAX_WORDS = 20_000_000
"""Words of a file, whether a text uses them or not."""

MAX_NUMBERS = 400_000_000
"""Numbers of the vectors that are kept."""

MAX_LINE = 200_000
MAX_WORD = 10_000
_BUFFER = 1 << 20

Form: TypeAlias = Literal["word2vec binary", "word2vec text", "GloVe text"]
_PACKED: tuple[tuple[bytes, Callable[..., object]], ...] = ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\x00", lzma.open))


@dataclass(frozen=True)
class VectorFile:
    """What a file of vectors is.

    Attributes
    ----------
    path : Path
        Where it is.
    form : {"word2vec binary", "word2vec text", "GloVe text"}
        As its content tells.
    dimensions : int
        Numbers of a vector.
    size : int
        Bytes, as it lies there.
    sha256 : str
        Of these bytes.
    """

    path: Path
    form: Form
    dimensions: int
    size: int
    sha256: str

    @property
    def signature(self) -> str:
        """The file, for whoever wants to do the same again: name, dimensions, bytes and checksum."""
        return f"{self.path.name}[dim={self.dimensions},bytes={self.size},sha256={self.sha256[:16]}]"


def vector_file(path: Path) -> VectorFile:
    """Tell what a file of vectors is; a file that has not changed since is looked at once.

    Parameters
    ----------
    path : Path
        The file, which may be compressed by gzip or xz.

    Returns
    -------
    VectorFile
        Its form, size and checksum.

    Raises
    ------
    ValueError
        If it cannot be read, or its beginning is of none of the three forms.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tiny.txt")
    ...     _ = path.write_text("car 3 4\\n")
    ...     vector_file(path).signature
    'tiny.txt[dim=2,bytes=8,sha256=937ba28b6a51a4c5]'
    """
    try:
        known = path.stat()
        return _looked_at(path, known.st_size, known.st_mtime_ns, known.st_ino)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from error


@lru_cache(maxsize=16)
def _looked_at(path: Path, size: int, _changed: int, _inode: int) -> VectorFile:
    with path.open("rb") as raw:
        digest = hashlib.file_digest(raw, "sha256").hexdigest()
    with _opened(path) as file:
        form, dimensions = _form(path, file)
    return VectorFile(path, form, dimensions, size, digest)


def read_word_vectors(path: Path, words: Iterable[str]) -> WordVectors:
    """Read the vectors of some words.

    A word is looked up as it is written, then in lower case, so both forms are read. The first vector of a word that
    stands in the file again counts.

    Source: the forms are those of word2vec (Mikolov et al. 2013) and GloVe (Pennington et al. 2014); a word of a GloVe
    file may have spaces: the last fields are the numbers.

    Parameters
    ----------
    path : Path
        The file, which may be compressed by gzip or xz; its form is told by its content.
    words : iterable of str
        The words that texts use.

    Returns
    -------
    WordVectors
        The words that the file has.

    Raises
    ------
    ValueError
        If the file cannot be read, a line has another number of fields than the first, a number is not finite, or
        there are too many; the message names the file and the line (in a binary file the word's number).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tiny.txt")
    ...     _ = path.write_text("car 3 4\\nbus 6 8\\n")
    ...     vectors = read_word_vectors(path, ["Car", "tram"])
    >>> vectors.rows, vectors.matrix.tolist()
    ({'car': 0}, [[3.0, 4.0]])
    """
    about = vector_file(path)
    wanted = {form for word in words for form in (word, word.lower())}
    if len(wanted) * about.dimensions > MAX_NUMBERS:
        raise ValueError(f"{path}: {len(wanted):,} words of {about.dimensions} dimensions are more than can be kept")
    rows: dict[str, int] = {}
    kept: list[FloatArray] = []
    repeated: set[str] = set()
    with _opened(path) as file:
        try:
            for word, vector in _read(about, file, wanted):
                if word in rows:
                    repeated.add(word)
                else:
                    rows[word] = len(kept)
                    kept.append(vector)
        except (EOFError, OSError, lzma.LZMAError) as error:
            raise ValueError(f"{path}: the compressed file is damaged: {error}") from error
    matrix = np.array(kept, dtype=np.float64).reshape(len(kept), about.dimensions)
    return WordVectors(rows, matrix, about.signature, len(repeated))


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as raw:
        begin = raw.read(6)
    opened = next((opened for magic, opened in _PACKED if begin.startswith(magic)), open)
    return cast(BinaryIO, opened(path, "rb"))


def _form(path: Path, file: BinaryIO) -> tuple[Form, int]:
    """Return the form and the dimensions, as the first line and what follows it tell."""
    try:
        first = file.readline(MAX_LINE)
        header = _header(path, first)
        if header is None:
            return "GloVe text", _glove_dimensions(path, first)
        dimensions = header[1]
        follows = file.read(min(MAX_WORD, 64) + 4 * dimensions)
    except (EOFError, OSError, lzma.LZMAError) as error:
        raise ValueError(f"{path}: the compressed file is damaged: {error}") from error
    line = follows.partition(b"\n")[0]
    is_text = len(line.split(b" ")) > 1 and _are_numbers(line.rstrip().split(b" ")[1:])
    return ("word2vec text" if is_text else "word2vec binary"), dimensions


def _header(path: Path, line: bytes) -> tuple[int, int] | None:
    """Return the words and dimensions of word2vec's first line; None where it is a vector already."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        return None
    words, dimensions = map(int, fields)
    if not 0 < words <= MAX_WORDS or not 0 < dimensions <= MAX_DIMENSIONS:
        raise ValueError(
            f"{path}, line 1: {words:,} words of {dimensions:,} dimensions; "
            f"at most {MAX_WORDS:,} of {MAX_DIMENSIONS:,} are read"
        )
    return words, dimensions


def _glove_dimensions(path: Path, line: bytes) -> int:
    """Return how many fields at the end of the first line are numbers; the word has one at least."""
    fields = line.rstrip(b"\r\n ").split(b" ")
    dimensions = len(fields) - 1
    if dimensions < 1 or len(line) >= MAX_LINE:
        raise ValueError(f"{path}, line 1: neither a header of two numbers nor a word and its vector")
    if not _are_numbers(fields[1:]):
        raise ValueError(f"{path}, line 1: after the word there is what is no number")
    if dimensions > MAX_DIMENSIONS:
        raise ValueError(f"{path}, line 1: {dimensions:,} dimensions; at most {MAX_DIMENSIONS:,} are read")
    return dimensions


def _are_numbers(fields: list[bytes]) -> bool:
    try:
        return len([float(field) for field in fields]) > 0
    except ValueError:
        return False


def _read(about: VectorFile, file: BinaryIO, wanted: set[str]) -> Iterator[tuple[str, FloatArray]]:
    if about.form == "word2vec binary":
        return _binary(about, file, wanted)
    return _text(about, file, wanted)


def _text(about: VectorFile, file: BinaryIO, wanted: set[str]) -> Iterator[tuple[str, FloatArray]]:
    path, dimensions = about.path, about.dimensions
    has_header = about.form == "word2vec text"
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
        if number == 1 and has_header:
            continue
        if number > MAX_WORDS + 1:
            raise ValueError(f"{path}, line {number}: more than {MAX_WORDS:,} words")
        fields = line.rstrip(b"\r\n ").rsplit(b" ", dimensions)
        if len(fields) != dimensions + 1 or (has_header and b" " in fields[0]):
            given = len(line.rstrip(b"\r\n ").split(b" ")) - 1
            raise ValueError(f"{path}, line {number}: a word and {dimensions} numbers are expected, not {given}")
        word = fields[0].decode("utf-8", "replace")
        # What is not kept is not parsed, but the field next to the word tells a line of another width.
        if word in wanted:
            yield word, _numbers(fields[1:], f"{path}, line {number}")
        elif not _is_number(fields[1]):
            raise ValueError(f"{path}, line {number}: {fields[1].decode('utf-8', 'replace')[:40]!r} is no number")


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _numbers(fields: list[bytes], place: str) -> FloatArray:
    try:
        vector = np.array([float(field) for field in fields])
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    return _finite(vector, place)


def _finite(vector: FloatArray, place: str) -> FloatArray:
    if not np.isfinite(vector).all():
        raise ValueError(f"{place}: a number is not finite")
    return vector


class _Buffered:
    """Bytes of a stream by their ends or their number."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path, self._held, self._at = file, path, b"", 0

    def until_space(self, place: str) -> bytes:
        end = self._held.find(b" ", self._at)
        while end < 0:
            if len(self._held) - self._at > MAX_WORD:
                raise ValueError(f"{place}: no space within {MAX_WORD:,} bytes ends it")
            self._more(place)
            end = self._held.find(b" ", self._at)
        found, self._at = self._held[self._at : end], end + 1
        return found

    def exactly(self, number: int, place: str) -> bytes:
        while len(self._held) - self._at < number:
            self._more(place)
        found, self._at = self._held[self._at : self._at + number], self._at + number
        return found

    def _more(self, place: str) -> None:
        read = self._file.read(_BUFFER)
        if not read:
            raise ValueError(f"{place}: the file ends before it should")
        self._held, self._at = self._held[self._at :] + read, 0


def _binary(about: VectorFile, file: BinaryIO, wanted: set[str]) -> Iterator[tuple[str, FloatArray]]:
    words = int(file.readline(MAX_LINE).split()[0])
    stream, size = _Buffered(file, about.path), 4 * about.dimensions
    for number in range(1, words + 1):
        place = f"{about.path}, word {number:,} of {words:,}"
        word = stream.until_space(place).lstrip(b"\r\n").decode("utf-8", "replace")
        vector = stream.exactly(size, place)
        if word in wanted:
            yield word, _finite(np.frombuffer(vector, "<f4").astype(np.float64), place)
