"""What people did in a quiz study, as tables: scores, marks, summaries and visits."""

import json
from collections.abc import Iterator, Sequence
from math import isnan

from django.utils.translation import gettext_lazy

from crowd.models import Campaign
from protocols.exports import CSV, JSONL, Export, ExportForm, table_lines
from protocols.models import PageVisit
from protocols.quiz.scored import scored_quizzes
from protocols.quiz.study import Study, short_answers, study_of
from protocols.selectors import counted_responses

SCORES = ("person", "text", "condition", "place", "score", "seconds", "closed", "heard")
MARKS = (
    *("person", "text", "condition", "question", "type", "kind", "answer", "mark", "most"),
    *("marker_1", "mark_1", "marker_2", "mark_2", "marker_3", "mark_3"),
)
VISITS = ("person", "round", "text", "condition", "page", "opened_at", "left_at", "seconds", "back_tries")
MARKERS = 3


def score_lines(study: Study) -> Iterator[Sequence[object]]:
    """Yield a line for each quiz, those of people who knew a text before included."""
    for quiz in scored_quizzes(study, keep_heard=True).quizzes:
        sitting = quiz.sitting
        about = (sitting.person, sitting.text_id, sitting.condition, sitting.place)
        yield (*about, _known(quiz.score), _seconds(sitting.seconds), sitting.closed, _cell(sitting.heard))


def mark_lines(study: Study) -> Iterator[Sequence[object]]:
    """Yield a line for each question of each quiz, with the marks of the markers of short answers."""
    marked = {(who, each.question_id): each.marks for each in study.marked for who in each.people}
    questions = {each.id: each for each in study.questions}
    for quiz in scored_quizzes(study, keep_heard=True).quizzes:
        sitting = quiz.sitting
        for key, mark in quiz.marks.items():
            question, given = questions[key], marked.get((sitting.person, key), ())
            about = (sitting.person, sitting.text_id, sitting.condition, key, question.type, question.kind)
            cells = [each for pair in given[:MARKERS] for each in pair]
            empty = [""] * (2 * MARKERS - len(cells))
            yield (*about, sitting.answers.get(key, ""), _known(mark), question.marks, *cells, *empty)


def summary_lines(study: Study) -> Iterator[str]:
    for each in study.summaries:
        row = {"person": each.person, "text_id": each.text_id, "kind": each.kind, "utterances": list(each.utterances)}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def visit_lines(campaign: Campaign) -> Iterator[Sequence[object]]:
    """Yield a line for each page that somebody was on, by the server's clock."""
    visits = PageVisit.objects.filter(assignment__response__in=counted_responses(campaign)).select_related(
        "assignment__worker", "assignment__item__task_item__material"
    )
    for each in visits.order_by("assignment__worker__number", "opened_at", "pk").iterator(chunk_size=2000):
        material = each.assignment.item.task_item.material
        about = (each.assignment.worker.public_name, each.assignment.round, material.name, material.condition)
        seconds = "" if each.left_at is None else round((each.left_at - each.opened_at).total_seconds(), 1)
        left = "" if each.left_at is None else each.left_at.isoformat()
        yield (*about, each.page, each.opened_at.isoformat(), left, seconds, each.back_tries)


def _study(campaign: Campaign) -> Study:
    return study_of(campaign, marked=short_answers(campaign))


def _known(value: float) -> object:
    return "" if isnan(value) else round(value, 6)


def _seconds(value: float | None) -> object:
    return "" if value is None else round(value, 1)


def _cell(value: object) -> object:
    return "" if value is None else value


FORMS: dict[str, ExportForm] = {
    form.key: form
    for form in (
        ExportForm(
            *("scores", gettext_lazy("Scores (CSV)"), "scores.csv", CSV),
            write=lambda campaign: Export(table_lines(SCORES, score_lines(_study(campaign)))),
        ),
        ExportForm(
            *("marks", gettext_lazy("Marks (CSV)"), "marks.csv", CSV),
            write=lambda campaign: Export(table_lines(MARKS, mark_lines(_study(campaign)))),
        ),
        ExportForm(
            *("summaries", gettext_lazy("Summaries (JSONL)"), "summaries.jsonl", JSONL),
            write=lambda campaign: Export(summary_lines(_study(campaign))),
        ),
        ExportForm(
            *("visits", gettext_lazy("Visits (CSV)"), "visits.csv", CSV),
            write=lambda campaign: Export(table_lines(VISITS, visit_lines(campaign))),
        ),
    )
}
