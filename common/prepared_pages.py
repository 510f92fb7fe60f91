"""Pages that are the same for everybody but for a few values: rendered once per process, then filled in.

Rendering a task page takes longer than all its statements. All that differs between two texts of a campaign, as long as
nothing is out of the ordinary, is a few values: the text itself, numbers, tokens. The template is rendered once with a
specimen in the place of each value; the result is cut at the specimens, and from then on only the values are put
between the pieces, escaped as the template would escape them.
"""

import re
import secrets
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from html import escape
from threading import Lock
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string

MOST_PREPARED = 64
TOKEN = "csrf_token"  # noqa: S105 - the name of it
# Nobody can guess a specimen, and so nobody can have one in a text of their own.
_SECRET = secrets.token_hex(8)
_CUT = re.compile(rf"{_SECRET}:([\w.]+):")
_FIRST_NUMBER = 10**15 + secrets.randbelow(10**15)

Holes = Mapping[str, type[int] | type[str]]
Pieces = list[str]  # pieces of the page at even places, paths of values at odd ones
_prepared_pages: OrderedDict[tuple[str, Hashable], Pieces] = OrderedDict()
_lock = Lock()


def render_filled(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, same: Hashable, holes: Holes
) -> HttpResponse:
    """Render a template as `render` does, from a prepared page if there is one.

    `holes` are the paths of the values that may differ between pages with the same `same`, such as "source.text", each
    with its type; "tasks.0.pk" is of the first of some tasks. All else that the template asks for must be determined by
    `same`. Messages to the person are rendered in the ordinary way.
    """
    if settings.DEBUG or len(get_messages(request)):  # whoever changes a template wants to see it
        return render(request, template, context)
    pieces = _prepared_page((template, same), context, holes)
    values = {path: escape(str(_found(context, path))) for path in holes} | {TOKEN: get_token(request)}
    return HttpResponse("".join([values[piece] if place % 2 else piece for place, piece in enumerate(pieces)]))


def prepared_pages_forget() -> None:
    """Forget all prepared pages, as a restart does."""
    with _lock:
        _prepared_pages.clear()


def _prepared_page(key: tuple[str, Hashable], context: Mapping[str, Any], holes: Holes) -> Pieces:
    with _lock:
        if (known := _prepared_pages.get(key)) is not None:
            _prepared_pages.move_to_end(key)
            return known
    made = _made(key[0], context, holes)
    with _lock:
        _prepared_pages[key] = made
        if len(_prepared_pages) > MOST_PREPARED:
            _prepared_pages.popitem(last=False)
    return made


def _made(template: str, context: Mapping[str, Any], holes: Holes) -> Pieces:
    """Render a template with specimens, and cut it at them."""
    numbers = {path: _FIRST_NUMBER + place for place, path in enumerate(holes) if holes[path] is int}
    specimens: dict[str, Any] = {path: numbers.get(path, _mark(path)) for path in (*holes, TOKEN)}
    replaced = {name: _with(name, value, specimens) for name, value in context.items()}
    page = str(render_to_string(template, replaced | {TOKEN: specimens[TOKEN]}))
    for path, number in numbers.items():
        page = page.replace(str(number), _mark(path))
    return _CUT.split(page)


def _mark(path: str) -> str:
    return f"{_SECRET}:{path}:"


def _with(path: str, value: Any, specimens: Mapping[str, Any]) -> Any:
    """Return the value at a path of a context, with specimens in place of the real values in it."""
    if path in specimens:
        return specimens[path]
    if not any(each.startswith(f"{path}.") for each in specimens):
        return value
    if isinstance(value, list | tuple):
        return [_with(f"{path}.{place}", each, specimens) for place, each in enumerate(value)]
    return _Specimen(path, value, specimens)


class _Specimen:
    """A stand-in for an object: some attributes are specimens, all others are the object's own."""

    def __init__(self, path: str, real: Any, specimens: Mapping[str, Any]) -> None:
        self._path, self._real, self._specimens = path, real, specimens

    def __getattr__(self, name: str) -> Any:
        return _with(f"{self._path}.{name}", getattr(self._real, name), self._specimens)


def _found(context: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path of a context; an empty string for None."""
    name, *attributes = path.split(".")
    found = context[name]
    for attribute in attributes:
        found = found[int(attribute)] if attribute.isdecimal() else getattr(found, attribute)
    return "" if found is None else found
