"""The quiz: on the first visit people choose a summary of each text, on the second they answer questions about it."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.clock import database_now
from common.errors import AskedOnce
from common.typed_text import stacked_marks_words
from crowd.models import Assignment, Campaign, Enrolment, Round, Worker
from measures.text.normalization import stacked_marks
from protocols.models import DesignRow, Response
from protocols.quiz.files import bounds
from protocols.quiz.marking import answers_forget, marking_hand_out
from protocols.quiz.marks import MARKING
from protocols.quiz.material import ANNOTATED, FIELDS, TEXT, row_of
from protocols.quiz.pieces import quiz_pieces_make
from protocols.quiz.settings import FILE_HELP, PREPARE_KEY, QUIZ_KEY, LengthForm, QuizForm
from protocols.quiz.simulation import answers_of, summary_of
from protocols.quiz.sounds import sound_of
from protocols.services.design import row_of as design_row_of
from protocols.services.pages import over_name
from protocols.task import Answer, AnswerRefused, MaterialRow, Page, Settings, StudyTask, Subject

LONGEST_ANSWER = 2_000
HEARD_SECONDS = 600
"""After which the last quiz is handed in, also if its person does not come back."""
HANDED_IN, TIME_OVER = "handed in", "time over"
SHOWN = ("id", "question", "kind", "options")


class OfQuiz(StudyTask):
    """What both parts share: the settings and the files."""

    columns, optional = (), FIELDS
    settings_form: ClassVar[type[LengthForm]] = QuizForm
    file_help = FILE_HELP
    after_work = frozenset({ANNOTATED})

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        return row_of(fields)

    def unfit(self, row: MaterialRow, others: Mapping[str, Mapping[str, Any]]) -> str:
        if row.task != ANNOTATED:
            return ""
        if TEXT not in others:
            return f"there is no text {row.name}"
        strange = set(row.body["utterances"]) - {each["id"] for each in others[TEXT]["utterances"]}
        return f"the text has no utterance {', '.join(sorted(strange)[:5])}" if strange else ""


class Prepare(OfQuiz):
    key = PREPARE_KEY
    round = Round.EDIT
    template = "protocols/quiz/prepare.html"

    def next_visit(self, enrolment: Enrolment) -> datetime | None:
        return TASK.opens_at(enrolment)

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        body, (least, most) = subject.body, bounds(subject.body, settings)
        return {
            "title": body["title"],
            "slides": body["slides"],
            "has_sound": sound_of(subject) is not None,
            "utterances": [{"name": f"u{place}", **each} for place, each in enumerate(body["utterances"])],
            "questions": _as_shown(subject),
            "chooses": subject.body["chooses"],
            "least": least,
            "most": most,
        }

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        utterances = enumerate(subject.body["utterances"])
        boxes = subject.body["chooses"]
        answer = {"utterances": [each["id"] for place, each in utterances if boxes and posted.get(f"u{place}")]}
        self.check(answer, subject, settings)
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        chosen, places = answer.get("utterances"), _places(subject)
        if not subject.body["chooses"] and chosen == []:
            return  # who only reads
        if not isinstance(chosen, list) or [*map(str, chosen)] != sorted(
            {each for each in map(str, chosen) if each in places}, key=places.__getitem__
        ):
            raise AnswerRefused([("summary", _("We can’t read your summary. Open the page again."))])
        words = sum(subject.body["utterances"][places[each]]["words"] for each in chosen)
        least, most = bounds(subject.body, settings)
        if words < least:
            said = ngettext(
                "Your summary is too short. Choose at least %(n)s more word.",
                "Your summary is too short. Choose at least %(n)s more words.",
                least - words,
            )
            raise AnswerRefused([("summary", said % {"n": least - words})])
        if words > most:
            said = ngettext(
                "Your summary is too long. Leave out at least %(n)s word.",
                "Your summary is too long. Leave out at least %(n)s words.",
                words - most,
            )
            raise AnswerRefused([("summary", said % {"n": words - most})])

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        number = len(answer["utterances"])
        words = ngettext("%(n)s part chosen", "%(n)s parts chosen", number)
        return subject.body["title"], words % {"n": number}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del skill
        if not subject.body["chooses"]:
            return {"utterances": []}
        return {"utterances": summary_of(subject, *bounds(subject.body, settings), rng)}


class Quiz(OfQuiz):
    key = QUIZ_KEY
    template = "protocols/quiz/quiz.html"
    takes_corrections = False

    def pieces_make(self, campaign: Campaign, *, fill_in: bool = False, user: User | None = None) -> str:
        """Make what people get on each visit; once that is made, what markers get of their answers."""
        del user
        if DesignRow.objects.filter(campaign=campaign).exists():
            return marking_hand_out(campaign=campaign).words
        settings = self.settings_read(campaign.task_settings)
        return quiz_pieces_make(campaign=campaign, settings=settings, fill_in=fill_in).words

    def pages(self, subject: Subject, settings: Settings) -> Sequence[Page]:
        begin = Page("begin", "protocols/quiz/begin.html", closes_on_next=True)
        quiz = Page(self.key, self.template, closes_on_next=True, max_seconds=60 * settings["minutes"])
        heard = Page("heard", "protocols/quiz/heard.html", max_seconds=HEARD_SECONDS, fields={"heard"})
        return (begin, quiz, heard) if subject.body.get("is_last") else (begin, quiz)

    def page_check(self, key: str, posted: Mapping[str, str], subject: Subject, settings: Settings) -> None:
        if key == self.key:
            self.read(posted, subject, settings)

    def entry_page(self, enrolment: Enrolment) -> str | None:
        if enrolment.campaign.sandbox_of_id is not None:
            return None  # a preview shows the second visit by itself
        opens_at = self.opens_at(enrolment)
        return None if opens_at is not None and opens_at <= database_now() else "protocols:wait"

    def opens_at(self, enrolment: Enrolment) -> datetime | None:
        since = prepared_at(enrolment)
        settings = self.settings_read(enrolment.campaign.task_settings)
        return since + timedelta(days=settings["gap_days"]) if since else None

    def as_shown_to(self, worker_id: int, subject: Subject) -> Subject:
        """Put the summary that the person chose in the place of the text, where that is what they get.

        The last quiz of their row ends with a question about all of them.
        """
        row = design_row_of(worker_id)
        is_last = row is not None and row.cells[-1] == [subject.name, subject.condition]
        body = {**subject.body, "is_last": is_last}
        if subject.body["is_own"]:
            body["utterances"] = self._own_summary(worker_id, subject)
        return replace(subject, body=body)

    def _own_summary(self, worker_id: int, subject: Subject) -> list[dict[str, Any]]:
        material = "assignment__item__task_item__material__"
        about = {f"{material}task": PREPARE.key, f"{material}name": subject.name}
        own = Response.objects.filter(assignment__worker=worker_id, **about).values_list("answer", flat=True).first()
        if own is None:  # in a preview
            return list(subject.body["utterances"][: 1 + len(subject.body["utterances"]) // 5])
        return [each for each in subject.body["utterances"] if each["id"] in own["utterances"]]

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        body = subject.body
        return {
            "title": body["title"],
            "slides": body["slides"],
            "has_sound": sound_of(subject) is not None,
            "utterances": body["utterances"],
            "is_summary": body["kind"] != "none",
            "questions": asked(subject),
            "minutes": settings["minutes"],
            "longest_answer": LONGEST_ANSWER,
        }

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        questions, is_over = asked(subject), bool(posted.get(over_name(self.key)))
        given = {each["id"]: posted.get(each["name"], "").strip() for each in questions}
        if is_over:
            given = {name: text[:LONGEST_ANSWER] for name, text in given.items()}
        answers = {name: text for name, text in given.items() if text}
        answer: Answer = {
            "answers": answers,
            "order": [each["id"] for each in questions],
            "heard": {"yes": True, "no": False}.get(posted.get("heard", "")),
            "closed": TIME_OVER if is_over else HANDED_IN,
        }
        self.check(answer, subject, settings)
        empty = len(questions) - len(answers)
        if empty and not is_over and posted.get("confirmed") != "1":
            words = ngettext(
                "%(n)s question has no answer. Hand in all the same? If so, press the button again.",
                "%(n)s questions have no answer. Hand in all the same? If so, press the button again.",
                empty,
            )
            raise AskedOnce(words % {"n": empty})
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        given, names = answer.get("answers"), {each["id"]: each["name"] for each in asked(subject)}
        if not isinstance(given, dict) or not given.keys() <= names.keys():
            raise AnswerRefused([("questions", _("We can’t read your answers. Open the page again."))])
        for name, text in given.items():
            if not isinstance(text, str) or len(text) > LONGEST_ANSWER:
                words = _("An answer can have up to %(n)s characters.")
                raise AnswerRefused([(names[name], words % {"n": LONGEST_ANSWER})])
            if answer.get("closed") != TIME_OVER and (place := stacked_marks(text)) is not None:
                raise AnswerRefused([(names[name], stacked_marks_words(place))])

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        given, number = len(answer["answers"]), len(subject.body["questions"])
        words = ngettext("%(given)s of %(n)s question answered", "%(given)s of %(n)s questions answered", number)
        return subject.body["title"], words % {"given": given, "n": number}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del settings
        order = [each["id"] for each in asked(subject)]
        return {"answers": answers_of(subject, skill, rng), "order": order, "heard": None, "closed": HANDED_IN}

    def forgotten(self, worker: Worker) -> None:
        answers_forget(campaign=worker.campaign, worker_id=worker.pk)

    def erased(self, answer: Answer) -> Answer:
        return {**answer, "answers": {}, "heard": None}


PREPARE = Prepare()
Quiz.parts = (PREPARE, MARKING)
TASK = Quiz()


def asked(subject: Subject) -> list[dict[str, Any]]:
    """Return the questions in the order that is drawn for this person, each with the name of its field."""
    questions = [{"name": f"q{place}", **each} for place, each in enumerate(_as_shown(subject))]
    subject.drawn().shuffle(questions)
    return questions


def _as_shown(subject: Subject) -> list[dict[str, Any]]:
    """Return the questions without what must not reach a page: the key, and the type."""
    return [{name: each[name] for name in SHOWN} for each in subject.body["questions"]]


def _places(subject: Subject) -> dict[str, int]:
    return {each["id"]: place for place, each in enumerate(subject.body["utterances"])}


def prepared_at(enrolment: Enrolment) -> datetime | None:
    """Return when a person chose their last summary; None if some are missing, or the visit does not count."""
    campaign = enrolment.campaign
    if Enrolment.objects.filter(worker=enrolment.worker_id, round=Round.EDIT, is_excluded=True).exists():
        return None
    done = Assignment.objects.filter(
        worker=enrolment.worker_id, round=Round.EDIT, state=Assignment.State.SUBMITTED, item__task_item__isnull=False
    )
    times = list(done.values_list("submitted_at", flat=True))
    return max(filter(None, times), default=None) if len(times) >= campaign.tasks_per_worker(Round.EDIT) else None
