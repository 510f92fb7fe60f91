"""What holds for every system: the range, the length rule, the same output again, and whatever comes in."""

from collections import Counter
from functools import cache
from importlib.util import find_spec
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from measures.core.undefined import Undefined
from measures.text.length_rule import check_compression
from measures.text.normalization import length
from systems.programs.baselines import first
from systems.programs.documents import start_of_centroid, topline, wholes
from systems.programs.extraction import Weights, answering, centroid, clauses, extractive, latent_topics, mmr
from systems.programs.lm.trigrams import trained
from systems.programs.made_pairs import made_pairs, parse_of
from systems.programs.models import Checkpoint, Model
from systems.programs.neural.tests.data import SMALL, small
from systems.programs.pairs import Pair, TrainingData
from systems.programs.parses import Sentence, Word
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Output, Range, Source, Status
from systems.programs.tokens import kept_text, tokens_of
from tests.support.trees import chained

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


without_pytorch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch, the extra neural, is not installed")
NAMES = [pytest.param(name, marks=without_pytorch if name in SMALL else ()) for name in SYSTEMS]
MODEL = trained([[word.lower() for word in sentence.split()] for sentence in PARAGRAPH], least=1)


@cache
def learnt(name: str) -> Model | None:
    """What a system that does nothing without it has learnt from made-up pairs."""
    system = SYSTEMS[name]
    if not system.is_learnt or system.train is None:
        return None
    if name in SMALL:
        return small(name)
    pairs = made_pairs(24, seed=1)
    data = TrainingData("en", tuple(Pair(pair.source_text, pair.target_text) for pair in pairs))
    known = Resources((), parse_of(pairs), MODEL)
    return system.train(data, known, seed=1, checkpoint=Checkpoint(), progress=lambda *_step: None)


def made_by(name: str, source: Source, range_: Range, seed: int = 1) -> Output | Undefined:
    resources = Resources(
        [source, Source("0", source.language, PARAGRAPH)],
        chained,
        MODEL,
        documents={source.id: "one", "0": "one"},
        questions={source.id: "Who repairs the bridge?"},
        references={source.id: PARAGRAPH[1:]},
        trained=learnt(name),
    )
    return SYSTEMS[name].prepare(resources)(source, range_, seed)


def check(source: Source, range_: Range, output: Output | Undefined) -> None:
    if isinstance(output, Undefined):
        return
    assert check_compression(source.text, output.text, range_.most).accepted
    assert (output.note == "") == (output.status == Status.MADE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("odd", ODD)
def test_odd_texts_are_compressed_by_the_rule_or_not_at_all(name: str, odd: str) -> None:
    source = Source(odd, LANGUAGES.get(odd, "en"), ODD[odd])
    for range_ in (Range(), Range(10, 10), Range(50, 99)):
        output = made_by(name, source, range_)
        check(source, range_, output)
        assert output == made_by(name, source, range_)
    if odd in {"quotes", "paragraph"}:
        assert isinstance(made_by(name, source, Range()), Output)


@pytest.mark.parametrize("name", NAMES)
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


def test_a_final_mark_that_is_called_a_part_stays_and_nothing_waits_for_it() -> None:
    rows = (("Men", 1, "nsubj"), ("slept", 1, "root"), ("very", 3, "advmod"), ("late", 1, "advmod"), ("!", 1, "conj"))
    words = tuple(Word(text, text != "!", head, relation, "X") for text, head, relation in rows)
    source = Source("1", "en", ("Men slept very late!",))
    known = Resources([source], lambda _text: Sentence(words))
    assert SYSTEMS["drop"].prepare(known)(source, Range(1, 60), 1) == Output("Men slept!")
    output = SYSTEMS["drop"].prepare(known)(source, Range(1, 40), 1)
    assert isinstance(output, Output)
    assert output.status == Status.FALLBACK


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
    output = extractive(latent_topics)(Source("1", "en", (PARAGRAPH[0],)), Range(), 1)
    assert isinstance(output, Output)
    assert (output.status, output.note) == (Status.FALLBACK, "no whole sentence is short enough")


def test_weights_are_those_of_another_library() -> None:
    sources = [Source("1", "en", PARAGRAPH), Source("2", "en", ("The river rose.", "The old man left the bridge."))]
    words = TfidfVectorizer(analyzer=lambda sentence: [w.casefold() for w in sentence.rstrip(".").split()])
    everything = [sentence for source in sources for sentence in source.sentences]
    expected = words.fit(everything).transform(sources[0].sentences).toarray()
    found = Weights.of(sources).vectors(sources[0])[0]
    np.testing.assert_allclose(np.sort(found, axis=1)[:, -5:], np.sort(expected, axis=1)[:, -5:])


def test_full_balance_ranks_by_the_cosine_with_the_whole() -> None:
    source = Source("1", "en", PARAGRAPH)
    weights = Weights.of([source])
    vectors, _ = weights.vectors(source)
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


def word(text: str, head: int, relation: str) -> Word:
    return Word(text, text not in {",", "."}, head, relation, "X")


CLAUSES = Sentence(
    tuple(
        word(*each)
        for each in [
            ("Although", 2, "mark"),
            ("it", 2, "nsubj"),
            ("rained", 5, "advcl"),
            (",", 5, "punct"),
            ("we", 5, "nsubj"),
            ("left", 5, "root"),
            ("early", 5, "advmod"),
            (",", 9, "punct"),
            ("and", 9, "cc"),
            ("drove", 5, "conj"),
            ("home", 9, "advmod"),
            (".", 5, "punct"),
        ]
    )
)
ALONE = Source("1", "en", ("Although it rained, we left early, and drove home.",))


def test_the_units_of_a_sentence_that_stands_alone_are_its_clauses() -> None:
    texts = [" ".join(CLAUSES.words[place].text for place in sorted(span)) for span in clauses(CLAUSES)]
    assert texts == ["Although it rained", ", we left early", ", and drove home"]
    system = extractive(lambda _source, fits: (1,) if fits((1,)) else (), lambda _text: CLAUSES)
    assert system(ALONE, Range(20, 75), 1) == Output("We left early.")
    ends = extractive(lambda _source, _fits: (0, 2), lambda _text: CLAUSES)
    assert ends(ALONE, Range(20, 75), 1) == Output("Although it rained and drove home.")
    assert system(ALONE, Range(10, 20), 1) == Output("Although.", Status.FALLBACK, "no whole clause is short enough")


def test_a_question_draws_what_answers_it_and_none_is_no_output() -> None:
    source = Source("1", "en", PARAGRAPH)
    system = answering(Weights.of([source]), {"1": "Was somebody hurt?"})
    output = system(source, Range(5, 30), 1)
    assert isinstance(output, Output)
    assert output.text == "Nobody was hurt there."
    assert isinstance(system(Source("2", "en", PARAGRAPH), Range(), 1), Undefined)


def test_the_beginning_is_that_of_the_nearest_text_of_the_document() -> None:
    texts = ("The bridge fell last night.", "Men saw the bridge and the river.", "Men saw a river.")
    sources = [Source(str(place), "en", (text,)) for place, text in enumerate(texts)]
    alone = Source("9", "en", ("Nothing else belongs to the document of this one.",))
    system = start_of_centroid([*sources, alone], dict.fromkeys("012", "one"))
    output = system(sources[0], Range(), 1)
    assert isinstance(output, Output)
    assert output.text == "Men saw the bridge."
    assert system(alone, Range(), 1) == first(alone, Range())


# One sentence is short enough. "Cats sat." stands in the document twice: its cosine with the sum of vectors of length 1
# is 2 / √6, that of the others 1 / √6. In the centroid its words weigh √2 / 2, those of the others √2 / 4 and √3 / 4.
# Latent topics take a word in half of the sentences for half a word: the sentences weigh √2, √2 / 2, √2 / 2 and √3.
@pytest.mark.parametrize(
    ("name", "expected"),
    [("lead", "Dogs ran."), ("mmr", "Cats sat."), ("centroid", "Cats sat."), ("lsa", "Old men fell.")],
)
def test_what_is_chosen_may_come_from_all_texts_of_a_document(name: str, expected: str) -> None:
    sources = [
        Source("1", "en", ("Dogs ran.", "Cats sat.")),
        Source("2", "en", ("Cats sat.", "Old men fell.")),
        Source("3", "en", ("Snow came.", "It melted.")),
    ]
    known = Resources(sources, wholes=wholes(sources, {"1": "one", "2": "one"}))
    outputs = [SYSTEMS[name].prepare(known)(source, Range(), 1) for source in sources]
    first_text, second, alone = [output.text for output in outputs if isinstance(output, Output)]
    assert first_text == second == expected
    assert alone in sources[2].sentences


def test_the_clauses_of_a_sentence_alone_in_its_document_are_units() -> None:
    known = Resources([ALONE], lambda _text: CLAUSES, wholes=wholes([ALONE], {}))
    output = SYSTEMS["lead"].prepare(known)(ALONE, Range(20, 75), 1)
    assert output == Output("Although it rained, we left early.")


def test_no_words_of_a_short_text_share_more_with_the_references_than_the_topline() -> None:
    source = Source("1", "en", ("The old bridge over the river fell down last night.",))
    references = ("The bridge fell last night.", "The old bridge fell down.")
    output = topline({"1": references})(source, Range(), 1)
    assert isinstance(output, Output)
    tokens = tokens_of(source.text, "en")

    def recall(text: str) -> float:
        own = pairs(text)
        return float(np.mean([(own & pairs(each)).total() / pairs(each).total() for each in references]))

    def pairs(text: str) -> Counter[tuple[str, str]]:
        return Counter(pairwise(token.text.lower() for token in tokens_of(text, "en")))

    texts = [kept_text(tokens, kept) for number in range(1, 12) for kept in combinations(range(11), number)]
    assert recall(output.text) == max(
        recall(text) for text in texts if length(text) <= Range().most_length(source.text)
    )
    assert isinstance(topline({})(source, Range(), 1), Undefined)


def test_only_the_topline_has_seen_the_references() -> None:
    assert [name for name, system in SYSTEMS.items() if system.has_seen_references] == ["topline"]
