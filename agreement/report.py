"""The rows of Table 4 (Toutanova et al. 2016, §3.2) for a release, and Krippendorff's alpha beside them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from corpus.content import ReleasedSource
from corpus.matrices import crowd_ratings, expert_ratings, rating_matrix
from crowd.scales import Scale
from crowd.services.jobs import Progress
from measures.alpha import AlphaResult, krippendorff_alpha
from measures.arrays import FloatArray
from measures.bootstrap import Interval, bootstrap_agreement
from measures.kappa import Undefined, Weights
from measures.pairs import PairAgreement, Rounding, rounded_means, simulated_pair_agreement

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
    replications: int = 25_000

    def __post_init__(self) -> None:
        if min(self.draws, self.alpha_replications, self.replications) < 1:
            raise ValueError("draws and replications must be at least 1")
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


@dataclass(frozen=True, eq=False)
class _Question:
    """One scale: what the crowd and what experts said of the same things, by rows."""

    scale: Scale
    crowd: FloatArray
    experts: FloatArray
    parameters: ReportParameters


def agreement_rows(
    sources: list[ReleasedSource], scales: tuple[Scale, ...], parameters: ReportParameters, progress: Progress
) -> list[dict[str, object]]:
    """Compute all rows of all scales."""
    rows: list[ReportRow] = []
    of_crowd, of_experts = list(crowd_ratings(sources)), list(expert_ratings(sources))
    steps: list[Callable[[_Question], list[ReportRow]]] = [_worker_worker, _with_experts, _alphas]
    for number, scale in enumerate(scales):
        crowd, experts = rating_matrix(of_crowd, scale.key), rating_matrix(of_experts, scale.key)
        question = _Question(scale, crowd, experts, parameters)
        for step_number, step in enumerate(steps, start=1):
            rows += step(question)
            progress(number * len(steps) + step_number, len(scales) * len(steps))
    return [asdict(row) for row in rows]


def _worker_worker(question: _Question) -> list[ReportRow]:
    scale, parameters = question.scale, question.parameters
    result = simulated_pair_agreement(
        question.crowd,
        categories=scale.values,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=parameters.rounding,
        weights=parameters.weights,
    )
    name = "worker versus worker"
    if isinstance(result, Undefined):
        return _undefined(scale.key, name, result)
    return [
        _row(scale.key, name, "agreement", result.agreement, result),
        _row(scale.key, name, "kappa", result.kappa, result),
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


def _with_experts(question: _Question) -> list[ReportRow]:
    if np.isnan(question.experts).all():
        names = ("expert versus expert", "expert versus worker")
        return [row for name in names for row in _undefined(question.scale.key, name, NO_EXPERTS)]
    first, second = _two_experts(question.experts)
    rounding = question.parameters.rounding
    crowd, experts = rounded_means(question.crowd, rounding), rounded_means(question.experts, rounding)
    return [
        *_bootstrapped(question, "expert versus expert", first, second),
        *_bootstrapped(question, "expert versus worker", experts, crowd),
    ]


def _two_experts(experts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of each thing the points of the first two experts who judged it, in the order of their names."""
    order = np.argsort(np.isnan(experts), axis=1, kind="stable")[:, :2]
    two = np.take_along_axis(experts, order, axis=1)
    return two[:, 0], two[:, 1] if two.shape[1] > 1 else np.full(len(two), np.nan)


def _bootstrapped(question: _Question, name: str, a: FloatArray, b: FloatArray) -> list[ReportRow]:
    """Agreement of two columns where both have a value."""
    both = ~np.isnan(a) & ~np.isnan(b)
    scale, parameters = question.scale, question.parameters
    result = bootstrap_agreement(
        a[both],
        b[both],
        categories=scale.values,
        replications=parameters.replications,
        seed=parameters.seed,
        weights=parameters.weights,
    )
    if isinstance(result, Undefined):
        return _undefined(scale.key, name, result)
    defined = result.replications - result.undefined_replications
    return [
        ReportRow(scale.key, name, measure, value, each.variance, each.low, each.high, result.items, defined)
        for measure, value, each in (
            ("agreement", result.agreement, result.agreement_interval),
            ("kappa", result.kappa, result.kappa_interval),
        )
    ]


def _undefined(scale: str, name: str, result: Undefined) -> list[ReportRow]:
    return [ReportRow(scale, name, measure, undefined=result.reason) for measure in ("agreement", "kappa")]


def _alphas(question: _Question) -> list[ReportRow]:
    return [_alpha(question, level) for level in LEVELS]


def _alpha(question: _Question, level: str) -> ReportRow:
    scale, parameters = question.scale, question.parameters
    result: AlphaResult | Undefined = krippendorff_alpha(
        question.crowd,
        level=level,  # type: ignore[arg-type]  # one of LEVELS
        categories=scale.values,
        replications=parameters.alpha_replications,
        seed=parameters.seed,
    )
    name = f"Krippendorff's alpha ({level})"
    if isinstance(result, Undefined):
        return ReportRow(scale.key, "all raters", name, undefined=result.reason)
    interval = result.interval
    return ReportRow(
        scale.key,
        "all raters",
        name,
        result.alpha,
        interval.variance,
        interval.low,
        interval.high,
        result.items,
        result.replications - result.undefined_replications,
    )
