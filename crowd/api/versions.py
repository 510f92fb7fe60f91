"""The versions of a campaign's settings: which there are, and what each one was."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import SettingsVersion
from crowd.selectors.settings_versions import versions_with_changes


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
