"""Forms of accounts: an invitation, a new account, its password and tokens, the address to which a reset is sent."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm, UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from common.mail import mail_send
from common.typed_text import TypedTexts
from crowd.models import Role, Scope
from crowd.services import api_tokens, invitations

HOW_TO_CHOOSE = _("At least 10 characters. Common passwords are refused.")


class RoleForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(label=_("role"), choices=Role.choices)


class InvitationForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(label=_("role"), choices=Role.choices, initial=Role.VIEWER)
    days = forms.IntegerField(
        label=_("days until it expires"), min_value=invitations.MIN_DAYS, max_value=invitations.MAX_DAYS, initial=7
    )
    email = forms.EmailField(label=_("email (optional)"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = (
            _("We send the link to this address.")
            if settings.SENDS_MAIL
            else _("A note for you. This installation sends no email: copy the link and send it yourself.")
        )


class NewAccountForm(TypedTexts, UserCreationForm):
    """The account of someone who was invited."""

    class Meta:
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _("Letters, digits and @ . + - _")
        self.fields["password1"].help_text, self.fields["password2"].help_text = HOW_TO_CHOOSE, ""
        self.fields["email"].label = _("email (optional)")
        self.fields["email"].help_text = _("Used to reset a forgotten password.")


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
        label=_("days until it stops working"), initial=90, min_value=api_tokens.MIN_DAYS, max_value=api_tokens.MAX_DAYS
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
