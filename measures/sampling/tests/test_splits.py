"""Dividing sources into splits."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.sampling.splits import split_sources

PAPER = {"train": 4936, "valid": 448, "test": 785}
family_tables = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["news|1", "news|2", "letters|1"])), max_size=60)
weights = st.tuples(*[st.integers(0, 9)] * 3).filter(any)
Row = tuple[int, str, str]


def sources(families: list[tuple[int, str]]) -> list[Row]:
    return [
        (100 * index + member, f"family {index}", stratum)
        for index, (size, stratum) in enumerate(families)
        for member in range(size)
    ]


def split(rows: list[Row], shares: dict[str, float] | None = None, seed: int = 7) -> dict[int, str]:
    return split_sources(
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
        shares=shares or {"train": 8, "valid": 1, "test": 1},
        seed=seed,
    )


@given(family_tables, weights)
def test_families_stay_whole_and_sizes_near_the_shares(
    families: list[tuple[int, str]], weights: tuple[int, int, int]
) -> None:
    rows = sources(families)
    shares = dict(zip(("train", "valid", "test"), map(float, weights), strict=True))
    found = split(rows, shares)
    assert list(found) == [row[0] for row in rows]
    assert len({(row[1], found[row[0]]) for row in rows}) == len(families)
    sizes, largest = Counter(found.values()), max([size for size, _ in families], default=0)
    for name, weight in shares.items():
        aim = Fraction(len(rows)) * Fraction(weight) / sum(weights)
        assert abs(sizes[name] - aim) <= largest + 1
        assert weight or not sizes[name]


@given(st.integers(0, 200), weights, st.integers(0, 5))
def test_families_of_one_give_the_largest_remainders_exactly(
    count: int, weights: tuple[int, int, int], seed: int
) -> None:
    rows = sources([(1, f"stratum {index % 3}") for index in range(count)])
    shares = dict(zip("abc", map(float, weights), strict=True))
    quotas = {name: Fraction(count * int(weight), sum(weights)) for name, weight in shares.items()}
    wanted = {name: int(quota) for name, quota in quotas.items()}
    for name in sorted("abc", key=lambda name: wanted[name] - quotas[name])[: count - sum(wanted.values())]:
        wanted[name] += 1
    assert Counter(split(rows, shares, seed).values()) == Counter(wanted)


def test_the_sizes_of_the_paper_come_out() -> None:
    rows = sources([(1, f"{index % 4}|{index % 2}") for index in range(6169)])
    assert Counter(split(rows, dict(PAPER)).values()) == PAPER


def test_every_stratum_has_its_share() -> None:
    rows = sources([(1, f"stratum {index % 5}") for index in range(1000)])
    found = split(rows)
    tests = Counter(row[2] for row in rows if found[row[0]] == "test")
    assert all(abs(tests[f"stratum {index}"] - 20) <= 1 for index in range(5))


@given(family_tables, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(families: list[tuple[int, str]], random: Any) -> None:
    rows = sources(families)
    shuffled = rows[:]
    random.shuffle(shuffled)
    assert split(rows) == split(shuffled)


def test_any_machine_gives_the_same() -> None:
    found = split(sources([(1, "a"), (3, "b"), (1, "a"), (2, "b"), (1, "a"), (2, "a")]), {"x": 1, "y": 1}, 1)
    assert "".join(found.values()) == "xyyyyxxyxx"


def test_the_seed_changes_who_goes_where() -> None:
    rows = sources([(1, "a")] * 50)
    assert split(rows, seed=1) != split(rows, seed=2)


def test_equal_remainders_go_by_the_order_of_the_shares() -> None:
    rows = sources([(1, "a")])
    assert split(rows, {"x": 1, "y": 1}) == {0: "x"}
    assert split(rows, {"y": 1, "x": 1}) == {0: "y"}
    assert Counter(split(sources([(1, "a")] * 10), {"x": 0.7, "y": 0.2, "z": 0.1}).values()) == {
        "x": 7,
        "y": 2,
        "z": 1,
    }


def test_shares_are_read_as_decimals() -> None:
    found = split(sources([(1, "a")] * 5), {"z": 0.7, "y": 0.2, "x": 0.1})
    assert Counter(found.values()) == {"z": 4, "y": 1}


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        split_sources([1], ["a", "b"], ["s"], shares={"x": 1}, seed=0)
    with pytest.raises(ValueError, match="twice"):
        split([(1, "a", "s"), (1, "b", "s")])
    with pytest.raises(ValueError, match="family a has two strata"):
        split([(1, "a", "s"), (2, "a", "t")])


@pytest.mark.parametrize("shares", [{"x": 0.0}, {"x": -1.0, "y": 3.0}, {"x": float("nan")}, {"x": float("inf")}])
def test_wrong_shares_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="shares"):
        split([(1, "a", "s")], shares)
