"""The report on marks of errors: golden values, what its page says, and its files."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.report_rows import found
from protocols.spans.report_page import answer_of
from protocols.spans.settings import SpansParameters
from protocols.spans.tests.answered import (
    SPANS,
    answer_all,
    computed,
    esa_campaign,
    golden_campaign,
    mark,
    of_marks,
    spans_campaign,
)
from protocols.task import Subject
from reports.models import Report
from tests.support.factories import make_campaign, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def row_of(report: Report, **wanted: str) -> dict[str, Any]:
    row = found(report.rows or [], **wanted)
    assert row is not None, f"the report has no row {wanted}"
    return row


def value_of(report: Report, **wanted: str) -> float | None:
    value: float | None = row_of(report, **wanted)["value"]
    return value


@pytest.mark.parametrize(
    ("figure", "golden"),
    [
        ("alpha of tokens marked", "token_marked_nominal"),
        ("alpha of severities of tokens", "token_severity_ordinal"),
        ("alpha of boundaries", "boundary_nominal"),
        ("alpha of something missing", "missing_nominal"),
    ],
)
def test_golden_values_of_agreement(figure: str, golden: str) -> None:
    report = computed(golden_campaign())

    assert value_of(report, table="agreement", part="all", figure=figure) == pytest.approx(
        SPANS["alpha"][golden], abs=1e-9
    )


def test_golden_points_with_the_sign_of_wmt_and_what_is_undefined() -> None:
    report = computed(golden_campaign())

    for text, points in SPANS["span_points"].items():
        value = value_of(report, table="points", group=text)
        assert value == pytest.approx(-sum(points.values()) / 3)
    row = row_of(report, table="agreement", part="all", figure="F credit")
    assert (row["value"], row["reason"] != "") == (None, True)
    assert row_of(report, table="points", group="t1")["no_interval"]
    assert row_of(report, table="differences", part="t1", group="t3")["reason"]


def test_points_scores_and_what_may_be_said_of_two_systems() -> None:
    report = computed(esa_campaign())

    one, two = (row_of(report, table="points", group=system) for system in ("one", "=two"))
    assert one["value"] == pytest.approx(-(11 / 3 + 1) / 12)
    assert two["low"] < two["value"] < two["high"] < one["low"]
    assert (one["n"], one["sources"]) == (12, 12)
    difference = row_of(report, table="differences", part="=two", group="one")
    assert difference["high"] < 0
    assert value_of(report, table="scores", group="one", figure="score") == 83.5
    assert value_of(report, table="scores", group="=two", figure="score") == 42.5
    assert 0 < (value_of(report, table="score and points", figure="tau") or 0) <= 1
    assert (
        value_of(
            report,
            table="marks",
            part="none",
            group="=two",
            figure="major",
        )
        == 36
    )
    assert (value_of(report, table="agreement of scores", figure="ICC(1)") or 0) > 0.9
    (systems, agreement) = answer_of(report)
    assert systems.startswith("Of 2 systems one has the best points on average, −0.39")
    assert "they are" in systems
    assert "not shown" not in systems
    assert "alpha" in agreement


def test_points_per_100_words_of_the_source() -> None:
    campaign = esa_campaign()

    per_text, per_100 = computed(campaign), computed(campaign, SpansParameters(draws=50, per_100_words=True))

    wanted = {"table": "points", "group": "one"}
    assert value_of(per_100, **wanted) == pytest.approx((value_of(per_text, **wanted) or 0) * 100 / 8)


def test_systems_that_do_not_differ_are_not_said_to() -> None:
    texts = [
        {"id": str(number), "system": system, "source": f"Rain {number}.", "output": "It rained."}
        for number in range(12)
        for system in "AB"
    ]
    campaign = spans_campaign(texts)

    def answer(subject: Subject) -> dict[str, Any]:
        worse = (int(subject.name) % 2 == 0) == (subject.system == "A") and subject.name != "1"
        return of_marks([mark(0, 2)] if worse else [], 70)

    answer_all(campaign, "ann", answer)

    (systems, agreement) = answer_of(computed(campaign))
    assert "which of the two is better is not shown" in systems
    assert "not known" in agreement


def test_without_weights_there_are_no_points_and_edits_are_counted() -> None:
    campaign = spans_campaign(
        [{"id": "1", "source": "It rained all day.", "output": "It rained."}], {"preset": "salsa", "premark": "none"}
    )
    deletion = {"id": "m1", "side": "source", "start": 10, "end": 17, "kind": "deletion"}
    questions = {"deletion_type": "trivial_deletion", "coreference": False, "grammar_error": False}
    answer_all(campaign, "ann", lambda _subject: of_marks([deletion | {"answers": questions}]))

    report = computed(campaign)

    assert row_of(report, table="points")["reason"] == "the preset gives marks no weight"
    assert value_of(report, table="edits", part="deletion", figure="trivial") == 1
    assert value_of(report, table="shares of words", part="deletion", figure="source") == pytest.approx(2 / 5)
    assert "marks per 100 words" in answer_of(report)[0]


def test_answers_with_and_without_marks_at_the_beginning() -> None:
    texts = [
        {"id": str(number), "source": "It rained in Bonn.", "output": "It snowed in Bonn.", "marks": [mark(3, 9)]}
        for number in range(12)
    ]
    campaign = spans_campaign(texts, {"preset": "esa", "premark": "file"})

    def answer(subject: Subject) -> dict[str, Any]:
        given = {"origin": "model", "fate": "deleted" if subject.name == "3" else "kept"}
        return of_marks([mark(3, 9, **given), mark(0, 2, name="m2")], 80)

    for name in ("ann", "ben"):
        answer_all(campaign, name, answer)

    report = computed(campaign)

    answers = [value_of(report, table="pre-marks", part=part, figure="answers") or 0 for part in ("with", "without")]
    assert sum(answers) == 24
    assert min(answers) > 0
    kept = value_of(report, table="fates of pre-marks", group="model", figure="kept") or 0
    assert 0 < kept <= answers[0]
    assert value_of(report, table="fates of pre-marks", group="person", figure="added") == answers[0]
    assert value_of(report, table="pre-marks", part="difference", figure="marks") is not None


def test_the_page_and_the_files_say_the_same() -> None:
    campaign = esa_campaign()
    computed(campaign)
    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}/spans"

    page = readable(client.get(f"{address}/"))
    table = client.get(f"{address}.csv").content.decode()
    content = json.loads(client.get(f"{address}.json").content)
    latex = client.get(f"{address}.tex").content.decode()

    assert "No analysis was fixed beforehand" in page
    assert "Of 2 systems one has the best points on average" in page
    assert "a mark needs a kind" not in page
    assert table.startswith("table,part,group,figure,value")
    assert "'=two" in table
    assert content["campaign"] == campaign.slug
    assert {row["table"] for row in content["rows"]} >= {"points", "scores", "agreement", "marks"}
    assert r"\begin{table}" in latex


def test_the_page_asks_the_database_little(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = esa_campaign()
    computed(campaign)
    client = staff_client(campaign.memberships.get().user)

    with django_assert_max_num_queries(14):
        assert client.get(f"/campaigns/{campaign.slug}/spans/").status_code == 200


def test_a_campaign_with_another_task_has_no_such_pages() -> None:
    campaign = make_campaign()
    client: Client = staff_client(campaign.memberships.get().user)

    for page in ("texts/", "answers.mqm"):
        assert client.get(f"/campaigns/{campaign.slug}/task/{page}").status_code == 404
