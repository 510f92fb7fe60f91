"""Features of pairs, the classifier and its scores, against plain loops and scikit-learn."""

import subprocess
import sys
from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

from measures.clustering.annotator_transfer import NO_TEST, NOTHING_IN_COMMON, SAME_ANNOTATOR, annotator_transfers
from measures.clustering.link_features import FEATURES, Sentence, TermWeights, pair_features, pairs_of
from measures.clustering.link_scores import (
    NEITHER,
    NO_DOCUMENT,
    NO_ORDER,
    NONE_LINKED,
    NONE_PREDICTED,
    ONE_CLASS,
    LinkReport,
    all_linked_report,
    link_report,
    link_scores,
    link_set_report,
)
from measures.clustering.links import ALL_ALIKE, NO_TRAINING, LinkClassifier, linked, predicted_links
from measures.clustering.tests.golden_values import GOLDEN
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY, Undefined

WORDS = ("cost", "cut", "remote", "button", "price")
sentences = st.builds(
    Sentence,
    st.lists(st.sampled_from(WORDS), max_size=5).map(tuple),
    st.lists(st.sampled_from(("N", "V", "D")), max_size=5).map(tuple),
    st.sampled_from([None, "A", "B"]),
)
documents = st.lists(sentences, max_size=6)


def talks(number: int, seed: int) -> list[list[Sentence]]:
    """Draw talks in which neighbours say the same words."""
    rng = np.random.default_rng(seed)
    return [
        [
            Sentence((WORDS[place // 3], *rng.choice(WORDS, 2)), ("N", str(rng.choice(["N", "V"]))), "AB"[place % 2])
            for place in range(9)
        ]
        for _ in range(number)
    ]


NEAR = [(place, other) for place in range(9) for other in range(place + 1, 9) if place // 3 == other // 3]


def test_golden_scores() -> None:
    golden = GOLDEN["links"]
    found = link_scores(golden["truth"], golden["score"], threshold=golden["threshold"])
    assert [found.precision, found.recall, found.f] == pytest.approx(golden["prf"], abs=1e-8)
    assert found.auroc == pytest.approx(golden["auroc"], abs=1e-8)


@given(cases=st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=12))
def test_the_area_is_scikit_learns_with_ties(cases: list[tuple[bool, int]]) -> None:
    truth, scores = [each[0] for each in cases], [each[1] / 4 for each in cases]
    found = link_scores(truth, scores).auroc
    assert found == (ONE_CLASS if len(set(truth)) == 1 else pytest.approx(roc_auc_score(truth, scores)))


def test_scores_that_do_not_exist_say_why() -> None:
    nothing = link_scores([0, 0], [0.1, 0.2])
    assert (nothing.precision, nothing.recall, nothing.f) == (NONE_PREDICTED, NONE_LINKED, NEITHER)
    missed = link_scores([1, 0], [0.1, 0.2])
    assert (missed.precision, missed.recall, missed.f) == (NONE_PREDICTED, 0, 0)
    assert link_scores([1, 0], [0.5, 0.4]).f == 1
    for truth, scores in (([1], [0.1, 0.2]), ([1, 0], [0.1, float("nan")])):
        with pytest.raises(ValueError, match="a finite score for each pair"):
            link_scores(truth, scores)


def test_micro_pools_pairs_and_macro_means_documents() -> None:
    truths, scores = [[1, 0, 0], [0, 0], [1, 1, 1, 0]], [[0.9, 0.8, 0.1], [0.2, 0.3], [0.7, 0.2, 0.6, 0.1]]
    report = link_report(truths, scores)
    assert report.micro == link_scores([*truths[0], *truths[1], *truths[2]], [*scores[0], *scores[1], *scores[2]])
    assert report.macro.precision == pytest.approx((1 / 2 + 1) / 2)
    assert report.macro.recall == pytest.approx((1 + 2 / 3) / 2)
    assert report.documents == {"precision": 2, "recall": 2, "f": 2, "auroc": 2}
    assert link_report([], []).macro.f == NO_DOCUMENT
    bound = all_linked_report(truths)
    assert (bound.macro.recall, bound.macro.auroc) == (1, 0.5)
    assert bound.macro.precision == pytest.approx((1 / 3 + 0 + 3 / 4) / 3)


def test_links_without_scores_have_no_area_and_leave_out_documents_without_acts() -> None:
    report = link_set_report([[(0, 1), (1, 2)], Undefined("no acts"), [(0, 1)]], [[(0, 1)], [(0, 1)], [(2, 3)]])
    assert (report.macro.precision, report.micro.precision, report.micro.recall) == (0.25, 1 / 3, 1 / 2)
    assert (report.micro.auroc, report.macro.auroc) == (NO_ORDER, NO_DOCUMENT)
    assert len(report.by_document) == 2


@given(document=documents)
def test_features_are_those_of_plain_loops(document: list[Sentence]) -> None:
    training = [Sentence(WORDS[:3]), Sentence(WORDS[1:4])]
    seen = Counter(word for each in training for word in set(each.words))

    def vector(sentence: Sentence) -> dict[str, float]:
        idf = {word: log(3 / (1 + seen[word])) + 1 for word in seen}
        return {word: count * idf[word] for word, count in Counter(sentence.words).items() if word in idf}

    found = pair_features(document, TermWeights([training]))
    assert found.shape == (len(pairs_of(len(document))), len(FEATURES))
    for row, (i, j) in zip(found, pairs_of(len(document)).tolist(), strict=True):
        one, other = document[i], document[j]
        first, second = vector(one), vector(other)
        total, words = sum(first.values()) + sum(second.values()), len(one.words) + len(other.words)
        norms = sqrt(sum(x * x for x in first.values()) * sum(x * x for x in second.values()))
        dot = sum(first[word] * second[word] for word in first if word in second)
        bigrams = [{each.words[k : k + 2] for k in range(len(each.words) - 1)} for each in (one, other)]
        assert row.tolist() == pytest.approx(
            [
                j - i - 1,
                (i + j) / 2 / len(document),
                words,
                abs(len(one.words) - len(other.words)),
                float(one.speaker is not None and one.speaker == other.speaker),
                len(bigrams[0] & bigrams[1]),
                len(set(one.tags) & set(other.tags)),
                total,
                total / words if words else 0,
                dot / norms if norms else 0,
            ]
        )


def test_the_classifier_is_scikit_learns_on_standardised_features() -> None:
    train, test = talks(4, 1), talks(1, 2)[0]
    truth = linked(NEAR, 9)
    classifier = LinkClassifier.trained(train, [truth] * 4)
    assert isinstance(classifier, LinkClassifier)
    weights = TermWeights(train)
    features = np.concatenate([pair_features(each, weights) for each in train])
    scaler = StandardScaler().fit(features)
    plain = LogisticRegression(solver="liblinear").fit(scaler.transform(features), np.tile(truth, 4))
    expected = plain.predict_proba(scaler.transform(pair_features(test, weights)))[:, 1]
    assert classifier.scores(test).tolist() == pytest.approx(expected.tolist())
    assert list(classifier.coefficients) == list(FEATURES)
    assert (classifier.coefficients["sentences between"] < 0, classifier.pairs) == (True, 4 * 36)
    area = link_scores(truth, classifier.scores(test)).auroc
    assert not isinstance(area, Undefined)
    assert area > 0.9
    assert classifier.scores([]).tolist() == classifier.scores(test[:1]).tolist() == []


def test_nothing_to_learn_from() -> None:
    talk = talks(1, 1)[0]
    assert LinkClassifier.trained([], []) == NO_TRAINING
    assert LinkClassifier.trained([talk], [linked([], 9)]) == ALL_ALIKE
    with pytest.raises(ValueError, match="1 truths for the pairs of 9 sentences"):
        LinkClassifier.trained([talk], [np.array([True])])
    with pytest.raises(ValueError, match="have no words"):
        LinkClassifier.trained([[Sentence(())] * 3], [linked([(0, 1)], 3)])


def test_links_must_be_two_sentences_of_the_document() -> None:
    for wrong in ((0, 9), (1, 1), (0, 1, 2), (-1, 0)):
        with pytest.raises(ValueError, match="is not two of 9 sentences"):
            linked([wrong], 9)
    with pytest.raises(ValueError, match="at most 2,000 sentences, not 2,001"):
        pairs_of(2_001)
    with pytest.raises(ValueError, match="3 pairs of 3 sentences"):
        predicted_links(np.zeros(2), 3)


@given(pairs=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1])))
def test_links_go_to_pairs_and_back(pairs: set[tuple[int, int]]) -> None:
    assert predicted_links(linked(pairs, 6).astype(np.float64), 6) == sorted(pairs)


def test_every_annotator_teaches_and_tests_every_other() -> None:
    texts = dict(zip(("one", "two", "three"), talks(3, 4), strict=True))
    far = [(place, place + 5) for place in range(4)]
    links = {
        "A": {"one": NEAR, "two": NEAR, "three": NEAR},
        "B": {"one": NEAR, "two": NEAR[:4], "three": NEAR},
        "C": {"two": far},
        "D": {"three": far},
    }
    found = {
        (each.train, each.test): each
        for each in annotator_transfers(texts, links, train=["one", "two"], test=["three"])
    }
    assert len(found) == 16
    of_a = LinkClassifier.trained([texts["one"], texts["two"]], [linked(NEAR, 9)] * 2)
    assert isinstance(of_a, LinkClassifier)
    between = found["A", "B"]
    assert isinstance(between.report, LinkReport)
    expected = link_report([linked(NEAR, 9)], [of_a.scores(texts["three"])])
    assert between.report.macro.auroc == pytest.approx(expected.macro.auroc)
    one = np.concatenate([linked(links["A"][each], 9) for each in texts])
    other = np.concatenate([linked(links["B"][each], 9) for each in texts])
    assert between.kappa == pytest.approx(cohen_kappa_score(one, other))
    assert (between.documents, found["A", "A"].kappa) == (3, SAME_ANNOTATOR)
    assert (found["C", "D"].kappa, found["C", "D"].documents) == (NOTHING_IN_COMMON, 0)
    assert found["A", "C"].report == NO_TEST
    assert found["D", "A"].report == NO_TRAINING


@pytest.mark.parametrize(("train", "test"), [(["one"], ["one"]), (["one"], ["four"])])
def test_no_document_is_in_both(train: list[str], test: list[str]) -> None:
    with pytest.raises(ValueError, match="is unknown, or both of training and of test"):
        annotator_transfers({"one": talks(1, 1)[0]}, {}, train=train, test=test)


def test_kappa_of_annotators_who_link_nothing_is_undefined() -> None:
    texts = dict(zip(("one", "two"), talks(2, 4), strict=True))
    found = annotator_transfers(texts, {"A": {"one": []}, "B": {"one": []}}, train=["one"], test=["two"])
    assert found[1].kappa in (ONE_CATEGORY, NO_PAIRS)
    assert found[1].report == ALL_ALIKE


def test_scikit_learn_is_loaded_where_it_is_used() -> None:
    program = "import sys, measures.clustering; print({'sklearn', 'scipy.sparse', 'scipy.stats'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
