"""Reading who wrote what."""

from django.db.models import Exists, OuterRef

from compressions.models import Compression, SystemOutput, Target
from crowd.models import Round, Worker
from crowd.selectors.exclusions import excluded_workers


def targets_only_by(worker: Worker) -> list[int]:
    """Items of the texts that nobody but this editor, and others who are excluded, wrote, and no system."""
    excluded = excluded_workers(worker.campaign, Round.EDIT) | {worker.pk}
    others = Compression.objects.filter(target=OuterRef("pk")).exclude(worker__in=excluded)
    systems = SystemOutput.objects.filter(target=OuterRef("pk"))
    own = Target.objects.filter(compressions__worker=worker)
    alone = own.exclude(Exists(others)).exclude(Exists(systems))
    return list(alone.values_list("item_id", flat=True))
