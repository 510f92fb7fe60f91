"""The site in a release, `browse/`: plain pages of its texts and one script that searches them, without a server.

It is made from the release's own files, so that nothing is in it that these do not have.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.translation import override

from common.jobs import Progress
from compressions.genres import genre_label
from corpus.browse.shown import Showing, ShownSource
from corpus.browse.steps import LogsInOrder
from corpus.description.facts import ReleaseFacts
from corpus.formats.browse import BROWSE
from corpus.formats.history import LOGS_FILE
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedSource
from crowd.languages import direction_of

SOURCES_PER_PAGE, TEXTS_PER_PAGE = 50, 500
ASSETS = ("browse.css", "browse.js")


def site_write(folder: ReleaseFolder, facts: ReleaseFacts, total: int, progress: Progress) -> None:
    """Write the site of the folder's corpus of `total` sources; the same corpus gives the same bytes."""
    with override("en"):
        _Site(folder, facts, total, progress).write()


class _Site:
    def __init__(self, folder: ReleaseFolder, facts: ReleaseFacts, total: int, progress: Progress) -> None:
        self.folder, self.facts, self.total, self.progress = folder, facts, total, progress
        self.page = get_template("corpus/site/page.html")
        language, direction = facts.language, direction_of(facts.language or "und")
        known = format_html(' lang="{}"', language) if language else ""
        self.about = {
            "release": facts.release,
            "text_attributes": format_html('dir="{}"{}', direction, known),
            "total": total,
        }

    def write(self) -> None:
        for name in ASSETS:
            self.folder.write(BROWSE + name, (Path(__file__).parent / name).read_bytes())
        ranges: list[tuple[int, int]] = []
        search = self.folder.stream(f"{BROWSE}texts.js", b"const texts = [\n")
        for number, (sources, following) in enumerate(_with_next(_pages(self._sources())), start=1):
            ranges.append((sources[0].number, sources[-1].number))
            context = {"sources": sources, "number": number, "before": number - 1}
            self._write(f"texts-{number}.html", self.page, {**context, "after": number + 1 if following else 0})
            for each in sources:
                search.write(_searched(number, each))
            self.progress(sources[-1].number, self.total)
        search.write(b"];\n")
        self.folder.close_all()
        self._write("index.html", get_template("corpus/site/index.html"), {"facts": self.facts, "ranges": ranges})

    def _sources(self) -> Iterator[ShownSource]:
        """Yield the sources of the corpus with the logs that stand in the same order in another file."""
        showing = Showing(self.facts.release.rating_scales)
        with self.folder.path(CORPUS_FILE).open("rb") as lines, self.folder.path(LOGS_FILE).open("rb") as logs:
            in_order = LogsInOrder(logs)
            for number, source in enumerate(jsonl_read(lines), start=1):
                yield showing.of(number, source, in_order.of(source.source_id))

    def _write(self, name: str, template: Any, context: dict[str, Any]) -> None:
        page = template.render({**self.about, **context})
        self.folder.write(BROWSE + name, "\n".join(filter(None, map(str.strip, page.split("\n")))).encode() + b"\n")


def _pages(sources: Iterable[ShownSource]) -> Iterator[list[ShownSource]]:
    page: list[ShownSource] = []
    texts = 0
    for each in sources:
        if page and (len(page) == SOURCES_PER_PAGE or texts + len(each.texts) > TEXTS_PER_PAGE):
            yield page
            page, texts = [], 0
        page.append(each)
        texts += len(each.texts)
    if page:
        yield page


def _with_next(pages: Iterator[list[ShownSource]]) -> Iterator[tuple[list[ShownSource], bool]]:
    """Yield each page, and whether another follows."""
    before = next(pages, None)
    while before is not None:
        after = next(pages, None)
        yield before, after is not None
        before = after


def _searched(page: int, shown: ShownSource) -> bytes:
    """Return what the script knows of a source: where it is, by what it is filtered, and its texts."""
    source: ReleasedSource = shown.source
    systems = [output.system for output in source.outputs]
    texts = [source.text, *dict.fromkeys(each.text for each in shown.texts)]
    row = [page, shown.number, source.source_id, source.split, genre_label(source.genre), systems, texts]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b",\n"
