"""Passwords that a page of one's account asks for.

Guesses are counted as at the login, so that a session left open guesses no better.
"""

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict

from annotation.login_limits import LoginAttempt, account_key, login_attempt_give_back, login_attempt_take
from common.client_address import client_address
from common.errors import TooManyRequests
from crowd.access import staff_user
from crowd.responses import too_many_requests


def password_right(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a form that asks for the password is right; raise TooManyRequests after too many guesses."""
    attempt = LoginAttempt(account_key(staff_user(request).get_username()), client_address(request))
    login_attempt_take(attempt)
    if not form.is_valid():
        return False
    login_attempt_give_back(attempt)
    return True


def password_wait(request: HttpRequest, refusal: TooManyRequests) -> HttpResponse:
    """Ask to wait; the passwords that were typed do not come back in the page."""
    request.POST = QueryDict()
    return too_many_requests(request, refusal)
