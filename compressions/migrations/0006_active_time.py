"""Store how long editors were at work, for compressions that are there, too."""

from itertools import pairwise
from typing import Any

from django.db import migrations, models

PAUSE_MS, AT_ONCE = 30_000, 500
KIND, AT_MS = 3, 4  # places in an operation of a log


def from_logs(apps: Any, _schema: Any) -> None:
    compressions = apps.get_model("compressions", "Compression").objects.filter(is_imported=False)
    last = 0
    while found := list(compressions.filter(pk__gt=last).only("pk", "edit_log").order_by("pk")[:AT_ONCE]):
        for each in found:
            each.active_ms = active_time(each.edit_log)
        compressions.bulk_update(found, ["active_ms"])
        last = found[-1].pk


def active_time(log: list[list[Any]]) -> int | None:
    """Return the time between edits, without pauses, as it was measured when this migration was written."""
    times = [edit[AT_MS] for edit in log if edit[KIND] != "return"]
    gaps = (later - earlier for earlier, later in pairwise([0, *times]))
    return sum(gap for gap in gaps if gap <= PAUSE_MS) if times else None


class Migration(migrations.Migration):
    dependencies = [("compressions", "0005_retired_sources")]

    operations = [
        migrations.AddField(
            model_name="compression",
            name="active_ms",
            field=models.PositiveIntegerField(
                help_text="Time at work without pauses, from the log; null where there is none.", null=True
            ),
        ),
        migrations.RunPython(from_logs, migrations.RunPython.noop),
    ]
