"""Endpoints for staff, and for the staff of the campaign that an address names.

An account calls by a token in the header `Authorization: Bearer`. Cookies mean nothing here.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from common.api.endpoint import Endpoint
from common.api.problems import Problem
from common.client_address import client_address
from common.rate_limits import RateLimit, rate_limit_take
from crowd.access import MAY, SAFE_METHODS, Access, Rights, token_of
from crowd.models import ApiToken, Campaign, Role, Scope
from crowd.selectors.members import membership_in

CHALLENGE = 'Bearer realm="precis"'
TOO_MANY_CALLS = gettext_lazy("Too many calls by this token. Wait as many seconds as Retry-After says.")
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


class StaffEndpoint(Endpoint):
    """An endpoint for any account with a token."""

    access: ClassVar[Access] = Access.SIGNED_IN
    accepts_upload: ClassVar[bool] = False
    scope: ClassVar[Scope] = Scope.MANAGE
    """What a token needs for a method that is not safe."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [IsAuthenticated]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., Any]:  # type: ignore[override]
        view: Any = super().as_view(**initkwargs)
        view.access, view.is_api, view.accepts_upload = cls.access, True, cls.accepts_upload
        view.largest_body = cls.largest_body
        return view  # type: ignore[no-any-return]

    @property
    def user(self) -> User:
        user = self.request.user
        assert isinstance(user, User)
        return user

    @property
    def token(self) -> ApiToken:
        token: ApiToken = self.request.auth  # type: ignore[assignment]
        return token

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        calls = RateLimit("api", settings.API_CALLS_PER_MINUTE, 60, uncounted=60, message=TOO_MANY_CALLS)
        rate_limit_take(calls, self.token.pk)
        wanted = Scope.READ if request.method in SAFE_METHODS else self.scope
        if wanted not in self.token.scopes:
            raise Problem(
                HTTPStatus.FORBIDDEN,
                _("This token lacks the scope “%(scope)s”. You can make another on your account page.")
                % {"scope": wanted.value},
                code="scope",
            )


class CampaignEndpoint(StaffEndpoint):
    """An endpoint under `campaigns/<slug>/`: what may be done there follows from the account's role in the campaign."""

    access = Access.CAMPAIGN_STAFF
    works_when_archived: ClassVar[bool] = False

    campaign: Campaign
    role: Role

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        rights: Rights = MAY[self.access]
        found = membership_in(self.user, kwargs["slug"])
        if found is None or found.role not in rights.see or any("\x00" in str(value) for value in kwargs.values()):
            raise Http404
        self.campaign, self.role = found.campaign, Role(found.role)
        is_safe = request.method in SAFE_METHODS
        if self.role not in (rights.look if is_safe else rights.change):
            raise Problem(
                HTTPStatus.FORBIDDEN,
                _("Your role in this campaign (%(role)s) does not allow this.") % {"role": self.role.label},
                code="role",
            )
        if self.campaign.is_archived and not is_safe and not self.works_when_archived:
            raise Problem(HTTPStatus.CONFLICT, _("This campaign is archived and cannot be changed."), code="archived")

    @property
    def sees_ids(self) -> bool:
        """Whether the caller may see who participants are on their platform."""
        return self.role in MAY[Access.CAMPAIGN_MANAGER].look and Scope.IDS in self.token.scopes
