"""Hold the kinds of flags to the flags; apart from the rows, which PostgreSQL wants written before."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("compressions", "0007_flag_kinds")]

    operations = [
        migrations.RemoveIndex(model_name="compression", name="compression_flagged"),
        migrations.AddIndex(
            model_name="compression",
            index=models.Index(
                condition=Q(is_flagged=True),
                fields=["source", "flag_kinds", "flags_seen_at"],
                name="compression_flagged",
            ),
        ),
        migrations.AddIndex(
            model_name="compression",
            index=models.Index(
                condition=Q(is_compared=False, is_imported=False), fields=["worker"], name="compression_to_compare"
            ),
        ),
        migrations.AddConstraint(
            model_name="compression",
            constraint=models.CheckConstraint(
                condition=Q(is_flagged=False, flag_kinds="") | (Q(is_flagged=True) & ~Q(flag_kinds="")),
                name="compression_flagged_has_kinds",
            ),
        ),
        migrations.AddConstraint(
            model_name="compression",
            constraint=models.CheckConstraint(
                condition=Q(flags_seen_at=None, flags_seen_by=None) | Q(flags_seen_at__isnull=False, is_flagged=True),
                name="compression_seen_is_flagged",
            ),
        ),
    ]
