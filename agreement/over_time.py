"""Agreement over time: the ratings of each day, week, month or year against the others of the same texts."""

from datetime import date, timedelta

import numpy as np

from agreement.question import Question
from agreement.rows import ReportRow, plain_rows
from measures.arrays import IntArray
from measures.raters import group_agreement

OVER_TIME = "over time"
MOST_PERIODS = 26


def time_rows(question: Question) -> list[ReportRow]:
    """Periods in which ratings were given, the earliest first; nothing where no rating has a day."""
    labels, periods = _periods(question)
    found = group_agreement(
        question.crowd,
        periods,
        categories=question.scale.values,
        rounding=question.parameters.rounding,
        weights=question.parameters.weights,
    )
    return [
        row.of(labels[each.group])
        for each in found
        if each.ratings
        for row in plain_rows(question.scale.key, OVER_TIME, each.agreement, each.kappa, each.ratings)
    ]


def _periods(question: Question) -> tuple[list[str], IntArray]:
    """The names of the periods, and for each rating its period's place among them, -1 for a day that is not known."""
    days, inverse = np.unique(question.days, return_inverse=True)
    names = _names([date.fromordinal(int(day)) for day in days if day])
    labels = sorted(set(names))
    places = [-1] * (len(days) - len(names)) + [labels.index(name) for name in names]
    return labels, np.array(places, dtype=np.int64)[inverse].reshape(question.days.shape)


def _names(days: list[date]) -> list[str]:
    """The period of each day: the shortest kind of which there are not too many."""
    for name in (_day, _week, _month):
        names = list(map(name, days))
        if len(set(names)) <= MOST_PERIODS:
            return names
    return [f"{day:%Y}" for day in days]


def _day(day: date) -> str:
    return day.isoformat()


def _week(day: date) -> str:
    return f"week of {day - timedelta(days=day.weekday())}"


def _month(day: date) -> str:
    return f"{day:%Y-%m}"
