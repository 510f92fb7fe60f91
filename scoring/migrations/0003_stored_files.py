"""Runs and parts name their files, which had fixed names so far."""

from typing import Any

from django.db import migrations, models
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat, LPad


def name_files(apps: Any, _editor: object) -> None:
    run = Concat(Value("run-"), Cast("pk", CharField()), Value("/scores.parquet"))
    apps.get_model("scoring", "ScoreRun").objects.filter(summary__isnull=False).update(file=run)
    number = LPad(Cast("number", CharField()), 5, Value("0"))
    part = Concat(Value("run-"), Cast("run_id", CharField()), Value("/part-"), number, Value(".parquet"))
    apps.get_model("scoring", "ScorePart").objects.filter(outputs__isnull=False).update(file=part)


class Migration(migrations.Migration):

    dependencies = [
        ('common', '0003_stored_files'),
        ('corpus', '0006_stored_files'),
        ('scoring', '0002_score_part_attempts'),
    ]

    operations = [
        migrations.AddField(
            model_name='scorepart',
            name='file',
            field=models.CharField(blank=True, help_text='Its name in the storage of scores, once it is done.', max_length=100),
        ),
        migrations.AddField(
            model_name='scorepart',
            name='file_sha256',
            field=models.CharField(blank=True, help_text='Empty for files of earlier versions.', max_length=64),
        ),
        migrations.AddField(
            model_name='scorerun',
            name='file',
            field=models.CharField(blank=True, help_text='The file for downloads, with one row per output and metric.', max_length=100),
        ),
        migrations.AddField(
            model_name='scorerun',
            name='file_sha256',
            field=models.CharField(blank=True, help_text='Empty for files of earlier versions.', max_length=64),
        ),
        migrations.RunPython(name_files, migrations.RunPython.noop),
    ]
