"""ROUGE-WE against a plain triple loop, and against ROUGE where vectors say no more than words do."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from measures.core.arrays import FloatArray
from measures.metrics import (
    EXTRA_METRICS,
    METRICS,
    VECTOR_METRICS,
    Models,
    Options,
    Text,
    WordVectors,
    compare,
    jackknife,
    leave_one_out,
    score,
    score_chunks,
)

MEASURES = ("Recall", "Precision", "F-1")
NAMES = [name for name in VECTOR_METRICS if name.startswith("WE-")]
PLAIN_UNITS: dict[str, Callable[[Sequence[str]], list[list[tuple[str, ...]]]]] = {
    "WE-1": lambda words: [[(word,) for word in words]],
    "WE-2": lambda words: [list(itertools.pairwise(words))],
    "WE-SU4": lambda words: [
        [(word,) for word in words],
        [(words[i], words[j]) for i in range(len(words)) for j in range(i + 1, min(i + 6, len(words)))],
    ],
}


def vectors_of(words: Sequence[str], matrix: FloatArray) -> Models:
    return Models(WordVectors({word: row for row, word in enumerate(words)}, matrix, "made"))


def random_world(seed: int, *, words: int = 30, known: int = 24) -> tuple[list[list[Text]], Models]:
    """Sources of two to four texts of up to 14 words, some of which have no vector."""
    rng = np.random.default_rng(seed)
    names = [f"w{number}" for number in range(words)]
    sources = [
        [Text(tuple(rng.choice(names, rng.integers(0, 15)))) for _ in range(rng.integers(2, 5))] for _ in range(12)
    ]
    return sources, vectors_of(names[:known], rng.normal(size=(known, 8)))


def plain_match(
    reference: Text, output: Text, units: str, vectors: WordVectors, *, dot: bool
) -> tuple[float, int, int]:
    """Sort all similarities, and take each whose two units are free."""
    total, sizes = 0.0, [0, 0]
    for ours, theirs in zip(PLAIN_UNITS[units](reference.words), PLAIN_UNITS[units](output.words), strict=True):
        sizes[0] += len(ours)
        sizes[1] += len(theirs)
        found = []
        for i, one in enumerate(ours):
            for j, other in enumerate(theirs):
                similar = plain_similarity(one, other, vectors, dot=dot)
                if similar > 0:
                    found.append((-round(similar, 12), i, j))
        free = set(range(len(ours))), set(range(len(theirs)))
        for negative, i, j in sorted(found):
            if i in free[0] and j in free[1]:
                total -= negative
                free[0].remove(i)
                free[1].remove(j)
    return total, sizes[0], sizes[1]


def plain_similarity(one: Sequence[str], other: Sequence[str], vectors: WordVectors, *, dot: bool) -> float:
    products = []
    for unit in (one, other):
        product = np.ones(vectors.matrix.shape[1])
        for word in unit:
            if word not in vectors.rows:
                return 0.0
            product = product * vectors.matrix[vectors.rows[word]]
        products.append(product)
    inner = sum(float(a) * float(b) for a, b in zip(*products, strict=True))
    lengths = [float(sum(a * a for a in each)) ** 0.5 for each in products]
    return inner if dot else inner / (lengths[0] * lengths[1])


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
@pytest.mark.parametrize("units", PLAIN_UNITS)
def test_it_is_what_a_plain_loop_finds(units: str, similarity: Any) -> None:
    sources, models = random_world(seed=5)
    vectors = models.words
    assert vectors is not None
    compared = leave_one_out(sources)
    names = [f"{units}+{measure}+MULT-MAX" for measure in MEASURES]
    found = score(compared, names, Options(similarity=similarity), models)
    wanted = []
    for source in sources:
        for place, output in enumerate(source):
            others = [each for number, each in enumerate(source) if number != place]
            rows = [plain_match(each, output, units, vectors, dot=similarity == "dot") for each in others]
            recall = [match / size if size else 0 for match, size, _ in rows]
            precision = [match / size if size else 0 for match, _, size in rows]
            both = [2 * r * p / (r + p) if r + p else 0 for r, p in zip(recall, precision, strict=True)]
            wanted.append([max(recall), max(precision), max(both)])
    assert_allclose(found, wanted, rtol=1e-11, atol=1e-11)
    assert 0.1 < np.mean(wanted) < (1 if similarity == "cosine" else 20)


def test_one_hot_vectors_make_it_rouge() -> None:
    sources, _ = random_world(seed=6, known=30)
    models = vectors_of([f"w{number}" for number in range(30)], np.eye(30))
    compared = leave_one_out(sources)
    ours = [f"WE-1+{measure}+{ways}" for measure in MEASURES for ways in ("SINGLE-REF", "MULT-MAX")]
    theirs = [name.replace("WE-1", "LR-1") for name in ours]
    assert_allclose(score(compared, ours, models=models), score(compared, theirs), atol=1e-15)
    jackknifed = score(compared, ["WE-1+Recall+JACKKNIFE"], models=models)
    assert_allclose(jackknifed, score(compared, ["ROUGE-1+Recall+JACKKNIFE"]), atol=1e-15)


def walsh(size: int) -> FloatArray:
    rows = np.array([[1.0]])
    while len(rows) < size:
        rows = np.block([[rows, rows], [rows, -rows]])
    return rows


SIDON = [1, 2, 3, 4, 8, 12, 16, 32, 48, 64, 85, 106, 128, 150]
"""Row numbers no two pairs of which have the same XOR: the product of two rows is the row of the XOR."""


@pytest.mark.parametrize("units", ["WE-2", "WE-SU4"])
def test_rows_of_a_walsh_matrix_make_it_rouge_over_unordered_pairs_of_different_words(units: str) -> None:
    sums = [one ^ other for one, other in itertools.combinations(SIDON, 2)]
    assert len(set(sums)) == len(sums)
    names = [f"w{number}" for number in range(len(SIDON))]
    models = vectors_of(names, walsh(2 * max(SIDON))[SIDON])
    rng = np.random.default_rng(8)
    # No word stands twice within six words, so that each pair is of different words.
    texts = [Text(tuple(rng.permutation(names)[: rng.integers(2, 14)])) for _ in range(60)]
    compared = compare(texts[:30], [[each] for each in texts[30:]])
    found = score(compared, [f"{units}+Recall+MULT-MAX"], models=models)[:, 0]
    for value, output, reference in zip(found, texts[:30], texts[30:], strict=True):
        kinds = zip(PLAIN_UNITS[units](reference.words), PLAIN_UNITS[units](output.words), strict=True)
        matches, size = 0, 0
        for ours, theirs in kinds:
            left = [frozenset(each) for each in theirs]
            for unit in map(frozenset, ours):
                size += 1
                if unit in left:
                    left.remove(unit)
                    matches += 1
        assert value == pytest.approx(matches / size, abs=1e-12)


def test_greedy_is_at_most_optimal_and_both_at_most_the_best_of_each() -> None:
    sources, models = random_world(seed=7)
    compared = leave_one_out(sources)
    recalls = [name for name in NAMES if "+Recall+" in name]
    greedy, optimal, best = (
        score(compared, recalls, Options(matching=each), models) for each in ("greedy", "optimal", "best")
    )
    assert (greedy <= optimal + 1e-12).all()
    assert (optimal <= best + 1e-12).all()
    assert (greedy < optimal - 1e-6).any()
    assert (optimal < best - 1e-6).any()


def test_equal_texts_of_known_words_score_one() -> None:
    _, models = random_world(seed=9)
    text = Text(tuple(f"w{number}" for number in range(14)))
    found = score(compare([text], [[text, Text(("w3",))]]), NAMES, models=models)[0]
    best = [value for name, value in zip(NAMES, found, strict=True) if name.endswith("MULT-MAX")]
    assert best == [1] * 9


def test_with_one_vector_for_all_words_only_numbers_of_words_count() -> None:
    names = [f"w{number}" for number in range(12)]
    models = vectors_of(names, np.ones((12, 4)))
    for m, n in ((3, 5), (5, 3), (4, 4)):
        compared = compare([Text(tuple(names[6 : 6 + n]))], [[Text(tuple(names[:m]))]])
        found = score(compared, ["WE-1+Recall+MULT-MAX", "WE-2+Recall+MULT-MAX"], models=models)[0]
        assert found.tolist() == [min(m, n) / m, min(m - 1, n - 1) / (m - 1)]


def test_the_order_of_references_does_not_matter() -> None:
    sources, models = random_world(seed=10)
    outputs, references = [source[0] for source in sources], [source[1:] for source in sources]
    there = score(compare(outputs, references), NAMES, models=models)
    back = score(compare(outputs, [each[::-1] for each in references]), NAMES, models=models)
    assert_allclose(there, back, atol=1e-15)


def test_an_unknown_word_matches_nothing_itself_included_and_counts_in_the_size() -> None:
    models = vectors_of(["a", "zero"], np.array([[1.0, 2.0], [0.0, 0.0]]))
    for words, recall in ((("a", "b"), 0.5), (("b",), 0), (("zero", "a"), 0.5)):
        text = Text(words)
        assert score(compare([text], [[text]]), ["WE-1+Recall+MULT-MAX"], models=models) == recall


def test_a_word_is_looked_up_as_it_stands_and_then_in_lower_case() -> None:
    models = vectors_of(["house", "US", "us"], np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    compared = compare([Text(("House", "US"))], [[Text(("house", "us"))]])
    assert score(compared, ["WE-1+Recall+MULT-MAX"], models=models)[0, 0] == 0.5


def test_a_product_forgets_the_order_of_its_words() -> None:
    models = vectors_of(["a", "b"], np.array([[1.0, 2.0], [3.0, 1.0]]))
    found = score(compare([Text(("a", "b"))], [[Text(("b", "a"))]]), ["WE-2+F-1+MULT-MAX"], models=models)
    assert found[0, 0] == 1


def test_exact_hits_and_a_threshold_can_count() -> None:
    models = vectors_of(["a", "b"], np.array([[1.0, 0.0], [0.6, 0.8]]))
    compared = compare([Text(("a", "c"))], [[Text(("b", "c"))]])
    name = ["WE-1+Recall+MULT-MAX"]
    assert score(compared, name, models=models)[0, 0] == pytest.approx(0.3)
    assert score(compared, name, Options(exact_weight=0.5), models)[0, 0] == pytest.approx((0.5 * 1 + 0.5 * 0.6) / 2)
    assert score(compared, name, Options(threshold=0.61), models)[0, 0] == 0
    assert score(compared, name, Options(threshold=0.6), models)[0, 0] == pytest.approx(0.3)


def test_pieces_and_jackknifed_outputs_are_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    sources, models = random_world(seed=11)
    compared = leave_one_out(sources)
    whole = score(compared, NAMES, models=models)
    monkeypatch.setattr("measures.metrics.counting.batching._CELLS", 2_000)
    monkeypatch.setattr("measures.metrics.counting.soft_matching._CELLS", 50)
    pieces = list(score_chunks(compared, NAMES, models=models))
    assert len(pieces) > 1
    assert_allclose(np.concatenate(pieces), whole, atol=1e-12)
    three = [source for source in sources if len(source) > 2]
    outputs, references = [source[0] for source in three], [source[1:] for source in three]
    each_way = [
        score(
            compare(outputs, [[each for j, each in enumerate(given) if j != i] for given in references]),
            NAMES[:1],
            models=models,
        )
        for i in range(2)
    ]
    both = [len(given) == 2 for given in references]
    found = score(jackknife(outputs, references), NAMES[:1], models=models)
    assert_allclose(found[both], np.mean(each_way, axis=0)[both], atol=1e-12)


def test_they_stand_beside_the_eighty_and_want_vectors() -> None:
    assert len(METRICS) == 80
    assert not set(NAMES) & (set(METRICS) | set(EXTRA_METRICS))
    assert len(NAMES) == 3 * 3 * 4
    with pytest.raises(ValueError, match=r"WE-1\+Recall\+MULT-MAX wants vectors of words"):
        score(compare([Text(("a",))], [[Text(("a",))]]), ["WE-1+Recall+MULT-MAX"])


def test_nothing_scores_nothing() -> None:
    models = vectors_of(["a"], np.ones((1, 2)))
    for output, reference in (((), ("a",)), (("a",), ()), ((), ()), (("b",), ("b",))):
        assert_array_equal(score(compare([Text(output)], [[Text(reference)]]), NAMES, models=models), 0)


def test_texts_too_long_to_be_set_beside_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measures.metrics.counting.soft_matching.MAX_CELLS", 100)
    models = vectors_of(["a"], np.ones((1, 2)))
    text = Text(("a",) * 11)
    with pytest.raises(ValueError, match="two texts have 121 pairs of units; at most 100 can be compared"):
        score(compare([text], [[text]]), ["WE-1+Recall+MULT-MAX"], models=models)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"similarity": "l2"}, "similarity must be cosine or dot"),
        ({"matching": "all"}, "matching must be greedy, optimal or best"),
        ({"exact_weight": 1.5}, "must be from 0 to 1"),
        ({"threshold": float("nan")}, "must be from 0 to 1"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**options)
