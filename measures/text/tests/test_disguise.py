"""Texts that look other than they are."""

import pytest

from measures.text.odd_texts import DisguiseName, disguises

SOURCE = "The committee measured 5 k\u03a9 on Tuesday."
BIDI, MIXED = DisguiseName.BIDIRECTIONAL, DisguiseName.MIXED_ALPHABETS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The committee met.", []),
        ("Zażółć gęślą jaźń, naïve café.", []),
        ("It was 5 k\u03a9.", []),  # the source has the word
        ("It was 5 K\u03a9.", []),
        ("It was 5 M\u03a9.", [MIXED]),
        ("The c\u043emmittee met.", [MIXED]),
        ("The \u0391lpha met.", [MIXED]),
        ("The co\u0301mmitt\u0435\u0301e met.", [MIXED]),
        ("Комитет met.", []),  # words of one alphabet each
        ("\u043a\u03b1\u03b9", []),  # Cyrillic with Greek is not for a reader of Latin
        ("The \u202emet\u202c.", [BIDI]),
        ("The \u202dmet.", [BIDI]),
        ("The \u2066met.", [BIDI]),
        ("The \u2066met\u2069.", []),
        ("The \u2066m\n\u2069et.", [BIDI]),
        ("The met\u2069.", [BIDI]),
        ("The \u202bm\u2067e\u2069t\u202c.", []),
        ("The \u202bm\u2067e\u202ct\u2069.", [BIDI]),
        ("The \u200emet.\u200f", []),  # marks of direction have no partner
        ("\u202eThe c\u043emmittee met.", [BIDI, MIXED]),
    ],
)
def test_disguises(text: str, names: list[DisguiseName]) -> None:
    assert [found.name for found in disguises(SOURCE, text)] == names


def test_what_the_source_does_is_not_held_against_the_text() -> None:
    assert disguises("\u202eThe c\u043emmittee met.", "\u202eC\u043eMMITTEE!") == ()


def test_the_evidence_names_the_character() -> None:
    control, mixed = disguises(SOURCE, "\u202eThe c\u043emmittee met.")
    assert control.evidence == "U+202E right-to-left override"
    assert mixed.evidence == "“c\u043emmittee” has U+043E (Cyrillic) among Latin letters"
