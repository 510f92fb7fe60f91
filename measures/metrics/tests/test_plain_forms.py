"""Texts before they are cut into words: typographic characters in their plain forms, invisible ones removed."""

import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from measures.metrics import Analysis, Options, Tokenizer, compare, metrics_named, score, signature
from measures.metrics.registry import EXTRA_METRICS, METRICS
from measures.metrics.words.preprocessing import plain_form
from measures.text.normalization import INVISIBLE_RANGES, canonical

UNPARSED = [name for name, metric in {**METRICS, **EXTRA_METRICS}.items() if not metric.wants_parser]
TYPOGRAPHIC = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u2035",
    '"': "\u201c\u201d\u201e\u201f\u2033\u2036",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "\u2026",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}
INVISIBLE = [chr(code) for first, last in INVISIBLE_RANGES for code in range(first, last + 1)]
ODD = [*INVISIBLE, *"".join(TYPOGRAPHIC.values()), "e", "\u0301", "\u00e9", "\u0338", "a", "'", '"', "-", " ", "="]

any_text = st.text(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])), max_size=40)


def words(text: str, analysis: Analysis) -> tuple[str, ...]:
    (found,) = analysis.texts([text])
    return found.words


@st.composite
def twice_written(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same as a word processor would set it."""
    plain = draw(st.text("abc é'\".- 1", min_size=1, max_size=30))
    typographic = ""
    for character in plain.replace("...", "\u2026") if draw(st.booleans()) else plain:
        typographic += draw(st.sampled_from(TYPOGRAPHIC.get(character, "") + character))
        typographic += draw(st.sampled_from(["", "", "", "\u00ad", "\u200b", "\ufeff", "\ufe0f"]))
    return plain, unicodedata.normalize(draw(st.sampled_from(["NFC", "NFD"])), typographic)


@pytest.mark.parametrize(("plain", "typographic"), TYPOGRAPHIC.items())
def test_typographic_characters_get_their_plain_forms(plain: str, typographic: str) -> None:
    assert {plain_form(f"a{character}b") for character in typographic} == {f"a{plain}b"}


@pytest.mark.parametrize(
    "kept", ["«oui»", "‹ja›", "ʼ", "´", "`", "--", "''", "ﬁ", "１", "x²", "漢字\u3002", "a\tb\n", "\u2028"]
)
def test_marks_of_a_language_letters_and_line_breaks_stay(kept: str) -> None:
    assert plain_form(kept) == kept


def test_every_white_space_that_is_a_space_becomes_a_plain_one() -> None:
    spaces = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"]
    assert {plain_form(space) for space in spaces} == {" "}


@pytest.mark.parametrize("first", [first for first, _ in INVISIBLE_RANGES])
def test_invisible_characters_of_the_length_rule_vanish(first: int) -> None:
    last = dict(INVISIBLE_RANGES)[first]
    assert plain_form("".join(f"a{chr(code)}" for code in range(first, last + 1))) == "a" * (last - first + 1)


def test_what_an_invisible_character_kept_apart_is_composed() -> None:
    assert plain_form("cafe\u200b\u0301") == plain_form("cafe\u0301") == "caf\u00e9"


@given(any_text)
@example("e\u00ad\u0301\u2026")
@example("\u2000\u0301\u200d")
def test_a_plain_form_is_its_own_plain_form(text: str) -> None:
    plain = plain_form(text)
    assert plain_form(plain) == plain
    assert plain == unicodedata.normalize("NFC", plain)
    assert not set(plain) & {*INVISIBLE, *"".join(TYPOGRAPHIC.values())}


@given(any_text)
def test_texts_that_are_equal_by_the_length_rule_have_the_same_words(text: str) -> None:
    spaces = Analysis(Tokenizer("whitespace"))
    assert words(text, spaces) == words(canonical(text), spaces)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_ascii_is_untouched(text: str) -> None:
    assert plain_form(text) == text


@given(twice_written(), st.sampled_from(["spacy", "whitespace"]))
def test_a_text_and_its_typographic_variant_have_the_same_scores(variants: tuple[str, str], method: str) -> None:
    tokenizer = Tokenizer("spacy" if method == "spacy" else "whitespace")
    plain, typographic = Analysis(tokenizer).texts(variants)
    assert typographic.words == plain.words
    itself, across = score(compare([plain, typographic], [[plain], [plain]]), UNPARSED)
    assert np.array_equal(itself, across)
    if len(plain.words) > 3:
        assert set(across) == {1.0}


def test_another_typography_draws_no_other_reference() -> None:
    plain = [f"it's {number}" for number in range(6)]
    curly = [text.replace("'", "\u2019") for text in plain]
    names, options = ["LR-1+Recall+SINGLE-REF"], [Options(seed=seed) for seed in range(20)]
    found = []
    for texts in (plain, curly):
        output, *references = Analysis().texts(["it's 3", *texts])
        found.append([score(compare([output], [references]), names, each)[0, 0] for each in options])
    assert found[0] == found[1]
    assert len(set(found[0])) == 2


def test_as_written_the_words_are_those_of_the_text() -> None:
    text = "so\u2026 \u201cyes\u201d \u2014 cafe\u0301\u200b"
    assert words(text, Analysis(normalize=False)) == tuple(next(Tokenizer().words([text])))
    assert words(text, Analysis()) == ("so", "...", '"', "yes", '"', "-", "café")


def test_the_signature_says_whether_texts_were_normalised() -> None:
    (metric,) = metrics_named(["LR-1+Recall+MULT-ALL"])
    on, off = (signature(metric, Analysis(normalize=each), Options()) for each in (True, False))
    assert "norm:yes" in on.split("|")
    assert "norm:no" in off.split("|")
    assert on.replace("norm:yes", "norm:no") == off


class Parsed:
    """A pipeline that notes what it is given."""

    lang, meta = "en", {"name": "noted", "version": "1"}

    def __init__(self) -> None:
        self.seen: list[str] = []

    def pipe(self, texts: list[str], **_: object) -> list[list[object]]:
        self.seen += texts
        return [[] for _ in texts]


def test_the_parser_reads_the_text_as_normalised(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Parsed()
    monkeypatch.setattr("measures.metrics.words.preprocessing.load_model", lambda _: pipeline)
    monkeypatch.setattr("measures.metrics.words.preprocessing.model_is_for", lambda *_: True)
    for normalize in (True, False):
        list(Analysis(parser="noted", normalize=normalize).texts(["it\u2019s\u00a0so"]))
    assert pipeline.seen == ["it's so", "it\u2019s\u00a0so"]
    (metric,) = metrics_named(["PARSE-2+Recall+MULT-ALL"])
    assert "norm:no" in signature(metric, Analysis(parser="noted", normalize=False), Options())
