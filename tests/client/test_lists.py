"""Lists page by page, records, jobs and watching: what the client makes of answers."""

import copy
import io
import json
import pickle
import sys
from typing import Any

import httpx
import pytest

from precis_client import JobFailed, Record, StillRunning
from precis_client.campaigns import Campaign
from precis_client.progress import Lines, progress
from tests.client.played import Played, campaign_json, page, played, problem


def campaign_of(server: Played) -> Campaign:
    return Campaign(server.precis._connection, campaign_json())


def test_a_list_is_walked_by_its_cursor_as_far_as_it_is_read() -> None:
    answers = [page([{"id": "1"}, {"id": "2"}], 2), page([{"id": "7"}], 7), page([])]
    with played(answers) as server:
        texts = campaign_of(server).texts(genre="News", state=None)
        assert not server.requests
        assert next(texts).id == "1"
        assert len(server.requests) == 1
        assert [text.id for text in texts] == ["2", "7"]
    assert [dict(request.url.params) for request in server.requests] == [
        {"limit": "500", "genre": "News"},
        {"limit": "500", "genre": "News", "cursor": "2"},
        {"limit": "500", "genre": "News", "cursor": "7"},
    ]


def test_a_record_has_fields_keys_and_nested_records() -> None:
    record = Record({"name": "x", "keys": 3, "scales": [{"name": "meaning"}], "of": {"id": 4}})
    assert (record.name, record["keys"], record.scales[0].name, record.of.id) == ("x", 3, "meaning", 4)
    assert dict(record)["of"] == {"id": 4}
    assert "scales" in dir(record)
    with pytest.raises(AttributeError, match="no field 'nmae'; there are: name, keys"):
        _ = record.nmae


def test_records_can_be_copied_and_stored() -> None:
    record = Record({"name": "x"})
    assert dict(copy.deepcopy(record)) == dict(pickle.loads(pickle.dumps(record))) == {"name": "x"}


def job(state: str, done: int = 0, **told: Any) -> httpx.Response:
    return httpx.Response(200, json={"id": 5, "kind": "import", "state": state, "done": done, "total": 10, **told})


def test_a_job_is_waited_for_with_pauses_that_grow() -> None:
    with played([job("queued"), *[job("running", 4)] * 3, job("done", 10, message="10 added.")]) as server:
        found = campaign_of(server).job(5)
        assert not found.is_finished
        assert found.wait().message == "10 added."
    assert server.waits == sorted(server.waits)
    assert len(server.waits) == 3


def test_a_job_that_failed_says_why() -> None:
    with played([job("running"), job("failed", message="The disk is full.")]) as server:
        found = campaign_of(server).job(5)
        with pytest.raises(JobFailed, match="The disk is full"):
            found.wait()


def test_waiting_ends() -> None:
    with played(lambda _: job("running")) as server, pytest.raises(StillRunning, match="running after 0 seconds"):
        campaign_of(server).job(5).wait(timeout=0)


def rounds(**done: int) -> httpx.Response:
    told = [
        {"round": name, "wanted": 10 if name != "expert" else 0, "done": n, "is_complete": n == 10}
        for name, n in done.items()
    ]
    return httpx.Response(200, json={"rounds": told})


def test_watching_ends_when_the_rounds_with_work_are_complete() -> None:
    answers = [rounds(edit=3, rate=0), rounds(edit=10, rate=9), rounds(edit=10, rate=10, expert=0)]
    with played(answers) as server:
        seen = [each["rate"].done for each in campaign_of(server).watch(every=1)]
    assert seen == [0, 9, 10]
    assert max(server.waits) <= 1


def test_watching_ends_in_time() -> None:
    with played(lambda _: rounds(edit=0, rate=0)) as server:
        assert len(list(campaign_of(server).watch(timeout=0))) == 1


@pytest.mark.parametrize("state", ["failed", "unfinished"])
def test_a_report_that_cannot_be_computed_is_an_error(state: str) -> None:
    release = httpx.Response(200, json={"version": 1})
    asked = httpx.Response(202, json={"question": "ab", "state": "queued"})
    with played([release, problem(404), asked, httpx.Response(200, json={"state": state, "question": "ab"})]) as server:
        found = campaign_of(server).release(1)
        with pytest.raises(JobFailed, match=state):
            found.agreement()


def test_a_report_that_is_kept_is_not_asked_for_again() -> None:
    kept = httpx.Response(200, json={"question": "ab", "state": "ready", "rows": []})
    with played([httpx.Response(200, json={"version": 1}), kept]) as server:
        assert campaign_of(server).release(1).agreement().rows == []
    assert [request.method for request in server.requests] == ["GET", "GET"]


def test_progress_without_tqdm_is_a_line_for_each_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert isinstance(progress("import", wanted=True), Lines)
    stream = io.StringIO()
    with Lines("import", stream) as shown:
        for done in range(101):
            shown.show(done, 100)
    assert stream.getvalue().splitlines()[:2] == ["import: 0 of 100", "import: 10 of 100"]
    assert len(stream.getvalue().splitlines()) == 11


def test_a_job_ends_with_all_of_it_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    behind = {"id": 5, "kind": "import", "done": 3, "total": 10}
    told = [behind | {"state": "running"}, behind | {"state": "running"}, behind | {"state": "done"}]
    with played([httpx.Response(200, json=each) for each in told]) as server:
        campaign_of(server).job(5).wait(progress=True)
    assert stream.getvalue().splitlines() == ["import: 3 of 10", "import: 10 of 10"]


def test_a_release_ends_with_all_of_it_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    release = {"version": 1, "job": 5}
    told = [release, release | {"state": "running"}, {"done": 0, "total": 4}, release | {"state": "ready"}]
    with played([httpx.Response(200, json=each) for each in told]) as server:
        campaign_of(server).release(1).wait(progress=True)
    assert stream.getvalue().splitlines() == ["release 1: 0 of 4", "release 1: 4 of 4"]


def test_progress_with_tqdm_is_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("import", wanted=True) as shown:
        shown.show(4, 10)
    assert "import" in capsys.readouterr().err


def test_any_operation_can_be_called_by_its_address() -> None:
    with played(lambda _: httpx.Response(200, json={"results": []})) as server:
        server.precis.call("post", "/api/v1/campaigns/winter/x/", {"note": "Why."}, {"seen": False})
        server.precis.call("get", "campaigns/")
    first, second = server.requests
    assert (first.method, first.url.path, first.url.query) == ("POST", "/api/v1/campaigns/winter/x/", b"seen=false")
    assert json.loads(first.content) == {"note": "Why."}
    assert (second.method, second.url.path, second.content) == ("GET", "/api/v1/campaigns/", b"")


def test_a_campaign_file_is_text() -> None:
    with played(lambda _: httpx.Response(200, text="name: Winter\n")) as server:
        assert Campaign(server.precis._connection, campaign_json()).file() == "name: Winter\n"
