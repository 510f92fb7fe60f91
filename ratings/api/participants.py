"""The participants of a round; their ids are given out by an operation of its own, and that is logged."""

from typing import Any, ClassVar

from django.http import Http404, QueryDict
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import PageQueryOf, operation
from common.api.pages import LARGEST_KEY, Completed
from common.listing import ListingState
from crowd.access import Access
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Outcome, Round, Scope
from crowd.services.audit import ids_record
from ratings.api.participant_answers import ParticipantIdsSerializer, ParticipantSerializer
from ratings.participant_list import chosen_participants, participants_listing
from ratings.selectors.participants import Participant, participants_of_round


class ParticipantQuery(PageQueryOf):
    outcome = serializers.ChoiceField(
        Outcome.choices, required=False, help_text="Only participants with a visit that ended like this."
    )
    link = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_KEY, help_text="Only participants who joined by this link."
    )
    flagged = serializers.BooleanField(required=False, allow_null=True, default=None)
    excluded = serializers.BooleanField(required=False, allow_null=True, default=None)
    shares_browser = serializers.BooleanField(required=False, allow_null=True, default=None)


class RoundEndpoint(CampaignEndpoint):
    """An endpoint about the participants of a round."""

    def _chosen(self, work_round: str) -> list[Participant]:
        if work_round not in Round.values:
            raise Http404
        people = participants_of_round(self.campaign, work_round)
        return chosen_participants(people, self._listing(work_round))

    def _listing(self, work_round: str) -> ListingState:
        """Return what is asked for as the page's list takes it."""
        asked = self.asked
        values = {name: str(asked.get(name, "")) for name in ("outcome", "link")}
        values |= {"flagged": _switch(asked["flagged"]), "excluded": _switch(asked["excluded"])}
        values["browser"] = _switch(asked["shares_browser"])
        listing = participants_listing(work_round, (), shows_ids=False)
        return ListingState(listing, QueryDict(), sort="number", search="", values=values)


def _switch(value: bool | None) -> str:
    return "" if value is None else str(int(value))


class Participants(RoundEndpoint):
    @operation("listParticipants", answer=ParticipantSerializer, query=ParticipantQuery, listed=True, key="number")
    def get(self, request: Request, work_round: str) -> Any:
        """List the participants of a round (`edit`, `rate` or `expert`) by number, without their ids."""
        return self._chosen(work_round)


class ParticipantIds(RoundEndpoint):
    access = Access.CAMPAIGN_MANAGER
    scope: ClassVar[Scope] = Scope.IDS
    works_when_archived = True

    @operation(
        "listParticipantIds",
        answer=ParticipantIdsSerializer,
        query=ParticipantQuery,
        listed=True,
        key="number",
        once=False,
    )
    def post(self, request: Request, work_round: str) -> Any:
        """List the platform IDs of the participants of a round.

        Each page that is given out is recorded in the audit log. Answers are not kept, so an Idempotency-Key is
        ignored.
        """

        def given(people: list[Participant]) -> list[Participant]:
            count = sum(len(each.visits) for each in people)
            ids_record(campaign=self.campaign, user=self.user, what=f"participants-{work_round}", count=count)
            return people

        return Completed(self._chosen(work_round), given)
