"""The pages of one's own account: password, address, and the sessions in which it is logged in."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.account_forms import ChangePassword, EmailForm
from annotation.password_asked import password_right, password_wait
from common.errors import TooManyRequests
from crowd.access import signed_in, staff_user
from crowd.selectors.account_sessions import sessions_of_account
from crowd.services.accounts import account_set_email, session_end, sessions_end
from crowd.services.api_tokens import api_tokens_end


@signed_in
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show one's name, address and sessions."""
    sessions = sessions_of_account(staff_user(request), request.session.session_key)
    return render(request, "annotation/account.html", {"sessions": sessions})


@signed_in
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; all other sessions of the account and its tokens end."""
    user = staff_user(request)
    form = ChangePassword(user, request.POST or None)
    if request.method == "POST":
        try:
            is_right = password_right(request, form)
        except TooManyRequests as refusal:
            return password_wait(request, refusal)
        if is_right:
            form.save()
            update_session_auth_hash(request, user)
            sessions_end(user=user, keep=request.session.session_key)
            messages.success(request, _("Your password has been changed. You are logged out everywhere else."))
            if api_tokens_end(user=user):
                messages.info(request, _("Your tokens for programs no longer work. Make new ones where you need them."))
            return redirect("account")
    return render(request, "annotation/password.html", {"form": form}, status=422 if form.is_bound else 200)


@signed_in
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    """Change the address to which a password reset is sent."""
    user = staff_user(request)
    form = EmailForm(user, request.POST or None)
    if request.method == "POST":
        try:
            is_right = password_right(request, form)
        except TooManyRequests as refusal:
            return password_wait(request, refusal)
        if is_right:
            account_set_email(user=user, email=form.cleaned_data["email"])
            messages.success(request, _("Your email has been saved."))
            return redirect("account")
    return render(request, "annotation/email.html", {"form": form}, status=422 if form.is_bound else 200)


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
