"""Texts that are not English."""

import pytest

from measures.alignment import AlignmentOptions, align_words, word_kinds
from measures.alignment.norms import word_rules
from measures.metrics.words.tokens import Tokenizer

GERMAN = AlignmentOptions(language="de")


def test_german_has_spacys_stop_words_for_function_words_and_snowballs_stems() -> None:
    rules = word_rules("de")
    assert [rules.form(word).kind for word in ("Der", "und", "Haus", "–")] == [
        "function",
        "function",
        "content",
        "mark",
    ]
    assert rules.form("Häuser").stem == rules.form("Haus").stem
    assert "function:spacy-" in GERMAN.signature
    assert "stem:snowball-" in GERMAN.signature
    assert [word_kinds("de-AT")(word) for word in ("Der", "Haus", "–")] == ["f", "c", "p"]
    assert word_kinds("en")("der") == "c"


def test_german_words_are_aligned_by_stem_but_function_words_by_context_alone() -> None:
    source, target = ["Gestern", "kaufte", "der", "Mann", "zwei", "Häuser"], ["Haus", "sah", "Mann", "gestern"]
    assert align_words(source, target, GERMAN)[0] == 5
    far = ["y", "z", "w", "v", "u", "t", "s", "der", "q", "r", "p", "o", "n", "m"]
    assert align_words(["x", "der", *"abcdef"], far, GERMAN)[7] is None


@pytest.mark.parametrize(
    ("language", "source", "target"),
    [
        ("zh", "他今天在城里买了一辆旧汽车。", "他今天买了一辆汽车。"),
        ("ar", "اشترى الرجل سيارة قديمة في المدينة اليوم.", "اشترى الرجل سيارة اليوم."),
        ("th", "เขาซื้อรถเก่า", "เขาซื้อรถ"),
        ("tlh", "jIH tlhIngan Hol", "jIH Hol"),
    ],
)
def test_texts_of_other_languages_are_aligned(language: str, source: str, target: str) -> None:
    options = AlignmentOptions(language=language)
    try:
        words, others = Tokenizer(language=language, lower=False).words([source, target])
    except (ValueError, ModuleNotFoundError):
        words, others = tuple(source.split()), tuple(target.split())
    places = align_words(words, others, options)
    assert len(places) == len(others)
    assert all(
        words[place] == word for word, place in zip(others, places, strict=True) if place is not None and word in words
    )
    assert align_words(words, words, options) == tuple(range(len(words)))
    assert options.signature
