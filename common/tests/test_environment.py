"""Variables that make no sense are refused by name."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from common import environment


@pytest.mark.parametrize("value", ["ten", "-1", "0", "1.5", "٣", "9" * 16])
def test_a_number_that_is_none_or_too_small_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PRECIS_JOINS_PER_HOUR", value)

    with pytest.raises(ImproperlyConfigured, match=r"PRECIS_JOINS_PER_HOUR takes a whole number from 1 on, and not"):
        environment.number("PRECIS_JOINS_PER_HOUR", 100, least=1)


def test_a_number_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECIS_BACKUP_HOUR", "24")

    with pytest.raises(ImproperlyConfigured, match=r"PRECIS_BACKUP_HOUR takes a whole number from 0 to 23, and not"):
        environment.number("PRECIS_BACKUP_HOUR", 3, most=23)


@pytest.mark.parametrize(("value", "expected"), [("", 100), (" 7 ", 7), ("100000", 100_000)])
def test_a_number_is_read_and_without_one_there_is_the_default(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: int
) -> None:
    monkeypatch.setenv("PRECIS_JOINS_PER_HOUR", value)

    assert environment.number("PRECIS_JOINS_PER_HOUR", 100, least=1) == expected


def test_a_switch_is_not_guessed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "false")

    with pytest.raises(ImproperlyConfigured, match=r"DEBUG is 1 or empty, and not 'false'\."):
        environment.switch("DEBUG")


@pytest.mark.parametrize(("value", "expected"), [("", False), ("0", False), ("1", True)])
def test_a_switch_is_on_or_off(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("DEBUG", value)

    assert environment.switch("DEBUG") is expected
