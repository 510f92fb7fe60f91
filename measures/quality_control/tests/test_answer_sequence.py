"""The work of one rater, and what is refused as such."""

from typing import Any

import numpy as np
import pytest

from measures.quality_control.answer_sequence import RaterWork

NOBODY = [np.nan, np.nan]
NOT_GOLD = [[False] * 5] * 2


def work(**fields: Any) -> RaterWork:
    given: dict[str, Any] = {
        "scores": [[3, 5], [1, 1], [2, 4]],
        "others": [[2.5, 4.5], NOBODY, [2.0, 3.4]],
        "milliseconds": [9_000, np.nan, 0],
        "words": [30, 40, 0],
        "points": (3, 5),
        "accepted": np.zeros((len(fields.get("scores", [0, 1, 2])), 2, max(fields.get("points", (3, 5)), default=0))),
        "length_ratio": [0.5] * len(fields.get("scores", [0, 1, 2])),
        "full_stop": [True] * len(fields.get("scores", [0, 1, 2])),
    } | fields
    return RaterWork(
        scores=np.array(given["scores"], dtype=float),
        others=np.array(given["others"], dtype=float),
        milliseconds=np.array(given["milliseconds"], dtype=float),
        words=np.array(given["words"], dtype=np.int64),
        accepted=np.array(given["accepted"], dtype=bool),
        length_ratio=np.array(given["length_ratio"], dtype=float),
        full_stop=np.array(given["full_stop"], dtype=bool),
        points=given["points"],
    )


def right(*points: list[int]) -> list[list[bool]]:
    """A gold question with these right points on each scale."""
    return [[point in each for point in range(1, 6)] for each in points]


def test_how_far_an_answer_to_gold_is_from_the_nearest_right_one() -> None:
    """In points of a scale with 3: two steps of five are one."""
    accepted = [NOT_GOLD, right([2, 3], [1, 3]), NOT_GOLD]
    found = work(scores=[[3, 5], [1, 5], [2, 4]], accepted=accepted)
    assert found.is_gold.tolist() == [False, True, False]
    np.testing.assert_allclose(found.off, [NOBODY, [1.0, 1.0], NOBODY])
    own, known = found.beside_known()
    np.testing.assert_allclose(own[1], [1.0, 3.0])
    np.testing.assert_allclose(known, [[2.5, 2.75], [2.5, 1.5], [2.0, 2.2]])


def test_what_others_rated_is_shared() -> None:
    assert work().shared.tolist() == [True, False, True]
    own, others = work().on_common_scale()
    np.testing.assert_allclose(own, [[3.0, 3.0], [2.0, 2.5]])
    np.testing.assert_allclose(others, [[2.5, 2.75], [2.0, 2.2]])


@pytest.mark.parametrize(
    ("scores", "others", "otherwise"),
    [
        ([3, 5], [2.5, 4.5], False),  # halves go up
        ([3, 5], [2.499, 4.5], True),
        ([3, 5], [2.5, 4.499], True),
        ([2, 4], [2.5, 4.0], True),
        ([2, 4], [2.499, 3.5], False),
        ([3, 5], [2.5 - 1e-12, 4.5], False),  # half, but for the last bits
        ([3, 5], NOBODY, False),
    ],
)
def test_who_judged_otherwise(scores: list[float], others: list[float], otherwise: bool) -> None:
    one = work(scores=[scores], others=[others], milliseconds=[1], words=[1])
    assert one.disagreed.tolist() == [otherwise]


def test_no_text_at_all_is_work_too() -> None:
    nothing = work(scores=np.empty((0, 2)), others=np.empty((0, 2)), milliseconds=[], words=[])
    assert nothing.shared.shape == nothing.disagreed.shape == (0,)
    assert nothing.on_common_scale()[0].shape == (0, 2)


def test_means_may_miss_the_ends_by_their_last_bits() -> None:
    assert work(others=[[3 + 1e-12, 1 - 1e-12], NOBODY, NOBODY]).shared.sum() == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"points": ()}, "points must be at least 2"),
        ({"points": (3, 1)}, "points must be at least 2"),
        ({"points": (3,)}, r"scores must be of shape \(3, 1\), not \(3, 2\)"),
        ({"scores": [3, 5, 1]}, r"scores must be of shape \(3, 2\), not \(3,\)"),
        ({"others": [NOBODY]}, r"others must be of shape \(3, 2\), not \(1, 2\)"),
        ({"milliseconds": [1, 2]}, r"milliseconds must be of shape \(3,\), not \(2,\)"),
        ({"words": [[1], [2], [3]]}, r"words must be of shape \(3,\), not \(3, 1\)"),
        ({"scores": [[3, 5], [1.5, 1], [1, 1]]}, "scores must be whole numbers"),
        ({"scores": [[3, 5], [np.nan, 1], [1, 1]]}, "scores must be whole numbers"),
        ({"scores": [[3, 5], [4, 1], [1, 1]]}, "scores must lie between 1 and the points"),
        ({"scores": [[3, 5], [np.inf, 1], [1, 1]]}, "scores must lie between 1 and the points"),
        ({"scores": [[3, 5], [1, 0], [1, 1]]}, "scores must lie between 1 and the points"),
        ({"others": [[2, np.nan], NOBODY, NOBODY]}, "others must be known for all scales"),
        ({"others": [[3.1, 1], NOBODY, NOBODY]}, "others must lie between 1 and the points"),
        ({"others": [[1, 0.9], NOBODY, NOBODY]}, "others must lie between 1 and the points"),
        ({"milliseconds": [1, -1, 1]}, "milliseconds must be finite and not below 0"),
        ({"milliseconds": [1, np.inf, 1]}, "milliseconds must be finite and not below 0"),
        ({"words": [1, -1, 1]}, "words must not be below 0"),
        ({"accepted": [NOT_GOLD]}, r"accepted must be of shape \(3, 2, 5\), not \(1, 2, 5\)"),
        ({"accepted": [NOT_GOLD, right([3], []), NOT_GOLD]}, "accepted must have a point on all scales"),
        ({"accepted": [NOT_GOLD, right([4], [5]), NOT_GOLD]}, "accepted must lie between 1 and the points"),
        ({"accepted": [right([3], [5]), NOT_GOLD, NOT_GOLD]}, "others must be unknown of gold questions"),
        ({"length_ratio": [0.5, np.nan, 0.5]}, "length_ratio must be finite and not below 0"),
        ({"length_ratio": [0.5, 0.5]}, r"length_ratio must be of shape \(3,\), not \(2,\)"),
        ({"full_stop": [True]}, r"full_stop must be of shape \(3,\), not \(1,\)"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        work(**fields)
