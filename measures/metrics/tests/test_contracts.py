"""What every metric keeps to: its name, its range, what is perfect, what is nothing, and what is refused."""

import re
import time
import tracemalloc
import warnings
from functools import cache
from itertools import product
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
from numpy.testing import assert_array_equal

from measures.core.arrays import FloatArray
from measures.metrics import (
    EXTRA_METRICS,
    METRICS,
    Options,
    Text,
    Tokenizer,
    compare,
    leave_one_out,
    metrics_named,
    score,
    score_chunks,
)
from measures.metrics.options import SMOOTHINGS, ReferenceChoice

KNOWN = METRICS | EXTRA_METRICS
NAMES = list(KNOWN)
UNPARSED = [name for name in NAMES if not KNOWN[name].wants_parser]
UNITS = ["LR-1", "LR-2", "LR-3", "LR-4", "SKIP-2", "PARSE-2"]


def text(words: str) -> Text:
    """Its words are its dependencies as well."""
    return Text(tuple(words.split()), tuple(words.split()))


def scored(output: str, *references: str, options: Options | None = None) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        row = score(compare([text(output)], [[text(each) for each in references]]), NAMES, options)[0]
    return dict(zip(NAMES, row.tolist(), strict=True))


def assert_all_are(wanted: float, found: dict[str, float]) -> None:
    """Every metric says the same; those that do not are named."""
    assert {name: value for name, value in found.items() if value != wanted} == {}


def assert_each(keeps: npt.ArrayLike) -> None:
    """Every metric keeps a promise; those that do not are named."""
    assert [name for name, kept in zip(NAMES, np.asarray(keeps), strict=True) if not kept] == []


def random_sources(number: int, seed: int) -> list[list[Text]]:
    """Two to five texts each; some are empty, some are alike."""
    rng = np.random.default_rng(seed)
    sources = []
    for _ in range(number):
        words = int(rng.choice([1, 3, 12, 200]))
        some = [" ".join(map(str, rng.integers(0, words, n))) for n in rng.integers(0, 16, rng.integers(2, 6))]
        sources.append([text(each) for each in some])
    return sources


SOURCES = random_sources(80, seed=3)
COMPARED = leave_one_out(SOURCES)


@cache
def of_sources(options: Options) -> FloatArray:
    return score(COMPARED, NAMES, options)


def test_there_are_the_eighty_of_the_paper_by_its_names() -> None:
    of_units = {
        f"{units}+{measure}+{references}"
        for units in UNITS
        for measure in ("Precision", "Recall", "F-1")
        for references in ("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB")
    }
    bleu = {f"BLEU-{n}+PrecBrev+{references}" for n in (2, 3, 4) for references in ("SINGLE-REF", "MULT-ALL")}
    rouge = {"ROUGE-L+Recall+SINGLE-REF", "ROUGE-L+Recall+MULT-MAX"}
    assert set(METRICS) == of_units | bleu | rouge
    assert len(METRICS) == 80


def test_no_name_is_given_twice() -> None:
    assert len(KNOWN) == len(METRICS) + len(EXTRA_METRICS)
    assert len({name.lower() for name in KNOWN}) == len(KNOWN)


def test_a_metric_is_called_what_it_does() -> None:
    for name, metric in KNOWN.items():
        assert metric.name == name == f"{metric.units}+{metric.measure}+{metric.references}"
        assert metrics_named([name]) == [metric]
        assert metric.wants_parser == name.startswith("PARSE-2"), name
        assert re.search(r"[12]\d{3}.*, (§|p\. )\d", metric.source), name


def test_scores_are_finite_and_in_their_range() -> None:
    assert {(metric.low, metric.high) for metric in KNOWN.values()} == {(0, 1)}
    for single, smoothing in product(get_args(ReferenceChoice), SMOOTHINGS):
        values = of_sources(Options(single=single, smoothing=smoothing))
        assert_each(np.isfinite(values).all(axis=0))
        assert_each(values.min(axis=0) == 0)
        assert_each(values.max(axis=0) <= 1)
        assert_each(((values > 0.3) & (values < 1)).any(axis=0))


def test_a_text_is_perfect_beside_itself() -> None:
    for words in ("we all live in one house", "so so so so so so", "a b a b a b a"):
        assert_all_are(1, scored(words, words))
        assert_all_are(1, scored(words, words, words, words))


def test_a_text_among_its_references_is_as_good_as_the_best_of_them() -> None:
    found = scored("we all live in one house", "one house is where all live", "we all live in one house", "we do")
    perfect = [name for name in NAMES if name.endswith(("MULT-MAX", "Precision+MULT-ALL", "PrecBrev+MULT-ALL"))]
    assert len(perfect) >= 6 * 3 + 1 + 6 + 3
    assert {found[name] for name in perfect} == {1}


def test_nothing_scores_nothing() -> None:
    assert_all_are(0, scored("", "a b c d e"))
    assert_all_are(0, scored("", "a b c d e", ""))
    assert_all_are(0, scored("a b c d e", ""))
    assert_all_are(0, scored("a b c d e", "", ""))
    assert_all_are(0, scored("", ""))
    assert_all_are(0, scored("", "", ""))


def test_texts_with_nothing_in_common_score_nothing() -> None:
    assert_all_are(0, scored("a b c d e", "f g h i j", "k l m"))
    assert_all_are(0, scored("The House Is Ours", "the house is ours"))


def test_case_is_a_matter_of_the_tokenizer() -> None:
    some = ["The House Is Ours", "the house is ours"]
    for lower, value in ((True, 1.0), (False, 0.0)):
        output, reference = [Text(words) for words in Tokenizer("whitespace", lower=lower).words(some)]
        assert set(score(compare([output], [[reference]]), UNPARSED)[0]) == {value}


def test_one_word_is_perfect_where_one_word_is_a_unit() -> None:
    of_one_word = {"LR-1", "PARSE-2", "STRING", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "ROUGE-1", "ROUGE-SU4"}
    assert scored("house", "house") == {name: metric.units in of_one_word for name, metric in KNOWN.items()}
    assert_all_are(0, scored("house", "home"))


def test_a_word_counts_as_often_as_both_say_it() -> None:
    found = scored("the the the", "the the")
    expected = {"LR-1": (2 / 3, 1), "LR-2": (1 / 2, 1), "LR-3": (0, 0), "SKIP-2": (1 / 3, 1), "PARSE-2": (2 / 3, 1)}
    for units, values in expected.items():
        for references in ("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB"):
            measures = [found[f"{units}+{measure}+{references}"] for measure in ("Precision", "Recall")]
            assert measures == pytest.approx(values, abs=1e-15)
    assert found["ROUGE-L+Recall+MULT-MAX"] == 1
    assert scored("the", "the the the")["ROUGE-L+Recall+MULT-MAX"] == 1 / 3
    # Three words give three pairs, two words one.
    assert found["ROUGE-SU4+Recall+JACKKNIFE"] == 1
    assert scored("the the", "the the the")["ROUGE-SU4+Recall+JACKKNIFE"] == (2 + 1) / (3 + 3)


@pytest.mark.parametrize(("window", "pairs"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_pairs_have_at_most_so_many_words_between(window: int, pairs: int) -> None:
    found = scored("a x y b", "a v w b", options=Options(window=window))
    of_four = sum(max(0, 4 - distance) for distance in range(1, window + 2))
    assert found["SKIP-2+Precision+SINGLE-REF"] == pytest.approx(pairs / of_four, abs=1e-15)


@pytest.mark.parametrize(("units", "measure"), [(u, m) for u in UNITS for m in ("Precision", "Recall", "F-1")])
def test_with_one_reference_all_ways_to_use_references_are_one(units: str, measure: str) -> None:
    outputs = [source[0] for source in SOURCES]
    compared = compare(outputs, [source[1:2] for source in SOURCES])
    ways = [f"{units}+{measure}+{way}" for way in ("SINGLE-REF", "MULT-MAX", "MULT-ALL", "MULT-PROB")]
    found = score(compared, ways)
    assert (found == found[:, :1]).all()
    assert found.max() > 0


def with_another(kind: str) -> tuple[FloatArray, FloatArray]:
    """Scores of first texts beside the others of their source, and the same with one reference more."""
    others = {
        "random": [source[-1] for source in random_sources(len(SOURCES), seed=4)],
        "empty": [text("")] * len(SOURCES),
        "the same again": [source[1] for source in SOURCES],
        "the output": [source[0] for source in SOURCES],
    }[kind]
    outputs, references = [source[0] for source in SOURCES], [source[1:] for source in SOURCES]
    more = [[*given, other] for given, other in zip(references, others, strict=True)]
    return score(compare(outputs, references), NAMES), score(compare(outputs, more), NAMES)


@pytest.mark.parametrize("kind", ["random", "empty", "the same again", "the output"])
def test_one_reference_more_lowers_neither_the_best_score_nor_what_is_in_any(kind: str) -> None:
    before, after = with_another(kind)
    grow = [n for n, name in enumerate(NAMES) if name.endswith(("MULT-MAX", "Precision+MULT-ALL"))]
    assert len(grow) >= 6 * 3 + 1 + 6
    assert (after[:, grow] >= before[:, grow]).all()
    assert (after[:, grow] > before[:, grow]).any() == (kind in ("random", "the output"))


def test_what_recall_matches_grows_with_the_references() -> None:
    # With the match m, o units and r in the references: p = m / o and F = 2 m / (o + r), so r = m / recall.
    for units in UNITS:
        columns = [NAMES.index(f"{units}+{measure}+MULT-ALL") for measure in ("Precision", "Recall", "F-1")]
        before, after = (found[:, columns] for found in with_another("random"))
        some = before[:, 0] > 0
        sizes = [found[some, 0] / found[some, 1] for found in (before, after)]
        assert (after[some, 1] * sizes[1] >= before[some, 1] * sizes[0] - 1e-12).all()
        assert (sizes[1] >= sizes[0] - 1e-12).all()
        assert some.any()


@pytest.mark.parametrize("kind", ["empty", "the same again"])
def test_an_empty_reference_or_one_that_is_there_already_adds_nothing_to_the_union(kind: str) -> None:
    before, after = with_another(kind)
    same = [n for n, metric in enumerate(KNOWN.values()) if metric.references == "MULT-ALL" and metric.units in UNITS]
    assert len(same) == 18
    assert_array_equal(after[:, same], before[:, same])


def test_an_empty_reference_halves_the_shares_of_another() -> None:
    alone, beside = scored("a b c", "a b"), scored("a b c", "a b", "")
    assert beside["LR-1+Precision+MULT-PROB"] == alone["LR-1+Precision+MULT-PROB"] / 2
    assert beside["LR-1+Recall+MULT-PROB"] == alone["LR-1+Recall+MULT-PROB"]


def test_ten_thousand_words_take_a_moment() -> None:
    rng = np.random.default_rng(1)
    many = " ".join(map(str, rng.integers(0, 500, 10_000)))
    half = " ".join(many.split()[:5000])
    began = time.process_time()
    found = scored(many, many, half)
    assert time.process_time() - began < 20
    assert found["ROUGE-L+Recall+MULT-MAX"] == found["BLEU-4+PrecBrev+MULT-ALL"] == 1
    for units in UNITS:
        assert found[f"{units}+Precision+MULT-ALL"] == found[f"{units}+Recall+MULT-PROB"] == 1
        assert found[f"{units}+Precision+MULT-PROB"] == pytest.approx(0.75, abs=1e-3)
    assert scored(half, many, options=Options(single="first"))["ROUGE-L+Recall+SINGLE-REF"] == 0.5
    assert scored("1", many)["BLEU-2+PrecBrev+MULT-ALL"] == 0
    assert scored("the " * 10_000, "the " * 4000)["LR-1+Precision+MULT-ALL"] == 0.4


def test_many_outputs_that_share_their_references_take_bounded_memory() -> None:
    rng = np.random.default_rng(2)
    outputs = [Text(tuple(map(str, rng.integers(0, 500, 20)))) for _ in range(600)]
    compared = compare(outputs, [outputs[:4]] * len(outputs))
    tracemalloc.start()
    try:
        score(compared, ["SKIP-2+Recall+MULT-ALL"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000_000


@pytest.mark.parametrize("name", ["LR-5+Recall+MULT-ALL", "LR-1+Recall", "lr-1+recall+mult-all", "", "ROUGE"])
def test_what_is_no_metric_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"there is no metric {name!r}; ")):
        score(COMPARED, ["LR-1+Recall+MULT-ALL", name])
    with pytest.raises(ValueError, match="there is no metric"):
        next(score_chunks(COMPARED, [name]))


@pytest.mark.parametrize("units", sorted({metric.units for metric in KNOWN.values()}))
def test_who_errs_in_the_ending_is_told_the_endings(units: str) -> None:
    with pytest.raises(ValueError, match="there is no metric") as refused:
        metrics_named([f"{units}+recall"])
    endings = [name for name in NAMES if name.startswith(f"{units}+")]
    assert [name for name in NAMES if re.search(re.escape(name) + r"\b", str(refused.value))] == endings


@pytest.mark.parametrize("name", [name for name in NAMES if KNOWN[name].wants_parser])
def test_dependencies_are_refused_where_one_text_is_not_parsed(name: str) -> None:
    parsed, unparsed = text("a b c"), Text(("a", "b"))
    for compared in (compare([unparsed], [[parsed]]), compare([parsed, parsed], [[parsed], [parsed, unparsed]])):
        with pytest.raises(ValueError, match=re.escape(name) + ".*parse them first"):
            score(compared, ["LR-1+Recall+MULT-ALL", name])


def test_by_default_there_are_all_that_can_be_computed() -> None:
    assert_array_equal(score(COMPARED), score(COMPARED, list(METRICS)))
    unparsed = leave_one_out([[Text(each.words) for each in source] for source in SOURCES])
    assert_array_equal(score(unparsed), score(COMPARED, [name for name in METRICS if name in UNPARSED]))
    assert score(unparsed).shape[1] == 68


def test_pieces_one_after_the_other_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = score(COMPARED, NAMES)
    monkeypatch.setattr("measures.metrics.counting.batching._CELLS", 20_000)
    pieces = list(score_chunks(COMPARED, NAMES))
    assert 1 < len(pieces) < len(SOURCES)
    assert all(len(rows) for rows in pieces)
    assert_array_equal(np.concatenate(pieces), whole)
    assert_array_equal(score(COMPARED, NAMES), whole)


def test_the_seed_decides_which_reference_stands_alone_and_nothing_else() -> None:
    by_seed = [score(COMPARED, NAMES, Options(seed=seed)) for seed in (1, 1, 2)]
    assert_array_equal(by_seed[0], by_seed[1])
    differ = {name for name, differs in zip(NAMES, (by_seed[0] != by_seed[2]).any(axis=0), strict=True) if differs}
    assert differ == {name for name in NAMES if name.endswith("SINGLE-REF")}


def test_every_reference_is_drawn_sometimes_and_equally_often() -> None:
    written = [[text(f"a {number}"), text(f"a b {number}"), text(f"a b c {number}")] for number in range(3000)]
    found = score(compare([text("a")] * 3000, written), ["LR-1+Recall+SINGLE-REF"])[:, 0]
    assert [np.mean(found == value) for value in (1 / 2, 1 / 3, 1 / 4)] == pytest.approx([1 / 3] * 3, abs=0.04)


@pytest.mark.parametrize("size", [1, *range(100, 151, 5)])
def test_what_an_earlier_computation_left_in_memory_raises_no_warning(size: int) -> None:
    signalling = np.full((size, size), 0x7F800001, np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):
        assert np.isnan(signalling @ signalling[:, 0]).all()
    for outputs, references in ((2, 3), (3, 2)):
        compared = compare([text("")] * outputs, [[text("")] * references] * outputs)
        assert not score(compared, ["LR-1+Recall+MULT-ALL"]).any()


def test_no_output_has_no_rows() -> None:
    assert score(compare([], [])).shape == (0, 80)
    assert score(leave_one_out([]), ["LR-1+Recall+MULT-ALL"]).shape == (0, 1)
    assert score(leave_one_out([[text("a b")], []]), NAMES).shape == (0, len(NAMES))
    assert list(score_chunks(compare([], []))) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": -1}, "must not be negative"),
        ({"seed": -1}, "must not be negative"),
        ({"seed": 2**32}, "seed must be below"),
        ({"single": "last"}, "single must be drawn, first or mean, not 'last'"),
        ({"reference_weights": "rater"}, "reference_weights must be distinct or by-editor, not 'rater'"),
        ({"smoothing": "more"}, "smoothing must be one of exp, floor, add-k, none, not 'more'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**options)


def test_outputs_without_references_are_refused() -> None:
    with pytest.raises(ValueError, match="2 outputs and 1 lists of references"):
        compare([text("a"), text("b")], [[text("a")]])
    with pytest.raises(ValueError, match="output 1 has no reference"):
        compare([text("a"), text("b")], [[text("a")], []])
