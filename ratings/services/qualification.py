"""The qualification test: edit its items, reset it for a rater."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from common.clock import database_now
from crowd.models import Campaign, Enrolment
from crowd.services.audit import audit_record
from crowd.services.entry import enrolment_reopen
from ratings.example_check import ExampleText, example_check, number_check
from ratings.models import QualificationItem
from ratings.models.examples import Example
from ratings.selectors.qualification import attempts_of, live_items


@transaction.atomic
def qualification_items_replace(
    *, campaign: Campaign, examples: Iterable[ExampleText], user: User | None = None
) -> None:
    """Replace the whole test with other examples; the former ones can be restored."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    live_items(campaign).update(deleted_at=database_now())
    qualification_items_add(campaign=campaign, examples=examples, user=user, action="test replaced")


@transaction.atomic
def qualification_items_add(
    *,
    campaign: Campaign,
    examples: Iterable[ExampleText],
    user: User | None = None,
    action: str = "test questions added",
) -> int:
    """Append examples to the test or to practice, and return how many."""
    first = _next_position(campaign)
    items = []
    for number, example in enumerate(examples, start=1):
        example_check(example, campaign, _("Question %(number)s") % {"number": number})
        items.append(_item(campaign, first + number - 1, example))
    for is_practice in (True, False):
        added = sum(item.is_practice == is_practice for item in items)
        number_check(live_items(campaign).filter(is_practice=is_practice).count() + added)
    QualificationItem.objects.bulk_create(items)
    audit_record(campaign=campaign, user=user, action=action, detail=f"{len(items)} questions")
    return len(items)


def _next_position(campaign: Campaign) -> int:
    """Return the position after the last item; the campaign is locked, so nobody else takes it."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    last = live_items(campaign).aggregate(last=Max("position"))["last"]
    return (last or 0) + 1


@transaction.atomic
def qualification_item_save(
    *, campaign: Campaign, example: ExampleText, item: QualificationItem | None = None, user: User | None = None
) -> QualificationItem:
    """Append a new example to the test, or overwrite `item`."""
    example_check(example, campaign, _("This question"))
    if item is None:
        saved = _item(campaign, _next_position(campaign), example)
    else:
        saved = _item(campaign, item.position, example)
        saved.pk = item.pk
    saved.save()
    action = "test question added" if item is None else "test question changed"
    audit_record(campaign=campaign, user=user, action=action, subject=f"question {saved.position}")
    return saved


@transaction.atomic
def qualification_item_delete(*, item: QualificationItem, user: User | None = None) -> None:
    """Ask nobody an example any more. It can be restored, and earlier tries keep their answers and scores."""
    if QualificationItem.objects.filter(pk=item.pk, deleted_at=None).update(deleted_at=database_now()):
        _log(item, "test question deleted", user)


@transaction.atomic
def qualification_item_restore(*, item: QualificationItem, user: User | None = None) -> None:
    """Put a deleted example at the end of the test or of practice, if it still fits the campaign's scales."""
    position = _next_position(item.campaign)
    locked = QualificationItem.objects.select_for_update(no_key=True).get(pk=item.pk)
    if locked.deleted_at is None:
        return
    example_check(example_of(locked), item.campaign, _("This question"))
    QualificationItem.objects.filter(pk=item.pk).update(deleted_at=None, position=position)
    _log(locked, "test question restored", user)


def _log(item: QualificationItem, action: str, user: User | None) -> None:
    audit_record(campaign=item.campaign, user=user, action=action, subject=f"question {item.position}")


def example_of(item: Example) -> ExampleText:
    """Return the content of a stored example."""
    return ExampleText(
        source=item.source_text,
        compression=item.compression_text,
        other=item.other_text,
        answers=item.answers,
        why=item.why,
        is_practice=getattr(item, "is_practice", False),
    )


def _item(campaign: Campaign, position: int, example: ExampleText) -> QualificationItem:
    return QualificationItem(
        campaign=campaign,
        position=position,
        source_text=example.source,
        compression_text=example.compression,
        other_text=example.other,
        answers={scale: sorted(points) for scale, points in example.answers.items()},
        why=example.why,
        is_practice=example.is_practice,
    )


@transaction.atomic
def qualification_reset(*, enrolment: Enrolment, user: User | None = None) -> None:
    """Let a rater take the test again. Earlier tries stay as rows but no longer count; one that has begun goes on."""
    attempts_of(enrolment).update(reset_at=database_now())
    enrolment_reopen(enrolment=enrolment)
    subject = f"participant {enrolment.worker.public_name}"
    audit_record(campaign=enrolment.worker.campaign, user=user, action="test reset", subject=subject)
