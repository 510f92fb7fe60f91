"""Everything that this room gained after version 0.2.0: counts for limits, files on their way, answers kept for the API."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('common', '0002_rate_counts'),
        ('common', '0003_stored_files'),
        ('common', '0004_kept_answers'),
    ]

    dependencies = [
        ('common', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RateCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('limit_name', models.CharField(max_length=40)),
                ('key_hash', models.CharField(max_length=64)),
                ('window_start', models.DateTimeField(db_index=True)),
                ('count', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key_hash', 'window_start'), name='rate_count_once_per_window')],
            },
        ),
        migrations.CreateModel(
            name='UnnamedPath',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('storage', models.CharField(max_length=20)),
                ('path', models.CharField(max_length=200)),
                ('attempt', models.PositiveSmallIntegerField(default=0, help_text='Which attempt at the job writes it.')),
                ('is_given_up', models.BooleanField(default=False, help_text='It is to be removed; nothing may name it any more.')),
                ('begun_at', models.DateTimeField()),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='common.job')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('storage', 'path'), name='unnamed_path_once')],
            },
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('asked', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('body', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='kept_answer_once_per_key')],
            },
        ),
    ]
