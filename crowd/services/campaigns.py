"""Create and update campaigns, say who is their staff, and move them on from draft to archived.

Their texts and scales are checked wherever they come from: a page, a program or a file. What is stored already stays
valid until it is changed: it may be older than a bound.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.typed_text import typed_text_validate
from crowd.arms import arms_validate
from crowd.models import Campaign, CampaignState, Enrolment, JoinLink, Membership, Role, Round, SettingsVersion
from crowd.models.settings_version import (
    EDITORS_READ,
    PEOPLE_READ,
    RATERS_READ,
    VERSIONED,
    changed_names,
    plain_text,
)
from crowd.opening import opening_check
from crowd.prose_bounds import prose_validate
from crowd.readings import placeholders_check, readings_changed, told_names
from crowd.scale_texts import scales_from_text, scales_to_text
from crowd.scales import RESERVED_KEYS, scales_load
from crowd.selectors.campaigns import deletion_has_begun
from crowd.services.account_bounds import campaign_bound, upload_take
from crowd.services.audit import CAMPAIGN_CREATED, audit_record
from crowd.services.links import link_save
from crowd.services.write_locks import campaign_write_lock
from crowd.settings_opened import meanwhile_refuse


class UnconfirmedChange(Refused):
    """People have been told something else, or held to it.

    `before` is the active version, `known` the settings that it stands for, and `after` what is asked for.
    """

    def __init__(self, before: SettingsVersion, known: dict[str, Any], after: dict[str, Any]) -> None:
        super().__init__(_("Participants have worked under other settings. Confirm the change."))
        self.before, self.known, self.after = before, known, after


@transaction.atomic
def campaign_create(*, owner: User | None, **settings: Any) -> Campaign:
    """Create a campaign with one direct link per round; its owner becomes the first staff member."""
    campaign = campaign_create_without_links(owner=owner, **settings)
    for work_round in Round.values:
        link_save(JoinLink(campaign=campaign, round=work_round, platform_key="direct"))
    return campaign


@transaction.atomic
def campaign_create_without_links(*, owner: User | None, **settings: Any) -> Campaign:
    """Create a campaign that nobody can join yet, not even by a direct link."""
    if owner is not None:
        campaign_bound(owner)
    campaign = Campaign(**_with_plain_texts(settings))
    if campaign.slug in RESERVED_SLUGS:
        raise Refused(
            _("“%(name)s” has another meaning in addresses. Choose another short name.") % {"name": campaign.slug}
        )
    campaign.full_clean()
    settings_check(campaign, before=_as_stored(campaign.sandbox_of) if campaign.sandbox_of else {})
    known = campaign.sandbox_of.versioned_settings if campaign.sandbox_of else {}
    placeholders_check(known, campaign.versioned_settings)
    _store_new(campaign)
    campaign.settings_version = _next_version(campaign, number=1, user=owner)
    campaign.save(update_fields=["settings_version"])
    if owner is not None:
        Membership.objects.create(campaign=campaign, user=owner, role=Role.OWNER)
    audit_record(campaign=campaign, user=owner, action=CAMPAIGN_CREATED, subject=campaign.name)
    return campaign


RESERVED_SLUGS = {"new"}  # used in URLs
SLUG_LENGTH = 50
RATING_SETTINGS = ("rating_task", "scales", "arms")
WORK_SETTINGS = (*RATING_SETTINGS, "editor_task")


@transaction.atomic
def campaign_update(
    *,
    campaign: Campaign,
    user: User | None = None,
    confirmed: int | None = None,
    opened: str = "",
    check: Callable[[Campaign], None] | None = None,
    **settings: Any,
) -> Campaign:
    """Change settings; a new version of them begins where a versioned one differs.

    The rating task, the scales and the arms are fixed once there is work for raters, the arms once raters have joined,
    too, and what editors write once there are texts. What people are told or held to changes after the first one has
    joined only if `confirmed` is the number of the version that the change was shown for.
    Nothing changes if others have changed one of these settings since a page was `opened` (`crowd/settings_opened.py`),
    or if `check` raises, which is given the campaign as it is stored and locked.
    """
    if not settings.keys().isdisjoint(WORK_SETTINGS):
        campaign_write_lock(campaign_id=campaign.pk)  # imports and gold questions bring work
    changing = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # its version is read after the lock
    if check is not None:
        check(changing)
    # A confirmation is bound to the version that it was shown for.
    meanwhile_refuse(changing, opened, set(settings) - set(VERSIONED if confirmed else ()))
    before = _as_stored(changing)
    _refuse_other_ratings(changing, settings)
    _refuse_other_writing(changing, settings)
    known = _known_settings(changing)
    for name, value in _with_plain_texts(settings).items():
        setattr(changing, name, value)
    changing.full_clean()
    settings_check(changing, before=before)
    placeholders_check(known, changing.versioned_settings)
    _begin_version(changing, known, user, confirmed)
    changing.save()
    _record_change(before, changing, user)
    for field in Campaign._meta.concrete_fields:
        setattr(campaign, field.attname, getattr(changing, field.attname))
    return campaign


def _store_new(campaign: Campaign) -> None:
    """Insert a campaign; another of its short name, made in the same moment, is told as one that was there before."""
    try:
        with transaction.atomic():
            campaign.save()
    except IntegrityError:
        campaign.validate_unique()
        raise


def _with_plain_texts(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings with what people read as it is compared, whatever a browser has made of it."""
    return settings | {name: plain_text(settings[name]) for name in PEOPLE_READ if name in settings}


def _refuse_other_ratings(stored: Campaign, settings: dict[str, Any]) -> None:
    changed = [name for name in RATING_SETTINGS if name in settings and settings[name] != getattr(stored, name)]
    if changed and stored.items.filter(round=Round.RATE).exists():
        raise Refused(
            _("There are already compressions to rate, so what raters see and the scales can no longer be changed.")
        )
    if "arms" in changed and Enrolment.objects.filter(worker__campaign=stored, round=Round.RATE).exists():
        raise Refused(_("Raters have joined already, so the arms can no longer be changed."))
    if changed and stored.qualification_items.filter(deleted_at=None).exists():
        raise Refused(_("The raters’ test has questions on these scales. Remove them first."))


def _refuse_other_writing(stored: Campaign, settings: dict[str, Any]) -> None:
    changes = settings.get("editor_task", stored.editor_task) != stored.editor_task
    if changes and stored.items.filter(round=Round.EDIT).exists():
        raise Refused(_("There are already texts, so what editors write can no longer be changed."))


def _known_settings(stored: Campaign) -> dict[str, Any]:
    """Return the settings of the active version, with those that it is too old to know as they are stored."""
    if stored.settings_version is None:
        raise ValueError(f"{stored.slug}: a campaign has a version of its settings from the beginning")
    recorded: dict[str, Any] = stored.settings_version.settings
    return stored.versioned_settings | recorded


def _begin_version(campaign: Campaign, known: dict[str, Any], user: User | None, confirmed: int | None) -> None:
    """Make the version that records the settings of a locked campaign, unless the active one does."""
    before, after = campaign.settings_version, campaign.versioned_settings
    changed = changed_names(known, after)
    if before is None or not changed:
        return
    has_people = Enrolment.objects.filter(worker__campaign=campaign, worker__is_test=False).exists()
    if has_people and confirmed != before.number and told_names(known, after):
        raise UnconfirmedChange(before, known, after)
    if user is not None:  # versions stay for good
        upload_take(user, len(json.dumps(after, ensure_ascii=False).encode()))
    campaign.settings_version = _next_version(campaign, number=before.number + 1, user=user)
    read_again = set(readings_changed(known, after))
    if not read_again.isdisjoint(EDITORS_READ):
        campaign.editor_guidelines_changed = campaign.settings_version
    if not read_again.isdisjoint(RATERS_READ):
        campaign.rater_guidelines_changed = campaign.settings_version


def _as_stored(campaign: Campaign) -> dict[str, Any]:
    return {field.attname: getattr(campaign, field.attname) for field in Campaign._meta.concrete_fields}


def _record_change(before: dict[str, Any], after: Campaign, user: User | None) -> None:
    """Record which settings changed, and the version that began with them."""
    editable = {field.attname for field in Campaign._meta.concrete_fields if field.editable}
    changed = sorted(name for name in editable if before[name] != getattr(after, name))
    if not changed:
        return
    version = after.settings_version
    is_new = version is not None and version.pk != before["settings_version_id"]
    subject = f"version {version.number}" if version is not None and is_new else ""
    audit_record(campaign=after, user=user, action="settings changed", subject=subject, detail=", ".join(changed))


def _next_version(campaign: Campaign, *, number: int, user: User | None) -> SettingsVersion:
    return SettingsVersion.objects.create(
        campaign=campaign,
        number=number,
        settings=campaign.versioned_settings,
        created_at=database_now(),
        created_by=user,
    )


TEXTS = tuple(
    field.name for field in Campaign._meta.concrete_fields if isinstance(field, models.CharField | models.TextField)
)


def settings_check(campaign: Campaign, *, before: Mapping[str, Any]) -> None:
    """Raise a ValidationError with the reasons for each setting that differs from before and cannot be stored."""
    faults = dict(_faults(campaign, before))
    if faults:
        raise ValidationError(faults)


def _faults(campaign: Campaign, before: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    of_arms = ("arms", "scales", "extra_raters", "rating_task")
    if any(name not in before or before[name] != getattr(campaign, name) for name in of_arms):
        try:
            arms_validate(
                campaign.arms, scales_load(campaign.scales), extra_raters=campaign.extra_raters, task=campaign.task
            )
        except ValidationError as error:
            yield "arms", error.messages
    for name in (*TEXTS, "scales"):
        value = getattr(campaign, name)
        if name in before and _same(before[name], value):
            continue
        try:
            _validate(name, value)
        except ValidationError as error:
            yield name, error.messages


def _same(before: Any, after: Any) -> bool:
    return bool(plain_text(before) == plain_text(after) if isinstance(after, str) else before == after)


def _validate(name: str, value: Any) -> None:
    if name == "scales":
        scales_validate(value)
        return
    if name in PEOPLE_READ:
        prose_validate(value)
    typed_text_validate(value)


def scales_validate(stored: list[Mapping[str, Any]]) -> None:
    """Refuse scales that could not have come from the text in which staff write them."""
    scales = scales_load(stored)
    if reserved := {each.key for each in scales} & RESERVED_KEYS:
        raise ValidationError(_("No scale can have the key %(keys)s.") % {"keys": ", ".join(sorted(reserved))})
    text = scales_to_text(scales)
    typed_text_validate(text)
    if scales_from_text(text, keys={(each.arm, each.name): each.key for each in scales}) != scales:
        raise ValidationError(
            _(
                "Names, questions and points are one line each; a name has no colon and does not begin with a digit, "
                "and no question ends in [nuggets]."
            )
        )


@transaction.atomic
def campaign_state_set(*, campaign: Campaign, state: str, user: User | None, confirmed: Collection[str] = ()) -> bool:
    """Put a campaign into a state, from any other; return whether it was in another one.

    Rounds that are not ready open only if what they lack is confirmed (`crowd/opening.py`).
    """
    if state not in CampaignState.values:
        raise Refused(_("There is no such state."))
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if deletion_has_begun(stored):
        raise Refused(_("This campaign is being deleted, so its state can no longer be changed."))
    missing: list[str] = []
    if state == CampaignState.OPEN != stored.state:
        links = [link for link in stored.links.filter(is_active=True) if not stored.is_paused(link.round)]
        missing = opening_check(campaign=stored, links=links, confirmed=confirmed)
    campaign.state = state
    if stored.state == state:
        return False
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    lacks = f", without {', '.join(missing)}" if missing else ""
    audit_record(campaign=campaign, user=user, action="state changed", detail=f"from {stored.state} to {state}{lacks}")
    return True
