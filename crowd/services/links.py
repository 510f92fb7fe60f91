"""Make and change join links: the studies by which people come."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.typed_text import typed_texts_validate
from crowd.models import Campaign, JoinLink, Round
from crowd.models.links import CODES, new_code
from crowd.opening import NotReady, opening_check
from crowd.services.audit import audit_record
from crowd.signing_keys import public_keys

EXAMPLE_LENGTH = 60
PLACEHOLDER_SIGNS = set("{}%[]$")


@transaction.atomic
def join_link_create(
    *,
    campaign: Campaign,
    work_round: str,
    platform_key: str,
    user: User | None = None,
    confirmed: Collection[str] = (),
    **settings: Any,
) -> JoinLink:
    """Make a link with a token and codes of its own.

    It stays closed where it would open a round that is not ready (`crowd/opening.py`).
    """
    typed_texts_validate(settings)
    link = JoinLink(campaign=campaign, round=work_round, platform_key=platform_key, **settings)
    link.full_clean()
    missing: list[str] = []
    if link.takes_people:
        try:
            missing = opening_check(campaign=campaign, links=[link], confirmed=confirmed)
        except NotReady:
            link.is_active = False
    link.save()
    audit_record(campaign=campaign, user=user, action="link made", subject=link.title, detail=_without(missing))
    return link


def _without(missing: Collection[str]) -> str:
    return f"without {', '.join(missing)}" if missing else ""


def link_save(link: JoinLink) -> JoinLink:
    """Check and store a new link that comes with something else, whose entry in the log is enough."""
    link.full_clean()
    link.save()
    return link


@transaction.atomic
def join_link_update(*, link: JoinLink, user: User | None = None, **settings: Any) -> None:
    """Change the name, codes and limits of a link, or where its people go back to."""
    changed = sorted(name for name, value in settings.items() if getattr(link, name) != value)
    typed_texts_validate({name: settings[name] for name in changed})
    for name in changed:
        setattr(link, name, settings[name])
    link.full_clean()
    if not changed:
        return
    link.save(update_fields=changed)
    audit_record(
        campaign=link.campaign, user=user, action="link changed", subject=link.title, detail=", ".join(changed)
    )


@transaction.atomic
def join_link_make_codes(*, link: JoinLink, user: User | None = None) -> None:
    """Give each outcome that has no code a new one."""
    join_link_update(link=link, user=user, **{name: getattr(link, name) or new_code() for name in CODES})


@transaction.atomic
def join_link_set_keys(*, link: JoinLink, text: str, user: User | None = None) -> None:
    """Take the ids of a link only from tokens signed by these keys; without any, take them unsigned again."""
    if link.platform.signed_ids is None:
        raise Refused(_("%(platform)s does not sign its IDs.") % {"platform": link.platform.name})
    if text.strip():
        public_keys(text)
    JoinLink.objects.filter(pk=link.pk).update(signing_keys=text.strip())
    action = "link takes signed ids" if text.strip() else "link takes unsigned ids"
    audit_record(campaign=link.campaign, user=user, action=action, subject=link.title)


@transaction.atomic
def join_link_set_active(
    *, link: JoinLink, is_active: bool, user: User | None = None, confirmed: Collection[str] = ()
) -> None:
    """Open or close a link to new people; those already enrolled can continue."""
    campaign, missing = link.campaign, []
    opens = is_active and campaign.takes_work(link.round, is_test=link.is_test)
    if opens and JoinLink.objects.filter(pk=link.pk, is_active=False).exists():
        missing = opening_check(campaign=campaign, links=[link], confirmed=confirmed)
    if JoinLink.objects.filter(pk=link.pk, is_active=not is_active).update(is_active=is_active):
        action = "link opened" if is_active else "link closed"
        audit_record(campaign=campaign, user=user, action=action, subject=link.title, detail=_without(missing))


def join_link_note_wrong_id(*, link: JoinLink, worker_id: str) -> None:
    """Count that someone came with what cannot be an id. A placeholder is kept as an example, never a name."""
    example = worker_id[:EXAMPLE_LENGTH] if PLACEHOLDER_SIGNS & set(worker_id) else ""
    JoinLink.objects.filter(pk=link.pk).update(
        wrong_ids=F("wrong_ids") + 1, wrong_id_example=example, wrong_id_at=database_now()
    )


def join_link_note_other_id(*, link: JoinLink, platform: str) -> None:
    """Count that someone came to a direct link with an id of a platform. The id itself is not stored."""
    JoinLink.objects.filter(pk=link.pk).update(
        other_ids=F("other_ids") + 1, other_id_platform=platform, other_id_at=database_now()
    )


@transaction.atomic
def join_link_forget_wrong_ids(*, link: JoinLink) -> None:
    """Begin to count wrong ids, and those of other platforms, anew, after the address was mended."""
    none = {"wrong_ids": 0, "wrong_id_example": "", "wrong_id_at": None}
    JoinLink.objects.filter(pk=link.pk).update(**none, other_ids=0, other_id_platform="", other_id_at=None)


@transaction.atomic
def round_pause_set(
    *, campaign: Campaign, work_round: str, is_paused: bool, user: User | None = None, confirmed: Collection[str] = ()
) -> None:
    """Pause a round, or let it go on. Paused, it takes nobody new and gives out nothing new."""
    name = f"{Round(work_round)}_paused"
    missing = []
    if campaign.is_open and campaign.is_paused(work_round) and not is_paused:
        links = campaign.links.filter(round=work_round, is_active=True)
        missing = opening_check(campaign=campaign, links=links, confirmed=confirmed)
    if Campaign.objects.filter(pk=campaign.pk, **{name: not is_paused}).update(**{name: is_paused}):
        action = "round paused" if is_paused else "round goes on"
        subject = str(Round(work_round).label)
        audit_record(campaign=campaign, user=user, action=action, subject=subject, detail=_without(missing))
    setattr(campaign, name, is_paused)
