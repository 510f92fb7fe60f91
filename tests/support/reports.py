"""Releases from ratings that a test writes down, and their reports as a reader meets them."""

import html
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from html.parser import HTMLParser
from itertools import zip_longest
from secrets import token_hex
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import include, path

from annotation import urls
from common.clock import database_now
from common.json_values import file_sha256
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from corpus.tests.support.whole_files import jsonl_write
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from reports.kinds import ReportKind
from reports.views import report_urls
from tests.support.factories import make_campaign
from tests.support.stored import release_folder

Row = dict[str, Any]
Points = Sequence[int | None]
PARAMETERS = {"draws": 300, "seed": 7, "replications": 40}
OPTIONS = [f"--{name.replace('_', '-')}={value}" for name, value in PARAMETERS.items()]


def text_of(
    points: Points,
    *,
    names: Sequence[str] = (),
    days: Sequence[date | None] = (),
    experts: Points = (),
    scales: Sequence[str] = ("meaning",),
) -> ReleasedText:
    """A compression: a column is a rater, numbered from 1 if there are no `names`; None where they did not rate."""
    whose = names or [str(number) for number in range(1, len(points) + 1)]
    given = zip_longest(whose, points, days)
    ratings = [ReleasedRating(name, dict.fromkeys(scales, point), day) for name, point, day in given if point]
    of_experts = [
        ReleasedRating(f"e{number}", dict.fromkeys(scales, point)) for number, point in enumerate(experts) if point
    ]
    return ReleasedText("Short.", ("9",), tuple(ratings), tuple(of_experts))


def source_of(
    number: int, *texts: ReleasedText, genre: str = "Letters", words: int = 9, sentences: int = 1
) -> ReleasedSource:
    return ReleasedSource(
        str(number), genre, " ".join(["word"] * words), sentences, "", str(number), "train", list(texts)
    )


WORDS = {3: ("good", "fair", "poor"), 5: ("very good", "good", "barely acceptable", "poor", "very poor")}


def scales_named(*names: str, points: int = 3) -> list[Row]:
    """Scales of three or five points."""
    listed = "\n".join(f"{points - place} {words}" for place, words in enumerate(WORDS[points]))
    return scales_dump(scales_from_text("\n\n".join(f"{name}: How good?\n{listed}" for name in names)))


def released(
    sources: Iterable[ReleasedSource],
    *,
    scales: Sequence[str] = ("Meaning",),
    owner: User | None = None,
    points: int = 3,
) -> Release:
    """A release that holds these sources and nothing else."""
    release = Release.objects.create(
        campaign=make_campaign(owner=owner, scales=scales_named(*scales, points=points)),
        version=1,
        state=Release.State.READY,
        options={},
        checksum="c" * 64,
        folder=f"released-{token_hex(4)}",
        finished_at=database_now(),
    )
    release_folder(release).mkdir(parents=True)
    path = release_folder(release) / CORPUS_FILE
    with path.open("wb") as stream:
        jsonl_write(stream, sources)
    release.files.create(name=CORPUS_FILE, size=path.stat().st_size, sha256=file_sha256(path))
    return release


def printed(command: str, *arguments: str) -> str:
    """What a command prints."""
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def strict_json(text: str) -> Any:
    """JSON as its standard has it: without NaN and Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def report_of(release: Release, *options: str) -> Row:
    """The report as the command prints it, quickly."""
    report: Row = strict_json(printed("report", release.name, "agreement", "--format=json", *OPTIONS, *options))
    return report


def section(release: Release, comparison: str, *options: str) -> dict[tuple[str, str], Row]:
    """The rows of one section, by group and measure; there is one scale."""
    rows = [row for row in report_of(release, *options)["rows"] if row["comparison"] == comparison]
    found = {(row["group"], row["measure"]): row for row in rows}
    assert len(found) == len(rows)
    return found


class _Tables(HTMLParser):
    """The rows of every table with its label, each cell as the words that a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._label, self._cell = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "div" and "table" in (named.get("class") or "").split():
            self._label = named["aria-label"] or ""
            self.found[self._label] = []
        elif tag == "tr":
            self.found[self._label].append([])
        elif tag in {"td", "th"}:
            self.found[self._label][-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self._cell = False

    def handle_data(self, data: str) -> None:
        if self._cell:
            cells = self.found[self._label][-1]
            cells[-1] = " ".join((cells[-1] + " " + data).split())


def tables_of(page: str) -> dict[str, list[list[str]]]:
    reader = _Tables()
    reader.feed(page)
    return reader.found


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/agreement"


def half_up(values: Sequence[int]) -> int:
    """The mean, rounded to the nearest; halves go up."""
    return (2 * sum(values) + len(values)) // (2 * len(values))


def kappa_of(pairs: Sequence[tuple[int, int]], points: int = 3) -> float | None:
    """Quadratic kappa from its definition; None where chance alone would never disagree."""
    observed = sum((one - other) ** 2 for one, other in pairs) / len(pairs)
    expected = sum((one - other) ** 2 for one, _ in pairs for _, other in pairs) / len(pairs) ** 2
    return 1 - observed / expected if expected else None


def agreement_of(pairs: Sequence[tuple[int, int]]) -> float:
    return sum(one == other for one, other in pairs) / len(pairs)


def against_others(
    texts: Iterable[ReleasedText], chosen: Callable[[ReleasedRating], bool], scale: str = "meaning"
) -> Iterator[tuple[int, int]]:
    """Every chosen rating beside the rounded mean of the others of its text."""
    for text in texts:
        for place, rating in enumerate(text.ratings):
            others = [each.scores[scale] for index, each in enumerate(text.ratings) if index != place]
            if others and chosen(rating):
                yield rating.scores[scale], half_up(others)


TABS = re.compile(r'<nav class="tabs" aria-label="Parts of the (?:report|scores)">.*?</nav>', re.DOTALL)


def every_tab(client: Client, address: str, query: Mapping[str, str] | None = None) -> Any:
    """The answer of a report or of scores, with what stands in their other tabs behind it."""
    page: Any = client.get(address, query or {})
    nav = TABS.search(page.content.decode())
    links = re.findall(r'href="([^"]+)"', nav[0]) if nav else []
    asked = f"&{urlencode(query)}" if query else ""
    more = [client.get(html.unescape(link) + asked).content for link in links[1:]]
    page.content = b"".join([page.content, *more])
    return page


@contextmanager
def with_addresses(kind: ReportKind) -> Iterator[None]:
    """Give a kind of report that is a test's own its pages, below its namespace."""
    module = ModuleType("urls_with_a_kind")
    own = path("", include((report_urls(kind), kind.namespace)))
    vars(module).update({**vars(urls), "urlpatterns": [own, *urls.urlpatterns]})
    with override_settings(ROOT_URLCONF=module):
        yield
