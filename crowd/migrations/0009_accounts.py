"""Invitations, sessions that their owners can recognise, the link of experts, and an audit log that nobody changes."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from crowd.append_only import triggers_create, triggers_drop


def protect_log(_apps: Any, schema: Any) -> None:
    for statement in triggers_create(schema.connection.vendor):
        schema.execute(statement)


def unprotect_log(_apps: Any, schema: Any) -> None:
    for statement in triggers_drop(schema.connection.vendor):
        schema.execute(statement)


def end_old_sessions(apps: Any, _schema: Any) -> None:
    """Delete the sessions of the former store, which nothing reads any more: everyone logs in again."""
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("crowd", "0008_studies"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "browser",
                    models.CharField(blank=True, default="", help_text="Such as “Firefox on Linux”.", max_length=60),
                ),
                (
                    "address",
                    models.CharField(
                        blank=True, default="", help_text="From which the account logged in.", max_length=64
                    ),
                ),
                ("begun_at", models.DateTimeField(help_text="When the account logged in.", null=True)),
                ("used_at", models.DateTimeField(help_text="Kept to some minutes.")),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("manager", "manager"),
                            ("viewer", "viewer"),
                            ("expert", "expert"),
                        ],
                        max_length=8,
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                ("created_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddConstraint(
            model_name="joinlink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("platform_key", "account")), fields=("campaign",), name="join_link_of_accounts_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="joinlink",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("platform_key", "account"), _negated=True), ("round", "expert"), _connector="OR"
                ),
                name="join_link_of_accounts_is_for_experts",
            ),
        ),
        migrations.AddField(
            model_name="accountsession",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="account_sessions",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="accepted_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="invitations_accepted",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="crowd.campaign"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="created_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="invitations_made",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["owner", "manager", "viewer", "expert"])), name="invitation_role_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("created_at"))), name="invitation_ends_after_it_began"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("accepted_at", None), ("revoked_at", None), _connector="OR"),
                name="invitation_accepted_or_revoked",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("accepted_by", None), ("accepted_at__isnull", False), _connector="OR"),
                name="invitation_accepted_has_time",
            ),
        ),
        migrations.RunPython(end_old_sessions, migrations.RunPython.noop),
        migrations.RunPython(protect_log, unprotect_log),
    ]
