"""The figures of a report on points, a row for each."""

from collections.abc import Iterator, Sequence
from itertools import chain

from measures.core.undefined import Undefined
from measures.experiments import AbsoluteModel, Coefficient, absolute_means, absolute_model
from protocols.absolute.settings import BASE, WITH, WITHOUT
from protocols.absolute.task import POINTS
from protocols.report_rows import About, ReportRow
from protocols.selectors import GivenAnswer

MEANS, AGREEMENT, PAIRS, MODEL = "means", "agreement", "pairs", "model"
MEAN, ALPHA, DIFFERENCE, P, P_HOLM = "mean", "Krippendorff's alpha, ordinal", "difference", "p", "p, Holm"
REFERENCE_EFFECT, REFERENCE_P = "without reference less with it", "p of the reference"
F, F_P, SD_ITEMS, SD_JUDGES, SD_REST = (
    *("F of all systems", "p of all systems", "sd of sources", "sd of people", "sd of the rest"),
)
MOST_SYSTEMS, MOST_SCORES = 12, 20_000
"""The model is fitted once for each system but one."""
TOO_MANY = Undefined(f"more than {MOST_SYSTEMS} systems or {MOST_SCORES:,} answers")


def absolute_rows(given: Sequence[GivenAnswer]) -> Iterator[ReportRow]:
    """Yield all rows: of each arm by itself, and the model of both."""
    for arm in (WITH, WITHOUT):
        if of_arm := [each for each in given if each.answer["arm"] == arm]:
            yield from _means(arm, of_arm)
    yield from _model(given)


def _means(arm: str, given: Sequence[GivenAnswer]) -> Iterator[ReportRow]:
    scores, systems, items = _columns(given)
    found = absolute_means(scores, systems, items, categories=POINTS)
    for system, mean in found.by_system.items():
        about, n = About(MEANS, arm, system), systems.count(system)
        if isinstance(mean, Undefined):
            yield about.row(MEAN, mean, n=n)
        else:
            yield about.row(MEAN, mean.value, mean.interval, n=n, sources=mean.items)
    alpha, about = found.alpha, About(AGREEMENT, arm, arm)
    if isinstance(alpha, Undefined):
        yield about.row(ALPHA, alpha, n=len(given))
    else:
        yield about.row(ALPHA, alpha.alpha, alpha.interval, n=alpha.items)


def _model(given: Sequence[GivenAnswer]) -> Iterator[ReportRow]:
    scores, systems, items = _columns(given)
    arms = [each.answer["arm"] for each in given]
    is_large = len(set(systems)) > MOST_SYSTEMS or len(given) > MOST_SCORES
    model: AbsoluteModel | Undefined = (
        TOO_MANY
        if is_large
        else absolute_model(
            scores, systems, items, [each.person for each in given], arms=arms, base_arm=BASE if BASE in arms else None
        )
    )
    about = About(MODEL, "", "")
    if isinstance(model, Undefined):
        yield about.row(REFERENCE_EFFECT, model)
        return
    yield from chain.from_iterable(
        _coefficient(About(PAIRS, each.first, each.second), DIFFERENCE, P, each.difference, model.items, each.holm_p)
        for each in model.contrasts
    )
    for effect in model.arms.values():
        yield from _coefficient(about, REFERENCE_EFFECT, REFERENCE_P, effect, model.items)
    if not isinstance(model.systems_together, Undefined):
        yield about.row(F, model.systems_together.f, sources=model.items)
        yield about.row(F_P, model.systems_together.p, sources=model.items)
    deviations = {SD_ITEMS: model.variances.source, SD_JUDGES: model.variances.editor, SD_REST: model.variances.error}
    for figure, variance in deviations.items():
        yield about.row(figure, variance**0.5, n=model.scores, sources=model.items)


def _coefficient(
    about: About, figure: str, p: str, found: Coefficient, items: int, holm_p: float | Undefined | None = None
) -> Iterator[ReportRow]:
    test = found.test
    if isinstance(test, Undefined):
        yield about.row(figure, found.value, test, sources=items)
        return
    yield ReportRow(about.table, about.part, about.group, figure, found.value, test.low, test.high, None, items)
    yield about.row(p, test.p, sources=items)
    if holm_p is not None:
        yield about.row(P_HOLM, holm_p, sources=items)


def _columns(given: Sequence[GivenAnswer]) -> tuple[list[int], list[str], list[str]]:
    return (
        [each.answer["score"] for each in given],
        [each.subject.system for each in given],
        [each.subject.name for each in given],
    )
