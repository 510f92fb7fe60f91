"""Who gets which row of a design, and so which piece of work comes next.

A row is a person's from the first claim of the first round on, and says what they get in both. It is free again when
its holder withdraws, is excluded or erased. If no row is free, that of somebody who stopped early goes to the next
person, and then that of somebody whose reservations have all run out before they finished. As with leases, nobody
loses a row that no one else needs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment, Item, Outcome, Round, Worker
from crowd.services.leases import leases_expire
from measures.experiments.latin_rows import latin_rows, next_row
from protocols.models import DesignRow, Material
from protocols.task import study_task

State = Assignment.State
FIRST, SECOND = Round.EDIT, Round.RATE
ROUNDS_OF_DESIGN = (FIRST, SECOND)
TAKEN = 10**6
"""More people than any row has: no row of this pattern is free."""
GONE = [Outcome.WITHDREW, Outcome.FAILED]
STOPPED = [Outcome.STOPPED_EARLY, Outcome.NO_WORK, Outcome.SKIPPED]


def row_candidates(enrolment: Enrolment, _number: int) -> Iterable[list[int]]:
    """Yield exactly the next piece of work of a person's row; the first claim of the first round allots the row."""
    is_first = enrolment.round == FIRST or enrolment.campaign.sandbox_of_id is not None  # previews have one round
    row = row_allot(enrolment=enrolment) if is_first else row_of(enrolment.worker_id)
    if row is None:
        return
    items = _items(enrolment.campaign, enrolment.round, row.cells)
    had = set(_had(enrolment.worker_id, items))
    if (following := next((item for item in items if item not in had), None)) is not None:
        _place_make(enrolment, following)
        yield [following]


def row_of(worker_id: int) -> DesignRow | None:
    return DesignRow.objects.filter(enrolment__worker=worker_id).first()


@transaction.atomic
def row_allot(*, enrolment: Enrolment) -> DesignRow | None:
    """Return the row of a person, or give them one: that which the fewest have finished, then the fewest have begun.

    People wait for one another here, so that a row is one person's. None if there is none that they could have.
    """
    if (own := row_of(enrolment.worker_id)) is not None:
        return own
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=enrolment.campaign.pk)
    if (own := row_of(enrolment.worker_id)) is not None:  # by another request of theirs, while this one waited
        return own
    rows = list(DesignRow.objects.filter(campaign=campaign).select_related("enrolment").order_by("block", "row"))
    rows = _without_what_they_had(campaign, enrolment, rows)
    free = next(filter(None, rows_free(rows)), [])
    if not free:
        return None
    number = len(rows[0].cells)
    finished, begun = _by_pattern(campaign, number)
    open_patterns = {_pattern(each, number) for each in free}
    chosen = next_row(
        [people if pattern in open_patterns else TAKEN for pattern, people in enumerate(finished)],
        begun,
        block=number,
        seed=campaign.pk,
    )
    row = next(each for each in free if _pattern(each, number) == chosen)
    row.enrolment = enrolment
    row.save(update_fields=["enrolment"])
    return row


def row_free(*, worker: Worker) -> None:
    """Take a person's row from them, whatever they have done of it."""
    DesignRow.objects.filter(enrolment__worker=worker).update(enrolment=None)


def _place_make(enrolment: Enrolment, item_id: int) -> None:
    """See to it that the holder of a row finds a place, where somebody who had the row before has submitted."""
    full = Item.objects.filter(pk=item_id, open_slots=0, is_closed=False)
    if full.exists():
        leases_expire(campaign_id=enrolment.campaign.pk, now=database_now(), except_worker=enrolment.worker_id)
        full.update(wanted=F("wanted") + 1, open_slots=1)


def _items(campaign: Campaign, work_round: str, cells: Sequence[Sequence[str]]) -> list[int]:
    """Return the items of the cells of a row in a round, in their order."""
    part = study_task(campaign.rating_task).part_in(work_round)
    work = Material.objects.filter(campaign=campaign, task=part.key, task_item__isnull=False)
    items = {(name, condition): item for name, condition, item in work.values_list("name", "condition", _ITEM)}
    return [items[name, condition] for name, condition in cells]


_ITEM = "task_item__item"


def _had(worker_id: int, items: Sequence[int]) -> QuerySet[Assignment, int]:
    return Assignment.objects.filter(worker=worker_id, item__in=items).values_list("item", flat=True)


def _without_what_they_had(campaign: Campaign, enrolment: Enrolment, rows: list[DesignRow]) -> list[DesignRow]:
    """Leave out rows with a piece of work that a person had before, or may not have."""
    part = study_task(campaign.rating_task).part_in(FIRST)
    had = Material.objects.filter(
        campaign=campaign, task=part.key, task_item__item__assignments__worker=enrolment.worker_id
    )
    barred = set(had.values_list("name", "condition"))
    return [row for row in rows if not barred & {(name, condition) for name, condition in row.cells}]


def rows_free(
    rows: list[DesignRow], *, first: str = FIRST, stopped: Sequence[str] = STOPPED
) -> Iterable[list[DesignRow]]:
    """Yield the rows that can be had, first those whose holders have gone for good.

    `first` is the round in which rows are begun, and `stopped` how visits end that leave a row to others.
    """
    yield [row for row in rows if row.enrolment is None]
    holders = Enrolment.objects.filter(design_row__in=[row.pk for row in rows])
    others = Enrolment.objects.filter(worker=OuterRef("worker"), round__in=ROUNDS_OF_DESIGN)
    gone = Q(worker__erased_at__isnull=False) | Exists(others.filter(Q(is_excluded=True) | Q(outcome__in=GONE)))
    # Who has just got a row has no work in their hands yet, and who has just submitted may not have the next.
    had = Assignment.objects.filter(worker=OuterRef("worker"), round=first, lease_ends_at__isnull=False)
    vanished = Q(outcome=Outcome.WORKING) & Exists(had) & ~Exists(had.filter(lease_ends_at__gte=database_now()))
    for which in (gone, Exists(others.filter(outcome__in=stopped)), vanished):
        found = set(holders.filter(which).values_list("pk", flat=True))
        yield [row for row in rows if row.enrolment_id in found]


def _pattern(row: DesignRow, number: int) -> int:
    """Return which row of the Latin squares a row of the design is."""
    return (row.block * number + row.row) % len(latin_rows(number))


def _by_pattern(campaign: Campaign, number: int) -> tuple[list[int], list[int]]:
    """Return how many people have finished each row of the Latin squares, and how many have it."""
    held = DesignRow.objects.filter(campaign=campaign, enrolment__isnull=False)
    done = Enrolment.objects.filter(worker=OuterRef("enrolment__worker"), round=SECOND, outcome=Outcome.DONE)
    begun = Counter(_pattern(each, number) for each in held)
    finished = Counter(_pattern(each, number) for each in held.filter(Exists(done)))
    patterns = range(len(latin_rows(number)))
    return [finished[each] for each in patterns], [begun[each] for each in patterns]
