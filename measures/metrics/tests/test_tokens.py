"""Cutting texts into words."""

import importlib
import importlib.metadata
import itertools
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from measures.metrics.words import tokens
from measures.metrics.words.tokens import _LANGUAGES, Tokenizer
from measures.text import spacy_models
from measures.text.spacy_models import require_package

RULES = Tokenizer(lower=False)
SPACES = Tokenizer("whitespace", lower=False)


def words(text: str, tokenizer: Tokenizer) -> list[str]:
    (found,) = tokenizer.words([text])
    return list(found)


@pytest.fixture
def nothing_cached() -> Iterator[None]:
    """Packages are asked for anew."""
    spacy_models.blank_model.cache_clear()
    tokens._stemmer.cache_clear()
    yield
    spacy_models.blank_model.cache_clear()
    tokens._stemmer.cache_clear()


@pytest.fixture
def missing(nothing_cached: None, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names put here are not installed."""
    gone: set[str] = set()

    def import_module(name: str) -> ModuleType:
        if name in gone:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return importlib.import_module(name)

    monkeypatch.setattr(spacy_models, "import_module", import_module)
    return gone


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Think about your household.", ["Think", "about", "your", "household", "."]),
        ("Don't (really) stop!", ["Do", "n't", "(", "really", ")", "stop", "!"]),
        ("Mr. Smith's U.S. tour", ["Mr.", "Smith", "'s", "U.S.", "tour"]),
        ("It costs $5.50, or 10%.", ["It", "costs", "$", "5.50", ",", "or", "10", "%", "."]),
        ("a well-known e-mail", ["a", "well", "-", "known", "e", "-", "mail"]),
        ("so… “yes” — no", ["so", "…", "“", "yes", "”", "—", "no"]),
        ("Good 👍 day 😀!", ["Good", "👍", "day", "😀", "!"]),
        ("naïve café in Zürich", ["naïve", "café", "in", "Zürich"]),
        ("one\ntwo\r\n\tthree  four", ["one", "two", "three", "four"]),
        ("one\u00a0two\u2028three", ["one", "two", "three"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_rules_of_spacy_need_no_model(text: str, expected: list[str]) -> None:
    assert words(text, RULES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't  (really) stop!", ["Don't", "(really)", "stop!"]),
        ("one\ntwo\r\n\tthree\u00a0four\u2028five", ["one", "two", "three", "four", "five"]),
        ("👍🏽 naïve 漢字", ["👍🏽", "naïve", "漢字"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_white_space_parts_words_and_nothing_else(text: str, expected: list[str]) -> None:
    assert words(text, SPACES) == expected


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_rules_of_spacy_lose_nothing_but_white_space(text: str) -> None:
    found = words(text, RULES)
    assert all(word and not word.isspace() for word in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_words_are_in_lower_case_unless_case_is_kept() -> None:
    assert words("The ÉCOLE Straße", Tokenizer()) == ["the", "école", "straße"]
    assert words("The ÉCOLE Straße", RULES) == ["The", "ÉCOLE", "Straße"]


def test_case_is_lost_after_words_are_found() -> None:
    assert words("It is in the US.", Tokenizer())[-2:] == ["us", "."]


@pytest.mark.parametrize("method", ["spacy", "whitespace"])
def test_every_text_has_its_words_in_order(method: tokens.Method) -> None:
    assert list(Tokenizer(method).words(iter(["B a", "", "c"]))) == [("b", "a"), (), ("c",)]


@pytest.mark.parametrize(
    ("word", "porter", "snowball"),
    [
        ("relational", "relat", "relat"),
        ("caresses", "caress", "caress"),
        ("ponies", "poni", "poni"),
        ("hopping", "hop", "hop"),
        ("generously", "gener", "generous"),
        ("dying", "dy", "die"),
        ("!", "!", "!"),
    ],
)
def test_stems_are_those_of_the_published_algorithms(word: str, porter: str, snowball: str) -> None:
    assert words(word, Tokenizer("whitespace", stemmer="porter")) == [porter]
    assert words(word, Tokenizer("whitespace", stemmer="snowball")) == [snowball]


def test_snowball_has_stems_in_other_languages() -> None:
    assert words("aufeinander folgende Häuser", Tokenizer(language="de", stemmer="snowball")) == [
        "aufeinand",
        "folgend",
        "haus",
    ]


def test_stems_of_words_whose_case_is_kept_keep_it() -> None:
    assert words("Running", Tokenizer("whitespace", lower=False, stemmer="porter")) == ["Run"]


def test_every_snowball_language_has_an_algorithm() -> None:
    assert set(_LANGUAGES.values()) <= set(importlib.import_module("snowballstemmer").algorithms())


@pytest.mark.parametrize("lower", [True, False])
def test_stop_words_go_in_any_case(lower: bool) -> None:
    found = words("The cat AND the dog", Tokenizer(lower=lower, without_stop_words=True))
    assert found == ["cat", "dog"]


def test_stop_words_go_before_words_are_cut_to_stems() -> None:
    assert words("this was doing", Tokenizer("whitespace", stemmer="porter", without_stop_words=True)) == []


def test_stop_words_are_those_of_the_language() -> None:
    german = Tokenizer("whitespace", "de", without_stop_words=True)
    assert words("der Hund und the die", german) == ["hund", "the"]


def test_rules_are_those_of_the_language() -> None:
    assert words("l'école d'été", Tokenizer(language="fr")) == ["l'", "école", "d'", "été"]
    assert words("z. B. z.B.", Tokenizer(language="de"))[-1] == "z.b."


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"method": "words"}, "method must be one of spacy, whitespace, not 'words'"),
        ({"stemmer": "lancaster"}, "stemmer must be one of none, porter, snowball, not 'lancaster'"),
        ({"stemmer": "porter", "language": "de"}, r"Porter is for English \(en\), not 'de'"),
        ({"stemmer": "snowball", "language": "ja"}, "Snowball has no stemmer for 'ja'"),
    ],
)
def test_what_is_unknown_is_refused_at_once(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tokenizer(**choices)


@pytest.mark.parametrize("language", ["qq", "", "../en", "English"])
def test_an_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(ValueError, match="spaCy has no rules for the language"):
        words("a", Tokenizer(language=language))


def test_an_unknown_language_has_no_stop_words_either() -> None:
    with pytest.raises(ValueError, match="spaCy has no rules for the language 'qq'"):
        words("a", Tokenizer("whitespace", "qq", without_stop_words=True))


def test_a_language_that_wants_a_package_says_which(nothing_cached: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def blank(language: str) -> None:
        raise ImportError("Japanese support requires SudachiPy")

    monkeypatch.setattr(spacy, "blank", blank)
    with pytest.raises(ValueError, match="SudachiPy"):
        words("a", Tokenizer(language="ja"))


def test_the_signature_says_all() -> None:
    assert Tokenizer().signature == f"tok:spacy-{importlib.metadata.version('spacy')}-en|case:lower|stem:no|stop:no"
    changed = Tokenizer("whitespace", "de", lower=False, stemmer="snowball", without_stop_words=True)
    parts = dict(part.split(":", 1) for part in changed.signature.split("|"))
    assert list(parts) == ["tok", "case", "stem", "stop"]
    assert (parts["tok"], parts["case"]) == ("whitespace", "mixed")
    assert re.fullmatch("snowball-.*de", parts["stem"])
    assert re.fullmatch("spacy-.*de", parts["stop"])


@pytest.mark.parametrize("choices", [{"stemmer": "snowball"}, {"method": "whitespace", "without_stop_words": True}])
def test_the_signature_names_the_version_of_every_package_that_words_come_from(choices: dict[str, Any]) -> None:
    package = "snowballstemmer" if "stemmer" in choices else "spacy"
    assert importlib.metadata.version(package) in Tokenizer(**choices).signature.partition("|")[2]


def test_settings_that_give_other_words_have_other_signatures() -> None:
    text = "The Häuser weren't relational, und generously dying"
    words_of: dict[str, list[str]] = {}
    methods: tuple[tokens.Method, ...] = ("spacy", "whitespace")
    stemmers: tuple[tokens.Stemmer, ...] = ("none", "porter", "snowball")
    for method, language, lower, stemmer, stop in itertools.product(
        methods, ("en", "de"), (True, False), stemmers, (True, False)
    ):
        if stemmer != "porter" or language == "en":
            tokenizer = Tokenizer(method, language, lower, stemmer, stop)
            found = words(text, tokenizer)
            assert words_of.setdefault(tokenizer.signature, found) == found
    assert len(words_of) > 30


def test_the_signature_of_white_space_wants_no_package(missing: set[str]) -> None:
    missing |= {"spacy", "snowballstemmer"}
    assert Tokenizer("whitespace").signature == "tok:whitespace|case:lower|stem:no|stop:no"
    assert words("A b", Tokenizer("whitespace")) == ["a", "b"]


@pytest.mark.parametrize(
    ("package", "tokenizer"),
    [
        ("spacy", Tokenizer()),
        ("spacy", Tokenizer("whitespace", without_stop_words=True)),
        ("snowballstemmer", Tokenizer("whitespace", stemmer="porter")),
        ("snowballstemmer", Tokenizer("whitespace", stemmer="snowball")),
    ],
)
def test_a_missing_package_says_what_to_install(missing: set[str], package: str, tokenizer: Tokenizer) -> None:
    missing.add(package)
    with pytest.raises(ModuleNotFoundError, match=f"pip install {package}$") as raised:
        words("a", tokenizer)
    assert raised.value.name == package


def test_what_is_installed_is_imported() -> None:
    assert require_package("spacy", "words") is spacy


def test_threads_stem_without_harm_to_each_other() -> None:
    words = [f"{stem}{ending}" for stem in map(str, range(1000)) for ending in ("ings", "ational", "fulness", "ies")]
    tokenizer = Tokenizer("whitespace", stemmer="porter")
    expected = list(tokenizer.words(words))
    tokens._stemmer.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(lambda _: list(tokenizer.words(words)), range(4)))


def test_a_run_of_more_signs_than_anybody_writes_is_cut_sign_by_sign() -> None:
    """spaCy takes signs off one by one; of a text with nothing else it would do so for seconds."""
    within, beyond = "ab" + "!?" * 15, "ab" + "!?" * 16
    (few,), (many,) = Tokenizer().words([within]), Tokenizer().words([f"It is {beyond} so."])
    assert "".join(few) == within
    assert many == ("it", "is", "ab", *"!?" * 16, "so", ".")


def test_long_runs_of_signs_never_reach_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    rules = spacy_models.blank_model("en").tokenizer

    def watched(text: str) -> Any:
        seen.append(text)
        return rules(text)

    monkeypatch.setattr(tokens, "blank_model", lambda _language: SimpleNamespace(tokenizer=watched))
    list(Tokenizer().words(["\"')]" * 1_000, "\u3300" * 1_000, "A text. " * 9]))
    assert seen == ["A text. " * 9]
