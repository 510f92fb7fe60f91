"""Every operation of the API, with what it is called with; what each role gets follows from what is declared."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, reverse

from crowd.access import MAY, Access
from crowd.models import Role
from tests.support.addresses import (
    Arguments,
    addresses,
    gold_file,
    link_form,
    nothing,
    of_alignment,
    of_campaign,
    of_gold,
    of_link,
    of_person,
    of_practice,
    of_round,
    of_source,
    of_study,
    of_webhook,
    practice_file,
    translations_file,
)
from tests.support.factories import EDIT, RATE, SENTENCE
from tests.support.world import (
    ADMINISTRATOR,
    ANONYMOUS,
    EXPERT,
    MANAGER,
    OTHER_STAFF,
    STAFF,
    STRANGER,
    VIEWER,
    WORKER,
    World,
)

Sent = Callable[[World], Mapping[str, Any]]
METHODS = ("get", "post", "put", "patch", "delete")
SAFE = {"get"}
ROLE_OF = {
    STAFF: Role.OWNER,
    ADMINISTRATOR: Role.OWNER,
    MANAGER: Role.MANAGER,
    VIEWER: Role.VIEWER,
    EXPERT: Role.EXPERT,
}


@dataclass(frozen=True)
class Call:
    """What a method is sent, and the status that it answers with to whoever may call it."""

    status: int = 200
    sent: Sent = nothing
    is_form: bool = False


@dataclass(frozen=True)
class ApiRow:
    """An address of the API: who may use it, and its methods."""

    access: Access
    arguments: Arguments = nothing
    calls: Mapping[str, Call] = field(default_factory=dict)

    def status(self, method: str, role: str) -> int:
        """The status that a role gets; whoever has no token learns nothing else."""
        if role in {ANONYMOUS, WORKER, STRANGER}:
            return 401
        return self._refusal(method, role) or (self.calls[method].status if method in self.calls else 405)

    def _refusal(self, method: str, role: str) -> int | None:
        if self.access is Access.SIGNED_IN:
            return None
        rights = MAY[self.access]
        if role == OTHER_STAFF or ROLE_OF[role] not in rights.see:
            return 404
        return None if ROLE_OF[role] in (rights.look if method in SAFE else rights.change) else 403


def rule(_: World) -> Mapping[str, object]:
    return {"share": 0.1, "min_items": 5}


def of_viewer(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "username": world.members[VIEWER].user.username}


def of_version(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "number": 1}


def of_job(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "job_id": world.wanted.job_id}


API_TABLE = {
    "crowd-api:campaigns": ApiRow(
        Access.SIGNED_IN, calls={"get": Call(), "post": Call(201, lambda _: {"name": "A new one"})}
    ),
    "crowd-api:campaign": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:state": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(sent=lambda _: {"state": "paused"})}),
    "crowd-api:settings": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "patch": Call(sent=lambda _: {"editor_tasks": 98})}
    ),
    "crowd-api:versions": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:version": ApiRow(Access.CAMPAIGN_STAFF, of_version, {"get": Call()}),
    "crowd-api:links": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_campaign,
        {"get": Call(), "post": Call(201, lambda _: {"round": EDIT, "platform": "prolific", "name": "The pilot"})},
    ),
    "crowd-api:link": ApiRow(Access.CAMPAIGN_STAFF, of_link, {"patch": Call(sent=link_form)}),
    "crowd-api:link-codes": ApiRow(Access.CAMPAIGN_STAFF, of_link, {"post": Call()}),
    "crowd-api:round-pause": ApiRow(Access.CAMPAIGN_STAFF, of_round, {"post": Call(sent=lambda _: {"paused": True})}),
    "crowd-api:staff": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:member": ApiRow(
        Access.CAMPAIGN_OWNER,
        of_viewer,
        {"put": Call(sent=lambda _: {"role": "manager"}), "delete": Call(204)},
    ),
    "crowd-api:invitations": ApiRow(
        Access.CAMPAIGN_OWNER, of_campaign, {"post": Call(201, lambda _: {"role": "viewer", "days": 3})}
    ),
    "crowd-api:jobs": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:job": ApiRow(Access.CAMPAIGN_STAFF, of_job, {"get": Call()}),
    "crowd-api:audit": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:progress": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
}


def of_import(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "kind": "texts", "import_id": world.wanted.pk}


def of_compression(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "compression_id": world.compression.pk}


def text_file(_world: World) -> Mapping[str, object]:
    return {"file": SimpleUploadedFile("texts.csv", b"id,genre,text\n")}


RETIRED = {"note": "Broken.", "work_is_kept": True}
API_TABLE |= {
    "compressions-api:texts": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "compressions-api:text": ApiRow(Access.CAMPAIGN_STAFF, of_source, {"get": Call()}),
    "compressions-api:text-retire": ApiRow(Access.CAMPAIGN_STAFF, of_source, {"post": Call(sent=lambda _: RETIRED)}),
    "compressions-api:text-correct": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_source,
        {"post": Call(201, lambda _: {"text": SENTENCE.format(number=98), **RETIRED})},
    ),
    "compressions-api:imports": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(202, text_file, is_form=True)}
    ),
    "compressions-api:import": ApiRow(Access.CAMPAIGN_STAFF, of_import, {"get": Call()}),
    "compressions-api:translation-imports": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(202, translations_file, is_form=True)}
    ),
    "compressions-api:compressions": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_campaign,
        {"get": Call(), "patch": Call(sent=lambda _: {"compressions": [1], "flags_seen": True})},
    ),
    "compressions-api:compression": ApiRow(Access.CAMPAIGN_STAFF, of_compression, {"get": Call()}),
    "compressions-api:remarks": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "compressions-api:paragraphs": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(sent=lambda _: {"count": 1})}
    ),
}


def of_release(world: World) -> Mapping[str, Any]:
    return {"slug": world.campaign.slug, "version": world.release.version}


def of_erased(world: World) -> Mapping[str, Any]:
    return {"slug": world.campaign.slug, "number": world.person.number}


def outputs_file(_world: World) -> Mapping[str, Any]:
    return {"system": "Echo 2", "file": SimpleUploadedFile("outputs.jsonl", b'{"id": "1", "text": "Short."}')}


API_TABLE |= {
    "corpus-api:systems": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "corpus-api:output-imports": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(202, outputs_file, is_form=True)}
    ),
    "corpus-api:releases": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "post": Call(202, lambda _: {"min_compressions": 2})}
    ),
    "corpus-api:release": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "corpus-api:overview": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "corpus-api:file": ApiRow(
        Access.CAMPAIGN_STAFF, lambda world: {**of_release(world), "name": "manifest.json"}, {"get": Call()}
    ),
    "corpus-api:erase": ApiRow(Access.CAMPAIGN_OWNER, of_erased, {"post": Call()}),
    "agreement-api:agreement": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "agreement-api:reports": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_release,
        {"post": Call(202, lambda _: {"draws": 5, "replications": 5, "seed": 3})},
    ),
    "agreement-api:plan": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_campaign,
        {"get": Call(), "post": Call(sent=lambda _: {"raters": [3, 5], "texts": [100, 400]})},
    ),
    "scoring-api:scores": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "scoring-api:runs": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_release,
        {"post": Call(202, lambda _: {"metrics": ["LR-1+Recall+MULT-ALL"], "window": 3})},
    ),
    "scoring-api:parquet": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "scoring-api:tsv": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    # Webhooks. No host is listed, so none can be made or tried.
    "api-webhooks": ApiRow(
        Access.CAMPAIGN_MANAGER,
        of_campaign,
        {
            "get": Call(),
            "post": Call(409, lambda _: {"address": "https://hooks.example.org/", "events": ["job.failed"]}),
        },
    ),
    "api-webhook": ApiRow(
        Access.CAMPAIGN_MANAGER,
        of_webhook,
        {"delete": Call(204)},
    ),
}


def of_rater(world: World) -> Mapping[str, object]:
    return {**of_person(world), "work_round": RATE}


def of_run(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "run_id": world.run.pk}


API_TABLE |= {
    "ratings-api:ratings": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "ratings-api:participants": ApiRow(Access.CAMPAIGN_STAFF, of_round, {"get": Call()}),
    "ratings-api:participant-ids": ApiRow(Access.CAMPAIGN_MANAGER, of_round, {"post": Call()}),
    "ratings-api:person": ApiRow(Access.CAMPAIGN_STAFF, of_person, {"get": Call()}),
    "ratings-api:decision": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_rater,
        {"put": Call(sent=lambda _: {"decision": "exclude", "note": "Known to us."})},
    ),
    "ratings-api:quality": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "ratings-api:quality-preview": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(sent=rule)}),
    "ratings-api:quality-rule": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "put": Call(sent=rule)}),
    "ratings-api:quality-apply": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(202, rule)}),
    "ratings-api:quality-run": ApiRow(Access.CAMPAIGN_STAFF, of_run, {"get": Call()}),
    "ratings-api:quality-withdraw": ApiRow(Access.CAMPAIGN_STAFF, of_run, {"post": Call()}),
    "ratings-api:pay": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "ratings-api:examples": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "post": Call(201, practice_file, is_form=True)}
    ),
    "ratings-api:example": ApiRow(Access.CAMPAIGN_STAFF, of_practice, {"delete": Call(204)}),
    "ratings-api:gold": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "post": Call(201, gold_file, is_form=True)}
    ),
    "ratings-api:gold-question": ApiRow(Access.CAMPAIGN_STAFF, of_gold, {"delete": Call(204)}),
    "ratings-api:experts": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"get": Call(), "post": Call(201, lambda _: {"size": 1, "experts": 1})}
    ),
}


def material_file(_world: World) -> Mapping[str, object]:
    return {"file": SimpleUploadedFile("m.jsonl", b'{"id": "9", "source": "It rained.", "output": "Rain."}')}


API_TABLE |= {
    "protocols-api:task": ApiRow(
        Access.CAMPAIGN_STAFF, of_study, {"get": Call(), "put": Call(sent=lambda _: {"settings": {"preset": "esa"}})}
    ),
    "protocols-api:analysis": ApiRow(
        Access.CAMPAIGN_STAFF, of_study, {"get": Call(404), "put": Call(sent=lambda _: {"parameters": {"draws": 500}})}
    ),
    "protocols-api:pieces": ApiRow(  # its lines are work already
        Access.CAMPAIGN_STAFF, of_study, {"post": Call(409, lambda _: {"fill_in": True})}
    ),
    "protocols-api:sounds": ApiRow(  # its texts have no sound
        Access.CAMPAIGN_STAFF, of_study, {"post": Call(409, material_file, is_form=True)}
    ),
    "protocols-api:material": ApiRow(Access.CAMPAIGN_STAFF, of_study, {"post": Call(202, material_file, is_form=True)}),
}

A_FILE = "precis_campaign: 1\nname: Made of a file\nslug: made-of-a-file\n"
API_TABLE |= {
    "api-campaign-files": ApiRow(
        Access.SIGNED_IN,
        calls={"post": Call(201, lambda _: {"file": A_FILE, "slug": "of-a-file", "name": "Of a file"})},
    ),
    "api-campaign-file": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "api-templates": ApiRow(Access.SIGNED_IN, calls={"get": Call()}),
}

API_TABLE |= {
    "compressions-api:alignment": ApiRow(
        Access.CAMPAIGN_STAFF,
        of_alignment,
        {"get": Call(), "put": Call(200, lambda _: {"places": None, "based_on_version": 0})},
    ),
}


def api_address(name: str, world: World) -> str:
    return reverse(name, kwargs=dict(API_TABLE[name].arguments(world)))


def api_addresses() -> Iterator[tuple[str, URLPattern]]:
    """Every address of the API, by its full name."""
    return ((name, pattern) for name, pattern in addresses() if getattr(pattern.callback, "is_api", False))


API_TABLE |= {
    "protocols-api:comparison:comparison": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call(404)}),
    "protocols-api:comparison:reports": ApiRow(
        Access.CAMPAIGN_STAFF, of_release, {"post": Call(202, lambda _: {"draws": 100})}
    ),
    "protocols-api:scale-comparison:scale-comparison": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call(404)}),
    "protocols-api:scale-comparison:reports": ApiRow(
        Access.CAMPAIGN_STAFF, of_release, {"post": Call(409, lambda _: {"draws": 100})}
    ),
    "edit_operations-api:operations": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "edit_operations-api:reports": ApiRow(
        Access.CAMPAIGN_STAFF, of_release, {"post": Call(202, lambda _: {"draws": 5, "seed": 3})}
    ),
    "edit_operations-api:texts": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "protocols-api:answers": ApiRow(Access.CAMPAIGN_STAFF, of_study, {"get": Call()}),
    "evaluation-api:evaluation": ApiRow(Access.CAMPAIGN_STAFF, of_release, {"get": Call()}),
    "evaluation-api:reports": ApiRow(
        Access.CAMPAIGN_STAFF, of_release, {"post": Call(202, lambda _: {"draws": 5, "seed": 3})}
    ),
}


def ratings_file(_world: World) -> Mapping[str, Any]:
    row = b'{"id": "1", "system": "Echo", "rater": "another model", "meaning": 2}'
    return {"pool": "model", "file": SimpleUploadedFile("ratings.jsonl", row)}


API_TABLE |= {
    "ratings-api:rating-imports": ApiRow(
        Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(202, ratings_file, is_form=True)}
    ),
    "ratings-api:model-raters": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "ratings-api:model-rater": ApiRow(
        Access.CAMPAIGN_STAFF,
        lambda world: {"slug": world.campaign.slug, "rater_id": world.model.pk},
        {"delete": Call(204)},
    ),
}
