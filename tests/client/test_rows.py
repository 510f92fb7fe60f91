"""Rows in and out of the client: what is sent as a file, and lists as tables."""

import json
import re
from pathlib import Path
from typing import Any

import datasets  # type: ignore[import-untyped]
import httpx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from precis_client.campaigns import Campaign
from precis_client.rows import jsonl_of
from tests.client.played import Answer, campaign_json, page, played

DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8"))
TWO = [{"id": "a", "text": "Déjà vu."}, {"id": "b", "text": "Two."}]


class PolarsFrame:
    """What the client asks of a frame of Polars, which is not among what Précis itself needs."""

    def to_dicts(self) -> list[dict[str, Any]]:
        return TWO


@pytest.mark.parametrize(
    "rows",
    [
        TWO,
        (each for each in TWO),
        pd.DataFrame(TWO),
        pa.Table.from_pylist(TWO),
        datasets.Dataset.from_list(TWO),
        PolarsFrame(),
    ],
    ids=lambda rows: type(rows).__name__,
)
def test_rows_of_any_kind_are_the_same_lines(rows: Any) -> None:
    assert [json.loads(line) for line in jsonl_of(rows).splitlines()] == TWO


def test_what_is_missing_is_left_out_and_numbers_are_those_of_python() -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "year": [1999, None], "genre": [pd.NA, "News"], "at": [pd.NaT, pd.NaT]})
    assert jsonl_of(frame) == b'{"id": "a", "year": 1999.0}\n{"id": "b", "genre": "News"}\n'
    row = {"n": np.int64(3), "mean": np.float32(0.5), "none": np.float64("nan"), "all": np.array([1, 2])}
    assert json.loads(jsonl_of([row])) == {"n": 3, "mean": 0.5, "all": [1, 2]}


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([], ValueError, "There are no rows to send."),
        ({"id": "a"}, TypeError, "and not a dict."),
        (datasets.DatasetDict(), TypeError, "one split of a dataset, and not a DatasetDict."),
        ([{"id": "a"}, "b"], TypeError, "Row 2 is of the type str, and no dict."),
        ([{"n": float("inf")}], ValueError, "Out of range"),
    ],
)
def test_what_are_no_rows_is_refused_before_anything_is_sent(rows: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        jsonl_of(rows)


def test_rows_are_sent_as_a_file_and_again_after_a_broken_connection() -> None:
    told = {"job": 5, "kind": "texts", "id": 3}
    job = {"id": 5, "kind": "import", "state": "queued", "done": 0, "total": 2}
    answers: list[Answer] = [httpx.ConnectError("gone"), httpx.Response(202, json=told), httpx.Response(200, json=job)]
    with played(answers) as server:
        Campaign(server.precis._connection, campaign_json()).import_texts(pd.DataFrame(TWO))
    for request in server.requests[:2]:
        assert b'filename="rows.jsonl"' in request.content
        assert jsonl_of(TWO) in request.content


def test_an_export_is_sent_with_the_tool_that_wrote_it_and_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "project-1.json"
    file.write_text("[]")
    read: dict[str, Any] = {"written_by": "label-studio", "columns": {"id": "item", "text": "source"}}
    told = {"job": 5, "kind": "texts", "id": 3}
    answers = [httpx.Response(202, json=told), httpx.Response(200, json={"id": 5})]
    with played(answers * 3) as server:
        campaign = Campaign(server.precis._connection, campaign_json())
        campaign.import_texts(file, **read)
        campaign.import_outputs(file, system="T3", **read)
        campaign.import_ratings(file, pool="crowd", **read)
    for request in server.requests[::2]:
        assert b'name="written_by"\r\n\r\nlabel-studio\r\n' in request.content
        assert b'name="columns"\r\n\r\nid=item\ntext=source\r\n' in request.content


def test_a_campaign_is_created_of_a_dict() -> None:
    wanted = {
        "precis_campaign": 1,
        "slug": "winter",
        "name": "Winter’s \u2028 texts: «☃»",
        "settings": {"scales": None},
    }
    with played([httpx.Response(201, json=campaign_json())]) as server:
        assert server.precis.create_campaign(wanted).slug == "winter"
    assert json.loads(json.loads(server.requests[0].content)["file"]) == wanted


def test_a_list_is_a_table_with_the_fields_of_nested_objects() -> None:
    rows = [{"id": 1, "scores": {"meaning": 3}, "tags": ["a"]}, {"id": 2, "scores": {"meaning": 1}, "tags": []}]
    with played([page(rows[:1], 1), page(rows[1:])]) as server:
        frame = Campaign(server.precis._connection, campaign_json()).ratings().to_pandas()
    assert frame.to_dict("list") == {"id": [1, 2], "scores.meaning": [3, 1], "tags": [["a"], []]}
    with played([page([])]) as server:
        assert Campaign(server.precis._connection, campaign_json()).ratings().to_pandas().empty


@pytest.mark.parametrize(
    ("act", "method", "path", "body"),
    [
        (lambda it: list(it.questions(kind="test")), "GET", "examples/", None),
        (lambda it: list(it.gold()), "GET", "gold/", None),
        (lambda it: it.retire_gold(3), "DELETE", "gold/3/", None),
        (lambda it: it.create_link("rate", max_people=40), "POST", "links/", {"round": "rate", "max_people": 40}),
        (lambda it: list(it.webhooks()), "GET", "webhooks/", None),
        (
            lambda it: it.create_webhook("https://x.org", ("job.failed",)),
            "POST",
            "webhooks/",
            {"address": "https://x.org", "events": ["job.failed"]},
        ),
        (lambda it: it.delete_webhook(2), "DELETE", "webhooks/2/", None),
        (lambda it: list(it.log()), "GET", "audit/", None),
        (lambda it: list(it.staff()), "GET", "staff/", None),
        (lambda it: it.invite_staff("viewer", days=3), "POST", "invitations/", {"role": "viewer", "days": 3}),
        (lambda it: it.set_role("ann", "manager"), "PUT", "staff/ann/", {"role": "manager"}),
        (lambda it: it.remove_staff("ann"), "DELETE", "staff/ann/", None),
        (lambda it: list(it.systems()), "GET", "systems/", None),
        (lambda it: list(it.remarks(answered=False)), "GET", "remarks/", None),
        (lambda it: it.plan(raters=[3, 5]), "GET", "plan/", None),
        (lambda it: it.fixed_analysis(), "GET", "analysis/", None),
        (lambda it: it.fix_analysis(), "PUT", "analysis/", {"report": ""}),
        (
            lambda it: it.fix_analysis("comparison", {"seed": 1}),
            "PUT",
            "analysis/",
            {"report": "comparison", "parameters": {"seed": 1}},
        ),
        (
            lambda it: it.decide(7, "rate", "exclude", note="Always 1."),
            "PUT",
            "people/7/decision/rate/",
            {"decision": "exclude", "note": "Always 1."},
        ),
    ],
)
def test_each_method_calls_its_operation(act: Any, method: str, path: str, body: Any) -> None:
    answer = httpx.Response(200, json={"cursor": None, "results": []})
    with played(lambda _: answer) as server:
        act(Campaign(server.precis._connection, campaign_json()))
    [request] = server.requests
    assert (request.method, request.url.path) == (method, f"/api/v1/campaigns/winter/{path}")
    assert body is None or json.loads(request.content) == body
    known = {re.sub(r"\{(?!slug)[^}]+\}", "[^/]+", each): set(of) for each, of in DOCUMENT["paths"].items()}
    own = request.url.path.replace("winter", "{slug}")
    assert any(
        re.fullmatch(each.replace("{slug}", re.escape("{slug}")), own) and method.lower() in of
        for each, of in known.items()
    )
