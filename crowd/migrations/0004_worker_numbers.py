"""People who are there already keep the numbers that releases called them by."""

from django.db import migrations
from django.db.models import F


def number_people(apps, schema_editor):
    apps.get_model("crowd", "Worker").objects.update(number=F("pk"))


class Migration(migrations.Migration):
    dependencies = [("crowd", "0003_rater_round")]
    operations = [migrations.RunPython(number_people, migrations.RunPython.noop)]
