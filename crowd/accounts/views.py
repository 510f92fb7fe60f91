"""The pages of one's own account: password, address, sessions in which it is logged in, and tokens for the API.

Guesses at a password that a page asks for are counted as at the login in a browser that is known, so that a session
left open guesses no better, and guesses of others refuse nobody who is logged in.
Resetting a forgotten password by mail is Django's, with limits, and the same answer whoever asks.
"""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetDoneView, PasswordResetView
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.client_address import client_address
from common.clock import database_now
from common.errors import Refused, TooManyRequests
from common.rate_limits import RateLimit, rate_limit_take
from crowd.access import lacks_second_factor, signed_in, staff_user
from crowd.accounts.forms import AskForReset, ChangePassword, EmailForm, NewPassword, TokenForm
from crowd.accounts.login import (
    LoginAttempt,
    account_key,
    login_attempt_give_back,
    login_attempt_take,
    remember_browser,
)
from crowd.models import ApiToken
from crowd.public_address import mailed_origin
from crowd.selectors.accounts import api_tokens_of, has_second_factor, sessions_of_account
from crowd.services.account_bounds import account_bounds, accounts_near_bounds
from crowd.services.accounts import account_set_email, session_end, sessions_end
from crowd.services.api_tokens import api_token_create, api_token_revoke, api_tokens_end
from crowd.sessions import too_many_requests


def password_right(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a form that asks for the password is right; raise TooManyRequests after too many guesses."""
    account, session = account_key(staff_user(request).get_username()), request.session.session_key
    attempt = LoginAttempt(account, client_address(request), browser=f"session {session}")
    login_attempt_take(attempt)
    if not form.is_valid():
        return False
    login_attempt_give_back(attempt)
    return True


def asks_for_password(view: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorate a page with a form that asks for the password: after too many guesses, it asks to wait.

    The passwords that were typed do not come back in that page.
    """

    @signed_in
    @never_cache
    @sensitive_post_parameters()
    @require_http_methods(["GET", "POST"])
    @wraps(view)
    def patient(request: HttpRequest) -> HttpResponse:
        try:
            return view(request)
        except TooManyRequests as refusal:
            request.POST = QueryDict()
            return too_many_requests(request, refusal)

    return patient


@asks_for_password
def tokens(request: HttpRequest) -> HttpResponse:
    """List one's tokens, and make one: its words are shown this once."""
    if lacks_second_factor(request):
        return redirect("account-second-factor")
    user = staff_user(request)
    form, made = TokenForm(user, request.POST or None), None
    if request.method == "POST" and (made := _made(request, form)) is not None:
        form = TokenForm(user)
    listed = [(token, token.is_live(database_now())) for token in api_tokens_of(user)]
    context = {"form": form, "tokens": listed, "made": made}
    return render(request, "crowd/accounts/api_tokens.html", context, status=422 if form.is_bound else 200)


def _made(request: HttpRequest, form: TokenForm) -> tuple[ApiToken, str] | None:
    """Return the token that a form asks for, with its words; None if the form is wrong."""
    if not password_right(request, form):
        return None
    data = form.cleaned_data
    try:
        return api_token_create(user=form.user, name=data["name"], days=data["days"], scopes=form.scopes)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None


@signed_in
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """End one of one's tokens; a second click finds it ended."""
    token = get_object_or_404(ApiToken, pk=token_id, user=staff_user(request))
    api_token_revoke(token=token)
    messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})
    return redirect("account-tokens")


@signed_in
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show one's name, address and sessions."""
    sessions = sessions_of_account(staff_user(request), request.session.session_key)
    user = staff_user(request)
    near = list(accounts_near_bounds()) if user.is_superuser else []
    context = {
        "sessions": sessions,
        "bounds": account_bounds(user),
        "near": near,
        "has_second_factor": has_second_factor(user),
    }
    return render(request, "crowd/accounts/account.html", context)


@asks_for_password
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; all other sessions of the account and its tokens end."""
    user = staff_user(request)
    form = ChangePassword(user, request.POST or None)
    if request.method == "POST" and password_right(request, form):
        form.save()
        update_session_auth_hash(request, user)
        sessions_end(user=user, keep=request.session.session_key)
        messages.success(request, _("Your password has been changed. You are logged out everywhere else."))
        if api_tokens_end(user=user):
            messages.info(request, _("Your tokens for programs no longer work. Make new ones where you need them."))
        return redirect("account")
    return render(request, "crowd/accounts/password.html", {"form": form}, status=422 if form.is_bound else 200)


@asks_for_password
def email(request: HttpRequest) -> HttpResponse:
    """Change the address to which a password reset is sent."""
    user = staff_user(request)
    form = EmailForm(user, request.POST or None)
    if request.method == "POST" and password_right(request, form):
        account_set_email(user=user, email=form.cleaned_data["email"])
        messages.success(request, _("Your email has been saved."))
        return redirect("account")
    return render(request, "crowd/accounts/email.html", {"form": form}, status=422 if form.is_bound else 200)


@signed_in
@require_POST
def end_session(request: HttpRequest, name: str) -> HttpResponse:
    """Log out in one other browser; a second click finds it logged out."""
    user = staff_user(request)
    for listed in sessions_of_account(user, request.session.session_key):
        if listed.name == name and not listed.is_this:
            session_end(user=user, session_key=listed.session.session_key)
            messages.success(request, _("That browser is logged out."))
    return redirect("account")


@signed_in
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    sessions_end(user=staff_user(request), keep=request.session.session_key)
    messages.success(request, _("You are logged out everywhere else."))
    return redirect("account")


QUARTER, HOUR = 15 * 60, 3600
OF_ADDRESS = RateLimit("reset-address", 20, QUARTER)
OF_ACCOUNT = RateLimit("reset-account", 5, HOUR)


class Reset(PasswordResetView):
    """Ask for a mail with a link."""

    template_name = "crowd/accounts/reset.html"
    email_template_name = "crowd/accounts/mails/reset.txt"
    form_class = AskForReset
    success_url = reverse_lazy("password-reset-sent")

    def form_valid(self, form: Any) -> HttpResponse:
        self.extra_email_context = {"origin": mailed_origin(self.request)}
        return super().form_valid(form)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            rate_limit_take(OF_ADDRESS, client_address(request))
            rate_limit_take(OF_ACCOUNT, account_key(request.POST.get("email", "")))
        except TooManyRequests as refusal:
            return self._refused(refusal)
        return super().post(request, *args, **kwargs)

    def _refused(self, refusal: TooManyRequests) -> HttpResponse:
        minutes = math.ceil(refusal.retry_after / 60)
        message = ngettext(
            "Too many requests. Try again in %(n)s minute.", "Too many requests. Try again in %(n)s minutes.", minutes
        ) % {"n": minutes}
        response = self.render_to_response(self.get_context_data(form=AskForReset(), too_many=message), status=429)
        response["Retry-After"] = str(refusal.retry_after)
        return response

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class ResetSent(PasswordResetDoneView):
    template_name = "crowd/accounts/reset_sent.html"


class ResetConfirm(PasswordResetConfirmView):
    """Set a new password by the link of a mail; all sessions of the account and its tokens end."""

    template_name = "crowd/accounts/reset_confirm.html"
    form_class = NewPassword
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        assert isinstance(self.user, User)
        sessions_end(user=self.user)
        api_tokens_end(user=self.user)
        messages.success(self.request, _("Your password has been changed. Log in with it."))
        # Whoever guesses at the account meanwhile does not keep its owner out of this browser.
        remember_browser(response, LoginAttempt(account_key(self.user.get_username()), client_address(self.request)))
        return response

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)
