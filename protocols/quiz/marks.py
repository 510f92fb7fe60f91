"""The part of the quiz that two markers do: marks for short answers, without knowing whose they are."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crowd.models import Assignment, Round
from measures.experiments import MARKS, answer_form
from protocols.quiz.marking import disputes_hand_out
from protocols.quiz.settings import FILE_HELP, MARKING_KEY, QuizForm
from protocols.task import Answer, AnswerRefused, MaterialRow, Settings, StudyTask, Subject

SHOWN = {0.0: "0", 0.5: "½", 1.0: "1", 1.5: "1½", 2.0: "2"}


class Marks(StudyTask):
    """Its material is made of what people answered (`protocols.quiz.marking`); none is imported for it.

    The body is `question_id`, `question`, `key` (accepted answers), `marks` (the most), `answers` by random keys, and
    `erased`: the keys of answers that are erased.
    """

    key = MARKING_KEY
    round = Round.EXPERT
    template = "protocols/quiz/marks.html"
    settings_form = QuizForm
    columns: ClassVar[tuple[str, ...]] = ()
    file_help = FILE_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del fields, settings
        raise ValueError("what markers mark is made of what people answered")

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        del settings
        body = subject.body
        answers = [(f"mark-{key}", key, text) for key, text in sorted(body["answers"].items())]
        subject.drawn().shuffle(answers)
        points = [(f"{value:g}", value, words) for value, words in SHOWN.items()]
        return {"question": body["question"], "accepted": body["key"], "answers": answers, "points": points}

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        del settings
        given = {key: posted.get(f"mark-{key}") or "" for key in subject.body["answers"]}
        known = {f"{value:g}": value for value in MARKS}
        missing = [key for key, mark in given.items() if mark not in known]
        if missing:
            words = ngettext(
                "%(n)s answer has no marks yet. Give each answer some, or 0.",
                "%(n)s answers have no marks yet. Give each answer some, or 0.",
                len(missing),
            )
            raise AnswerRefused([(f"mark-{missing[0]}", words % {"n": len(missing)})])
        return {"marks": {key: known[mark] for key, mark in given.items()}}

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        marks, answers = answer.get("marks"), set(subject.body["answers"])
        if not isinstance(marks, dict) or not all(
            type(each) in (int, float) and each in MARKS for each in marks.values()
        ):
            raise AnswerRefused([("marks", _("Marks are from 0 to 2, in halves."))])
        if not answers <= set(marks) <= answers | set(subject.body.get("erased", [])):
            raise AnswerRefused([("marks", _("Each answer has marks, and nothing else."))])

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        marks = list(answer["marks"].values())
        words = ngettext("%(n)s answer: %(marks)s", "%(n)s answers: %(marks)s", len(marks))
        return subject.body["question"], words % {"n": len(marks), "marks": ", ".join(SHOWN[each] for each in marks)}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        """Return what answers are worth with the probability `skill`, and otherwise any marks."""
        del settings
        body = subject.body
        ordered = sorted(body["answers"], key=body["answers"].__getitem__)  # keys are drawn without a seed
        worth = {key: _worth(body["answers"][key], body["key"]) for key in ordered}
        return {"marks": {key: mark if rng.random() < skill else rng.choice(MARKS) for key, mark in worth.items()}}

    def answered(self, assignment: Assignment) -> None:
        disputes_hand_out(item_id=assignment.item_id)


def _worth(text: str, accepted: Sequence[str]) -> float:
    """Return the share of the words of the nearest accepted answer that a text has, in marks."""
    words = set(answer_form(text).split())
    shares = [len(words & set(own)) / len(own) for each in accepted if (own := answer_form(each).split())]
    return round(4 * max(shares, default=0)) / 2


MARKING = Marks()
