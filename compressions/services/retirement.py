"""Retire texts, reinstate them, and replace them by corrected ones. Nothing that people did is deleted."""

import random
import re
from collections.abc import Iterable, Iterator
from itertools import count

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from compressions.models import Source
from compressions.rows import MAX_ID_LENGTH, UsableRow, text_check
from compressions.selectors.sources import live_relative
from compressions.selectors.writing import SOURCES_OF_ITEMS
from compressions.services.sources import sources_create
from compressions.services.targets import texts_close
from crowd.models import Item, ItemConflict, Round
from crowd.services.audit import audit_record
from crowd.services.items import conflicts_create, items_reopen, items_withdraw
from crowd.services.leases import items_block_for_workers_of
from crowd.services.write_locks import campaign_write_lock

CORRECTED = "-corrected"
_CORRECTED_ID = re.compile(rf"(.+){CORRECTED}(-\d+)?")


@transaction.atomic
def source_retire(*, source: Source, note: str, work_is_kept: bool, user: User | None) -> int:
    """Give a text and its compressions to nobody any more, and return how many leases on them have ended.

    `work_is_kept` says whether releases have it with the work that was done on it. A text that is retired already stays
    as it is.
    """
    if not note.strip():
        raise Refused(_("Say why this text is retired."))
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    if locked.is_retired:
        return 0
    Source.objects.filter(pk=source.pk).update(
        retired_at=database_now(), retired_by=user, retire_note=note.strip(), work_is_kept=work_is_kept
    )
    kept = "its work stays in releases" if work_is_kept else "its work is left out of releases"
    _log(source, "text retired", user, kept)
    # First the text itself: then nobody can add a compression, and all compressions are known.
    ended = items_withdraw(item_ids=[source.item_id])
    return ended + items_withdraw(item_ids=[pk for pk in _items_about(source) if pk != source.item_id])


def sources_retire(*, sources: Iterable[Source], note: str, work_is_kept: bool, user: User | None) -> tuple[int, int]:
    """Retire some texts, each in a transaction of its own; return how many were not yet, and how many leases ended."""
    live = [source for source in sources if not source.is_retired]
    ended = [source_retire(source=each, note=note, work_is_kept=work_is_kept, user=user) for each in live]
    return len(live), sum(ended)


@transaction.atomic
def source_reinstate(*, source: Source, user: User | None = None) -> None:
    """Open again what retiring a text has closed; what is closed for another reason stays closed."""
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    if not locked.is_retired:
        return
    if other := live_relative(source):
        words = _("Text %(id)s has replaced it. Retire that one first.")
        raise Refused(words % {"id": other.source_id})
    unretired = {"retired_at": None, "retired_by": None, "retire_note": "", "work_is_kept": True}
    Source.objects.filter(pk=source.pk).update(**unretired)
    rated = Item.objects.filter(pk__in=_items_about(source), round=Round.RATE).values_list("pk", flat=True)
    items_reopen(item_ids=set(_items_about(source)) - set(rated))
    texts_close(campaign=source.campaign)
    _log(source, "text reinstated", user)


def _log(source: Source, action: str, user: User | None, detail: str = "") -> None:
    audit_record(campaign=source.campaign, user=user, action=action, subject=f"text {source.source_id}", detail=detail)


@transaction.atomic
def source_correct(*, source: Source, text: str, note: str, work_is_kept: bool, user: User | None) -> Source:
    """Retire a text and return a new one in its place, with work of its own for people who have not had the old one."""
    tidied = correction_check(source=source, text=text)
    campaign_write_lock(campaign_id=source.campaign_id)  # excludes concurrent imports
    if other := live_relative(source):
        words = _("Text %(id)s has replaced it. Correct that one instead.")
        raise Refused(words % {"id": other.source_id})
    source_retire(source=source, note=note, work_is_kept=work_is_kept, user=user)
    corrected = _replacement(source, tidied)
    _log(source, "text corrected", user, f"now text {corrected.source_id}")
    return corrected


def correction_check(*, source: Source, text: str) -> str:
    """Return a corrected text as it is stored; raise Refused if a file could not bring it in, or nothing changes."""
    tidied = text_check(text, sentences=source.sentences, campaign=source.campaign)
    if tidied == source.text:
        raise Refused(_("You haven’t changed the text."))
    return tidied


def _replacement(source: Source, text: str) -> Source:
    paragraph_id = source.paragraph.source_id if source.paragraph else ""
    row = UsableRow(0, _free_id(source), source.genre, text, source.sentences, paragraph_id, source.nuggets)
    sources_create(campaign=source.campaign, rows=[row], rng=random.Random(row.source_id))
    created = Source.objects.filter(campaign=source.campaign, source_id=row.source_id)
    created.update(corrects=source, split=source.split, unreleased_paragraph=source.unreleased_paragraph)
    replacement = created.get()
    _bar_from_both(source, replacement)
    return replacement


def _bar_from_both(source: Source, replacement: Source) -> None:
    """Bar everybody who had the old text, or what it conflicts with, from the new one, and the other way round."""
    of_old = ItemConflict.objects.filter(item=source.item_id, blocks__round=Round.EDIT)
    kin = {source.item_id, *of_old.values_list("blocks_id", flat=True)} - {replacement.item_id}
    pairs = [(replacement.item_id, each) for each in sorted(kin)]
    conflicts_create(pairs=[*pairs, *((each, item) for item, each in pairs)])
    items_block_for_workers_of(pairs=pairs, work_round=Round.EDIT)


def _free_id(source: Source) -> str:
    named = _CORRECTED_ID.fullmatch(source.source_id) if source.corrects_id else None
    stem = named[1] if named else source.source_id
    taken = set(Source.objects.filter(campaign=source.campaign_id).values_list("source_id", flat=True))
    return next(each for each in _corrected_ids(stem) if each not in taken)


def _corrected_ids(stem: str) -> Iterator[str]:
    for number in count(1):
        ending = CORRECTED if number == 1 else f"{CORRECTED}-{number}"
        yield f"{stem[: MAX_ID_LENGTH - len(ending)]}{ending}"


def _items_about(source: Source) -> list[int]:
    """Return the items of a text, of its compressions alone and in pairs, and of those that experts rate."""
    paths = [{path: source} for path in SOURCES_OF_ITEMS]
    return [pk for path in paths for pk in Item.objects.filter(**path).values_list("pk", flat=True)]
