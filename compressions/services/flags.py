"""Staff mark the flags of compressions as looked at."""

from django.contrib.auth.models import User
from django.db.models import QuerySet

from common.clock import database_now
from compressions.models import Compression


def flags_mark(*, compressions: QuerySet[Compression], seen: bool, user: User) -> int:
    """Mark the flags of some compressions as looked at, or to be looked at again; return how many that changes."""
    others = compressions.filter(is_flagged=True, flags_seen_at__isnull=seen)
    return others.update(flags_seen_at=database_now() if seen else None, flags_seen_by=user if seen else None)
