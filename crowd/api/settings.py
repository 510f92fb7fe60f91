"""The settings of a campaign and their versions: as they are, as they were, and changed as the pages change them."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.etags import content_etag, match_check
from common.api.operations import Body, operation
from common.api.problems import Problem
from common.typed_text import MAX_FIELD_LENGTH
from crowd.api.endpoint import CampaignEndpoint
from crowd.arms import MAX_ARM_NAME, MAX_ARMS
from crowd.models import Campaign, SettingsVersion
from crowd.models.settings_version import PEOPLE_READ, changed_names
from crowd.placeholders import PlaceholdersRefused
from crowd.scales import MAX_POINTS, MAX_SCALES, MIN_POINTS, scales_dump, scales_load
from crowd.selectors.settings_versions import versions_with_changes
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.settings_tabs import TABS


class SettingsVersionSerializer(serializers.Serializer[Any]):
    """A version of the settings, without them."""

    number = serializers.IntegerField()
    created_at = serializers.DateTimeField(source="version.created_at")
    created_by = serializers.CharField(
        source="version.created_by.username",
        default="",
        help_text="An account; empty if there is none, or none any more.",
    )
    changed = serializers.ListField(
        child=serializers.CharField(), help_text="The settings that differ from the version before."
    )


class SettingsVersionValuesSerializer(serializers.ModelSerializer[SettingsVersion]):
    """A version of the settings with their values."""

    created_by = serializers.CharField(source="created_by.username", default="")
    settings = serializers.SerializerMethodField(
        help_text="The value of each setting that versions record; older versions know fewer."
    )

    class Meta:
        model = SettingsVersion
        fields = ["number", "created_at", "created_by", "settings"]

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_settings(self, version: SettingsVersion) -> dict[str, Any]:
        found: dict[str, Any] = version.settings
        return found


class Versions(CampaignEndpoint):
    @operation("listVersions", answer=SettingsVersionSerializer, listed=True, key="number")
    def get(self, request: Request) -> Any:
        """List the versions of the settings, the oldest first."""
        return versions_with_changes(self.campaign)


class OneVersion(CampaignEndpoint):
    @operation("getVersion", answer=SettingsVersionValuesSerializer)
    def get(self, request: Request, number: int) -> Any:
        """Get the settings as one version records them."""
        versions = self.campaign.settings_versions.select_related("created_by")
        return get_object_or_404(versions, number=number)


LARGEST_VERSION = 2**31 - 1
SETTINGS = sorted(name for tab in TABS for name in tab.settings if name != "slug")
TEXTS = {name: {"max_length": MAX_FIELD_LENGTH} for name in (*PEOPLE_READ, "description")}


class ScaleSerializer(Body):
    """A scale on which raters rate."""

    key = serializers.RegexField(
        r"^[a-z0-9_]+\Z", max_length=40, help_text="What files and ratings call it; made of the name at the beginning."
    )
    name = serializers.CharField(max_length=40)
    question = serializers.CharField(max_length=200)
    points = serializers.ListField(
        child=serializers.CharField(max_length=100),
        min_length=MIN_POINTS,
        max_length=MAX_POINTS,
        help_text="The words of its points, the lowest first. Side by side, other words are shown in their place.",
    )
    arm = serializers.RegexField(
        r"^[a-z0-9_]*\Z",
        max_length=40,
        required=False,
        allow_blank=True,
        help_text="The key of the arm whose raters have it; left out or empty, all have it.",
    )
    nuggets = serializers.BooleanField(
        required=False, help_text="Whether raters can open the text’s nuggets beside this scale; false if left out."
    )


class ArmSerializer(Body):
    """An arm of the rater round."""

    key = serializers.RegexField(r"^[a-z0-9_]+\Z", max_length=40, help_text="What files and scales call it.")
    name = serializers.CharField(max_length=MAX_ARM_NAME, help_text="What staff call it; participants never read it.")


class SettingsFields(serializers.ModelSerializer[Campaign]):
    """Settings that staff can change, each with the range that the pages allow."""

    scales = serializers.ListField(child=ScaleSerializer(), required=False, min_length=1, max_length=MAX_SCALES)
    arms = serializers.ListField(
        child=ArmSerializer(), required=False, max_length=MAX_ARMS, help_text="Two to six arms, or none."
    )

    class Meta:
        model = Campaign
        fields = SETTINGS
        extra_kwargs: dict[str, Any] = {name: {"required": False} | TEXTS.get(name, {}) for name in SETTINGS}

    def validate_scales(self, scales: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return scales in the order of names in which they are stored and compared."""
        return scales_dump(scales_load(scales))


class SettingsBody(SettingsFields):
    """The settings to change; all others stay as they are."""

    confirmed = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_VERSION,
        help_text="The number `confirm` from the problem `unconfirmed`.",
    )

    class Meta(SettingsFields.Meta):
        fields = [*SETTINGS, "confirmed"]


class SettingsSerializer(serializers.ModelSerializer[Campaign]):
    """All settings that staff can change, and the version that they are."""

    version = serializers.IntegerField(source="settings_version.number", help_text="The number of the active version.")
    scales = ScaleSerializer(many=True)
    arms = ArmSerializer(many=True)

    class Meta:
        model = Campaign
        fields = ["version", *SETTINGS]


def settings_etag(campaign: Campaign) -> str:
    return content_etag(SettingsSerializer(campaign).data)


@contextmanager
def placeholders_named() -> Iterator[None]:
    """Name the texts whose placeholders cannot be filled in as the fields at fault."""
    try:
        yield
    except PlaceholdersRefused as refusal:
        raise ValidationError(dict(refusal.faults)) from refusal


class Settings(CampaignEndpoint):
    largest_body = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @operation("getSettings", answer=SettingsSerializer, tagged=True)
    def get(self, request: Request) -> Any:
        """Get all settings of a campaign."""
        return self.campaign

    @operation("changeSettings", body=SettingsBody, answer=SettingsSerializer, problems=(409,), tagged=True)
    def patch(self, request: Request) -> Any:
        """Change some settings.

        Once people have joined, a change of what they are told or held to asks for a confirmation: the problem has the
        code `unconfirmed`, the `changes` with the values before and after, and a number `confirm`. Send the same again
        with that number as `confirmed`. With `If-Match`, nothing is changed if any setting has changed since you read
        them.
        """
        confirmed = self.sent.pop("confirmed", None)
        try:
            with placeholders_named():
                campaign_update(
                    campaign=self.campaign,
                    user=self.user,
                    confirmed=confirmed,
                    check=lambda stored: match_check(request, lambda: settings_etag(stored)),
                    **self.sent,
                )
        except UnconfirmedChange as change:
            raise _unconfirmed(change) from change
        return self.campaign


def _unconfirmed(change: UnconfirmedChange) -> Problem:
    changes = [
        {"name": name, "before": change.known[name], "after": change.after[name]}
        for name in changed_names(change.known, change.after)
    ]
    return Problem(HTTPStatus.CONFLICT, str(change), code="unconfirmed", confirm=change.before.number, changes=changes)
