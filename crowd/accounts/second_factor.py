"""The second factor of staff: after the password, a code of an authenticator app, or one of ten that work once.

Whoever has set it up is asked at each login, so a session of theirs has it. With PRECIS_SECOND_FACTOR, owners and
managers, who see who participants are, reach their campaigns only by such a session, and make tokens only in one.
The codes are checked by django-otp, which takes none twice and makes guessing slower with each wrong one.
"""

from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from crowd.access import SECOND_FACTOR, staff_user
from crowd.accounts.codes import LONGEST_SECONDS, SALT, CodeField
from crowd.accounts.forms import PasswordAsked
from crowd.accounts.views import asks_for_password, password_right
from crowd.selectors.accounts import has_second_factor
from crowd.services.accounts import second_factor_drop, second_factor_set, sessions_end


class SetUpForm(PasswordAsked):
    """A key that the app has read from the picture, and a code that shows that it has."""

    key = forms.CharField(widget=forms.HiddenInput)
    code = CodeField(help_text=gettext_lazy("Six digits that your app shows now."))
    field_order = ["code", "password", "key"]

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.fields["key"].initial = signing.dumps(default_key(), salt=SALT)

    @cached_property
    def device(self) -> TOTPDevice:
        """The app with the key that was shown; a new one if that is no key of ours, or was shown long ago."""
        try:
            key = signing.loads(self["key"].value() or "", salt=SALT, max_age=LONGEST_SECONDS)
        except signing.BadSignature:
            self.data = {**self.data, "key": self.fields["key"].initial}
            key = signing.loads(self.fields["key"].initial, salt=SALT)
        return TOTPDevice(user=self.user, key=key)

    @property
    def picture(self) -> SafeString:
        code = segno.make(self.device.config_url, error="m")
        return mark_safe(code.svg_inline(scale=5, border=4, light="#fff", omitsize=False))  # noqa: S308  (drawn by us)

    @property
    def typed_key(self) -> str:
        """The key for those who cannot take a picture, in groups of four."""
        words = self.device.config_url.partition("secret=")[2].partition("&")[0]
        return " ".join(words[place : place + 4] for place in range(0, len(words), 4))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        shown = cleaned.get("key")
        device = self.device
        if shown and shown != self["key"].value():
            raise forms.ValidationError(_("That took too long. Scan the new picture."))
        if "code" in cleaned and not self.errors and not _shows(device, cleaned["code"]):
            self.add_error("code", _("That is not the code of this picture. Scan it once more, or type the key."))
        return cleaned


def _shows(device: TOTPDevice, code: str) -> bool:
    """Whether the app shows this code now; it is then used up. The device is not stored yet."""
    totp = TOTP(device.bin_key)
    if not (code.isdecimal() and totp.verify(int(code), tolerance=device.tolerance)):
        return False
    device.last_t, device.drift = totp.t(), totp.drift
    return True


@asks_for_password
def second_factor(request: HttpRequest) -> HttpResponse:
    """Set the second factor up; make new recovery codes; or turn it off."""
    user = staff_user(request)
    is_on = has_second_factor(user)
    form = PasswordAsked(user, request.POST or None) if is_on else SetUpForm(user, request.POST or None)
    context: dict[str, Any] = {"form": form, "is_on": is_on, "is_demanded": settings.SECOND_FACTOR_DEMANDED}
    if request.method == "POST" and password_right(request, form):
        if is_on and request.POST.get("act") == "off":
            second_factor_drop(user=user)
            request.session.pop(SECOND_FACTOR, None)
            messages.success(request, _("Your account asks for the password alone now."))
            return redirect("account")
        context["codes"] = "\n".join(
            second_factor_set(user=user, device=form.device if isinstance(form, SetUpForm) else None)
        )
        context["is_on"] = True
        if not is_on:
            sessions_end(user=user, keep=request.session.session_key)
            request.session[SECOND_FACTOR] = True
        return render(request, "crowd/accounts/second_factor.html", context)
    return render(request, "crowd/accounts/second_factor.html", context, status=422 if form.is_bound else 200)
