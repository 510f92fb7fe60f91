"""The texts and scales of a new campaign say the same in every language, and their examples keep the rule."""

import re

import pytest
from django.conf import settings

from common.templatetags.formatting import markdown
from crowd.default_texts import FOLDER, NAMES, default_texts, translated_scales
from crowd.placeholders import names_in
from crowd.scales import DEFAULT_SCALES
from measures.text.length_rule import check_compression

ENGLISH = default_texts()
TRANSLATED = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__")
LANGUAGES = ["en", *TRANSLATED]
EXAMPLES = ("sentence_examples", "paragraph_examples", "rater_guidelines")


def quotes_of(text: str) -> list[str]:
    return [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]


def shape_of(text: str) -> list[str]:
    """What begins each line: a heading, a point of a list, a quotation, or a letter."""
    marks = ("### ", "- **", "- ", "> ", "✓ ", "✗ ", "**")
    return [next((mark for mark in marks if line.startswith(mark)), line and "a") for line in text.splitlines()]


def test_the_languages_with_texts_are_languages_of_the_pages() -> None:
    assert {"ar", "de", "es", "fr", "zh-hans"} <= set(TRANSLATED) <= set(dict(settings.LANGUAGES))


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_language_has_every_text_of_its_own(language: str) -> None:
    assert {path.name for path in (FOLDER / language).iterdir()} == {*(f"{name}.md" for name in NAMES), "scales.txt"}
    assert all(text != ENGLISH[name] for name, text in default_texts(language).items())


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", NAMES)
def test_a_translation_has_the_headings_the_lists_the_examples_and_the_placeholders(name: str, language: str) -> None:
    text = default_texts(language)[name]
    assert shape_of(text) == shape_of(ENGLISH[name])
    assert sorted(names_in(text)) == sorted(names_in(ENGLISH[name]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_versions_in_examples_are_as_short_as_they_must_be(name: str, language: str) -> None:
    source, *versions = quotes_of(default_texts(language)[name])
    assert versions
    assert [version for version in versions if not check_compression(source, version).accepted] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_and_bad_examples_look_different(language: str) -> None:
    texts = default_texts(language)
    for name, good, bad in (("sentence_examples", 2, 2), ("paragraph_examples", 1, 1), ("rater_guidelines", 1, 2)):
        page = markdown(texts[name])
        assert (page.count('<blockquote class="good">'), page.count('<blockquote class="bad">')) == (good, bad)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_verdict_stands_under_its_text_with_its_name(language: str) -> None:
    guidelines = default_texts(language)["rater_guidelines"]
    named = re.findall(r" ([A-E])\s?[:：]\n\n> .*\n\n\*\*([A-E])\. ", guidelines)
    assert named == [(letter, letter) for letter in "ABCDE"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scales_differ_in_their_words_alone(language: str) -> None:
    scales = translated_scales(language)
    assert [(scale.key, scale.values) for scale in scales] == [(scale.key, scale.values) for scale in DEFAULT_SCALES]
    assert (scales == DEFAULT_SCALES) is (language == "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guidelines_explain_the_points_in_the_words_of_the_scales(language: str) -> None:
    guidelines = default_texts(language)["rater_guidelines"].lower()
    assert all(point.words.lower() in guidelines for scale in translated_scales(language) for point in scale.points)


def test_a_language_without_texts_of_its_own_begins_with_the_english_ones() -> None:
    assert default_texts("tlh") == ENGLISH
    assert translated_scales("tlh") == DEFAULT_SCALES
