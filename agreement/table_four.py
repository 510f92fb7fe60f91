"""The rows of Table 4 (Toutanova et al. 2016, §3.2), and what the paper's choices do to the first of them."""

import numpy as np

from agreement.question import Question
from agreement.rows import ReportRow, bootstrap_rows, pair_rows, undefined_rows
from measures.arrays import FloatArray
from measures.bootstrap import BootstrapAgreement, bootstrap_agreement
from measures.pairs import PairAgreement, simulated_pair_agreement
from measures.rounding import Rounding, rounded_means
from measures.undefined import Undefined

WORKERS = "worker versus worker"
ITEMS_DRAWN = "worker versus worker, items drawn too"
FIRST_RATINGS = "worker versus worker, first three ratings"
OTHER_ROUNDING = "worker versus worker, rounded {}"
EXPERTS, EXPERTS_WORKERS = "expert versus expert", "expert versus worker"
FIRST = 3
TABLE_FOUR = (WORKERS, EXPERTS, EXPERTS_WORKERS)
NO_EXPERTS = Undefined("no expert has rated texts of this release")


def worker_rows(question: Question) -> list[ReportRow]:
    """As the paper has it; with the items drawn anew, too; and with halves rounded the other way."""
    scale, other = question.scale.key, question.parameters.other_rounding
    return [
        *pair_rows(scale, WORKERS, simulated(question)),
        *pair_rows(scale, ITEMS_DRAWN, simulated(question, resample_items=True)),
        *pair_rows(scale, OTHER_ROUNDING.format(other.value), simulated(question, rounding=other)),
        *_first_ratings(question),
    ]


def _first_ratings(question: Question) -> list[ReportRow]:
    """Where some texts have more ratings than others: because their first ones differed, agreement is overstated."""
    counts = np.count_nonzero(~np.isnan(question.crowd), axis=1)
    if not ((counts > FIRST).any() and (counts == FIRST).any()):
        return []
    first = np.where(question.order < FIRST, question.crowd, np.nan)
    return pair_rows(question.scale.key, FIRST_RATINGS, simulated(question, rows=first))


def simulated(
    question: Question,
    *,
    rows: FloatArray | None = None,
    resample_items: bool = False,
    rounding: Rounding | None = None,
) -> PairAgreement | Undefined:
    """A rater of each thing against the others, of all things or of some rows."""
    parameters = question.parameters
    return simulated_pair_agreement(
        question.crowd if rows is None else rows,
        categories=question.scale.values,
        draws=parameters.draws,
        seed=parameters.seed,
        rounding=rounding or parameters.rounding,
        weights=parameters.weights,
        resample_items=resample_items,
    )


def expert_rows(question: Question) -> list[ReportRow]:
    scale = question.scale.key
    if np.isnan(question.experts).all():
        return [row for name in (EXPERTS, EXPERTS_WORKERS) for row in undefined_rows(scale, name, NO_EXPERTS)]
    rounding = question.parameters.rounding
    crowd, experts = rounded_means(question.crowd, rounding), rounded_means(question.experts, rounding)
    return [
        *bootstrap_rows(scale, EXPERTS, _bootstrapped(question, *_two_experts(question.experts))),
        *bootstrap_rows(scale, EXPERTS_WORKERS, _bootstrapped(question, experts, crowd)),
    ]


def _two_experts(experts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of each thing the points of the first two experts who judged it, in the order of their names."""
    order = np.argsort(np.isnan(experts), axis=1, kind="stable")[:, :2]
    two = np.take_along_axis(experts, order, axis=1)
    return two[:, 0], two[:, 1] if two.shape[1] > 1 else np.full(len(two), np.nan)


def _bootstrapped(question: Question, a: FloatArray, b: FloatArray) -> BootstrapAgreement | Undefined:
    """Agreement of two columns where both have a value."""
    both = ~np.isnan(a) & ~np.isnan(b)
    parameters = question.parameters
    return bootstrap_agreement(
        a[both],
        b[both],
        categories=question.scale.values,
        replications=parameters.replications,
        seed=parameters.seed,
        weights=parameters.weights,
    )
