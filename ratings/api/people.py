"""People of a campaign: what is known of one's work and whether it counts, pay, and samples for experts."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.bodies import TypedField
from common.api.operations import Body, operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Campaign, Exclusion, Round, Worker
from crowd.selectors.members import exclusions_of_worker
from crowd.selectors.shared_browsers import workers_of_same_browsers
from ratings.api.person_answers import PersonSerializer
from ratings.forms import MOST_EXPERTS, MOST_NOTE, MOST_SAMPLED, MOST_SEED
from ratings.models import ExpertSample, Inclusion, QualityDecision
from ratings.selectors.pay import time_and_pay_of_rounds
from ratings.selectors.people import PersonRound, person_rounds, worker_in_round, workers_of_campaign
from ratings.selectors.qualification import expert_samples
from ratings.selectors.quality import decisions_of_worker, inclusions_of_worker
from ratings.services.exclusions import person_exclude, person_leave_to_rule
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import person_include


class MoneyField(serializers.DecimalField):
    """An amount of money, or null."""

    def __init__(self, **named: Any) -> None:
        super().__init__(max_digits=None, decimal_places=None, allow_null=True, **named)


class SpreadSerializer(serializers.Serializer[Any]):
    """The quartiles over some visits."""

    visits = serializers.IntegerField()
    low = serializers.FloatField()
    median = serializers.FloatField()
    high = serializers.FloatField()


class RoundPaySerializer(serializers.Serializer[Any]):
    """Time and pay in a round. Times are of visits that were finished, and null where none is known."""

    round = serializers.ChoiceField(Round.choices)
    currency = serializers.CharField(source="pay.currency")
    amount = MoneyField(source="pay.amount", help_text="Null if no pay is set.")
    is_per_text = serializers.BooleanField(source="pay.is_per_text", help_text="Or per study.")
    minutes_told = serializers.IntegerField(
        source="pay.minutes", allow_null=True, help_text="How long participants are told it takes."
    )
    suggested_minutes = serializers.IntegerField(
        allow_null=True, help_text="The median of the elapsed time; null from too few participants."
    )
    people_timed = serializers.IntegerField()
    people_too_quick = serializers.IntegerField(
        help_text="How many more finished in less time than reading takes; the times are without theirs."
    )
    people_paid = serializers.IntegerField(help_text="How many finished, excluded participants included.")
    people_needed = serializers.IntegerField(help_text="The minimum number of participants still needed.")
    texts_left = serializers.IntegerField(help_text="How many compressions or ratings are missing.")
    are_simulated = serializers.BooleanField(help_text="Whether the times are those of simulated participants.")
    are_few = serializers.BooleanField(
        help_text="Whether the times are those of only a few participants, so that they may change a lot."
    )
    elapsed_ms = SpreadSerializer(source="elapsed", allow_null=True)
    before_ms = SpreadSerializer(source="before", allow_null=True)
    active_ms = SpreadSerializer(source="active", allow_null=True)
    active_per_text_ms = SpreadSerializer(source="active_per_text", allow_null=True)
    pay_per_person = SpreadSerializer(allow_null=True)
    hourly_elapsed = SpreadSerializer(allow_null=True, help_text="Pay per elapsed hour.")
    hourly_active = SpreadSerializer(allow_null=True, help_text="Pay per active hour.")
    minimum_hourly = MoneyField(source="pay.minimum_hourly")
    is_below_minimum = serializers.BooleanField()
    due = MoneyField(help_text="The cost so far.")
    expected = MoneyField(help_text="The cost of the whole round.")
    pay_has_changed = serializers.BooleanField(help_text="Whether the pay has changed since some took part.")


class PaySerializer(serializers.Serializer[Any]):
    rounds = RoundPaySerializer(many=True)


class Pay(CampaignEndpoint):
    @operation("getPay", answer=PaySerializer)
    def get(self, request: Request) -> Any:
        """Get how long participants took in each round and what they earned per hour.

        Pay is worked out from the current settings, without bonuses or the platform’s fees.
        """
        return {"rounds": time_and_pay_of_rounds(self.campaign)}


class StratumSerializer(serializers.Serializer[Any]):
    """A part of the texts from which some were drawn."""

    genre = serializers.CharField()
    band = serializers.CharField(help_text="The third of the texts by the crowd’s mean: low, middle or high.")
    texts = serializers.IntegerField()
    drawn = serializers.IntegerField()

    def to_representation(self, stored: list[Any]) -> Any:
        return super().to_representation(dict(zip(self.fields, stored, strict=True)))


class ExpertSampleSerializer(serializers.ModelSerializer[ExpertSample]):
    """A sample, with what is needed to draw it again."""

    strata = StratumSerializer(many=True)
    requested_by = serializers.CharField(source="requested_by.username", default=None, allow_null=True)
    wanted = serializers.IntegerField(help_text="How many ratings are wanted.")
    done = serializers.IntegerField(help_text="How many of them are there.")

    class Meta:
        model = ExpertSample
        fields = ["id", "size", "seed", "experts", "strata", "created_at", "requested_by", "wanted", "done"]


class SampleBody(Body):
    size = serializers.IntegerField(min_value=1, max_value=MOST_SAMPLED, help_text="How many texts to draw.")
    experts = serializers.IntegerField(min_value=1, max_value=MOST_EXPERTS, help_text="How many rate each text.")
    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, default=2016, help_text="The same seed draws the same texts."
    )


class Experts(CampaignEndpoint):
    @operation("listExpertSamples", answer=ExpertSampleSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the samples that were drawn for experts."""
        return expert_samples(self.campaign)

    @operation(
        "drawExpertSample", body=SampleBody, answer=ExpertSampleSerializer, status=HTTPStatus.CREATED, problems=(409,)
    )
    def post(self, request: Request) -> Any:
        """Draw texts that the crowd has rated, for experts to rate them again.

        Texts of earlier samples are not drawn again.
        """
        drawn = expert_sample_draw(campaign=self.campaign, user=self.user, **self.sent)
        return expert_samples(self.campaign).get(pk=drawn.pk)


DECISIONS_SHOWN = 20


@dataclass(frozen=True)
class _Person:
    worker: Worker
    same_browser: list[int]
    rounds: list[PersonRound]
    manual_decisions: list[Exclusion | Inclusion]
    decisions: list[QualityDecision]


def person_told(campaign: Campaign, number: int) -> _Person:
    worker = get_object_or_404(workers_of_campaign(campaign), number=number)
    return _Person(
        worker,
        [other.number for other in workers_of_same_browsers(worker.pk)],
        person_rounds(worker),
        [*exclusions_of_worker(worker), *inclusions_of_worker(worker)],
        list(decisions_of_worker(worker).select_related("worker")[:DECISIONS_SHOWN]),
    )


class Person(CampaignEndpoint):
    @operation("getPerson", answer=PersonSerializer)
    def get(self, request: Request, number: int) -> Any:
        """Get one person: their visits and work in each round, and the decisions about them."""
        return person_told(self.campaign, number)


EXCLUDE, KEEP, RULE = "exclude", "keep", "rule"


class DecisionBody(Body):
    decision = serializers.ChoiceField(
        [EXCLUDE, KEEP, RULE],
        help_text="Exclude the participant, always keep them whatever the quality rule says, or let the rule decide.",
    )
    note = TypedField(max_length=MOST_NOTE, required=False, allow_blank=True, default="", help_text="Why.")

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if sent["decision"] != RULE and not sent["note"]:
            raise ValidationError({"note": [_("Say why.")]})
        return sent


class Decision(CampaignEndpoint):
    @operation("decidePerson", body=DecisionBody, answer=PersonSerializer, problems=(409,))
    def put(self, request: Request, number: int, work_round: str) -> Any:
        """Decide by hand whether a participant's work in a round counts, or leave it to the quality rule.

        Nothing is deleted: if someone is excluded, the places open to others, and the next release excludes the work.
        An exclusion or a keeping needs a note that says why. An excluded participant can be kept only after the rule
        was let decide.
        """
        worker = worker_in_round(self.campaign, number, work_round)
        who: dict[str, Any] = {"worker": worker, "work_round": work_round, "user": self.user}
        match self.sent["decision"]:
            case "exclude":
                person_exclude(note=self.sent["note"], **who)
            case "keep":
                person_include(note=self.sent["note"], **who)
            case _:
                person_leave_to_rule(**who)
        return person_told(self.campaign, number)
