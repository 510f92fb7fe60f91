"""Texts as metrics want them: words by a tokenizer and, where there is a parser, dependencies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measures.metrics.comparisons import Text
from measures.metrics.dependencies import dependency_triples
from measures.metrics.tokens import Tokenizer, needed

_BATCH = 256
_ANY_LANGUAGE = "xx"
_NOT_NEEDED = ["entity_linker", "entity_ruler", "lemmatizer", "ner", "textcat"]
DEFAULT_PARSER = "en_core_web_sm"


@dataclass(frozen=True)
class Analysis:
    """How texts are analysed.

    Attributes
    ----------
    tokenizer : Tokenizer
        What words are.
    parser : str
        A spaCy pipeline with a parser, as ``spacy.load`` takes it; empty for none.
    """

    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    parser: str = ""

    @property
    def parser_signature(self) -> str:
        """The pipeline with its version, or "none"; one from a folder has a hash, too, for it may be anybody's."""
        if not self.parser:
            return "none"
        pipeline = _pipeline(self.parser)
        name = f"{pipeline.lang}_{pipeline.meta['name']}-{pipeline.meta['version']}"
        return f"{name}-{_content_hash(self.parser)}" if Path(self.parser).is_dir() else name

    def parses(self, language: str) -> bool:
        """Say whether there is a pipeline, and it is for a language.

        Parameters
        ----------
        language : str
            Code of the language.

        Returns
        -------
        bool
            True also where the pipeline is for many languages.

        Raises
        ------
        ModuleNotFoundError, ValueError
            If the pipeline is not installed, or has no parser; it says what to install.
        """
        return bool(self.parser) and _pipeline(self.parser).lang in {language, _ANY_LANGUAGE}

    def texts(self, texts: Sequence[str]) -> Iterator[Text]:
        """Analyse texts.

        Parameters
        ----------
        texts : sequence of str
            The texts.

        Yields
        ------
        Text
            The next text.

        Raises
        ------
        ModuleNotFoundError, ValueError
            If a package or a pipeline is not installed, or has no parser; it says what to install.

        Examples
        --------
        >>> [text.words for text in Analysis().texts(["Imagine it.", ""])]
        [('imagine', 'it', '.'), ()]
        """
        words = self.tokenizer.words(texts)
        if not self.parser:
            yield from (Text(each, written=text) for each, text in zip(words, texts, strict=True))
            return
        if not self.parses(self.tokenizer.language):
            raise ValueError(f"the parser {self.parser!r} is not for the language {self.tokenizer.language!r}")
        parsed = _pipeline(self.parser).pipe(texts, batch_size=_BATCH)
        for each, document, text in zip(words, parsed, texts, strict=True):
            yield Text(each, dependency_triples(document), text)


def analysed_once(analysis: Analysis, texts: Iterable[str]) -> dict[str, Text]:
    """Analyse distinct texts, each of them once.

    Parameters
    ----------
    analysis : Analysis
        How.
    texts : iterable of str
        The texts; those that are equal are one.

    Returns
    -------
    dict of str to Text
        Each text as analysed.

    Examples
    --------
    >>> sorted(analysed_once(Analysis(), ["b a", "b a", "c"]))
    ['b a', 'c']
    """
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, analysis.texts(distinct), strict=True))


def default_parser(language: str = "en") -> str:
    """Return the pipeline that parses where none is named.

    Parameters
    ----------
    language : str
        Code of the language of the texts.

    Returns
    -------
    str
        spaCy's small English pipeline where it is installed and the texts are English; else nothing.

    Examples
    --------
    >>> default_parser("de")
    ''
    """
    return DEFAULT_PARSER if language == "en" and find_spec(DEFAULT_PARSER) is not None else ""


@lru_cache(maxsize=2)
def _content_hash(folder: str) -> str:
    """Of all files of a pipeline, with their names."""
    content = hashlib.sha256()
    for file in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        content.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode())
        content.update(file.read_bytes())
    return content.hexdigest()[:8]


@lru_cache(maxsize=2)
def _pipeline(name: str) -> Any:
    spacy = needed("spacy", "dependencies")
    try:
        pipeline = spacy.load(name, exclude=_NOT_NEEDED)
    except (OSError, ValueError, TypeError, AttributeError) as error:  # spaCy asks any package of that name
        raise ValueError(
            f"the parser {name!r} cannot be loaded ({error}). Install a pipeline of spaCy "
            f"(python -m spacy download {DEFAULT_PARSER}) or train one (manage.py train_parser), and name it."
        ) from error
    if "parser" not in pipeline.pipe_names:
        raise ValueError(f"the pipeline {name!r} has no parser: it has {', '.join(pipeline.pipe_names) or 'nothing'}")
    return pipeline
