"""The login page of staff: Django's own, with limits on guessing.

Passwords are guessed in two ways: many for one account, from ever new addresses, and a common one for many accounts,
from one address. So attempts are counted before the password is looked at, in three ways:

- per account and address: five in a quarter of an hour;
- per address, whatever the accounts: twenty in a quarter of an hour;
- per account, from all addresses together: three hundred in an hour.

An attempt with the right password is given back, so that only wrong ones add up. Whoever guesses from some addresses
does not keep the owner out of a new browser at another. Whoever guesses from so many that the last bound is met does,
until the hour is over; but never out of a browser in which the owner has logged in before, or chosen a password by a
mailed link, whose attempts are counted by themselves. An administrator can forget all counts (`manage.py
unlock_logins`).

Nothing depends on whether an account exists: every name is counted alike and gets the same answer.
"""

import math
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from common.client_address import client_address
from common.errors import TooManyRequests
from common.rate_limits import RateLimit, rate_counts_forget, rate_limit_give_back, rate_limit_take
from common.telemetry import failed_login_counted
from crowd.access import SECOND_FACTOR
from crowd.accounts.codes import CodeForm, pending_user
from crowd.selectors.accounts import has_second_factor

QUARTER, HOUR = 15 * 60, 3600
ACCOUNT_AND_ADDRESS = RateLimit("login-account-and-address", 5, QUARTER)
ADDRESS = RateLimit("login-address", 20, QUARTER)
ACCOUNT = RateLimit("login-account", 300, HOUR)
KNOWN_BROWSER = RateLimit("login-known-browser", 10, QUARTER)
ALL = (ACCOUNT_AND_ADDRESS, ADDRESS, ACCOUNT, KNOWN_BROWSER)
MAX_NAME_LENGTH = 254


@dataclass(frozen=True)
class LoginAttempt:
    """Who gives a password; `browser` is set if somebody has logged in to the account in this browser before."""

    account: str
    address: str
    browser: str = ""


def account_key(username: str) -> str:
    """Return a name as it is counted: however it is typed, it is the same account.

    The form takes the spaces around a name away before it looks for the account, and so must this; what is too long
    for any account is counted as one.
    """
    name = username.strip()
    if len(name) > MAX_NAME_LENGTH:
        return ""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def login_attempt_take(attempt: LoginAttempt) -> None:
    """Count an attempt before its password is looked at; raise TooManyRequests if it must not be."""
    if attempt.browser:
        rate_limit_take(KNOWN_BROWSER, attempt.account, attempt.browser)
        return
    rate_limit_take(ACCOUNT_AND_ADDRESS, attempt.account, attempt.address)
    rate_limit_take(ADDRESS, attempt.address)
    rate_limit_take(ACCOUNT, attempt.account)


def login_attempt_give_back(attempt: LoginAttempt) -> None:
    """Take back the count of an attempt whose password was right."""
    if attempt.browser:
        rate_limit_give_back(KNOWN_BROWSER, attempt.account, attempt.browser)
        return
    rate_limit_give_back(ACCOUNT_AND_ADDRESS, attempt.account, attempt.address)
    rate_limit_give_back(ADDRESS, attempt.address)
    rate_limit_give_back(ACCOUNT, attempt.account)


def login_attempts_forget() -> int:
    """Let everybody who has to wait try again at once; return how many counts were deleted."""
    return rate_counts_forget(ALL)


BROWSER_COOKIE = "precis_login"
BROWSER_SECONDS = 180 * 24 * 3600


class Login(LoginView):
    template_name = "crowd/accounts/login.html"
    attempt: LoginAttempt

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        pending = pending_user(request.POST["pending"]) if "pending" in request.POST else None
        account = account_key(pending.get_username() if pending else request.POST.get("username", ""))
        self.attempt = LoginAttempt(account, client_address(request), known_browser(request, account))
        try:
            login_attempt_take(self.attempt)
        except TooManyRequests as refusal:
            return self.refused(refusal)
        if pending:
            return self.with_code(CodeForm(pending, request.POST))
        return super().post(request, *args, **kwargs)

    def with_code(self, form: CodeForm) -> HttpResponse:
        """Log in somebody whose password was right if the code is, too; else ask for it."""
        if not form.is_valid():
            if form.is_bound:
                failed_login_counted()
            return self.render_to_response(self.get_context_data(form=form, asks_code=True))
        login(self.request, form.user, settings.AUTHENTICATION_BACKENDS[0])
        self.request.session[SECOND_FACTOR] = True
        return self.logged_in(redirect(self.get_success_url()))

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
        user = form.get_user()
        if has_second_factor(user):
            login_attempt_give_back(self.attempt)
            return self.with_code(CodeForm(user))
        return self.logged_in(super().form_valid(form))

    def logged_in(self, response: HttpResponse) -> HttpResponse:
        login_attempt_give_back(self.attempt)
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
