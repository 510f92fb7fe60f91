"""Forms about the staff of a campaign and their accounts."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User

from common.typed_text import TypedTexts
from crowd.models import Role
from crowd.services.invitations import MAX_DAYS, MIN_DAYS

ROLES = (
    (Role.VIEWER, "Viewer: sees everything except participants' IDs, and changes nothing"),
    (Role.MANAGER, "Manager: does everything except erase people and decide who is staff"),
    (Role.OWNER, "Owner: does everything"),
    (Role.EXPERT, "Expert: rates texts, and sees nothing else"),
)


class RoleForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(choices=Role.choices)


class InvitationForm(TypedTexts, forms.Form):
    role = forms.ChoiceField(choices=ROLES, initial=Role.VIEWER)
    days = forms.IntegerField(label="days until it ends", min_value=MIN_DAYS, max_value=MAX_DAYS, initial=7)
    email = forms.EmailField(label="email (optional)", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = (
            "We send the link to this address."
            if settings.SENDS_MAIL
            else "A note for you. This installation sends no mail: copy the link and send it yourself."
        )


class NewAccountForm(TypedTexts, UserCreationForm):
    """The account of someone who was invited."""

    class Meta:
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "email (optional)"
        self.fields["email"].help_text = "With it you can reset a forgotten password."
