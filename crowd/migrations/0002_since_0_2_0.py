"""Everything that this room gained after version 0.2.0: versions of settings, states, roles, pay, studies, accounts, webhooks."""

from decimal import Decimal
from typing import Any

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

import crowd.models.accounts
import crowd.models.links
import crowd.models.webhooks
import crowd.scales
from crowd.append_only import triggers_create, triggers_drop


# Not imported: the lists may change, and this migration does not.
VERSIONED = (
    "consent", "editor_guidelines", "sentence_examples", "paragraph_examples", "rater_guidelines",
    "texts_go_on_erasure", "editor_start", "keep_percent", "qualification_pass_percent", "qualification_tries",
    "qualification_wait_minutes", "rating_task", "scales", "editors_per_source", "raters_per_compression",
    "editor_tasks", "rater_tasks", "lease_minutes", "sentence_min_words", "paragraph_min_words", "ratings_per_page",
    "extra_raters", "pairs_per_compression", "system_percent", "gold_percent", "gold_warn_percent",
)
SIMULATED = "simulated-"

TASKS_BY_LINK = """
    UPDATE crowd_assignment SET link_id = (
        SELECT e.link_id FROM crowd_enrolment e
        WHERE e.worker_id = crowd_assignment.worker_id AND e.round = crowd_assignment.round
    )
    WHERE state <> 'blocked'
"""


def first_versions(apps: Any, _schema: Any) -> None:
    """Make the settings of every campaign its version 1.

    Under which settings its people consented and its work was done is not recorded, so that stays empty. People of a
    simulated crowd are those that the simulation itself took for such: by the beginning of their id.
    """
    campaigns = apps.get_model("crowd", "Campaign").objects
    versions = apps.get_model("crowd", "SettingsVersion").objects
    for campaign in campaigns.filter(settings_version=None):
        settings = {name: getattr(campaign, name) for name in VERSIONED}
        version = versions.create(campaign=campaign, number=1, settings=settings, created_at=timezone.now())
        campaigns.filter(pk=campaign.pk).update(settings_version=version)
    apps.get_model("crowd", "Worker").objects.filter(external_id__startswith=SIMULATED).update(is_simulated=True)


def carry_over(apps: Any, _schema: Any) -> None:
    """Give campaigns a state, and staff a role: until now all of them could do everything."""
    campaigns = apps.get_model("crowd", "Campaign").objects
    campaigns.filter(is_open=False).update(state="closed")
    membership = apps.get_model("crowd", "Membership")
    staff = apps.get_model("crowd", "Campaign").staff.through.objects.order_by("pk")
    membership.objects.bulk_create(
        membership(campaign_id=each.campaign_id, user_id=each.user_id, role="owner") for each in staff
    )


def end_old_sessions(apps: Any, _schema: Any) -> None:
    """Delete the sessions of the former store, which nothing reads any more: everyone logs in again."""
    apps.get_model("sessions", "Session").objects.all().delete()


def check_rows(_apps: Any, schema: Any) -> None:
    """Check changed rows now: PostgreSQL alters no table whose rows wait to be checked at the end of the transaction."""
    schema.connection.check_constraints()


def protect_log(_apps: Any, schema: Any) -> None:
    for statement in triggers_create(schema.connection.vendor):
        schema.execute(statement)


def unprotect_log(_apps: Any, schema: Any) -> None:
    for statement in triggers_drop(schema.connection.vendor):
        schema.execute(statement)


class Migration(migrations.Migration):

    replaces = [
        ('crowd', '0002_settings_versions'),
        ('crowd', '0003_first_settings_versions'),
        ('crowd', '0004_browsers_and_signed_ids'),
        ('crowd', '0005_people_and_money'),
        ('crowd', '0006_people_and_money_data'),
        ('crowd', '0007_after_people_and_money'),
        ('crowd', '0008_studies'),
        ('crowd', '0009_accounts'),
        ('crowd', '0010_labels_of_settings'),
        ('crowd', '0011_notices'),
        ('crowd', '0012_page_language'),
        ('crowd', '0013_shared_browsers'),
        ('crowd', '0014_known_browsers'),
        ('crowd', '0015_test_questions_per_try'),
        ('crowd', '0016_labels'),
        ('crowd', '0017_api_tokens'),
        ('crowd', '0018_webhooks'),
    ]

    dependencies = [
        ('crowd', '0001_initial'),
        ('sessions', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SettingsVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('settings', models.JSONField(help_text='The value of each versioned setting.')),
                ('created_at', models.DateTimeField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settings_versions', to='crowd.campaign')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='settings_versions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'number'), name='settings_version_number_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='settings_version_from_one')],
            },
        ),
        migrations.AddField(
            model_name='worker',
            name='is_simulated',
            field=models.BooleanField(default=False, help_text='A program that works as a person would.'),
        ),
        migrations.AddField(
            model_name='worker',
            name='is_test',
            field=models.BooleanField(default=False, help_text='Came by a test link; never part of a release.'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='editor_guidelines_changed',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rater_guidelines_changed',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='settings_version',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='currency',
            field=models.CharField(default='GBP', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', "Give a currency's three letters, such as GBP.")], verbose_name='currency'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='edit_paused',
            field=models.BooleanField(default=False, verbose_name='editor round paused'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='editor_minutes',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)], verbose_name='minutes an editor needs'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='editor_pay',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='pay of an editor'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='editor_pay_unit',
            field=models.CharField(choices=[('text', 'per text'), ('study', 'per study')], default='study', max_length=8, verbose_name='editors are paid'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='expert_paused',
            field=models.BooleanField(default=False, verbose_name='expert round paused'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='minimum_hourly_pay',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='minimum pay per hour'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='partial_after',
            field=models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(30000)], verbose_name='texts that earn partial pay'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rate_paused',
            field=models.BooleanField(default=False, verbose_name='rater round paused'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rater_minutes',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)], verbose_name='minutes a rater needs'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rater_pay',
            field=models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('999999.99'))], verbose_name='pay of a rater'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='rater_pay_unit',
            field=models.CharField(choices=[('text', 'per text'), ('study', 'per study')], default='study', max_length=8, verbose_name='raters are paid'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='sandbox_of',
            field=models.ForeignKey(editable=False, help_text='The campaign that this one shows a preview of; nothing in it lasts.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sandboxes', to='crowd.campaign'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='state',
            field=models.CharField(choices=[('draft', 'draft'), ('open', 'open'), ('paused', 'paused'), ('closed', 'closed'), ('archived', 'archived')], default='open', max_length=8),
        ),
        migrations.AddField(
            model_name='campaign',
            name='page_language',
            field=models.CharField(choices=[('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français'), ('es', 'Español'), ('ar', 'العربية'), ('zh-hans', '简体中文')], default='en', max_length=16, verbose_name='language of the pages'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='qualification_questions',
            field=models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(200)], verbose_name='test questions per attempt'),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='guidelines_version',
            field=models.ForeignKey(help_text='The guidelines that the person read last; null if none, or from before versions were recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='settings_version',
            field=models.ForeignKey(help_text='What the person consented to; null from before versions were recorded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='enrolments', to='crowd.settingsversion'),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='browser_hash',
            field=models.CharField(blank=True, default='', help_text='Of the browser that holds the visit of a person with an id.', max_length=64),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='visit_began_at',
            field=models.DateTimeField(help_text='When the person came by the current link; null if by the first, when they consented.', null=True),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='signing_keys',
            field=models.TextField(blank=True, default='', help_text="The platform's public keys; if set, ids are taken from signed tokens only."),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='closes_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='code_partial',
            field=models.CharField(blank=True, default='', max_length=64, verbose_name='code after stopping early'),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='code_withdrew',
            field=models.CharField(blank=True, default='', max_length=64, verbose_name='code after withdrawing'),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='is_test',
            field=models.BooleanField(default=False, help_text='Who comes by it is marked as a test and never part of a release.'),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='max_people',
            field=models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='maximum number of people'),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='name',
            field=models.CharField(blank=True, default='', help_text='What staff call the study, such as “Pilot, 20 people”.', max_length=80),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='opens_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='wrong_id_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='wrong_id_example',
            field=models.CharField(blank=True, default='', editable=False, max_length=60),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='wrong_ids',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='How often someone came with an id that cannot be one.'),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='completion_address',
            field=models.CharField(blank=True, default='', help_text='Of the platform, where it credits who has finished.', max_length=500),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='other_id_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='other_id_platform',
            field=models.CharField(blank=True, default='', editable=False, max_length=40),
        ),
        migrations.AddField(
            model_name='joinlink',
            name='other_ids',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='How often someone came to a direct link with an id of a platform.'),
        ),
        migrations.AddField(
            model_name='assignment',
            name='link',
            field=models.ForeignKey(db_index=False, help_text='By which link the person came; null for what was imported, and for what they may not have.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='crowd.joinlink'),
        ),
        migrations.AddField(
            model_name='remark',
            name='answer_note',
            field=models.CharField(blank=True, help_text='What staff did about it, for staff only.', max_length=500),
        ),
        migrations.AddField(
            model_name='remark',
            name='answered_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='remark',
            name='answered_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='BrowserRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('browser_hash', models.CharField(max_length=64)),
                ('code', models.CharField(default=crowd.models.accounts.new_request_code, max_length=16)),
                ('state', models.CharField(choices=[('open', 'open'), ('allowed', 'allowed'), ('refused', 'refused')], default='open', max_length=8)),
                ('created_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('enrolment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='browser_requests', to='crowd.enrolment')),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='browser_requests', to='crowd.joinlink')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('enrolment', 'browser_hash'), name='browser_request_once_per_browser'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('state', 'open')), models.Q(('decided_at__isnull', False), ('state__in', ['allowed', 'refused'])), _connector='OR'), name='browser_request_decided_has_time'), models.CheckConstraint(condition=models.Q(('browser_hash', ''), _negated=True), name='browser_request_has_browser')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('campaign_slug', models.CharField(max_length=50)),
                ('username', models.CharField(blank=True, help_text='Empty for commands and the program itself.', max_length=150)),
                ('action', models.CharField(max_length=40)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('detail', models.TextField(blank=True)),
                ('created_at', models.DateTimeField()),
                ('campaign', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='audit_entries', to='crowd.campaign')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['campaign', '-id'], name='audit_of_campaign')],
                'constraints': [models.CheckConstraint(condition=models.Q(('action', ''), _negated=True), name='audit_entry_says_what')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('manager', 'manager'), ('viewer', 'viewer'), ('expert', 'expert')], default='owner', max_length=8)),
                ('is_notified', models.BooleanField(default=False, verbose_name='gets mails about the campaign')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='crowd.campaign')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'user'), name='membership_once'), models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'manager', 'viewer', 'expert'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='PastVisit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('study_id', models.CharField(blank=True, max_length=200)),
                ('session_id', models.CharField(blank=True, max_length=200)),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
                ('outcome', models.CharField(choices=[('working', 'working'), ('done', 'done'), ('failed', 'failed the test'), ('no_work', 'no work left'), ('skipped', 'skipped most texts'), ('stopped', 'stopped early'), ('withdrew', 'withdrew')], max_length=8)),
                ('enrolment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='past_visits', to='crowd.enrolment')),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_visits', to='crowd.joinlink')),
                ('settings_version', models.ForeignKey(help_text='What was consented to.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='crowd.settingsversion')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('enrolment', 'link'), name='past_visit_once_per_link'), models.CheckConstraint(condition=models.Q(('outcome__in', ['working', 'done', 'failed', 'no_work', 'stopped', 'withdrew'])), name='past_visit_outcome_known'), models.CheckConstraint(condition=models.Q(('ended_at__gte', models.F('began_at'))), name='past_visit_ends_after_it_began')],
            },
        ),
        migrations.CreateModel(
            name='AccountSession',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('browser', models.CharField(blank=True, default='', help_text='Such as “Firefox on Linux”.', max_length=60)),
                ('address', models.CharField(blank=True, default='', help_text='From which the account logged in.', max_length=64)),
                ('begun_at', models.DateTimeField(help_text='When the account logged in.', null=True)),
                ('used_at', models.DateTimeField(help_text='Kept to some minutes.')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='account_sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('manager', 'manager'), ('viewer', 'viewer'), ('expert', 'expert')], max_length=8)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('email', models.EmailField(blank=True, default='', max_length=254)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitations_accepted', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='crowd.campaign')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitations_made', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'manager', 'viewer', 'expert'])), name='invitation_role_known'), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('created_at'))), name='invitation_ends_after_it_began'), models.CheckConstraint(condition=models.Q(('accepted_at', None), ('revoked_at', None), _connector='OR'), name='invitation_accepted_or_revoked'), models.CheckConstraint(condition=models.Q(('accepted_by', None), ('accepted_at__isnull', False), _connector='OR'), name='invitation_accepted_has_time')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('round', 'a round is complete'), ('flags', 'many raters are flagged'), ('job', 'a job failed')], max_length=8)),
                ('key', models.CharField(help_text='Which one of its kind, so that each is told once.', max_length=80)),
                ('words', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='crowd.campaign')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('sent_at', None)), fields=['created_at'], name='notice_to_send')],
                'constraints': [models.UniqueConstraint(fields=('campaign', 'kind', 'key'), name='notice_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['round', 'flags', 'job'])), name='notice_kind_known'), models.CheckConstraint(condition=models.Q(('attempts__lte', 6)), name='notice_attempts_bounded'), models.CheckConstraint(condition=models.Q(('sent_at', None), models.Q(('attempts__gte', 1), ('sent_at__gte', models.F('created_at'))), _connector='OR'), name='notice_sent_after_it_happened')],
            },
        ),
        migrations.CreateModel(
            name='WorkerBrowser',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('browser_hash', models.CharField(max_length=64)),
                ('first_used_at', models.DateTimeField()),
                ('worker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='browsers', to='crowd.worker')),
            ],
            options={
                'indexes': [models.Index(fields=['browser_hash', 'worker'], name='worker_browser_sharing')],
                'constraints': [models.UniqueConstraint(fields=('worker', 'browser_hash'), name='worker_browser_once'), models.CheckConstraint(condition=models.Q(('browser_hash', ''), _negated=True), name='worker_browser_has_hash')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('may_manage', models.BooleanField(default=False)),
                ('may_see_ids', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('created_at'))), name='api_token_ends_later')],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=500)),
                ('tells_rounds', models.BooleanField(default=False)),
                ('tells_releases', models.BooleanField(default=False)),
                ('tells_flags', models.BooleanField(default=False)),
                ('tells_jobs', models.BooleanField(default=False)),
                ('salt', models.CharField(default=crowd.models.webhooks.random_name, max_length=32)),
                ('is_active', models.BooleanField(default=True)),
                ('active_since', models.DateTimeField(help_text='Only what happens from then on is told.')),
                ('flags_mark', models.BigIntegerField(default=0, help_text='Flags on compressions up to this one are told.')),
                ('created_at', models.DateTimeField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='crowd.campaign')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('tells_rounds', True), ('tells_releases', True), ('tells_flags', True), ('tells_jobs', True), _connector='OR'), name='webhook_tells_something'), models.CheckConstraint(condition=models.Q(('salt', ''), _negated=True), name='webhook_has_salt'), models.CheckConstraint(condition=models.Q(('active_since__gte', models.F('created_at'))), name='webhook_active_after_made'), models.CheckConstraint(condition=models.Q(('address__startswith', 'https://'), ('address__startswith', 'http://'), _connector='OR'), name='webhook_address_is_one')],
            },
        ),
        migrations.CreateModel(
            name='WebhookEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('round.complete', 'a round is complete'), ('release.ready', 'a release is ready'), ('flag.raised', 'compressions were flagged'), ('job.failed', 'a job failed'), ('test', 'a test')], max_length=16)),
                ('key', models.CharField(max_length=80)),
                ('name', models.CharField(default=crowd.models.webhooks.random_name, max_length=32, unique=True)),
                ('data', models.JSONField(default=dict)),
                ('happened_at', models.DateTimeField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhook_events', to='crowd.campaign')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'kind', 'key'), name='webhook_event_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['round.complete', 'release.ready', 'flag.raised', 'job.failed', 'test'])), name='webhook_event_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default=crowd.models.webhooks.random_name, max_length=32, unique=True)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('delivered', 'delivered'), ('given up', 'given up')], default='waiting', max_length=9)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('queued_at', models.DateTimeField(help_text='Attempts end a day later.')),
                ('next_try_at', models.DateTimeField(help_text='While an attempt lasts, when another may take over.', null=True)),
                ('status', models.PositiveSmallIntegerField(help_text='The HTTP status of the last answer.', null=True)),
                ('error', models.CharField(blank=True, choices=[('', 'none'), ('host', 'This installation may not call this address.'), ('name', 'The name of the host was not found.'), ('inside', 'The host is inside the network of this installation, which is not allowed for it.'), ('tls', 'The certificate of the receiver could not be verified.'), ('connection', 'The receiver could not be reached, or closed the connection.'), ('timeout', 'The receiver did not answer in time.'), ('redirect', 'The receiver answered with a redirect, and redirects are not followed.'), ('status', 'The receiver answered with an error.'), ('off', 'The webhook was switched off.'), ('old', 'It could not be sent for a day.'), ('unknown', 'Something went wrong here. The log of the worker says more.')], default='', max_length=10)),
                ('ended_at', models.DateTimeField(null=True)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='crowd.webhook')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='crowd.webhookevent')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['next_try_at'], name='webhook_delivery_due')],
                'constraints': [models.UniqueConstraint(fields=('webhook', 'event'), name='webhook_delivery_once'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('next_try_at__isnull', False), ('state', 'waiting')), models.Q(('ended_at__isnull', False), ('next_try_at', None), ('state__in', ['delivered', 'given up'])), _connector='OR'), name='webhook_delivery_waits_or_ended'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'delivered'), _negated=True), models.Q(('attempts__gte', 1), ('error', ''), ('status__gte', 200), ('status__lt', 300)), _connector='OR'), name='webhook_delivered_has_success'), models.CheckConstraint(condition=models.Q(('attempts__lte', 7)), name='webhook_delivery_attempts_bounded')],
            },
        ),
        migrations.RemoveConstraint(
            model_name='item',
            name='item_stream_known',
        ),
        migrations.RemoveConstraint(
            model_name='joinlink',
            name='join_link_codes_differ',
        ),
        migrations.RemoveIndex(
            model_name='assignment',
            name='assignment_of_worker',
        ),
        migrations.RunPython(first_versions, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(carry_over, migrations.RunPython.noop, elidable=True),
        migrations.RunSQL(TASKS_BY_LINK, migrations.RunSQL.noop, elidable=True),
        migrations.RunPython(end_old_sessions, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(check_rows, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='joinlink',
            name='code_partial',
            field=models.CharField(blank=True, default=crowd.models.links.new_code, max_length=64, validators=[django.core.validators.RegexValidator('^[\\w-]*\\Z', 'A code has letters, digits, hyphens and underscores only.')], verbose_name='code after stopping early'),
        ),
        migrations.AlterField(
            model_name='joinlink',
            name='code_withdrew',
            field=models.CharField(blank=True, default=crowd.models.links.new_code, max_length=64, validators=[django.core.validators.RegexValidator('^[\\w-]*\\Z', 'A code has letters, digits, hyphens and underscores only.')], verbose_name='code after withdrawing'),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='qualification_questions',
            field=models.PositiveSmallIntegerField(default=12, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(200)], verbose_name='test questions per attempt'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.CheckConstraint(condition=models.Q(('guidelines_version', None), ('guidelines_read_at__isnull', False), _connector='OR'), name='enrolment_read_has_time'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['worker', 'round', 'state', 'link'], name='assignment_of_worker'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(('stream__in', ['work', 'system', 'gold', 'test'])), name='item_stream_known'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.UniqueConstraint(condition=models.Q(('name', ''), _negated=True), fields=('campaign', 'name'), name='join_link_name_once', violation_error_message='Another link of this campaign has this name.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at', None), ('closes_at', None), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='join_link_opens_before_it_closes', violation_error_message='A link closes after it has opened.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('max_people', None), ('max_people__gte', 1), _connector='OR'), name='join_link_takes_someone'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('wrong_id_at', None), ('wrong_ids', 0)), models.Q(('wrong_id_at__isnull', False), ('wrong_ids__gt', 0)), _connector='OR'), name='join_link_wrong_id_has_time'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_done', ''), models.Q(('code_done', models.F('code_partial')), _negated=True), _connector='OR'), name='join_link_code_done_not_partial', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_done', ''), models.Q(('code_done', models.F('code_failed')), _negated=True), _connector='OR'), name='join_link_code_done_not_failed', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_done', ''), models.Q(('code_done', models.F('code_no_work')), _negated=True), _connector='OR'), name='join_link_code_done_not_no_work', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_done', ''), models.Q(('code_done', models.F('code_withdrew')), _negated=True), _connector='OR'), name='join_link_code_done_not_withdrew', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_partial', ''), models.Q(('code_partial', models.F('code_failed')), _negated=True), _connector='OR'), name='join_link_code_partial_not_failed', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_partial', ''), models.Q(('code_partial', models.F('code_no_work')), _negated=True), _connector='OR'), name='join_link_code_partial_not_no_work', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_partial', ''), models.Q(('code_partial', models.F('code_withdrew')), _negated=True), _connector='OR'), name='join_link_code_partial_not_withdrew', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_failed', ''), models.Q(('code_failed', models.F('code_no_work')), _negated=True), _connector='OR'), name='join_link_code_failed_not_no_work', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_failed', ''), models.Q(('code_failed', models.F('code_withdrew')), _negated=True), _connector='OR'), name='join_link_code_failed_not_withdrew', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(('code_no_work', ''), models.Q(('code_no_work', models.F('code_withdrew')), _negated=True), _connector='OR'), name='join_link_code_no_work_not_withdrew', violation_error_message='Two outcomes have the same code: a code must say which one it was.'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.UniqueConstraint(condition=models.Q(('platform_key', 'account')), fields=('campaign',), name='join_link_of_accounts_once'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('platform_key', 'account'), _negated=True), ('round', 'expert'), _connector='OR'), name='join_link_of_accounts_is_for_experts'),
        ),
        migrations.AddConstraint(
            model_name='joinlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('other_id_at', None), ('other_id_platform', ''), ('other_ids', 0)), models.Q(('other_id_at__isnull', False), ('other_ids__gt', 0), models.Q(('other_id_platform', ''), _negated=True)), _connector='OR'), name='join_link_other_id_has_time'),
        ),
        migrations.AddConstraint(
            model_name='remark',
            constraint=models.CheckConstraint(condition=models.Q(('answered_at__isnull', False), models.Q(('answer_note', ''), ('answered_by', None)), _connector='OR'), name='remark_answer_has_time'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('partial_after__gte', 0), ('partial_after__lte', 30000)), name='campaign_partial_after_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'closed', 'archived'])), name='campaign_state_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('editor_pay_unit__in', ['text', 'study']), ('rater_pay_unit__in', ['text', 'study'])), name='campaign_pay_units_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('editor_pay', None), ('editor_pay__gte', 0), _connector='OR'), name='campaign_editor_pay_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('rater_pay', None), ('rater_pay__gte', 0), _connector='OR'), name='campaign_rater_pay_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('minimum_hourly_pay', None), ('minimum_hourly_pay__gte', 0), _connector='OR'), name='campaign_minimum_hourly_pay_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('editor_minutes', None), models.Q(('editor_minutes__gte', 1), ('editor_minutes__lte', 1440)), _connector='OR'), name='campaign_editor_minutes_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('rater_minutes', None), models.Q(('rater_minutes__gte', 1), ('rater_minutes__lte', 1440)), _connector='OR'), name='campaign_rater_minutes_range'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('page_language__in', ['en', 'de', 'fr', 'es', 'ar', 'zh-hans'])), name='campaign_page_language_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('qualification_questions__gte', 0), ('qualification_questions__lte', 200)), name='campaign_qualification_questions_range'),
        ),
        migrations.RemoveField(
            model_name='campaign',
            name='is_open',
        ),
        migrations.RemoveField(
            model_name='campaign',
            name='staff',
        ),
        migrations.AddField(
            model_name='campaign',
            name='staff',
            field=models.ManyToManyField(blank=True, related_name='campaigns', through='crowd.Membership', to=settings.AUTH_USER_MODEL),
        ),
        # The last: in SQLite, a change of the table would make it anew, without its triggers.
        migrations.RunPython(protect_log, unprotect_log),
    ]
