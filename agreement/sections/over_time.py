"""Agreement over time: the ratings of each day, week, month or year against the others of the same texts."""

from datetime import date, timedelta

import numpy as np

from agreement.report_rows import ReportRow, plain_rows
from agreement.scale_ratings import ScaleRatings
from agreement.sections.base import ReportSection
from measures.agreement.rater_vs_others import group_agreement
from measures.core.arrays import IntArray

OVER_TIME = "over time"
MAX_PERIODS = 26


def time_rows(ratings: ScaleRatings) -> list[ReportRow]:
    """Periods in which ratings were given, the earliest first; nothing where no rating has a day."""
    labels, periods = _periods(ratings)
    found = group_agreement(
        ratings.crowd,
        periods,
        categories=ratings.scale.values,
        rounding=ratings.parameters.rounding,
        weights=ratings.parameters.weights,
        sources=ratings.families,
    )
    return [
        row.of(labels[each.group])
        for each in found
        if each.ratings
        for row in plain_rows(ratings.scale.key, OVER_TIME, each.agreement, each.kappa, each.ratings, each.intervals)
    ]


def _periods(ratings: ScaleRatings) -> tuple[list[str], IntArray]:
    """The names of the periods, and for each rating its period's place among them, -1 for a day that is not known."""
    days, inverse = np.unique(ratings.days, return_inverse=True)
    names = _names([date.fromordinal(int(day)) for day in days if day])
    labels = sorted(set(names))
    places = [-1] * (len(days) - len(names)) + [labels.index(name) for name in names]
    return labels, np.array(places, dtype=np.int64)[inverse].reshape(ratings.days.shape)


def _names(days: list[date]) -> list[str]:
    """The period of each day: the shortest kind of which there are not too many."""
    for name in (_day, _week, _month):
        names = list(map(name, days))
        if len(set(names)) <= MAX_PERIODS:
            return names
    return [f"{day:%Y}" for day in days]


def _day(day: date) -> str:
    return day.isoformat()


def _week(day: date) -> str:
    return f"week of {day - timedelta(days=day.weekday())}"


def _month(day: date) -> str:
    return f"{day:%Y-%m}"


SECTIONS = [ReportSection(50, time_rows)]
