"""What annotators chose in a campaign of their own is part of the report on a quiz study."""

import json
from typing import Any

import pytest

from crowd.models import Membership
from protocols.exports import answers_export
from protocols.extract.task import TASK
from protocols.extract.tests import examples
from protocols.models import Material
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import KIND, quiz_report
from protocols.quiz.study import study_of
from protocols.quiz.tests.studies import imported, quiz_campaign, quiz_study, text_line
from protocols.quiz.tests.test_marking import answered_study
from protocols.services.material import material_import
from reports.services import report_get_or_create
from tests.support.factories import RATE, make_campaign, readable, silent, staff_client, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_summaries_by_annotators_go_from_their_campaign_into_the_report_of_the_quiz() -> None:
    campaign = make_campaign(rating_task="extract", **examples.CAMPAIGN)
    content = "\n".join(map(json.dumps, examples.MATERIAL)).encode()
    material_import(campaign=campaign, file_name="texts.jsonl", content=content)
    for name in ("first", "second"):
        client = worker_client(campaign, RATE, name)
        client.post("/work/guidelines/")
        address = client.post("/work/next/").headers["Location"]
        page = readable(client.get(address))
        assert ("Slides" in page, "Questions" in page, "quiz" in page.lower()) == (False, False, False)
        while address.startswith("/work/task/"):
            address = client.post(address, {"u1": "1", "version": "0"}).headers["Location"]
    staff = staff_client(Membership.objects.get(campaign=campaign).user)
    links = staff.get(f"/campaigns/{campaign.slug}/task/").context["answer_files"]
    sent: Any = staff.get(links[0][1])
    file = b"".join(sent)
    assert file.decode() == "".join(answers_export(campaign)[1].lines)

    study = answered_study("A bridge")
    before = report_get_or_create(kind=KIND, on=study, parameters=QuizParameters())
    record = material_import(campaign=study, file_name="annotators.jsonl", content=file)

    assert (record.problems, record.added) == ([], 6)
    models = [each for each in study_of(study).summaries if each.kind == "context-free"]
    assert {(each.person, each.utterances) for each in models} == {("annotator 1", ("u2",)), ("annotator 2", ("u2",))}
    rows = quiz_report(study_of(study), QuizParameters(draws=100), silent).rows
    found = {
        (each["table"], each["first"], each["second"]): each for each in rows if each["figure"] in {"F", "rho, all"}
    }
    assert found["utterance F", "context-free", "context-free"]["value"] == 1
    assert ("metric against quiz", "own-choice", "context-free") in found
    assert report_get_or_create(kind=KIND, on=study, parameters=QuizParameters()).pk != before.pk


def test_they_come_once_the_work_is_made_and_only_for_what_is_there() -> None:
    line = {"text_id": "t1", "annotator": "1", "utterances": ["u1"]}
    assert "once the pieces of work are made" in imported(quiz_campaign(), [line]).problems[0][1]

    campaign = quiz_study()
    wrong = [{**line, "text_id": "t9"}, {**line, "utterances": ["u1", "u7"]}, {**line, "condition": "x"}]
    problems = [words for _line, words in imported(campaign, [*wrong, line]).problems]
    assert problems == ["there is no text t9", "the text has no utterance u7", "a summary has no annotator"]
    assert Material.objects.filter(campaign=campaign, condition="1", name="t1", task="context").count() == 1
    assert imported(campaign, [line]).added == 0


def test_a_text_of_which_nobody_could_choose_a_summary_is_refused() -> None:
    assert TASK.material(text_line("t1"), {"least_percent": 20, "most_percent": 40}).name == "t1"
    with pytest.raises(ValueError, match="no choice of its utterances has 30 to 40% of its words"):
        TASK.material(text_line("t1"), {"least_percent": 30, "most_percent": 40})
