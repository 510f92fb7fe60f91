"""The attention model: its numbers by hand, what the features do, and pairs that can be learnt."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from measures.text.normalization import length
from systems.programs.neural.namas.decoding import ABS_WEIGHTS, Hypothesis, Search, Words, texts
from systems.programs.neural.namas.system import Writer
from systems.programs.neural.namas.writing import Piece, capitalized, masked, piece_of
from systems.programs.neural.tests.data import SMALL, data_of, pairs_for, small, source_of, texts_by, trained
from systems.programs.neural.vocabulary import BEGIN, END, FIRST_WORD, UNKNOWN
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.texts import Range, Source
from systems.programs.tokens import tokens_of
from systems.programs.tuning import scores_of

torch = pytest.importorskip("torch")
networks = pytest.importorskip("systems.programs.neural.namas.network")
COPYING = (0.0, 1.0, 1.0, 1.0, 0.0)


def network(seed: int) -> Any:
    torch.manual_seed(seed)
    return networks.AttentionNetwork(networks.Shape(words=30, dimension=6, hidden=7, context=3, window=2)).eval()


def drawn(rng: np.random.Generator, most: int) -> tuple[Any, Any]:
    source, target = (rng.integers(FIRST_WORD, 30, size=rng.integers(1, most)) for _ in range(2))
    return source, target


def test_attention_sums_to_one_over_the_words_that_are_there(seed: int) -> None:
    rng, net = np.random.default_rng(seed), network(seed)
    pairs = [drawn(rng, 25) for _ in range(64)]
    batch = networks.Batch.of(pairs, 3, "cpu")
    with torch.inference_mode():
        found, attention = net(batch.sources, batch.contexts)
        torch.testing.assert_close(attention.sum(dim=2), torch.ones_like(attention[..., 0]))
        for row, (source, target) in enumerate(pairs):
            assert not attention[row, :, len(source) :].any()
            alone = networks.Batch.of([(source, target)], 3, "cpu")
            torch.testing.assert_close(
                net(alone.sources, alone.contexts)[0][0], found[row, : len(target) + 1], rtol=1e-4, atol=1e-5
            )


def test_the_source_is_smoothed_over_the_neighbours_that_exist() -> None:
    net = network(1)
    sources = torch.tensor([[5, 6, 7, 8, 0, 0]])
    with torch.inference_mode():
        _vectors, means, _is_there = net.smoothed(sources)
        table = net.f.weight
        torch.testing.assert_close(means[0, 0], table[[5, 6, 7]].mean(dim=0))
        torch.testing.assert_close(means[0, 1], table[[5, 6, 7, 8]].mean(dim=0))
        torch.testing.assert_close(means[0, 3], table[[6, 7, 8]].mean(dim=0))


def test_without_the_encoder_it_is_a_feed_forward_language_model() -> None:
    net = network(2)
    target = [9, 4, 17]
    with torch.no_grad():
        net.w.weight.zero_()
        loss = float(net.loss(networks.Batch.of([(np.array([5, 6]), np.array(target))], 3, "cpu")))
    weights = {name: value.double().numpy() for name, value in net.state_dict().items()}
    expected, read = 0.0, [BEGIN] * 3
    for word in [*target, END]:
        hidden = np.tanh(weights["u.weight"] @ weights["e.weight"][read].reshape(-1) + weights["u.bias"])
        scores = weights["v.weight"] @ hidden + weights["v.bias"]
        expected += np.log(np.exp(scores).sum()) - scores[word]
        read = [*read[1:], word]
    assert loss == pytest.approx(expected, rel=1e-5)


def test_with_the_encoder_the_loss_is_that_of_a_hand_computation() -> None:
    net = network(3)
    source, target = [5, 6, 7], [9]
    with torch.no_grad():
        loss = float(net.loss(networks.Batch.of([(np.array(source), np.array(target))], 3, "cpu")))
    weights = {name: value.double().numpy() for name, value in net.state_dict().items()}
    vectors, expected, read = weights["f.weight"][source], 0.0, [BEGIN] * 3
    for word in [*target, END]:
        asked = np.exp(vectors @ (weights["p.weight"] @ weights["g.weight"][read].reshape(-1)))
        encoded = asked / asked.sum() @ np.tile(vectors.mean(axis=0), (3, 1))  # a window of two holds all three
        hidden = np.tanh(weights["u.weight"] @ weights["e.weight"][read].reshape(-1) + weights["u.bias"])
        scores = weights["v.weight"] @ hidden + weights["v.bias"] + weights["w.weight"] @ encoded
        expected += np.log(np.exp(scores).sum()) - scores[word]
        read = [*read[1:], word]
    assert loss == pytest.approx(expected, rel=1e-5)


def test_twenty_pairs_are_learnt_by_heart() -> None:
    pairs = pairs_for("abs", 20, 4)
    data = data_of(pairs, pairs)
    model = trained(
        "abs", data, dimension=24, hidden=48, least_seen=1, batch=4, rate=0.1, most_epochs=60, repeat="allow"
    )
    assert texts_by(model, map(source_of, pairs)) == [pair.target_text for pair in pairs]


def test_with_the_features_of_the_source_alone_a_run_of_it_is_copied() -> None:
    model = small("abs", least_seen=1)
    writer, tried = Writer(replace(model, parameters={**model.parameters, "repeat": "allow"})), 0
    for pair in pairs_for("abs", 40, 1):
        tokens = tokens_of(pair.source_text, "en")
        words = [token.text.lower() for token in tokens]
        if len(set(pairwise(words))) < len(words) - 1:
            continue  # where two words come again, three words in a row can lead from one run to another
        tried += 1
        least, most = Range().least_length(pair.source_text), Range().most_length(pair.source_text)
        best = writer.texts(tokens, COPYING, least, most)[0]
        copied = [token.text.lower() for token in tokens_of(best.text, "en")]
        assert any(words[start : start + len(copied)] == copied for start in range(len(words)))
        assert least <= length(best.text) <= most
    assert tried >= 10


def test_the_weights_on_dev_are_no_worse_than_those_of_abs() -> None:
    pairs, dev = pairs_for("abs", 60, 1), pairs_for("abs", 12, 2)
    plus = trained("abs+", data_of(pairs, dev), **{**SMALL["abs+"], "texts": 12})
    plain = replace(plus, kind="abs", arrays={**plus.arrays, "weights": np.array(ABS_WEIGHTS)})
    references = [[pair.target_text] for pair in dev]
    gains = [scores_of(texts_by(model, map(source_of, dev)), references, "en").mean() for model in (plain, plus)]
    assert gains[1] >= gains[0]
    assert gains[1] > 0


def written(source: str, known: str, weights: tuple[float, ...] = ABS_WEIGHTS, **search: Any) -> list[Hypothesis]:
    """Search where the network thinks the words of `known` the more probable the earlier they come."""
    words = known.split()
    numbers = {word: FIRST_WORD + place for place, word in enumerate(words)}
    pieces = [*[Piece("")] * FIRST_WORD, *map(piece_of, words)]
    own = []
    for word in source.split():
        if word not in numbers:
            numbers[word] = len(pieces)
            pieces.append(piece_of(word))
        own.append(numbers[word])
    size = FIRST_WORD + len(words)
    is_forbidden = np.arange(size) < FIRST_WORD

    class Fixed:
        def next_words(self, contexts: Any) -> Any:
            log_p = np.tile(-np.arange(size, dtype=float), (len(contexts), 1))
            attention = np.eye(len(own))[[int(np.sum(row != BEGIN)) % len(own) for row in contexts]]
            return log_p, attention

    options = {"beam": 4, "context": 3, **search}
    return texts(Fixed(), Words(tuple(own), size, pieces, is_forbidden), weights, 9, 14, Search(**options))


def test_no_word_comes_thrice_and_no_three_words_twice_unless_they_may() -> None:
    for found in written("on a hill", "a b c d"):
        words = found.text.split()
        assert max(map(words.count, words)) <= 2
        runs = list(zip(words, words[1:], words[2:], strict=False))
        assert len(set(runs)) == len(runs)
    assert written("on a hill", "a b c d", may_repeat=True)[0].text == "a a a a a"


def test_unknown_words_are_never_written_or_those_attended_to() -> None:
    assert all("wide" not in found.text for found in written("wide hill", "hill on"))
    copied = written("wide hill", "hill on", copies_unknown=True, may_repeat=True)
    assert copied[0].text.startswith("wide hill wide")
    assert all(9 <= length(found.text) <= 14 for found in copied)


def test_words_keep_the_case_and_the_digits_of_the_source() -> None:
    years = range(1900, 1925)
    pairs = [Pair(f"In {year} the old bank of Rome saw {year} men.", f"The bank saw {year} men.") for year in years]
    dev = DevSource(Source("1", "en", (pairs[0].source,)), (pairs[0].target,))
    data = TrainingData("en", tuple(pairs), (dev,))
    model = trained("abs", data, dimension=16, hidden=24, vocabulary=50, batch=4, rate=0.1, most_epochs=20)
    assert "####" in model.vocabulary
    assert ("rome", "Rome") in model.rules
    (text,) = texts_by(model, [Source("1", "en", ("In 2016 the old bank of Rome saw 2016 men.",))])
    assert text == "The bank saw 2016 men."
    writer = Writer(model)
    known = writer.words(tokens_of("No number here.", "en"))
    assert known.is_forbidden[writer.vocabulary.places["####"]]
    assert known.is_forbidden[UNKNOWN]


def test_a_text_of_unknown_signs_gets_an_output() -> None:
    assert masked("１9") == "##"
    assert capitalized("abc", "Xyz") == "Abc"
    (text,) = texts_by(small("abs"), [Source("1", "en", ("Zzyzx qwxv plugh xyzzy frob grault garply waldo fred.",))])
    assert text
