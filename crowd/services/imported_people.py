"""Create people whom files name, and who rated or wrote elsewhere."""

from collections.abc import Sequence

from django.db.models import Max

from crowd.models import Campaign, Worker
from crowd.models.people import IMPORTED

HIGHEST_KEPT = 1_000_000
"""Of names that are numbers: the next participant's number is one above the highest."""


def is_number(name: str) -> bool:
    """Return whether a name can serve as a worker number unchanged."""
    return name.isascii() and name.isdecimal() and name == str(int(name)) and 0 < int(name) < 2**31


def imported_people_create(*, campaign: Campaign, names: Sequence[str]) -> list[Worker]:
    """Create a person for each name; call inside a transaction. A name that is a free number is the person's number."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # serialises the numbering
    workers = Worker.objects.filter(campaign=campaign)
    wanted = {name: int(name) for name in names if is_number(name) and int(name) <= HIGHEST_KEPT}
    taken = set(workers.filter(number__in=wanted.values()).values_list("number", flat=True))
    kept = {name: number for name, number in wanted.items() if number not in taken}
    last = max([workers.aggregate(last=Max("number"))["last"] or 0, *wanted.values()])
    rows = []
    for name in names:
        is_new = name not in kept
        last += is_new
        number = last if is_new else kept[name]
        imported_name = name if is_new else ""
        rows.append(Worker(campaign=campaign, platform_key=IMPORTED, number=number, imported_name=imported_name))
    return Worker.objects.bulk_create(rows, batch_size=1000)
