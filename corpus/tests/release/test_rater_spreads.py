"""z-scores by rater: over the numbers that each rater gave, each text once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists

from corpus.release.rater_spreads import RaterSpreads
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource


def test_equal_outputs_that_share_their_ratings_count_once_in_z_scores() -> None:
    numbers = (10.0, 40.0, 40.0, 70.0)
    ratings = [ReleasedRating("7", {"score": number}) for number in numbers]
    outputs = [
        ReleasedOutput("Alpha", "one", (ratings[0],)),
        ReleasedOutput("Beta", "one", (ratings[0],)),
        ReleasedOutput("Alpha", "two", (ratings[1],)),
        ReleasedOutput("Beta", "two", (ratings[2],), rated_apart=("crowd",)),
        ReleasedOutput("Alpha", "three", (), (ratings[3],)),
    ]
    source = ReleasedSource("1", "", "a source", 1, "", "1", outputs=outputs)
    spreads = RaterSpreads(["score"])
    spreads.add(source)

    counted = np.array([10.0, 40.0, 40.0])
    expected = [((given - counted.mean()) / counted.std(ddof=1)) for given in numbers[:3]]
    z_scores = [spreads.z_score(each, "score", "crowd") for each in ratings[:3]]
    assert z_scores == pytest.approx(expected)
    assert spreads.scored(source).outputs[1].ratings[0].z_scores == {"score": z_scores[0]}
    assert spreads.z_score(ratings[3], "score", "experts") is None


@given(lists(floats(0, 100).map(lambda number: round(number, 3)), min_size=2, max_size=40))
def test_z_scores_have_mean_0_and_deviation_1(numbers: list[float]) -> None:
    ratings = tuple(ReleasedRating("7", {"score": number}) for number in numbers)
    spreads = RaterSpreads(["score"])
    spreads.add(ReleasedSource("1", "", "a source", 1, "", "1", outputs=[ReleasedOutput("A", "one", ratings)]))

    z_scores = [spreads.z_score(each, "score", "crowd") for each in ratings]
    if len(set(numbers)) == 1:
        assert set(z_scores) == {None}
    else:
        known = np.array(z_scores, dtype=float)
        assert (known.mean(), known.std(ddof=1)) == pytest.approx((0, 1), abs=1e-6)
