"""Parameters of reports: declared once, and read, refused and shown alike wherever they come from."""

from argparse import ArgumentParser
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import pytest

from reports.parameters import (
    ReportForm,
    ReportParameters,
    add_options,
    body_of,
    changed,
    choice,
    names,
    number,
    real,
    seed,
    shown,
    switch,
)


class Order(StrEnum):
    UP = "up"
    DOWN = "down"


def words(name: str) -> dict[str, Any]:
    return {"label": name.capitalize(), "api": name, "option": name}


@dataclass(frozen=True)
class Made(ReportParameters):
    draws: int = number(1000, least=1, most=5000, **words("draws"))
    seed: int = seed(**words("seed"))
    order: Order = choice(Order.UP, Order, **words("order"))
    pool: Literal["a", "b"] = choice("a", Literal["a", "b"], labels={"b": "The other"}, **words("pool"))
    share: float = real(0.8, above=0.5, least=0.51, most=1, **words("share"))
    limit: float | None = real(None, least=0, most=1, none="unlimited", **words("limit"))
    deep: bool = switch(**words("deep"))
    left: tuple[str, ...] = names(most=2, none="nobody", **words("left"))


GIVEN = {"draws": 7, "order": "down", "limit": 0.25, "deep": True, "left": ("x", "y")}
WANTED = Made(draws=7, order=Order.DOWN, limit=0.25, deep=True, left=("x", "y"))


def test_what_is_unknown_missing_or_empty_is_left_out() -> None:
    assert Made.of({**GIVEN, "left": ["x", "y"], "gone": 1, "seed": None, "pool": ""}) == WANTED


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"draws": 0}, "draws must be from 1 to 5,000, not 0"),
        ({"share": 0.5}, "share must be more than 0.5 and at most 1, not 0.5"),
        ({"limit": 1.5}, "limit must be from 0 to 1"),
        ({"pool": "c"}, "pool must be one of a, b, not 'c'"),
        ({"order": "up"}, "order must be one of up, down"),  # a plain string is no Order
        ({"left": ("x", "y", "z")}, "left must have at most 2 names"),
    ],
)
def test_a_value_that_a_parameter_cannot_have_is_refused_by_name(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Made(**wrong)


def test_a_stored_share_below_what_may_be_typed_is_still_read() -> None:
    assert Made.of({"share": 0.505}).share == 0.505


def test_page_program_and_command_give_the_same_parameters() -> None:
    form = ReportForm({**GIVEN, "left": " x \ny\nx\n"}, known=Made)
    body = body_of(Made, "MadeBody", "What is sent.")(data={**GIVEN, "left": ["x", "y"]})
    parser = ArgumentParser()
    add_options(parser, Made)
    typed = ["--draws=7", "--order=down", "--limit=.25", "--deep", "--left=x", "--left=y"]

    assert form.is_valid(), form.errors
    assert body.is_valid(), body.errors
    assert form.parameters == Made.of(body.validated_data) == Made.of(vars(parser.parse_args(typed))) == WANTED


def test_pages_show_what_was_asked_for_and_what_differs_from_the_defaults() -> None:
    stored = {"draws": 2000, "seed": 2016, "order": "up", "pool": "b", "limit": None, "left": []}
    labels = ["Draws", "Seed", "Order", "Pool", "Limit", "Left"]
    assert shown(Made, stored) == list(
        zip(labels, ["2,000", "2016", "up", "The other", "unlimited", "nobody"], strict=True)
    )
    assert changed(Made, stored) == ["Draws: 2,000", "Pool: The other"]
