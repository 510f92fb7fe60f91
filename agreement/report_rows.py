"""The rows of a report: each number with its interval, or the reason why it is undefined."""

from dataclasses import dataclass, replace

from measures.agreement.bootstrap import BootstrapAgreement
from measures.agreement.gwet import GwetResult
from measures.agreement.krippendorff import AlphaResult
from measures.agreement.simulated_pairs import PairAgreement
from measures.core.intervals import Interval
from measures.core.undefined import Undefined


@dataclass(frozen=True)
class ReportRow:
    """One number; `group` names the part of the release or the person, and is empty for the whole release."""

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
    """Return agreement and kappa as means over the draws."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    draws = result.draws - result.undefined_draws
    return [
        _row(scale, comparison, "agreement", result.agreement.mean, result.agreement, result.items, draws),
        _row(scale, comparison, "kappa", result.kappa.mean, result.kappa, result.items, draws),
    ]


def bootstrap_rows(scale: str, comparison: str, result: BootstrapAgreement | Undefined) -> list[ReportRow]:
    """Return the observed agreement and kappa with bootstrap intervals."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    draws = result.replications - result.undefined_replications
    return [
        _row(scale, comparison, "agreement", result.agreement, result.agreement_interval, result.items, draws),
        _row(scale, comparison, "kappa", result.kappa, result.kappa_interval, result.items, draws),
    ]


def alpha_row(scale: str, raters: str, measure: str, result: AlphaResult | Undefined) -> ReportRow:
    if isinstance(result, Undefined):
        return ReportRow(scale, raters, measure, undefined=result.reason)
    draws = result.replications - result.undefined_replications
    return _row(scale, raters, measure, result.alpha, result.interval, result.items, draws)


def gwet_rows(
    scale: str, raters: str, coefficient: str, agreement: str, result: GwetResult | Undefined
) -> list[ReportRow]:
    """Return the agreement and the coefficient; `coefficient` and `agreement` are their names."""
    if isinstance(result, Undefined):
        return [ReportRow(scale, raters, name, undefined=result.reason) for name in (agreement, coefficient)]
    items, draws = result.items, result.replications
    row = _row(scale, raters, agreement, result.agreement, result.agreement_interval, items, draws)
    value, interval = result.coefficient, result.coefficient_interval
    if isinstance(value, Undefined) or interval is None:
        reason = value.reason if isinstance(value, Undefined) else ""
        return [row, ReportRow(scale, raters, coefficient, undefined=reason)]
    return [row, _row(scale, raters, coefficient, value, interval, items, draws - result.undefined_replications)]


def plain_rows(
    scale: str, comparison: str, agreement: float | None, kappa: float | Undefined, items: int
) -> list[ReportRow]:
    """Return agreement and kappa without intervals."""
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
