"""The pages of one's own account: password, address, sessions in which it is logged in, and tokens for the API.

Guesses at a password that a page asks for are counted as at the login, so that a session left open guesses no better.
"""

from collections.abc import Callable
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.client_address import client_address
from common.clock import database_now
from common.errors import Refused, TooManyRequests
from crowd.access import signed_in, staff_user
from crowd.accounts.forms import ChangePassword, EmailForm, TokenForm
from crowd.accounts.login import LoginAttempt, account_key, login_attempt_give_back, login_attempt_take
from crowd.models import ApiToken
from crowd.selectors.account_sessions import sessions_of_account
from crowd.selectors.api_tokens import api_tokens_of
from crowd.services.accounts import account_set_email, session_end, sessions_end
from crowd.services.api_tokens import api_token_create, api_token_revoke, api_tokens_end
from crowd.sessions import too_many_requests


def password_right(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a form that asks for the password is right; raise TooManyRequests after too many guesses."""
    attempt = LoginAttempt(account_key(staff_user(request).get_username()), client_address(request))
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
    return render(request, "crowd/accounts/account.html", {"sessions": sessions})


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
