"""Query the audit log of a campaign."""

from collections.abc import Iterator

from django.db.models import Max, QuerySet

from crowd.models import AuditEntry, Campaign

COMMAND = "-"
"""In place of an account's name: what commands and the program itself did."""


def audit_of_campaign(campaign: Campaign, *, username: str = "", action: str = "") -> QuerySet[AuditEntry]:
    """Return the entries of a campaign, the newest first; of one account or of one action if asked for."""
    entries = AuditEntry.objects.filter(campaign=campaign).order_by("-pk")
    if username:
        entries = entries.filter(username="" if username == COMMAND else username)
    return entries.filter(action=action) if action else entries


def last_entries(campaign: Campaign, action: str) -> dict[str, AuditEntry]:
    """Return the newest entry of an action for each of its subjects."""
    entries = AuditEntry.objects.filter(campaign=campaign, action=action).order_by()
    newest = entries.values("subject").annotate(newest=Max("pk")).values("newest")
    return {each.subject: each for each in AuditEntry.objects.filter(pk__in=newest)}


def audit_names(campaign: Campaign) -> list[str]:
    """Return the accounts that have an entry; an empty name stands for commands."""
    return _distinct(campaign, "username")


def audit_actions(campaign: Campaign) -> list[str]:
    return _distinct(campaign, "action")


def _distinct(campaign: Campaign, field: str) -> list[str]:
    entries = AuditEntry.objects.filter(campaign=campaign)
    return sorted(entries.order_by(field).values_list(field, flat=True).distinct())


def audit_rows(entries: QuerySet[AuditEntry]) -> Iterator[tuple[str, ...]]:
    """Yield the entries as lines of a table."""
    for entry in entries.iterator(chunk_size=2000):
        yield (entry.created_at.isoformat(), entry.username, entry.action, entry.subject, entry.detail)
