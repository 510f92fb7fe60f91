"""Texts as metrics want them: words by a tokenizer and, where there is a parser, dependencies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from measures.metrics.counting.reference_sets import Text
from measures.metrics.words.dependencies import dependency_triples
from measures.metrics.words.tokens import Tokenizer
from measures.text.spacy_models import BATCH_SIZE, load_model

_ANY_LANGUAGE = "xx"


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
        pipeline = load_model(self.parser)
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
        return bool(self.parser) and load_model(self.parser).lang in {language, _ANY_LANGUAGE}

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
        parsed = load_model(self.parser).pipe(texts, batch_size=BATCH_SIZE)
        for each, document, text in zip(words, parsed, texts, strict=True):
            yield Text(each, dependency_triples(document), text)


def analyse_distinct(analysis: Analysis, texts: Iterable[str]) -> dict[str, Text]:
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
    >>> sorted(analyse_distinct(Analysis(), ["b a", "b a", "c"]))
    ['b a', 'c']
    """
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, analysis.texts(distinct), strict=True))


@lru_cache(maxsize=2)
def _content_hash(folder: str) -> str:
    """Of all files of a pipeline, with their names."""
    content = hashlib.sha256()
    for file in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        content.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode())
        content.update(file.read_bytes())
    return content.hexdigest()[:8]
