"""The language of the pages that participants read, and the direction in which their texts are written."""

from contextlib import AbstractContextManager

from django.http import HttpRequest
from django.utils import translation

# Usually written from right to left; a script in the tag, as in az-Arab or ku-Latn, says it for certain.
_RIGHT_TO_LEFT = frozenset(
    (
        "ar",
        "arc",
        "azb",
        "ckb",
        "dv",
        "fa",
        "glk",
        "he",
        "iw",
        "ks",
        "lrc",
        "mzn",
        "pnb",
        "ps",
        "sd",
        "syr",
        "ug",
        "ur",
        "yi",
    )
)
_SCRIPTS_RIGHT_TO_LEFT = frozenset(
    ("adlm", "arab", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa", "yezi")
)
_UNKNOWN = frozenset({"mul", "und", "zxx", "mis"})  # several languages, or none that a tag can name
_SCRIPT_LETTERS = 4


def pages_in(language: str) -> AbstractContextManager[None]:
    """Return a context in which pages are written in a language."""
    return translation.override(language)


def pages_for(request: HttpRequest) -> AbstractContextManager[None]:
    """Return a context for participants' pages without a campaign: in the browser's language, if we have it."""
    return pages_in(translation.get_language_from_request(request))


def direction_of(language: str) -> str:
    """Return "ltr" or "rtl" for texts in a language; "auto" where each text has to say it."""
    first, *subtags = language.lower().replace("_", "-").split("-")
    for subtag in subtags:
        if len(subtag) == _SCRIPT_LETTERS and subtag.isalpha():
            return "rtl" if subtag in _SCRIPTS_RIGHT_TO_LEFT else "ltr"
    if first in _UNKNOWN:
        return "auto"
    return "rtl" if first in _RIGHT_TO_LEFT else "ltr"
