"""The scores by condition, text, place and type of question, the time used, who is left out, and how markers agree."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, isnan, nan

import numpy as np

from measures.core.undefined import Undefined
from measures.experiments import condition_means, marker_agreement
from measures.experiments.condition_means import ConditionMean
from protocols.quiz.report_rows import About, Ends, Row
from protocols.quiz.scored import Scored, ScoredQuiz
from protocols.quiz.study import ShortAnswer

MEANS, BY_TEXT, BY_PLACE, BY_TYPE = "means", "by text", "by place", "by type"
TIME, LEFT_OUT, MARKING, PEOPLE = "time", "left out", "marking", "people"
NO_SHORT = Undefined("there are no short answers")


def score_rows(scored: Scored) -> Iterator[Row]:
    """Yield the rows of all these tables but that of single people."""
    yield from _by_condition(scored, lambda condition: About(MEANS, group=condition), lambda quiz: quiz.score)
    for table, of in ((BY_TEXT, _text), (BY_PLACE, _place)):
        for group in sorted({of(quiz) for quiz in scored.quizzes}):
            yield from _by_condition(scored, partial(_about, table, group), partial(_score_in, of, group))
    for kind in sorted({kind for quiz in scored.quizzes for kind in quiz.by_type}):
        yield from _by_condition(scored, partial(_about, BY_TYPE, str(kind)), partial(_score_on, kind))
    yield from _time_rows(scored)
    for reason, number in scored.left_out.items():
        yield About(LEFT_OUT).row(reason, float(number))
    yield from _marking_rows(scored.study.marked)


def person_rows(scored: Scored) -> Iterator[tuple[str, list[Row]]]:
    """Yield for each person the scores of their quizzes, in the order in which they took them."""
    of_person: dict[str, list[Row]] = {}
    for quiz in scored.quizzes:
        sitting = quiz.sitting
        about = About(PEOPLE, sitting.condition, sitting.text_id, sitting.person)
        score = Undefined("a short answer wants a marker") if isnan(quiz.score) else quiz.score
        of_person.setdefault(sitting.person, []).append(about.row("score", score, n=sitting.place))
    yield from of_person.items()


def _by_condition(
    scored: Scored, about: Callable[[str], About], value: Callable[[ScoredQuiz], float], *, most: float = 100.0
) -> Iterator[Row]:
    """Yield the means under each condition of all who have a value, which is between 0 and `most`."""
    found = condition_means(scored.by_condition(value))
    for condition, each in zip(scored.study.conditions, found, strict=True):
        yield from _mean_rows(about(condition), each, most)


def _about(table: str, group: str, condition: str) -> About:
    return About(table, condition, group=group)


def _score_in(of: Callable[[ScoredQuiz], str], group: str, quiz: ScoredQuiz) -> float:
    return quiz.score if of(quiz) == group else nan


def _score_on(kind: int, quiz: ScoredQuiz) -> float:
    return quiz.by_type.get(kind, nan)


def _text(quiz: ScoredQuiz) -> str:
    return quiz.sitting.text_id


def _place(quiz: ScoredQuiz) -> str:
    return str(quiz.sitting.place)


def _mean_rows(about: About, found: ConditionMean | Undefined, most: float) -> Iterator[Row]:
    if isinstance(found, Undefined):
        yield about.row("mean", found, n=0)
        return
    yield about.row("mean", found.mean, _within(found, most), n=found.people)
    yield about.row("sd", found.deviation, n=found.people)


def _within(found: ConditionMean, most: float) -> Ends:
    """The interval, up to the ends of the scale: no mean passes them, and Student's t does not know them."""
    if isinstance(found.low, Undefined):
        return found.low
    if isinstance(found.high, Undefined):
        return found.high
    return max(0.0, found.low), min(most, found.high)


def _time_rows(scored: Scored) -> Iterator[Row]:
    """Yield the minutes used under each condition, and how many quizzes the time ended."""
    yield from _by_condition(scored, lambda condition: About(TIME, group=condition), _minutes, most=inf)
    over = scored.by_condition(lambda quiz: float(quiz.sitting.closed == "time over"))
    for place, condition in enumerate(scored.study.conditions):
        ended = over[:, place][~np.isnan(over[:, place])]
        yield About(TIME, group=condition).row("time over", float(ended.sum()), n=len(ended))


def _minutes(quiz: ScoredQuiz) -> float:
    return nan if quiz.sitting.seconds is None else quiz.sitting.seconds / 60


def _marking_rows(marked: Sequence[ShortAnswer]) -> Iterator[Row]:
    """Yield how far the first two markers agree, over distinct answers."""
    about = About(MARKING)
    if not marked:
        yield about.row("kappa", NO_SHORT)
        return
    names = sorted({who for each in marked for who, _mark in each.marks})
    number = {who: place for place, who in enumerate(names)}
    marks, markers = np.full((len(marked), 2), nan), np.full((len(marked), 2), -1)
    for row, each in enumerate(marked):
        for place, (who, mark) in enumerate(each.marks[:2]):
            marks[row, place], markers[row, place] = mark, number[who]
    found = marker_agreement(marks, markers)
    yield about.row("kappa", found.kappa, n=found.pairs)
    if isinstance(found.alpha, Undefined):
        yield about.row("alpha", found.alpha, n=found.answers)
    else:
        yield about.row("alpha", found.alpha.alpha, found.alpha.interval, n=found.alpha.items)
    yield about.row("answers with two marks", float(found.answers), n=len(marked))
    yield about.row("marks more than .5 apart", float(found.apart), n=found.answers)
