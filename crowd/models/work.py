"""Items of work and their assignment to workers, in every round.

An item has `wanted` slots, each for a different person. An assignment is one person's relation to one item: a live
lease, finished work, or the reason why this person may not have the item. There is at most one row per item and
person, so nobody is given an item twice. Each slot is taken from `open_slots`, which cannot fall below zero, so an
item never has more people than it wants.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .campaign import Campaign, Round
from .links import JoinLink
from .people import Worker


class Stream(models.TextChoices):
    """The streams of items in a round: crowd texts, system outputs, and gold items that check raters."""

    WORK = "work", _("work")
    SYSTEM = "system", _("output of a system")
    GOLD = "gold", _("gold question")
    TEST = "test", _("written by a test participant")


def streams_of_work(*, is_test: bool) -> list[Stream]:
    """Return the streams that are work for a person; gold questions come only along with others."""
    return [Stream.TEST, Stream.WORK, Stream.SYSTEM] if is_test else [Stream.WORK, Stream.SYSTEM]


class Item(models.Model):
    """A unit of work: a source to compress, or a text to rate."""

    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.CASCADE,
        related_name="items",
        db_index=False,  # other indexes begin with it
    )
    round = models.CharField(max_length=8, choices=Round.choices)
    stream = models.CharField(max_length=8, choices=Stream.choices, default=Stream.WORK)
    position = models.PositiveIntegerField(help_text="Low numbers are handed out first; drawn at random.")
    wanted = models.PositiveSmallIntegerField()
    open_slots = models.PositiveSmallIntegerField()
    is_closed = models.BooleanField(default=False, help_text="Nobody else is given it, whatever places are open.")
    is_extended = models.BooleanField(default=False, help_text="More people were asked for, once.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(open_slots__gte=0, open_slots__lte=F("wanted")), name="item_open_slots_range"
            ),
            models.CheckConstraint(condition=Q(round__in=Round.values), name="item_round_known"),
            models.CheckConstraint(condition=Q(stream__in=Stream.values), name="item_stream_known"),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "round", "stream", "position"],
                condition=Q(open_slots__gt=0, is_closed=False),
                name="item_candidates",
            ),
            # Hundreds of thousands are counted from it alone. Claims change none of these columns. It does not begin
            # as the other one, which would let SQLite look for candidates here and sort them.
            models.Index(fields=["campaign", "wanted", "is_closed", "round", "stream"], name="item_totals"),
        ]

    def __str__(self) -> str:
        return f"item {self.pk} ({self.round})"


class Assignment(models.Model):
    class State(models.TextChoices):
        LEASED = "leased", _("being worked on")
        SUBMITTED = "submitted", _("submitted")
        EXPIRED = "expired", _("lease ran out")
        SKIPPED = "skipped", _("skipped")
        BLOCKED = "blocked", _("may not have this item")
        DISCARDED = "discarded", _("done by somebody excluded")

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="assignments")
    worker = models.ForeignKey(
        Worker,
        on_delete=models.CASCADE,
        related_name="assignments",
        db_index=False,  # other indexes begin with it
    )
    round = models.CharField(max_length=8, choices=Round.choices)
    link = models.ForeignKey(
        JoinLink,
        null=True,
        on_delete=models.RESTRICT,
        related_name="+",
        db_index=False,  # the index of the worker has it
        help_text="By which link the person came; null for what was imported, and for what they may not have.",
    )
    state = models.CharField(max_length=12, choices=State.choices)
    page_position = models.PositiveSmallIntegerField(default=0, help_text="Where it stands on the worker's page.")
    leased_at = models.DateTimeField(null=True)
    lease_ends_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "worker"], name="assignment_once_per_item"),
            models.UniqueConstraint(
                fields=["worker", "round", "page_position"],
                condition=Q(state="leased"),
                name="assignment_one_lease_per_position",
            ),
            models.CheckConstraint(
                condition=Q(state="blocked", leased_at__isnull=True)
                | (~Q(state="blocked") & Q(leased_at__isnull=False, lease_ends_at__isnull=False)),
                name="assignment_lease_has_times",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["submitted", "discarded"], submitted_at__isnull=False)
                | (~Q(state__in=["submitted", "discarded"]) & Q(submitted_at__isnull=True)),
                name="assignment_submitted_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["worker", "round", "state", "link"], name="assignment_of_worker"),
            models.Index(fields=["worker", "submitted_at"], name="assignment_last_work"),
            models.Index(fields=["lease_ends_at"], condition=Q(state="leased"), name="assignment_live_leases"),
        ]

    def __str__(self) -> str:
        return f"{self.worker} on {self.item_id} ({self.state})"


class ItemConflict(models.Model):
    """A worker who has been given `item` may not be given `blocks`, such as a sentence of the same paragraph."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="conflicts")
    blocks = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="blocked_by")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "blocks"], name="item_conflict_once"),
            models.CheckConstraint(condition=~Q(item=F("blocks")), name="item_conflict_not_itself"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} blocks {self.blocks_id}"
