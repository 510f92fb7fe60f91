"""What is sent again, when, with which key; and what a refusal becomes."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import pytest

from precis_client import Forbidden, Invalid, NotFound, PrecisError, Refused, TooMany, Unauthorised
from tests.client.played import FEW, Answer, campaign_json, page, played, problem


def ok() -> httpx.Response:
    return httpx.Response(200, json=campaign_json())


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_server_that_is_busy_is_asked_again(status: int) -> None:
    with played([problem(status), httpx.Response(status, text="<html>"), ok()], retries=FEW) as server:
        assert server.precis.campaign("winter").name == "Winter texts"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "error", [httpx.ConnectError("no"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut")]
)
def test_a_broken_connection_is_tried_again(error: httpx.TransportError) -> None:
    with played([error, ok()], retries=FEW) as server:
        server.precis.campaign("winter")
    assert len(server.requests) == 2


def test_waits_double_with_a_random_part_and_end() -> None:
    with played(lambda _: problem(503), retries=FEW) as server, pytest.raises(PrecisError) as caught:
        server.precis.campaign("winter")
    assert caught.value.status == 503
    assert len(server.requests) == 1 + FEW.most
    assert all(longest / 2 <= wait <= longest for wait, longest in zip(server.waits, (1, 2, 4), strict=True))


def test_a_server_that_never_answers_is_named() -> None:
    with played(lambda _: httpx.ConnectError("refused"), retries=FEW) as server, pytest.raises(PrecisError) as caught:
        server.precis.campaign("winter")
    assert caught.value.status is None
    assert "https://precis.example.org cannot be reached: refused" in str(caught.value)


@pytest.mark.parametrize("told", ["7", None])
def test_the_server_says_how_long_to_wait(told: str | None) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=7.5), usegmt=True)
    busy = httpx.Response(429, headers={"Retry-After": told or date})
    with played([busy, ok()], retries=FEW) as server:
        server.precis.campaign("winter")
    assert server.waits == pytest.approx([7], abs=0.6)


def test_whoever_would_wait_too_long_is_told_how_long() -> None:
    busy = problem(429)
    busy.headers["Retry-After"] = "3600"
    with played([busy], retries=FEW) as server, pytest.raises(TooMany) as caught:
        server.precis.campaign("winter")
    assert (caught.value.retry_after, server.waits) == (3600, [])


def test_a_post_keeps_its_key_over_repetitions_and_the_next_has_another(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text("name: Winter", encoding="utf-8")
    answers: list[Answer] = [httpx.ReadTimeout("slow"), problem(503), ok(), ok()]
    with played(answers, retries=FEW) as server:
        campaign = server.precis.create_campaign(tmp_path / "study.yaml")
        campaign.open()
    first, second, third, other = server.sent("Idempotency-Key")
    assert first == second == third != other
    assert first
    assert other
    assert {request.content for request in server.requests[:3]} == {b'{"file":"name: Winter"}'}


def test_what_only_reads_has_no_key() -> None:
    with played([page([])]) as server:
        list(server.precis.campaigns())
    assert server.sent("Idempotency-Key") == [None]


def test_a_file_is_sent_whole_again(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"id": "1"}\n' * 1000, encoding="utf-8")
    job = httpx.Response(200, json={"id": 5, "state": "queued"})
    begun = httpx.Response(202, json={"id": 3, "kind": "texts", "job": 5})
    answers: list[Answer] = [ok(), httpx.ReadError("cut"), problem(502), begun, job]
    with played(answers, retries=FEW) as server:
        server.precis.campaign("winter").import_texts(tmp_path / "texts.jsonl")
    sent = [request.content for request in server.requests[1:4]]
    assert [each.count(b'{"id": "1"}\n') for each in sent] == [1000] * 3
    assert b'filename="texts.jsonl"' in sent[2]
    assert len(set(server.sent("Idempotency-Key")[1:4])) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, Invalid), (401, Unauthorised), (403, Forbidden), (404, NotFound), (409, Refused), (422, Invalid)],
)
def test_a_refusal_is_not_repeated_and_tells_what_is_wrong(status: int, kind: type[PrecisError]) -> None:
    fault = {"field": "state", "reason": "No such state."}
    answer = problem(status, "Wrong.", code="odd", errors=[fault], request="abc123", confirm=4)
    with played([answer], retries=FEW) as server, pytest.raises(kind) as caught:
        server.precis.campaign("winter")
    error = caught.value
    assert (error.status, error.detail, error.code, error.errors, error.request_id) == (
        status,
        "Wrong.",
        "odd",
        [fault],
        "abc123",
    )
    assert error.members["confirm"] == 4
    assert str(error) == f"{status}: Wrong. (request abc123)"


def test_a_refusal_of_a_front_that_speaks_no_json_is_an_error_as_well() -> None:
    with played([httpx.Response(500, text="<h1>Oh</h1>")]) as server, pytest.raises(PrecisError, match="answered 500"):
        server.precis.campaign("winter")


def test_an_address_that_is_not_of_our_server_is_said() -> None:
    with played([httpx.Response(200, text="<h1>Hello</h1>")]) as server, pytest.raises(PrecisError, match="not JSON"):
        server.precis.campaign("winter")
