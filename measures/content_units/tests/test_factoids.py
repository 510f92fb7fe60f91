"""Agreement and overlap of factoids against scikit-learn and plain definitions."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support

from measures.agreement.gwet import GwetResult, gwet_agreement
from measures.content_units.factoids import (
    NO_FACTOID,
    AddedFacts,
    FactoidAgreement,
    added_facts,
    factoid_agreement,
    factoid_overlap,
)
from measures.core.drawn_sources import TOO_FEW_SOURCES
from measures.core.item_means import ItemMean
from measures.core.undefined import ONE_CATEGORY, Undefined

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())["factoids"]
COLUMNS = dict(zip(GOLDEN["names"], np.array(GOLDEN["matrix"]).T, strict=True))
ONE_ITEM = np.zeros(8)
vectors = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=25)


def value(found: Any) -> float:
    assert not isinstance(found, Undefined)
    return float(found.value)


def agreed(*args: Any) -> FactoidAgreement:
    found = factoid_agreement(*args, draws=50, seed=1)
    assert isinstance(found, FactoidAgreement)
    return found


@pytest.mark.parametrize("pair", GOLDEN["kappa"])
def test_kappa_is_that_of_scikit_learn(pair: str) -> None:
    one, other = pair.split("/")
    assert agreed(COLUMNS[one], COLUMNS[other], ONE_ITEM).kappa == pytest.approx(GOLDEN["kappa"][pair], abs=1e-8)


@pytest.mark.parametrize("name", GOLDEN["prf_against_ref"])
def test_overlap_is_that_of_scikit_learn(name: str) -> None:
    overlap = factoid_overlap(COLUMNS[name], COLUMNS["ref"], ONE_ITEM, seed=1)
    for kind in (overlap.micro, overlap.macro):
        found = [value(each) for each in (kind.precision, kind.recall, kind.f)]
        assert found == pytest.approx(GOLDEN["prf_against_ref"][name], abs=1e-8)


@settings(max_examples=50, deadline=None)
@given(vectors)
def test_pooled_and_item_values_are_those_of_plain_loops(rows: list[tuple[bool, bool, int]]) -> None:
    one, other, items = (np.array(each) for each in zip(*rows, strict=True))
    found = agreed(one, other, items)
    mixed = len({*one.tolist(), *other.tolist()}) == 2
    assert found.kappa == (pytest.approx(cohen_kappa_score(one, other)) if mixed else ONE_CATEGORY)
    theirs = gwet_agreement(np.column_stack([one, other]) + 1, categories=2)
    assert isinstance(theirs, GwetResult)
    assert found.ac1 == (pytest.approx(theirs.coefficient) if mixed else ONE_CATEGORY)
    assert found.agreement == pytest.approx(theirs.agreement)
    assert (found.first_share, found.second_share) == pytest.approx((one.mean(), other.mean()))
    groups = [(one[items == each], other[items == each]) for each in set(items.tolist())]
    kappas = [cohen_kappa_score(a, b) for a, b in groups if len({*a.tolist(), *b.tolist()}) == 2]
    if kappas:
        assert value(found.item_kappa) == pytest.approx(np.mean(kappas))
        assert isinstance(found.item_kappa, ItemMean)
        assert found.item_kappa.left_out == len(groups) - len(kappas)
    else:
        assert isinstance(found.item_kappa, Undefined)


@settings(max_examples=50, deadline=None)
@given(vectors)
def test_micro_and_macro_are_those_of_plain_loops(rows: list[tuple[bool, bool, int]]) -> None:
    mine, gold, items = (np.array(each) for each in zip(*rows, strict=True))
    overlap = factoid_overlap(mine, gold, items, draws=50, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = precision_recall_fscore_support(gold, mine, average="binary", pos_label=True, zero_division=np.nan)
    found = (overlap.micro.precision, overlap.micro.recall, overlap.micro.f)
    for ours, expected in zip(found, theirs[:3], strict=True):
        if not isinstance(ours, Undefined):
            assert ours.value == pytest.approx(0 if np.isnan(expected) else expected)
    assert isinstance(overlap.micro.precision, Undefined) == (not mine.any())
    assert isinstance(overlap.micro.recall, Undefined) == (not gold.any())
    assert isinstance(overlap.micro.f, Undefined) == (not mine.any() and not gold.any())
    scores = []
    for each in set(items.tolist()):
        a, b = mine[items == each], gold[items == each]
        if a.any() or b.any():
            scores.append(2 * (a & b).sum() / (a.sum() + b.sum()))
    if scores:
        assert value(overlap.macro.f) == pytest.approx(np.mean(scores))


def test_factoids_without_both_answers_are_left_out() -> None:
    found = agreed([1, 0, np.nan, 1], [1, 0, 1, np.nan], [1, 1, 2, 2])
    assert (found.factoids, found.items, found.kappa) == (2, 1, 1)
    assert factoid_agreement([np.nan], [1], [1], seed=1) is NO_FACTOID


def test_intervals_need_ten_items(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, items = rng.integers(0, 2, 120), np.repeat(np.arange(20), 6)
    other = np.where(rng.random(120) < 0.2, 1 - one, one)
    found = factoid_agreement(one, other, items, draws=400, seed=1)
    assert isinstance(found, FactoidAgreement)
    for estimate, interval in ((found.kappa, found.kappa_interval), (found.ac1, found.ac1_interval)):
        assert not isinstance(estimate, Undefined)
        assert not isinstance(interval, Undefined)
        assert interval.low < estimate < interval.high
    assert agreed(one, other, items % 9).kappa_interval is TOO_FEW_SOURCES


def test_added_facts_are_counted_by_text() -> None:
    found = added_facts([0, 1, 3, np.nan])
    assert isinstance(found, AddedFacts)
    assert (value(found.number), value(found.share_with_any)) == pytest.approx((4 / 3, 2 / 3))
    assert found.number.left_out == 1
    assert not isinstance(found.number.interval, Undefined)
    assert found.number.interval.low < 4 / 3 < found.number.interval.high
    assert isinstance(added_facts([np.nan]), Undefined)
    with pytest.raises(ValueError, match="at least 0"):
        added_facts([-1])


def test_impossible_answers_are_refused() -> None:
    with pytest.raises(ValueError, match="0, 1 or NaN"):
        factoid_agreement([2], [1], [1], seed=1)
    with pytest.raises(ValueError, match="each factoid an item"):
        factoid_overlap([1], [1, 0], [1], seed=1)
    with pytest.raises(ValueError, match="draws"):
        factoid_agreement([1], [1], [1], draws=0, seed=1)
