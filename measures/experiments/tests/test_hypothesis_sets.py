"""Sets of texts to judge: who is whom, and equal texts once."""

import pytest

from measures.experiments.hypothesis_sets import hypothesis_sets


def test_who_wrote_every_pair_has_a_name_and_all_others_a_slot() -> None:
    made = hypothesis_sets(
        {"a": {"x": "One.", "y": "Two.", "z": "Three."}, "b": {"z": "Four.", "w": "Five.", "x": "Six."}}, {}
    )
    assert made.people == {"HUMAN 1": "x", "HUMAN 2": "z"}
    assert [each.names for each in made.sets["a"]] == [("HUMAN 1",), ("HUMAN 2",), ("slot 1",)]
    assert [(each.text, each.names) for each in made.sets["b"]] == [
        ("Six.", ("HUMAN 1",)),
        ("Four.", ("HUMAN 2",)),
        ("Five.", ("slot 1",)),
    ]


def test_equal_texts_are_one_and_keep_out_all_their_writers() -> None:
    made = hypothesis_sets(
        {"a": {"x": "It  closes.", "y": "It closes."}}, {"a": {"reference": "It closes.", "comp": "No."}}
    )
    first, second = made.sets["a"]
    assert first.names == ("HUMAN 1", "HUMAN 2", "reference")
    assert first.writers == {"x", "y"}
    assert second.names == ("comp",)
    assert second.writers == frozenset()


def test_a_pair_that_nobody_wrote_leaves_nobody_who_wrote_all() -> None:
    made = hypothesis_sets({"a": {"x": "One."}}, {"b": {"comp": "Two."}})
    assert made.people == {}
    assert made.sets["a"][0].names == ("slot 1",)
    assert made.sets["b"][0].names == ("comp",)


@pytest.mark.parametrize("name", ["HUMAN 1", "slot 1"])
def test_systems_cannot_be_called_like_people(name: str) -> None:
    written = {"a": {"x": "One.", "y": "Two."}, "b": {"x": "Three."}}
    with pytest.raises(ValueError, match=f"pair a has another text called {name}"):
        hypothesis_sets(written, {"a": {name: "Four."}})
