"""Links made elsewhere, sent with the request of a report: those of other people (JSON lines), and predicted ones."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NoReturn

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from reports.parameters import Attachment, ReportForm

MOST_BYTES, MOST_LINES = 4_000_000, 200_000
LONGEST_NAME = 100
LINK_FIELDS = {"document", "annotator", "abstract_sentence", "sentences"}
EDGE_HEAD = ["document", "a", "b", "score"]
FIELD, TOO_LARGE = "links_file", "too_large"


class FileTooLarge(Refused):
    """The file has too many bytes or lines to be read."""


@dataclass(frozen=True)
class OthersLink:
    """The sentences that an annotator linked to a sentence of an abstract."""

    line: int
    document: str
    annotator: str
    abstract_sentence: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class OthersEdge:
    """A predicted link of two sentences."""

    line: int
    document: str
    a: str
    b: str
    score: float


@dataclass(frozen=True)
class OthersLinks(Attachment):
    """A file of links: its text, which a report keeps, and what is in it."""

    links: tuple[OthersLink, ...] = ()
    edges: tuple[OthersEdge, ...] = ()


def others_links(content: bytes) -> OthersLinks:
    """Return the links of a file, whose lines are JSON objects or have tabs; raise Refused for what is neither."""
    if len(content) > MOST_BYTES:
        words = _("The file of links has %(n)s bytes; at most %(most)s are read.")
        raise FileTooLarge(words % {"n": f"{len(content):,}", "most": f"{MOST_BYTES:,}"})
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(_("The file of links is not UTF-8.")) from error
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise FileTooLarge(_("The file of links has more than %(most)s lines.") % {"most": f"{MOST_LINES:,}"})
    if "\x00" in text:
        raise Refused(_("The file of links holds a null character."))
    found = list(_read(lines))
    return OthersLinks(
        text,
        tuple(each for each in found if isinstance(each, OthersLink)),
        tuple(each for each in found if isinstance(each, OthersEdge)),
    )


def _read(lines: Sequence[str]) -> Iterator[OthersLink | OthersEdge]:
    pairs = set[tuple[str, str, str]]()
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.split("\t") == EDGE_HEAD:
            continue
        if line.lstrip().startswith("{"):
            yield _link(number, line)
            continue
        edge = _edge(number, line)
        pair = edge.document, min(edge.a, edge.b), max(edge.a, edge.b)
        if pair in pairs:
            _refuse(number, "the pair is there already")
        pairs.add(pair)
        yield edge


def _link(number: int, line: str) -> OthersLink:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        _refuse(number, "this is not JSON", error)
    if not isinstance(given, dict) or given.keys() != LINK_FIELDS:
        _refuse(number, f"a link has {', '.join(sorted(LINK_FIELDS))}")
    document, annotator, part = (given[name] for name in ("document", "annotator", "abstract_sentence"))
    sentences = given["sentences"]
    if not isinstance(sentences, list) or not all(map(_is_name, (document, annotator, part, *sentences))):
        _refuse(number, f"names are texts of at most {LONGEST_NAME} characters, sentences a list of them")
    linked = tuple(dict.fromkeys(map(str, sentences)))
    return OthersLink(number, str(document), str(annotator), str(part), linked)


def _is_name(given: object) -> bool:
    return not isinstance(given, bool) and isinstance(given, str | int) and 0 < len(str(given)) <= LONGEST_NAME


def _edge(number: int, line: str) -> OthersEdge:
    cells = [each.strip() for each in line.split("\t")]
    if len(cells) not in (3, 4) or not all(_is_name(each) for each in cells[:3]):
        _refuse(number, "a predicted link has document, a, b and perhaps score, with tabs between them")
    try:
        score = float(cells[3]) if cells[3:] and cells[3] else 1.0
    except ValueError as error:
        _refuse(number, "the score is not a number", error)
    if not 0 <= score <= 1:
        _refuse(number, "the score is not from 0 to 1")
    if cells[1] == cells[2]:
        _refuse(number, "a sentence is linked to itself")
    return OthersEdge(number, cells[0], cells[1], cells[2], score)


def _refuse(number: int, why: str, error: Exception | None = None) -> NoReturn:
    words = _("The file of links, line %(line)s: %(why)s.") % {"line": number, "why": why}
    raise Refused(words) from error


def others_check(others: OthersLinks, ids: Mapping[str, Mapping[str, int]]) -> None:
    """Raise Refused for a document or a sentence that the campaign does not have; `ids` has the places of sentences."""
    named = [(each.line, each.document, each.sentences) for each in others.links]
    named += [(each.line, each.document, (each.a, each.b)) for each in others.edges]
    for line, document, sentences in named:
        known = ids.get(document)
        if known is None:
            _refuse(line, f"the campaign has no document {document}")
        if unknown := [name for name in sentences if name not in known]:
            _refuse(line, f"document {document} has no sentence {unknown[0]}")


class LinksForm(ReportForm):
    """The parameters of a report, and a file of links made elsewhere."""

    links_file = forms.FileField(
        label=gettext_lazy("Links made elsewhere"),
        required=False,
        help_text=gettext_lazy(
            "UTF-8, at most 4 MB. A JSON object in a line for links of other people (document, annotator, "
            "abstract_sentence, sentences), or document, a, b and score with tabs between them for a predicted link."
        ),
    )

    @property
    def attached(self) -> OthersLinks:
        return self.cleaned_data.get(FIELD) or OthersLinks()

    @property
    def refusal_status(self) -> HTTPStatus:
        is_too_large = self.has_error(FIELD, TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else super().refusal_status

    def clean_links_file(self) -> OthersLinks:
        upload: Any = self.cleaned_data[FIELD]
        try:
            return others_links(upload.read(MOST_BYTES + 1)) if upload else OthersLinks()
        except Refused as refusal:
            code = TOO_LARGE if isinstance(refusal, FileTooLarge) else None
            raise forms.ValidationError(str(refusal), code=code) from refusal
