"""Campaigns as files: write one, make one, copy one, and the templates to begin with."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.operations import Body, operation
from crowd.api.campaigns import CampaignSerializer
from crowd.api.endpoint import CampaignEndpoint, StaffEndpoint
from crowd.models import Campaign, Role
from crowd.services.account_bounds import upload_take
from crowd.services.campaigns import SLUG_LENGTH
from dashboard.campaign_files.reading import MAX_BYTES, CampaignFileRefused
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES, Template
from dashboard.campaign_files.writing import campaign_file

YAML = "application/yaml"


class CampaignFileBody(Body):
    file = serializers.CharField(
        max_length=MAX_BYTES,
        trim_whitespace=False,
        help_text="The file as text, as `GET campaigns/{slug}/file/` gives it.",
    )
    slug = serializers.SlugField(
        max_length=SLUG_LENGTH, required=False, help_text="The short name, in place of the file's."
    )
    name = serializers.CharField(max_length=200, required=False, help_text="The name, in place of the file's.")


class TemplateSerializer(serializers.Serializer[Template]):
    """A template: a campaign file to start from."""

    key = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField(help_text="What it is for, and what it does not do.")
    file = serializers.SerializerMethodField(help_text="The file, as `POST campaign-files/` takes it.")

    def get_file(self, template: Template) -> str:
        return template.content.decode()


class CampaignFile(CampaignEndpoint):
    @operation("getCampaignFile", files={200: YAML})
    def get(self, request: Request) -> Any:
        """Get a campaign as a file.

        The file is YAML with everything that staff have set: settings, scales, questions, links and the quality rule.
        It has no tokens, keys or completion codes, and nothing about participants, texts or work.
        """
        return HttpResponse(campaign_file(self.campaign), content_type=YAML)


class CampaignFiles(StaffEndpoint):
    largest_body = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @operation("createCampaignFromFile", body=CampaignFileBody, answer=CampaignSerializer, status=HTTPStatus.CREATED)
    def post(self, request: Request) -> Any:
        """Create a campaign from a file.

        It begins as a draft that you own. If anything in the file is wrong, nothing is stored, and every fault is
        named with its line.
        """
        chosen = {name: self.sent.get(name, "") for name in ("slug", "name")}
        content = self.sent["file"].encode()
        upload_take(self.user, len(content))
        return _made(lambda: campaign_file_create(content=content, owner=self.user, **chosen))


class Templates(StaffEndpoint):
    @operation("listTemplates", answer=TemplateSerializer, listed=True, key="number")
    def get(self, request: Request) -> Any:
        """List the templates."""
        return list(TEMPLATES.values())


def _made(make: Callable[[], Campaign]) -> Campaign:
    """Make a campaign; refuse what is wrong as faults of the body's fields."""
    try:
        campaign = make()
    except CampaignFileRefused as refusal:
        reasons: dict[str, list[str]] = {}
        for fault in refusal.faults:
            is_field = not fault.line and fault.name in {"slug", "name"}
            reasons.setdefault(fault.name if is_field else "file", []).append(fault.reason if is_field else str(fault))
        raise ValidationError(reasons) from refusal
    campaign.role = Role.OWNER.value  # type: ignore[attr-defined]  # as the list annotates it
    return campaign
