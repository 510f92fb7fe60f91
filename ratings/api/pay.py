"""How long people were at work, and what that makes of their pay."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Round
from ratings.selectors.pay import time_and_pay


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
        return {"rounds": [time_and_pay(self.campaign, each) for each in Round]}
