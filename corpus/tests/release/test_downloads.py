"""Downloads: whole files, parts of them, and the signed links that need no account."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from corpus.downloads import LINK_SALT, link_token
from corpus.models import Release, ReleaseFile
from corpus.services.outputs import outputs_import
from tests.support.factories import RATE, enrol, freeze, judged_campaign, make_staff, rate_all, readable, staff_client
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

NAME = "corpus.jsonl"
LASTS = timedelta(days=7)


class Reply:
    """An answer, read to its end."""

    def __init__(self, response: Any) -> None:
        self.status, self.headers = response.status_code, response.headers
        self.body: bytes = b"".join(response.streaming_content) if response.streaming else response.content


class Shelf:
    """A finished release, and a browser of its staff."""

    def __init__(self) -> None:
        owner = make_staff()
        self.release = freeze(judged_campaign(owner=owner))
        self.client = staff_client(owner)
        self.client.raise_request_exception = False

    def address(self, name: str = NAME) -> str:
        return f"/campaigns/{self.release.campaign.slug}/releases/1/files/{name}"

    def data(self, name: str = NAME) -> bytes:
        return (release_folder(self.release) / name).read_bytes()

    def file(self, name: str = NAME) -> ReleaseFile:
        return self.release.files.get(name=name)

    def link(self, name: str = NAME) -> str:
        return f"/files/{link_token(self.file(name))}/"

    def get(self, asked: str = "", name: str = NAME, **headers: str) -> Reply:
        asked_for = {"range": asked} if asked else {}
        return Reply(self.client.get(self.address(name), headers={**asked_for, **headers}))


def by_link(address: str, **headers: str) -> Reply:
    """What somebody without an account gets."""
    return Reply(Client(raise_request_exception=False).get(address, headers=headers))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


# Whole files


def test_a_file_comes_whole_with_what_a_download_program_wants_to_know(shelf: Shelf) -> None:
    for file in shelf.release.files.all():
        reply = shelf.get(name=file.name)
        assert reply.status == 200
        assert reply.headers["Content-Length"] == str(file.size)
        assert reply.headers["Accept-Ranges"] == "bytes"
        assert reply.headers["ETag"] == f'"{file.sha256}"'
        assert reply.headers["Content-Type"] == "application/octet-stream"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Range" not in reply.headers
        assert reply.body == shelf.data(file.name)


@pytest.mark.parametrize("asked", ["", "bytes=0-9"])
def test_head_tells_of_the_whole_file_and_sends_nothing(shelf: Shelf, asked: str) -> None:
    for address in (shelf.address(), shelf.link()):
        reply = Reply(shelf.client.head(address, headers={"range": asked}))
        assert reply.status == 200
        assert reply.headers["Content-Length"] == str(len(shelf.data()))
        assert reply.headers["Accept-Ranges"] == "bytes"
        assert reply.headers["ETag"] == f'"{shelf.file().sha256}"'
        assert reply.body == b""


@pytest.mark.parametrize("asked", ["", "bytes=0-9"])
@pytest.mark.parametrize(
    ("name", "saved_as"),
    [
        ("RawData/train.tsv", "{release}-RawData-train.tsv"),
        ("manifest.json", "{release}-manifest.json"),
        ("{release}.zip", "{release}.zip"),
    ],
)
def test_a_file_is_saved_under_the_name_of_its_release(shelf: Shelf, name: str, saved_as: str, asked: str) -> None:
    release = shelf.release.name

    reply = shelf.get(asked, name.format(release=release))

    assert reply.headers["Content-Disposition"] == f'attachment; filename="{saved_as.format(release=release)}"'


@pytest.mark.parametrize("asked", ["", "bytes=0-9"])
@pytest.mark.parametrize("system", ['a", filename="b.exe', "Größe 3", "模型"])
def test_the_name_of_a_system_cannot_break_the_name_of_a_file(system: str, asked: str) -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    outputs_import(campaign=campaign, system=system, file_name="a.jsonl", content=b'{"id": "1", "text": "It met."}')
    assert rate_all(enrol(campaign, RATE)) == 1
    file = freeze(campaign).files.get(name__startswith="RawData", name__contains="_output.")

    address = f"/campaigns/{campaign.slug}/releases/1/files/{file.name}"
    reply = Reply(staff_client(owner).get(address, headers={"range": asked}))

    assert len(reply.body) == (10 if asked else file.size)
    shown = reply.headers["Content-Disposition"]
    assert shown.isascii()
    assert shown.startswith("attachment; filename")
    assert shown.replace('\\"', "").count('"') in {0, 2}


# Parts


@pytest.mark.parametrize(("asked", "first", "last"), [("0-9", 0, 9), ("5-", 5, -1), ("-7", -7, -1), ("0-0", 0, 0)])
def test_a_part_comes_as_it_was_asked_for(shelf: Shelf, asked: str, first: int, last: int) -> None:
    size = len(shelf.data())
    first, last = first % size, last % size

    reply = shelf.get(f"bytes={asked}")

    assert reply.status == 206
    assert reply.headers["Content-Range"] == f"bytes {first}-{last}/{size}"
    assert reply.headers["Content-Length"] == str(last - first + 1)
    assert reply.headers["Content-Type"] == "application/octet-stream"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["ETag"] == f'"{shelf.file().sha256}"'
    assert reply.body == shelf.data()[first : last + 1]


@pytest.mark.parametrize("asked", ["0-{size}", "-{size}", "0-{beyond}", "-{beyond}", "0-999999999999999999"])
def test_a_part_that_reaches_beyond_the_end_ends_there(shelf: Shelf, asked: str) -> None:
    size = len(shelf.data())

    reply = shelf.get(f"bytes={asked.format(size=size, beyond=size + 1)}")

    assert reply.status == 206
    assert reply.headers["Content-Range"] == f"bytes 0-{size - 1}/{size}"
    assert reply.body == shelf.data()


@pytest.mark.parametrize("asked", ["{size}-", "{beyond}-", "{size}-{beyond}", "-0", "999999999999999999-"])
def test_a_part_that_begins_beyond_the_end_is_not_there(shelf: Shelf, asked: str) -> None:
    size = len(shelf.data())

    reply = shelf.get(f"bytes={asked.format(size=size, beyond=size + 1)}")

    assert reply.status == 416
    assert reply.headers["Content-Range"] == f"bytes */{size}"
    assert reply.body == b""


@pytest.mark.parametrize("digits", [19, 40, 5000])
def test_a_number_that_no_file_is_long_enough_for_breaks_nothing(shelf: Shelf, digits: int) -> None:
    huge = "9" * digits

    to_the_end, beyond = shelf.get(f"bytes=0-{huge}"), shelf.get(f"bytes={huge}-")

    assert to_the_end.body == shelf.data()
    assert beyond.status in {200, 416}


@pytest.mark.parametrize(
    "asked",
    [
        "bytes=-",
        "bytes",
        "bytes=a-b",
        "items=0-9",
        "bytes=0-1,3-4",
        "bytes=0-1, -4",
        "bytes=²-³",
    ],
)
def test_what_is_no_range_or_several_brings_the_whole_file(shelf: Shelf, asked: str) -> None:
    reply = shelf.get(asked)

    assert reply.status == 200
    assert reply.body == shelf.data()


def test_a_part_is_only_sent_of_the_version_that_the_asker_has_begun_with(shelf: Shelf) -> None:
    etag = f'"{shelf.file().sha256}"'

    assert shelf.get("bytes=3-5", **{"if-range": etag}).body == shelf.data()[3:6]
    for other in (f'"{"0" * 64}"', f"W/{etag}", etag.strip('"'), "Sat, 29 Oct 2016 19:43:31 GMT"):
        reply = shelf.get("bytes=3-5", **{"if-range": other})
        assert reply.status == 200
        assert reply.body == shelf.data()


@given(share=st.floats(0, 1, exclude_max=True), name=st.sampled_from([NAME, "RawData/train.tsv", "README.md"]))
def test_two_halves_make_the_file(shelf: Shelf, share: float, name: str) -> None:
    whole = shelf.data(name)
    cut = int(share * len(whole))

    parts = [shelf.get(f"bytes={cut}-", name)] + ([shelf.get(f"bytes=0-{cut - 1}", name)] if cut else [])

    assert b"".join(part.body for part in reversed(parts)) == whole


@pytest.mark.parametrize("asked", ["", "bytes=0-299"])
def test_a_browser_that_takes_compressed_pages_gets_the_bytes_of_the_file(shelf: Shelf, asked: str) -> None:
    reply = shelf.get(asked, **{"accept-encoding": "gzip, deflate, br"})

    assert "Content-Encoding" not in reply.headers
    assert reply.headers["ETag"] == f'"{shelf.file().sha256}"'
    assert reply.headers["Content-Length"] == ("300" if asked else str(len(shelf.data())))
    assert reply.body == (shelf.data()[:300] if asked else shelf.data())


def test_a_file_that_is_no_longer_there_is_not_found(shelf: Shelf) -> None:
    (release_folder(shelf.release) / NAME).unlink()

    for asked in ("", "bytes=0-9"):
        assert shelf.get(asked).status == 404
        assert by_link(shelf.link(), range=asked).status == 404


# Signed links


def test_the_page_of_a_release_has_links_that_need_no_account(shelf: Shelf) -> None:
    page = readable(shelf.client.get(f"/campaigns/{shelf.release.campaign.slug}/releases/1/"))

    links = [part.split("<")[0] for part in page.split("http://testserver")[1:]]
    listed = shelf.release.files.exclude(name__startswith="browse/").order_by("pk")  # those are one row of the table
    in_order = sorted(listed, key=lambda file: not file.name.endswith(".zip"))
    assert [by_link(link).body for link in links] == [shelf.data(file.name) for file in in_order]
    assert by_link(shelf.address()).status == 302


def test_a_link_brings_parts_too(shelf: Shelf) -> None:
    size, link = len(shelf.data()), shelf.link()

    assert by_link(link, range="bytes=2-4").body == shelf.data()[2:5]
    assert by_link(link, range="bytes=0-1,3-4").body == shelf.data()
    assert by_link(link, range=f"bytes={size}-").headers["Content-Range"] == f"bytes */{size}"


@pytest.mark.parametrize(("age", "status"), [(LASTS - timedelta(minutes=1), 200), (LASTS + timedelta(minutes=1), 404)])
def test_a_link_lasts_a_week(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, age: timedelta, status: int) -> None:
    link, later = shelf.link(), time.time() + age.total_seconds()
    monkeypatch.setattr(time, "time", lambda: later)

    assert by_link(link).status == status


def test_a_link_with_one_character_changed_is_refused(shelf: Shelf) -> None:
    token = link_token(shelf.file())

    changed = [f"{token[:place]}{'B' if char == 'A' else 'A'}{token[place + 1 :]}" for place, char in enumerate(token)]

    assert {by_link(f"/files/{each}/").status for each in changed} == {404}


@pytest.mark.parametrize("path", ["manifest.json", "../manifest.json", "?file=1"])
def test_a_link_is_for_its_file_alone(shelf: Shelf, path: str) -> None:
    reply = by_link(f"{shelf.link()}{path}")

    assert reply.status == 404 or reply.body == shelf.data()


def test_a_signature_for_something_else_is_no_link(shelf: Shelf) -> None:
    file = {"file": shelf.file().pk}

    signed = [signing.dumps(file, salt=f"{LINK_SALT}2"), signing.dumps(file), signing.dumps(file, key="a guess")]

    assert {by_link(f"/files/{each}/").status for each in [*signed, "x", ":", "::"]} == {404}


def test_a_link_ends_with_its_release(shelf: Shelf) -> None:
    link = shelf.link()

    for state in (Release.State.BUILDING, Release.State.FAILED):
        Release.objects.update(state=state)
        assert by_link(link).status == 404
    ReleaseFile.objects.all().delete()
    assert by_link(link).status == 404
