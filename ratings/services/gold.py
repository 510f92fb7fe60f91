"""Create, retire and restore gold questions, whose accepted answers raters never see; make some of them the test."""

import random
from collections.abc import Iterable
from dataclasses import replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from crowd.models import Campaign, Round, Stream
from crowd.services.audit import audit_record
from crowd.services.items import items_close, items_create, items_reopen
from crowd.services.write_locks import campaign_write_lock
from ratings.example_check import ExampleText, example_check, number_check
from ratings.models import GoldItem, QualificationItem
from ratings.selectors.gold import gold_for_test
from ratings.selectors.qualification import gold_items, starter_items
from ratings.services.qualification import example_of, qualification_items_add

MAX_RATERS = 30_000  # in effect unlimited


@transaction.atomic
def gold_create(*, campaign: Campaign, example: ExampleText, user: User | None = None) -> GoldItem:
    """Create a gold question that every rater may be given once."""
    example_check(example, campaign, _("This gold question"), needs_why=False)
    (item,) = items_create(
        campaign=campaign,
        work_round=Round.RATE,
        count=1,
        rng=random.Random(example.compression),
        stream=Stream.GOLD,
        people=MAX_RATERS,
    )
    gold = GoldItem.objects.create(
        item=item,
        source_text=example.source,
        compression_text=example.compression,
        other_text=example.other,
        answers={scale: sorted(points) for scale, points in example.answers.items()},
        why=example.why,
    )
    _log(gold, "gold question added", user)
    return gold


@transaction.atomic
def gold_add(*, campaign: Campaign, examples: Iterable[ExampleText], user: User | None = None) -> int:
    """Create the gold questions that the campaign does not have yet, and return how many."""
    campaign_write_lock(campaign_id=campaign.pk)  # one file at a time
    known = {_texts(example_of(gold)) for gold in gold_items(campaign)}
    new = {_texts(example): example for example in examples if _texts(example) not in known}
    number_check(gold_items(campaign).filter(item__is_closed=False).count() + len(new))
    for example in new.values():
        gold_create(campaign=campaign, example=example, user=user)
    return len(new)


def _texts(example: ExampleText) -> tuple[str, ...]:
    return (example.source, example.compression, example.other)


@transaction.atomic
def gold_retire(*, gold: GoldItem, user: User | None = None) -> None:
    """Give a gold question to no more raters; existing ratings stay."""
    items_close(item_ids=[gold.item_id])
    _log(gold, "gold question retired", user)


@transaction.atomic
def gold_restore(*, gold: GoldItem, user: User | None = None) -> None:
    """Give a retired gold question to raters again."""
    items_reopen(item_ids=[gold.item_id])
    _log(gold, "gold question restored", user)


@transaction.atomic
def gold_to_test(*, campaign: Campaign, user: User | None = None) -> int:
    """Make gold questions questions of the test, in the place of the starter questions; return how many.

    They are retired as gold, since raters learn the answers after the test. Their reasons are for staff, so raters are
    told the right points instead.
    """
    campaign_write_lock(campaign_id=campaign.pk)
    drawn = gold_for_test(campaign)
    if not drawn:
        raise Refused(_("There are not enough gold questions: those that raters are due stay among the work."))
    QualificationItem.objects.filter(pk__in=starter_items(campaign)).update(deleted_at=database_now())
    examples = [replace(example_of(gold), why=_right_points(gold, campaign)) for gold in drawn]
    qualification_items_add(campaign=campaign, examples=examples, user=user, action="test questions drawn from gold")
    for gold in drawn:
        gold_retire(gold=gold, user=user)
    return len(drawn)


def _right_points(gold: GoldItem, campaign: Campaign) -> str:
    with translation.override(campaign.page_language):
        parts = [
            f"{scale.name} {' / '.join(map(str, gold.answers.get(scale.key, [])))}" for scale in campaign.rating_scales
        ]
        return f"{_('Our ratings')}: {', '.join(parts)}"


def _log(gold: GoldItem, action: str, user: User | None) -> None:
    audit_record(campaign=gold.item.campaign, user=user, action=action, subject=f"gold question {gold.pk}")
