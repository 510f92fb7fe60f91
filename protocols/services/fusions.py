"""Compose the material of a task from the sentences that people made of two in a closed campaign, and from systems'.

Nothing of the people who wrote them is stored with it. Who wrote a sentence of a pair is kept from the material of that
pair whenever they join: they are known by the id of their platform.
"""

import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from common.errors import Refused
from common.json_values import json_digest
from compressions.fusions import pair_of
from compressions.models import Compression, Source, SystemOutput
from compressions.selectors.writing import texts_only_by
from crowd.models import Assignment, Campaign, Enrolment, Round, Worker
from crowd.selectors.campaigns import campaigns_of_user
from crowd.selectors.members import uncounted_workers
from crowd.services.audit import audit_record
from crowd.services.items import items_close
from crowd.services.write_locks import campaign_write_lock
from measures.experiments import hypothesis_sets
from protocols.models import Material, TaskItem
from protocols.services.pieces import material_create, material_of
from protocols.task import MaterialRow, StudyTask

REFERENCE = "reference"
BASELINES = ("longer", "dropstop", "comp")
FUSIONS = "fusions"
"""The setting of a task that names the campaign whose fusions it takes in."""
TEXT_GONE = "…"
"""What stands in material for a text that its writer wanted deleted."""
State = Assignment.State


@dataclass(frozen=True)
class FusedText:
    name: str
    text: str
    kind: str


@dataclass(frozen=True)
class FusedPair:
    """Two sentences, and what was made of them by people, systems and, perhaps, whoever wrote the reference."""

    name: str
    sentences: tuple[str, str]
    texts: Sequence[FusedText]


def campaign_of_fusions(slug: str, user: User | None) -> Campaign:
    """Return the campaign that a task names, or refuse; `user` is who asks, or None for a command."""
    known = Campaign.objects.all() if user is None else campaigns_of_user(user)
    found = known.filter(slug=slug, sandbox_of=None).first()
    if found is None or not found.fuses:
        raise Refused(
            _("There is no campaign “%(name)s” of yours whose editors make one sentence of two.") % {"name": slug}
        )
    if not found.is_final:
        raise Refused(_("%(campaign)s has to be closed first, so that nobody writes more.") % {"campaign": found.name})
    return found


def fused_pairs(campaign: Campaign) -> list[FusedPair]:
    """Return the pairs of a campaign with their texts; those of people who were left out or withdrew do not count."""
    texts = {each.source_id: each.text for each in Source.objects.filter(campaign=campaign, retired_at=None)}
    counted = Compression.objects.filter(source__campaign=campaign, source__retired_at=None)
    counted = counted.filter(assignment__state=State.SUBMITTED, is_imported=False)
    counted = counted.exclude(worker__in=uncounted_workers(campaign, Round.EDIT)).order_by("worker__number", "pk")
    written: dict[str, dict[str, str]] = {name: {} for name in sorted(texts)}
    for name, person, text in counted.values_list("source__source_id", "worker__number", "target__text"):
        written[name][str(person)] = text
    others: dict[str, dict[str, str]] = {}
    outputs = SystemOutput.objects.filter(system__campaign=campaign, source__retired_at=None).order_by("system__name")
    for name, system, text in outputs.values_list("source__source_id", "system__name", "target__text"):
        others.setdefault(name, {})[system] = text
    try:
        sets = hypothesis_sets(written, others).sets
    except ValueError as error:
        raise Refused(str(error)) from error
    return [
        FusedPair(
            name,
            pair_of(texts[name]),
            [FusedText(of, each.text, _kind(of, others.get(name, {}))) for each in made for of in each.names],
        )
        for name, made in sets.items()
    ]


def _kind(name: str, of_systems: Mapping[str, str]) -> str:
    if name not in of_systems:
        return "human"
    return REFERENCE if name == REFERENCE else "baseline" if name in BASELINES else "system"


@transaction.atomic
def fusions_compose(*, campaign: Campaign, task: StudyTask, rows: Sequence[MaterialRow], user: User | None) -> str:
    """Store lines of material, all or none, and say what was made; the same again changes nothing."""
    campaign_write_lock(campaign_id=campaign.pk)
    made = [material_of(campaign, task, row) for row in rows]
    checksum = json_digest(sorted(each.digest for each in made))
    stored = Material.objects.filter(campaign=campaign, name__in={each.name for each in made})
    known = {(each.name, each.system): each.digest for each in stored}
    if known and known != {(each.name, each.system): each.digest for each in made}:
        raise Refused(_("There is other material of these pairs already. Nothing is changed."))
    if not known:
        material_create(made, campaign)
        writers_bar(campaign, Worker.objects.filter(campaign=campaign))
        audit_record(campaign=campaign, user=user, action="fusions taken in", detail=f"{len(made)} lines, {checksum}")
    words = _("%(lines)s lines of material are made of the fusions. Their checksum is %(checksum)s.")
    return words % {"lines": f"{len(made):,}", "checksum": checksum}


def writers_bar(campaign: Campaign, people: QuerySet[Worker]) -> None:
    """Keep people from the pairs of which they wrote a sentence in the campaign whose fusions are taken in."""
    slug = campaign.task_settings.get(FUSIONS)
    here = {
        (key, name): pk
        for key, name, pk in people.exclude(external_id="").values_list("platform_key", "external_id", "pk")
    }
    if not slug or not here:
        return
    items: dict[str, list[int]] = {}
    for name, item in TaskItem.objects.filter(material__campaign=campaign).values_list("material__name", "item_id"):
        items.setdefault(name, []).append(item)
    names = people.exclude(external_id="").values("external_id")
    wrote = Compression.objects.filter(source__campaign__slug=slug, worker__external_id__in=names)
    rows = wrote.values_list("worker__platform_key", "worker__external_id", "source__source_id")
    barred = [
        Assignment(item_id=item, worker_id=here[key, name], round=Round.RATE, state=State.BLOCKED)
        for key, name, pair in rows
        if (key, name) in here
        for item in items.get(pair, ())
    ]
    Assignment.objects.bulk_create(barred, batch_size=1000, ignore_conflicts=True)


def writer_joined(enrolment: Enrolment) -> None:
    """Keep somebody who joins from the pairs of which they wrote a sentence."""
    campaign = enrolment.campaign
    if campaign.task_settings.get(FUSIONS):
        campaign_write_lock(campaign_id=campaign.pk)  # material that is being composed is seen, or sees this person
        writers_bar(campaign, Worker.objects.filter(pk=enrolment.worker_id))


def fusions_forget(worker: Worker) -> None:
    """Take the texts of somebody who wants them deleted out of the material that was composed of them."""
    if not (worker.campaign.fuses and worker.campaign.texts_go_on_erasure):
        return
    gone: dict[str, set[str]] = {}
    for name, text in texts_only_by(worker).values_list("source__source_id", "text"):
        gone.setdefault(name, set()).add(unicodedata.normalize("NFC", text).strip())
    of_it = Material.objects.filter(**{f"campaign__task_settings__{FUSIONS}": worker.campaign.slug}, name__in=gone)
    for material in of_it.select_related("task_item"):
        body = _without(material.body, gone[material.name])
        if body != material.body:
            Material.objects.filter(pk=material.pk).update(body=body)
            items_close(item_ids=[material.task_item.item_id])


def _without(body: Mapping[str, Any], texts: Container[str]) -> dict[str, Any]:
    """Return the body of a set or of one text to be judged, without what somebody wrote."""
    kept = {**body}
    if body.get("output") in texts:
        kept["output"] = TEXT_GONE
    if "hypotheses" in body:
        kept["hypotheses"] = [
            {**each, "text": TEXT_GONE} if each["text"] in texts else each for each in body["hypotheses"]
        ]
    return kept
