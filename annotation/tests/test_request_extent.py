"""Where a request ends, whatever pieces it comes in."""

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from annotation.request_extent import (
    MAX_CHUNK_LINE,
    MAX_CHUNKED_BODY,
    MAX_CHUNKS,
    MAX_COLLECTED_BODY,
    MAX_HEAD,
    Extent,
    request_extent,
)

HEAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n"


def with_length(body: bytes) -> bytes:
    return HEAD + b"CONTENT-length:\t%d \r\nX-A: b\r\n\r\n" % len(body) + body


def in_chunks(body: bytes) -> bytes:
    chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"


@given(body=st.binary(max_size=300), in_pieces=st.booleans(), cuts=st.lists(st.integers(1, 400), max_size=5))
def test_a_request_is_complete_with_its_last_byte(body: bytes, in_pieces: bool, cuts: list[int]) -> None:
    sent = in_chunks(body) if in_pieces else with_length(body)
    received, known = bytearray(), None
    for end in sorted({min(cut, len(sent) - 1) for cut in cuts}):
        received += sent[len(received) : end]
        known = request_extent(received, known)
        assert known is None or known.missing
    received += sent[len(received) :]
    known = request_extent(received, known)
    assert known is not None
    assert known.missing == 0


def test_an_empty_line_before_a_request_is_not_its_end() -> None:
    assert request_extent(bytearray(b"\r\nGET / HTTP/1.1\r\n")) is None


def test_more_empty_lines_are_left_to_gunicorn_which_refuses_them() -> None:
    extent = request_extent(bytearray(b"\r\n" * 1000))
    assert extent is not None
    assert (extent.missing, extent.refused) == (0, 0)


def fed(sent: bytes, step: int) -> Extent | None:
    """What is known after the last piece, or after the one with which the request was refused."""
    received, known = bytearray(), None
    for start in range(0, len(sent), step):
        received += sent[start : start + step]
        known = request_extent(received, known)
        if known is not None and (known.refused or not known.missing):
            break
    return known


@pytest.mark.parametrize("step", [7, 1000, 10**6])
@pytest.mark.parametrize(
    ("rest", "refused"),
    [
        (b"Content-Length: 0000000000000000000000000100\r\n\r\n", 400),
        (CHUNKS + b"x\r\n\r\n", 400),
        (CHUNKS + b"-1\r\n\r\n", 400),
        (CHUNKS + b"5;" + b"a" * MAX_CHUNK_LINE, 400),
        (CHUNKS + b"1\r\nx\r\n" * (MAX_CHUNKS + 2), 413),
        (CHUNKS + b"%x\r\n" % (MAX_CHUNKED_BODY + 1), 413),
        (CHUNKS + b"%x\r\n%s\r\n" % (MAX_CHUNKED_BODY // 2, b"x" * (MAX_CHUNKED_BODY // 2)) * 3, 413),
        (CHUNKS + b"0\r\n" + b"a" * (MAX_HEAD + 8), 400),
    ],
)
def test_what_would_cost_much_is_refused_before_all_of_it_has_come(rest: bytes, refused: int, step: int) -> None:
    extent = fed(HEAD + rest, step)
    assert extent is not None
    assert extent.refused == refused


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize(
    "body", [b"0;a=b\r\n\r\n", b"00\r\n\r\n", b"1\r\nx\r\n0\r\nA: b\r\n\r\n", b"5\r\n\r\n0\r\n\r\n0\r\n\r\n"]
)
def test_chunks_are_followed_to_the_last_however_they_are_written(body: bytes, step: int) -> None:
    sent = HEAD + CHUNKS + body
    assert [fed(sent[:end], step) for end in range(len(HEAD + CHUNKS), len(sent))].count(None) == 0
    incomplete = [fed(sent[:end], step) for end in range(len(HEAD + CHUNKS), len(sent))]
    assert all(extent is not None and extent.missing and not extent.refused for extent in incomplete)
    complete = fed(sent, step)
    assert complete is not None
    assert (complete.missing, complete.refused) == (0, 0)
    assert request_extent(bytearray(sent + b"GET / HTTP/1.1\r\n")).missing == 0  # type: ignore[union-attr]


def test_a_head_that_does_not_end_is_not_collected_for_ever() -> None:
    assert request_extent(bytearray(b"a" * MAX_HEAD)) is None
    extent = request_extent(bytearray(b"a" * (MAX_HEAD + 1)))
    assert extent is not None
    assert extent.missing == 0


@pytest.mark.parametrize(("length", "large"), [(MAX_COLLECTED_BODY, False), (MAX_COLLECTED_BODY + 1, True)])
def test_only_large_bodies_are_left_to_a_thread(length: int, large: bool) -> None:
    extent = request_extent(bytearray(HEAD + b"Content-Length: %d\r\n\r\n" % length))
    assert extent is not None
    assert (extent.is_large, extent.missing) == (large, length)


def test_the_limit_of_the_web_server_is_that_of_the_pages() -> None:
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == MAX_COLLECTED_BODY
