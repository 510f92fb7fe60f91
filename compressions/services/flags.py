"""Staff mark the flags of a compression as looked at."""

from django.contrib.auth.models import User

from common.clock import database_now
from compressions.models import Compression


def flags_see(*, compression: Compression, user: User) -> bool:
    """Mark the flags of a compression as looked at, unless they are already; return False if it has none any more."""
    flagged = Compression.objects.filter(pk=compression.pk, is_flagged=True)
    flagged.filter(flags_seen_at=None).update(flags_seen_at=database_now(), flags_seen_by=user)
    return flagged.exists()


def flags_unsee(*, compression: Compression) -> None:
    """Take back that the flags of a compression were looked at."""
    Compression.objects.filter(pk=compression.pk).update(flags_seen_at=None, flags_seen_by=None)
