"""A quiz study as its report reads it: texts of utterances, questions, what people answered, and the summaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal

from crowd.models import Assignment, Campaign
from protocols.models import MarkedAnswer, Material, PageVisit, Response
from protocols.quiz.files import QuizFiles
from protocols.quiz.settings import CONTEXT_FREE, MARKING_KEY, OWN_SUMMARIES, conditions_of
from protocols.quiz.task import PREPARE, TASK
from protocols.selectors import Whose, counted_responses

Kind = Literal["short", "blank", "choice"]
Closed = Literal["handed in", "time over"]


@dataclass(frozen=True)
class Question:
    """A question of the quiz on a text. Short answers are marked by people, the others by the `key`."""

    id: str
    text_id: str
    type: int
    question: str
    kind: Kind
    key: tuple[str, ...]
    marks: float = 2
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sitting:
    """A person's quiz on a text; `place` is that in their row, from 1, and what was left empty may lack."""

    person: str
    text_id: str
    condition: str
    place: int
    answers: Mapping[str, str]
    seconds: float | None = None
    closed: Closed = "handed in"
    heard: bool | None = None


@dataclass(frozen=True)
class Summary:
    """A summary as the ids of its utterances, in the order of the text; a program's has no person."""

    person: str | None
    text_id: str
    kind: str
    utterances: tuple[str, ...]


@dataclass(frozen=True)
class ShortAnswer:
    """A short answer as markers see it: equal ones of several people are one."""

    question_id: str
    text: str
    people: tuple[str, ...]
    marks: tuple[tuple[str, float], ...] = ()
    """Who gave each mark, and the mark, from 0 to 2 in halves; in the order of their giving."""


@dataclass(frozen=True)
class Study:
    """All that a report is on: `texts` has the utterances of each text by their ids, in their order."""

    conditions: tuple[str, ...]
    texts: Mapping[str, Mapping[str, str]]
    questions: Sequence[Question]
    sittings: Sequence[Sitting]
    summaries: Sequence[Summary] = ()
    marked: Sequence[ShortAnswer] = ()


def questions_of(campaign: Campaign) -> list[Question]:
    """Return the questions of the quizzes, in the order of the file; not those of the warm-up."""
    files = QuizFiles.of(campaign, TASK.settings_read(campaign.task_settings))
    of_design = set(files.of_design)
    return [
        Question(
            id=name,
            text_id=body["text_id"],
            type=body["type"],
            question=body["question"],
            kind=body["kind"],
            key=tuple(body["key"]),
            marks=body["marks"],
            options=tuple(body["options"]),
        )
        for name, body in files.questions.items()
        if body["text_id"] in of_design and not body["priming_only"]
    ]


def study_of(campaign: Campaign, whose: Whose = "people", marked: Sequence[ShortAnswer] = ()) -> Study:
    """Return a study as it is now, of those who count and whose answers are not erased."""
    settings = TASK.settings_read(campaign.task_settings)
    files = QuizFiles.of(campaign, settings)
    texts = {name: files.texts[name]["utterances"] for name in files.of_design}
    return Study(
        conditions=tuple(each.key for each in conditions_of(settings)),
        texts={name: {each["id"]: each["text"] for each in utterances} for name, utterances in texts.items()},
        questions=questions_of(campaign),
        sittings=list(_sittings(campaign, whose, most_seconds=60 * settings["minutes"])),
        summaries=[
            *_own_summaries(campaign, whose),
            *(Summary(None, text, condition, tuple(chosen)) for (text, condition), chosen in files.summaries.items()),
            *_context_free(files),
        ],
        marked=marked,
    )


_MATERIAL = "assignment__item__task_item__material"


def _answers(campaign: Campaign, whose: Whose, part: str) -> list[Response]:
    """Return the answers to a part by person, each person's in the order in which they had the work."""
    own = counted_responses(campaign, whose).filter(
        **{f"{_MATERIAL}__task": part}, assignment__worker__erased_at__isnull=True
    )
    rows = own.select_related(_MATERIAL, "assignment__worker")
    return list(rows.order_by("assignment__worker__number", "assignment"))


def _sittings(campaign: Campaign, whose: Whose, *, most_seconds: int) -> Iterator[Sitting]:
    rows = _answers(campaign, whose, TASK.key)
    places = _places(row.assignment.worker_id for row in rows)
    timed = PageVisit.objects.filter(assignment__response__in=[each.pk for each in rows], page=TASK.key)
    seconds = {each.assignment_id: _seconds(each, most_seconds) for each in timed}
    for row in rows:
        material, answer = row.assignment.item.task_item.material, row.answer
        yield Sitting(
            person=row.assignment.worker.public_name,
            text_id=material.name,
            condition=material.condition,
            place=places[row.assignment_id],
            answers=answer["answers"],
            seconds=seconds.get(row.assignment_id),
            closed=answer["closed"],
            heard=answer["heard"],
        )


def _places(people: Iterable[int]) -> dict[int, int]:
    """Return which place in its person's row each quiz has: quizzes are handed out in the order of the row.

    A quiz that was skipped has one, too; the row itself may be somebody else's by now.
    """
    had = Assignment.objects.filter(worker__in=set(people), item__task_item__material__task=TASK.key)
    handed_out = had.exclude(state=Assignment.State.BLOCKED).order_by("worker", "pk").values_list("worker", "pk")
    by_person = (own for _worker, own in groupby(handed_out, key=itemgetter(0)))
    return {assignment: place for own in by_person for place, (_worker, assignment) in enumerate(own, start=1)}


def _seconds(visit: PageVisit, most: int) -> float | None:
    return min(most, (visit.left_at - visit.opened_at).total_seconds()) if visit.left_at else None


def _context_free(files: QuizFiles) -> Iterator[Summary]:
    """Yield what annotators chose who know of no quiz; they are nobody who took part in this study."""
    for (text, annotator), chosen in files.annotated.items():
        if text in files.of_design:
            yield Summary(f"annotator {annotator}", text, CONTEXT_FREE, tuple(chosen))


def _own_summaries(campaign: Campaign, whose: Whose) -> Iterator[Summary]:
    """Yield the summaries that people chose and had in their quizzes.

    Who gets the whole text or a program's summary chooses one, too, but the paper compares only those that were used.
    """
    for row in _answers(campaign, whose, PREPARE.key):
        material = row.assignment.item.task_item.material
        if material.body["kind"] in OWN_SUMMARIES:
            chosen = tuple(row.answer["utterances"])
            yield Summary(row.assignment.worker.public_name, material.name, material.condition, chosen)


def short_answers(campaign: Campaign, whose: Whose = "people") -> list[ShortAnswer]:
    """Return the short answers that markers have, in the order of questions, with the marks of those who count."""
    counted = counted_responses(campaign, whose)
    people: dict[tuple[str, str], list[str]] = {}
    own = MarkedAnswer.objects.filter(response__in=counted).select_related("response__assignment__worker")
    for each in own.order_by("question", "pk"):
        people.setdefault((each.question, each.key), []).append(each.response.assignment.worker.public_name)
    marks: dict[tuple[str, str], list[tuple[str, float]]] = {}
    given = counted.filter(**{f"{_MATERIAL}__task": MARKING_KEY}).select_related(_MATERIAL, "assignment__worker")
    for response in given.order_by(_MATERIAL, "pk"):
        marker, question = response.assignment.worker.public_name, response.assignment.item.task_item.material.name
        for key, mark in response.answer["marks"].items():
            marks.setdefault((question, key), []).append((marker, mark))
    pieces = Material.objects.filter(campaign=campaign, task=MARKING_KEY)
    texts = {(each.name, key): text for each in pieces for key, text in each.body["answers"].items()}
    return [
        ShortAnswer(question, texts.get((question, key), ""), tuple(who), tuple(marks.get((question, key), ())))
        for (question, key), who in people.items()
    ]
