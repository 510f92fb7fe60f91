import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('common', '0003_periodic_runs'),
        ('crowd', '0010_arms'),
    ]

    operations = [
        migrations.CreateModel(
            name='Material',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=8)),
                ('name', models.CharField(max_length=100)),
                ('system', models.CharField(blank=True, max_length=100)),
                ('condition', models.CharField(blank=True, max_length=100)),
                ('body', models.JSONField()),
                ('expected', models.JSONField(help_text='Of practice: the answer that people see after theirs.', null=True)),
                ('digest', models.CharField(max_length=64)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='material', to='crowd.campaign')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('campaign', 'task', 'name', 'system', 'condition'), name='material_once'),
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='material_has_name'),
                ],
            },
        ),
        migrations.CreateModel(
            name='MaterialImport',
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
                ('answers', models.CharField(db_default='', default='', help_text='The format, if it has answers that were given elsewhere.', max_length=20)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='crowd.campaign')),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='%(class)s', to='common.job')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('answers__in', ['', 'mqm', 'mqm-quoted', 'esa', 'wmt25', 'wmt25-jsonl', 'thresh'])), name='material_import_form_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PageVisit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(max_length=40)),
                ('opened_at', models.DateTimeField(help_text='Of the first page: when the task was handed out.')),
                ('left_at', models.DateTimeField(null=True)),
                ('back_tries', models.PositiveSmallIntegerField(default=0, help_text='How often they wanted to see a page again that had closed.')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='page_visits', to='crowd.assignment')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('assignment', 'page'), name='page_visit_once'),
                    models.CheckConstraint(condition=models.Q(('left_at', None), ('left_at__gte', models.F('opened_at')), _connector='OR'), name='page_visit_left_after_it_opened'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PracticeAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.JSONField()),
                ('created_at', models.DateTimeField()),
                ('enrolment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='practice_answers', to='crowd.enrolment')),
                ('material', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='practice_answers', to='protocols.material')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('enrolment', 'material'), name='practice_answer_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task_version', models.PositiveSmallIntegerField(help_text='How the task stored its answers then.')),
                ('answer', models.JSONField()),
                ('version', models.PositiveSmallIntegerField(default=1)),
                ('milliseconds', models.PositiveIntegerField(help_text='From the first sight of it to the answer.', null=True)),
                ('created_at', models.DateTimeField()),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='response', to='crowd.assignment')),
                ('guidelines_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='crowd.settingsversion')),
                ('settings_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='crowd.settingsversion')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='response_version_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='MarkedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question', models.CharField(max_length=100)),
                ('key', models.CharField(max_length=8)),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='marked_answers', to='protocols.response')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('response', 'question'), name='marked_answer_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ResponseVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('answer', models.JSONField()),
                ('milliseconds', models.PositiveIntegerField(null=True)),
                ('created_at', models.DateTimeField()),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='protocols.response')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('response', 'number'), name='response_version_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Sound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('file', models.CharField(help_text='Its name in the storage.', max_length=100)),
                ('size', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('seconds', models.FloatField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sounds', to='crowd.campaign')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('campaign', 'name'), name='sound_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('file', ''), _negated=True), ('seconds__gt', 0)), name='sound_is_there'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TaskDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(default=dict)),
                ('saved_at', models.DateTimeField()),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='task_draft', to='crowd.assignment')),
            ],
        ),
        migrations.CreateModel(
            name='TaskItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='task_item', to='crowd.item')),
                ('material', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='task_item', to='protocols.material')),
            ],
        ),
        migrations.CreateModel(
            name='DesignRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('block', models.PositiveSmallIntegerField()),
                ('row', models.PositiveSmallIntegerField()),
                ('cells', models.JSONField(help_text='[name of the material, condition], or ids of items, in the order in which they are done.')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='design_rows', to='crowd.campaign')),
                ('enrolment', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='design_row', to='crowd.enrolment')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'block', 'row'), name='design_row_once')],
            },
        ),
    ]
