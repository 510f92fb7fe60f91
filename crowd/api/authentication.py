"""Who calls the API: an account, by a token in the header `Authorization: Bearer`. Cookies mean nothing here."""

from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from common.client_address import client_address
from common.rate_limits import RateLimit, rate_limit_take
from crowd.models import ApiToken
from crowd.tokens import token_of

CHALLENGE = 'Bearer realm="precis"'
WRONG_TOKENS = RateLimit("api-wrong-token", 30, 60)


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken]:
        token = token_of(request._request)
        if token is None:
            if "Authorization" in request.headers:
                rate_limit_take(WRONG_TOKENS, client_address(request._request))
            raise AuthenticationFailed(
                _("Send a valid token: Authorization: Bearer precis_… (you can make one on your account page).")
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        described: dict[str, Any] = build_bearer_security_scheme_object("Authorization", "Bearer")
        return described
