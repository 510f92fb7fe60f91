"""Apply the worker filter to a campaign, or preview it."""

from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from crowd.commands import campaign_named
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.jobs import describe
from ratings.selectors.preview import FilteredWorker, FilterPreview, filter_preview
from ratings.selectors.quality import rule_to_begin_with
from ratings.services.quality import quality_apply

ORDERS = {"raters": Order.RATERS_FIRST, "editors": Order.EDITORS_FIRST}
QUALITIES = {
    "deviation": RaterQuality.DEVIATION,
    "gold": RaterQuality.GOLD,
    "dawid-skene": RaterQuality.DAWID_SKENE,
}
ROLES = {"both": Roles.BOTH, "raters": Roles.RATERS, "editors": Roles.EDITORS}


class Command(BaseCommand):
    help = "Apply the worker filter: decide which editors and raters releases leave out. Nothing is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        rule = parser.add_argument_group(
            "rule", "what is not given is as in the campaign's rule, else as in its active run, else the default"
        )
        rule.add_argument("--share", type=float, help="share of workers to remove, such as 0.1")
        rule.add_argument("--min-items", type=int, help="fewest items of a worker to be filtered")
        rule.add_argument("--first", choices=sorted(ORDERS), help="role to filter first")
        rule.add_argument("--rater-quality", choices=sorted(QUALITIES), help="quality measure of raters")
        rule.add_argument("--roles", choices=sorted(ROLES), help="roles to filter")
        parser.add_argument("--dry-run", action="store_true", help="only print what would be removed")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            parameters = _parameters(rule_to_begin_with(campaign), options)
            if options["dry_run"]:
                self._print_preview(filter_preview(campaign, parameters))
                return
            run = quality_apply(campaign=campaign, parameters=parameters)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(describe(run))

    def _print_preview(self, preview: FilterPreview) -> None:
        """Print the preview; nothing is stored."""
        for one in preview.shares:
            self.stdout.write(
                f"share {one.share:g}: {one.n_removed_raters} raters and {one.n_removed_editors} editors excluded; "
                f"{one.ratings_kept} of {preview.ratings} ratings and {one.texts_kept} of {preview.texts} texts kept."
            )
        for role in (preview.raters, preview.editors):
            for note in role.notes:
                self.stdout.write(f"{role.round.label}: {note}")
            for each in role.workers:
                if each.removed:
                    person = f"{role.round.label}, worker {each.worker.public_name}"
                    self.stdout.write(f"{person}: {each.reason}{_certainty(each)}")


def _parameters(rule: FilterParameters, options: dict[str, Any]) -> FilterParameters:
    """Return a rule with what was asked for instead."""
    asked = {
        "share": options["share"],
        "min_items": options["min_items"],
        "order": ORDERS.get(options["first"]),
        "rater_quality": QUALITIES.get(options["rater_quality"]),
        "roles": ROLES.get(options["roles"]),
    }
    return replace(rule, **{name: value for name, value in asked.items() if value is not None})


def _certainty(worker: FilteredWorker) -> str:
    """Return the standard error and the gap to the cut; nothing for those without a quality."""
    if worker.quality is None:
        return ""
    error = "unknown" if worker.standard_error is None else f"{worker.standard_error:.3f}"
    gap = "" if worker.gap is None else f", {worker.gap:+.3f} from the cut"
    in_errors = "" if worker.gap_in_errors is None else f" ({worker.gap_in_errors:+.1f} standard errors)"
    return f"; standard error {error}{gap}{in_errors}"
