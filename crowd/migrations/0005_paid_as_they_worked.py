import crowd.models.links
import django.core.validators
import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0004_record_leaving'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PaidVisit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('paid_at', models.DateTimeField()),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='paid_visits', to='crowd.joinlink')),
                ('paid_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='paid_visits', to='crowd.worker')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('worker', 'link'), name='paid_visit_once')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='pastvisit',
            name='past_visit_outcome_known',
        ),
        migrations.AddField(
            model_name='campaign',
            name='budget',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='budget for more texts'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='editor_partial_pay',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='partial pay of an editor'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='platform_fee_percent',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('200'))], verbose_name='fee of the platform (%)'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rater_partial_pay',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='partial pay of a rater'),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='finished_at',
            field=models.DateTimeField(help_text='When the current visit had nothing left to do.', null=True),
        ),
        # Links from before have none: no platform has been told of it.
        migrations.AddField(
            model_name='joinlink',
            name='code_skipped',
            field=models.CharField(blank=True, default='', max_length=64, validators=[django.core.validators.RegexValidator('^[\\w-]*\\Z', 'A code has letters, digits, hyphens and underscores only.')], verbose_name='code after skipping most texts'),
        ),
        migrations.AlterField(
            model_name='joinlink',
            name='code_skipped',
            field=models.CharField(blank=True, default=crowd.models.links.new_code, max_length=64, validators=[django.core.validators.RegexValidator('^[\\w-]*\\Z', 'A code has letters, digits, hyphens and underscores only.')], verbose_name='code after skipping most texts'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('editor_partial_pay', None), ('editor_partial_pay__gte', 0), _connector='OR'), name='campaign_editor_partial_pay_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('rater_partial_pay', None), ('rater_partial_pay__gte', 0), _connector='OR'), name='campaign_rater_partial_pay_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('budget', None), ('budget__gte', 0), _connector='OR'), name='campaign_budget_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('platform_fee_percent', None), models.Q(('platform_fee_percent__gte', 0), ('platform_fee_percent__lte', Decimal('200'))), _connector='OR'), name='campaign_platform_fee_percent_range'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_done', ''), models.Q(('code_done', models.F('code_skipped')), _negated=True), _connector='OR'), name='join_link_code_done_not_skipped', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_partial', ''), models.Q(('code_partial', models.F('code_skipped')), _negated=True), _connector='OR'), name='join_link_code_partial_not_skipped', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_failed', ''), models.Q(('code_failed', models.F('code_skipped')), _negated=True), _connector='OR'), name='join_link_code_failed_not_skipped', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_no_work', ''), models.Q(('code_no_work', models.F('code_skipped')), _negated=True), _connector='OR'), name='join_link_code_no_work_not_skipped', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_skipped', ''), models.Q(('code_skipped', models.F('code_withdrew')), _negated=True), _connector='OR'), name='join_link_code_skipped_not_withdrew', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='pastvisit',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['working', 'done', 'failed', 'no_work', 'skipped', 'stopped', 'withdrew'])), name='past_visit_outcome_known'),
        ),
    ]
