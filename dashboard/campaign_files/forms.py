"""Forms that make a campaign: of a file, of a template, of another campaign."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from compressions.forms import TOO_LARGE
from crowd.models import Campaign
from crowd.models.setting_words import WORDS
from crowd.selectors.campaigns import short_name_of
from crowd.services.campaigns import RESERVED_SLUGS, SLUG_LENGTH
from dashboard.campaign_files.reading import MAX_BYTES, CampaignFileRefused


class NamesForm(TypedTexts, forms.Form):
    """What the new campaign is called."""

    name = forms.CharField(label=WORDS["name"].label, max_length=200, help_text=WORDS["name"].help)
    slug = forms.SlugField(
        label=WORDS["slug"].label,
        max_length=SLUG_LENGTH,
        required=False,
        help_text=gettext_lazy(
            "Part of web addresses and of the names of releases: letters, digits, - and _. It can’t be changed later. "
            "If you leave it empty, we make one from the name."
        ),
    )
    refusal: CampaignFileRefused | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("name") and cleaned.get("slug") == "" and self.fields["name"].required:
            cleaned["slug"] = short_name_of(cleaned["name"], RESERVED_SLUGS)
        return cleaned

    def made(self, make: Callable[..., Campaign], **named: Any) -> Campaign | None:
        """Make the campaign; None if it was refused, which the form then says."""
        given = self.cleaned_data
        try:
            return make(**named, name=given["name"], slug=given["slug"])
        except CampaignFileRefused as refusal:
            self.refusal = refusal
            for fault in refusal.faults:
                if not fault.line and fault.name in self.fields:
                    self.add_error(fault.name, fault.reason)
            return None

    @property
    def refusal_status(self) -> HTTPStatus:
        return HTTPStatus.UNPROCESSABLE_ENTITY

    @property
    def faults(self) -> list[Any]:
        """What is wrong with the file, and with no field of the form."""
        found = self.refusal.faults if self.refusal else []
        return [each for each in found if each.line or each.name not in self.fields]


class CampaignFileForm(NamesForm):
    file = forms.FileField(label=gettext_lazy("File"), help_text=gettext_lazy("A YAML file of up to 1 MiB."))
    field_order = ("file", "name", "slug")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "slug"):
            self.fields[name].required = False
            self.fields[name].help_text = gettext_lazy("Leave it empty to take the one of the file.")

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            words = _("The file is larger than %(size)s MiB.") % {"size": MAX_BYTES // 2**20}
            raise forms.ValidationError(words, code=TOO_LARGE)
        return file

    @property
    def refusal_status(self) -> HTTPStatus:
        is_too_large = self.has_error("file", TOO_LARGE)
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_too_large else HTTPStatus.UNPROCESSABLE_ENTITY
