"""Files of releases: whole or resumed, and never wrong."""

import hashlib
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from precis_client import ChecksumError, NotFound, Release
from precis_client.frames import TABLES, rows_of
from tests.client.played import Played, played

CONTENT = b"".join(b"line %d\n" % number for number in range(1000))
NAME = "parquet/train.parquet"


class Cut(httpx.SyncByteStream):
    """A body that breaks off."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content
        raise httpx.ReadError("cut")


def release_of(server: Played, content: bytes = CONTENT, name: str = NAME) -> Release:
    file = {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    told = {"version": 1, "files": [file]}
    return Release(server.precis._connection, "campaigns/winter/", told)


def sent(request: httpx.Request, content: bytes = CONTENT) -> httpx.Response:
    """What the server sends: the whole file, or a range."""
    match = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
    if match is None:
        return httpx.Response(200, content=content)
    begin = int(match[1])
    if begin >= len(content):
        return httpx.Response(416)
    headers = {"Content-Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"}
    return httpx.Response(206, content=content[begin:], headers=headers)


def test_a_file_is_fetched_into_its_folder_once(tmp_path: Path) -> None:
    with played(sent) as server:
        release = release_of(server)
        path = release.download(NAME, to=tmp_path)
        assert path == tmp_path / "parquet" / "train.parquet"
        assert path.read_bytes() == CONTENT
        assert release.download(NAME, to=str(tmp_path)) == path
    assert [request.url.path for request in server.requests] == [f"/api/v1/campaigns/winter/releases/1/files/{NAME}"]
    assert list(path.parent.iterdir()) == [path]


def test_a_download_that_breaks_off_is_resumed(tmp_path: Path) -> None:
    def cut_twice(request: httpx.Request) -> httpx.Response:
        whole = sent(request)
        if len(server.requests) <= 2:
            return httpx.Response(whole.status_code, headers=whole.headers, stream=Cut(whole.content[:1000]))
        return whole

    with played(cut_twice) as server:
        assert release_of(server).download(NAME, to=tmp_path).read_bytes() == CONTENT
    assert server.sent("Range") == [None, "bytes=1000-", "bytes=2000-"]


def test_a_later_call_goes_on_where_an_earlier_one_gave_up(tmp_path: Path) -> None:
    def always_cut(request: httpx.Request) -> httpx.Response:
        whole = sent(request)
        return httpx.Response(whole.status_code, headers=whole.headers, stream=Cut(whole.content[:100]))

    with played(always_cut) as server, pytest.raises(Exception, match="too many times"):
        release_of(server).download(NAME, to=tmp_path)
    assert not (tmp_path / NAME).exists()
    with played(sent) as server:
        assert release_of(server).download(NAME, to=tmp_path).read_bytes() == CONTENT
    assert server.sent("Range") == ["bytes=500-"]


def test_a_server_that_knows_no_ranges_sends_it_all_again(tmp_path: Path) -> None:
    def whole(_request: httpx.Request) -> httpx.Response:
        if len(server.requests) == 1:
            return httpx.Response(200, stream=Cut(CONTENT[:1000]))
        return httpx.Response(200, content=CONTENT)

    with played(whole) as server:
        assert release_of(server).download(NAME, to=tmp_path).read_bytes() == CONTENT


def test_what_an_earlier_attempt_left_wrong_is_fetched_anew(tmp_path: Path) -> None:
    with played(sent) as server:
        release = release_of(server)
        part = tmp_path / f"{NAME}.{release.files()[NAME].sha256[:12]}.part"
        part.parent.mkdir()
        part.write_bytes(b"x" * 500)
        assert release.download(NAME, to=tmp_path).read_bytes() == CONTENT
    assert server.sent("Range") == ["bytes=500-", None]


def test_a_file_that_stays_wrong_is_refused_and_not_kept(tmp_path: Path) -> None:
    wrong = CONTENT[:-1] + b"X"
    with played(lambda request: sent(request, wrong)) as server, pytest.raises(ChecksumError, match="SHA-256"):
        release_of(server).download(NAME, to=tmp_path)
    assert not (tmp_path / NAME).exists()
    assert [path.stat().st_size for path in tmp_path.rglob("*.part")] == [0]


def test_more_than_the_release_names_is_not_written(tmp_path: Path) -> None:
    with played(lambda _: httpx.Response(200, content=CONTENT * 2)) as server, pytest.raises(ChecksumError):
        release_of(server).download(NAME, to=tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= len(CONTENT)


def test_another_file_of_the_same_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text("mine", encoding="utf-8")
    with played(sent) as server, pytest.raises(FileExistsError):
        release_of(server, name="corpus.jsonl").download("corpus.jsonl", to=tmp_path)
    assert (tmp_path / "corpus.jsonl").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "..\\x", "C:x"])
def test_no_file_is_written_outside_of_the_folder(tmp_path: Path, name: str) -> None:
    with played(sent) as server, pytest.raises(ValueError, match="not the name"):
        release_of(server, name=name).download(name, to=tmp_path / "in")
    assert list(tmp_path.rglob("x")) == []


def test_a_file_that_the_release_has_not_is_named_with_those_it_has() -> None:
    with played(sent) as server, pytest.raises(NotFound, match=r"'corpus\.json'; it has: parquet/train\.parquet"):
        release_of(server).open("corpus.json")


def test_a_bucket_sends_ranges_without_the_token(tmp_path: Path) -> None:
    def by_bucket(request: httpx.Request) -> httpx.Response:
        if request.url.host == "precis.example.org":
            return httpx.Response(302, headers={"Location": "https://bucket.example.com/x?signature=1"})
        whole = sent(request)
        if len(server.requests) == 2:
            return httpx.Response(200, stream=Cut(whole.content[:1000]))
        return whole

    with played(by_bucket) as server:
        assert release_of(server).download(NAME, to=tmp_path).read_bytes() == CONTENT
    of_bucket = [request for request in server.requests if request.url.host == "bucket.example.com"]
    assert [request.headers.get("Range") for request in of_bucket] == [None, "bytes=1000-"]
    assert not any("Authorization" in request.headers for request in of_bucket)


def test_an_open_file_reads_as_text_or_bytes() -> None:
    with played(sent) as server:
        release = release_of(server)
        with release.open(NAME) as text, release.open(NAME, "rb") as data:
            assert text.readline() == "line 0\n"
            assert data.read() == CONTENT
        with pytest.raises(ValueError, match="mode"):
            release.open(NAME, "w")


RATED = {
    "id": "11",
    "split": "train",
    "genre": "News",
    "sentences": 1,
    "paragraph": None,
    "text": "A long text.",
    "compressions": [
        {
            "text": "A text.",
            "editors": ["1", "2"],
            "ratings": [
                {"rater": "7", "scores": {"meaning": 3, "grammar": 2}, "day": "2026-11-22"},
                {"rater": None, "scores": {"meaning": 1, "grammar": 1}},
            ],
            "expert_ratings": [{"rater": "9", "scores": {"meaning": 2, "grammar": 2}}],
        }
    ],
    "outputs": [{"system": "ilp", "text": "Text.", "ratings": [{"rater": "7", "scores": {"meaning": 1}}]}],
    "comparisons": [{"first": "A text.", "second": "Text.", "ratings": [{"rater": "8", "scores": {"better": 1}}]}],
}


def test_tables_are_flat() -> None:
    corpus = (json.dumps(RATED) + "\n").encode()
    with played(lambda request: sent(request, corpus)) as server:
        release = release_of(server, corpus, "corpus.jsonl")
        ratings = release.to_pandas("ratings")
        sizes = {
            table: len(list(release.rows(table))) for table in ("sources", "compressions", "outputs", "comparisons")
        }
        with pytest.raises(ValueError, match="no table 'rating'; there are: sources"):
            release.to_pandas("rating")
    assert sizes == dict.fromkeys(sizes, 1)
    assert list(ratings["of"]) == ["compression"] * 3 + ["output", "comparison"]
    assert list(ratings["pool"]) == ["crowd", "crowd", "experts", "crowd", "crowd"]
    assert list(ratings["meaning"][:4]) == [3, 1, 2, 1]
    assert ratings["rater"].isna()[1]


def test_people_are_numbers_as_elsewhere_unless_they_have_names() -> None:
    corpus = (json.dumps(RATED) + "\n").encode()
    with played(lambda request: sent(request, corpus)) as server:
        release = release_of(server, corpus, "corpus.jsonl")
        assert list(release.to_pandas("ratings")["rater"].dropna()) == [7, 9, 7, 8]
        assert (
            release.to_pandas("ratings")["rater"].dtype == release.to_pandas("ratings")["compression"].dtype == "Int64"
        )
        assert list(release.to_pandas("compressions")["editors"]) == [[1, 2]]
        assert list(release.to_pandas("outputs")["system"]) == ["ilp"]
    named = json.dumps(RATED).replace('"7"', '"007"').replace('"9"', '"Ann"').replace('["1", "2"]', '["1", "Bo"]')
    rows = {table: list(rows_of(table, [named])) for table in ("ratings", "compressions")}
    assert [row["rater"] for row in rows["ratings"]] == ["007", None, "Ann", "007", 8]
    assert rows["compressions"][0]["editors"] == [1, "Bo"]


def test_z_scores_are_columns_beside_their_scales() -> None:
    ratings = [
        {"rater": "8", "scores": {"score": 70}, "z_scores": {"score": 0.5}},
        {"rater": None, "scores": {"score": 90.5}, "z_scores": {"score": None}},
    ]
    outputs = [{"system": "A", "text": "one", "ratings": ratings}]
    source = {"id": "1", "split": "train", "genre": "", "compressions": [], "outputs": outputs}

    rows = list(rows_of("ratings", [json.dumps(source)]))

    assert [(row["score"], row["score, z by rater"]) for row in rows] == [(70, 0.5), (90.5, None)]


def test_an_empty_table_has_the_columns_of_a_full_one() -> None:
    corpus = (json.dumps(RATED) + "\n").encode()
    with played(lambda request: sent(request, corpus)) as full, played(lambda request: sent(request, b"")) as none:
        for table in TABLES:
            there = release_of(full, corpus, "corpus.jsonl").to_pandas(table)
            empty = release_of(none, b"", "corpus.jsonl").to_pandas(table)
            assert list(empty) == [name for name in there if name not in {"meaning", "grammar", "better"}]
            assert len(empty) == 0
            if table == "ratings":
                assert len(empty.merge(there, on="rater")) == 0


def test_a_download_ends_with_all_of_it_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    for _ in range(2):  # the second time, the file is there
        monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
        with played(sent) as server:
            release_of(server).download(NAME, to=tmp_path, progress=True)
        assert stream.getvalue().splitlines()[-1] == f"{NAME}: {len(CONTENT)} of {len(CONTENT)}"
