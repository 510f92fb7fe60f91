"""The words of the scripts on participants' pages, as a script for each language.

The words in the scripts are English, so English pages load nothing.
"""

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from crowd.access import public
from crowd.languages import pages_in

ENGLISH = "en"
FOREVER = "public, max-age=31536000, immutable"


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


@public
@require_safe
def page_words(_request: HttpRequest, language: str, version: str) -> HttpResponse:
    if not has_words(language) or version != words_version(language):
        raise Http404("there are no such words")
    return HttpResponse(words_script(language), content_type="text/javascript", headers={"Cache-Control": FOREVER})
