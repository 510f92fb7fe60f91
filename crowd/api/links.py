"""Join links: the studies by which participants come, with their codes and limits."""

from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, PageQueryOf, operation
from crowd.access import MAY, Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import JoinLink, Round
from crowd.models.links import CODES
from crowd.opening import CAN_BE_CONFIRMED
from crowd.platforms import platform_choices
from crowd.selectors.link_warnings import link_warnings
from crowd.selectors.progress import link_refusal, links_of_campaign
from crowd.services.links import (
    join_link_create,
    join_link_make_codes,
    join_link_set_active,
    join_link_set_keys,
    join_link_update,
    round_pause_set,
)
from crowd.signing_keys import MAX_KEYS_LENGTH

MOST_PEOPLE = 2**31 - 1
SET_BY_MANAGERS = (*CODES, "completion_address")
"""What the pages show to managers and owners only."""
PLATFORM_WORDS = "Where the participants come from."


class Confirmed(serializers.ListField):
    """What staff confirm by name before a round opens without it."""

    def __init__(self) -> None:
        names = serializers.ChoiceField(CAN_BE_CONFIRMED)
        words = (
            "On platforms that pay, a round opens only if its pay, its minutes and a consent text of your own are set, "
            "or named here."
        )
        super().__init__(child=names, required=False, max_length=len(CAN_BE_CONFIRMED), help_text=words)


class LinkSerializer(serializers.ModelSerializer[JoinLink]):
    """A join link. Its codes and its completion address are left out where your role is viewer."""

    platform = serializers.ChoiceField(platform_choices(), source="platform_key", help_text=PLATFORM_WORDS)
    address = serializers.SerializerMethodField(help_text="What to hand out, or to paste into the platform.")
    people = serializers.IntegerField(help_text="How many participants have joined by it.")
    closed_because = serializers.SerializerMethodField(
        help_text="What a new participant would read who is not admitted now; empty if they would be admitted."
    )
    warnings = serializers.SerializerMethodField(help_text="What is missing or wrong about it.")
    takes_signed_ids_only = serializers.SerializerMethodField()

    class Meta:
        model = JoinLink
        fields = [
            "id",
            "round",
            "platform",
            "name",
            "is_test",
            "is_active",
            "address",
            "opens_at",
            "closes_at",
            "max_people",
            "people",
            "closed_because",
            "warnings",
            "takes_signed_ids_only",
            *SET_BY_MANAGERS,
        ]
        extra_kwargs: dict[str, Any] = {name: {"required": False} for name in SET_BY_MANAGERS}

    def to_representation(self, link: JoinLink) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(link)
        if self.context["endpoint"].role not in MAY[Access.CAMPAIGN_MANAGER].look:
            for name in SET_BY_MANAGERS:
                del shown[name]
        return shown

    def get_address(self, link: JoinLink) -> str:
        address = self.context["request"].build_absolute_uri(link.get_absolute_url())
        return link.platform.address_to_paste(address)

    def get_closed_because(self, link: JoinLink) -> str:
        return link_refusal(link, link.people)  # type: ignore[attr-defined]  # an annotation of the query

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_warnings(self, link: JoinLink) -> list[str]:
        return list(link_warnings(link))

    def get_takes_signed_ids_only(self, link: JoinLink) -> bool:
        return bool(link.signing_keys)


class LinkChanges(serializers.ModelSerializer[JoinLink]):
    """The name, codes and limits of a link; what is not given stays as it is."""

    max_people = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_PEOPLE, help_text="null: no limit."
    )

    class Meta:
        model = JoinLink
        fields = ["name", "max_people", "opens_at", "closes_at", *SET_BY_MANAGERS]
        extra_kwargs: dict[str, Any] = {
            "opens_at": {"help_text": "null: with the campaign."},
            "closes_at": {"help_text": "From then on nobody new is admitted. null: with the campaign."},
            **{name: {"help_text": "Empty: no code for this outcome."} for name in CODES},
        }


class LinkBody(LinkChanges):
    """A new link. Codes that are not given are made. Where a round is not ready to be opened, the link stays closed."""

    confirmed = Confirmed()
    round = serializers.ChoiceField(Round.choices)
    platform = serializers.ChoiceField(platform_choices(), help_text=PLATFORM_WORDS)

    class Meta(LinkChanges.Meta):
        fields = ["round", "platform", "is_test", "confirmed", *LinkChanges.Meta.fields]


class KnownLinkChanges(LinkChanges):
    """What can be changed of a link that there is."""

    is_active = serializers.BooleanField(
        required=False, help_text="Whether new participants can join by it; those who have joined can continue."
    )
    confirmed = Confirmed()
    keys = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_KEYS_LENGTH,
        help_text="The platform's JSON Web Key Set, as text, to accept only IDs that it signed; empty for others.",
    )

    class Meta(LinkChanges.Meta):
        fields = [*LinkChanges.Meta.fields, "is_active", "confirmed", "keys"]


class LinkQuery(PageQueryOf):
    round = serializers.ChoiceField(Round.choices, required=False)


class PauseBody(Body):
    paused = serializers.BooleanField()
    confirmed = Confirmed()


class PauseSerializer(serializers.Serializer[Any]):
    """Whether a round is paused."""

    round = serializers.ChoiceField(Round.choices)
    paused = serializers.BooleanField()


class LinkEndpoint(CampaignEndpoint):
    """An endpoint of one link."""

    def link(self, link_id: int) -> JoinLink:
        return get_object_or_404(links_of_campaign(self.campaign), pk=link_id)


class Links(LinkEndpoint):
    @operation("listLinks", answer=LinkSerializer, query=LinkQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the join links of a campaign."""
        wanted = {name: self.asked[name] for name in ("round",) if name in self.asked}
        return links_of_campaign(self.campaign).filter(**wanted)

    @operation("createLink", body=LinkBody, answer=LinkSerializer, status=HTTPStatus.CREATED)
    def post(self, request: Request) -> Any:
        """Make a join link."""
        work_round, platform = self.sent.pop("round"), self.sent.pop("platform")
        made = join_link_create(
            campaign=self.campaign, work_round=work_round, platform_key=platform, user=self.user, **self.sent
        )
        return self.link(made.pk)


class OneLink(LinkEndpoint):
    @operation("changeLink", body=KnownLinkChanges, answer=LinkSerializer, problems=(409,))
    @transaction.atomic
    def patch(self, request: Request, link_id: int) -> Any:
        """Change the name, codes and limits of a link, or where its participants go back to; close it, or open it."""
        link, is_active, keys = self.link(link_id), self.sent.pop("is_active", None), self.sent.pop("keys", None)
        confirmed = self.sent.pop("confirmed", ())
        join_link_update(link=link, user=self.user, **self.sent)
        if is_active is not None:
            join_link_set_active(link=link, is_active=is_active, user=self.user, confirmed=confirmed)
        if keys is not None:
            join_link_set_keys(link=link, text=keys, user=self.user)
        return self.link(link_id)


class LinkCodes(LinkEndpoint):
    @operation("makeLinkCodes", body=Body, answer=LinkSerializer)
    def post(self, request: Request, link_id: int) -> Any:
        """Make a code for each outcome that has none."""
        join_link_make_codes(link=self.link(link_id), user=self.user)
        return self.link(link_id)


class RoundPause(CampaignEndpoint):
    @operation("pauseRound", body=PauseBody, answer=PauseSerializer, problems=(409,))
    def post(self, request: Request, work_round: str) -> Any:
        """Pause or resume a round. While it is paused, participants can finish the text that they have."""
        if work_round not in Round.values:
            raise Http404
        paused, confirmed = self.sent["paused"], self.sent.get("confirmed", ())
        round_pause_set(
            campaign=self.campaign, work_round=work_round, is_paused=paused, user=self.user, confirmed=confirmed
        )
        return {"round": work_round, "paused": paused}
