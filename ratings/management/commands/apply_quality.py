"""Apply the worker filter to a campaign, or preview it."""

from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.console import TABLE, TEXT, add_format, csv_or_json, form_of, print_sections
from common.errors import Refused
from crowd.commands import campaign_named
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.jobs import describe
from ratings.preview_tables import COLUMNS, preview_rows, preview_sections, why_nobody
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

NO_RATINGS = "Nobody was assessed: the campaign has no ratings that count yet."


class Command(BaseCommand):
    help = "Apply the worker filter: decide which editors and raters releases leave out. Nothing is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        rule = parser.add_argument_group(
            "rule", "default: as in the campaign's rule, else as in its active run, else as in the paper"
        )
        rule.add_argument(
            "--share", type=float, help="share of the participants to exclude, such as 0.1 (default: the rule's)"
        )
        rule.add_argument(
            "--min-items", type=int, help="participants with fewer texts are not assessed (default: the rule's)"
        )
        rule.add_argument(
            "--first", choices=sorted(ORDERS), help="the role that is assessed first (default: the rule's)"
        )
        rule.add_argument(
            "--rater-quality",
            choices=sorted(QUALITIES),
            help="how the quality of raters is measured (default: the rule's)",
        )
        rule.add_argument("--roles", choices=sorted(ROLES), help="the roles that are assessed (default: the rule's)")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done (default: do it)")
        add_format(parser, TEXT)
        parser.add_argument(
            "--all", action="store_true", help="in the table of a dry run: everyone (default: who would be excluded)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        try:
            parameters = _parameters(rule_to_begin_with(campaign), options)
            if options["dry_run"]:
                self._preview(campaign, parameters, options)
                return
            run = quality_apply(campaign=campaign, parameters=parameters)
        except (ValueError, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(describe(run))
        if not run.summary["ratings"]:
            self.stderr.write(NO_RATINGS)

    def _preview(self, campaign: Campaign, parameters: FilterParameters, options: dict[str, Any]) -> None:
        preview, form = filter_preview(campaign, parameters), form_of(self, options, TEXT)
        if form == TEXT:
            self._print_preview(preview)
            self._say_why(preview)
        elif form == TABLE:
            more = "" if options["all"] else "Everyone: --all. "
            end = f"{more}Everyone, with all digits: --format csv or --format json."
            sections = preview_sections(preview, parameters, is_all=options["all"])
            print_sections(self, sections, options, end)
        else:
            text = csv_or_json(form, COLUMNS, preview_rows(preview), campaign=campaign.slug, share=parameters.share)
            self.stdout.write(text, ending="")

    def _say_why(self, preview: FilterPreview) -> None:
        for reason in why_nobody(preview):
            self.stderr.write(reason)

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
