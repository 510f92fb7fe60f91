"""Places in texts, against another library's grapheme clusters and Python's own UTF-16."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.characters import cluster_starts, from_utf16, to_utf16, whole_clusters
from measures.spans.tests.golden import GOLDEN

PIECES = (
    *("a", "Z", " ", "\r", "\n", "\u0301", "\u0308", "\u200d", "\u200c", "\ufe0f", "\U0001f469", "\U0001f680"),
    *("\U0001f3fd", "\U0001f1e9", "\U0001f1ea", "\u1112", "\u1161", "\u11ab", "\uac00", "\uac01", "\u0915", "\u094d"),
    *("\u093f", "\u0e01", "\u0e31", "❤", "\u4e0b", "\u00e9", "\U000e0067", "©", "\u200b", "\u0903"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(texts)
def test_clusters_are_those_of_another_library(text: str) -> None:
    assert cluster_starts(text) == [match.start() for match in regex.finditer(r"\X", text)]


@given(texts, st.data())
def test_widened_spans_hold_the_span_and_stay_as_they_are(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    wide = whole_clusters(text, start, end)
    assert wide[0] <= start
    assert wide[1] >= end or start == end
    assert whole_clusters(text, *wide) == wide


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.data())
def test_utf16_is_that_of_the_codec_and_comes_back(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    unit = to_utf16(text, place)
    assert unit == len(text[:place].encode("utf-16-le")) // 2
    assert from_utf16(text, unit) == place


def test_utf16_of_the_golden_text() -> None:
    case = GOLDEN["spans"]["utf16"]
    text = GOLDEN["spans"]["texts"][case["text"]]["output"]
    assert [to_utf16(text, place) for place in case["code_points"]] == case["utf16_units"]
    assert [from_utf16(text, unit) for unit in case["utf16_units"]] == case["code_points"]


@pytest.mark.parametrize(
    ("unit", "message"), [(1, "UTF-16 place 1 is inside a character"), (9, "is not in a text of 2 units")]
)
def test_impossible_utf16_places_are_refused(unit: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_utf16("\U0001f44d", unit)


@pytest.mark.parametrize("place", [-1, 3])
def test_places_outside_a_text_are_refused(place: int) -> None:
    with pytest.raises(ValueError, match=f"place {place} is not in a text of 2 characters"):
        to_utf16("ab", place)
    with pytest.raises(ValueError, match="are not in a text of 2 characters"):
        whole_clusters("ab", place, place)
