"""Texts as metrics want them: plain characters, words by a tokenizer and, where there is a parser, dependencies."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from measures.metrics.counting.reference_sets import Text
from measures.metrics.vectors.encoders import encoder_signature, load_encoder
from measures.metrics.vectors.files import read_word_vectors, vector_file
from measures.metrics.vectors.models import Models
from measures.metrics.words.dependencies import dependency_triples
from measures.metrics.words.tokens import Tokenizer
from measures.text.normalization import INVISIBLE_RANGES
from measures.text.spacy_models import BATCH_SIZE, load_model, model_is_for

_TYPOGRAPHIC = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u2035",
    '"': "\u201c\u201d\u201e\u201f\u2033\u2036",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "\u2026",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}
"""By plain form: curly and low quotes and primes; hyphens, dashes and the minus sign; spaces (category Zs)."""

# `str.translate` is slow for characters that its table lacks: letters of most alphabets stand there as themselves.
_TABLE: dict[int, int | str | None] = {
    **{code: code for code in range(0x2000)},
    **{code: None for first, last in INVISIBLE_RANGES for code in range(first, last + 1)},
    **{ord(character): plain for plain, variants in _TYPOGRAPHIC.items() for character in variants},
}


def plain_form(text: str) -> str:
    r"""Return a text with typographic characters in their plain forms, and without invisible ones.

    The steps are: Unicode normalisation form C; curly and low quotes and primes become ``'`` or ``"``, hyphens,
    dashes and the minus sign ``-``, the ellipsis ``...``, spaces of any kind a plain space; invisible characters, as
    the rule of length knows them, are removed; form C again, since characters that an invisible one kept apart may
    now combine. Guillemets, letters such as U+02BC, accents, fullwidth forms and line breaks stay, and so do
    substitutes such as ``--``.

    The paper does not say whether texts were normalised; the choice is this project's.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The plain form, which is its own plain form.

    Examples
    --------
    >>> plain_form("\u201cIt\u2019s\u00a0so\u2026\u201d \u2014 cafe\u200b\u0301")
    '"It\'s so..." - café'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).translate(_TABLE))


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
    vectors : str
        A file of word vectors, as `read_word_vectors` takes it; empty for none.
    encoder : str
        A folder with a model that reads texts, as `load_encoder` takes it; empty for none.
    labelled : bool
        Whether relations of PARSE-2 have their names, or are pairs of a head and a modifier.
    """

    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    parser: str = ""
    normalize: bool = True
    vectors: str = ""
    encoder: str = ""
    labelled: bool = True

    @property
    def vectors_signature(self) -> str:
        """The file of vectors with its checksum, or "none"."""
        return vector_file(Path(self.vectors)).signature if self.vectors else "none"

    @property
    def encoder_signature(self) -> str:
        """The model with its checksum, or "none"."""
        return encoder_signature(Path(self.encoder)) if self.encoder else "none"

    def models(self, texts: Iterable[Text]) -> Models:
        """Read the vectors of the words of texts, and load the model that reads texts, as far as there are any.

        Parameters
        ----------
        texts : iterable of Text
            All texts that are to be scored.

        Returns
        -------
        Models
            As `score` takes them.

        Raises
        ------
        ModuleNotFoundError, ValueError
            If a file cannot be read, or a package is not installed; it says what to install.
        """
        words = {word for text in texts for word in text.words} if self.vectors else set()
        return Models(
            read_word_vectors(Path(self.vectors), words) if self.vectors else None,
            load_encoder(Path(self.encoder)) if self.encoder else None,
        )

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
            yield Text(each, dependency_triples(document, labelled=self.labelled), text)


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
