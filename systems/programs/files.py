"""Pairs to learn from and texts to compress in JSON Lines, each fault named by its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measures.core.text_files import id_in, json_objects, text_checked
from measures.text.segmentation import sentences
from systems.programs.pairs import Cut, DevSource, Pair, cut_pair
from systems.programs.texts import Source


@dataclass(frozen=True)
class Texts:
    """Texts to compress, with what is known of them by their ids.

    Attributes
    ----------
    sources : list of Source
        The texts.
    documents, questions : dict of str to str
        The documents of texts, and questions on them.
    references : dict of str to list of str
        What people made of texts.
    """

    sources: list[Source] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)
    references: dict[str, list[str]] = field(default_factory=dict)


def read_pairs(name: str | Path) -> list[Pair]:
    """Read ``{"source": "...", "target": "..."}`` in each line.

    Parameters
    ----------
    name : str or Path
        The file.

    Returns
    -------
    list of Pair
        As they stand there, each named by its file and line.

    Raises
    ------
    ValueError
        If a line cannot be read, or one of its texts is missing or empty.
    """
    return [
        Pair(_text(name, line, row, "source"), _text(name, line, row, "target"), f"{Path(name).name}:{line}")
        for line, row in json_objects(name)
    ]


def cut_pairs(pairs: Sequence[Pair], language: str) -> list[Cut]:
    """Cut pairs of texts into pairs of sentences.

    Parameters
    ----------
    pairs : sequence of Pair
        The pairs.
    language : str
        Tag of their language.

    Returns
    -------
    list of Cut
        What became of each.
    """
    return [cut_pair(pair, _sentences(pair.source), language) for pair in pairs]


def dev_sources(pairs: Sequence[Pair], language: str) -> tuple[DevSource, ...]:
    """Return the sources of pairs, each once, with all texts that were made of it.

    Parameters
    ----------
    pairs : sequence of Pair
        The pairs.
    language : str
        Tag of their language.

    Returns
    -------
    tuple of DevSource
        In the order of the pairs; the id of each is the name of its first pair.

    Examples
    --------
    >>> made = dev_sources([Pair("It rained.", "Rain.", "a"), Pair("It rained.", "It did.", "b")], "en")
    >>> [(each.source.id, each.references) for each in made]
    [('a', ('Rain.', 'It did.'))]
    """
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.source, []).append(pair)
    return tuple(
        DevSource(Source(same[0].name, language, _sentences(text)), tuple(pair.target for pair in same))
        for text, same in found.items()
    )


def read_texts(name: str | Path, language: str) -> Texts:
    """Read ``{"id": "7", "text": "..."}`` in each line.

    A line may have its ``sentences``, a list, as the app exports them; otherwise they are found by rules. It may also
    have a ``document``, a ``question`` and ``references``, a list, for the systems that look at these.

    Parameters
    ----------
    name : str or Path
        The file.
    language : str
        Tag of the language of all texts.

    Returns
    -------
    Texts
        In the order of the lines.

    Raises
    ------
    ValueError
        If a line cannot be read, a text is missing or empty, or an id stands there twice.
    """
    found, lines = Texts(), dict[str, int]()
    for line, row in json_objects(name):
        key, text = id_in(name, line, row), _text(name, line, row, "text")
        if key in lines:
            raise ValueError(f"{name}, line {line}: the id {key!r} stands in line {lines[key]}, too")
        lines[key] = line
        parts = _list(name, line, row, "sentences")
        if parts and " ".join(parts).split() != text.split():
            raise ValueError(f"{name}, line {line}: the sentences are not those of the text")
        found.sources.append(Source(key, language, tuple(parts) or _sentences(text)))
        found.references[key] = _list(name, line, row, "references")
        for values, what in ((found.documents, "document"), (found.questions, "question")):
            if what in row:
                values[key] = _text(name, line, row, what)
    return found


def _sentences(text: str) -> tuple[str, ...]:
    return sentences(text) or (text,)


def _text(name: str | Path, line: int, row: dict[str, Any], what: str) -> str:
    text = text_checked(name, line, row.get(what), what).strip()
    if not text:
        raise ValueError(f"{name}, line {line}: {what} is empty")
    return text


def _list(name: str | Path, line: int, row: dict[str, Any], what: str) -> list[str]:
    given = row.get(what, [])
    if not isinstance(given, list) or not all(isinstance(each, str) and each.strip() for each in given):
        raise ValueError(f"{name}, line {line}: {what} must be a list of texts")
    return [text_checked(name, line, each, what).strip() for each in given]
