"""A campaign from its first form to its last download, by the pages alone, as people use them."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from corpus.tests.formats.test_rawdata import ReadSource, published, read_rawdata
from crowd.models import Campaign
from tests.support.factories import add_qualification, make_staff, readable, rewriting_log, shortened

TEXTS = {
    "11_12": (
        "The harbour of Kalmar, which had been frozen since the middle of January, was opened again on Thursday by "
        "two icebreakers. Fishermen, who had waited for weeks, left for the open sea within the hour."
    ),
    "11": (
        "The harbour of Kalmar, which had been frozen since the middle of January, was opened again on Thursday by "
        "two icebreakers."
    ),
    "12": "Fishermen, many of whom had waited for more than six weeks, left for the open sea within the same hour.",
    "20": (
        'Dr. Okafor said "nobody in this hospital has ever seen a winter like it," and asked the ministry, for the '
        "third time this year, to send more nurses."
    ),
    "21": (
        "Prices of café tables & chairs rose by <b>12%</b> in the last quarter, although most dealers had expected "
        "them to fall a little after the holidays."
    ),
    "22": (
        "Please let us know before the end of next week whether you would like to join the excursion to the lake, "
        "since the number of seats on the bus is limited."
    ),
}
EDITORS = ("ann", "ben", "cleo", "dan")
RATERS = ("eve", "finn")


class _Fields(HTMLParser):
    """The named fields of a page's forms, filled in as the page has them."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name") or ""
        if not name:
            return
        if tag == "textarea":
            self._textarea, self.fields[name] = name, ""
        elif tag == "input" and (given.get("type") not in {"radio", "checkbox", "file"} or "checked" in given):
            self.fields[name] = given.get("value") or ("on" if given.get("type") == "checkbox" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._textarea = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.fields[self._textarea] += data.removeprefix("\n")


class Browser:
    """A browser that follows redirects and sends forms as pages made them, with their protection against forgery."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.page: Any = None

    def visit(self, address: str) -> None:
        self.page = self.client.get(address, follow=True)
        assert self.page.status_code == 200, (address, readable(self.page))

    def send(self, address: str = "", **filled: Any) -> None:
        """Send the form of the page, to itself or to where one of its buttons leads."""
        parser = _Fields()
        parser.feed(self.page.content.decode())
        assert not address or f'action="{address}"' in self.text
        self.page = self.client.post(address or self.at, {**parser.fields, **filled}, follow=True)
        assert self.page.status_code == 200, (address, readable(self.page))

    @property
    def at(self) -> str:
        return str(self.page.request["PATH_INFO"])

    @property
    def text(self) -> str:
        return readable(self.page)

    def download(self, address: str) -> bytes:
        reply: Any = self.client.get(address)
        assert reply.status_code == 200, address
        return b"".join(reply.streaming_content) if reply.streaming else reply.content


def new_campaign(staff: Browser) -> None:
    staff.visit("/campaigns/new/")
    staff.send(
        name="Winter texts",
        slug="winter",
        editors_per_source="2",
        raters_per_compression="2",
        rating_task="single",
        page_language="en",
    )
    assert staff.at == "/campaigns/winter/"
    staff.visit("/campaigns/winter/settings/consent/")
    staff.send(consent="Do you *agree*?")
    staff.visit("/campaigns/winter/settings/guidelines/")
    staff.send(editor_guidelines="# Shorten\n\nKeep the meaning.")
    staff.visit("/campaigns/winter/settings/rater-guidelines/")
    staff.send(rater_guidelines="Judge fairly.")


def upload_texts(staff: Browser) -> None:
    rows = [
        {"id": key, "genre": "News" if key.startswith("1") else "Letters", "text": text, "document": "a/b.txt"}
        | ({"paragraph": "11_12"} if key in {"11", "12"} else {})
        for key, text in TEXTS.items()
    ]
    content = "\n".join(map(json.dumps, [*rows, {"id": "30", "genre": "Letters", "text": "Too short."}])).encode()
    staff.visit("/campaigns/winter/imports/")
    staff.send(file=SimpleUploadedFile("winter.jsonl", content))
    assert "too short: 2 words, a sentence needs 15" in staff.text


def open_campaign(staff: Browser) -> None:
    staff.visit("/campaigns/winter/")
    assert "Only test links and previews work in a draft." in staff.text
    staff.send("/campaigns/winter/state/", state="open")
    assert "The campaign is open." in staff.text


def links_of(staff: Browser) -> tuple[str, str]:
    """The addresses for editors and raters that the dashboard shows."""
    staff.visit("/campaigns/winter/")
    editors, raters, _ = re.findall(r"http://testserver(/join/[^/\"]+/)", staff.text)
    return editors, raters


def enter(link: str, name: str) -> Browser:
    """Come by the link, agree and read."""
    person = Browser()
    person.visit(f"{link}?participant={name}")
    assert name not in person.at
    person.send()
    assert person.at == "/work/guidelines/"
    person.send()
    return person


def edit(link: str, name: str) -> Iterator[tuple[str, str]]:
    """Shorten everything that one is given; tells source and text."""
    person = enter(link, name)
    while person.at.startswith("/work/edit/"):
        match = re.search(r'<p id="source"\s[^>]*>(.*?)</p>', person.text, re.DOTALL)
        assert match
        source = match[1]
        text = f"{shortened(source, 55)} ||| so\nwrites {name}"
        person.send(text=text.replace("\n", "\r\n"), log=json.dumps(rewriting_log(source, text)))
        yield source, text.replace("\n", " ")
    assert person.at == "/work/done/"
    assert Campaign.objects.get().links.get(round="edit").code_done in person.text


def points_of(name: str, text: str) -> tuple[int, int]:
    """What a rater gives: one is content, the other looks at who wrote it."""
    return (3, 3) if name == "eve" else (2 + (len(text) % 2), 1 + (len(text) % 3))


def rate(link: str, name: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Pass the test and judge everything that one is given; tells text and points."""
    person = enter(link, name)
    assert person.at == "/work/qualification/"
    while person.at.startswith("/work/qualification/?") or person.at == "/work/qualification/":
        names = set(re.findall(r'name="((?:meaning|grammar)-\d+)"', person.text))
        person.send(**dict.fromkeys(names, "3"))
    person.send("/work/next/")
    while person.at.startswith("/work/rate/"):
        (text,) = re.findall(r'<p class="reading version"[^>]*>(.*?)</p>', person.text, re.DOTALL)
        points = points_of(name, text)
        task = person.at.split("/")[3]
        person.send(**{f"meaning-{task}": str(points[0]), f"grammar-{task}": str(points[1])})
        yield text, points
    assert person.at == "/work/done/"
    assert Campaign.objects.get().links.get(round="rate").code_done in person.text


@pytest.mark.django_db(transaction=True)
def test_from_the_first_form_to_the_last_download() -> None:
    user = make_staff()
    staff = Browser()
    staff.visit("/login/")
    staff.send(username=user.username, password="correct horse battery")
    new_campaign(staff)
    upload_texts(staff)
    add_qualification(Campaign.objects.get(), 2)
    open_campaign(staff)
    editors, raters = links_of(staff)

    written = {pair for name in EDITORS for pair in edit(editors, name)}
    assert len(written) == 2 * len(TEXTS)
    assert {source for source, _ in written} == set(TEXTS.values())
    judged = [each for name in RATERS for each in rate(raters, name)]
    assert len(judged) == 2 * len(written)

    staff.visit("/campaigns/winter/quality/preview/")
    staff.send("/campaigns/winter/quality/apply/")
    assert "0 of 2 raters and 0 of 4 editors excluded; 24 of 24 ratings and 12 of 12 texts kept." in staff.text
    staff.visit("/campaigns/winter/releases/freeze/")
    staff.send()
    assert staff.at == "/campaigns/winter/releases/1/"
    staff.visit("/campaigns/winter/releases/1/agreement/")
    staff.send("/campaigns/winter/releases/1/agreement/reports/")
    assert staff.at == "/campaigns/winter/releases/1/agreement/"

    files = {
        name: staff.download(f"/campaigns/winter/releases/1/files/{name}")
        for name in ("RawData/train.tsv", "RawData/valid.tsv", "RawData/test.tsv", "corpus.jsonl", "manifest.json")
    }
    check_tsv([each for name, data in files.items() if name.endswith(".tsv") for each in read_rawdata(data)], written)
    check_jsonl(files["corpus.jsonl"], written)
    check_agreement(staff.download("/campaigns/winter/releases/1/agreement.csv"), files["manifest.json"], written)


def check_tsv(read: list[ReadSource], written: set[tuple[str, str]]) -> None:
    assert {each.source_id: each.text for each in read} == TEXTS
    found = {(each.text, text.text) for each in read for text in each.texts}
    assert found == {(source, published(text)) for source, text in written}
    for each in read:
        for text in each.texts:
            original = next(typed for source, typed in written if published(typed) == text.text)
            assert sorted(text.ratings) == sorted(points_of(name, original) for name in RATERS)


def check_jsonl(data: bytes, written: set[tuple[str, str]]) -> None:
    sources = [json.loads(line) for line in data.split(b"\n")[:-1]]
    assert {(source["text"], text["text"]) for source in sources for text in source["compressions"]} == written
    splits = {source["id"]: source["split"] for source in sources}
    assert splits["11"] == splits["12"] == splits["11_12"]
    editors = {editor for source in sources for text in source["compressions"] for editor in text["editors"]}
    assert len(editors) == len(EDITORS)


def check_agreement(data: bytes, manifest: bytes, written: set[tuple[str, str]]) -> None:
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    assert {row["release_sha256"] for row in rows} == {hashlib.sha256(manifest).hexdigest()}
    by_name = {(row["scale"], row["comparison"], row["measure"]): row for row in rows}
    for index, scale in enumerate(("meaning", "grammar")):
        # Of two raters it does not matter who is drawn: they agree, or they do not.
        agreeing = sum(len({points_of(name, text)[index] for name in RATERS}) == 1 for _, text in written)
        row = by_name[scale, "worker versus worker", "agreement"]
        assert float(row["value"]) == pytest.approx(agreeing / len(written))
        assert row["items"] == str(len(written))
