"""Documents of the folder docs as pages: the files read well elsewhere, too, so their paths are adapted here."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from os.path import normpath
from pathlib import PurePosixPath

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from common.templatetags.formatting import scrollable
from crowd.access import public

FOLDER = settings.BASE_DIR / "docs"
OWN_ADDRESSES = ("handbook", "accessibility")
PICTURES = {"static/": "", "docs/images/": "docs/"}
"""Where static files come from, and what stands before their names."""
MOST_FOUND, LONGEST_QUERY, EXCERPT = 30, 100, 220

parser = MarkdownIt("commonmark", {"html": False}).enable("table")
parser.add_render_rule("table_open", lambda *_rule: f'<div class="table" {scrollable(_("Table"))}><table>')
parser.add_render_rule("table_close", lambda *_rule: "</table></div>")


@dataclass(frozen=True)
class Section:
    """A heading and the words below it, down to the next heading; the title of the document has no anchor."""

    level: int
    anchor: str
    title: str
    words: str

    @cached_property
    def folded(self) -> str:
        return self.words.casefold()


@dataclass(frozen=True)
class Document:
    name: str
    title: str
    sections: tuple[Section, ...]
    html: SafeString

    @property
    def contents(self) -> list[Section]:
        return [section for section in self.sections if section.level == 2]

    @property
    def address(self) -> str:
        return _address(self.name)


@dataclass(frozen=True)
class Hit:
    """A section that holds all words that were looked for."""

    document: Document
    section: Section
    excerpt: str


@public
@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    if name not in names():
        raise Http404
    query = request.GET.get("q", "")[:LONGEST_QUERY].strip()
    context = {"document": document_read(name), "query": query, "hits": found(query) if query else None}
    return render(request, "dashboard/document.html", context)


@cache
def names() -> frozenset[str]:
    return frozenset(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.md"))


@cache
def document_read(name: str) -> Document:
    """Read and render a file, once for each process."""
    return document_from((FOLDER / f"{name}.md").read_text(encoding="utf-8"), name)


def document_from(text: str, name: str = "index") -> Document:
    """Render Markdown that begins with its title."""
    _opening, title, _closing, *tokens = parser.parse(text)
    sections = list(_sections(title.content, tokens))
    place = PurePosixPath("docs", name).parent
    for token in tokens:
        token.children = list(_adapted(token.children or (), place)) if token.children else token.children
    html = parser.renderer.render(tokens, parser.options, {})
    return Document(name, title.content, tuple(sections), mark_safe(html))  # noqa: S308  (raw HTML is disabled)


def _sections(title: str, tokens: Sequence[Token]) -> Iterator[Section]:
    """Yield the sections, and give each heading the anchor that it has elsewhere."""
    taken: dict[str, int] = {}
    level, anchor, words = 1, "", [title]
    for before, token in pairwise([Token("", "", 0), *tokens]):
        if before.type == "heading_open":
            yield Section(level, anchor, title, " ".join(words))
            level, title, words = int(before.tag[1]), _plain(token), []
            anchor = slugify(title, allow_unicode=True)
            taken[anchor] = taken.get(anchor, -1) + 1
            anchor += f"-{taken[anchor]}" * bool(taken[anchor])
            before.attrs["id"] = anchor
        if token.type in {"inline", "fence", "code_block"}:
            words.append(_plain(token))
    yield Section(level, anchor, title, " ".join(words))


def _plain(token: Token) -> str:
    parts = token.children if token.children is not None else [token]
    return " ".join("".join(part.content or " " * (part.type == "softbreak") for part in parts).split())


def _adapted(tokens: Sequence[Token], place: PurePosixPath) -> Iterator[Token]:
    """Lead links to other documents and pictures to where the app has them; of other files, leave the path."""
    path = ""
    for token in tokens:
        if token.type == "link_open":
            token.attrs["href"], path = _led(str(token.attrs["href"]), place)
        if path and token.type == "link_close":
            yield Token("text", "", 0, content=f" ({path})")
        elif not (path and token.type == "link_open"):
            yield _picture(token, place) if token.type == "image" else token


def _led(address: str, place: PurePosixPath) -> tuple[str, str]:
    """Return the address that a link has in the app, or else the path of the file that it leads to elsewhere."""
    if address.startswith(("#", "https://")):
        return address, ""
    path, _, anchor = address.partition("#")
    file = normpath(place / path)
    name = file.removeprefix("docs/").removesuffix(".md")
    if file == f"docs/{name}.md" and name in names():
        return _address(name) + f"#{anchor}" * bool(anchor), ""
    return "", file


def _address(name: str) -> str:
    if name == "index":
        return reverse("documents")
    return reverse(name) if name in OWN_ADDRESSES else reverse("document", args=[name])


def _picture(token: Token, place: PurePosixPath) -> Token:
    file = normpath(place / str(token.attrs["src"]))
    for folder, prefix in PICTURES.items():
        if file.startswith(folder):
            token.attrs["src"] = static(prefix + file.removeprefix(folder))
    head = (settings.BASE_DIR / file).read_bytes()[:24]
    if head[1:4] == b"PNG":  # its size is known before it is loaded, so that the page does not move under its readers
        token.attrs["width"], token.attrs["height"] = struct.unpack(">II", head[16:])
    token.attrs["loading"] = "lazy"
    return token


def found(query: str) -> list[Hit]:
    """Return sections that hold all words, those first that have them in their headings."""
    wanted = query.casefold().split()
    hits = [
        Hit(read, section, _excerpt(section, wanted))
        for read in map(document_read, sorted(names(), key=lambda name: (name != "handbook", "/" in name, name)))
        for section in read.sections
        if all(word in section.folded for word in wanted)
    ]
    hits.sort(key=lambda hit: -sum(word in hit.section.title.casefold() for word in wanted))
    return hits[:MOST_FOUND]


def _excerpt(section: Section, wanted: Sequence[str]) -> str:
    first = min(section.folded.find(word) for word in wanted)
    begin = section.words.rfind(" ", 0, max(0, first - EXCERPT // 3)) + 1
    end = section.words.find(" ", begin + EXCERPT)
    return "… " * bool(begin) + section.words[begin : end if end > 0 else None] + " …" * (end > 0)
