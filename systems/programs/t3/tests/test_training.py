"""T3 learns what is planted in made-up pairs, is kept as a folder, and goes on where it was cut off."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from measures.core.undefined import Undefined
from measures.metrics import Analysis, Tokenizer, compare, score
from systems.programs.baselines import Compress, first, random_words
from systems.programs.lm.trigrams import trained
from systems.programs.made_pairs import MadePair, made_pairs, parse_of
from systems.programs.models import Checkpoint, Model, read_model, write_model
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.resources import Resources
from systems.programs.t3.compress import compressor
from systems.programs.t3.training import MOST_NAMED, Parameters, named, train
from systems.programs.texts import Output, Range, Source, Status
from tests.support.trees import chained

QUICK = Parameters(items=10, in_bin=2, rounds=3, tuning=10)


def data_of(pairs: list[MadePair], dev: list[MadePair]) -> TrainingData:
    return TrainingData(
        "en",
        tuple(Pair(pair.source_text, pair.target_text) for pair in pairs),
        tuple(DevSource(source_of(pair), (pair.target_text,)) for pair in dev),
    )


def source_of(pair: MadePair) -> Source:
    return Source(pair.source_text, "en", (pair.source_text,))


@lru_cache(maxsize=4)
def known(number: int, *, more: int = 0) -> tuple[list[MadePair], Resources]:
    pairs = made_pairs(number + more, seed=11)
    words = [
        [word.text.lower() for word in sentence.words]
        for pair in pairs[:number]
        for sentence in (pair.source, pair.target)
    ]
    return pairs, Resources((), parse_of(pairs), trained(words))


def learnt(checkpoint: Checkpoint, *, dev: int = 5) -> tuple[Model, list[tuple[int, int]]]:
    pairs, resources = known(80)
    told: list[tuple[int, int]] = []
    model = train(
        data_of(pairs, pairs[:dev]),
        resources,
        seed=1,
        checkpoint=checkpoint,
        progress=lambda *step: told.append(step),
        parameters=QUICK,
    )
    return model, told


def same(one: Model, other: Model) -> bool:
    return replace(one, arrays={}, trigrams=None) == replace(other, arrays={}, trigrams=None) and np.array_equal(
        one.arrays["weights"], other.arrays["weights"]
    )


def test_a_model_is_kept_as_a_folder_and_does_the_same_again(tmp_path: Path) -> None:
    model, told = learnt(Checkpoint())
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (model.made_from["pairs_for_rules"], model.made_from["sentences_for_weights"]) == (70, 10)
    write_model(model, tmp_path)
    again = read_model(tmp_path)
    assert same(model, again)
    pairs, resources = known(80)
    systems = [compressor(replace(resources, model=None, trained=each)) for each in (model, again)]
    for pair in pairs[:20]:
        one, other = (system(source_of(pair), Range(), 1) for system in systems)
        assert one == other
        assert isinstance(one, Output)
        assert one.status in {Status.RELAXED, Status.FALLBACK} or Range().holds(pair.source_text, one.text)


def test_what_is_cut_off_goes_on_with_the_same_result(tmp_path: Path) -> None:
    def cut(done: int, _of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    pairs, resources = known(80)
    with pytest.raises(KeyboardInterrupt):
        train(
            data_of(pairs, pairs[:5]),
            resources,
            seed=1,
            checkpoint=Checkpoint(tmp_path),
            progress=cut,
            parameters=QUICK,
        )
    model, told = learnt(Checkpoint(tmp_path))
    assert told == [(3, 3)]
    assert same(model, learnt(Checkpoint())[0])


def test_the_round_that_is_best_on_dev_is_kept() -> None:
    model, _told = learnt(Checkpoint())
    pairs, resources = known(80)
    system = compressor(replace(resources, trained=model))
    found = f1(system, pairs[:5])[:, 1].mean()
    assert max(row["dev"] for row in model.curve) == pytest.approx(found)
    without, _told = learnt(Checkpoint(), dev=0)
    assert {row["dev"] for row in without.curve} == {0.0}
    assert without.parameters["criterion"] == "loss"


def test_another_aligner_may_stand_in() -> None:
    pairs, resources = known(80)
    model = train(
        data_of(pairs, []),
        resources,
        seed=1,
        checkpoint=Checkpoint(),
        progress=lambda *_step: None,
        parameters=replace(QUICK, rounds=1),
        align=lambda _source, target: (None,) * len(target),
    )
    assert not any(row[0] == "deleted" for row in model.rules)


def train_by_alignments(pairs: list[Pair]) -> Model:
    return train(
        TrainingData("en", tuple(pairs)),
        known(80)[1],
        seed=1,
        checkpoint=Checkpoint(),
        progress=lambda *_step: None,
        parameters=replace(QUICK, rounds=0),
    )


def test_an_alignment_that_comes_with_a_pair_is_taken() -> None:
    pairs = [replace(pair, alignment="0-0") for pair in data_of(known(80)[0], []).train]
    own, given = (train_by_alignments(each) for each in (list(data_of(known(80)[0], []).train), pairs))
    assert own.rules != given.rules
    assert all(row[0] != "rule" or row[1].count("=") > 1 or row[2].count("=") < 2 for row in given.rules)


def test_an_alignment_of_certain_words_is_taken_if_the_parser_cuts_the_same() -> None:
    own = list(data_of(known(80)[0], []).train)
    parse = known(80)[1].parser()

    def words(sentence: str) -> tuple[str, ...]:
        return tuple(word.text for word in parse(sentence).words)

    same = [replace(pair, alignment="0-0", aligned_words=(words(pair.source), words(pair.target))) for pair in own]
    other = [replace(pair, aligned_words=((*words(pair.source), "."), words(pair.target))) for pair in same]
    without = [replace(pair, alignment="0-0") for pair in own]
    assert train_by_alignments(same).rules == train_by_alignments(without).rules
    assert train_by_alignments(other).rules == train_by_alignments(own).rules


def test_an_alignment_of_other_words_is_refused_with_its_pair() -> None:
    pairs = [replace(pair, name=f"more.jsonl:{n}") for n, pair in enumerate(data_of(known(80)[0], []).train, start=1)]
    pairs = [replace(pair, alignment="99-0") for pair in pairs]
    with pytest.raises(ValueError, match=r"the alignment of more\.jsonl:\d+: the pair 99-0 is outside texts of"):
        train_by_alignments(pairs)


def test_pairs_that_no_rules_give_are_named_up_to_a_hundred() -> None:
    pairs = [replace(pair, name=f"text {n}") for n, pair in enumerate(data_of(known(80)[0], []).train)]
    made_from = train_by_alignments(pairs).made_from
    names = str(made_from["not_derived"]).split(", ")
    assert names[0]
    assert len(names) == made_from["pairs_not_derived"]
    assert set(names) <= {pair.name for pair in pairs}
    many = [replace(pairs[0], name=str(n)) for n in range(MOST_NAMED + 2)]
    assert named(many).endswith(f"{MOST_NAMED - 1} and 2 more")


def test_a_text_in_another_language_gets_the_first_words() -> None:
    system = compressor(replace(known(80)[1], trained=learnt(Checkpoint())[0]))
    text = "Der alte Hund bellte in der Nacht."
    output = system(Source("1", "de", (text,)), Range(), 1)
    assert isinstance(output, Output)
    assert (output.status, output.note) == (Status.FALLBACK, "it learnt from texts in en, and this one is in de")


def test_too_few_pairs_are_refused_with_how_many_there_are() -> None:
    pairs, resources = known(80)
    data = data_of(pairs[:15], [])
    long = Pair("word " * 81, "word")
    parse = resources.parser()
    resources = replace(resources, parse=lambda text: chained(text) if text.startswith("word") else parse(text))
    with pytest.raises(ValueError, match=r"at least 20 different pairs .*there are 15, and 1 others"):
        train(
            replace(data, train=(*data.train, *data.train, long)),
            resources,
            seed=1,
            checkpoint=Checkpoint(),
            progress=lambda *_step: None,
        )


def test_a_model_that_is_damaged_or_of_something_else_is_refused() -> None:
    model, _told = learnt(Checkpoint())
    few: Mapping[str, NDArray[Any]] = {"weights": model.arrays["weights"][:-1]}
    for damaged, message in (
        (None, "wants to be trained"),
        (replace(model, kind="ilp"), "none of t3"),
        (replace(model, trigrams=None), "none of t3"),
        (replace(model, arrays={}), "weights of t3"),
        (replace(model, arrays=few), "weights of t3"),
        (replace(model, parameters={}), "parameters of t3"),
        (replace(model, parameters={"items": 0, "in_bin": 1}), "1 to 1,000"),
        (replace(model, parameters={"items": 10**9, "in_bin": 1}), "1 to 1,000"),
        (replace(model, rules=(("rule", "1a #b"),)), "rule 1"),
    ):
        with pytest.raises(ValueError, match=message):
            compressor(replace(known(80)[1], trained=damaged))


def f1(system: Compress, pairs: list[MadePair]) -> NDArray[Any]:
    """F1 of words and of pairs of words of each output."""
    outputs = [system(source_of(pair), Range(), 1) for pair in pairs]
    written = ["" if isinstance(output, Undefined) else output.text for output in outputs]
    analysis = Analysis(Tokenizer(language="en"))
    references = [list(analysis.texts([pair.target_text])) for pair in pairs]
    names = ["LR-1+F-1+MULT-ALL", "LR-2+F-1+MULT-ALL"]
    return score(compare(list(analysis.texts(written)), references), names)


@pytest.mark.slow
def test_on_held_out_pairs_it_beats_the_first_words_and_words_by_chance() -> None:
    pairs, resources = known(400, more=1000)
    model = train(
        data_of(pairs[:400], []),
        resources,
        seed=1,
        checkpoint=Checkpoint(),
        progress=lambda *_step: None,
        parameters=replace(QUICK, items=6, tuning=40),
    )
    held_out = pairs[400:]
    own = f1(compressor(replace(resources, trained=model)), held_out)
    for baseline in (first, random_words):
        gain = own - f1(baseline, held_out)
        half = 1.96 * gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
        assert (gain.mean(axis=0) - half > 0).all()
    # What is planted is found: most targets word by word.
    assert (own[:, 1] == 1).mean() > 0.5
