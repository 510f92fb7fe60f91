"""The login page of staff: Django's own, with limits on guessing (`annotation/login_limits.py`)."""

import math
import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from annotation.login_limits import LoginAttempt, account_key, login_attempt_give_back, login_attempt_take
from common.client_address import client_address
from common.errors import TooManyRequests
from common.metrics import failed_login_counted

BROWSER_COOKIE = "precis_login"
BROWSER_SECONDS = 180 * 24 * 3600


class Login(LoginView):
    template_name = "annotation/login.html"
    attempt: LoginAttempt

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        account = account_key(request.POST.get("username", ""))
        self.attempt = LoginAttempt(account, client_address(request), known_browser(request, account))
        try:
            login_attempt_take(self.attempt)
        except TooManyRequests as refusal:
            return self.refused(refusal)
        return super().post(request, *args, **kwargs)

    def refused(self, refusal: TooManyRequests) -> HttpResponse:
        """Show the form again without looking at the password."""
        minutes = math.ceil(refusal.retry_after / 60)
        message = ngettext(
            "Too many attempts. Try again in %(n)s minute.", "Too many attempts. Try again in %(n)s minutes.", minutes
        ) % {"n": minutes}
        unasked = AuthenticationForm(self.request, initial={"username": self.request.POST.get("username", "")})
        response = self.render_to_response(self.get_context_data(form=unasked, too_many=message), status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        failed_login_counted()
        return super().form_invalid(form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        login_attempt_give_back(self.attempt)
        response = super().form_valid(form)
        remember_browser(response, self.attempt)
        return response


def known_browser(request: HttpRequest, account: str) -> str:
    """Return the name of a browser in which somebody has logged in to this account before, else an empty string."""
    try:
        content = signing.loads(request.COOKIES.get(BROWSER_COOKIE, ""), salt=BROWSER_COOKIE, max_age=BROWSER_SECONDS)
    except signing.BadSignature:
        return ""
    return str(content["browser"]) if content["account"] == _pseudonym(account) else ""


def remember_browser(response: HttpResponse, attempt: LoginAttempt) -> None:
    content = {"account": _pseudonym(attempt.account), "browser": attempt.browser or secrets.token_hex(8)}
    response.set_cookie(
        BROWSER_COOKIE,
        signing.dumps(content, salt=BROWSER_COOKIE),
        max_age=BROWSER_SECONDS,
        path=reverse("login"),
        httponly=True,
        secure=settings.PUBLIC,
        samesite="Strict",
    )


def _pseudonym(account: str) -> str:
    return salted_hmac(BROWSER_COOKIE, account).hexdigest()
