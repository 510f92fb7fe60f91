"""Forms about the staff of a campaign and their accounts."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.models import Role
from crowd.services.invitations import MAX_DAYS, MIN_DAYS

HOW_TO_CHOOSE = _("At least 10 characters. Common passwords are refused.")


class RoleForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(label=_("role"), choices=Role.choices)


class InvitationForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(label=_("role"), choices=Role.choices, initial=Role.VIEWER)
    days = forms.IntegerField(label=_("days until it expires"), min_value=MIN_DAYS, max_value=MAX_DAYS, initial=7)
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
