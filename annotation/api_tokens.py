"""The page of one's tokens for the API: made, listed, revoked."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotation.account_forms import TokenForm
from annotation.password_asked import password_right, password_wait
from common.clock import database_now
from common.errors import Refused, TooManyRequests
from crowd.access import signed_in, staff_user
from crowd.models import ApiToken
from crowd.selectors.api_tokens import api_tokens_of
from crowd.services.api_tokens import api_token_create, api_token_revoke


@signed_in
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List one's tokens, and make one: its words are shown this once."""
    user = staff_user(request)
    form, made = TokenForm(user, request.POST or None), None
    if request.method == "POST":
        try:
            made = _made(request, form)
        except TooManyRequests as refusal:
            return password_wait(request, refusal)
        if made is not None:
            form = TokenForm(user)
    listed = [(token, token.is_live(database_now())) for token in api_tokens_of(user)]
    context = {"form": form, "tokens": listed, "made": made}
    return render(request, "annotation/api_tokens.html", context, status=422 if form.is_bound else 200)


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
