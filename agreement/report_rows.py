"""The rows of a report: each number with its interval, or the reason why it is undefined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from measures.agreement.bootstrap import BootstrapAgreement
from measures.agreement.gwet import GwetResult
from measures.agreement.intraclass import IntraclassResult, ratings_needed
from measures.agreement.krippendorff import AlphaResult
from measures.agreement.simulated_pairs import PairAgreement
from measures.agreement.table_intervals import AgreementIntervals
from measures.core.confidence import ConfidenceInterval, degrees_of_freedom, detectable_effect
from measures.core.intervals import Interval
from measures.core.undefined import Undefined

DETECTABLE = "kappa of raters told from 0 with 80%"
NOT_EVEN_ONE = "not even a kappa of 1 would be told from 0 with 80%"

# With fewer, a coefficient and its interval say little: the page marks them, and none is to be cited.
FEW_TEXTS = 20
# Draws that are all the same can differ in their last bits.
_ROUNDING_ERROR = 1e-15


@dataclass(frozen=True)
class ReportRow:
    """One number; `group` names the part of the release or the person, and is empty for the whole release.

    `low` to `high` is the 95% interval over `sources` and, unless that is 0, `raters`; `no_interval` says why there is
    none. `variance`, `paper_low` and `paper_high` are what the paper's way of drawing shows, over `draws` draws.
    """

    scale: str
    comparison: str
    measure: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    sources: int | None = None
    raters: int | None = None
    no_interval: str = ""
    items: int | None = None
    variance: float | None = None
    paper_low: float | None = None
    paper_high: float | None = None
    draws: int | None = None
    undefined: str = ""
    group: str = ""

    def of(self, group: str) -> "ReportRow":
        return replace(self, group=group)

    def with_interval(self, interval: ConfidenceInterval | Undefined) -> "ReportRow":
        if isinstance(interval, Undefined):
            return replace(self, no_interval=interval.reason)
        return replace(
            self,
            low=interval.low,
            high=interval.high,
            standard_error=interval.standard_error,
            sources=interval.sources,
            raters=interval.raters,
        )

    def drawn(self, variance: float, paper: Interval | Undefined | None, draws: int) -> "ReportRow":
        low, high = (paper.low, paper.high) if isinstance(paper, Interval) else (None, None)
        seen = variance if variance > _ROUNDING_ERROR else 0.0
        return replace(self, variance=seen, paper_low=low, paper_high=high, draws=draws)


def pair_rows(
    scale: str,
    comparison: str,
    result: PairAgreement | Undefined,
    intervals: AgreementIntervals,
    paper: PairAgreement | Undefined | None = None,
) -> list[ReportRow]:
    """Return agreement and kappa as means over the draws; `paper` has draws of the compressions, too."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    of_paper = paper if isinstance(paper, PairAgreement) else None
    defined = result.draws - result.undefined_draws
    row = ReportRow(scale, comparison, "agreement", result.agreement.mean, items=result.items)
    agreement = row.with_interval(intervals.agreement).drawn(
        result.agreement.variance, of_paper.agreement if of_paper else None, result.draws
    )
    if isinstance(result.kappa, Undefined):
        return [agreement, ReportRow(scale, comparison, "kappa", items=result.items, undefined=result.kappa.reason)]
    row = ReportRow(scale, comparison, "kappa", result.kappa.mean, items=result.items)
    return [
        agreement,
        row.with_interval(intervals.kappa).drawn(result.kappa.variance, of_paper.kappa if of_paper else None, defined),
    ]


def detectable_rows(rows: Sequence[ReportRow], judges: str) -> list[ReportRow]:
    """Return how large a kappa such ratings tell from 0 with 80%, for each kappa; undefined without an interval."""
    found: list[ReportRow] = []
    for row in rows:
        if row.measure != "kappa":
            continue
        about = ReportRow(row.scale, judges, DETECTABLE, items=row.items)
        if row.standard_error is None or row.sources is None:
            found.append(replace(about, undefined=row.undefined or row.no_interval))
        else:
            found.append(_detectable(about, row.standard_error, row.sources, row.raters))
    return found


def _detectable(row: ReportRow, standard_error: float, sources: int, raters: int | None) -> ReportRow:
    kappa = detectable_effect(standard_error, degrees_of_freedom(sources, raters or 0))
    return replace(row, value=kappa) if kappa <= 1 else replace(row, undefined=NOT_EVEN_ONE)


def bootstrap_rows(
    scale: str, comparison: str, result: BootstrapAgreement | Undefined, intervals: AgreementIntervals
) -> list[ReportRow]:
    """Return the observed agreement and kappa, with the paper's bootstrap over compressions beside our intervals."""
    if isinstance(result, Undefined):
        return undefined_rows(scale, comparison, result)
    paper, defined = result.agreement_interval, result.replications - result.undefined_replications
    row = ReportRow(scale, comparison, "agreement", result.agreement, items=result.items)
    agreement = row.with_interval(intervals.agreement).drawn(paper.variance, paper, result.replications)
    if isinstance(result.kappa, Undefined):
        return [agreement, ReportRow(scale, comparison, "kappa", items=result.items, undefined=result.kappa.reason)]
    row = ReportRow(scale, comparison, "kappa", result.kappa, items=result.items).with_interval(intervals.kappa)
    of_kappa = result.kappa_interval
    return [agreement, row if isinstance(of_kappa, Undefined) else row.drawn(of_kappa.variance, of_kappa, defined)]


def alpha_row(scale: str, raters: str, measure: str, result: AlphaResult | Undefined) -> ReportRow:
    if isinstance(result, Undefined):
        return ReportRow(scale, raters, measure, undefined=result.reason)
    return ReportRow(scale, raters, measure, result.alpha, items=result.items).with_interval(result.interval)


def intraclass_rows(
    scale: str, raters: str, names: tuple[str, str, str], result: IntraclassResult | Undefined, wanted: float
) -> list[ReportRow]:
    """Return the reliability of one rating, of the mean of a text's, and how many ratings make it as wanted."""
    if isinstance(result, Undefined):
        return [ReportRow(scale, raters, name, undefined=result.reason) for name in names]
    single, panel, number = (ReportRow(scale, raters, name, items=result.items) for name in names)
    needed = ratings_needed(result.single, wanted)
    return [
        replace(single, value=result.single).with_interval(result.single_interval),
        replace(panel, undefined=result.panel.reason)
        if isinstance(result.panel, Undefined)
        else replace(panel, value=result.panel).with_interval(result.panel_interval),
        replace(number, undefined=needed.reason) if isinstance(needed, Undefined) else replace(number, value=needed),
    ]


def gwet_rows(
    scale: str, raters: str, coefficient: str, agreement: str, result: GwetResult | Undefined
) -> list[ReportRow]:
    """Return the agreement and the coefficient; `coefficient` and `agreement` are their names."""
    if isinstance(result, Undefined):
        return [ReportRow(scale, raters, name, undefined=result.reason) for name in (agreement, coefficient)]
    row = ReportRow(scale, raters, agreement, result.agreement, items=result.items)
    rows = [row.with_interval(result.agreement_interval)]
    if isinstance(result.coefficient, Undefined):
        return [*rows, ReportRow(scale, raters, coefficient, undefined=result.coefficient.reason)]
    row = ReportRow(scale, raters, coefficient, result.coefficient, items=result.items)
    return [*rows, row.with_interval(result.coefficient_interval)]


def plain_rows(
    scale: str,
    comparison: str,
    agreement: float | None,
    kappa: float | Undefined,
    items: int,
    intervals: AgreementIntervals,
) -> list[ReportRow]:
    """Return agreement and kappa of a person, a pair of people or a period, over the sources."""
    row = ReportRow(scale, comparison, "agreement", agreement, items=items).with_interval(intervals.agreement)
    if isinstance(kappa, Undefined):
        return [row, ReportRow(scale, comparison, "kappa", items=items, undefined=kappa.reason)]
    of_kappa = ReportRow(scale, comparison, "kappa", kappa, items=items).with_interval(intervals.kappa)
    return [row, of_kappa]


def undefined_rows(scale: str, comparison: str, result: Undefined) -> list[ReportRow]:
    return [ReportRow(scale, comparison, measure, undefined=result.reason) for measure in ("agreement", "kappa")]
