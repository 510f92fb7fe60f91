"""Texts as metrics want them: words by a tokenizer and, where there is a parser, dependencies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from measures.metrics.counting.reference_sets import Text
from measures.metrics.words.dependencies import dependency_triples
from measures.metrics.words.plain_forms import plain_form
from measures.metrics.words.tokens import Tokenizer
from measures.text.spacy_models import BATCH_SIZE, load_model, model_is_for

_TEXTS_PER_HEARTBEAT = 200


@dataclass(frozen=True)
class Analysis:
    """How texts are analysed.

    Attributes
    ----------
    tokenizer : Tokenizer
        What words are.
    parser : str
        A spaCy pipeline with a parser, as ``spacy.load`` takes it; empty for none.
    normalize : bool
        Whether tokenizer and parser read texts in their plain form (`plain_form`), or as they are written.
    """

    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    parser: str = ""
    normalize: bool = True

    @property
    def text_signature(self) -> str:
        """Whether texts are normalised, as ``norm:yes`` or ``norm:no``."""
        return f"norm:{'yes' if self.normalize else 'no'}"

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
        return bool(self.parser) and model_is_for(self.parser, language)

    def texts(self, texts: Sequence[str]) -> Iterator[Text]:
        """Analyse texts.

        Parameters
        ----------
        texts : sequence of str
            The texts.

        Yields
        ------
        Text
            The next text; `written` is what tokenizer and parser read.

        Raises
        ------
        ModuleNotFoundError, ValueError
            If a package or a pipeline is not installed, or has no parser; it says what to install.

        Examples
        --------
        >>> [text.words for text in Analysis().texts(["Imagine it.", ""])]
        [('imagine', 'it', '.'), ()]
        """
        read = [plain_form(text) for text in texts] if self.normalize else texts
        words = self.tokenizer.words(read)
        if not self.parser:
            yield from (Text(each, written=text) for each, text in zip(words, read, strict=True))
            return
        if not self.parses(self.tokenizer.language):
            raise ValueError(f"the parser {self.parser!r} is not for the language {self.tokenizer.language!r}")
        parsed = load_model(self.parser).pipe(read, batch_size=BATCH_SIZE)
        for each, document, text in zip(words, parsed, read, strict=True):
            yield Text(each, dependency_triples(document), text)


def analyse_distinct(
    analysis: Analysis, texts: Iterable[str], heartbeat: Callable[[], None] = lambda: None
) -> dict[str, Text]:
    """Analyse texts, equal ones only once.

    Parameters
    ----------
    analysis : Analysis
        How to analyse them.
    texts : iterable of str
        The texts.
    heartbeat : callable, optional
        Called after every 200 texts, for callers that must show that they are alive.

    Returns
    -------
    dict of str to Text
        Each distinct text with its analysis.

    Examples
    --------
    >>> sorted(analyse_distinct(Analysis(), ["b a", "b a", "c"]))
    ['b a', 'c']
    """
    distinct = list(dict.fromkeys(texts))
    analysed: dict[str, Text] = {}
    for text, found in zip(distinct, analysis.texts(distinct), strict=True):
        analysed[text] = found
        if len(analysed) % _TEXTS_PER_HEARTBEAT == 0:
            heartbeat()
    return analysed


@lru_cache(maxsize=2)
def _content_hash(folder: str) -> str:
    """Of all files of a pipeline, with their names."""
    content = hashlib.sha256()
    for file in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        content.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode())
        content.update(file.read_bytes())
    return content.hexdigest()[:8]
