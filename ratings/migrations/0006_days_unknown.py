"""Nobody knows when a rating was given that another release brought: until now it was said to be at its import."""

from datetime import time

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.db.models.functions import Now


def forget_days_of_imports(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What stands at midnight is a day that was told, if this is done again."""
    imported = Q(worker=None) | Q(worker__platform_key="imported")
    told = Q(created_at__time=time(), created_at__second=0)
    apps.get_model("ratings", "Rating").objects.filter(imported).exclude(told).update(created_at=None)


def say_now(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("ratings", "Rating").objects.filter(created_at=None).update(created_at=Now())


class Migration(migrations.Migration):
    dependencies = [("ratings", "0005_decisions_by_hand")]

    operations = [
        migrations.AlterField(
            model_name="rating",
            name="created_at",
            field=models.DateTimeField(
                help_text="Of an imported rating: midnight (UTC) of its day, or nothing where no day is told.", null=True
            ),
        ),
        migrations.RunPython(forget_days_of_imports, say_now),
    ]
