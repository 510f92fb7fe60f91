"""Predict how more raters or more texts would narrow the intervals."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.planning import DEFAULT_RATERS, RATERS, SEED, TEXTS, ScalePlans, campaign_plans, plan_numbers
from crowd.commands import campaign_named
from measures.agreement.sample_size import Plan
from measures.core.intervals import Interval
from measures.core.undefined import Undefined


class Command(BaseCommand):
    help = (
        "Predict, from the ratings so far, how the intervals of the mean and of kappa narrow with more raters and "
        "more texts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--raters", default="", help="ratings per text, such as 3,4,5")
        parser.add_argument(
            "--texts",
            default="",
            help="numbers of texts, such as 500,1000; default: the current number, twice and four times that",
        )
        parser.add_argument("--seed", type=int, default=SEED)

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            raters = plan_numbers(options["raters"], RATERS) or DEFAULT_RATERS
            plans_by_scale = campaign_plans(campaign, raters, plan_numbers(options["texts"], TEXTS), options["seed"])
        except ValueError as error:
            raise CommandError(str(error)) from error
        for scale_plans in plans_by_scale:
            self._print(scale_plans)

    def _print(self, scale_plans: ScalePlans) -> None:
        name, texts, ratings = scale_plans.scale.name, scale_plans.texts, scale_plans.ratings
        self.stdout.write(f"{name}: {texts} texts with two ratings or more, {ratings} ratings")
        if scale_plans.undefined:
            self.stdout.write(f"  no plan: {scale_plans.undefined}")
            return
        if scale_plans.kappa:
            self.stdout.write(f"  so far: kappa {scale_plans.kappa.mean:.3f}, {_bounds(scale_plans.kappa)}")
        self.stdout.write(f"  {'raters':>6} {'texts':>8} {'ratings':>9}  {'mean':>16}  {'kappa':>16}")
        for plan in scale_plans.plans:
            self.stdout.write(_line(plan))


def _line(plan: Plan) -> str:
    kappa = "undefined" if isinstance(plan.kappa, Undefined) else _bounds(plan.kappa)
    if 0 < plan.undefined < 1:
        kappa += f", undefined in {plan.undefined:.0%}"
    return f"  {plan.raters:6} {plan.items:8} {plan.ratings:9}  {_bounds(plan.mean):>16}  {kappa:>16}"


def _bounds(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
