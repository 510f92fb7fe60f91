"""Query the tokens of an account."""

from django.contrib.auth.models import User
from django.db.models import QuerySet

from crowd.models import ApiToken

SHOWN = 200


def api_tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens of an account, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-pk")[:SHOWN]
