"""Odd texts are found, and honest ones are not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from measures.text.endings import cut_off_word, is_beginning, words_of
from measures.text.length_rule import allowed_length
from measures.text.odd_texts import OddTextName, OddTextThresholds, odd_texts
from measures.text.other_language import other_language
from measures.text.squeezed import LONGEST_WORD, joined_words, vowel_share, words_without_vowels

SOURCE = "The two countries agreed on Monday to reopen their common border, which had been closed for three years."
GERMAN = "Die beiden Länder haben am Montag beschlossen, ihre gemeinsame Grenze nach drei Jahren wieder zu öffnen."


def found(text: str, source: str = SOURCE, language: str = "en") -> dict[OddTextName, str]:
    odd = odd_texts(source, text, allowed=allowed_length(source), language=language)
    return {each.name: each.evidence for each in odd}


@pytest.mark.parametrize(
    "text",
    [
        "The two countries agreed on Monday to reopen their common border.",
        "On Monday, both countries agreed to reopen the border after three years.",
        "Their border, closed for three years, will reopen.",
        "The border's reopening was agreed to.",
        "They agreed to reopen what the border had been closed to",
    ],
)
def test_an_honest_text_is_not_odd(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "name", "evidence"),
    [
        ("Borders reopen.", OddTextName.VERY_SHORT, "15 of 78 allowed characters"),
        (
            "Please send money quickly before winter comes around again",
            OddTextName.UNLIKE_SOURCE,
            "0 of 9 longer words are in the original",
        ),
        (
            "Thetwocountries agreed toreopen their common border.",
            OddTextName.SQUEEZED,
            "3 spaces of the original are missing: “thetwocountries”, “toreopen”",
        ),
        (
            "Th two cntrs grd on Mndy to rpn thr cmmn brdr.",
            OddTextName.SQUEEZED,
            "6 words of the original without their vowels: “cntrs”, “grd”, “rpn” …",
        ),
        (
            "Bth stts dcdd Mndy tht brdrs shll pn gn ftr thr yrs",
            OddTextName.SQUEEZED,
            "5% of its letters are vowels, and 41% of those of the original",
        ),
        ("The two countries agreed on Monday to reopen their", OddTextName.CUT_OFF, "it ends with “their”"),
        ("The two countries agreed on", OddTextName.CUT_OFF, "it ends with “on”"),
        (
            "Die beiden Länder öffnen die Grenze, die für drei Jahre nicht offen war, und das ist gut.",
            OddTextName.OTHER_LANGUAGE,
            "5 of 17 words are frequent in German: “für nicht und das ist”",
        ),
        (
            "Две страны открывают границу",
            OddTextName.OTHER_LANGUAGE,
            "100% of its letters are Cyrillic, and 0% of those of the original",
        ),
    ],
)
def test_an_odd_text_is_found_with_what_it_is_found_by(text: str, name: OddTextName, evidence: str) -> None:
    assert found(text)[name] == evidence


def test_kinds_come_in_their_order_and_once() -> None:
    names = list(found("Thetwocountriesagreed tm the"))
    assert names == [name for name in OddTextName if name in names]


@pytest.mark.parametrize("language", ["", "xx", "nl", "ja", "ar"])
def test_nothing_is_said_of_ends_and_frequent_words_in_languages_that_are_not_known(language: str) -> None:
    text = "Die beiden Länder öffnen die Grenze, die für drei Jahre nicht offen war und ist auch"
    assert not {OddTextName.CUT_OFF, OddTextName.OTHER_LANGUAGE} & set(found(text, SOURCE, language))


@pytest.mark.parametrize("language", ["zh", "ja", "th", "km-KH"])
def test_no_space_is_missed_where_there_are_none(language: str) -> None:
    assert joined_words("to reopen it", "toreopen", language) == []


@pytest.mark.parametrize(("language", "is_found"), [("en", True), ("ar", False), ("he", False), ("cs", False)])
def test_vowels_are_missed_only_where_every_word_has_one(language: str, is_found: bool) -> None:
    assert (
        OddTextName.SQUEEZED in found("Th two cntrs grd on Mndy to rpn thr cmmn brdr", SOURCE, language)
    ) == is_found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("He ran 10 km in 50 min to win 5 kg of gold there.", "He ran 10km in 50min to win 5kg."),
        ("It is a long term plan for every one in the under way town.", "A long-term plan for everyone."),
        ("I don't, can't and won't say what it was in the end.", "I dont, cant and wont."),
    ],
)
def test_usual_spellings_are_not_taken_for_missing_spaces(source: str, text: str) -> None:
    assert OddTextName.SQUEEZED not in found(text, source)


def test_a_run_of_many_words_is_found_without_looking_for_them() -> None:
    ((_, missing),) = joined_words(SOURCE, "".join(letter for letter in SOURCE if letter.isalpha()), "en")
    assert missing > 10


@pytest.mark.parametrize(
    ("source", "text", "language"),
    [
        ("Carrots have vitamin A and vitamin C in them.", "Carrots have vitamin A", "en"),
        ("What are they afraid of, then?", "What are they afraid of", "fr"),
        ("He said what he was and", "He was and", "en"),  # as the source ends
        ("And so", "and the", "en"),  # too short to tell
    ],
)
def test_ends_that_may_be_meant(source: str, text: str, language: str) -> None:
    assert cut_off_word(source, text, language) is None


@pytest.mark.parametrize(
    ("source", "text", "language", "word"),
    [
        (GERMAN, "Die beiden Länder haben am Montag beschlossen und", "de", "und"),
        ("Les deux pays ont décidé de rouvrir la frontière.", "Les deux pays ont décidé de.", "fr", "de"),
        ("Los dos países acordaron reabrir la frontera con el sur.", "Los países acordaron reabrir con", "es", "con"),
    ],
)
def test_ends_in_other_languages(source: str, text: str, language: str, word: str) -> None:
    assert cut_off_word(source, text, language) == word


def test_a_german_text_in_a_german_campaign_is_in_its_language() -> None:
    assert other_language(GERMAN, "Die Länder haben beschlossen, die Grenze nach drei Jahren zu öffnen", "de") is None


def test_quoting_another_language_as_the_source_does_is_no_other_language() -> None:
    quoted = "He said: und der das ist nicht mit von auf für sich auch werden, and left."
    assert other_language(quoted, "und der das ist nicht mit von auf für sich", "en") is None


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=30), st.data())
def test_a_beginning_is_a_beginning_and_only_that(words: list[str], data: st.DataObject) -> None:
    kept = data.draw(st.integers(0, len(words)))
    assert is_beginning(" ".join(words), " ".join(words[:kept])) == (0 < kept < len(words))
    assert words_of(" ".join(words).upper() + "!") == words


@given(
    st.text(max_size=80) | st.text("😀. —", max_size=80),
    st.text(max_size=80) | st.text("ab", min_size=LONGEST_WORD, max_size=80),
    st.sampled_from(["en", "de", "fr", "es", "ja", ""]),
)
@example("😀 " * 60, "a" * 45, "en")  # a long word beside a source without words
def test_any_texts_can_be_looked_at(source: str, text: str, language: str) -> None:
    odd_texts(source, text, allowed=60, language=language)
    assert joined_words(source, source, language) == []
    assert words_without_vowels(source, source) == []
    assert other_language(source, source, language) is None
    assert cut_off_word(source, source, language) is None
    assert 0 <= vowel_share(text)[0] <= 1


@given(st.lists(st.text("abcdefgh", min_size=2, max_size=6), min_size=4, max_size=20, unique=True))
def test_every_space_left_out_is_counted(words: list[str]) -> None:
    source, squeezed = " ".join(words), words[0] + words[1]
    assert squeezed in words or (squeezed, 1) in joined_words(source, f"{squeezed} {words[2]}", "en")


def test_thresholds_can_be_raised() -> None:
    high = OddTextThresholds(spaces_left_out=100, words_without_vowels=100, vowel_letters=10_000)
    odd = odd_texts(SOURCE, "Thetwocountries agreed toreopen", allowed=77, language="en", thresholds=high)
    assert OddTextName.SQUEEZED not in {each.name for each in odd}
