"""The quizzes of a study with their marks and scores, and who is left out of what."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import MARKS, answer_form, combined_mark, markers_wanted, matches_key, quiz_score
from protocols.quiz.study import Question, ShortAnswer, Sitting, Study

HEARD = "people who knew a text before"
INCOMPLETE = "people without a score under every condition"
UNMARKED = "quizzes in which a short answer wants a marker"


@dataclass(frozen=True)
class ScoredQuiz:
    """A quiz with the mark of each question; it is NaN while a short answer wants a marker, and so is the score then.

    `by_type` has the scores on the questions of each type.
    """

    sitting: Sitting
    marks: Mapping[str, float]
    score: float
    by_type: Mapping[int, float]


@dataclass(frozen=True)
class Scored:
    """The quizzes that count, in the order of people and places; `heard` are the people whose quizzes do not."""

    study: Study
    quizzes: Sequence[ScoredQuiz]
    heard: int

    @cached_property
    def people(self) -> list[str]:
        return list(dict.fromkeys(each.sitting.person for each in self.quizzes))

    @cached_property
    def table(self) -> FloatArray:
        """Scores of people (rows) under conditions (columns); NaN where there is none."""
        return self.by_condition(lambda quiz: quiz.score)

    def by_condition(self, value: Callable[[ScoredQuiz], float]) -> FloatArray:
        """Return a value of the quizzes of people (rows) under conditions (columns); NaN where there is none."""
        row = {who: place for place, who in enumerate(self.people)}
        column = {condition: place for place, condition in enumerate(self.study.conditions)}
        found = np.full((len(row), len(column)), nan)
        for quiz in self.quizzes:
            found[row[quiz.sitting.person], column[quiz.sitting.condition]] = value(quiz)
        return found

    @property
    def left_out(self) -> dict[str, int]:
        incomplete = int(np.isnan(self.table).any(axis=1).sum())
        unmarked = sum(isnan(quiz.score) for quiz in self.quizzes)
        return {HEARD: self.heard, INCOMPLETE: incomplete, UNMARKED: unmarked}


def scored_quizzes(study: Study, *, keep_heard: bool = False) -> Scored:
    """Score the quizzes, but for those of people who knew a text before, unless they are kept."""
    of_text: dict[str, list[Question]] = {}
    for question in study.questions:
        of_text.setdefault(question.text_id, []).append(question)
    marked = {(who, each.question_id): each for each in study.marked for who in each.people}
    heard = set() if keep_heard else {each.person for each in study.sittings if each.heard}
    counted = [each for each in study.sittings if each.person not in heard]
    ordered = sorted(counted, key=lambda each: (len(each.person), each.person, each.place))
    quizzes = [_scored(each, of_text.get(each.text_id, []), marked) for each in ordered]
    return Scored(study, quizzes, len(heard))


def _scored(
    sitting: Sitting, questions: Sequence[Question], marked: Mapping[tuple[str, str], ShortAnswer]
) -> ScoredQuiz:
    marks = {
        each.id: _mark(each, sitting.answers.get(each.id, ""), marked.get((sitting.person, each.id)))
        for each in questions
    }
    types = {each.type for each in questions}
    by_type = {kind: _score(marks, (each for each in questions if each.type == kind)) for kind in sorted(types)}
    return ScoredQuiz(sitting, marks, _score(marks, questions), by_type)


def _mark(question: Question, answer: str, marked: ShortAnswer | None) -> float:
    """Return the mark of an answer: nothing for an empty one, by the key, or by markers."""
    if not answer_form(answer):
        return 0.0
    if question.kind != "short":
        return question.marks * matches_key(answer, question.key)
    combined = combined_mark(marks_that_count(marked.marks)) if marked else None
    return nan if combined is None or isinstance(combined, Undefined) else combined * question.marks / MARKS[-1]


def marks_that_count(given: Sequence[tuple[str, float]]) -> list[float]:
    """Return the first two marks of an answer, and the third if these are too far apart."""
    marks = [mark for _marker, mark in given]
    first = marks[:2]
    return marks[:3] if len(first) == 2 and markers_wanted(first) else first


def _score(marks: Mapping[str, float], questions: Iterable[Question]) -> float:
    chosen = list(questions)
    given = [marks[each.id] for each in chosen]
    if any(map(isnan, given)):
        return nan
    score = quiz_score(given, [each.marks for each in chosen])
    return nan if isinstance(score, Undefined) else score
