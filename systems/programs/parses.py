"""Parsed sentences, in Universal Dependencies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from measures.text.spacy_models import load_model
from systems.programs.tokens import Token

Parse = Callable[[str], "Sentence"]
_NEEDED = frozenset({"nsubj", "obj", "obl", "case"})


@dataclass(frozen=True)
class Word(Token):
    """A token with its place in the tree.

    Attributes
    ----------
    head : int
        Place of its head; its own place if it is the root.
    relation : str
        Relation to its head, in lower case, as "nsubj:pass".
    pos : str
        Universal part of speech.
    tag : str
        Part of speech of the treebank, as "VBD"; may be empty.
    is_negative : bool
        Whether it is marked as a negation.
    """

    head: int
    relation: str
    pos: str
    tag: str = ""
    is_negative: bool = False

    @property
    def plain_relation(self) -> str:
        """The relation without its subtype."""
        return self.relation.partition(":")[0]


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence, as a tree.

    Raises
    ------
    ValueError
        If a head is no place of a word.
    """

    words: tuple[Word, ...]

    def __post_init__(self) -> None:
        if any(not 0 <= word.head < len(self.words) for word in self.words):
            raise ValueError("a head is no place of a word")

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Places of the dependents of each word, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head != place:
                found[word.head].append(place)
        return tuple(tuple(each) for each in found)

    def governor(self, place: int) -> int | None:
        """Return the place of a word's head; None for the root."""
        head = self.words[place].head
        return None if head == place else head


def spacy_parse(pipeline: Any) -> Parse:
    """Return what parses a sentence with a spaCy pipeline.

    Parameters
    ----------
    pipeline : spacy.Language
        A pipeline with a parser.

    Returns
    -------
    callable
        Gives the sentence; what a parser takes for several is one tree for each, with the later roots below the first.

    Raises
    ------
    ValueError
        If the pipeline has no parser, or one without the labels of Universal Dependencies.
    """
    if "parser" not in pipeline.pipe_names:
        raise ValueError("the pipeline has no parser")
    labels = {str(label).partition(":")[0] for label in pipeline.get_pipe("parser").labels}
    if missing := sorted(_NEEDED - labels):
        raise ValueError(f"the parser does not know the relations of Universal Dependencies, such as {missing[0]}")

    def parse(text: str) -> Sentence:
        return Sentence(tuple(_words(pipeline(text))))

    return parse


def parser_checksum(name: str) -> str:
    """Return the SHA-256 of the files of a pipeline, by which a model knows the parser that it was trained with.

    Parameters
    ----------
    name : str
        The pipeline, as `load_model` takes it.

    Returns
    -------
    str
        Of the names of all files and the SHA-256 of each.
    """
    folder, digest = Path(load_model(name).path), sha256()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    for each in sorted(files):
        with files[each].open("rb") as stream:
            digest.update(f"{each}\0{file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()


def _words(tokens: Iterable[Any]) -> Iterable[Word]:
    kept = [token for token in tokens if not token.is_space]
    place = {token.i: number for number, token in enumerate(kept)}
    first = next((place[token.i] for token in kept if token.head.i == token.i), 0)
    is_spaced = True
    for token in kept:
        own = place[token.i]
        is_root = token.head.i == token.i
        yield Word(
            token.text,
            is_spaced,
            first if is_root else place.get(token.head.i, first),
            "parataxis" if is_root and own != first else token.dep_.lower(),
            token.pos_,
            token.tag_,
            "Neg" in token.morph.get("Polarity"),
        )
        is_spaced = bool(token.whitespace_)
