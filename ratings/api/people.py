"""One person: what is known of their work, and whether it counts."""

from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.fields import TypedField
from common.api.operations import Body, operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Enrolment, Exclusion, Round, Worker
from crowd.selectors.exclusions import exclusions_of_worker
from crowd.selectors.shared_browsers import workers_of_same_browsers
from ratings.api.person_answers import PersonSerializer
from ratings.forms import MOST_NOTE
from ratings.models import Inclusion, QualityDecision
from ratings.selectors.people import PersonRound, person_rounds, worker_in_round, workers_of_campaign
from ratings.selectors.quality import decisions_of_worker, inclusions_of_worker
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.qualification import qualification_reset
from ratings.services.quality import inclusion_withdraw, person_include

DECISIONS_SHOWN = 20


@dataclass(frozen=True)
class _Person:
    worker: Worker
    same_browser: list[int]
    rounds: list[PersonRound]
    manual_decisions: list[Exclusion | Inclusion]
    decisions: list[QualityDecision]


class PersonEndpoint(CampaignEndpoint):
    """An endpoint about one person."""

    def _told(self, number: int) -> _Person:
        worker = get_object_or_404(workers_of_campaign(self.campaign), number=number)
        return _Person(
            worker,
            [other.number for other in workers_of_same_browsers(worker.pk)],
            person_rounds(worker),
            [*exclusions_of_worker(worker), *inclusions_of_worker(worker)],
            list(decisions_of_worker(worker).select_related("worker")[:DECISIONS_SHOWN]),
        )


class Person(PersonEndpoint):
    @operation("getPerson", answer=PersonSerializer)
    def get(self, request: Request, number: int) -> Any:
        """Get one person: their visits and work in each round, and the decisions about them."""
        return self._told(number)


class ExclusionBody(Body):
    excluded = serializers.BooleanField(help_text="False lets an excluded participant work again.")
    note = TypedField(max_length=MOST_NOTE, required=False, allow_blank=True, default="", help_text="Why.")

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if sent["excluded"] and not sent["note"]:
            raise ValidationError({"note": [_("Please say why this participant is excluded.")]})
        return sent


class InclusionBody(Body):
    included = serializers.BooleanField(help_text="False lets the quality rule decide about the participant again.")
    note = TypedField(max_length=MOST_NOTE, required=False, allow_blank=True, default="", help_text="Why.")

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if sent["included"] and not sent["note"]:
            raise ValidationError({"note": [_("Please say why this participant is always kept.")]})
        return sent


class Exclude(PersonEndpoint):
    @operation("excludePerson", body=ExclusionBody, answer=PersonSerializer)
    def post(self, request: Request, number: int, work_round: str) -> Any:
        """Exclude a participant from a round, or let them work again.

        Nothing is deleted: the places open to others, and the next release excludes the work. An exclusion needs a
        note that says why.
        """
        worker = worker_in_round(self.campaign, number, work_round)
        who: dict[str, Any] = {"worker": worker, "work_round": work_round, "user": self.user}
        if self.sent["excluded"]:
            person_exclude(note=self.sent["note"], **who)
        else:
            person_readmit(**who)
        return self._told(number)


class Include(PersonEndpoint):
    @operation("includePerson", body=InclusionBody, answer=PersonSerializer)
    def post(self, request: Request, number: int, work_round: str) -> Any:
        """Always keep a participant, whatever the quality rule says, or let it decide again.

        Keeping someone needs a note that says why.
        """
        worker = worker_in_round(self.campaign, number, work_round)
        who: dict[str, Any] = {"worker": worker, "work_round": work_round, "user": self.user}
        if self.sent["included"]:
            person_include(note=self.sent["note"], **who)
        else:
            inclusion_withdraw(**who)
        return self._told(number)


class ResetTest(PersonEndpoint):
    @operation("resetTest", answer=PersonSerializer)
    def post(self, request: Request, number: int) -> Any:
        """Let a rater take the test again."""
        raters = Enrolment.objects.filter(worker__campaign=self.campaign, round=Round.RATE)
        found = get_object_or_404(raters.select_related("worker__campaign"), worker__number=number)
        qualification_reset(enrolment=found, user=self.user)
        return self._told(number)
