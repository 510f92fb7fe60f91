"""The token that a request shows in its header `Authorization: Bearer`."""

from django.http import HttpRequest

from crowd.models import ApiToken
from crowd.services.api_tokens import api_token_used


def token_of(request: HttpRequest) -> ApiToken | None:
    """Return the live token that a request shows; it is looked up once."""
    if not hasattr(request, "_api_token"):
        scheme, _space, words = request.headers.get("Authorization", "").partition(" ")
        found = api_token_used(words.strip()) if scheme.lower() == "bearer" else None
        request._api_token = found  # type: ignore[attr-defined]
    token: ApiToken | None = request._api_token  # type: ignore[attr-defined]
    return token
