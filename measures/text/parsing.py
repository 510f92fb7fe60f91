"""Sentences, words and trees of texts, as a spaCy pipeline finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from measures.text.spacy_models import BATCH_SIZE, load_model


@dataclass(frozen=True)
class ParsedSentence:
    """A parsed sentence.

    Attributes
    ----------
    words : tuple of str
        The words; white space is none.
    dependencies : tuple of str
        One for each word: ``relation(head-position,word-position)``, with positions from 1; the root hangs on ROOT-0,
        as Stanford's tools write it.
    constituency : str
        The tree in brackets; empty unless the pipeline has benepar.
    """

    words: tuple[str, ...]
    dependencies: tuple[str, ...]
    constituency: str


class Parser:
    """A spaCy pipeline with a parser.

    Parameters
    ----------
    model : str
        A package or a folder, as ``spacy.load`` takes it.

    Raises
    ------
    ModuleNotFoundError
        If spaCy is not installed.
    ValueError
        If the pipeline cannot be loaded or has no parser.

    Attributes
    ----------
    language : str
        Code of its language.
    name : str
        Its language, name and version.
    pipeline : spacy.Language
        The pipeline itself, for what else it knows of words.
    """

    def __init__(self, model: str) -> None:
        self.pipeline: Any = load_model(model)
        self.language: str = self.pipeline.lang
        self.name = f"{self.pipeline.lang}_{self.pipeline.meta['name']} {self.pipeline.meta['version']}"

    def parse(self, texts: Iterable[str]) -> Iterator[list[ParsedSentence]]:
        """Parse texts.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Yields
        ------
        list of ParsedSentence
            The sentences of the next text that have words.
        """
        for document in self.pipeline.pipe(texts, batch_size=BATCH_SIZE):
            sentences = (_sentence(sentence) for sentence in document.sents)
            yield [sentence for sentence in sentences if sentence.words]


def _sentence(sentence: Any) -> ParsedSentence:
    words = [token for token in sentence if not token.is_space]
    position = {token.i: number for number, token in enumerate(words, start=1)}
    return ParsedSentence(
        words=tuple(token.text for token in words),
        dependencies=tuple(_dependency(token, position) for token in words),
        constituency=sentence._.parse_string if sentence.has_extension("parse_string") else "",
    )


def _dependency(token: Any, position: dict[int, int]) -> str:
    if token.head.i == token.i or token.head.i not in position:
        return f"root(ROOT-0,{token.text}-{position[token.i]})"
    return f"{token.dep_}({token.head.text}-{position[token.head.i]},{token.text}-{position[token.i]})"
