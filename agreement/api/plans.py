"""Rating plans: what more ratings or more texts would bring, and what they would cost."""

from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from agreement.planning.campaign_prices import StatedPrices
from agreement.planning.kept_plans import FoundPlans, plan_request, plans_found
from agreement.planning.plans import DEFAULT_RATERS, MAX_NUMBERS, MAX_PRICE, RATERS, TEXTS, PricedPlan, ScalePlans
from common.api.operations import Body, operation
from common.api.results import READY
from common.models import Job
from crowd.api.endpoint import CampaignEndpoint
from measures.core.undefined import Undefined

UNASKED = "unasked"
PLAN_STATES = (Job.State.QUEUED.value, Job.State.RUNNING.value, Job.State.FAILED.value, READY, UNASKED)
STATE_WORDS = "`unasked`: nobody has asked for it, or what was found is forgotten. POST to ask for it."


def _whole_numbers(allowed: range, words: str) -> serializers.ListField:
    child = serializers.IntegerField(min_value=allowed[0], max_value=allowed[-1])
    return serializers.ListField(child=child, required=False, allow_empty=True, max_length=MAX_NUMBERS, help_text=words)


def _price(words: str) -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=9, decimal_places=4, min_value=0, max_value=MAX_PRICE, required=False, help_text=words
    )


class PlanQuery(serializers.Serializer[Any]):
    """Which plans are wanted."""

    raters = _whole_numbers(RATERS, "Ratings per text. By default 3, 4, 5, 7 and 10.")
    texts = _whole_numbers(TEXTS, "Texts. By default the number so far, twice and four times that.")
    price_per_rating = _price("In any currency. By default what the campaign's settings say.")
    price_per_compression = _price("In any currency. By default what the campaign's settings say.")


class PlanBody(Body):
    """Which plans are wanted."""

    raters = _whole_numbers(RATERS, "Ratings per text. By default 3, 4, 5, 7 and 10.")
    texts = _whole_numbers(TEXTS, "Texts. By default the number so far, twice and four times that.")


class PredictionSerializer(serializers.Serializer[Any]):
    """What an estimate would be, and how far its 95% interval would reach to either side."""

    value = serializers.FloatField(allow_null=True)
    reach = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_blank=True, help_text="Why there is none.")


class PlanLineSerializer(serializers.Serializer[Any]):
    """A plan: so many texts with so many ratings each."""

    ratings_per_text = serializers.IntegerField()
    texts = serializers.IntegerField()
    ratings = serializers.IntegerField(help_text="Ratings in all.")
    sources = serializers.IntegerField()
    raters = serializers.IntegerField(help_text="0 where it is not known who gave the ratings so far.")
    mean = PredictionSerializer()
    kappa = PredictionSerializer()
    cost = serializers.DecimalField(
        max_digits=None, decimal_places=None, allow_null=True, help_text="Null without prices."
    )


class ScalePlansSerializer(serializers.Serializer[Any]):
    """The plans for one scale, or why there are none; and kappa of the ratings so far."""

    scale = serializers.CharField()
    texts = serializers.IntegerField(help_text="Texts with two ratings or more so far.")
    ratings = serializers.IntegerField(help_text="Their ratings so far.")
    kappa = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_blank=True)
    plans = PlanLineSerializer(many=True)


class SinceSerializer(serializers.Serializer[Any]):
    """What has come since the plans were computed; numbers stop at 10,001."""

    ratings = serializers.IntegerField()
    corrections = serializers.IntegerField()
    compressions = serializers.IntegerField()
    decisions = serializers.IntegerField()


class PlanSerializer(serializers.Serializer[Any]):
    """Plans for each scale, as far as they are found."""

    state = serializers.ChoiceField(PLAN_STATES, help_text=STATE_WORDS)
    job = serializers.IntegerField(allow_null=True)
    raters = serializers.ListField(child=serializers.IntegerField())
    texts = serializers.ListField(child=serializers.IntegerField(), help_text="Empty for the default.")
    computed_at = serializers.DateTimeField(allow_null=True, help_text="Null where they were computed just now.")
    since = SinceSerializer(allow_null=True)
    scales = ScalePlansSerializer(many=True, allow_null=True)


@dataclass(frozen=True)
class _Question:
    raters: list[int]
    texts: list[int]

    @classmethod
    def of(cls, given: dict[str, Any]) -> "_Question":
        return cls(given.get("raters") or list(DEFAULT_RATERS), given.get("texts") or [])


class RatingPlan(CampaignEndpoint):
    @operation("getPlan", answer=PlanSerializer, query=PlanQuery)
    def get(self, request: Request) -> Any:
        """Get what more ratings or more texts would bring, and what they would cost.

        Of a campaign with up to 20,000 ratings the plans are computed at once. Of others you get what was found when
        they were last asked for.
        """
        return self._plans(_Question.of(self.asked))

    @operation("requestPlan", body=PlanBody, answer=PlanSerializer, status=HTTPStatus.ACCEPTED, also=(HTTPStatus.OK,))
    def post(self, request: Request) -> Any:
        """Ask for plans.

        The answer is 200 with the plans of a campaign with up to 20,000 ratings. Of others, a job computes them (202),
        unless those at hand are up to date.
        """
        asked = _Question.of(self.sent)
        if (plans := self._plans(asked))["state"] != READY or plans["since"]:
            plan_request(campaign=self.campaign, raters=asked.raters, texts=asked.texts, user=self.user)
            plans = self._plans(asked)
        is_ready = plans["state"] == READY
        return Response(PlanSerializer(plans).data, status=HTTPStatus.OK if is_ready else HTTPStatus.ACCEPTED)

    def _plans(self, asked: _Question) -> dict[str, Any]:
        prices = StatedPrices.of(self.campaign).or_else(
            self.asked.get("price_per_rating"), self.asked.get("price_per_compression")
        )
        found = plans_found(self.campaign, asked.raters, asked.texts, prices)
        return {
            "state": _state(found),
            "job": found.kept.job_id if found.kept else None,
            "raters": asked.raters,
            "texts": asked.texts,
            "computed_at": found.kept.computed_at if found.kept else None,
            "since": vars(found.since) if found.since is not None else None,
            "scales": None if found.plans is None else [_of_scale(each) for each in found.plans],
        }


def _state(found: FoundPlans) -> str:
    job = found.kept.job if found.kept else None
    if job is not None and job.state != Job.State.DONE:
        return job.state
    return UNASKED if found.plans is None else READY


def _of_scale(plans: ScalePlans) -> dict[str, Any]:
    interval = None if isinstance(plans.interval, Undefined) else plans.interval
    return {
        "scale": plans.scale.key,
        "texts": plans.texts,
        "ratings": plans.ratings,
        "kappa": plans.kappa,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "undefined": plans.undefined,
        "plans": [_line(each) for each in plans.plans],
    }


def _line(priced: PricedPlan) -> dict[str, Any]:
    plan = priced.plan
    return {
        "ratings_per_text": plan.ratings_per_item,
        "texts": plan.items,
        "ratings": plan.ratings,
        "sources": plan.sources,
        "raters": plan.raters,
        "mean": _predicted(plan.mean),
        "kappa": _predicted(plan.kappa),
        "cost": _money(priced.cost),
    }


def _predicted(found: Any) -> dict[str, Any]:
    if isinstance(found, Undefined):
        return {"value": None, "reach": None, "undefined": found.reason}
    return {"value": found.value, "reach": found.reach, "undefined": ""}


def _money(cost: Decimal | None) -> Decimal | None:
    return None if cost is None else cost.quantize(Decimal("0.01"))
