"""Read the short answers that markers have, and their marks."""

from crowd.models import Campaign
from protocols.models import MarkedAnswer, Material
from protocols.quiz.settings import MARKING_KEY
from protocols.quiz.study import ShortAnswer
from protocols.selectors import Whose, counted_responses


def short_answers(campaign: Campaign, whose: Whose = "people") -> list[ShortAnswer]:
    """Return the short answers that markers have, in the order of questions, with the marks of those who count."""
    counted = counted_responses(campaign, whose)
    people: dict[tuple[str, str], list[str]] = {}
    own = MarkedAnswer.objects.filter(response__in=counted).select_related("response__assignment__worker")
    for each in own.order_by("question", "pk"):
        people.setdefault((each.question, each.key), []).append(each.response.assignment.worker.public_name)
    marks: dict[tuple[str, str], list[tuple[str, float]]] = {}
    material = "assignment__item__task_item__material"
    given = counted.filter(**{f"{material}__task": MARKING_KEY}).select_related(material, "assignment__worker")
    for response in given.order_by(material, "pk"):
        marker, question = response.assignment.worker.public_name, response.assignment.item.task_item.material.name
        for key, mark in response.answer["marks"].items():
            marks.setdefault((question, key), []).append((marker, mark))
    pieces = Material.objects.filter(campaign=campaign, task=MARKING_KEY)
    texts = {(each.name, key): text for each in pieces for key, text in each.body["answers"].items()}
    return [
        ShortAnswer(question, texts.get((question, key), ""), tuple(who), tuple(marks.get((question, key), ())))
        for (question, key), who in people.items()
    ]
