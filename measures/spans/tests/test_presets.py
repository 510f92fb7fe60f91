"""The presets that come along, and what a preset is refused for."""

import copy
from typing import Any

import pytest

from measures.spans.presets import PRESETS, Preset, preset, preset_from
from measures.spans.tests.golden import GOLDEN

PRESET = GOLDEN["presets"]


def test_mqm_is_googles() -> None:
    mqm, wanted = preset("mqm"), PRESET["mqm"]
    keys = [f"{main}/{sub}" for main, subs in wanted["kinds"].items() for sub in subs]
    keys += [main for main, subs in wanted["kinds"].items() if not subs]
    assert sorted(kind.key for kind in mqm.kinds) == sorted(keys)
    assert (list(mqm.severities), dict(mqm.weights)) == (wanted["severities"], wanted["weights"])
    by_side = {"source": "source_side", "either": "either_side", "whole": "whole"}
    for side, name in by_side.items():
        assert [kind.key for kind in mqm.kinds if kind.side == side] == wanted[name]
    assert [kind.key for kind in mqm.kinds if kind.note_wanted] == wanted["note_wanted"]
    assert {kind.key: kind.also[0] for kind in mqm.kinds if kind.also} == wanted["older names read"]
    assert mqm.gravest_last == ("neutral", "minor", "major")


def test_esa_has_severities_missing_content_and_a_score() -> None:
    esa, wanted = preset("esa"), PRESET["esa"]
    assert (list(esa.severities), list(esa.kinds), dict(esa.weights)) == (
        wanted["severities"],
        wanted["kinds"],
        wanted["weights"],
    )
    assert (esa.missing, esa.score) == (True, "0-100")


def option_keys(options: Any) -> list[str]:
    """The keys of options; a star where a degree is asked."""
    return [each["key"] + "*" * (each.get("options") == "likert-3") for each in options]


def test_salsa_asks_its_questions() -> None:
    salsa = preset("salsa")
    edits = PRESET["salsa"]["edits"]
    assert [kind.key for kind in salsa.kinds] == list(edits)
    for kind in salsa.kinds:
        wanted = edits[kind.key]
        sides = [side for side, key in (("source", "input"), ("output", "output")) if wanted.get(key)]
        assert kind.side == ("both" if len(sides) != 1 else sides[0])
        assert (kind.composite, kind.several) == (wanted.get("composite", False), wanted.get("multi_span", False))
        assert [each["key"] for each in kind.questions] == [
            *(key for key in wanted if key not in ("input", "output", "multi_span", "composite")),
            "grammar_error",
        ]
    kinds = {kind.key: kind for kind in salsa.kinds}
    assert option_keys(kinds["deletion"].questions[0]["options"]) == edits["deletion"]["deletion_type"]
    assert option_keys(kinds["split"].questions[0]["options"]) == edits["split"]["impact"]
    assert option_keys(kinds["structure"].questions[0]["options"]) == edits["structure"]["structure_type"]
    inserted = edits["insertion"]["insertion_type"]
    assert option_keys(kinds["insertion"].questions[0]["options"]) == [each.split(" (")[0] for each in inserted]
    assert option_keys(kinds["insertion"].questions[0]["options"][1]["options"]) == ["yes*", "no"]


def test_the_preset_for_compressions_merges_instead_of_splitting() -> None:
    salsa, ours = preset("salsa"), preset("salsa-compression")
    assert [kind.key for kind in ours.kinds] == [kind.key.replace("split", "merge") for kind in salsa.kinds]
    assert [kind.questions for kind in ours.kinds] == [kind.questions for kind in salsa.kinds]


@pytest.mark.parametrize("key", PRESETS)
def test_a_copy_is_the_same_until_it_is_edited(key: str) -> None:
    data: Any = copy.deepcopy(preset(key).data)
    again = preset_from(dict(reversed(data.items())))
    assert (again, again.checksum) == (preset(key), preset(key).checksum)
    data["max_spans"] = 9
    assert preset_from(data).checksum != preset(key).checksum


def test_unknown_preset() -> None:
    with pytest.raises(ValueError, match="there is no preset 'dqf': mqm, esa, salsa"):
        preset("dqf")


def edited(**changes: Any) -> Any:
    return {**preset("esa").data, **changes}


KIND = {"key": "a", "name": "A", "side": "output"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a preset must be an object"),
        ({}, "key is missing"),
        (edited(colour="red"), "there is no field 'colour'"),
        (edited(name=3), "name must be a text"),
        (edited(score="0-10"), "score must be none or 0-100"),
        (edited(max_spans=0), "max_spans must be a whole number from 1, or null"),
        (edited(missing="yes"), "missing must be true or false"),
        (edited(severities="minor"), "severities must be a list of names"),
        (edited(severities=["minor", "Minor"]), "severities has a name twice"),
        (edited(weights=[5]), "weights must be an object"),
        (edited(weights={"major": -1}), "weight of major: points must be a number from 0 to 1000"),
        (edited(weights={"major": float("nan")}), "weight of major: points must be a number"),
        (edited(weights={"major": 1, "Major": 2}), "weights has a name twice"),
        (edited(kinds=["a"]), "kinds must be a list of objects with a key"),
        (
            edited(kinds=[{**KIND, "side": "left"}]),
            "kind a: side must be source, output, either, both, whole or missing",
        ),
        (edited(kinds=[{**KIND, "name": ""}]), "kind a: name must be a text"),
        (edited(kinds=[{**KIND, "hue": 1}]), "kind a: there is no field 'hue'"),
        (edited(kinds=[{**KIND, "composite": 1}]), "kind a: composite must be true or false"),
        (edited(kinds=[{**KIND, "also": "b"}]), "kind a: also must be a list of names"),
        (
            edited(kinds=[{**KIND, "severities": ["grave"]}]),
            "kind a: severities must be a list of some of the preset's",
        ),
        (edited(kinds=[KIND, {**KIND, "key": "A"}]), "kinds has a name twice"),
        (edited(kinds=[{**KIND, "questions": {}}]), "kind a: questions must be a list of objects"),
        (edited(kinds=[{**KIND, "questions": [{}]}]), "kind a: each question must have a key and a question"),
        (
            edited(kinds=[{**KIND, "questions": [{"key": "q", "question": "?", "options": []}]}]),
            "kind a: question q: options must be likert-3, binary or a list of objects",
        ),
        (
            edited(kinds=[{**KIND, "questions": [{"key": "q", "question": "?", "options": [{"key": "o"}]}]}]),
            "kind a: question q: each option must have a key and a name",
        ),
        (edited(premark="alignment"), "premark needs the kind deletion"),
    ],
)
def test_what_is_not_a_preset_is_refused(data: object, message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared below
        preset_from(data)
    assert message in str(refused.value)


def test_options_may_be_only_so_deep() -> None:
    options: Any = "binary"
    for _ in range(12):
        options = [{"key": "o", "name": "O", "options": options}]
    with pytest.raises(ValueError, match="options must be at most 8 deep"):
        preset_from(edited(kinds=[{**KIND, "questions": [{"key": "q", "question": "?", "options": options}]}]))


def test_kinds_and_severities_are_found_case_folded_and_by_older_names() -> None:
    mqm: Preset = preset("mqm")
    found = mqm.kind("source error/-")
    assert found is not None
    assert found.key == "Source issue"
    assert (mqm.kind("no-error"), mqm.kind(None), mqm.severity("MAJOR"), mqm.severity("critical")) == (
        None,
        None,
        "major",
        None,
    )
