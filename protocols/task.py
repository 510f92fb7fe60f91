"""What a judgement task with material of its own declares. Its folder names it TASK in a module `task`."""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from common.errors import NotYours, Refused
from common.words import Words
from compressions.readers import text_fault
from crowd.models import Assignment, Campaign, Enrolment, Worker
from crowd.tasks import RATE, TASKS
from protocols.models import MAX_NAME_LENGTH

MAX_DEPTH = 12
MOST_SETTINGS = 50
_SURROGATES = re.compile("[\ud800-\udfff]")
Answer = dict[str, Any]
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class MaterialRow:
    """A line of a file of material, checked: what it is about, the system behind it, and all else that is judged.

    Lines with the same name are about the same source. `expected` is the answer that practice is held against; a line
    with one is practice and nothing else.
    """

    name: str
    body: Mapping[str, Any]
    system: str = ""
    condition: str = ""
    expected: Answer | None = None
    task: str = ""
    """What of a task's material it is, such as a question of a quiz, that is not work but what work is made of."""


@dataclass(frozen=True)
class Page:
    """One of the pages of a task, with a template of its own.

    Who goes on from it is there again after a step back, unless it `closes_on_next`: then the server shows it never
    again. It cannot be left before `min_seconds`. After `max_seconds`, and some seconds of grace, what was saved of it
    last is the answer. With `fields`, nothing else that is sent with it is read, such as what an earlier page asks.
    """

    key: str
    template: str
    closes_on_next: bool = False
    min_seconds: int = 0
    max_seconds: int | None = None
    fields: Set[str] | None = None


@dataclass(frozen=True)
class Subject:
    """What one person judges under one lease. `order` is drawn for it, the same at each sight of it."""

    name: str
    body: Mapping[str, Any]
    system: str
    condition: str
    order: str
    task: str = ""
    """The key of the part of the task that it is for."""
    arm: str = ""
    """The arm that was drawn for it, if the settings have arms."""

    def drawn(self) -> random.Random:
        """Return the generator of what is drawn for this person and subject, such as an order."""
        return random.Random(f"order:{self.order}")


Known = Mapping[tuple[str, str], Mapping[str, Any]]
"""The bodies of a campaign's material that is work, by name and system."""


@dataclass(frozen=True)
class AnswerElsewhere:
    """An answer of a file that somebody gave elsewhere: its line, the person, what is judged, and the time it took."""

    line: int
    person: str
    about: MaterialRow
    answer: Answer
    milliseconds: int | None = None


@dataclass(frozen=True)
class AnswersFile:
    """The answers of a file, the lines that cannot be used, and how many are not meant to be, by what they are."""

    answers: Sequence[AnswerElsewhere]
    problems: Sequence[tuple[int, str]]
    skipped: Mapping[str, int]


class AnswerRefused(Refused):
    """An answer that cannot be stored. `problems` are sentences, each with the name of the field that it is about."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__(" ".join(words for _field, words in problems))
        self.problems = list(problems)


class StudyTask(ABC):
    """A judgement task with material of its own: how its material is read, what people see, and what they answer.

    `key` is that of the task in `crowd/tasks.py`. `version` is raised when its answers are stored otherwise. `columns`
    are the fields that a line of material must have, and `optional` those that it may have. `settings_form` has what
    staff choose; its cleaned values are the campaign's `task_settings`.

    A task of several parts names its part of the rater round TASK, whose `parts` are those of the other rounds. They
    have the same settings, and a key of their own, by which material says for which part it is.
    """

    key: ClassVar[str]
    round: ClassVar[str] = RATE
    parts: ClassVar[Sequence["StudyTask"]] = ()
    takes_corrections: ClassVar[bool] = True
    """Whether an answer can be changed during the visit."""
    after_work: ClassVar[Set[str]] = frozenset()
    """Of a task whose work is made from material: what of that comes once it is made, by `MaterialRow.task`."""
    version: ClassVar[int] = 1
    template: ClassVar[str]
    columns: ClassVar[Sequence[str]]
    optional: ClassVar[Sequence[str]] = ()
    settings_form: ClassVar[type[forms.Form]] = forms.Form
    file_help: ClassVar[Words]
    """What staff read of the file of material."""
    answer_forms: ClassVar[Mapping[str, Words]] = {}
    """The formats of other programs from which it reads answers, with what staff call them."""

    def settings_read(self, stored: Settings) -> dict[str, Any]:
        """Return the settings of a campaign, with the defaults for what it does not set; raise Refused if wrong."""
        if faults := self.settings_faults(stored):
            words = _("These settings of the judgement task cannot be: %(faults)s")
            raise Refused(words % {"faults": " ".join(f"{name}: {reason}" for name, reason in faults)})
        form = self._bound(stored)
        form.full_clean()
        return dict(form.cleaned_data)

    def settings_faults(self, stored: Settings) -> list[tuple[str, str]]:
        """Return what is wrong with settings, each with its name; nothing if they can be read."""
        if len(stored) > MOST_SETTINGS:
            return [(_("settings"), _("more than %(n)s") % {"n": MOST_SETTINGS})]
        form = self._bound(stored)
        wrong = [(name, str(reason)) for name, reasons in form.errors.items() for reason in reasons]
        return wrong + [(name, _("this is not known here.")) for name in sorted(set(stored) - set(form.fields))]

    def _bound(self, stored: Settings) -> forms.Form:
        return self.settings_form({**_initial(self.settings_form), **stored})

    def pieces_make(self, campaign: Campaign, *, fill_in: bool = False, user: User | None = None) -> str:
        """Make the work of what was imported, where lines of material are not work yet; say what was made.

        With `fill_in`, what is missing and can be computed is made, too. `user` is who asks, if not a command.
        """
        del campaign, fill_in, user
        raise Refused(_("The material of this campaign’s judgement task is work as it is."))

    @abstractmethod
    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        """Return a line of material; raise ValueError with the reason if it cannot be used."""

    def unfit(self, row: MaterialRow, others: Mapping[str, Mapping[str, Any]]) -> str:
        """Return why a line does not go with those of its id, of which `others` has a body by `task`, or nothing."""
        del row, others
        return ""

    def part(self, key: str) -> "StudyTask":
        """Return the part of the task that some material is for."""
        return next((each for each in self.parts if each.key == key), self)

    def part_in(self, work_round: str) -> "StudyTask":
        """Return the part of the task that people do in a round."""
        return next((each for each in self.parts if each.round == work_round), self)

    def pages(self, subject: Subject, settings: Settings) -> Sequence[Page]:
        """Return the pages of a piece of work, in their order: by default the one of `template`.

        Each posts the hidden field `page`. What is posted on those before the last is kept, and all of it is `posted`
        when the answer is read at the end. So is `time_over:` with the key of each page whose time was over, and
        `confirmed` if that was the last one that was seen.
        """
        del subject, settings
        return (Page("", self.template),)

    def page_check(self, key: str, posted: Mapping[str, str], subject: Subject, settings: Settings) -> None:
        """Raise AnswerRefused or AskedOnce if a page before the last cannot be left so: by default it can."""
        del key, posted, subject, settings

    def entry_page(self, enrolment: Enrolment) -> str | None:
        """Return the URL name of a page that somebody must pass before practice and work of this part, or None."""
        del enrolment
        return None

    def opens_at(self, enrolment: Enrolment) -> datetime | None:
        """Return from when on somebody may begin, where they have to wait; None if they cannot, or need not."""
        del enrolment
        return None

    def next_visit(self, enrolment: Enrolment) -> datetime | None:
        """Return from when on somebody who has finished this part may begin a later one, if there is one."""
        del enrolment
        return None

    def as_shown_to(self, worker_id: int, subject: Subject) -> Subject:
        """Return the subject with what is this person's own in it, such as what they wrote in an earlier round."""
        del worker_id
        return subject

    def material_checked(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        """Return a line as material; raise ValueError or Refused with the reason if it cannot be stored."""
        missing = [name for name in self.columns if fields.get(name) in (None, "")]
        if missing:
            raise ValueError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
        unknown = sorted(set(fields) - {*self.columns, *self.optional})
        if unknown:
            raise ValueError(f"unknown: {', '.join(unknown)[:MAX_NAME_LENGTH]}")
        texts_check(fields)
        row = self.material(fields, settings)
        for what, name in (("id", row.name), ("system", row.system), ("condition", row.condition)):
            if len(name) > MAX_NAME_LENGTH:
                raise ValueError(f"the {what} has more than {MAX_NAME_LENGTH} characters")
        return row

    def arms(self, settings: Settings) -> Sequence[str]:
        """Return the arms into which pieces of work are drawn: none, or two or more."""
        del settings
        return ()

    @abstractmethod
    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        """Return what the template shows of a subject, and nothing that tells a system or a condition."""

    @abstractmethod
    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        """Return the answer of a form; raise AnswerRefused, or AskedOnce unless `confirmed` is posted."""

    @abstractmethod
    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        """Raise AnswerRefused for an answer that does not fit: before it is stored, and when it is read again."""

    @abstractmethod
    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        """Return what an answer is about and what it says, each in a line, for the list of a person's answers."""

    def fields(self, answer: Answer, subject: Subject) -> Mapping[str, str]:
        """Return the form as this answer was posted, if the task's template shows it from the fields."""
        del answer, subject
        return {}

    @abstractmethod
    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        """Return the answer of a simulated person, from 0 (careless) to 1 (perfect)."""

    def answers_elsewhere(self, form: str, content: bytes, known: Known, settings: Settings) -> AnswersFile:
        """Return the answers of a file in one of `answer_forms`, all checked; raise Refused if it is no such file."""
        raise NotImplementedError

    def answered(self, assignment: Assignment) -> None:
        """Do what follows from an answer, or a correction of it, in the same transaction: by default nothing."""
        del assignment

    def forgotten(self, worker: Worker) -> None:
        """Erase what a person's answers left elsewhere, before the answers themselves: by default nothing."""
        del worker

    def erased(self, answer: Answer) -> Answer:
        """Return what stays of an answer when its person's data are erased: no words of theirs, no times."""
        return answer


def texts_check(value: Any, depth: int = 0) -> None:
    """Refuse a text that is too much to be worked on, wherever it stands in a line."""
    if depth > MAX_DEPTH:
        raise ValueError(f"lists and objects stand in each other more than {MAX_DEPTH} deep")
    if isinstance(value, str):
        if fault := text_fault(value):
            raise ValueError(fault)
        if "\x00" in value or (not value.isprintable() and _SURROGATES.search(value)):
            raise ValueError("there is a character that cannot be stored")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        texts_check(each, depth + 1)


def _initial(form: type[forms.Form]) -> dict[str, Any]:
    return {name: field.initial for name, field in form().fields.items() if field.initial is not None}


@cache
def study_tasks() -> dict[str, StudyTask]:
    """Return the tasks of all folders by their keys, of one with several its TASKS; the first call imports them."""
    folders = sorted(each.parent.name for each in Path(__file__).parent.glob("*/task.py"))
    modules = [import_module(f"protocols.{folder}.task") for folder in folders]
    found: list[StudyTask] = [task for each in modules for task in getattr(each, "TASKS", None) or [each.TASK]]
    known = {task.key for task in TASKS if task.has_material}
    if known != {task.key for task in found}:
        raise ValueError(f"tasks with material are {sorted(known)} in crowd/tasks.py, and not those of the folders")
    return {task.key: task for task in found}


def study_task(key: str) -> StudyTask:
    """Return the task with material that a campaign gives its raters; raise NotYours if it gives another one."""
    if key not in {task.key for task in TASKS if task.has_material}:
        raise NotYours(_("This campaign’s judgement task takes no material of its own."))
    return study_tasks()[key]
