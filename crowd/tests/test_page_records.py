"""What pages tell of how they were worked on: taken within its bounds, and dropped beyond them."""

import json

import pytest

from crowd.page_records import page_record_read

TOLD = {"v": 1, "keys": 120, "soft": 0, "untrusted": 2, "webdriver": 0, "touch": 1, "away_n": 3, "away_ms": 90_000}


@pytest.mark.parametrize("record", [TOLD, {"v": 1}, TOLD | {"keys": 0, "away_ms": 10**7}, {"v": 1, "copies": 4}])
def test_a_record_is_taken_as_it_is(record: dict[str, int]) -> None:
    assert page_record_read(json.dumps(record)) == record


def test_where_leaving_is_not_recorded_nothing_of_it_is_taken() -> None:
    taken = page_record_read(json.dumps(TOLD), with_leaving=False)
    assert taken == {name: n for name, n in TOLD.items() if not name.startswith("away_")}
    assert page_record_read(json.dumps(TOLD | {"away_ms": -1}), with_leaving=False) is None


def test_a_record_of_the_greatest_numbers_is_short_enough() -> None:
    greatest = {**dict.fromkeys(TOLD, 10**7), "v": 1, "webdriver": 1, "touch": 1, "copies": 10**7}
    assert page_record_read(json.dumps(greatest)) == greatest


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "no JSON",
        "null",
        "[1]",
        "[" * 200,
        json.dumps(TOLD | {"v": 2}),
        json.dumps({"keys": 3}),
        json.dumps(TOLD | {"keys": 10**7 + 1}),
        json.dumps(TOLD | {"keys": -1}),
        json.dumps(TOLD | {"keys": 1.5}),
        json.dumps(TOLD | {"keys": True}),
        json.dumps(TOLD | {"keys": "120"}),
        json.dumps(TOLD | {"webdriver": 2}),
        json.dumps({"v": 1, "pressed": 3}),
        json.dumps({"v": 1, "keys": 3}) + " " * 200,
        '{"v": 1, "keys": NaN}',
        '{"v": 1, "keys": ' + "9" * 150 + "}",
    ],
)
def test_what_no_page_sends_is_dropped(sent: str) -> None:
    assert page_record_read(sent) is None
