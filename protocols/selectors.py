"""Query material, the tasks of a person, and the answers of a campaign."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from common.errors import NotYours
from common.json_values import json_digest
from common.sql import is_possible_id
from crowd.models import Assignment, Campaign, Enrolment, Item, Round, Stream, Worker
from crowd.selectors.members import excluded_workers, workers_of_tests
from protocols.models import Material, PracticeAnswer, Response, TaskArm
from protocols.task import Answer, Known, StudyTask, Subject, study_task

CANDIDATES = 64
Whose = Literal["people", "test participants"]
"""Whose answers a report is on: those of people, or in a rehearsal those of test participants, simulated or not."""


@dataclass(frozen=True)
class StudyWork:
    """A person's task: the assignment, what is judged in it, and the part of the judgement task that it is."""

    assignment: Assignment
    subject: Subject
    study: StudyTask


def subject_of(material: Material, order: object, arm: str = "") -> Subject:
    return Subject(material.name, material.body, material.system, material.condition, str(order), material.task, arm)


def study_work(enrolment: Enrolment, assignment_id: int) -> StudyWork:
    """Return a task of this person; raise NotYours for anybody else's, and for other kinds of work."""
    own = Assignment.objects.filter(worker=enrolment.worker_id, round=enrolment.round, item__task_item__isnull=False)
    own = own.exclude(state=Assignment.State.BLOCKED).select_related("item__task_item__material", "task_arm")
    found = own.filter(pk=assignment_id).first() if is_possible_id(assignment_id) else None
    if found is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    material = found.item.task_item.material
    study = study_task(enrolment.campaign.rating_task).part(material.task)
    drawn: TaskArm | None = getattr(found, "task_arm", None)
    subject = subject_of(material, found.pk, drawn.arm if drawn else "")
    return StudyWork(found, study.as_shown_to(enrolment.worker_id, subject), study)


def responses_of_worker(enrolment: Enrolment) -> QuerySet[Response]:
    """Return a person's answers, in the order in which they gave them, with what they are about."""
    own = Response.objects.filter(assignment__worker=enrolment.worker_id, assignment__round=enrolment.round)
    return own.select_related("assignment__item__task_item__material").order_by("pk")


def responses_of_people(people: QuerySet[Worker] | Sequence[Worker]) -> QuerySet[Response]:
    """Return all answers of some people, whatever became of them."""
    return Response.objects.filter(assignment__worker__in=people)


def responses_by_settings(campaign: Campaign) -> Mapping[int | None, int]:
    """Return the number of people's answers by the id of their settings version; None for those of files."""
    # Counted from the index of the version: SQLite would else begin with all work of the campaign.
    recorded = _by_version(Response.objects.filter(settings_version__campaign=campaign))
    tests = _by_version(responses_of_people(workers_of_tests(campaign)))
    without = Response.objects.filter(settings_version=None)
    of_files = Response.objects.filter(assignment__item__campaign=campaign, assignment__worker__is_test=False)
    unrecorded = of_files.filter(pk__in=without.values("pk")).count()
    return {version: number - tests.get(version, 0) for version, number in recorded.items()} | {None: unrecorded}


def _by_version(responses: QuerySet[Response]) -> Mapping[int | None, int]:
    return dict(responses.values_list("settings_version_id").annotate(n=Count("*")).order_by())


def next_practice(enrolment: Enrolment) -> Material | None:
    """Return the practice that a person has still to do in their round, in the order of the file."""
    seen = PracticeAnswer.objects.filter(enrolment=enrolment, material=OuterRef("pk"))
    part = study_task(enrolment.campaign.rating_task).part_in(enrolment.round)
    practice = Material.objects.filter(campaign=enrolment.campaign, task=part.key, expected__isnull=False)
    return practice.exclude(Exists(seen)).order_by("pk").first()


def study_entry_check(enrolment: Enrolment) -> str | None:
    """Return the page that comes before any task: one of the part itself, or the practice that is left."""
    part = study_task(enrolment.campaign.rating_task).part_in(enrolment.round)
    if page := part.entry_page(enrolment):
        return page
    return "protocols:practice" if next_practice(enrolment) is not None else None


def study_next_visit(enrolment: Enrolment) -> datetime | None:
    """Return from when on somebody may come again for a later part, if there is one and they have finished this one."""
    return study_task(enrolment.campaign.rating_task).part_in(enrolment.round).next_visit(enrolment)


def material_bodies(campaign: Campaign) -> Known:
    """Return what is judged in a campaign, by name and system; of several conditions one."""
    work = Material.objects.filter(campaign=campaign, expected__isnull=True).order_by("-pk")
    return {(name, system): body for name, system, body in work.values_list("name", "system", "body").iterator()}


def expert_candidates(enrolment: Enrolment, _number: int) -> Iterator[list[int]]:
    """Yield the ids of items that an expert may have, in the drawn order.

    What is made of test participants' answers goes to those who came by a test link, who get nothing else.
    """
    stream = Stream.TEST if enrolment.worker.is_test else Stream.WORK
    had = Assignment.objects.filter(worker=enrolment.worker_id, item=OuterRef("pk"))
    open_items = Item.objects.filter(campaign=enrolment.campaign, round=enrolment.round, stream=stream, is_closed=False)
    found = open_items.filter(~Exists(had), open_slots__gt=0).order_by("position", "pk")
    yield list(found.values_list("pk", flat=True)[:CANDIDATES])


# What staff see


@dataclass(frozen=True)
class MaterialCounts:
    """The lines that are work, those that are practice, the answers wanted and those given."""

    items: int
    practice: int
    systems: int
    wanted: int
    answers: int


def material_counts(campaign: Campaign) -> MaterialCounts:
    material = Material.objects.filter(campaign=campaign)
    counted = material.aggregate(
        items=Count("pk", filter=Q(task_item__isnull=False)),
        practice=Count("pk", filter=Q(expected__isnull=False)),
        systems=Count("system", filter=~Q(system=""), distinct=True),
    )
    wanted = sum(campaign.items.filter(task_item__isnull=False).values_list("wanted", flat=True))
    return MaterialCounts(**counted, wanted=wanted, answers=counted_responses(campaign).count())


def counted_responses(campaign: Campaign, whose: Whose = "people") -> QuerySet[Response]:
    """Return the answers that reports are on: submitted, by those who are not excluded, to all parts of the task."""
    rounds = campaign.task.rounds or (Round.RATE,)
    counted = Response.objects.filter(
        assignment__item__campaign=campaign,
        assignment__round__in=rounds,
        assignment__state=Assignment.State.SUBMITTED,
    )
    for each in rounds:
        excluded = excluded_workers(campaign, Round(each))
        counted = counted.exclude(assignment__round=each, assignment__worker__in=excluded)
    tests = Q(assignment__worker__in=workers_of_tests(campaign))
    return counted.filter(tests if whose == "test participants" else ~tests)


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as reports read it. People are numbers, as everywhere in what is published."""

    person: str
    subject: Subject
    answer: Answer
    version: int
    milliseconds: int | None
    is_from_file: bool = False
    is_simulated: bool = False

    @property
    def as_row(self) -> list[Any]:
        """What the checksum of a campaign's answers covers."""
        about = self.subject
        return [self.person, about.name, about.system, about.condition, self.version, self.answer]


def given_answers(campaign: Campaign, whose: Whose = "people") -> Iterator[GivenAnswer]:
    """Yield the answers of a campaign in the order of material and people."""
    rows = counted_responses(campaign, whose).select_related(
        "assignment__item__task_item__material", "assignment__worker"
    )
    by = ("assignment__item__task_item__material", "assignment__worker__number", "pk")
    for row in rows.order_by(*by).iterator(chunk_size=2000):
        material = row.assignment.item.task_item.material
        yield GivenAnswer(
            row.assignment.worker.public_name,
            subject_of(material, row.assignment_id),
            row.answer,
            row.version,
            row.milliseconds,
            row.assignment.worker.is_imported,
            row.assignment.worker.is_simulated,
        )


@dataclass(frozen=True)
class AnswersState:
    """How many answers a campaign has from how many people, and a checksum that covers all of them.

    `of_files` and `people_of_files` are of those that were given elsewhere, `simulated` answers of programs.
    """

    answers: int
    people: int
    subjects: int
    sha256: str
    of_files: int = 0
    people_of_files: int = 0
    simulated: int = 0

    @classmethod
    def of(cls, given: Iterable[GivenAnswer]) -> Self:
        sha, people, subjects, answers = hashlib.sha256(), set(), set(), 0
        people_of_files, of_files, simulated = set(), 0, 0
        for each in given:
            answers += 1
            simulated += each.is_simulated
            if each.is_from_file:
                of_files += 1
                people_of_files.add(each.person)
            sha.update(json_digest(each.as_row).encode())
            people.add(each.person)
            subjects.add((each.subject.name, each.subject.system, each.subject.condition))
        return cls(answers, len(people), len(subjects), sha.hexdigest(), of_files, len(people_of_files), simulated)


def answers_mark(campaign: Campaign, whose: Whose = "people") -> list[int]:
    """Return what is cheap to read and differs once answers come, go or are corrected; not once one is erased."""
    found = counted_responses(campaign, whose).aggregate(
        number=Count("pk"), which=Coalesce(Sum("pk"), 0), versions=Coalesce(Sum("version"), 0)
    )
    return [int(found[each]) for each in ("number", "which", "versions")]  # PostgreSQL sums bigints as numeric
