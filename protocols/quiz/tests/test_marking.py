"""Marking of short answers: blind, by two, by a third where they differ; and what an erasure leaves of it."""

import pytest
from django.test import Client

from common.errors import Refused
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Item, ItemConflict, Round, Worker
from protocols.models import MarkedAnswer, Material, Response
from protocols.quiz.marking import marking_hand_out
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import KIND
from protocols.quiz.scored import scored_quizzes
from protocols.quiz.study import short_answers, study_of
from protocols.quiz.tests.studies import at_quiz, next_address, prepare, quiz_study
from reports.services import report_get_or_create
from tests.support.factories import make_campaign, readable, worker_client

EXPERT = Round.EXPERT

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def took_quizzes(campaign: Campaign, name: str, short: str) -> None:
    """Let somebody do both visits, with this short answer to the question of each text, and the blank right."""
    prepare(campaign, name)
    client, address = at_quiz(campaign, name)
    for _quiz in range(3):
        client.post(address, {"page": "begin"})
        fields = {}
        for each in client.get(address).context["questions"]:
            fields[each["name"]] = {"short": short, "blank": "march", "choice": ""}[each["kind"]]
        sent = {**fields, "page": "quiz", "version": "0", "confirmed": "1"}
        following = client.post(address, sent).headers["Location"]
        if following == address:
            client.post(address, {"page": "heard", "heard": "no"})
        address = following


def answered_study(*shorts: str) -> Campaign:
    campaign = quiz_study({"gap_days": 0})
    for number, short in enumerate(shorts, start=1):
        took_quizzes(campaign, f"person {number}", short)
    return campaign


def marked(campaign: Campaign, name: str, marks: dict[str, str]) -> tuple[Client, list[str]]:
    """Let a marker mark all they get, each answer by its text; return what they read."""
    client = worker_client(campaign, EXPERT, name)
    address, read = next_address(client), []
    while "/work/task/" in address:
        page = client.get(address)
        read.append(readable(page))
        given = {field: marks[text] for field, _key, text in page.context["answers"]}
        address = client.post(address, {**given, "version": "0"}).headers["Location"]
    return client, read


def scores(campaign: Campaign) -> dict[tuple[str, str], float]:
    study = study_of(campaign, marked=short_answers(campaign))
    return {(each.sitting.person, each.sitting.text_id): each.score for each in scored_quizzes(study).quizzes}


def test_markers_read_what_marking_is_and_not_how_to_take_a_quiz() -> None:
    campaign = quiz_study({"gap_days": 0})
    Campaign.objects.update(rater_guidelines="You will take four quizzes.")
    expert, rater = (worker_client(campaign, each, each) for each in (EXPERT, Round.RATE))
    read = readable(expert.get("/work/guidelines/"))
    assert "what a right answer says" in read
    assert "four quizzes" not in read
    took_quizzes(campaign, "person", "the bridge")
    marking_hand_out(campaign=campaign)
    work = readable(expert.get(next_address(expert)))
    assert "what a right answer says" in work
    assert "four quizzes" not in work
    assert "four quizzes" in readable(rater.get("/work/guidelines/"))


def test_a_control_that_the_study_does_not_have_is_refused_with_those_it_has() -> None:
    campaign = answered_study("the bridge")
    with pytest.raises(Refused, match=r"no condition nobody\. There are: all-of-it, own-choice, with-questions\."):
        report_get_or_create(kind=KIND, on=campaign, parameters=QuizParameters(control=("nobody",)))
    report_get_or_create(kind=KIND, on=campaign, parameters=QuizParameters(control=("own-choice",)))
    with pytest.raises(Refused, match="has another judgement task"):
        report_get_or_create(kind=KIND, on=make_campaign(), parameters=QuizParameters())


def test_equal_answers_are_one_and_two_markers_mark_them_blind() -> None:
    campaign = answered_study("A bridge", " a  BRIDGE", "A barn", "  ")

    made = marking_hand_out(campaign=campaign)
    again = marking_hand_out(campaign=campaign)

    assert (made.answers, made.pieces, again.answers, again.pieces) == (6, 3, 0, 0)
    assert again.words == "There is no short answer that markers do not have yet."
    assert MarkedAnswer.objects.count() == 9
    _client, read = marked(campaign, "m1", {"A bridge": "2", "A barn": "0"})
    assert len(read) == 3
    for page in read:
        assert page.count("A bridge") == 1
        assert "the bridge" in page
        assert not [word for word in ("all-of-it", "own-choice", "with-questions", "person 1") if word in page]
    marked(campaign, "m2", {"A bridge": "1.5", "A barn": "0"})
    found = scores(campaign)
    people = sorted({person for person, _text in found})
    assert [round(found[person, "t1"], 2) for person in people] == [62.5, 62.5, 33.33, 33.33]
    assert {each.marks for each in short_answers(campaign)} == {
        (("5", 2.0), ("6", 1.5)),
        (("5", 0.0), ("6", 0.0)),
    }


def test_where_two_differ_a_third_who_is_neither_gets_just_these_answers_and_the_median_counts() -> None:
    campaign = answered_study("A bridge", "A barn")
    marking_hand_out(campaign=campaign)

    marked(campaign, "m1", {"A bridge": "2", "A barn": "1"})
    client, _read = marked(campaign, "m2", {"A bridge": "0.5", "A barn": "0.5"})
    again = client.post("/work/next/").headers["Location"]
    _third, read = marked(campaign, "m3", {"A bridge": "1.5"})

    assert "/work/task/" not in again
    assert len(read) == 3
    assert not any("A barn" in page for page in read)
    found = {each.text: each.marks for each in short_answers(campaign) if each.question_id == "t1-short"}
    assert [mark for _who, mark in found["A bridge"]] == [2, 0.5, 1.5]
    assert [mark for _who, mark in found["A barn"]] == [1, 0.5]
    assert sorted(round(score, 2) for score in scores(campaign).values()) == [45.83] * 3 + [58.33] * 3


def test_a_correction_by_which_two_differ_brings_a_third_and_no_fourth() -> None:
    campaign = answered_study("A bridge")
    marking_hand_out(campaign=campaign)
    marked(campaign, "m1", {"A bridge": "2"})
    client, _read = marked(campaign, "m2", {"A bridge": "2"})
    assert not ItemConflict.objects.filter(item__round=EXPERT).exists()

    response = Response.objects.filter(assignment__round=EXPERT).last()
    assert response is not None
    address = f"/work/task/{response.assignment_id}/"
    (field,) = (field for field, _key, _text in client.get(address).context["answers"])
    assert 'value="2" checked' in " ".join(client.get(address).content.decode().split())
    for version, mark in ((1, "0"), (2, "0.5")):
        client.post(address, {field: mark, "version": str(version), "then": "answers"})

    assert Response.objects.get(pk=response.pk).answer["marks"].popitem()[1] == 0.5
    assert Item.objects.filter(round=EXPERT, wanted=1).count() == 1


def test_an_answer_without_marks_is_refused_and_what_was_chosen_stays() -> None:
    campaign = answered_study("A bridge", "A barn")
    marking_hand_out(campaign=campaign)
    client = worker_client(campaign, EXPERT, "m1")
    address = next_address(client)
    (one, _key, _text), _other = client.get(address).context["answers"]

    refused = client.post(address, {one: "1.5", "version": "0"})

    assert refused.status_code == 422
    assert "1 answer has no marks yet" in readable(refused)
    assert 'value="1.5" checked' in " ".join(refused.content.decode().split())
    assert not Response.objects.filter(assignment__round=EXPERT).exists()


def test_who_took_the_quiz_of_a_text_does_not_mark_it() -> None:
    campaign = answered_study("A bridge")
    marking_hand_out(campaign=campaign)

    _client, read = marked(campaign, "person 1", {"A bridge": "2"})

    assert read == []
    assert Assignment.objects.filter(round=EXPERT, state=Assignment.State.BLOCKED).count() == 3


def test_answers_that_come_later_are_handed_out_then() -> None:
    campaign = answered_study("A bridge")
    marking_hand_out(campaign=campaign)
    took_quizzes(campaign, "person 2", "A BRIDGE")
    took_quizzes(campaign, "person 3", "A barn")

    made = marking_hand_out(campaign=campaign)

    assert (made.answers, made.pieces) == (3, 3)
    assert {each.people for each in short_answers(campaign)} == {("1", "2"), ("3",)}


def test_erasure_takes_the_words_from_markers_unless_others_gave_them_and_leaves_marks() -> None:
    campaign = answered_study("A bridge", "a bridge", "My secret barn")
    marking_hand_out(campaign=campaign)
    for name in ("m1", "m2"):
        marked(campaign, name, {"A bridge": "2", "My secret barn": "0"})

    for number in (1, 3):
        worker_erase(worker=Worker.objects.get(campaign=campaign, number=number))

    bodies = [each.body for each in Material.objects.filter(task="marks")]
    assert [list(body["answers"].values()) for body in bodies] == [["A bridge"]] * 3
    assert all(len(body["erased"]) == 1 for body in bodies)
    assert "secret" not in str(list(Material.objects.values())) + str(list(Response.objects.values()))
    assert [each.people for each in short_answers(campaign)] == [("2",)] * 3
    assert {person for person, _text in scores(campaign)} == {"2"}
    assert all(len(each.answer["marks"]) == 2 for each in Response.objects.filter(assignment__round=EXPERT))


def test_a_piece_whose_answers_are_all_erased_is_handed_out_no_more() -> None:
    campaign = answered_study("My secret barn")
    marking_hand_out(campaign=campaign)

    worker_erase(worker=Worker.objects.get(campaign=campaign, number=1))

    assert marked(campaign, "m1", {})[1] == []
