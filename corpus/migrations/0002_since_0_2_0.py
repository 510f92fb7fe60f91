"""Everything that this room gained after version 0.2.0: stated facts, imports of outputs, names of folders."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat


def name_folders(apps: Any, _schema: Any) -> None:
    """Name the folders of releases, which went by campaign and version so far."""
    folder = Concat(
        Value("campaign-"), Cast("campaign_id", CharField()), Value("/v"), Cast("version", CharField())
    )
    apps.get_model("corpus", "Release").objects.filter(state="ready").update(folder=folder)


class Migration(migrations.Migration):

    replaces = [
        ('corpus', '0002_imported_facts'),
        ('corpus', '0003_imports_of_files'),
        ('corpus', '0004_erasures_to_complete'),
        ('corpus', '0005_retired_sources'),
        ('corpus', '0006_stored_files'),
        ('corpus', '0007_stored_files_named'),
    ]

    dependencies = [
        ('common', '0002_since_0_2_0'),
        ('corpus', '0001_initial'),
        ('crowd', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='retired_sources',
            field=models.JSONField(default=list, help_text='Texts that were retired when it was frozen, and which of them are left out.'),
        ),
        migrations.AddField(
            model_name='release',
            name='folder',
            field=models.CharField(blank=True, help_text='Where its files lie in the storage of releases.', max_length=100),
        ),
        migrations.CreateModel(
            name='ImportedFacts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What the release is called, or its folder.', max_length=100)),
                ('language', models.CharField(blank=True, help_text='Empty where neither files nor staff told it.', max_length=20)),
                ('stated', models.JSONField(default=list, help_text='Statements, those of its own imports after its own.')),
                ('has_questions', models.BooleanField(help_text='The files say what raters were asked; else only the points.')),
                ('created_at', models.DateTimeField()),
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='imported_facts', to='crowd.campaign')),
            ],
        ),
        migrations.CreateModel(
            name='OutputImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=255)),
                ('content', models.BinaryField(help_text='Kept until the file is read.')),
                ('added', models.PositiveIntegerField(default=0)),
                ('unchanged', models.PositiveIntegerField(default=0)),
                ('refused', models.PositiveIntegerField(default=0)),
                ('problems', models.JSONField(default=list, help_text='[line, reason] of rows refused.')),
                ('warnings', models.JSONField(default=list, help_text='[line, what was changed].')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('system', models.CharField(max_length=60)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='crowd.campaign')),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='%(class)s', to='common.job')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ErasureToComplete',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('erased_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.RunPython(name_folders, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), models.Q(('folder', ''), _negated=True), _connector='OR'), name='release_ready_has_folder'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(condition=models.Q(('folder', ''), _negated=True), fields=('folder',), name='release_folder_once'),
        ),
    ]
