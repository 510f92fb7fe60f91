"""The analysis that staff fixed for a campaign, and whether they did so before the first answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.json_values import json_digest
from crowd.models import Campaign
from crowd.models.people import IMPORTED
from crowd.selectors.settings_versions import standing_since
from crowd.services.campaigns import campaign_update
from protocols.models import Response
from ratings.selectors.rating_counts import ratings_before
from reports.kinds import ReportKind
from reports.parameters import ReportParameters
from reports.selectors import latest_report


@dataclass(frozen=True)
class Plan:
    """An analysis as it was fixed: since when it has stood in the settings, and the answers that there were by then.

    Of answers of files nobody knows when they were given, so they are counted whenever they came in.
    `checksum` is the SHA-256 of `analysis` as JSON with sorted keys: the kind of report, its version and parameters,
    the settings of a task with material of its own, and who is left out. `answers_before` is None where it is not known
    when all were given.
    """

    analysis: Mapping[str, Any]
    settings_version: int
    fixed_at: str
    checksum: str
    answers_before: int | None
    answers_of_files: int = 0

    @classmethod
    def of(cls, pinned: Mapping[str, Any]) -> Self | None:
        """Return the plan that a report stands on."""
        found = pinned.get("plan")
        return cls(**found) if found else None


def analysis_of(campaign: Campaign, kind: ReportKind, parameters: ReportParameters) -> dict[str, Any]:
    """Return all that decides what a report will say, but for the answers, as JSON holds it.

    Whose answers they are is no part of it: a plan is for those of people.
    """
    chosen = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(parameters).items()}
    analysis = {
        "report": kind.key,
        "report_version": kind.version,
        "parameters": {name: value for name, value in chosen.items() if name != "whose"},
        "left_out": "people whom the release leaves out",
    }
    if not kind.is_on_campaign:
        return analysis
    left_out = "people who are excluded by hand or who withdrew"
    return analysis | {"task_settings": dict(campaign.task_settings), "left_out": left_out}


def analysis_to_fix(campaign: Campaign, kind: ReportKind) -> tuple[dict[str, Any], bool]:
    """Return the analysis of the newest report, and True; if there is none, the default one, and False."""
    newest = latest_report(campaign, kind)
    parameters = kind.parameters.of(newest.parameters) if newest else kind.parameters()
    return analysis_of(campaign, kind, parameters), newest is not None


def plan_fix(*, campaign: Campaign, analysis: Mapping[str, Any], user: User | None) -> None:
    """Fix an analysis: it stands in the settings from now on, with the time."""
    campaign_update(campaign=campaign, user=user, planned_analysis=dict(analysis))


def plan_of(campaign: Campaign) -> dict[str, Any] | None:
    """Return the plan of a campaign as a report keeps it; None if none was fixed."""
    analysis = campaign.planned_analysis
    if not analysis:
        return None
    first = standing_since(campaign, "planned_analysis")
    given = _answers_before(campaign, first.created_at)
    return asdict(Plan(analysis, first.number, first.created_at.isoformat(), json_digest(analysis), *given))


def _answers_before(campaign: Campaign, at: datetime) -> tuple[int | None, int]:
    """Return the answers that there were, None if that is not known, and those of files, of which it never is."""
    if not campaign.task.has_material:
        return ratings_before(campaign, at), 0
    given = Response.objects.filter(assignment__item__campaign=campaign, assignment__worker__is_test=False)
    of_files = Q(assignment__worker__platform_key=IMPORTED)
    return given.filter(~of_files, created_at__lt=at).count(), given.filter(of_files).count()


def plan_words(plan: Plan | None, analysis: Mapping[str, Any]) -> str:
    """Say how an analysis stands to what was fixed."""
    if plan is None:
        return _("No analysis was fixed beforehand: all of this is exploratory.")
    at = f"{plan.fixed_at[:16].replace('T', ' ')} UTC"
    if plan.answers_before is None:
        words = _(
            "An analysis was fixed on %(at)s. Whether that was before the first answer is not known: some answers were "
            "imported, or somebody’s data were erased."
        )
        return words % {"at": at}
    if plan.answers_before:
        words = ngettext(
            "An analysis was fixed on %(at)s, when there was %(n)s answer already: that is not beforehand.",
            "An analysis was fixed on %(at)s, when there were %(n)s answers already: that is not beforehand.",
            plan.answers_before,
        )
        return words % {"at": at, "n": f"{plan.answers_before:,}"}
    if plan.answers_of_files:
        words = ngettext(
            "An analysis was fixed on %(at)s. Whether that was before %(n)s answer that came in a file is not known.",
            "An analysis was fixed on %(at)s. Whether that was before %(n)s answers that came in files is not known.",
            plan.answers_of_files,
        )
        return words % {"at": at, "n": f"{plan.answers_of_files:,}"}
    differing = sorted(name for name in analysis if plan.analysis.get(name) != analysis[name])
    if differing:
        words = _("Another analysis was fixed on %(at)s, before the first answer. This one differs in: %(names)s.")
        return words % {"at": at, "names": ", ".join(differing).replace("_", " ")}
    return _("This analysis was fixed on %(at)s, before the first answer.") % {"at": at}
