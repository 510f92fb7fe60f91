"""Record that the ids of people on their platform were given out."""

from django.contrib.auth.models import User

from crowd.models import Campaign
from crowd.services.audit import audit_record

IDS_EXPORTED = "ids exported"


def ids_record(*, campaign: Campaign, user: User, what: str, count: int) -> None:
    """Record which list of ids an account was given, and how long it was."""
    rows = f"{count} row{'' if count == 1 else 's'}"
    audit_record(campaign=campaign, user=user, action=IDS_EXPORTED, subject=what, detail=rows)
