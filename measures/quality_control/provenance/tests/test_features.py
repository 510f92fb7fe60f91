"""Features of a text as numbers, and where they lie among other texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.keystrokes.edit_log import Kind, Operation
from measures.quality_control.provenance.features import (
    FEWEST_COMPARED,
    Feature,
    Place,
    features_sorted,
    place_among,
    text_features,
)
from measures.quality_control.provenance.text_evidence import text_evidence

SOURCE = "The old city council voted late on Tuesday to close the bridge."


def test_of_a_retyped_text_all_but_its_rhythm_at_words_is_known() -> None:
    text = "City leaders close the bridge after a late vote."
    clear = Operation(0, SOURCE, "", Kind.DELETION, 2_000)
    keys = [Operation(place, "", sign, Kind.TYPING, 5_000 + 100 * place) for place, sign in enumerate(text)]

    found = text_features(text_evidence(SOURCE, SOURCE, [clear, *keys]), is_cut=False, small_words=0.5)

    assert found["reading_s"] == 2
    assert (found["fresh"], found["typed"], found["linear"], found["behind100"]) == (1, 1, 1, 0)
    assert (found["pauses100"], found["spread"], found["cut"], found["small_words"]) == (0, 0, 0, 0.5)
    assert "tail" not in found  # below 60 intervals
    assert set(found) <= {name.value for name in Feature}


def test_what_is_not_defined_is_missing_and_not_nought() -> None:
    found = text_features(text_evidence(SOURCE, SOURCE, []), is_cut=False, small_words=None)

    assert set(found) == {"fresh", "typed", "pasted", "by_program", "away_s", "cut"}


def test_a_place_is_told_from_thirty_texts_on() -> None:
    assert place_among(0.5, [1.0] * (FEWEST_COMPARED - 1)) is None
    assert place_among(0.5, [1.0] * FEWEST_COMPARED) == Place(100, is_higher=False, texts=30)


@given(st.floats(-5, 5), st.lists(st.floats(-5, 5), min_size=FEWEST_COMPARED, max_size=60))
def test_a_place_counts_the_texts_beyond(value: float, others: list[float]) -> None:
    place = place_among(value, sorted(others))

    assert place is not None
    below, above = sum(each < value for each in others), sum(each > value for each in others)
    assert place.is_higher == (below > above)
    assert place.percent == int(100 * max(below, above) / len(others))


def test_values_are_sorted_by_feature_without_the_missing() -> None:
    found = features_sorted([{"fresh": 0.5, "tail": 2.0}, {"fresh": 0.25}])

    assert found["fresh"] == [0.25, 0.5]
    assert found["tail"] == [2.0]
    assert found["spread"] == []


@pytest.mark.parametrize("feature", list(Feature))
def test_names_are_short_enough_to_store(feature: Feature) -> None:
    assert len(feature.value) <= 20
