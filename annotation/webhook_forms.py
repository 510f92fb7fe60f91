"""The form of a new webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.models.webhooks import FIELD_OF_KIND, MAX_ADDRESS

EVENTS = [(kind.value, kind.label) for kind in FIELD_OF_KIND]


class WebhookForm(TypedTexts, forms.Form):
    address = forms.CharField(
        label=_("address"),
        max_length=MAX_ADDRESS,
        help_text=_("What is sent goes to exactly this address. Redirects are not followed."),
        widget=forms.TextInput({"inputmode": "url", "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}),
    )
    events = forms.MultipleChoiceField(label=_("events"), choices=EVENTS, widget=forms.CheckboxSelectMultiple)
