"""The conditions compared on the same people: tests of all at once, pairs, equivalence, the mixed model and power."""

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

from measures.core.undefined import Undefined
from measures.experiments import (
    FTest,
    QuizModel,
    TTest,
    condition_pairs,
    equivalence_tests,
    friedman,
    quiz_model,
    repeated_measures,
    smallest_paired_difference,
    type_by_condition,
)
from measures.experiments.normality import Normality
from measures.experiments.repeated_measures import ConditionTest, RepeatedMeasures
from protocols.quiz.parameters import NO_SUMMARY, QuizParameters
from protocols.quiz.report_rows import About, Ends, Row, Value
from protocols.quiz.scored import Scored, ScoredQuiz

TESTS, PAIRS, RANKED, EQUIVALENCE = "tests", "pairs", "pairs by ranks", "equivalence"
MODEL, TYPES, POWER = "mixed model", "types", "power"
NO_CONTROL = Undefined("there is no such condition")
NO_RESIDUAL = Undefined("there is no residual")
ALPHA = 0.05


def comparison_rows(scored: Scored, parameters: QuizParameters) -> Iterator[Row]:
    """Yield the rows of all these tables."""
    anova = repeated_measures(scored.table, draws=parameters.draws, seed=parameters.seed)
    yield from _anova_rows(anova)
    yield from _friedman_rows(scored, parameters)
    yield from _pair_rows(scored)
    yield from _equivalence_rows(scored, parameters)
    yield from _model_rows(scored, parameters)
    yield from _type_rows(scored)
    yield from _power_rows(anova)


def control_of(conditions: tuple[str, ...], parameters: QuizParameters) -> str:
    """Return the condition that the others are held against."""
    if parameters.control:
        return parameters.control[0]
    return NO_SUMMARY if NO_SUMMARY in conditions else conditions[0]


def _anova_rows(found: RepeatedMeasures | Undefined) -> Iterator[Row]:
    about = About(TESTS)
    if isinstance(found, Undefined):
        yield about.row("F, Greenhouse-Geisser", found)
        return
    tests: dict[str, ConditionTest | Undefined] = {
        "Greenhouse-Geisser": found.greenhouse_geisser,
        "Huynh-Feldt": found.huynh_feldt,
        "uncorrected": found.uncorrected,
    }
    for name, test in tests.items():
        if isinstance(test, Undefined):
            yield about.row(f"F, {name}", found.f, n=found.people, p=test)
            continue
        yield about.row(f"F, {name}", found.f, n=found.people, p=test.p)
        for figure, value in (("epsilon", test.epsilon), ("df 1", test.numerator_df), ("df 2", test.df)):
            yield about.row(f"{figure}, {name}", value)
    if isinstance(found.mauchly, Undefined):
        yield about.row("Mauchly W", found.mauchly)
    else:
        yield about.row("Mauchly W", found.mauchly.w, n=found.people, p=found.mauchly.p)
    for figure, effect in (("partial", found.partial_eta2), ("generalised", found.generalised_eta2)):
        yield about.row(f"{figure} eta squared", effect.value, effect.interval, n=found.people)
    yield from _normality_rows("residuals", found.residuals)
    yield from _normality_rows("scores", found.scores)


def _normality_rows(of: str, found: Normality | Undefined) -> Iterator[Row]:
    about = About(TESTS, group=of)
    if isinstance(found, Undefined):
        yield about.row("Shapiro-Wilk W", found)
        return
    yield about.row("Shapiro-Wilk W", found.w, p=found.p)
    yield about.row("skewness", found.skewness)
    yield about.row("skewness, z", found.skewness_z)
    yield about.row("excess kurtosis", found.kurtosis)
    yield about.row("excess kurtosis, z", found.kurtosis_z)


def _friedman_rows(scored: Scored, parameters: QuizParameters) -> Iterator[Row]:
    found, about = friedman(scored.table, shuffles=parameters.draws, seed=parameters.seed), About(TESTS)
    if isinstance(found, Undefined):
        yield about.row("Friedman chi squared", found)
        return
    yield about.row("Friedman chi squared", found.chi2, n=found.people, p=found.p)
    yield about.row("Friedman chi squared, permutation", found.chi2, n=found.people, p=found.permutation_p)
    yield about.row("Kendall W", found.kendall_w, n=found.people)
    conditions = scored.study.conditions
    for pair in found.pairs:
        about, conover = About(RANKED, conditions[pair.a], conditions[pair.b]), pair.conover
        p, by_holm = (conover, conover) if isinstance(conover, Undefined) else (conover.p, conover.holm)
        yield about.row("Conover", pair.difference, n=found.people, p=p, p_adjusted=by_holm)
        yield about.row("Nemenyi", pair.difference, n=found.people, p_adjusted=pair.nemenyi)


def _pair_rows(scored: Scored) -> Iterator[Row]:
    found, conditions = condition_pairs(scored.table), scored.study.conditions
    if isinstance(found, Undefined):
        yield About(PAIRS).row("difference", found)
        return
    for pair in found.pairs:
        about, test, n = About(PAIRS, conditions[pair.a], conditions[pair.b]), pair.test, found.people
        if isinstance(test, Undefined):
            yield about.row("difference", pair.difference, test, n=n)
            continue
        together = (test.simultaneous_low, test.simultaneous_high)
        yield about.row("difference", pair.difference, together, n=n, p=test.p, p_adjusted=test.holm)
        yield about.row("difference, alone", pair.difference, (test.low, test.high), n=n, p=test.p)
        yield about.row("t", test.t, n=n, p=test.p, p_adjusted=test.bonferroni)
        yield about.row("d_z", test.d_z, (test.d_z_low, test.d_z_high), n=n)
        yield about.row("g", test.g, n=n)


def _equivalence_rows(scored: Scored, parameters: QuizParameters) -> Iterator[Row]:
    conditions = scored.study.conditions
    control = control_of(conditions, parameters)
    if control not in conditions:
        yield About(EQUIVALENCE, control).row("difference", NO_CONTROL)
        return
    place = conditions.index(control)
    found = equivalence_tests(scored.table, control=place, bound=parameters.bound)
    others = [each for each in conditions if each != control]
    for condition, each in zip(others, [found] * len(others) if isinstance(found, Undefined) else found, strict=True):
        about = About(EQUIVALENCE, condition, control)
        if isinstance(each, Undefined):
            yield about.row("difference", each)
        else:
            yield about.row(
                "difference", each.difference, (each.low, each.high), n=each.df + 1, p=each.p, p_adjusted=each.holm
            )


def _model_rows(scored: Scored, parameters: QuizParameters) -> Iterator[Row]:
    control = control_of(scored.study.conditions, parameters)
    known = [quiz for quiz in scored.quizzes if not np.isnan(quiz.score)]
    if control not in {quiz.sitting.condition for quiz in known}:
        yield About(MODEL, control).row("difference", NO_CONTROL)
        return
    found = quiz_model([quiz.score for quiz in known], **_factors(known), reference=control)
    if isinstance(found, Undefined):
        yield About(MODEL).row("F of condition", found)
        return
    for effect in found.effects:
        coefficient, about = effect.coefficient, About(MODEL, str(effect.condition), control)
        test = coefficient.test
        ends: Ends = (test.low, test.high) if isinstance(test, TTest) else test
        p: Value = test.p if isinstance(test, TTest) else test
        yield about.row("difference", coefficient.value, ends, n=found.scores, p=p, p_adjusted=effect.holm)
    for name, f in (("condition", found.condition), ("text", found.text), ("place", found.place)):
        yield _f_row(About(MODEL), f"F of {name}", f, found.scores)
    yield from _variance_rows(found)


def _factors(quizzes: Sequence[ScoredQuiz]) -> dict[str, list[str] | list[int]]:
    return {
        "conditions": [quiz.sitting.condition for quiz in quizzes],
        "texts": [quiz.sitting.text_id for quiz in quizzes],
        "places": [quiz.sitting.place for quiz in quizzes],
        "people": [quiz.sitting.person for quiz in quizzes],
    }


def _f_row(about: About, figure: str, test: FTest | Undefined, n: int) -> Row:
    return about.row(figure, test) if isinstance(test, Undefined) else about.row(figure, test.f, n=n, p=test.p)


def _variance_rows(found: QuizModel) -> Iterator[Row]:
    """Yield the variances, and by how much the residual is smaller than without text and place."""
    about, without, error = About(MODEL), found.error_without_order, found.variances.error
    yield about.row("variance of people", found.variances.person, n=found.people)
    yield about.row("variance of the residual", error, n=found.scores)
    yield about.row("variance of the residual without text and place", without, n=found.scores)
    if isinstance(without, Undefined) or not without:
        yield about.row("residual smaller by", without if isinstance(without, Undefined) else NO_RESIDUAL)
    else:
        yield about.row("residual smaller by", 1 - error / without)


def _type_rows(scored: Scored) -> Iterator[Row]:
    """Yield the tests of type by condition, and of the conditions on each type."""
    each = [(quiz, kind, score) for quiz in scored.quizzes for kind, score in quiz.by_type.items()]
    known = [(quiz, kind, score) for quiz, kind, score in each if not np.isnan(score)]
    if not known:
        return
    quizzes, kinds, scores = zip(*known, strict=True)
    found = type_by_condition(scores, **_factors(quizzes), types=kinds)
    if isinstance(found, Undefined):
        yield About(TYPES).row("F of type by condition", found)
        return
    yield _f_row(About(TYPES), "F of type by condition", found.interaction, found.scores)
    for effect in found.by_type:
        row = _f_row(About(TYPES, group=str(effect.type)), "F of condition", effect.condition, found.people)
        yield row | {"p_adjusted": None if isinstance(effect.holm, Undefined) else effect.holm}


def _power_rows(anova: RepeatedMeasures | Undefined) -> Iterator[Row]:
    """Yield the smallest true difference of a pair that as many people find with 80%, alone and after Bonferroni."""
    about = About(POWER)
    if isinstance(anova, Undefined):
        yield about.row("one pair", anova)
        return
    deviation, pairs = sqrt(2 * anova.error_variance), anova.conditions * (anova.conditions - 1) // 2
    for figure, alpha in (("one pair", ALPHA), ("all pairs, Bonferroni", ALPHA / pairs)):
        least = smallest_paired_difference(anova.people, deviation, alpha=alpha)
        yield about.row(figure, least, n=anova.people)
