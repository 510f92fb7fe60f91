"""Who is staff of a campaign: its members, and invitations to it."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Membership, Role
from crowd.selectors.members import members_of_campaign
from crowd.services.invitations import MAX_DAYS, MIN_DAYS, invitation_create
from crowd.services.members import member_remove, member_set


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """An account on the staff of a campaign, and its role there."""

    username = serializers.CharField(source="user.username")

    class Meta:
        model = Membership
        fields = ["username", "role"]


class RoleBody(Body):
    role = serializers.ChoiceField(Role.choices)


class InvitationBody(RoleBody):
    days = serializers.IntegerField(
        required=False, default=7, min_value=MIN_DAYS, max_value=MAX_DAYS, help_text="Until it expires."
    )


class InvitationSerializer(serializers.Serializer[Any]):
    """An invitation to the staff of a campaign."""

    address = serializers.CharField(
        allow_null=True,
        help_text="Whoever follows it first joins the staff. It cannot be read again: null in an answer that an "
        "Idempotency-Key repeats.",
    )


class Staff(CampaignEndpoint):
    @operation("listStaff", answer=MemberSerializer, query=PageQueryOf, listed=True)
    def get(self, request: Request) -> Any:
        """List the members of a campaign's staff."""
        return members_of_campaign(self.campaign)


class Invitations(CampaignEndpoint):
    access = Access.CAMPAIGN_OWNER

    @operation(
        "inviteStaff", body=InvitationBody, answer=InvitationSerializer, status=HTTPStatus.CREATED, untold=("address",)
    )
    def post(self, request: Request) -> Any:
        """Make an invitation to the staff.

        Its address is in this answer only.
        """
        token = invitation_create(campaign=self.campaign, user=self.user, **self.sent)
        return {"address": request.build_absolute_uri(reverse("crowd:invitation", args=[token]))}


class OneMember(CampaignEndpoint):
    access = Access.CAMPAIGN_OWNER

    def member(self, username: str) -> Membership:
        return get_object_or_404(members_of_campaign(self.campaign), user__username=username)

    @operation("setStaffRole", body=RoleBody, answer=MemberSerializer, problems=(409,))
    def put(self, request: Request, username: str) -> Any:
        """Give a member of the staff another role."""
        return member_set(
            campaign=self.campaign, member=self.member(username).user, user=self.user, role=self.sent["role"]
        )

    @operation("removeStaff", problems=(409,))
    def delete(self, request: Request, username: str) -> Any:
        """Remove a member from the staff. What they did stays."""
        member_remove(campaign=self.campaign, member=self.member(username).user, user=self.user)
