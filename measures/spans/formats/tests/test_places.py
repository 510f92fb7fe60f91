"""Places of texts of files, against form NFC and UTF-16 computed for the text before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.characters import cluster_starts, from_utf16, to_utf16
from measures.spans.formats.places import TextPlaces, nfc
from measures.spans.tests.test_characters import texts


@given(texts)
def test_clusters_begin_at_the_same_characters_in_form_nfc(text: str) -> None:
    places, composed = TextPlaces(text, "output"), nfc(text)
    for start in cluster_starts(text):
        assert nfc(text[:start]) == composed[: places.place(start)]


@given(texts, st.data())
def test_utf16_places_are_those_of_the_characters(text: str, data: st.DataObject) -> None:
    unit = data.draw(st.integers(0, to_utf16(text, len(text))))
    try:
        place = from_utf16(text, unit)
    except ValueError as error:
        assert "inside a character" in str(error)  # noqa: PT017 - either may be
        with pytest.raises(ValueError, match="inside a character"):
            TextPlaces(text, "output").span_of_utf16(unit, unit)
        return
    starts = [*cluster_starts(text), len(text)]
    if place in starts and place < len(text):
        found = TextPlaces(text, "output").span_of_utf16(unit, to_utf16(text, len(text)))
        assert nfc(text)[slice(*found)] == nfc(text[place:])


def test_spans_that_cut_a_character_take_in_the_whole_of_it() -> None:
    places = TextPlaces("e\u0301q\u0323\u0308 a", "output")
    assert [places.span(1, 2), places.span(3, 4), places.span(1, 3)] == [(0, 1), (1, 4), (0, 4)]
