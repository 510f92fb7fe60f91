"""The code that a login asks for after the password, of who has set up a second factor."""

from typing import Any
from unicodedata import normalize

from django import forms
from django.contrib.auth.models import User
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from crowd.services.accounts import second_factor_check

SALT = "second-factor"
LONGEST_SECONDS = 15 * 60


class CodeField(forms.CharField):
    """A code as people type it: with spaces, in capitals, in full-width digits."""

    widget = forms.TextInput({"autocomplete": "one-time-code", "inputmode": "text", "autocapitalize": "none"})

    def __init__(self, **options: Any) -> None:
        super().__init__(label=gettext_lazy("code"), max_length=30, **options)

    def to_python(self, value: Any) -> str:
        return "".join(normalize("NFKC", super().to_python(value) or "").split()).lower()


class CodeForm(TypedTexts, forms.Form):
    """The second step of a login. `pending` says, signed, who gave the right password."""

    code = CodeField(help_text=gettext_lazy("Six digits from your authenticator app, or one of your recovery codes."))
    pending = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, user: User, *args: Any) -> None:
        self.user = user
        super().__init__(*args, initial={"pending": pending_of(user)})

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not second_factor_check(user=self.user, code=code):
            raise forms.ValidationError(
                _("That code is wrong, or has been used. Wait for the next one that your app shows.")
            )
        return code


def pending_of(user: User) -> str:
    return signing.dumps({"user": user.pk, "hash": user.get_session_auth_hash()}, salt=SALT)


def pending_user(words: str) -> User | None:
    """Return who gave the right password some minutes ago, if that is still the password."""
    try:
        content = signing.loads(words, salt=SALT, max_age=LONGEST_SECONDS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=content["user"], is_active=True).first()
    return user if user and user.get_session_auth_hash() == content["hash"] else None
