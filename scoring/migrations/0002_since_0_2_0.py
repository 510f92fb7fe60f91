"""Everything that this room gained after version 0.2.0: claims of parts, names of files."""

from typing import Any

from django.db import migrations, models
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat, LPad


def name_files(apps: Any, _schema: Any) -> None:
    """Name the files of runs and parts, which had fixed names so far."""
    run = Concat(Value("run-"), Cast("pk", CharField()), Value("/scores.parquet"))
    apps.get_model("scoring", "ScoreRun").objects.filter(summary__isnull=False).update(file=run)
    number = LPad(Cast("number", CharField()), 5, Value("0"))
    part = Concat(Value("run-"), Cast("run_id", CharField()), Value("/part-"), number, Value(".parquet"))
    apps.get_model("scoring", "ScorePart").objects.filter(outputs__isnull=False).update(file=part)


class Migration(migrations.Migration):

    replaces = [
        ('scoring', '0002_score_part_attempts'),
        ('scoring', '0003_stored_files'),
        ('scoring', '0004_stored_files_named'),
    ]

    dependencies = [
        ('common', '0002_since_0_2_0'),
        ('corpus', '0002_since_0_2_0'),
        ('scoring', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='scorepart',
            name='attempts',
            field=models.PositiveIntegerField(default=0, help_text='How often it was claimed; the latest claim holds it.'),
        ),
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
        migrations.RunPython(name_files, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name='scorepart',
            constraint=models.CheckConstraint(condition=models.Q(('outputs__isnull', True), models.Q(('file', ''), _negated=True), _connector='OR'), name='score_part_done_has_file'),
        ),
        migrations.AddConstraint(
            model_name='scorerun',
            constraint=models.CheckConstraint(condition=models.Q(('summary__isnull', True), models.Q(('file', ''), _negated=True), _connector='OR'), name='score_run_finished_has_file'),
        ),
    ]
