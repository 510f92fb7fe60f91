"""Everything that this room gained after version 0.2.0: retired texts, kinds of flags, alignments, translations."""

from itertools import pairwise
from typing import Any

import django.db.models.deletion
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Cast, Length

import common.json_values


AT_ONCE = 500
PAUSE_MS = 30_000
KIND, AT_MS = 3, 4  # places in an operation of a log
# The names of flags as they were when this migration was written.
KINDS = {
    "pasted from elsewhere": "pasted",
    "typed at an impossible speed": "speed",
    "done in a few seconds": "seconds",
    "hidden writing direction": "direction",
    "alphabets mixed in a word": "alphabets",
}


def weigh(apps: Any, _schema: Any) -> None:
    """Weigh the drafts that are there; escaping makes a log about twice as long."""
    drafts = apps.get_model("compressions", "Draft").objects
    drafts.update(size=2 * Length(Cast("edit_log", models.TextField())) + Length("comment"))


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


def check_rows(_apps: Any, schema: Any) -> None:
    """Check changed rows now: PostgreSQL alters no table whose rows wait to be checked at the end of the transaction."""
    schema.connection.check_constraints()


class Migration(migrations.Migration):

    replaces = [
        ('compressions', '0002_settings_versions'),
        ('compressions', '0003_imports_of_files'),
        ('compressions', '0004_draft_size'),
        ('compressions', '0005_retired_sources'),
        ('compressions', '0006_active_time'),
        ('compressions', '0007_flag_kinds'),
        ('compressions', '0008_flag_constraints'),
        ('compressions', '0009_alignment_corrections'),
        ('compressions', '0010_translations'),
    ]

    dependencies = [
        ('common', '0002_since_0_2_0'),
        ('compressions', '0001_initial'),
        ('crowd', '0002_since_0_2_0'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='compression',
            name='guidelines_version',
            field=models.ForeignKey(help_text='The guidelines that the editor had read; null where that is not recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='compression',
            name='settings_version',
            field=models.ForeignKey(help_text='Whose length rule was enforced; null where that is not recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='compressions', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='compression',
            name='active_ms',
            field=models.PositiveIntegerField(help_text='Time at work without pauses, from the log; null where there is none.', null=True),
        ),
        migrations.AddField(
            model_name='compression',
            name='flag_kinds',
            field=models.CharField(blank=True, db_default='', default='', help_text='The kinds of its flags, each with a space on either side: what lists are narrowed by.', max_length=200),
        ),
        migrations.AddField(
            model_name='compression',
            name='flags_seen_at',
            field=models.DateTimeField(help_text='When staff marked the flags as looked at.', null=True),
        ),
        migrations.AddField(
            model_name='compression',
            name='flags_seen_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='compression',
            name='is_compared',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='draft',
            name='size',
            field=models.PositiveIntegerField(default=0, help_text='What it weighs in the editing page, in bytes.'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='source',
            name='corrects',
            field=models.ForeignKey(help_text='The text that it replaces.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='corrections', to='compressions.source'),
        ),
        migrations.AddField(
            model_name='source',
            name='retire_note',
            field=models.CharField(blank=True, default='', max_length=500),
        ),
        migrations.AddField(
            model_name='source',
            name='retired_at',
            field=models.DateTimeField(help_text='From when on nobody is given work on it.', null=True),
        ),
        migrations.AddField(
            model_name='source',
            name='retired_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sources_retired', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='source',
            name='work_is_kept',
            field=models.BooleanField(default=True, help_text='Releases have a retired text with the work that was done on it.'),
        ),
        migrations.CreateModel(
            name='AlignmentCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(help_text='Counted from 1 for each text.')),
                ('source_words', models.JSONField(help_text='The words of the source that it was made on.')),
                ('words', models.JSONField(help_text='The words of the text that it was made on.')),
                ('places', models.JSONField(help_text="The place in the source of each word, or null for an inserted one; none where the aligner's are taken again.", null=True)),
                ('created_at', models.DateTimeField()),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignment_corrections', to='compressions.target')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('target', 'version'), name='alignment_version_once'), models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='alignment_version_from_one'), models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(common.json_values.JsonType('source_words'), models.Value('array'))), name='alignment_source_words_listed'), models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(common.json_values.JsonType('words'), models.Value('array'))), name='alignment_words_listed'), models.CheckConstraint(condition=models.Q(('places__isnull', True), django.db.models.lookups.Exact(common.json_values.JsonType('places'), models.Value('array')), _connector='OR'), name='alignment_places_listed'), models.CheckConstraint(condition=models.Q(('places__isnull', True), django.db.models.lookups.Exact(common.json_values.JsonLength('places'), common.json_values.JsonLength('words')), _connector='OR'), name='alignment_place_of_each_word')],
            },
        ),
        migrations.CreateModel(
            name='TranslationImport',
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
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='crowd.campaign')),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='%(class)s', to='common.job')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TranslatedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('source', 'source'), ('reference', 'compression by an editor'), ('output', 'output of a system')], max_length=9)),
                ('language', models.CharField(help_text='The tag of its language.', max_length=20)),
                ('made_by', models.CharField(help_text='The translator: a system or a person.', max_length=100)),
                ('text', models.TextField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='translations', to='crowd.campaign')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='translations', to='compressions.source')),
                ('target', models.ForeignKey(help_text='The text that was translated; none where that is the source itself.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='translations', to='compressions.target')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind', 'source'), ('target__isnull', True)), models.Q(('kind__in', ['reference', 'output']), ('target__isnull', False)), _connector='OR'), name='translation_kind_known'), models.UniqueConstraint(condition=models.Q(('target', None)), fields=('source', 'language', 'made_by'), name='translation_once_per_source'), models.UniqueConstraint(condition=models.Q(('target__isnull', False)), fields=('target', 'kind', 'language', 'made_by'), name='translation_once_per_text'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='translation_text_not_empty'), models.CheckConstraint(condition=models.Q(('language', ''), _negated=True), name='translation_has_language'), models.CheckConstraint(condition=models.Q(('made_by', ''), _negated=True), name='translation_has_maker')],
            },
        ),
        migrations.RemoveIndex(
            model_name='compression',
            name='compression_flagged',
        ),
        migrations.RunPython(weigh, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(from_logs, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(from_flags, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(check_rows, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='compression',
            name='is_compared',
            field=models.BooleanField(db_default=False, default=False, help_text="Whether it has been looked at beside the editor's other texts."),
        ),
        migrations.AddConstraint(
            model_name='compression',
            constraint=models.CheckConstraint(condition=models.Q(('is_imported', False), models.Q(('guidelines_version', None), ('settings_version', None)), _connector='OR'), name='compression_imported_without_settings'),
        ),
        migrations.AddIndex(
            model_name='compression',
            index=models.Index(condition=models.Q(('is_flagged', True)), fields=['source', 'flag_kinds', 'flags_seen_at'], name='compression_flagged'),
        ),
        migrations.AddIndex(
            model_name='compression',
            index=models.Index(condition=models.Q(('is_compared', False), ('is_imported', False)), fields=['worker'], name='compression_to_compare'),
        ),
        migrations.AddConstraint(
            model_name='compression',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('flag_kinds', ''), ('is_flagged', False)), models.Q(('is_flagged', True), models.Q(('flag_kinds', ''), _negated=True)), _connector='OR'), name='compression_flagged_has_kinds'),
        ),
        migrations.AddConstraint(
            model_name='compression',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('flags_seen_at', None), ('flags_seen_by', None)), models.Q(('flags_seen_at__isnull', False), ('is_flagged', True)), _connector='OR'), name='compression_seen_is_flagged'),
        ),
        migrations.AddConstraint(
            model_name='source',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('retired_at', None), ('retire_note', ''), ('retired_by', None), ('work_is_kept', True)), models.Q(('retired_at__isnull', False), models.Q(('retire_note', ''), _negated=True)), _connector='OR'), name='source_retired_says_why'),
        ),
        migrations.AddConstraint(
            model_name='source',
            constraint=models.CheckConstraint(condition=models.Q(('corrects', None), models.Q(('corrects', models.F('pk')), _negated=True), _connector='OR'), name='source_corrects_another'),
        ),
        migrations.AddConstraint(
            model_name='source',
            constraint=models.UniqueConstraint(condition=models.Q(('retired_at', None)), fields=('corrects',), name='source_one_correction_at_a_time'),
        ),
    ]
