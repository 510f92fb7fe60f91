"""Store answers to a judgement task that people gave elsewhere, with those people and what they judged."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.clock import database_now
from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.services.file_imports import import_count_added, import_finish, import_transaction
from crowd.models import Assignment, Campaign, Item, Round, Worker
from crowd.models.people import IMPORTED
from crowd.services.imported_people import imported_people_create, is_number
from crowd.services.leases import leases_expire
from protocols.models import Material, MaterialImport, Response, ResponseVersion
from protocols.selectors import material_bodies
from protocols.services.pieces import material_create, material_of
from protocols.task import Answer, AnswerElsewhere, MaterialRow, StudyTask, study_task
from ratings.models import ImportPool
from ratings.rating_files import Unusable, rater_name
from ratings.services.imported import submitted_assignments_create
from ratings.services.rated_elsewhere import AT_WORK, names_of_participants
from ratings.services.ratings_of_people import slots_close

SLICE = 200


def answers_import_run(*, record: MaterialImport, progress: Progress) -> None:
    """Read a file of answers outside any transaction, then write in slices; run again, it writes what is missing."""
    campaign = record.campaign
    try:
        task = study_task(campaign.rating_task)
        settings = task.settings_read(campaign.task_settings)
        file = task.answers_elsewhere(record.answers, bytes(record.content), material_bodies(campaign), settings)
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    problems, accepted, named = list(file.problems), 0, list[AnswerElsewhere]()
    for each in file.answers:
        try:
            named.append(replace(each, person=_name(each.person)))
        except Unusable as error:
            problems.append((each.line, str(error)))
    for part in slices(named, SLICE):
        accepted += _slice_write(record, task, part, problems)
        progress(accepted, len(named))
    import_finish(record=record, usable=accepted, problems=problems, warnings=_skipped(file.skipped))


def _name(person: str) -> str:
    if not person:
        raise Unusable(_("the file does not say who gave this answer"))
    return rater_name(person, ImportPool.CROWD)


def _skipped(skipped: Mapping[str, int]) -> list[tuple[int, str]]:
    """Say what was skipped, for the file as a whole."""
    said = []
    for what, number in sorted(skipped.items()):
        words = ngettext("%(n)s line is skipped: %(what)s", "%(n)s lines are skipped: %(what)s", number)
        said.append((0, words % {"n": f"{number:,}", "what": what}))
    return said


Key = tuple[str, str, str]


def _key(each: Material | MaterialRow) -> Key:
    return each.name, each.system, each.condition


@dataclass
class _Known:
    """What a campaign has of the texts and the people of some answers; the answers by text and name of the person."""

    material: dict[Key, Material]
    people: dict[str, Worker]
    participants: frozenset[str]
    answered_here: frozenset[Key]
    """What participants of the campaign judge or have judged."""
    given: dict[tuple[Key, str], Answer]

    @classmethod
    def read(cls, campaign: Campaign, part: Sequence[AnswerElsewhere]) -> "_Known":
        """Read it in a number of queries that does not grow with the answers. Locks the items."""
        names = {each.person for each in part}
        people = _people(campaign, names)
        rows = Material.objects.filter(
            campaign=campaign, task=campaign.rating_task, name__in={each.about.name for each in part}
        )
        material = {_key(each): each for each in rows.select_related("task_item__item")}
        keys = {each.task_item.item_id: key for key, each in material.items() if each.expected is None}
        list(Item.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
        work = Assignment.objects.filter(item__in=keys, state__in=AT_WORK)
        here = work.exclude(worker__is_test=True).exclude(worker__platform_key=IMPORTED)
        answers = Response.objects.filter(assignment__item__in=keys, assignment__worker__in=people.values())
        return cls(
            material,
            people,
            names_of_participants(campaign, names),
            frozenset(keys[item] for item in here.values_list("item_id", flat=True)),
            {
                (keys[each.assignment.item_id], each.assignment.worker.public_name): each.answer
                for each in answers.select_related("assignment__worker")
            },
        )

    def refusal(self, each: AnswerElsewhere) -> str:
        """Return why an answer cannot be stored, or an empty string."""
        key = _key(each.about)
        found = self.material.get(key)
        if each.person in self.participants:
            words = _("%(name)s is the number of a participant of this campaign; name the person otherwise")
            return words % {"name": each.person}
        if found is not None and found.expected is not None:
            return _("this text is practice")
        if found is not None and any(found.body.get(name) != value for name, value in each.about.body.items()):
            return _("there are other texts of this id, system and condition")
        if key in self.answered_here:
            return _("participants of this campaign judge it or have judged it; answers of files never join theirs")
        if self.given.get((key, each.person), each.answer) != each.answer:
            return _("the person has given another answer; it stays as it is")
        return ""


def _people(campaign: Campaign, names: Iterable[str]) -> dict[str, Worker]:
    """Return the imported people of these names who have answered; of two with one name the first."""
    numbers = [int(name) for name in names if is_number(name)]
    named = Q(imported_name__in=list(names)) | Q(imported_name="", number__in=numbers)
    answered = Exists(Response.objects.filter(assignment__worker=OuterRef("pk")))
    workers = Worker.objects.filter(named, answered, campaign=campaign, platform_key=IMPORTED)
    return {worker.public_name: worker for worker in workers.order_by("-pk")}


def _slice_write(
    record: MaterialImport, task: StudyTask, part: Sequence[AnswerElsewhere], problems: list[tuple[int, str]]
) -> int:
    """Store those of some answers that are new; return how many of them the campaign has now."""
    campaign, accepted, new = record.campaign, 0, list[AnswerElsewhere]()
    with import_transaction(record=record):
        leases_expire(campaign_id=campaign.pk, now=database_now())  # who comes back late finds the text taken
        known = _Known.read(campaign, part)
        for each in part:
            if reason := known.refusal(each):
                problems.append((each.line, reason))
                continue
            accepted += 1
            key = _key(each.about)
            if (key, each.person) not in known.given:
                known.given[key, each.person] = each.answer
                new.append(each)
                if key not in known.material:
                    known.material[key] = material_of(campaign, task, each.about)
        _store(campaign, task, known, new)
        import_count_added(record=record, added=len(new))
    return accepted


def _store(campaign: Campaign, task: StudyTask, known: _Known, new: Sequence[AnswerElsewhere]) -> None:
    material_create([each for each in known.material.values() if each.pk is None], campaign, people=0)
    names = list(dict.fromkeys(each.person for each in new if each.person not in known.people))
    if names:
        created = imported_people_create(campaign=campaign, names=names)
        known.people |= dict(zip(names, created, strict=True))
    given = [(known.material[_key(each.about)].task_item.item, known.people[each.person]) for each in new]
    assignments = submitted_assignments_create(given=given, work_round=Round.RATE)
    now = database_now()
    responses = [
        Response(
            assignment=assignment,
            task_version=task.version,
            answer=each.answer,
            milliseconds=each.milliseconds,
            created_at=now,
        )
        for each, assignment in zip(new, assignments, strict=True)
    ]
    ResponseVersion.objects.bulk_create(
        ResponseVersion(
            response=each, number=1, answer=each.answer, milliseconds=each.milliseconds, created_at=each.created_at
        )
        for each in Response.objects.bulk_create(responses)
    )
    slots_close({item.pk for item, _worker in given}, assignments)
