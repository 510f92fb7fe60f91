"""The words of the scripts in the language of a page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from crowd.access import public
from crowd.page_words import has_words, words_script, words_version

_FOREVER = "public, max-age=31536000, immutable"


@public
@require_safe
def page_words(_request: HttpRequest, language: str, version: str) -> HttpResponse:
    if not has_words(language) or version != words_version(language):
        raise Http404("there are no such words")
    return HttpResponse(words_script(language), content_type="text/javascript", headers={"Cache-Control": _FOREVER})
