"""Forms of an account: its password, and the address to which a reset is sent."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from common.mail import mail_send
from common.typed_text import TypedTexts
from crowd.account_forms import HOW_TO_CHOOSE


class NewPassword(TypedTexts, SetPasswordForm):
    """A new password after a reset, twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = HOW_TO_CHOOSE


class ChangePassword(NewPassword, PasswordChangeForm):
    """The old password and the new one, twice."""


class AskForReset(TypedTexts, PasswordResetForm):
    """The address of an account. Mails go out beside the request, so that its time tells nothing."""

    def send_mail(
        self,
        subject_template_name: str,  # noqa: ARG002 - the subject is the first line of the template
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,  # noqa: ARG002
        to_email: str,
        html_email_template_name: str | None = None,  # noqa: ARG002
    ) -> None:
        mail_send(to=to_email, template=email_template_name, context=context)


class EmailForm(TypedTexts, forms.Form):
    """Another address: whoever can change it can reset the password, so it takes the password."""

    email = forms.EmailField(
        label=_("email"),
        required=False,
        help_text=_("Used to reset a forgotten password."),
    )
    password = forms.CharField(
        label=_("your password"), strip=False, widget=forms.PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, initial={"email": user.email}, **kwargs)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("That is not your password."))
        return password
