"""Where a request ends, whatever pieces it comes in, and what is refused before its body has come."""

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from annotation.web_worker import MAX_COLLECTED_BODY, MAX_HEAD, Extent, request_extent

HEAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\n"


@given(body=st.binary(max_size=300), cut=st.integers(0, 400))
def test_the_extent_is_known_once_the_head_has_come(body: bytes, cut: int) -> None:
    head = HEAD + b"CONTENT-length:\t%d \r\nX-A: b\r\n\r\n" % len(body)
    extent = request_extent(bytearray((head + body)[:cut]))
    assert extent == (Extent(len(head), len(body)) if cut >= len(head) else None)


def test_an_empty_line_before_a_request_is_not_its_end() -> None:
    assert request_extent(bytearray(b"\r\nGET / HTTP/1.1\r\n")) is None


def test_more_empty_lines_are_left_to_gunicorn_which_refuses_them() -> None:
    extent = request_extent(bytearray(b"\r\n" * 1000))
    assert extent is not None
    assert (extent.length, extent.refused) == (0, b"")


@pytest.mark.parametrize(
    ("rest", "refused"),
    [
        (b"Content-Length: 0000000000000000000000000100\r\n\r\n", b"400 Bad Request"),
        (b"Transfer-Encoding: chunked\r\n\r\n", b"411 Length Required"),
        (b"transfer-encoding:gzip\r\nContent-Length: 5\r\n\r\n", b"411 Length Required"),
    ],
)
def test_what_has_no_length_to_go_by_is_refused_before_its_body_comes(rest: bytes, refused: bytes) -> None:
    extent = request_extent(bytearray(HEAD + rest))
    assert extent is not None
    assert extent.refused == refused


def test_a_head_that_does_not_end_is_left_to_gunicorn() -> None:
    assert request_extent(bytearray(b"a" * MAX_HEAD)) is None
    assert request_extent(bytearray(b"a" * (MAX_HEAD + 1))) == Extent(MAX_HEAD + 1)


@pytest.mark.parametrize(("length", "large"), [(MAX_COLLECTED_BODY, False), (MAX_COLLECTED_BODY + 1, True)])
def test_only_large_bodies_are_left_to_a_thread(length: int, large: bool) -> None:
    extent = request_extent(bytearray(HEAD + b"Content-Length: %d\r\n\r\n" % length))
    assert extent is not None
    assert (extent.is_large, extent.length) == (large, length)


def test_the_limit_of_the_web_server_is_that_of_the_pages() -> None:
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == MAX_COLLECTED_BODY
