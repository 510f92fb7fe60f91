"""Which text of each source a person gets, where they get one of each: by a row of a Latin square.

Rows are made as people come. Here a row is a wish, and the places of the pieces are the limit: where a text of the row
has its people, somebody gets one of another system, and what those who left have not done goes to whoever comes later.
"""

from collections.abc import Iterator
from itertools import count
from random import Random

from django.db import transaction
from django.db.models import Exists, Min, OuterRef

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment, Item, Outcome, Round, Stream
from crowd.services.leases import leases_expire
from measures.experiments.latin_rows import MOST_CONDITIONS, row_of_texts
from protocols.models import DesignRow, Material
from protocols.selectors import CANDIDATES
from protocols.services.design import row_of, rows_free

MOST_SOURCES = 200
"""Of a row; who does more gets the others in the drawn order."""


def source_candidates(enrolment: Enrolment, _number: int) -> Iterator[list[int]]:
    """Yield the pieces of a person's row that can be had, one by one, and then others in the drawn order."""
    row = row_make_sure(enrolment=enrolment)
    had = Assignment.objects.filter(worker=enrolment.worker_id, item=OuterRef("pk"))
    items = Item.objects.filter(campaign=enrolment.campaign, round=enrolment.round, stream=Stream.WORK)
    items = items.filter(~Exists(had), is_closed=False, open_slots__gt=0)
    free = set(items.filter(pk__in=row.cells).values_list("pk", flat=True))
    yield from ([item] for item in row.cells if item in free)
    yield list(items.order_by("position", "pk").values_list("pk", flat=True)[:CANDIDATES])


@transaction.atomic
def row_make_sure(*, enrolment: Enrolment) -> DesignRow:
    """Return the row of a person: their own, else that of somebody who left, else the next one.

    Who begins waits for others who do, so that a row is one person's.
    """
    if (own := row_of(enrolment.worker_id)) is not None:
        return own
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=enrolment.campaign.pk)
    if (own := row_of(enrolment.worker_id)) is not None:  # by another request of theirs, while this one waited
        return own
    rows = list(DesignRow.objects.filter(campaign=campaign).defer("cells").order_by("block", "row"))
    free = next(filter(None, rows_free(rows, first=Round.RATE, stopped=[Outcome.STOPPED_EARLY])), [])
    if free:  # whose text may still be reserved for them
        leases_expire(campaign_id=campaign.pk, now=database_now(), except_worker=enrolment.worker_id)
    row = free[0] if free else _next(campaign, {(each.block, each.row) for each in rows})
    row.enrolment = enrolment
    row.save(update_fields=["enrolment"])
    return row


def _next(campaign: Campaign, taken: set[tuple[int, int]]) -> DesignRow:
    """Create the next row. It has no cells where there is nothing to balance, or too many systems."""
    work = Material.objects.filter(campaign=campaign, task=campaign.rating_task, task_item__isnull=False)
    systems = sorted(set(work.order_by().values_list("system", flat=True).distinct()))
    n = len(systems) if 2 <= len(systems) <= MOST_CONDITIONS else 1
    block, place = next(each for each in (divmod(number, n) for number in count()) if each not in taken)
    cells = _cells(campaign, systems, block, place) if n > 1 else []
    return DesignRow.objects.create(campaign=campaign, block=block, row=place, cells=cells)


def _cells(campaign: Campaign, systems: list[str], block: int, place: int) -> list[int]:
    """Return the items of a row. If one person cannot do all sources, each block is of a part of them, in turn.

    All rows of a block have the sources in the same order, so that a block has each text once.
    """
    work = Material.objects.filter(campaign=campaign, task=campaign.rating_task, task_item__isnull=False)
    by_age = work.order_by().values("name").annotate(first=Min("pk")).order_by("first")
    names = list(by_age.values_list("name", flat=True))
    parts = -(-len(names) // min(campaign.tasks_per_worker(Round.RATE), MOST_SOURCES))
    turn, part = divmod(block, parts)
    Random(f"sources:{turn}").shuffle(names)
    own, n = names[part::parts], len(systems)
    found = work.filter(name__in=own).values_list("name", "system", "task_item__item")
    items = {(name, system): item for name, system, item in found}
    wanted = [(own[cell.text], systems[cell.condition]) for cell in row_of_texts(len(own), n, turn * n + place)]
    return [items[each] for each in wanted if each in items]
