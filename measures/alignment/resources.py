"""What the aligner may use besides the texts: pairs of words and word vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from measures.alignment.norms import norm_of
from measures.alignment.vectors import WordVectors

MAX_PAIRS = 500_000
MAX_BYTES = 20_000_000
MAX_LINE = 10_000


@dataclass(frozen=True)
class WordPairs:
    """Pairs of words that may stand for each other, in either direction.

    Attributes
    ----------
    pairs : frozenset of (str, str)
        The norms of two words, in both orders.
    phrases_left_out : int
        How many lines were left out because one side has several words: words are aligned one by one.
    """

    pairs: frozenset[tuple[str, str]] = frozenset()
    phrases_left_out: int = 0

    def __len__(self) -> int:
        """Count the pairs, each once."""
        return len(self.pairs) // 2

    @property
    def signature(self) -> str:
        """Their number and a digest that does not depend on the order of lines.

        Examples
        --------
        >>> word_pairs(["auto\\tcar", "Car\\tAuto"]).signature
        '1-c4b31cffba78'
        >>> WordPairs().signature
        'no'
        """
        if not self.pairs:
            return "no"
        lines = "".join(f"{one}\t{other}\n" for one, other in sorted(self.pairs))
        return f"{len(self)}-{hashlib.sha256(lines.encode()).hexdigest()[:12]}"


@dataclass(frozen=True)
class AlignmentResources:
    """Pairs of words and vectors of words.

    Attributes
    ----------
    pairs : WordPairs
        Pairs of words that count as similar.
    vectors : WordVectors, optional
        Vectors whose cosine tells how similar two content words are.
    """

    pairs: WordPairs = field(default_factory=WordPairs)
    vectors: WordVectors | None = None

    @property
    def signature(self) -> str:
        """Everything here that an alignment depends on, in one line.

        Examples
        --------
        >>> NO_RESOURCES.signature
        'pairs:no|vectors:no'
        """
        return f"pairs:{self.pairs.signature}|vectors:{self.vectors.signature if self.vectors else 'no'}"


NO_RESOURCES = AlignmentResources()


def word_pairs(lines: Iterable[str], *, name: str = "word pairs") -> WordPairs:
    """Read pairs of words.

    Parameters
    ----------
    lines : iterable of str
        Lines ``word<TAB>word``, ``word ||| word``, or those of the Paraphrase Database, ``[label] ||| word ||| word
        ||| ...``. Empty lines and lines that begin with ``#`` are skipped; further fields are ignored. At most
        `MAX_PAIRS` pairs and `MAX_BYTES` bytes.
    name : str
        Where they come from, for messages.

    Returns
    -------
    WordPairs
        The pairs, without pairs of equal words or of phrases.

    Raises
    ------
    ValueError
        If a line has no pair, or there are too many; the message names the line.

    Examples
    --------
    >>> pairs = word_pairs(["automobile\\tcar", "[NN] ||| bought ||| purchased ||| 0.7", "a lot ||| much"])
    >>> len(pairs), pairs.phrases_left_out
    (2, 1)
    """
    pairs: set[tuple[str, str]] = set()
    size = left_out = 0
    for number, line in enumerate(lines, start=1):
        size += len(line) if line.isascii() else len(line.encode("utf-8", "replace"))
        if len(line) > MAX_LINE:
            raise ValueError(f"{name}, line {number}: longer than {MAX_LINE:,} characters")
        if size > MAX_BYTES:
            raise ValueError(f"{name}, line {number}: more than {MAX_BYTES:,} bytes up to here")
        sides = _sides(line)
        if sides is None:
            raise ValueError(f"{name}, line {number}: no pair of words; write word, a tab, word")
        one, other = sides
        if len(one.split()) > 1 or len(other.split()) > 1:
            left_out += 1
            continue
        if one != other:
            pairs.add((one, other))
            pairs.add((other, one))
        if len(pairs) > 2 * MAX_PAIRS:
            raise ValueError(f"{name}, line {number}: more than {MAX_PAIRS:,} pairs")
    return WordPairs(frozenset(pairs), left_out)


def _sides(line: str) -> tuple[str, str] | None:
    """The norms of the two sides, empty ones of a line to skip; None where there is no pair."""
    text = line.strip("\r\n\ufeff")
    if not text.strip() or text.startswith("#"):
        return "", ""
    fields = [each.strip() for each in text.split("\t" if "\t" in text else "|||")]
    if len(fields) > 2 and fields[0].startswith("[") and fields[0].endswith("]"):
        fields = fields[1:]
    if len(fields) < 2 or not all(fields[:2]):
        return None
    return norm_of(fields[0]), norm_of(fields[1])
