"""Reading agreement results."""

from dataclasses import dataclass
from typing import Any

from agreement.models import AgreementResult
from corpus.models import Release
from crowd.models import Campaign

COMPARISONS = ("worker versus worker", "expert versus expert", "expert versus worker")


def latest_agreement(campaign: Campaign) -> AgreementResult | None:
    """The newest finished report of the newest release that has one."""
    return (
        AgreementResult.objects.filter(release__campaign=campaign, rows__isnull=False)
        .select_related("release__campaign")
        .order_by("-release__version", "-pk")
        .first()
    )


def agreement_of_release(release: Release) -> AgreementResult | None:
    """The report asked for last."""
    results = AgreementResult.objects.filter(release=release).select_related("release__campaign", "job")
    return results.order_by("-pk").first()


@dataclass(frozen=True)
class TableLine:
    """A comparison with agreement and kappa for each scale: cells in the order of the paper's Table 4."""

    comparison: str
    cells: list[dict[str, Any]]


def table_lines(result: AgreementResult) -> list[TableLine]:
    """The comparisons, each with the scales in the campaign's order."""
    scales = [scale.key for scale in result.release.campaign.rating_scales]
    by_key = {(row["comparison"], row["scale"], row["measure"]): row for row in result.rows or []}
    return [
        TableLine(name, [by_key[name, scale, measure] for scale in scales for measure in ("agreement", "kappa")])
        for name in COMPARISONS
        if (name, scales[0], "kappa") in by_key
    ]


def alpha_rows(result: AgreementResult) -> list[dict[str, Any]]:
    return [row for row in result.rows or [] if row["comparison"] not in COMPARISONS]
