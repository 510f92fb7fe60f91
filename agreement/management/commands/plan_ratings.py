"""Predict how more ratings or more texts would narrow the intervals, and what they would cost."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreement.planning.campaign_prices import StatedPrices
from agreement.planning.plans import (
    DEFAULT_RATERS,
    MAX_PRICE,
    RATERS,
    TEXTS,
    PricedPlan,
    ScalePlans,
    campaign_plans,
    plan_numbers,
)
from agreement.planning.tables import COLUMNS, plan_rows, plan_sections
from common.console import TABLE, TEXT, Section, add_format, csv_or_json, form_of, print_sections
from crowd.commands import campaign_named
from measures.agreement.sample_size import Prediction
from measures.core.confidence import ConfidenceInterval
from measures.core.undefined import Undefined

END = "Everything, with all digits: --format csv or --format json. Other plans: --raters, --texts and the prices."


class Command(BaseCommand):
    help = (
        "Predict, from the ratings so far, how the intervals of the mean and of kappa narrow with more ratings per "
        "text and more texts, and what that costs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        usual = ",".join(map(str, DEFAULT_RATERS))
        parser.add_argument("--raters", default="", help=f"ratings per text, such as 3,4,5 (default: {usual})")
        parser.add_argument(
            "--texts",
            default="",
            help="numbers of texts, such as 500,1000 (default: the current number, twice and four times that)",
        )
        for of in ("rating", "compression"):
            help_text = f"price of a {of}, such as 0.12 (default: what follows from the campaign's pay)"
            parser.add_argument(f"--price-per-{of}", default="", metavar="PRICE", help=help_text)
        add_format(parser, TEXT)

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            raters = plan_numbers(options["raters"], RATERS) or DEFAULT_RATERS
            texts = plan_numbers(options["texts"], TEXTS)
            typed = (_price(options[f"price_per_{name}"]) for name in ("rating", "compression"))
            prices = StatedPrices.of(campaign).or_else(*typed)
        except ValueError as error:
            raise CommandError(str(error)) from error
        plans, form = campaign_plans(campaign, raters, texts, prices), form_of(self, options, TEXT)
        if form == TEXT:
            for scale_plans in plans:
                self._print(scale_plans)
        elif form == TABLE:
            heading = [Section(f"Plans for {campaign.name}. ± is half the width of the 95% interval.")]
            print_sections(self, [*heading, *plan_sections(plans)], options, END)
        else:
            self.stdout.write(csv_or_json(form, COLUMNS, plan_rows(plans), campaign=campaign.slug), ending="")

    def _print(self, scale_plans: ScalePlans) -> None:
        name, texts, ratings = scale_plans.scale.name, scale_plans.texts, scale_plans.ratings
        self.stdout.write(f"{name}: {texts} texts with two ratings or more, {ratings} ratings")
        if scale_plans.undefined:
            self.stdout.write(f"  no plan: {scale_plans.undefined}")
            return
        if scale_plans.kappa is not None:
            interval = scale_plans.interval
            bounds = f", {interval.low:.3f} to {interval.high:.3f}" if isinstance(interval, ConfidenceInterval) else ""
            self.stdout.write(f"  so far: kappa {scale_plans.kappa:.3f}{bounds}")
        if scale_plans.model:
            for part, share in (("sources", scale_plans.model.source), ("raters", scale_plans.model.rater)):
                if isinstance(share, Undefined):
                    self.stdout.write(f"  differences of {part} unknown, assumed none: {share.reason}")
        has_cost = scale_plans.plans[0].cost is not None
        cost = f"  {'cost':>11}" if has_cost else ""
        self.stdout.write(
            f"  {'per text':>8} {'texts':>8} {'ratings':>9} {'raters':>7}{cost}  {'mean':>16}  {'kappa':>16}"
        )
        for each in scale_plans.plans:
            self.stdout.write(_line(each))


def _price(text: str) -> Decimal | None:
    if not text:
        return None
    try:
        price = Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"{text!r} is no price.") from error
    if not price.is_finite() or not 0 <= price <= MAX_PRICE:
        raise ValueError(f"A price is from 0 to {MAX_PRICE:,}.")
    return price


def _line(each: PricedPlan) -> str:
    plan = each.plan
    cost = "" if each.cost is None else f"  {each.cost:11,.2f}"
    raters = plan.raters or "unknown"
    head = f"  {plan.ratings_per_item:8} {plan.items:8} {plan.ratings:9} {raters:>7}{cost}"
    return f"{head}  {_estimate(plan.mean):>16}  {_estimate(plan.kappa):>16}"


def _estimate(predicted: Prediction | Undefined) -> str:
    if isinstance(predicted, Undefined):
        return "undefined"
    return f"{predicted.value:.3f} ± {predicted.reach:.3f}"
