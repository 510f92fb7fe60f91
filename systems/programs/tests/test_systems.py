"""What holds for every system: the range, the length rule, the same output again, and whatever comes in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from measures.core.undefined import Undefined
from measures.text.length_rule import check_compression
from measures.text.normalization import length
from systems.programs.baselines import Weights, centroid, extractive, mmr
from systems.programs.lm.trigrams import trained
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.tests.trees import chained
from systems.programs.texts import Output, Range, Source, Status
from systems.programs.tokens import kept_text, tokens_of

PARAGRAPH = (
    "The old bridge over the river fell last night after a week of heavy rain in the hills.",
    "Nobody was hurt there.",
    "The committee agreed to repair the bridge before the first snow of the winter.",
)
ODD = {
    "empty": ("",),
    "one word": ("Word.",),
    "one long word": ("a" * 400 + ".",),
    "no letters": ("… !",),
    "quotes": ('He said: "It\'s (nearly) over," and left; nobody—not even she—knew why.',),
    "chinese": ("昨天晚上河上的老桥在一周的大雨之后倒塌了,没有人受伤。",),
    "thousand words": (" ".join(f"word{number}" for number in range(1000)) + ".",),
    "paragraph": PARAGRAPH,
}
LANGUAGES = {"chinese": "zh", "thousand words": "qqq"}
sentences = st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=4)


MODEL = trained([[word.lower() for word in sentence.split()] for sentence in PARAGRAPH], least=1)


def made_by(name: str, source: Source, range_: Range, seed: int = 1) -> Output | Undefined:
    resources = Resources([source, Source("0", source.language, PARAGRAPH)], chained, MODEL)
    return SYSTEMS[name].prepare(resources)(source, range_, seed)


def check(source: Source, range_: Range, output: Output | Undefined) -> None:
    if isinstance(output, Undefined):
        return
    assert check_compression(source.text, output.text, range_.most).accepted
    assert (output.note == "") == (output.status == Status.MADE)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("odd", ODD)
def test_odd_texts_are_compressed_by_the_rule_or_not_at_all(name: str, odd: str) -> None:
    source = Source(odd, LANGUAGES.get(odd, "en"), ODD[odd])
    for range_ in (Range(), Range(10, 10), Range(50, 99)):
        output = made_by(name, source, range_)
        check(source, range_, output)
        assert output == made_by(name, source, range_)
    if odd in {"quotes", "paragraph"}:
        assert isinstance(made_by(name, source, Range()), Output)


@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=30)
@given(parts=sentences, most=st.integers(2, 99))
def test_any_text_is_compressed_by_the_rule_or_not_at_all(name: str, parts: list[str], most: int) -> None:
    source = Source("1", "en", tuple(parts))
    check(source, Range.below(most), made_by(name, source, Range.below(most)))


@given(st.text(max_size=80))
def test_keeping_all_tokens_gives_the_text_back(text: str) -> None:
    tokens = tokens_of(text, "en")
    assert kept_text(tokens, range(len(tokens))) == " ".join(text.split())


def test_what_is_dropped_leaves_a_text_that_reads_on() -> None:
    tokens = tokens_of('The committee ("the board") agreed.', "en")
    words = [token.text for token in tokens]
    keep = [place for place, word in enumerate(words) if word not in {"(", '"', ")", "The"}]
    assert kept_text(tokens, keep) == "Committee the board agreed."


def test_the_first_words_are_whole_and_as_many_as_fit() -> None:
    source = Source("1", "en", ("The committee agreed to repair it's old (wooden) bridge.",))
    for most in range(10, 100):
        output = made_by("first", source, Range(1, most))
        if isinstance(output, Output):
            words = output.text.rstrip(".")
            assert source.text.startswith(words)
            assert source.text[len(words)] in " .)"
    assert made_by("first", source, Range(1, 60)) == Output("The committee agreed to repair.")


def test_chance_keeps_about_the_middle_of_the_range_and_other_seeds_other_words() -> None:
    source = Source("1", "en", (PARAGRAPH[0],))
    made = {made_by("random", source, Range(), seed) for seed in range(20)}
    assert len(made) > 15
    shares = [length(output.text) / length(source.text) for output in made if isinstance(output, Output)]
    assert 0.6 < np.mean(shares) <= 0.75


def test_sentences_stay_whole_and_in_their_order() -> None:
    source = Source("1", "en", PARAGRAPH)
    for name in ("lead", "lsa", "mmr", "centroid"):
        output = made_by(name, source, Range())
        assert isinstance(output, Output)
        kept = [sentence for sentence in PARAGRAPH if sentence in output.text]
        assert " ".join(kept) == output.text
    assert made_by("lead", source, Range()) == Output(" ".join(PARAGRAPH[:2]))


def test_without_a_sentence_that_fits_the_first_words_stand_in_and_say_so() -> None:
    output = made_by("lsa", Source("1", "en", (PARAGRAPH[0],)), Range())
    assert isinstance(output, Output)
    assert (output.status, output.note) == (Status.FALLBACK, "no whole sentence is short enough")


def test_weights_are_those_of_another_library() -> None:
    sources = [Source("1", "en", PARAGRAPH), Source("2", "en", ("The river rose.", "The old man left the bridge."))]
    words = TfidfVectorizer(analyzer=lambda sentence: [w.casefold() for w in sentence.rstrip(".").split()])
    everything = [sentence for source in sources for sentence in source.sentences]
    expected = words.fit(everything).transform(sources[0].sentences).toarray()
    found = Weights.of(sources).vectors(sources[0])
    np.testing.assert_allclose(np.sort(found, axis=1)[:, -5:], np.sort(expected, axis=1)[:, -5:])


def test_full_balance_ranks_by_the_cosine_with_the_whole() -> None:
    source = Source("1", "en", PARAGRAPH)
    weights = Weights.of([source])
    vectors = weights.vectors(source)
    nearest = int(np.argmax(vectors @ vectors.sum(axis=0)))
    assert mmr(weights, balance=1.0)(source, lambda chosen: len(chosen) <= 1) == (nearest,)


def test_one_sentence_in_is_that_sentence_out() -> None:
    source = Source("1", "en", ("It rained.",))
    for choose in (mmr(Weights.of([source])), centroid(Weights.of([source]))):
        assert choose(source, lambda _chosen: True) == (0,)
    assert extractive(lambda _source, _fits: (0,))(source, Range(1, 100), 0) == Output("It rained.")


def test_a_range_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="a range of 80% to 75%"):
        Range(80, 75)
