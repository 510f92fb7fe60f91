"""Make the pieces of work of a quiz study: what people get on each visit, and the rows of the design."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from common.json_values import json_digest
from crowd.models import Campaign, Round
from crowd.models.setting_words import label_of
from crowd.services.items import conflicts_create, items_create
from crowd.services.write_locks import campaign_write_lock
from measures.experiments.latin_rows import latin_rows
from measures.experiments.relevance_and_novelty import mmr_summary
from protocols.models import DesignRow, Material, TaskItem
from protocols.quiz.files import QuizFiles
from protocols.quiz.material import SUMMARY
from protocols.quiz.settings import (
    AUTOMATIC,
    NONE,
    OWN_SUMMARIES,
    PREPARE_KEY,
    PRIMED,
    QUIZ_KEY,
    Condition,
    conditions_of,
)
from protocols.services.material import pieces_check
from protocols.task import Settings


@dataclass(frozen=True)
class Pieces:
    """What was made: pieces of work for each visit, rows of the design, and what staff should look at."""

    pieces: int
    rows: int
    warnings: list[str]

    @property
    def words(self) -> str:
        words = _("%(pieces)s pieces of work and %(rows)s rows of the design are made.")
        return " ".join([words % {"pieces": self.pieces, "rows": self.rows}, *self.warnings])


class FilesUnready(Refused):
    """The files do not go together; `faults` are the reasons."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


@transaction.atomic
def quiz_pieces_make(*, campaign: Campaign, settings: Settings, fill_in: bool = False) -> Pieces:
    """Check what crosses the files, and make the work of them; from then on they cannot change.

    With `fill_in`, programs' summaries that are missing are made by maximal marginal relevance.
    """
    campaign_write_lock(campaign_id=campaign.pk)
    pieces_check(campaign=campaign)
    if fill_in:
        _summaries_make(campaign, settings)
    files = QuizFiles.of(campaign, settings)
    if faults := [*_faults_of_campaign(campaign, settings), *files.faults(settings)]:
        raise FilesUnready(faults)
    files = files.with_sounds
    conditions = conditions_of(settings)
    share = settings["people"] // len(conditions)
    for part, work_round in ((PREPARE_KEY, Round.EDIT), (QUIZ_KEY, Round.RATE)):
        work = [(text, each, _body(part, files, text, each)) for text in files.of_design for each in conditions]
        _work_create(campaign, part, work_round, work, share)
    if files.warm_up:
        Material.objects.create(**_warm_up(campaign, files))
    cells = latin_rows(len(conditions))
    texts, n = files.of_design, len(conditions)
    DesignRow.objects.bulk_create(
        DesignRow(
            campaign=campaign,
            block=number // n,
            row=number % n,
            cells=[[texts[cell.text], conditions[cell.condition].key] for cell in cells[number % len(cells)]],
        )
        for number in range(settings["people"])
    )
    return Pieces(2 * len(texts) * n, settings["people"], files.warnings())


def _summaries_make(campaign: Campaign, settings: Settings) -> None:
    """Make the summaries that are missing, as long as the middle of what people may choose."""
    files, share = QuizFiles.of(campaign, settings), (settings["least_percent"] + settings["most_percent"]) / 200
    rows = []
    for text in files.of_design:
        utterances = files.texts[text]["utterances"]
        chosen = set(mmr_summary([each["text"] for each in utterances], share=share))
        body = {"utterances": [each["id"] for place, each in enumerate(utterances) if place in chosen]}
        missing = [each.key for each in conditions_of(settings) if each.kind == AUTOMATIC]
        rows += [
            Material(campaign=campaign, task=SUMMARY, name=text, condition=key, body=body, digest=json_digest(body))
            for key in missing
            if (text, key) not in files.summaries
        ]
    Material.objects.bulk_create(rows)


def _faults_of_campaign(campaign: Campaign, settings: Settings) -> Iterator[str]:
    wanted = len(conditions_of(settings))
    for name, value in (("editor_tasks", wanted), ("rater_tasks", wanted), ("ratings_per_page", 1)):
        if getattr(campaign, name) != value:
            words = _("The setting “%(setting)s” must be %(value)s.")
            yield words % {"setting": label_of(name), "value": value}


def _body(part: str, files: QuizFiles, text: str, condition: Condition) -> dict[str, Any]:
    """Return all that a page of a visit can show, and the kind of the condition, which it does not tell."""
    body = files.texts[text]
    shared = {name: body[name] for name in ("title", "slides", "audio") if name in body} | {"kind": condition.kind}
    if part == PREPARE_KEY:
        primes = files.questions_of(text, priming=True) if condition.kind == PRIMED else []
        chooses = files.everyone_summarises or condition.kind in OWN_SUMMARIES
        return {**shared, "utterances": body["utterances"], "questions": primes, "chooses": chooses}
    is_given = condition.kind == AUTOMATIC
    summary = files.utterances_of(text, files.summaries[text, condition.key]) if is_given else body["utterances"]
    own = condition.kind in OWN_SUMMARIES
    return {**shared, "utterances": summary, "is_own": own, "questions": files.questions_of(text)}


def _warm_up(campaign: Campaign, files: QuizFiles) -> dict[str, Any]:
    body = _body(QUIZ_KEY, files, files.warm_up, Condition(NONE, NONE))
    expected = {"answers": {each["id"]: each["key"][0] for each in body["questions"]}}
    row = {"name": files.warm_up, "body": body, "expected": expected}
    return {**row, "campaign": campaign, "task": QUIZ_KEY, "digest": json_digest(row)}


def _work_create(
    campaign: Campaign, part: str, work_round: Round, work: list[tuple[str, Condition, dict[str, Any]]], share: int
) -> None:
    """Create the pieces of one visit. Who has one may have no other of its text and none of its condition."""
    material = Material.objects.bulk_create(
        Material(campaign=campaign, task=part, name=text, condition=each.key, body=body, digest=json_digest(body))
        for text, each, body in work
    )
    items = items_create(campaign=campaign, work_round=work_round, count=len(work), rng=Random(0), people=share)
    TaskItem.objects.bulk_create(TaskItem(item=item, material=each) for item, each in zip(items, material, strict=True))
    by_cell = {(text, each.key): item.pk for (text, each, _body), item in zip(work, items, strict=True)}
    conflicts_create(
        pairs=[
            (item, other)
            for (text, condition), item in by_cell.items()
            for (other_text, other_condition), other in by_cell.items()
            if item != other and (text == other_text or condition == other_condition)
        ]
    )
