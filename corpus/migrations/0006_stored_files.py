"""Releases name the folder of their files, which were in folders by campaign and version so far."""

from typing import Any

from django.db import migrations, models
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat


def name_folders(apps: Any, _editor: object) -> None:
    folder = Concat(
        Value("campaign-"), Cast("campaign_id", CharField()), Value("/v"), Cast("version", CharField())
    )
    apps.get_model("corpus", "Release").objects.filter(state="ready").update(folder=folder)


class Migration(migrations.Migration):

    dependencies = [
        ('common', '0003_stored_files'),
        ('corpus', '0005_retired_sources'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='folder',
            field=models.CharField(blank=True, help_text='Where its files lie in the storage of releases.', max_length=100),
        ),
        migrations.RunPython(name_folders, migrations.RunPython.noop),
    ]
