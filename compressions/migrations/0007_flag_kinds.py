"""Store the kinds of flags, so that lists can be narrowed by them, and whether staff have looked at them."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AT_ONCE = 500
# The names of flags as they were when this migration was written.
KINDS = {
    "pasted from elsewhere": "pasted",
    "typed at an impossible speed": "speed",
    "done in a few seconds": "seconds",
    "hidden writing direction": "direction",
    "alphabets mixed in a word": "alphabets",
}


def from_flags(apps: Any, _schema: Any) -> None:
    flagged = apps.get_model("compressions", "Compression").objects.filter(is_flagged=True)
    last = 0
    while found := list(flagged.filter(pk__gt=last).only("pk", "flags").order_by("pk")[:AT_ONCE]):
        for each in found:
            each.flag_kinds = kinds_of(each.flags)
        flagged.bulk_update(found, ["flag_kinds"])
        last = found[-1].pk


def kinds_of(flags: list[list[Any]]) -> str:
    keys = dict.fromkeys(KINDS.get(flag[0], "other") for flag in flags)
    return f" {' '.join(keys or ['other'])} "


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("compressions", "0006_active_time"),
    ]

    operations = [
        migrations.AddField(
            model_name="compression",
            name="flag_kinds",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The kinds of its flags, each with a space on either side: what lists are narrowed by.",
                max_length=200,
            ),
        ),
        migrations.AddField(
            model_name="compression",
            name="flags_seen_at",
            field=models.DateTimeField(help_text="When staff marked the flags as looked at.", null=True),
        ),
        migrations.AddField(
            model_name="compression",
            name="flags_seen_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        # What is there keeps the flags that it has: only what comes after it is compared.
        migrations.AddField(
            model_name="compression",
            name="is_compared",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="compression",
            name="is_compared",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether it has been looked at beside the editor's other texts.",
            ),
        ),
        migrations.RunPython(from_flags, migrations.RunPython.noop),
    ]
