"""The words of the scripts on participants' pages, as a script for each language.

The words in the scripts are English, so English pages load nothing.
"""

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.views.i18n import JavaScriptCatalog

from crowd.languages import pages_in

ENGLISH = "en"


def has_words(language: str) -> bool:
    """Return whether the pages of a language load words for their scripts."""
    return language != ENGLISH and language in dict(settings.LANGUAGES)


def words_version(language: str) -> str:
    """Return a digest of the words, for their address: a browser keeps them for as long as they are the same."""
    return sha256(words_script(language)).hexdigest()[:12]


@cache
def words_script(language: str) -> bytes:
    with pages_in(language):
        return bytes(JavaScriptCatalog().get(HttpRequest()).content)
