"""The rows of Table 4 (Toutanova et al. 2016, §3.2) for a release, and Krippendorff's alpha beside them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from corpus.content import ReleasedSource
from corpus.selectors import rating_matrix
from crowd.services.jobs import Progress
from measures.alpha import AlphaResult, krippendorff_alpha
from measures.arrays import FloatArray
from measures.bootstrap import Interval
from measures.kappa import Undefined, Weights
from measures.pairs import PairAgreement, Rounding, simulated_pair_agreement
from ratings.scales import SCALES, VALUES

LEVELS = ("nominal", "ordinal", "interval")
NO_EXPERTS = Undefined("no expert has rated texts of this release")


@dataclass(frozen=True)
class ReportParameters:
    """What the paper leaves open, and its own numbers, as defaults."""

    draws: int = 1000
    seed: int = 2016
    rounding: Rounding = Rounding.HALF_UP
    weights: Weights = "quadratic"
    alpha_replications: int = 1000

    def __post_init__(self) -> None:
        if self.draws < 1 or self.alpha_replications < 1:
            raise ValueError("draws and alpha_replications must be at least 1")
        if self.seed < 0:
            raise ValueError("seed must not be negative")
        if not isinstance(self.rounding, Rounding):  # a plain string would be taken for the other rule
            raise ValueError(f"rounding must be a Rounding, not {self.rounding!r}")


@dataclass(frozen=True)
class ReportRow:
    """One number of the report, with its interval; or, where it has no value, the reason."""

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


def agreement_rows(
    sources: list[ReleasedSource], parameters: ReportParameters, progress: Progress
) -> list[dict[str, object]]:
    """Compute all rows, both scales."""
    rows: list[ReportRow] = []
    steps: list[Callable[[FloatArray, str, ReportParameters], list[ReportRow]]] = [
        _worker_worker,
        _with_experts,
        _alphas,
    ]
    for number, scale in enumerate(SCALES):
        matrix = rating_matrix(sources, scale.key)
        for step_number, step in enumerate(steps, start=1):
            rows += step(matrix, scale.key, parameters)
            progress(number * len(steps) + step_number, len(SCALES) * len(steps))
    return [asdict(row) for row in rows]


def _worker_worker(matrix: FloatArray, scale: str, parameters: ReportParameters) -> list[ReportRow]:
    result = simulated_pair_agreement(
        matrix,
        categories=VALUES,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=parameters.rounding,
        weights=parameters.weights,
    )
    name = "worker versus worker"
    if isinstance(result, Undefined):
        return _undefined(scale, name, result)
    return [
        _row(scale, name, "agreement", result.agreement, result),
        _row(scale, name, "kappa", result.kappa, result),
    ]


def _row(scale: str, name: str, measure: str, interval: Interval, result: PairAgreement) -> ReportRow:
    return ReportRow(
        scale,
        name,
        measure,
        interval.mean,
        interval.variance,
        interval.low,
        interval.high,
        result.items,
        result.draws - result.undefined_draws,
    )


def _with_experts(_matrix: FloatArray, scale: str, _parameters: ReportParameters) -> list[ReportRow]:
    return [
        row for name in ("expert versus expert", "expert versus worker") for row in _undefined(scale, name, NO_EXPERTS)
    ]


def _undefined(scale: str, name: str, result: Undefined) -> list[ReportRow]:
    return [ReportRow(scale, name, measure, undefined=result.reason) for measure in ("agreement", "kappa")]


def _alphas(matrix: FloatArray, scale: str, parameters: ReportParameters) -> list[ReportRow]:
    return [_alpha(matrix, scale, level, parameters) for level in LEVELS]


def _alpha(matrix: FloatArray, scale: str, level: str, parameters: ReportParameters) -> ReportRow:
    result: AlphaResult | Undefined = krippendorff_alpha(
        matrix,
        level=level,  # type: ignore[arg-type]  # one of LEVELS
        categories=VALUES,
        replications=parameters.alpha_replications,
        seed=parameters.seed,
    )
    name = f"Krippendorff's alpha ({level})"
    if isinstance(result, Undefined):
        return ReportRow(scale, "all raters", name, undefined=result.reason)
    interval = result.interval
    return ReportRow(
        scale,
        "all raters",
        name,
        result.alpha,
        interval.variance,
        interval.low,
        interval.high,
        result.items,
        result.replications - result.undefined_replications,
    )
