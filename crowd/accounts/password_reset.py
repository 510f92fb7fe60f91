"""Resetting a forgotten password by mail: Django's views, with limits, and the same answer whoever asks."""

import math
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetDoneView, PasswordResetView
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.client_address import client_address
from common.errors import TooManyRequests
from common.rate_limits import RateLimit, rate_limit_take
from crowd.accounts.forms import AskForReset, NewPassword
from crowd.accounts.login import account_key
from crowd.services.accounts import sessions_end
from crowd.services.api_tokens import api_tokens_end

QUARTER, HOUR = 15 * 60, 3600
OF_ADDRESS = RateLimit("reset-address", 20, QUARTER)
OF_ACCOUNT = RateLimit("reset-account", 5, HOUR)


class Reset(PasswordResetView):
    """Ask for a mail with a link."""

    template_name = "crowd/accounts/reset.html"
    email_template_name = "crowd/accounts/mails/reset.txt"
    form_class = AskForReset
    success_url = reverse_lazy("password-reset-sent")

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
        return response

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)
