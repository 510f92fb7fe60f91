"""A campaign for the tests of the rule: ten editors, twelve raters, sixty texts."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from measures.quality_control.share_preview import SharePreview, preview
from measures.quality_control.worker_filter import (
    Authorship,
    FilterParameters,
    GoldAnswers,
    ManualDecisions,
    Outcome,
    PointScores,
    Ratings,
    apply_filter,
)

N_RATERS, N_EDITORS, N_TEXTS = 12, 10, 60
ACCURACIES = np.array([4, 9, 7, 2, 8, 9, 6, 7, 3, 9, 9, 5]) / 10
"""Share of ten gold questions that each rater answers rightly: no two of the four worst are equal."""

Hand: TypeAlias = tuple[list[str], list[str]]
"""What people decided of each rater and each editor: "rule", "in" or "out"."""


def campaign(seed: int = 3) -> tuple[Ratings, Authorship]:
    """Six texts by each editor, five of the raters on every text; the last text by a system."""
    rng = np.random.default_rng(seed)
    raters = np.concatenate([rng.permutation(N_RATERS)[:5] for _ in range(N_TEXTS)])
    scores = rng.integers(1, 4, (2, 5 * N_TEXTS)).astype(float)
    ratings = Ratings(np.repeat(np.arange(N_TEXTS), 5), raters, scores.T)
    return ratings, Authorship(np.arange(N_TEXTS - 1), np.arange(N_TEXTS - 1) % N_EDITORS)


def easy_campaign(seed: int = 3) -> tuple[Ratings, Authorship]:
    """The same people, texts and pairs, but one scale, on which most scores are what the text deserves."""
    ratings, authorship = campaign(seed)
    rng = np.random.default_rng([seed, 1])
    deserved = rng.integers(1, 4, N_TEXTS)[ratings.text]
    knows = rng.random(len(ratings.text)) < np.linspace(0.9, 0.5, N_RATERS)[ratings.rater]
    scores = np.where(knows, deserved, ratings.scores[:, 0])
    return Ratings(ratings.text, ratings.rater, scores[:, None]), authorship


def gold_answers() -> GoldAnswers:
    """Ten questions to each rater, two on each of five items."""
    ten = np.full(N_RATERS, 10)
    return GoldAnswers(np.arange(N_RATERS), np.round(10 * ACCURACIES).astype(np.int64), ten, ten // 2)


def as_given(ratings: Ratings) -> PointScores:
    return PointScores(ratings.scores, points=(3,) * ratings.scores.shape[1])


def rows(ratings: Ratings, chosen: npt.NDArray[Any]) -> Ratings:
    """Some rows of a table, by number or by mask."""
    return Ratings(ratings.text[chosen], ratings.rater[chosen], ratings.scores[chosen])


def inputs(ratings: Ratings, authorship: Authorship, **options: Any) -> dict[str, Any]:
    """What the rule wants of the campaign, gold answers and points among it, and more or other things."""
    return {
        "ratings": ratings,
        "authorship": authorship,
        "rater_ids": np.arange(N_RATERS),
        "editor_ids": np.arange(N_EDITORS),
        "n_texts": N_TEXTS,
        "gold": gold_answers(),
        "point_scores": as_given(ratings),
    } | options


def run(ratings: Ratings, authorship: Authorship, hand: ManualDecisions | None = None, **parameters: Any) -> Outcome:
    rule = FilterParameters(**parameters)
    return apply_filter(**inputs(ratings, authorship, parameters=rule, manual=hand))


def run_preview(
    ratings: Ratings,
    authorship: Authorship,
    shares: list[float],
    hand: ManualDecisions | None = None,
    **parameters: Any,
) -> list[SharePreview]:
    rule = FilterParameters(**parameters)
    return preview(**inputs(ratings, authorship, parameters=rule, manual=hand, shares=shares))


def manual(raters: dict[int, str] | list[str] | None = None, editors: Any = None) -> ManualDecisions:
    """Decisions on some workers, by their numbers, or on all in a list."""
    of_raters, of_editors = (_all(chosen, n) for chosen, n in ((raters, N_RATERS), (editors, N_EDITORS)))
    return ManualDecisions(of_raters == "in", of_raters == "out", of_editors == "in", of_editors == "out")


def _all(chosen: dict[int, str] | list[str] | None, workers: int) -> npt.NDArray[np.str_]:
    known = chosen if isinstance(chosen, dict) else dict(enumerate(chosen or []))
    return np.array([known.get(worker, "rule") for worker in range(workers)])


_wish = st.sampled_from(["rule", "rule", "in", "out"])
hands = st.builds(
    manual,
    st.lists(_wish, min_size=N_RATERS, max_size=N_RATERS),
    st.lists(_wish, min_size=N_EDITORS, max_size=N_EDITORS),
)
"""Decisions on everybody, drawn by hypothesis."""

percents = st.integers(0, 100).map(lambda percent: percent / 100)
