"""Forms of an account: its password, and the address to which a reset is sent."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from common.mail import mail_send
from common.typed_text import TypedTexts
from crowd.account_forms import HOW_TO_CHOOSE
from crowd.models import Scope
from crowd.services.api_tokens import MAX_DAYS, MIN_DAYS


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


class PasswordAsked(TypedTexts, forms.Form):
    """A form that takes the password of the account, since a session may have been left open."""

    password = forms.CharField(
        label=_("your password"), strip=False, widget=forms.PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("That is not your password."))
        return password


class EmailForm(PasswordAsked):
    """Another address: whoever can change it can reset the password."""

    email = forms.EmailField(
        label=_("email"),
        required=False,
        help_text=_("Used to reset a forgotten password."),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, initial={"email": user.email}, **kwargs)


class TokenForm(PasswordAsked):
    """A token for programs."""

    name = forms.CharField(label=_("name"), max_length=100, help_text=_("What the token is for, in your words."))
    days = forms.IntegerField(
        label=_("days until it stops working"), initial=90, min_value=MIN_DAYS, max_value=MAX_DAYS
    )
    may_manage = forms.BooleanField(
        label=_("It may change things"),
        required=False,
        help_text=_("As far as your role in a campaign allows it (scope manage). Otherwise the token only reads."),
    )
    may_see_ids = forms.BooleanField(
        label=_("It may see platform IDs"),
        required=False,
        help_text=_(
            "Who participants are on their platform, where your role allows it (scope ids). The audit log records each "
            "use."
        ),
    )

    @property
    def scopes(self) -> set[str]:
        chosen = {Scope.MANAGE: self.cleaned_data["may_manage"], Scope.IDS: self.cleaned_data["may_see_ids"]}
        return {Scope.READ.value, *(scope.value for scope, wanted in chosen.items() if wanted)}
