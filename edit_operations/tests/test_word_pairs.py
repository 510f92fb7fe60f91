"""Uploaded lists of word pairs: refused before they cost time, and read once."""

from collections.abc import Iterable

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Release
from edit_operations.tests.releases import released_with, varied
from measures.alignment import WordPairs, word_pairs
from reports.models import Report
from tests.support.factories import make_staff, readable, staff_client

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    return released_with(varied(), owner=owner)


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the lists that were read from an upload."""
    names: list[str] = []

    def read(lines: Iterable[str], *, name: str = "") -> WordPairs:
        names.append(name)
        return word_pairs(lines, name=name)

    monkeypatch.setattr("edit_operations.word_pairs.word_pairs", read)
    return names


def sent(owner: User, release: Release, content: bytes) -> tuple[int, str]:
    path = f"/campaigns/{release.campaign.slug}/releases/{release.version}/operations/reports/"
    upload = SimpleUploadedFile("pairs.txt", content)
    reply = staff_client(owner).post(path, {"draws": 20, "word_pairs": upload})
    return reply.status_code, readable(reply)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\n" * 4_900_000, "pairs.txt has more than 50,000 lines."),
        (b"\r" * 4_900_000, "pairs.txt has more than 50,000 lines."),
        (b"a\tb\n" * 50_001, "pairs.txt has more than 50,000 lines."),
        (b"a" * 5_000_001, "pairs.txt is larger than 5 MB."),
    ],
)
def test_a_list_that_is_too_large_is_refused_unread(
    owner: User, release: Release, readings: list[str], content: bytes, words: str
) -> None:
    status, page = sent(owner, release, content)

    assert (status, readings) == (413, [])
    assert words in page


def test_a_long_line_is_refused_by_its_own_bound(owner: User, release: Release) -> None:
    status, page = sent(owner, release, b"old\taged\n" + b"a" * 10_001 + b"\tb\n")

    assert status == 422
    assert "pairs.txt, line 2: longer than 10,000 characters" in page
    assert "bytes" not in page


def test_a_list_is_read_once(owner: User, release: Release, readings: list[str]) -> None:
    status, _page = sent(owner, release, b"old\telderly\n")

    assert (status, readings) == (302, ["pairs.txt"])
    assert Report.objects.get().attached == "old\telderly\n"
