"""Everything that this room gained after version 0.2.0: counts, sittings of the test, quality rules, ratings of models."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('ratings', '0002_settings_versions'),
        ('ratings', '0003_standard_errors'),
        ('ratings', '0004_rating_tallies'),
        ('ratings', '0005_kept_results'),
        ('ratings', '0006_deleted_questions'),
        ('ratings', '0007_sittings'),
        ('ratings', '0008_quality_rule'),
        ('ratings', '0009_model_ratings'),
    ]

    dependencies = [
        ('common', '0002_since_0_2_0'),
        ('compressions', '0002_since_0_2_0'),
        ('crowd', '0002_since_0_2_0'),
        ('ratings', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='guidelines_version',
            field=models.ForeignKey(help_text='The guidelines that the rater had read; null where that is not recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='rating',
            name='settings_version',
            field=models.ForeignKey(help_text='In force when the points were given; null where that is not recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='qualitydecision',
            name='gap',
            field=models.FloatField(help_text='Distance from the cut: above 0 on the side of those kept.', null=True),
        ),
        migrations.AddField(
            model_name='qualitydecision',
            name='standard_error',
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name='qualificationitem',
            name='deleted_at',
            field=models.DateTimeField(help_text='From when on nobody is asked it; staff can restore it.', null=True),
        ),
        migrations.AddField(
            model_name='qualificationattempt',
            name='asked',
            field=models.JSONField(default=list, help_text='The ids of its questions in their order; empty from before that was stored.'),
        ),
        migrations.CreateModel(
            name='RaterFlags',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last_rating', models.PositiveBigIntegerField()),
                ('last_version', models.PositiveBigIntegerField()),
                ('excluded', models.JSONField(help_text='The ids of the raters who were excluded.')),
                ('rule', models.CharField(help_text='The rule that found the flags; flags of another rule are not used.', max_length=20)),
                ('flags', models.JSONField(help_text='By the id of a rater who has flags: the name and evidence of each.')),
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)s', to='crowd.campaign')),
            ],
            options={
                'abstract': False,
                'db_table': 'ratings_flagtally',
            },
        ),
        migrations.CreateModel(
            name='RatingCounts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last_rating', models.PositiveBigIntegerField()),
                ('last_version', models.PositiveBigIntegerField()),
                ('excluded', models.JSONField(help_text='The ids of the raters who were excluded.')),
                ('totals', models.JSONField(help_text='By scale: texts, the sum of their means, and ratings by point.')),
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)s', to='crowd.campaign')),
            ],
            options={
                'abstract': False,
                'db_table': 'ratings_ratingtally',
            },
        ),
        migrations.CreateModel(
            name='KeptResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('preview_quality', 'preview of the worker filter'), ('plan_ratings', 'plan of more ratings')], max_length=16)),
                ('parameters', models.JSONField()),
                ('digest', models.CharField(help_text='SHA-256 of the parameters.', max_length=64)),
                ('result', models.JSONField(null=True)),
                ('basis', models.JSONField(help_text='How far the data went that the result was computed from.', null=True)),
                ('computed_at', models.DateTimeField(null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_results', to='crowd.campaign')),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='kept_result', to='common.job')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'kind', 'digest'), name='kept_result_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['preview_quality', 'plan_ratings'])), name='kept_result_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('basis__isnull', True), ('computed_at__isnull', True), ('result__isnull', True)), models.Q(('basis__isnull', False), ('computed_at__isnull', False), ('result__isnull', False)), _connector='OR'), name='kept_result_has_basis_and_time')],
            },
        ),
        migrations.CreateModel(
            name='QualificationSitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('questions', models.JSONField(help_text='The ids of the questions that were drawn, in their order.')),
                ('answers', models.JSONField(default=dict, help_text="Item id to the points given by scale, and the text's mark.")),
                ('began_at', models.DateTimeField()),
                ('enrolment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='qualification_sitting', to='crowd.enrolment')),
            ],
        ),
        migrations.CreateModel(
            name='QualityRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('share', models.FloatField()),
                ('min_items', models.PositiveIntegerField()),
                ('order', models.CharField(max_length=40)),
                ('rater_quality', models.CharField(max_length=40)),
                ('roles', models.CharField(max_length=40)),
                ('kept_at', models.DateTimeField()),
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='quality_rule', to='crowd.campaign')),
                ('kept_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='quality_rules', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('min_items__gte', 1), ('share__gte', 0), ('share__lte', 1)), name='quality_rule_in_range'), models.CheckConstraint(condition=models.Q(('order__in', ['raters first', 'editors first']), ('rater_quality__in', ['deviation from the others', 'accuracy on gold items', 'Dawid-Skene accuracy']), ('roles__in', ['raters and editors', 'raters only', 'editors only'])), name='quality_rule_known')],
            },
        ),
        migrations.CreateModel(
            name='ModelRater',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_raters', to='crowd.campaign')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'name'), name='model_rater_name_once'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='model_rater_has_name')],
            },
        ),
        migrations.CreateModel(
            name='ModelRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scores', models.JSONField(help_text='A number within the points of each scale that the model rated, by its key.')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='ratings.modelrater')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_ratings', to='compressions.target')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('rater', 'target'), name='model_rating_once'), models.CheckConstraint(condition=models.Q(('scores', {}), _negated=True), name='model_rating_has_scores')],
            },
        ),
        migrations.CreateModel(
            name='RatingImport',
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
                ('pool', models.CharField(choices=[('model', 'models'), ('crowd', 'people of the crowd'), ('experts', 'experts')], max_length=8)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='crowd.campaign')),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='%(class)s', to='common.job')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pool__in', ['model', 'crowd', 'experts'])), name='rating_import_pool_known')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='qualificationitem',
            name='qualification_item_position_once',
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.CheckConstraint(condition=models.Q(('worker__isnull', False), models.Q(('guidelines_version', None), ('settings_version', None)), _connector='OR'), name='rating_of_nobody_without_settings'),
        ),
        migrations.AddConstraint(
            model_name='qualitydecision',
            constraint=models.CheckConstraint(condition=models.Q(('standard_error', None), models.Q(('quality__isnull', False), ('standard_error__gte', 0)), _connector='OR'), name='quality_decision_error_of_a_quality'),
        ),
        migrations.AddConstraint(
            model_name='qualitydecision',
            constraint=models.CheckConstraint(condition=models.Q(('gap', None), ('quality__isnull', False), _connector='OR'), name='quality_decision_gap_of_a_quality'),
        ),
        migrations.AddConstraint(
            model_name='qualificationitem',
            constraint=models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('campaign', 'position'), name='qualification_item_position_once'),
        ),
    ]
