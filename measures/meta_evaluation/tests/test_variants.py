"""Scores where texts are translated: against plain loops and the jackknifed ROUGE, and in the paper's shape."""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    VARIANT_METRICS,
    DiscriminativePower,
    Judges,
    Variant,
    VariantScores,
    jackknifed,
    person_scores,
    translated_variants,
    variant_analysis,
    variant_figures,
    variant_scores,
)
from measures.meta_evaluation.translated_texts import TextKey
from measures.metrics import Analysis, Text, Tokenizer, compare, score

WORDS = Analysis(Tokenizer("whitespace"))
PEOPLE, SYSTEMS = ("Ann", "Ben", "Cy"), ("A", "B", "C", "D", "E")
INPUTS = tuple(f"{number:02}" for number in range(20))
texts = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8).map(" ".join)
TAC = {"ROUGE-1": "ROUGE-1+Recall+JACKKNIFE", "ROUGE-2": "ROUGE-2+Recall+JACKKNIFE"}


def alone(references: dict[TextKey, str]) -> dict[TextKey, tuple[str, ...]]:
    return {key: (text,) for key, text in references.items()}


def original(outputs: dict[TextKey, str], references: dict[TextKey, str]) -> Variant:
    return Variant("original", "en", outputs, references, alone(references))


def scored(variant: Variant) -> VariantScores:
    return variant_scores(variant, analysis=WORDS)


def rouge(text: str, references: Sequence[str], name: str) -> float:
    texts = [Text(tuple(each.split())) for each in (text, *references)]
    return float(score(compare(texts[:1], [texts[1:]]), [name])[0, 0])


def corpus(
    seed: int = 12, *, noise: float = 0.3
) -> tuple[dict[TextKey, str], dict[TextKey, str], dict[TextKey, float]]:
    """Systems that keep fewer and fewer of the words that people choose, with ratings that say so."""
    rng = np.random.default_rng(12)
    outputs: dict[TextKey, str] = {}
    references: dict[TextKey, str] = {}
    ratings: dict[TextKey, float] = {}
    for name in INPUTS:
        good = rng.permutation([f"w{number}" for number in range(12)])
        for person in PEOPLE:
            references[name, person] = " ".join(np.where(rng.random(12) < 0.15, "x", good))
            ratings[name, person] = 5 + noise * rng.normal()
        for place, system in enumerate(SYSTEMS):
            outputs[name, system] = " ".join(np.where(rng.random(12) < 0.2 + 0.15 * place, "y", good))
            ratings[name, system] = 4 - 0.7 * place + noise * rng.normal()
    return outputs, references, ratings


def judges(ratings: dict[TextKey, float], name: str = "source language") -> Judges:
    systems, people = ({key: each for key, each in ratings.items() if key[1] in some} for some in (SYSTEMS, PEOPLE))
    return Judges(name, systems, people)


# Scores


@settings(deadline=None, max_examples=60)
@given(texts, st.lists(texts, min_size=2, max_size=4, unique=True))
def test_systems_are_scored_as_by_the_jackknifed_rouge_and_people_against_the_others(
    output: str, given_texts: list[str]
) -> None:
    references = {("1", f"person {number}"): text for number, text in enumerate(given_texts)}
    found = scored(original({("1", "A"): output}, references))
    for place, (short, name) in enumerate(VARIANT_METRICS.items()):
        metric = partial(rouge, name=name)
        loop = jackknifed(metric, output, given_texts)
        assert found.system_scores[place, 0, 0] == pytest.approx(loop)
        if short in TAC:
            assert found.system_scores[place, 0, 0] == pytest.approx(rouge(output, given_texts, TAC[short]))
        people = person_scores(metric, given_texts)
        assert found.person_scores[place, :, 0].tolist() == pytest.approx(people)


def test_all_translations_of_a_person_s_text_are_left_out_with_it() -> None:
    references = {("1", "Ann"): ("a b", "a c"), ("1", "Ben"): ("d e",)}
    variant = Variant("translated references", "en", {("1", "A"): "a d"}, {("1", "Ann"): "a b"}, references)
    found = scored(variant)
    assert found.person_scores[0, 0, 0] == 0
    assert found.system_scores[0, 0, 0] == pytest.approx((1 / 2 + 2 / 4) / 2)


def test_a_person_whose_text_is_no_reference_is_scored_as_a_system_is() -> None:
    references = {("1", "Ann"): ("a b",), ("1", "Ben"): ("c d",)}
    found = scored(Variant("translated outputs", "en", {("1", "A"): "a b c"}, {("1", "Zoe"): "a b c"}, references))
    assert found.person_scores.tolist() == found.system_scores.tolist()


def test_one_person_s_references_are_not_enough() -> None:
    variant = original({("1", "A"): "a"}, {("1", "Ann"): "a"})
    found = scored(variant)
    assert np.isnan(found.system_scores).all()
    figures = variant_figures(found, [])[0]
    assert figures.systems_mean == Undefined("a text by people needs a second reference to be scored against")
    assert (figures.systems, figures.people) == (0, 0)


def test_words_are_cut_and_stemmed_by_the_language_of_the_variant() -> None:
    def recall(language: str, *, stemmed: bool) -> float:
        references = {("1", "Ann"): ("les maisons",), ("1", "Ben"): ("les maisons",)}
        variant = Variant("original", language, {("1", "A"): "la maison"}, {}, references)
        found = variant_scores(variant, analysis=variant_analysis(language, stemmed=stemmed))
        assert ("snowball" in found.signatures[0]) is stemmed
        return float(found.system_scores[0, 0, 0])

    assert recall("fr", stemmed=True) == pytest.approx(0.5)
    assert recall("fr", stemmed=False) == 0


def test_languages_without_rules_or_stemmer_have_words_between_spaces() -> None:
    assert variant_analysis("tlh").tokenizer == Tokenizer("whitespace", "tlh")
    assert variant_analysis("pt-BR").tokenizer == Tokenizer(language="pt", stemmer="snowball")


# Variants


OUTPUTS = {("1", "A"): "out a", ("1", "B"): "out b", ("2", "A"): "out a"}
REFERENCES = {("1", "Ann"): "ref", ("1", "Ben"): "ref", ("2", "Ann"): "other"}


def names(*translations: tuple[str, str, str, str, str, str]) -> list[str]:
    return [each.name for each in translated_variants("en", OUTPUTS, REFERENCES, translations)]


def test_without_translations_there_are_the_originals() -> None:
    assert names() == ["original, en"]
    assert names(("1", "output", "gone", "fr", "X", "t"), ("1", "source", "s", "fr", "X", "t")) == ["original, en"]


def test_translations_back_are_compared_with_originals() -> None:
    back = [
        ("1", kind, text, "en-GB", maker, f"{text} by {maker}")
        for maker in "XY"
        for kind, text in [("output", "out a"), ("reference", "ref")]
    ]
    assert names(*back) == [
        "original, en",
        "translated outputs (X), en",
        "translated outputs (Y), en",
        "translated references (X), en",
        "translated references (Y), en",
        "translated references (X, Y), en",
        "original and translated references (X, Y), en",
    ]
    together = translated_variants("en", OUTPUTS, REFERENCES, back)[-1]
    assert together.references["1", "Ben"] == ("ref", "ref by X", "ref by Y")
    assert together.references["2", "Ann"] == ("other",)


def test_in_another_language_everything_is_translated() -> None:
    rows = [
        ("1", kind, text, "fr", maker, f"{text} {maker}")
        for maker in "XY"
        for kind, text in [("output", "out a"), ("reference", "ref")]
    ]
    assert names(*rows) == [
        "original, en",
        "translated outputs and references (X), fr",
        "translated outputs and references (X, Y), fr",
        "translated outputs and references (Y), fr",
        "translated outputs and references (Y, X), fr",
    ]
    own = translated_variants("en", OUTPUTS, REFERENCES, rows)[1]
    assert own.outputs == {("1", "A"): "out a X"}
    assert own.references == {("1", "Ann"): ("ref X",), ("1", "Ben"): ("ref X",)}


def test_scripts_of_a_language_are_not_compared() -> None:
    row = ("1", "output", "out a", "zh-Hant", "X", "t")
    assert [each.name for each in translated_variants("zh-Hans", OUTPUTS, REFERENCES, [row])] == ["original, zh-Hans"]


def test_translated_sources_are_summarized() -> None:
    rows = [("1", "source", "s", "en", "X", "Long text."), ("2", "source", "s", "en", "X", "Short.")]
    found = translated_variants(
        "en", OUTPUTS, REFERENCES, rows, summarize=lambda text, _: text[:4] if len(text) > 8 else Undefined("too short")
    )
    assert found[-1].name == "summarized translations (X), en"
    assert found[-1].outputs == {("1", "LSA"): "Long"}
    assert found[-1].references == alone(REFERENCES)


# Against ratings


def test_correlations_are_those_of_means() -> None:
    outputs, references, ratings = corpus()
    found = scored(original(outputs, references))
    figures = variant_figures(found, [judges(ratings)])[1]
    means = {"systems only": SYSTEMS, "people only": PEOPLE, "people and systems": (*SYSTEMS, *PEOPLE)}
    values = dict(zip(SYSTEMS, found.system_scores[1].mean(axis=1), strict=True))
    values |= dict(zip(PEOPLE, found.person_scores[1].mean(axis=1), strict=True))
    for who, some in means.items():
        rated = [np.mean([ratings[name, each] for name in INPUTS]) for each in some]
        for method, function in (("pearson", pearsonr), ("spearman", spearmanr), ("kendall", kendalltau)):
            told = figures.against["source language"].correlations[who][method]  # type: ignore[index]
            assert told.r == pytest.approx(function([values[each] for each in some], rated).statistic)
            assert told.systems == len(some)
    assert figures.people_mean == pytest.approx(np.mean([values[each] for each in PEOPLE]))
    assert figures.systems_mean == pytest.approx(np.mean([values[each] for each in SYSTEMS]))


def test_means_are_of_texts_with_a_score_and_a_rating() -> None:
    outputs, references, ratings = corpus()
    half = {key: text for key, text in references.items() if key[0] in INPUTS[:10]}
    wrong = {key: value if key[0] in INPUTS[:10] else -value for key, value in ratings.items()}
    first = variant_figures(scored(original(outputs, half)), [judges(ratings)])[0].against["source language"]
    second = variant_figures(scored(original(outputs, half)), [judges(wrong)])[0].against["source language"]
    assert first.correlations == second.correlations
    assert first.power == second.power


def test_discriminative_power_counts_pairs_that_both_find_different() -> None:
    outputs, references, ratings = corpus()
    scores = scored(original(outputs, references))
    found = variant_figures(scores, [judges(ratings)])[0].against["source language"].power
    assert isinstance(found, DiscriminativePower)
    assert (found.pairs, found.opposite, found.left_out, found.coarse) == (10, 0, 0, True)
    assert found.same <= min(found.by_metric, found.by_ratings)
    assert found.share.value == found.by_metric / 10
    turned = judges({key: -value for key, value in ratings.items()})
    opposite = variant_figures(scores, [turned])[0].against["source language"].power
    assert isinstance(opposite, DiscriminativePower)
    assert (opposite.same, opposite.opposite) == (0, found.same)


def test_worse_translations_find_fewer_differences() -> None:
    outputs, references, ratings = corpus()
    rng = np.random.default_rng(3)

    def spoiled(text: str) -> str:
        return " ".join("z" if rng.random() < 0.9 else word for word in text.split())

    rows = [(name, "output", text, "en", "bad", spoiled(text)) for (name, _), text in outputs.items()]
    variants = translated_variants("en", outputs, references, rows)
    power = [variant_figures(scored(each), [judges(ratings)])[0].against["source language"].power for each in variants]
    assert all(isinstance(each, DiscriminativePower) for each in power)
    plain, translated = (each.by_metric for each in power if isinstance(each, DiscriminativePower))
    assert translated < plain


def test_the_tables_of_the_paper_can_be_filled() -> None:
    """Table 4 has means of people and systems, and two correlations of each variant and metric."""
    outputs, references, ratings = corpus()
    rows = [
        (name, "reference", text, "en", maker, f"{text} {maker}")
        for (name, _), text in references.items()
        for maker in ("via fr", "via cs")
    ]
    variants = translated_variants("en", outputs, references, rows)
    both = [judges(ratings), Judges("target language", judges(ratings).systems)]
    table = [row for each in variants for row in variant_figures(scored(each), both)]
    assert [(row.variant, row.metric) for row in table] == list(
        product([each.name for each in variants], VARIANT_METRICS)
    )
    for row in table:
        assert isinstance(row.people_mean, float)
        assert isinstance(row.systems_mean, float)
        assert row.people_mean > row.systems_mean
        source, target = row.against["source language"], row.against["target language"]
        systems, everybody = (source.correlations[who]["pearson"] for who in ("systems only", "people and systems"))
        assert all(isinstance(each, float) for each in (systems.r, systems.p, everybody.r, everybody.p))
        assert target.correlations["systems only"]["pearson"] == systems
        assert isinstance(target.correlations["people only"]["pearson"].r, Undefined)


@pytest.mark.parametrize(
    ("few", "reason"),
    [
        (SYSTEMS[:1], "there are fewer than 2 systems with a score and a quality"),
        (SYSTEMS, "no two systems share enough inputs with a score and a rating"),
    ],
)
def test_what_cannot_be_told_says_why(few: tuple[str, ...], reason: str) -> None:
    outputs, references, _ = corpus()
    some = {key: text for key, text in outputs.items() if key[1] in few}
    figures = variant_figures(scored(original(some, references)), [Judges("nobody", {})])[0].against["nobody"]
    assert figures.power == Undefined(reason)
    assert isinstance(figures.correlations["systems only"]["pearson"].r, Undefined)


def test_there_is_nobody_to_score() -> None:
    variant = Variant(
        "summarized translations", "en", {("1", "LSA"): "a"}, {}, {("1", "Ann"): ("a",), ("1", "B"): ("b",)}
    )
    figures = variant_figures(scored(variant), [])[0]
    assert figures.people_mean == Undefined("there is no such text by a person")
    assert figures.systems_mean == 0.5


@settings(deadline=None, max_examples=15)
@given(st.permutations(SYSTEMS), st.permutations(INPUTS))
def test_names_and_order_do_not_matter(systems: list[str], inputs: list[str]) -> None:
    outputs, references, ratings = corpus()
    of_system, of_input = dict(zip(SYSTEMS, systems, strict=True)), dict(zip(INPUTS, inputs, strict=True))

    def renamed(given_texts: dict[TextKey, str]) -> dict[TextKey, str]:
        return {(of_input[name], of_system.get(author, author)): text for (name, author), text in given_texts.items()}

    new = {(of_input[name], of_system.get(author, author)): value for (name, author), value in ratings.items()}
    first = variant_figures(scored(original(outputs, references)), [judges(ratings)])[0].against["source language"]
    found = variant_figures(scored(original(renamed(outputs), renamed(references))), [judges(new)])[0]
    second = found.against["source language"]
    assert second.power == first.power
    for who, by_method in first.correlations.items():
        told = [each.r for each in second.correlations[who].values()]
        assert told == pytest.approx([each.r for each in by_method.values()])
