"""The files of a quiz study: scores, marks, summaries and visits."""

import csv
import json

import pytest
from django.urls import reverse

from protocols.quiz.exports import MARKS, SCORES, VISITS
from protocols.quiz.marking import marking_hand_out
from protocols.quiz.tests.test_marking import answered_study, marked
from tests.support.factories import staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_scores_marks_summaries_and_visits_are_files() -> None:
    campaign = answered_study("=A bridge")
    marking_hand_out(campaign=campaign)
    for name, mark in (("m1", "2"), ("m2", "0"), ("m3", "1")):
        marked(campaign, name, {"=A bridge": mark})
    staff = staff_client(campaign.memberships.get().user)

    def read(form: str) -> list[str]:
        sent = staff.get(reverse("protocols:answers-file", args=[campaign.slug, form]))
        assert sent.status_code == 200
        return b"".join(sent).decode("utf-8-sig").splitlines()

    scores, marks, visits = (list(csv.DictReader(read(form))) for form in ("scores", "marks", "visits"))
    summaries = [json.loads(line) for line in read("summaries")]

    assert [tuple(rows[0]) for rows in (scores, marks, visits)] == [SCORES, MARKS, VISITS]
    assert [(row["person"], row["place"], row["score"]) for row in scores] == [("1", each, "50.0") for each in "123"]
    short = [row for row in marks if row["kind"] == "short"]
    assert [(row["answer"], row["mark"], row["mark_1"], row["mark_2"], row["mark_3"]) for row in short] == [
        ("'=A bridge", "1.0", "2.0", "0.0", "1.0")
    ] * 3
    assert {row["page"] for row in visits} == {"begin", "quiz", "heard"}
    assert all(row["left_at"] >= row["opened_at"] for row in visits)
    assert [each["utterances"] for each in summaries] == [["u2"]] * 2
    assert staff.get(reverse("protocols:answers-file", args=[campaign.slug, "mqm"])).status_code == 404
