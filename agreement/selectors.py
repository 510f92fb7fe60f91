"""Reading agreement results."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from agreement.models import AgreementResult
from agreement.sections.coefficients import ALL_EXPERTS, ALL_RATERS
from agreement.sections.paper_table import TABLE_FOUR, WORKERS
from common.clock import database_now
from common.models import Job
from corpus.models import Release
from crowd.models import Campaign


def latest_agreement(campaign: Campaign) -> AgreementResult | None:
    """The newest finished report of the newest release that has one."""
    return (
        AgreementResult.objects.filter(release__campaign=campaign, rows__isnull=False)
        .select_related("release__campaign")
        .order_by("-release__version", "-pk")
        .first()
    )


def agreement_of_release(release: Release, question: str) -> AgreementResult | None:
    """The report with a digest that begins so."""
    return reports_of_release(release).filter(digest__startswith=question).first()


def latest_report(release: Release) -> AgreementResult | None:
    """The report asked for last: not one that a command left without an answer, if there is another."""
    questions = reports_of_release(release)
    return questions.exclude(rows__isnull=True, job=None).first() or questions.first()


def reports_of_release(release: Release) -> QuerySet[AgreementResult]:
    """All reports that were asked for, the newest first."""
    results = AgreementResult.objects.filter(release=release).select_related("release__campaign", "job")
    return results.order_by("-pk")


def reports_without_rows(release: Release) -> QuerySet[AgreementResult]:
    """The same, without their numbers."""
    return reports_of_release(release).defer("rows", "figures")


def running_job(result: AgreementResult) -> Job | None:
    """The job that is computing it at this moment."""
    running = Job.objects.filter(state=Job.State.RUNNING, lease_ends_at__gt=database_now())
    return running.filter(agreement_result=result).first()


@dataclass(frozen=True)
class TableLine:
    """A comparison with agreement and kappa for each scale: cells in the order of the paper's Table 4."""

    comparison: str
    cells: list[dict[str, Any]]


def table_lines(result: AgreementResult, comparisons: Iterable[str] = TABLE_FOUR) -> list[TableLine]:
    """The comparisons, each with the scales in the campaign's order."""
    scales = [scale.key for scale in result.release.campaign.rating_scales]
    by_key = {(row["comparison"], row["scale"], row["measure"]): row for row in result.rows or []}
    return [
        TableLine(name, [by_key[name, scale, measure] for scale in scales for measure in ("agreement", "kappa")])
        for name in comparisons
        if (name, scales[0], "kappa") in by_key
    ]


def spread_lines(result: AgreementResult) -> list[TableLine]:
    """The first row again, with the items drawn too and with the other rounding."""
    names = dict.fromkeys(row["comparison"] for row in result.rows or [])
    return table_lines(result, [name for name in names if name.startswith(f"{WORKERS},")])


@dataclass(frozen=True)
class Shortened:
    """The lines with most items, in their order, and how many there are in all."""

    lines: list[TableLine]
    number: int

    @classmethod
    def of(cls, lines: list[TableLine], most: int) -> "Shortened":
        by_items = sorted(range(len(lines)), key=lambda place: -lines[place].cells[0]["items"])
        return cls([lines[place] for place in sorted(by_items[:most])], len(lines))


def group_lines(result: AgreementResult, comparison: str) -> list[TableLine]:
    """A line for each part, or each person, with the scales in the campaign's order."""
    scales = [scale.key for scale in result.release.campaign.rating_scales]
    rows = rows_of(result, comparison)
    by_key = {(row["group"], row["scale"], row["measure"]): row for row in rows}
    return [
        TableLine(group, [by_key[group, scale, measure] for scale in scales for measure in ("agreement", "kappa")])
        for group in dict.fromkeys(row["group"] for row in rows)
        if all((group, scale, "kappa") in by_key for scale in scales)
    ]


@dataclass(frozen=True)
class CoefficientLine:
    """A coefficient of all judges of a round: a cell for each scale."""

    judges: str
    measure: str
    cells: list[dict[str, Any]]


def coefficient_lines(result: AgreementResult) -> list[CoefficientLine]:
    """Round by round, with the scales in the campaign's order; a round of no ratings on a scale is left out."""
    scales = [scale.key for scale in result.release.campaign.rating_scales]
    rows = [*rows_of(result, ALL_RATERS), *rows_of(result, ALL_EXPERTS)]
    by_key = {(row["comparison"], row["measure"], row["scale"]): row for row in rows}
    return [
        CoefficientLine(judges, measure, [by_key[judges, measure, scale] for scale in scales])
        for judges, measure in dict.fromkeys((row["comparison"], row["measure"]) for row in rows)
    ]


def rows_of(result: AgreementResult, comparison: str) -> list[dict[str, Any]]:
    return [row for row in result.rows or [] if row["comparison"] == comparison]
