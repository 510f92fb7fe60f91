"""Hand short answers out to markers: to two, to a third where they differ, and nowhere once they are erased."""

import random
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.json_values import json_digest
from crowd.models import Assignment, Campaign, Item, Round, Stream
from crowd.selectors.members import workers_of_tests
from crowd.services.items import conflicts_create, items_close, items_create
from crowd.services.leases import items_block_for_workers_of
from measures.experiments import answer_form, markers_wanted
from measures.experiments.quiz_marks import MARKERS
from protocols.models import MarkedAnswer, Material, Response, TaskItem
from protocols.quiz.files import QuizFiles
from protocols.quiz.settings import MARKING_KEY
from protocols.selectors import Whose, counted_responses
from protocols.task import study_task

MOST_ANSWERS = 20
STREAMS: tuple[tuple[Whose, Stream], ...] = (("people", Stream.WORK), ("test participants", Stream.TEST))


@dataclass(frozen=True)
class HandedOut:
    """How many answers markers can see now that they could not before, and in how many pieces of work."""

    answers: int
    pieces: int

    @property
    def words(self) -> str:
        if not self.answers:
            return _("There is no short answer that markers do not have yet.")
        words = ngettext(
            "%(n)s answer is handed out to markers, in %(pieces)s pieces of work.",
            "%(n)s different answers are handed out to markers, in %(pieces)s pieces of work.",
            self.answers,
        )
        return words % {"n": f"{self.answers:,}", "pieces": f"{self.pieces:,}"}


@transaction.atomic
def marking_hand_out(*, campaign: Campaign) -> HandedOut:
    """Give markers the short answers that they do not have yet, equal ones once; call again for those that come later.

    Those of test participants go to markers who come by a test link.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    short = _short_questions(campaign)
    _rehearsal_forget(campaign)
    answers = pieces = 0
    for whose, stream in STREAMS:
        responses = counted_responses(campaign, whose).filter(assignment__round=Round.RATE)
        new = _joined(campaign, stream, responses, set(short))
        for question_id, texts in new.items():
            answers += len(texts)
            pieces += _pieces_create(campaign, stream, short[question_id], texts)
    return HandedOut(answers, pieces)


def _short_questions(campaign: Campaign) -> dict[str, dict[str, Any]]:
    settings = study_task(campaign.rating_task).settings_read(campaign.task_settings)
    files = QuizFiles.of(campaign, settings)
    asked = (each for text in files.of_design for each in files.questions_of(text))
    return {each["id"]: each for each in asked if each["kind"] == "short"}


def _rehearsal_forget(campaign: Campaign) -> None:
    """Delete what markers rehearsed with, once the test participants whose answers these were are removed."""
    of_tests = MarkedAnswer.objects.filter(response__assignment__worker__in=workers_of_tests(campaign))
    if of_tests.exists():
        return
    items = Item.objects.filter(task_item__material__in=_material(campaign), stream=Stream.TEST)
    ids = list(items.values_list("pk", "task_item__material"))
    TaskItem.objects.filter(item__in=[item for item, _material_id in ids]).delete()
    Material.objects.filter(pk__in=[material for _item, material in ids]).delete()
    Item.objects.filter(pk__in=[item for item, _material_id in ids]).delete()


def _joined(
    campaign: Campaign, stream: Stream, responses: QuerySet[Response], short: set[str]
) -> dict[str, dict[str, str]]:
    """Store whose answers are new, under the keys of equal ones; return the texts that have a new key, by question."""
    known = {
        (material.name, answer_form(text)): key
        for material in _material(campaign).filter(task_item__item__stream=stream)
        for key, text in material.body["answers"].items()
    }
    seen = set(MarkedAnswer.objects.filter(response__in=responses).values_list("response", "question"))
    new: dict[str, dict[str, str]] = {}
    rows = []
    for response in responses.order_by("pk"):
        for question, text in response.answer["answers"].items():
            form = answer_form(text)
            if question not in short or not form or (response.pk, question) in seen:
                continue
            if (question, form) not in known:
                known[question, form] = secrets.token_hex(4)
                new.setdefault(question, {})[known[question, form]] = text
            rows.append(MarkedAnswer(response=response, question=question, key=known[question, form]))
    MarkedAnswer.objects.bulk_create(rows, batch_size=1000)
    return new


def _material(campaign: Campaign) -> QuerySet[Material]:
    return Material.objects.filter(campaign=campaign, task=MARKING_KEY)


def _pieces_create(campaign: Campaign, stream: Stream, question: dict[str, Any], texts: dict[str, str]) -> int:
    """Create the pieces of work with the answers to a question, in a random order; return how many."""
    keys = list(texts)
    random.Random(f"marking:{question['id']}:{len(keys)}").shuffle(keys)
    bodies = [
        {
            **{name: question[name] for name in ("question", "key", "marks")},
            "question_id": question["id"],
            "answers": {key: texts[key] for key in keys[start : start + MOST_ANSWERS]},
        }
        for start in range(0, len(keys), MOST_ANSWERS)
    ]
    items = _work_create(campaign, stream, question["id"], bodies, MARKERS)
    quizzes = TaskItem.objects.filter(material__campaign=campaign, material__task=campaign.rating_task)
    of_text = list(quizzes.filter(material__name=question["text_id"]).values_list("item", flat=True))
    pairs = [(item.pk, quiz) for item in items for quiz in of_text]
    items_block_for_workers_of(pairs=pairs, work_round=Round.EXPERT, only_had=True)
    return len(items)


def _work_create(
    campaign: Campaign, stream: Stream, question: str, bodies: Sequence[dict[str, Any]], people: int
) -> list[Item]:
    number = _material(campaign).filter(name=question).count()
    material = Material.objects.bulk_create(
        [
            Material(
                campaign=campaign,
                task=MARKING_KEY,
                name=question,
                condition=str(number + place),
                body=body,
                digest=json_digest(body),
            )
            for place, body in enumerate(bodies, start=1)
        ]
    )
    items = items_create(
        campaign=campaign,
        work_round=Round.EXPERT,
        count=len(bodies),
        rng=random.Random(),
        stream=stream,
        people=people,
    )
    TaskItem.objects.bulk_create(
        [TaskItem(item=item, material=each) for item, each in zip(items, material, strict=True)]
    )
    return items


@transaction.atomic
def disputes_hand_out(*, item_id: int) -> None:
    """Give a third marker the answers on which two differ, as a piece of work of their own.

    Who marks them for the second time waits for the other, so that one of them sees both.
    """
    item = Item.objects.select_for_update(no_key=True).get(pk=item_id)
    material = item.task_item.material
    if "of" in material.body:
        return
    responses = Response.objects.filter(assignment__item=item, assignment__state=Assignment.State.SUBMITTED).order_by(
        "pk"
    )
    given = [each.answer["marks"] for each in responses[:MARKERS]]
    if len(given) < MARKERS:
        return
    thirds = _material(item.campaign).filter(name=material.name, body__of=material.pk)
    seen = {key for third in thirds for key in third.body["answers"]}
    texts = material.body["answers"]
    disputed = [key for key in texts if key not in seen and markers_wanted([marks[key] for marks in given])]
    if not disputed:
        return
    body = {**material.body, "answers": {key: texts[key] for key in disputed}, "of": material.pk}
    (third,) = _work_create(item.campaign, Stream(item.stream), material.name, [body], people=1)
    conflicts_create(pairs=[(item.pk, third.pk)])
    items_block_for_workers_of(pairs=[(third.pk, item.pk)], work_round=Round.EXPERT)


@transaction.atomic
def answers_forget(*, campaign: Campaign, worker_id: int) -> None:
    """Take a person's words from what markers see, unless somebody else gave the same answer; marks stay."""
    own = MarkedAnswer.objects.filter(response__assignment__worker=worker_id)
    keys = list(own.values_list("question", "key"))
    own.delete()
    others = MarkedAnswer.objects.filter(response__assignment__item__campaign=campaign)
    kept = set(others.filter(question__in={question for question, _key in keys}).values_list("question", "key"))
    gone = {each for each in keys if each not in kept}
    for material in _material(campaign).filter(name__in={question for question, _key in gone}):
        _texts_remove(material, [key for question, key in gone if question == material.name])


def _texts_remove(material: Material, keys: Iterable[str]) -> None:
    removed = [key for key in keys if material.body["answers"].pop(key, None) is not None]
    if removed:
        material.body["erased"] = [*material.body.get("erased", []), *removed]
        material.save(update_fields=["body"])
    if not material.body["answers"]:
        items_close(item_ids=[material.task_item.item_id])
