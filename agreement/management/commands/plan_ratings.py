"""Say what more raters or more texts would buy."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.planning import DEFAULT_RATERS, RATERS, SEED, TEXTS, ScalePlans, campaign_plans, plan_numbers
from crowd.commands import campaign_named
from measures.agreement.sample_size import Plan
from measures.core.intervals import Interval
from measures.core.undefined import Undefined


class Command(BaseCommand):
    help = "From the ratings so far: how the intervals of the mean and of kappa narrow with more raters and more texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--raters", default="", help="such as 3,4,5")
        parser.add_argument("--texts", default="", help="such as 500,1000; else what there is, twice, four times")
        parser.add_argument("--seed", type=int, default=SEED)

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            raters = plan_numbers(options["raters"], RATERS) or DEFAULT_RATERS
            found = campaign_plans(campaign, raters, plan_numbers(options["texts"], TEXTS), options["seed"])
        except ValueError as error:
            raise CommandError(str(error)) from error
        for of_scale in found:
            self._announce(of_scale)

    def _announce(self, found: ScalePlans) -> None:
        self.stdout.write(f"{found.scale.name}: {found.texts} texts with two ratings or more, {found.ratings} ratings")
        if found.undefined:
            self.stdout.write(f"  no plan: {found.undefined}")
            return
        if found.kappa:
            self.stdout.write(f"  so far: kappa {found.kappa.mean:.3f}, {_ends(found.kappa)}")
        self.stdout.write(f"  {'raters':>6} {'texts':>8} {'ratings':>9}  {'mean':>16}  {'kappa':>16}")
        for plan in found.plans:
            self.stdout.write(_line(plan))


def _line(plan: Plan) -> str:
    kappa = "undefined" if isinstance(plan.kappa, Undefined) else _ends(plan.kappa)
    if 0 < plan.undefined < 1:
        kappa += f", undefined in {plan.undefined:.0%}"
    return f"  {plan.raters:6} {plan.items:8} {plan.ratings:9}  {_ends(plan.mean):>16}  {kappa:>16}"


def _ends(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
