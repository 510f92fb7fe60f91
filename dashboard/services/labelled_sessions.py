"""Labelled sessions: staff have their own people write some texts and copy others, and learn how these differ.

They are held in a sandbox, a campaign of its own that only a test link leads into and that lasts until staff remove it.
"""

import random
import secrets
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.clock import database_now
from common.computed_results import JobsOf
from common.errors import Refused
from common.extras import CALIBRATION
from common.job_attempts import Attempt
from compressions.labelled import labelled_texts
from compressions.models import Decoy, LabelledSessions, Source
from crowd.models import Campaign, CampaignState, Item, JoinLink, Round
from crowd.models.links import CODES
from crowd.services.audit import audit_record
from crowd.services.campaigns import campaign_create_without_links
from crowd.services.items import items_create
from crowd.services.links import link_save
from dashboard.services.previews import COPIED, sandbox_delete, source_copy
from measures.quality_control.provenance.calibration import LEARNT, calibrate
from measures.text.length_rule import check_compression

CALIBRATION_JOB = "calibration"
JOBS = JobsOf(CALIBRATION_JOB, named_by="labelled")
MOST_SOURCES, MOST_PEOPLE = 200, 1_000
TO_COPY = "to copy"
NOTHING_TO_COPY = gettext_lazy(
    "No text has a decoy or an output of a system that is short enough to be copied. Import decoys first, on the page "
    "Systems."
)
NO_MORE_TO_COPY = gettext_lazy("There are no more texts with a decoy or an output of a system to be copied.")


@transaction.atomic
def labelled_sessions_make(*, campaign: Campaign, user: User) -> int:
    """Begin the labelled sessions of a campaign, or give them the texts that came since; return how many texts."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    known = LabelledSessions.objects.filter(campaign=campaign).select_related("sandbox").first()
    there = set(known.sandbox.sources.values_list("source_id", flat=True)) if known else set()
    pairs = list(_to_copy(campaign, there))
    if not pairs:
        raise Refused(str(NO_MORE_TO_COPY if known else NOTHING_TO_COPY))
    sandbox = known.sandbox if known else _sandbox_make(campaign)
    rng = random.Random(campaign.pk)
    items = items_create(campaign=sandbox, work_round=Round.EDIT, count=len(pairs), rng=rng, people=MOST_PEOPLE)
    # Their order is the label's: what is odd for one person is even for the next.
    for position, (item, (source, text)) in enumerate(zip(items, pairs, strict=True), start=len(there)):
        item.position = position
        Decoy.objects.create(source=source_copy(sandbox, source, item), system=TO_COPY, text=text)
    Item.objects.bulk_update(items, ["position"])
    Campaign.objects.filter(pk=sandbox.pk).update(editor_tasks=len(there) + len(pairs))
    audit_record(campaign=campaign, user=user, action="labelled sessions made", detail=f"{len(pairs)} texts")
    return len(pairs)


def _sandbox_make(campaign: Campaign) -> Campaign:
    settings = {field: getattr(campaign, field) for field in COPIED}
    sandbox = campaign_create_without_links(
        owner=None,
        slug=f"{campaign.slug[:24]}-labelled-{secrets.token_hex(8)}",
        state=CampaignState.DRAFT,
        sandbox_of=campaign,
        **settings,
    )
    codes = dict.fromkeys(CODES, "")
    link_save(JoinLink(campaign=sandbox, round=Round.EDIT, platform_key="direct", is_test=True, **codes))
    LabelledSessions.objects.create(campaign=campaign, sandbox=sandbox)
    return sandbox


def _to_copy(campaign: Campaign, known: set[str]) -> Iterator[tuple[Source, str]]:
    """Yield texts that people are given, with what may be handed in for each: a decoy, or else a system's output."""
    open_items = campaign.items.filter(round=Round.EDIT, is_closed=False)
    sources = Source.objects.filter(item__in=open_items, retired_at=None).exclude(source_id__in=known)
    ordered = sources.order_by("item__position", "pk").prefetch_related("decoys", "outputs__target")
    left = MOST_SOURCES - len(known)
    for source in ordered[: 5 * MOST_SOURCES]:
        text = _short_enough(source, campaign.keep_percent)
        if left > 0 and text:
            left -= 1
            yield source, text


def _short_enough(source: Source, keep_percent: int) -> str:
    texts = (*(each.text for each in source.decoys.all()), *(each.target.text for each in source.outputs.all()))
    accepted = (text for text in texts if check_compression(source.text, text, keep_percent=keep_percent).accepted)
    return next(accepted, "")


def labelled_sessions_remove(*, campaign: Campaign, user: User) -> None:
    """Delete the labelled sessions with their people and texts, and what was learnt from them."""
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        known = LabelledSessions.objects.filter(campaign=campaign).select_related("sandbox").first()
        if known is None:
            return
        sandbox = known.sandbox
        known.delete()
        audit_record(campaign=campaign, user=user, action="labelled sessions removed")
    sandbox_delete(sandbox)


@transaction.atomic
def calibration_request(*, campaign: Campaign, user: User) -> None:
    """Have it learnt from the labelled sessions how copies differ, unless that is under way."""
    if not CALIBRATION.is_installed:
        raise Refused(missing_extra())
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    JOBS.enqueue(campaign.pk, campaign_id=campaign.pk, user=user)


def missing_extra() -> str:
    words = _("Learning from labelled sessions needs the extra “%(extra)s”. Install it on the server: %(command)s")
    return words % {"extra": CALIBRATION.name, "command": CALIBRATION.command}


def calibration_run(*, campaign: Campaign, attempt: Attempt) -> str:
    """Learn from the labelled sessions as they are, and store the result with their checksum."""
    sessions = LabelledSessions.objects.get(campaign=campaign)
    found = labelled_texts(sessions)
    result = calibrate(found.texts)
    if result is None:
        raise Refused(_("There are not enough labelled sessions, or too few people have made most of them."))
    stored = result.as_stored() | {"features": list(LEARNT)}
    with transaction.atomic():
        attempt.fence()
        LabelledSessions.objects.filter(campaign=campaign, sandbox=sessions.sandbox_id).update(
            result=stored, fitted_on=found.digest, fitted_at=database_now()
        )
    return f"Learnt from {len(found.texts)} labelled texts."
