"""The numbers of a report, each with its interval or with the reason why it has none."""

from dataclasses import dataclass, replace

from measures.agreement.bootstrap import BootstrapAgreement
from measures.agreement.gwet import GwetResult
from measures.agreement.krippendorff import AlphaResult
from measures.agreement.simulated_pairs import PairAgreement
from measures.core.intervals import Interval
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class ReportRow:
    """One number; `group` says of which part of the release, or of whom, where it is not of all."""

    scale: str
    comparison: str
    measure: str
    value: float | None = None
    variance: float | None = None
    low: float | None = None
    high: float | None = None
    items: int | None = None
    draws: int | None = None
    undefined: str = ""
    group: str = ""

    def of(self, group: str) -> "ReportRow":
        return replace(self, group=group)


def pair_rows(scale: str, comparison: str, result: PairAgreement | Undefined) -> list[ReportRow]:
    """Means of the draws, agreement and kappa."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    drawn = result.draws - result.undefined_draws
    return [
        _row(scale, comparison, "agreement", result.agreement.mean, result.agreement, result.items, drawn),
        _row(scale, comparison, "kappa", result.kappa.mean, result.kappa, result.items, drawn),
    ]


def bootstrap_rows(scale: str, comparison: str, result: BootstrapAgreement | Undefined) -> list[ReportRow]:
    """The values of the release, with intervals of the replications."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    drawn = result.replications - result.undefined_replications
    return [
        _row(scale, comparison, "agreement", result.agreement, result.agreement_interval, result.items, drawn),
        _row(scale, comparison, "kappa", result.kappa, result.kappa_interval, result.items, drawn),
    ]


def alpha_row(scale: str, judges: str, measure: str, result: AlphaResult | Undefined) -> ReportRow:
    if isinstance(result, Undefined):
        return ReportRow(scale, judges, measure, undefined=result.reason)
    drawn = result.replications - result.undefined_replications
    return _row(scale, judges, measure, result.alpha, result.interval, result.items, drawn)


def gwet_rows(
    scale: str, judges: str, coefficient: str, agreement: str, result: GwetResult | Undefined
) -> list[ReportRow]:
    if isinstance(result, Undefined):
        return [ReportRow(scale, judges, name, undefined=result.reason) for name in (agreement, coefficient)]
    items, drawn = result.items, result.replications
    row = _row(scale, judges, agreement, result.agreement, result.agreement_interval, items, drawn)
    value, interval = result.coefficient, result.coefficient_interval
    if isinstance(value, Undefined) or interval is None:
        reason = value.reason if isinstance(value, Undefined) else ""
        return [row, ReportRow(scale, judges, coefficient, undefined=reason)]
    return [row, _row(scale, judges, coefficient, value, interval, items, drawn - result.undefined_replications)]


def plain_rows(
    scale: str, comparison: str, agreement: float | None, kappa: float | Undefined, items: int
) -> list[ReportRow]:
    """Agreement and kappa that nothing was drawn for."""
    value, reason = (None, kappa.reason) if isinstance(kappa, Undefined) else (kappa, "")
    return [
        ReportRow(scale, comparison, "agreement", agreement, items=items),
        ReportRow(scale, comparison, "kappa", value, items=items, undefined=reason),
    ]


def undefined_rows(scale: str, comparison: str, result: Undefined) -> list[ReportRow]:
    return [ReportRow(scale, comparison, measure, undefined=result.reason) for measure in ("agreement", "kappa")]


def _row(
    scale: str, comparison: str, measure: str, value: float, interval: Interval, items: int, draws: int
) -> ReportRow:
    return ReportRow(scale, comparison, measure, value, interval.variance, interval.low, interval.high, items, draws)
