"""Words of texts: spaCy's tokenizers or white space, with what may be done to each word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any, Literal, TypeAlias, get_args

from measures.text.spacy_models import blank_model, require_package

MAX_SIGNS = 30
"""Greatest number of signs, neither letters nor digits, in a run without white space that spaCy's rules cut. They take
signs off one by one, in time quadratic in their number; a run with more is cut into its signs and what is between."""

_NO_SIGNS = re.compile(r"[^\W_]+")
_LETTERS_OR_SIGN = re.compile(r"[^\W_]+|[\W_]")

Method: TypeAlias = Literal["spacy", "whitespace"]
Stemmer: TypeAlias = Literal["none", "porter", "snowball"]

_LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}


@dataclass(frozen=True)
class Tokenizer:
    """How a text becomes words. The paper does not say how; these are this project's choices.

    Attributes
    ----------
    method : {"spacy", "whitespace"}
        The rules of spaCy for the language, which need no model, or white space alone. Runs of more than `MAX_SIGNS`
        signs are cut sign by sign.
    language : str
        Code of the language, as "en".
    lower : bool
        Put words into lower case.
    stemmer : {"none", "porter", "snowball"}
        Cut words to their stems, by the algorithm of Porter 1980 (English) or Snowball.
    without_stop_words : bool
        Leave out spaCy's stop words of the language.

    Raises
    ------
    ValueError
        If there is no such method or stemmer, or none for the language.
    """

    method: Method = "spacy"
    language: str = "en"
    lower: bool = True
    stemmer: Stemmer = "none"
    without_stop_words: bool = False

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise ValueError(f"method must be one of {', '.join(get_args(Method))}, not {self.method!r}")
        if self.stemmer not in get_args(Stemmer):
            raise ValueError(f"stemmer must be one of {', '.join(get_args(Stemmer))}, not {self.stemmer!r}")
        if self.stemmer == "porter" and self.language != "en":
            raise ValueError(f"the stemmer of Porter is for English (en), not {self.language!r}")
        if self.stemmer == "snowball" and self.language not in _LANGUAGES:
            raise ValueError(f"Snowball has no stemmer for {self.language!r}")

    @property
    def signature(self) -> str:
        """What was done, for whoever wants to do the same again.

        Examples
        --------
        >>> Tokenizer("whitespace").signature
        'tok:whitespace|case:lower|stem:no|stop:no'
        """
        case = "lower" if self.lower else "mixed"
        stem = "no" if self.stemmer == "none" else f"{self.stemmer}-{_version('snowballstemmer')}-{self.language}"
        stop = f"spacy-{_version('spacy')}-{self.language}" if self.without_stop_words else "no"
        return f"tok:{self._method}|case:{case}|stem:{stem}|stop:{stop}"

    @property
    def _method(self) -> str:
        return f"spacy-{_version('spacy')}-{self.language}" if self.method == "spacy" else self.method

    def words(self, texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """Cut texts into words.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Yields
        ------
        tuple of str
            The words of the next text.

        Raises
        ------
        ModuleNotFoundError
            If what it needs is not installed; it says what to install.
        ValueError
            If spaCy has no rules for the language.

        Examples
        --------
        >>> list(Tokenizer().words(["Imagine your household!"]))
        [('imagine', 'your', 'household', '!')]
        """
        split, change, stop = self._split(), self._change(), self._stop_words()
        for text in texts:
            yield tuple(change(word) for word in split(text) if word.lower() not in stop)

    def _split(self) -> Callable[[str], list[str]]:
        if self.method == "whitespace":
            return str.split
        rules = blank_model(self.language).tokenizer
        return lambda text: [word for piece in _pieces(text) for word in _cut(rules, piece)]

    def _change(self) -> Callable[[str], str]:
        if self.stemmer == "none":
            return str.lower if self.lower else str
        stem = _stemmer("porter" if self.stemmer == "porter" else _LANGUAGES[self.language])
        return lambda word: stem(word.lower() if self.lower else word)

    def _stop_words(self) -> frozenset[str]:
        return frozenset(blank_model(self.language).Defaults.stop_words) if self.without_stop_words else frozenset()


def _pieces(text: str) -> list[str]:
    """Return a text in one piece, or run by run if one of them has too many signs for rules."""
    runs = text.split()
    return runs if any(map(_has_too_many_signs, runs)) else [text]


def _cut(rules: Callable[[str], Iterable[Any]], piece: str) -> list[str]:
    if _has_too_many_signs(piece):
        return _LETTERS_OR_SIGN.findall(piece)
    return [token.text for token in rules(piece) if not token.is_space]


def _has_too_many_signs(piece: str) -> bool:
    return len(piece) > MAX_SIGNS and any(len(_NO_SIGNS.sub("", run)) > MAX_SIGNS for run in piece.split())


def _version(package: str) -> str:
    require_package(package, "the words of texts")
    return version(package)


def snowball_stem(language: str) -> Callable[[str], str] | None:
    """Return Snowball's stemmer of a language, which keeps the stems of the last words.

    Parameters
    ----------
    language : str
        Code of the language, as "en".

    Returns
    -------
    callable of str to str, or None
        The stem of a word in lower case; None if Snowball does not have the language.

    Raises
    ------
    ModuleNotFoundError
        If snowballstemmer is not installed.

    Examples
    --------
    >>> snowball_stem("en")("rising"), snowball_stem("ja")
    ('rise', None)
    """
    return _stemmer(_LANGUAGES[language]) if language in _LANGUAGES else None


@lru_cache(maxsize=8)
def _stemmer(language: str) -> Callable[[str], str]:
    algorithm, lock = require_package("snowballstemmer", "stems").stemmer(language), Lock()

    def stem(word: str) -> str:
        with lock:  # a stemmer holds the word that it works on
            return str(algorithm.stemWord(word))

    return lru_cache(maxsize=100_000)(stem)
