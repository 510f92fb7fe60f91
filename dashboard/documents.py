"""Documents of the folder docs as pages: the files read well elsewhere, too, so their paths are adapted here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from markdown_it.token import Token

from common.templatetags.formatting import markdown_parser
from crowd.access import public

PICTURES = "../static/"
PICTURE_SIZE = (1024, 640)
"""Known before a picture is loaded, so that the page does not move under its readers."""


@dataclass(frozen=True)
class Heading:
    """A heading of the second level, as the table of contents lists it."""

    anchor: str
    title: str


@dataclass(frozen=True)
class Document:
    title: str
    contents: tuple[Heading, ...]
    html: SafeString


@public
@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    return render(request, "dashboard/document.html", {"document": document_read(name)})


@cache
def document_read(name: str) -> Document:
    """Read and render a file, once for each process."""
    return document_from((settings.BASE_DIR / "docs" / f"{name}.md").read_text(encoding="utf-8"))


def document_from(text: str) -> Document:
    """Render Markdown that begins with its title."""
    title, *tokens = _without_title(markdown_parser.parse(text))
    contents = []
    for opening, words in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrs["id"] = slugify(words.content)
            if opening.tag == "h2":
                contents.append(Heading(str(opening.attrs["id"]), words.content))
    for token in tokens:
        token.children = list(_adapted(token.children or ())) if token.children else token.children
    html = markdown_parser.renderer.render(tokens, markdown_parser.options, {})
    return Document(title.content, tuple(contents), mark_safe(html))  # noqa: S308  (rendered with raw HTML disabled)


def _without_title(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of the first heading, then everything after it."""
    yield tokens[1]
    yield from tokens[3:]


def _adapted(tokens: Sequence[Token]) -> Iterator[Token]:
    """Take pictures from the static files; of links to other files of the repository, leave the words and the path."""
    path = ""
    for token in tokens:
        if token.type == "link_open":
            path = _path_of(str(token.attrs["href"]))
        if path and token.type == "link_close":
            yield Token("text", "", 0, content=f" ({path})")
        elif not (path and token.type == "link_open"):
            yield _picture(token) if token.type == "image" else token


def _path_of(address: str) -> str:
    """Return the path of another file beside the handbook; empty for what the app can lead to."""
    return "" if address.startswith(("#", "https://")) else f"docs/{address}"


def _picture(token: Token) -> Token:
    width, height = PICTURE_SIZE
    source = static(str(token.attrs["src"]).removeprefix(PICTURES))
    token.attrs |= {"src": source, "width": width, "height": height, "loading": "lazy"}
    return token
