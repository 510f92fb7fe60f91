"""The one place that loads spaCy and other packages that not everybody needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

DEFAULT_MODEL = "en_core_web_sm"
_ANY_LANGUAGE = "xx"
_LANGUAGE_CODE = re.compile("[a-z]{2,3}")
_NEEDED_BY_RULES = {"ja": ("sudachipy",), "ko": ("natto",), "th": ("pythainlp",), "vi": ("pyvi",)}
"""What spaCy's rules for a language import that is not part of spaCy."""
BATCH_SIZE = 256
"""Texts that a model takes at a time."""

# Nobody here uses what these parts find, and they take most of the time.
_UNUSED_PARTS = ["entity_linker", "entity_ruler", "lemmatizer", "ner", "textcat"]


def require_package(package: str, purpose: str) -> Any:
    """Import a package that only some functions need.

    Parameters
    ----------
    package : str
        Its name.
    purpose : str
        What needs it, in the plural, for the message.

    Returns
    -------
    module
        The package.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed; the message says what to install.

    Examples
    --------
    >>> require_package("json", "examples").dumps([1])
    '[1]'
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{purpose} want {package}: pip install {package}", name=package) from error


_locate: list[Callable[[str], str]] = []


def locate_models_by(locate: Callable[[str], str]) -> None:
    """Let an application keep pipelines in a place of its own.

    Parameters
    ----------
    locate : callable
        Returns the package or folder of a pipeline that is named in the application's way, and any other name as it is.
        It raises ValueError if there is no such pipeline.
    """
    _locate[:] = [locate]


@lru_cache(maxsize=2)
def load_model(name: str) -> Any:
    """Load a spaCy pipeline that has a parser; the last two are kept.

    Parameters
    ----------
    name : str
        A package or a folder, as ``spacy.load`` takes it.

    Returns
    -------
    spacy.Language
        The pipeline, without the parts that nobody here uses, such as the recognizer of names.

    Raises
    ------
    ModuleNotFoundError
        If spaCy is not installed.
    ValueError
        If the pipeline cannot be loaded or has no parser.
    """
    spacy = require_package("spacy", "dependencies")
    place = name
    for locate in _locate:
        place = locate(place)
    try:
        model = spacy.load(place, exclude=_UNUSED_PARTS)
    except (OSError, ValueError, TypeError, AttributeError) as error:  # spaCy asks any package of that name
        raise ValueError(
            f"the parser {name!r} cannot be loaded ({error}). Install a pipeline of spaCy "
            f"(python -m spacy download {DEFAULT_MODEL}) or train one (manage.py train_parser), and name it."
        ) from error
    if "parser" not in model.pipe_names:
        raise ValueError(f"the pipeline {name!r} has no parser: it has {', '.join(model.pipe_names) or 'nothing'}")
    return model


@lru_cache(maxsize=8)
def blank_model(language: str) -> Any:
    """Return spaCy's rules for the words of a language, which need no model.

    Parameters
    ----------
    language : str
        Code of the language, such as "en".

    Returns
    -------
    spacy.Language
        An empty pipeline.

    Raises
    ------
    ModuleNotFoundError
        If spaCy is not installed.
    ValueError
        If spaCy has no rules for the language.
    """
    spacy = require_package("spacy", "the words of texts by its rules")
    try:
        return spacy.blank(language)
    except ImportError as error:
        raise ValueError(
            f"spaCy has no rules for the language {language!r} here; the tokenizer whitespace needs none ({error})"
        ) from error


def has_word_rules(language: str) -> bool:
    """Say whether spaCy has rules here for the words of a language, without loading it.

    Parameters
    ----------
    language : str
        Tag of the language, such as "en" or "pt-BR".

    Returns
    -------
    bool
        Whether `blank_model` can return them: False if spaCy or what it needs for the language is not installed.

    Examples
    --------
    >>> has_word_rules("xzz")
    False
    """
    code = language.partition("-")[0].lower()
    package = find_spec("spacy")
    if package is None or package.origin is None or not _LANGUAGE_CODE.fullmatch(code):
        return False
    has_rules = (Path(package.origin).parent / "lang" / code).is_dir()
    return has_rules and all(find_spec(name) is not None for name in _NEEDED_BY_RULES.get(code, ()))


def model_is_for(name: str, language: str) -> bool:
    """Say whether a pipeline is for a language.

    Parameters
    ----------
    name : str
        The pipeline, as `load_model` takes it.
    language : str
        Code of the language, such as "en" or "en-GB".

    Returns
    -------
    bool
        True also for a pipeline that is for many languages.

    Raises
    ------
    ModuleNotFoundError, ValueError
        As from `load_model`.
    """
    return load_model(name).lang in {language.partition("-")[0].lower(), _ANY_LANGUAGE}


def default_model(language: str = "en") -> str:
    """Return the pipeline that is used where none is named.

    Parameters
    ----------
    language : str
        Code of the language of the texts.

    Returns
    -------
    str
        spaCy's small English pipeline where it is installed and the texts are English; else an empty text.

    Examples
    --------
    >>> default_model("de")
    ''
    """
    return DEFAULT_MODEL if language == "en" and find_spec(DEFAULT_MODEL) is not None else ""
