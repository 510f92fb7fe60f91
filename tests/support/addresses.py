"""Every address of the project, what it needs, and what becomes of a GET and a POST in every role."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import default_key

from corpus.downloads import link_token
from crowd.access import Access
from crowd.accounts.codes import SALT
from crowd.models import Round
from crowd.models.links import CODES
from crowd.page_words import words_version
from tests.support.factories import EDIT, RATE, RELEASE_FORM, SENTENCE, link_of, submission_of
from tests.support.settings import settings_of
from tests.support.signing import SIGNING_KEY, key_set
from tests.support.world import DRAFT_PAGE, ROLES, STUDY, VIEWER, WORKER, World

LOGIN = "sent to login"
PASSWORD, NEW_PASSWORD = "correct horse battery", "staple of quite another kind"
Outcome = int | str
# One for each role, in the order of ROLES; staff are owners.
Outcomes = tuple[Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome]
Arguments = Callable[[World], Mapping[str, object]]
Form = Callable[[World], Mapping[str, object]]

EVERYBODY: Outcomes = (200, 200, 200, 200, 200, 200, 200, 200, 200)
EVERYBODY_ON: Outcomes = (302, 302, 302, 302, 302, 302, 302, 302, 302)
NOWHERE: Outcomes = (404, 404, 404, 404, 404, 404, 404, 404, 404)
NOT_HERE: Outcomes = (405, 405, 405, 405, 405, 405, 405, 405, 405)
REFUSED: Outcomes = (403, 403, 403, 403, 403, 403, 403, 403, 403)

WORKERS: Outcomes = (403, 200, 200, 403, 403, 403, 403, 403, 403)
WORKERS_ON: Outcomes = (403, 302, 302, 403, 403, 403, 403, 403, 403)
NOT_FOR_WORKERS: Outcomes = (403, 405, 405, 403, 403, 403, 403, 403, 403)
ITS_WORKER: Outcomes = (403, 200, 404, 403, 403, 403, 403, 403, 403)
ITS_WORKER_ON: Outcomes = (403, 302, 404, 403, 403, 403, 403, 403, 403)

ACCOUNTS: Outcomes = (LOGIN, LOGIN, LOGIN, 200, 200, 200, 200, 200, 200)
ACCOUNTS_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 302, 302, 302, 302, 302, 302)
NOT_FOR_ACCOUNTS: Outcomes = (LOGIN, LOGIN, LOGIN, 405, 405, 405, 405, 405, 405)
NOBODYS_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 404, 404, 404, 404, 404, 404)
ITS_STAFF: Outcomes = (LOGIN, LOGIN, LOGIN, 200, 404, 200, 200, 200, 404)
ITS_STAFF_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 302, 404, 302, 302, 403, 404)
NOT_FOR_ITS_STAFF: Outcomes = (LOGIN, LOGIN, LOGIN, 405, 404, 405, 405, 405, 404)
ITS_OWNERS: Outcomes = (LOGIN, LOGIN, LOGIN, 200, 404, 200, 403, 403, 404)
ITS_OWNERS_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 302, 404, 302, 403, 403, 404)
ITS_MANAGERS: Outcomes = (LOGIN, LOGIN, LOGIN, 200, 404, 200, 200, 403, 404)
ITS_MANAGERS_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 302, 404, 302, 302, 403, 404)
ITS_MANAGERS_UNTYPED: Outcomes = (LOGIN, LOGIN, LOGIN, 422, 404, 422, 422, 403, 404)
NOT_FOR_ITS_MANAGERS: Outcomes = (LOGIN, LOGIN, LOGIN, 405, 404, 405, 405, 403, 404)
NOT_FOR_ITS_OWNERS: Outcomes = (LOGIN, LOGIN, LOGIN, 405, 404, 405, 403, 403, 404)
ITS_EXPERTS_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 404, 404, 404, 404, 404, 302)
NOT_FOR_ITS_EXPERTS: Outcomes = (LOGIN, LOGIN, LOGIN, 404, 404, 404, 404, 404, 405)
ITS_STAFF_LED_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 302, 404, 302, 302, 302, 404)
ITS_STAFF_UNTYPED: Outcomes = (LOGIN, LOGIN, LOGIN, 422, 404, 422, 422, 403, 404)
ITS_OWNERS_UNTYPED: Outcomes = (LOGIN, LOGIN, LOGIN, 422, 404, 422, 403, 403, 404)
NOT_OF_ITS_TASK: Outcomes = (LOGIN, LOGIN, LOGIN, 404, 404, 404, 404, 404, 404)
NOT_OF_ITS_TASK_ON: Outcomes = (LOGIN, LOGIN, LOGIN, 404, 404, 404, 404, 403, 404)
NOT_THEIR_TASK: Outcomes = (403, 404, 404, 403, 403, 403, 403, 403, 403)
SCORES_FIGURE = {"key": "systems", "form": "svg"}
NO_FIGURE = {"tab": "answer", "key": "none", "form": "svg"}
A_FILE = b"precis_campaign: 1\nname: Made of a file\n"


def nothing(_world: World) -> Mapping[str, object]:
    return {}


def of_page_words(_world: World) -> Mapping[str, object]:
    return {"language": "de", "version": words_version("de")}


def of_campaign(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug}


def of_study(world: World) -> Mapping[str, object]:
    return {"slug": world.study.slug}


def study_task(world: World) -> Mapping[str, object]:
    return {"assignment_id": world.study_task.pk}


def study_answer(_world: World) -> Mapping[str, object]:
    return {"answer": json.dumps({"marks": [], "no_errors": True, "score": 90}), "version": "0"}


def of_material_import(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "import_id": 1}


def of_answers(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "form": "wmt-tsv"}


def of_sound(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "sound_id": 1}


def of_communities(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "form": "jsonl"}


def of_document(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "place": 1}


def of_graph(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "place": 1, "form": "graphml"}


def of_text(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "material_id": 1}


def of_release(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "version": world.release.version}


def of_system_run(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "run_id": world.system_run.pk}


def edit_task(world: World) -> Mapping[str, object]:
    return {"assignment_id": world.task(WORKER, EDIT).pk}


def rate_task(world: World) -> Mapping[str, object]:
    return {"assignment_id": world.task(WORKER, RATE).pk}


def compression(world: World) -> Mapping[str, object]:
    sent = submission_of(world.task(WORKER, EDIT).item.source)
    return {"text": sent.text, "log": json.dumps(sent.raw_log), "started_from": sent.started_from}


def a_new_campaign(_world: World) -> Mapping[str, object]:
    sizes = {"keep_percent": 75, "editors_per_source": 5, "raters_per_compression": 3, "page_language": "en"}
    return {"name": "A new one", "slug": "a-new-one", "language": "en", "rating_task": "single", **sizes}


def general_settings(world: World) -> Mapping[str, object]:
    return settings_of(world.campaign, name="As it is called now")


def pay_settings(world: World) -> Mapping[str, object]:
    return settings_of(world.campaign, minimum_hourly_pay="9.50")


def of_pay(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "tab": "pay"}


def judgement(world: World) -> Mapping[str, object]:
    return points_for(world.task(WORKER, RATE).pk)


def points_for(name: int) -> dict[str, object]:
    """Points on both scales, for the task or the example of this number."""
    return {f"meaning-{name}": "3", f"grammar-{name}": "2"}


def of_link(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "link_id": world.signed_link.pk}


def link_form(_world: World) -> Mapping[str, object]:
    return {"name": "The pilot", **{name: f"{name}-1" for name in CODES}}


def of_webhook(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "webhook_id": world.webhook.pk}


def of_delivery(world: World) -> Mapping[str, object]:
    return {**of_webhook(world), "delivery_id": world.webhook.deliveries.get().pk}


def of_round(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "work_round": RATE}


def by_link(world: World) -> Mapping[str, object]:
    return {"link": link_of(world.campaign, RATE).pk}


def of_practice(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "item_id": world.practice.pk}


def of_gold(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "gold_id": world.gold.pk}


def practice_file(world: World) -> Mapping[str, object]:
    """A question of practice: a test would stand between the workers and their tasks."""
    return {"file": SimpleUploadedFile("questions.jsonl", question_line(world, is_practice=True))}


def gold_file(world: World) -> Mapping[str, object]:
    return {"file": SimpleUploadedFile("questions.jsonl", question_line(world))}


def question_line(world: World, **fields: object) -> bytes:
    texts = {"source": world.example.source, "compression": world.example.compression, "why": world.example.why}
    return json.dumps({**texts, "answers": {"meaning": [3], "grammar": [3]}, **fields}).encode()


def of_source(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "source_id": world.source.source_id}


def of_alignment(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "target_id": world.compression.target_id}


def of_person(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "number": world.person.number}


def example(world: World) -> Mapping[str, object]:
    texts = {"source": world.example.source, "compression": world.example.compression, "why": world.example.why}
    return texts | {"answers-meaning": ["3"], "answers-grammar": ["2", "3"]}


def translations_file(_world: World) -> Mapping[str, object]:
    return {"file": SimpleUploadedFile("fr.csv", b"id,kind,language,made_by,translated\n")}


def of_translations(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "import_id": world.translations.pk}


def outputs(world: World) -> Mapping[str, object]:
    rows = json.dumps({"id": world.source.source_id, "text": "What a system wrote."}).encode()
    return {"system": "a system", "file": SimpleUploadedFile("outputs.jsonl", rows)}


def ratings_file(world: World) -> Mapping[str, object]:
    row = {"id": world.source.source_id, "system": "Echo", "rater": "another model", "meaning": 2}
    return {"pool": "model", "file": SimpleUploadedFile("ratings.jsonl", json.dumps(row).encode())}


@dataclass(frozen=True)
class Row:
    """What becomes of a GET and of a POST, and with what they are sent."""

    access: Access
    get: Outcomes
    post: Outcomes
    arguments: Arguments = nothing
    form: Form = nothing
    work_round: str = EDIT

    def outcome(self, method: str, role: str) -> Outcome:
        """What becomes of a request. Viewers are told first that they change nothing, whatever a page takes."""
        if method == "post" and role == VIEWER and self.access is Access.CAMPAIGN_STAFF:
            return 403
        return (self.get if method == "get" else self.post)[ROLES.index(role)]


def of_member(world: World) -> Mapping[str, object]:
    return {"slug": world.campaign.slug, "member_id": world.members[VIEWER].pk}


def new_account(_world: World) -> Mapping[str, object]:
    return {"username": "newcomer", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}


def new_password(_world: World) -> Mapping[str, object]:
    return {"old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}


def second_factor(_world: World) -> Mapping[str, object]:
    key = default_key()
    code = f"{TOTP(bytes.fromhex(key)).token():06d}"
    return {"key": signing.dumps(key, salt=SALT), "code": code, "password": PASSWORD}


TABLE = {
    "home": Row(Access.PUBLIC, EVERYBODY_ON, NOT_HERE),
    "handbook": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "accessibility": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "documents": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "document": Row(Access.PUBLIC, EVERYBODY, NOT_HERE, lambda _: {"name": "glossary"}),
    "api": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "api-openapi": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "health": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "health-live": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "health-ready": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "metrics": Row(Access.PUBLIC, NOWHERE, NOT_HERE),
    "login": Row(Access.PUBLIC, EVERYBODY, EVERYBODY, form=lambda _: {"username": "nobody", "password": "guess"}),
    "logout": Row(Access.PUBLIC, NOT_HERE, EVERYBODY_ON),
    "account": Row(Access.SIGNED_IN, ACCOUNTS, NOT_FOR_ACCOUNTS),
    "account-tokens": Row(
        Access.SIGNED_IN, ACCOUNTS, ACCOUNTS, form=lambda _: {"name": "A script", "days": "7", "password": PASSWORD}
    ),
    "account-token-revoke": Row(Access.SIGNED_IN, NOT_FOR_ACCOUNTS, NOBODYS_ON, lambda _: {"token_id": 1}),
    "account-password": Row(Access.SIGNED_IN, ACCOUNTS, ACCOUNTS_ON, form=new_password),
    "account-second-factor": Row(Access.SIGNED_IN, ACCOUNTS, ACCOUNTS, form=second_factor),
    "account-email": Row(
        Access.SIGNED_IN, ACCOUNTS, ACCOUNTS_ON, form=lambda _: {"email": "a@example.org", "password": PASSWORD}
    ),
    "account-end-session": Row(Access.SIGNED_IN, NOT_FOR_ACCOUNTS, ACCOUNTS_ON, lambda _: {"name": "0" * 32}),
    "account-end-others": Row(Access.SIGNED_IN, NOT_FOR_ACCOUNTS, ACCOUNTS_ON),
    "password-reset": Row(Access.PUBLIC, EVERYBODY, EVERYBODY_ON, form=lambda _: {"email": "nobody@example.org"}),
    "password-reset-sent": Row(Access.PUBLIC, EVERYBODY, NOT_HERE),
    "password-reset-confirm": Row(Access.PUBLIC, EVERYBODY, EVERYBODY, lambda _: {"uidb64": "MQ", "token": "a-guess"}),
    "dashboard": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "campaign-from-file": Row(
        Access.SIGNED_IN, ACCOUNTS, ACCOUNTS_ON, form=lambda _: {"file": SimpleUploadedFile("campaign.yaml", A_FILE)}
    ),
    "campaign-templates": Row(Access.SIGNED_IN, ACCOUNTS, NOT_FOR_ACCOUNTS),
    "campaign-from-template": Row(
        Access.SIGNED_IN, ACCOUNTS, ACCOUNTS_ON, lambda _: {"key": "headline"}, lambda _: {"name": "Headlines"}
    ),
    "campaign-template-file": Row(Access.SIGNED_IN, ACCOUNTS, NOT_FOR_ACCOUNTS, lambda _: {"key": "headline"}),
    "campaign-file": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "campaign-copy": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"name": "A copy"}),
    "campaign-state": Row(
        Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"state": "paused"}
    ),
    "campaign-mails": Row(Access.CAMPAIGN_LOOKER, NOT_FOR_ITS_STAFF, ITS_STAFF_LED_ON, of_campaign),
    "campaign-delete": Row(
        Access.CAMPAIGN_OWNER, ITS_OWNERS, ITS_OWNERS_UNTYPED, of_campaign, lambda _: {"name": "another name"}
    ),
    "preview": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "work_round": EDIT},
    ),
    "preview-end": Row(Access.PUBLIC, NOT_HERE, EVERYBODY_ON, lambda _: {"slug": "no-preview"}),
    "test-people": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "labelled-sessions": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"act": "remove"}),
    "simulate": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_UNTYPED,
        of_campaign,
        lambda _: {"editors": "1", "raters": "1"},
    ),
    "webhooks": Row(
        Access.CAMPAIGN_MANAGER,
        ITS_MANAGERS,
        ITS_MANAGERS_UNTYPED,
        of_campaign,
        lambda _: {"address": "https://hooks.example.org/", "events": ["job.failed"]},
    ),
    "webhook": Row(Access.CAMPAIGN_MANAGER, ITS_MANAGERS, NOT_FOR_ITS_MANAGERS, of_webhook),
    "webhook-state": Row(
        Access.CAMPAIGN_MANAGER, NOT_FOR_ITS_MANAGERS, ITS_MANAGERS_ON, of_webhook, lambda _: {"active": "0"}
    ),
    "webhook-test": Row(Access.CAMPAIGN_MANAGER, NOT_FOR_ITS_MANAGERS, ITS_MANAGERS_ON, of_webhook),
    "webhook-delete": Row(Access.CAMPAIGN_MANAGER, NOT_FOR_ITS_MANAGERS, ITS_MANAGERS_ON, of_webhook),
    "webhook-again": Row(Access.CAMPAIGN_MANAGER, NOT_FOR_ITS_MANAGERS, ITS_MANAGERS_ON, of_delivery),
    "crowd:join": Row(Access.PUBLIC, EVERYBODY, EVERYBODY_ON, lambda world: {"token": world.token}),
    "crowd:page-words": Row(Access.PUBLIC, EVERYBODY, NOT_HERE, of_page_words),
    "crowd:work": Row(Access.WORKER, WORKERS_ON, NOT_FOR_WORKERS),
    "crowd:guidelines": Row(Access.WORKER, WORKERS, WORKERS_ON),
    "crowd:claim": Row(Access.WORKER, NOT_FOR_WORKERS, WORKERS_ON),
    "crowd:finish": Row(Access.WORKER, NOT_FOR_WORKERS, WORKERS_ON, work_round=RATE),
    "crowd:stop": Row(Access.WORKER, WORKERS, NOT_FOR_WORKERS),
    "crowd:withdraw": Row(Access.WORKER, NOT_FOR_WORKERS, WORKERS_ON, work_round=RATE),
    "crowd:leave": Row(Access.WORKER, NOT_FOR_WORKERS, WORKERS_ON),
    "crowd:done": Row(Access.WORKER, WORKERS_ON, NOT_FOR_WORKERS),
    "crowd:renew": Row(Access.WORKER, NOT_FOR_WORKERS, ITS_WORKER, edit_task),
    "crowd:session": Row(Access.PUBLIC, EVERYBODY, REFUSED),
    "crowd:skip": Row(
        Access.WORKER, NOT_FOR_WORKERS, ITS_WORKER_ON, edit_task, lambda _: {"reason": "unclear", "text": ""}
    ),
    "crowd:problem": Row(
        Access.WORKER, NOT_FOR_WORKERS, ITS_WORKER_ON, edit_task, lambda _: {"reason": "broken", "text": ""}
    ),
    "crowd:campaigns": Row(Access.SIGNED_IN, ACCOUNTS, NOT_FOR_ACCOUNTS),
    "crowd:campaign-new": Row(Access.SIGNED_IN, ACCOUNTS, ACCOUNTS_ON, form=a_new_campaign),
    "crowd:campaign-edit": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, general_settings),
    "crowd:settings-tab": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_pay, pay_settings),
    "crowd:settings-preview": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF,
        of_campaign,
        lambda _: {"name": "consent", "text": "*Agree*?"},
    ),
    "crowd:settings-history": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "crowd:links": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"round": EDIT, "platform_key": "sona"}
    ),
    "crowd:link": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_link, link_form),
    "crowd:link-codes": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_link),
    "crowd:link-wrong-ids": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_link),
    "crowd:round-pause": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {**of_campaign(world), "work_round": Round.EXPERT},
        lambda _: {"paused": "1"},
    ),
    "crowd:link-state": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "link_id": world.campaign.links.first().pk},  # type: ignore[union-attr]
        lambda _: {"active": "1"},
    ),
    "crowd:link-keys": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "link_id": world.signed_link.pk},
        lambda _: {"keys": json.dumps(key_set(SIGNING_KEY))},
    ),
    "crowd:browser-request": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "request_id": world.asking.pk},
        lambda _: {"allowed": "1"},
    ),
    "crowd:staff": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "crowd:invite": Row(
        Access.CAMPAIGN_OWNER,
        NOT_FOR_ITS_OWNERS,
        ITS_OWNERS_ON,
        of_campaign,
        lambda _: {"role": "viewer", "days": "7", "email": ""},
    ),
    "crowd:revoke": Row(
        Access.CAMPAIGN_OWNER,
        NOT_FOR_ITS_OWNERS,
        ITS_OWNERS_ON,
        lambda world: {"slug": world.campaign.slug, "invitation_id": world.campaign.invitations.get().pk},
    ),
    "crowd:member": Row(
        Access.CAMPAIGN_OWNER, NOT_FOR_ITS_OWNERS, ITS_OWNERS_ON, of_member, lambda _: {"role": "manager"}
    ),
    "crowd:member-remove": Row(Access.CAMPAIGN_OWNER, NOT_FOR_ITS_OWNERS, ITS_OWNERS_ON, of_member),
    "crowd:invitation": Row(
        Access.PUBLIC, EVERYBODY, EVERYBODY_ON, lambda world: {"token": world.invitation_token}, new_account
    ),
    "crowd:list-view": Row(
        Access.CAMPAIGN_LOOKER,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_LED_ON,
        lambda world: {**of_campaign(world), "staff_list": "texts"},
        lambda _: {"name": "mine"},
    ),
    "crowd:audit": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "crowd:audit-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "crowd:rate-as-expert": Row(Access.CAMPAIGN_EXPERT, NOT_FOR_ITS_EXPERTS, ITS_EXPERTS_ON, of_campaign),
    "crowd:job": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "job_id": world.wanted.job_id},
    ),
    "compressions:task": Row(Access.WORKER, ITS_WORKER, ITS_WORKER_ON, edit_task, compression),
    "compressions:draft": Row(
        Access.WORKER, ITS_WORKER, NOT_FOR_WORKERS, lambda world: {**edit_task(world), "page": DRAFT_PAGE}
    ),
    "compressions:compression": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "compression_id": world.compression.pk},
    ),
    "compressions:flags-seen": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "compression_id": world.compression.pk},
        lambda _: {"seen": "1"},
    ),
    "compressions:flags-seen-many": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_campaign,
        lambda world: {"chosen": str(world.compression.pk), "seen": "1"},
    ),
    "compressions:alignment": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        ITS_STAFF_ON,
        of_alignment,
        lambda _: {"take_back": "1", "based_on_version": "0"},
    ),
    "compressions:flagged": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:remarks": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:remark-answer": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "remark_id": world.remark.pk},
        lambda _: {"answered": "1", "note": "Thanked."},
    ),
    "compressions:flagged-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:remarks-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:paragraphs": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"count": "1", "seed": "1"}
    ),
    "compressions:sources": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:source": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        of_source,
    ),
    "compressions:sources-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "compressions:source-retire": Row(
        Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_source, lambda _: {"note": "Broken.", "work": "keep"}
    ),
    "compressions:sources-retire": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_campaign,
        lambda world: {"chosen": str(world.compression.source_id), "note": "Broken.", "work": "keep"},
    ),
    "compressions:source-reinstate": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_source),
    "compressions:source-correct": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_source,
        lambda _: {"text": SENTENCE.format(number=98), "note": "Broken.", "work": "keep"},
    ),
    "compressions:imports": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        ITS_STAFF_ON,
        of_campaign,
        lambda _: {"file": SimpleUploadedFile("texts.csv", b"id,genre,text\n")},
    ),
    "compressions:translations": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, translations_file),
    "compressions:translation-import": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_translations),
    "compressions:import": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "import_id": world.wanted.pk},
    ),
    "ratings:qualification": Row(Access.WORKER, WORKERS_ON, WORKERS_ON, work_round=RATE),
    "ratings:qualification-result": Row(
        Access.WORKER, WORKERS_ON, NOT_FOR_WORKERS, lambda _: {"number": 1}, work_round=RATE
    ),
    "ratings:practice": Row(
        Access.WORKER, WORKERS, WORKERS_ON, lambda _: {"number": 1}, lambda world: points_for(world.practice.pk), RATE
    ),
    "ratings:task": Row(Access.WORKER, ITS_WORKER, ITS_WORKER_ON, rate_task, judgement, RATE),
    "ratings:answers": Row(Access.WORKER, WORKERS, NOT_FOR_WORKERS, work_round=RATE),
    "protocols:task": Row(Access.WORKER, ITS_WORKER, ITS_WORKER_ON, study_task, study_answer, STUDY),
    "protocols:draft": Row(
        Access.WORKER, NOT_FOR_WORKERS, ITS_WORKER, study_task, lambda _: {"page": ""}, work_round=STUDY
    ),
    "protocols:work-sound": Row(Access.WORKER, NOT_THEIR_TASK, NOT_FOR_WORKERS, study_task, work_round=STUDY),
    "protocols:practice-sound": Row(Access.WORKER, NOT_THEIR_TASK, NOT_FOR_WORKERS, work_round=STUDY),
    "protocols:wait": Row(Access.WORKER, WORKERS_ON, NOT_FOR_WORKERS, work_round=STUDY),
    "protocols:practice": Row(Access.WORKER, WORKERS_ON, WORKERS_ON, work_round=STUDY),
    "protocols:answers": Row(Access.WORKER, WORKERS, NOT_FOR_WORKERS, work_round=STUDY),
    "protocols:set-up": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_UNTYPED, of_study),
    "protocols:settings": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_study,
        lambda _: {"preset": "esa", "own_preset": "", "premark": "none"},
    ),
    "protocols:material-import": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {**of_study(world), "import_id": world.material.pk},
    ),
    "ratings:raters": Row(Access.CAMPAIGN_STAFF, ITS_STAFF_LED_ON, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:raters-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF_LED_ON, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:participants": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_round),
    "ratings:participants-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF, of_round),
    "ratings:all-participants-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF, of_campaign),
    "ratings:platform-lists": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF, of_round, lambda world: {"list": "approve", **by_link(world)}
    ),
    "ratings:paid": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_round,
        lambda world: {"paid": "1", "people": "1", **by_link(world)},
    ),
    "ratings:exclude-many": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_round,
        lambda _: {"chosen": "1", "note": "Not a person."},
    ),
    "ratings:bonus": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF, of_round, lambda world: {"each": "0.10", **by_link(world)}
    ),
    "ratings:pay": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:pay-tell": Row(
        Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"round": RATE, "minutes": "1"}
    ),
    "ratings:experts": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        ITS_STAFF_ON,
        of_campaign,
        lambda _: {"size": "1", "experts": "1", "seed": "1"},
    ),
    "ratings:person": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_person),
    "ratings:reset-test": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_person),
    "ratings:exclude": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {**of_person(world), "work_round": RATE},
        lambda _: {"excluded": "1", "note": "Not a person."},
    ),
    "ratings:include": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {**of_person(world), "work_round": RATE},
        lambda _: {"included": "1", "note": "Known to be careful."},
    ),
    "ratings:examples": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:example-new": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, example),
    "ratings:example-edit": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_practice, example),
    "ratings:example-delete": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_practice),
    "ratings:example-restore": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_practice),
    "ratings:example-from-gold": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "ratings:example-starter": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "ratings:example-import": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, practice_file),
    "ratings:gold-import": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, gold_file),
    "ratings:gold-restore": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_gold),
    "ratings:gold-new": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, example),
    "ratings:gold-retire": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_gold),
    "ratings:import-ratings": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, ratings_file),
    "ratings:rating-import": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "import_id": world.rating_file.pk},
    ),
    "ratings:model-delete": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "rater_id": world.model.pk},
    ),
    "ratings:quality": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:quality-apply": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "ratings:quality-rule": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "ratings:quality-preview": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:quality-preview-compute": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
    "ratings:decisions-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "ratings:quality-withdraw": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        lambda world: {"slug": world.campaign.slug, "run_id": world.run.pk},
    ),
    "corpus:systems": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, outputs),
    "corpus:output-import": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "import_id": world.outputs.pk},
    ),
    "systems:systems": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "systems:train": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_UNTYPED, of_campaign),
    "systems:run-request": Row(
        Access.CAMPAIGN_STAFF,
        NOT_FOR_ITS_STAFF,
        ITS_STAFF_ON,
        of_campaign,
        lambda _: {"system": "first", "texts": "campaign", "seed": 1},
    ),
    "systems:model": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {"slug": world.campaign.slug, "model_id": world.trained.pk},
    ),
    "systems:run": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_system_run),
    "systems:run-outputs": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_system_run),
    "corpus:releases": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "corpus:freeze": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: RELEASE_FORM),
    "corpus:release": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "corpus:file": Row(
        Access.CAMPAIGN_STAFF,
        ITS_STAFF,
        NOT_FOR_ITS_STAFF,
        lambda world: {**of_release(world), "name": "RawData/train.tsv"},
    ),
    "corpus:shared-file": Row(
        Access.PUBLIC, EVERYBODY, NOT_HERE, lambda world: {"token": link_token(world.release.files.earliest("pk"))}
    ),
    "corpus:browse": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "corpus:overview": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "corpus:overview-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "corpus:overview-latex": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "corpus:erase": Row(Access.CAMPAIGN_OWNER, ITS_OWNERS, ITS_OWNERS_ON, of_person, lambda _: {"is_settled": "on"}),
    "agreement:paper": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "agreement:paper-file": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, lambda world: {**of_release(world), "name": "methods.md"}
    ),
    "agreement:report": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "agreement:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "agreement:csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "agreement:json": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "agreement:latex": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    **{
        f"protocols:{kind}:{name}": Row(  # no output in this release has a rating, and the campaign has no arms
            Access.CAMPAIGN_STAFF, NOBODYS_ON, NOT_FOR_ITS_STAFF, of_release
        )
        for kind in ("comparison", "scale-comparison")
        for name in ("csv", "json", "latex")
    },
    **{  # reports without plots; what figures there are is tested where reports are computed
        f"{kind}:figure": Row(
            Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, lambda world: {**of_release(world), **NO_FIGURE}
        )
        for kind in (
            *("agreement", "edit-operations", "evaluation"),
            *("protocols:comparison", "protocols:scale-comparison"),
        )
    },
    **{
        f"protocols:{kind}:figure": Row(
            Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, lambda world: {**of_campaign(world), **NO_FIGURE}
        )
        for kind in ("absolute", "ranking", "quiz", "spans", "links", "factoids", "scu", "peer")
    },
    **{
        f"{kind}:tab": Row(
            Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, lambda world: {**of_release(world), "tab": "method"}
        )
        for kind in (
            *("agreement", "edit-operations", "evaluation", "scoring"),
            *("protocols:comparison", "protocols:scale-comparison"),
        )
    },
    **{
        f"protocols:{kind}:tab": Row(
            Access.CAMPAIGN_STAFF,
            NOT_OF_ITS_TASK,
            NOT_FOR_ITS_STAFF,
            lambda world: {**of_campaign(world), "tab": "method"},
        )
        for kind in ("absolute", "ranking", "quiz", "spans", "links", "factoids", "scu", "peer")
    },
    "protocols:scale-comparison:report": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "protocols:scale-comparison:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "protocols:comparison:report": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "protocols:comparison:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "edit-operations:report": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "edit-operations:texts": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:texts-csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:json": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:latex": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "edit-operations:alignments": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:report": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "evaluation:metric": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:metric-figure": Row(
        Access.CAMPAIGN_STAFF,
        NOT_OF_ITS_TASK,
        NOT_FOR_ITS_STAFF,
        lambda world: {**of_release(world), "key": "none", "form": "svg"},
    ),
    "evaluation:systems": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:systems-json": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:system": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:csv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:json": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "evaluation:latex": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    # The campaign of the world has no judgement task of its own; protocols/tests has who sees what of one that has.
    "protocols:pieces": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:sounds": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:sound": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_sound),
    "protocols:analysis": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:plan": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, ITS_STAFF_ON, of_campaign, lambda _: {"report": "comparison"}
    ),
    "protocols:absolute:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:absolute:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:absolute:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:absolute:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:absolute:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:ranking:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:ranking:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:ranking:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:ranking:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:ranking:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:quiz:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:quiz:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:quiz:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:quiz:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:quiz:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:spans:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:texts": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:spans:text": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_text),
    "protocols:answers-file": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_answers),
    "protocols:factoids:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:factoids:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:factoids:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:factoids:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:factoids:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:peer:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:peer:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:peer:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:peer:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:peer:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:scu:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:scu:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:scu:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:scu:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:scu:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:links:report": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:links:reports": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, NOT_OF_ITS_TASK_ON, of_campaign),
    "protocols:links:csv": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:links:json": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:links:latex": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_campaign),
    "protocols:links:files": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_communities),
    "protocols:links:document": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_document),
    "protocols:links:graph": Row(Access.CAMPAIGN_STAFF, NOT_OF_ITS_TASK, NOT_FOR_ITS_STAFF, of_graph),
    "scoring:scores": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "scoring:figure": Row(
        Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, lambda world: {**of_release(world), **SCORES_FIGURE}
    ),
    "scoring:runs": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_release),
    "scoring:parquet": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "scoring:tsv": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_release),
    "agreement:plan": Row(Access.CAMPAIGN_STAFF, ITS_STAFF, NOT_FOR_ITS_STAFF, of_campaign),
    "agreement:plan-figure": Row(  # as of reports: nothing has been rated, so there is no figure
        Access.CAMPAIGN_STAFF,
        NOT_OF_ITS_TASK,
        NOT_FOR_ITS_STAFF,
        lambda world: {**of_campaign(world), "key": "none", "form": "svg"},
    ),
    "agreement:plan-compute": Row(Access.CAMPAIGN_STAFF, NOT_FOR_ITS_STAFF, ITS_STAFF_ON, of_campaign),
}


def pages() -> Iterator[tuple[str, URLPattern]]:
    """Every address of a page: not those of the API."""
    return ((name, pattern) for name, pattern in addresses() if not getattr(pattern.callback, "is_api", False))


def address_of(name: str, world: World) -> str:
    return reverse(name, kwargs=dict(TABLE[name].arguments(world)))


def addresses(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address of the project, by its full name."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from addresses(entry, f"{prefix}{entry.namespace}:" if entry.namespace else prefix)
        else:
            yield f"{prefix}{entry.name}", entry
