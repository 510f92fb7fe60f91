"""Tables on a terminal keep every number whole, however narrow the terminal and however long the names."""

import re
from collections.abc import Sequence
from io import StringIO

import pytest
from django.core.management.base import BaseCommand
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from common.console import Cell, Section, cell_text, print_sections, with_interval

WIDTHS = (60, 80, 100, 120)
LONG = "Faithfulness-to-the-original-x"  # thirty characters without a space
NAMES = (
    "Grammar",
    "Meaning",
    LONG,
    "How well the sense is preserved",
    "文法的な正しさと意味の保存の程度について三十文字を数える名前",
)
COLUMNS = ("Who", "Scale", "Agreement [95%]", "Kappa [95%]", "Texts")
NUMBERS = frozenset(COLUMNS[2:])
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def shown(section: Section, width: int) -> list[str]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", str(width))
        patched.setenv("NO_COLOR", "1")
        command = BaseCommand(stdout=Terminal())
        print_sections(command, [section], {})
    return str(command.stdout.getvalue()).splitlines()


def numbers_of(rows: Sequence[Sequence[Cell]], section: Section) -> list[str]:
    """Return each number in the cells of columns of numbers, as it is written."""
    places = [place for place, name in enumerate(section.columns) if name in section.numbers]
    return sorted(number for row in rows for place in places for number in NUMBER.findall(cell_text(row[place])))


def interval(value: float) -> str:
    return with_interval(value, value - 0.1, value + 0.1)


values = st.floats(-1, 1).map(lambda value: interval(round(value, 3)))
table_rows = st.tuples(
    st.sampled_from(("Rater versus rater", "Everyone", "")),
    st.sampled_from(NAMES),
    *(st.one_of(values, st.just("undefined")) for _ in range(2)),
    st.one_of(st.none(), st.integers(0, 999_999)),
)


@given(rows=st.lists(table_rows, min_size=1, max_size=4), width=st.sampled_from(WIDTHS))
def test_every_number_is_whole(rows: list[Sequence[Cell]], width: int) -> None:
    section = Section("Kappa", COLUMNS, rows, (), NUMBERS)

    lines = shown(section, width)

    assert sorted(NUMBER.findall(" ".join(lines[2:]).replace("[95%]", ""))) == numbers_of(rows, section)
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [1, 9, 30])
def test_no_column_is_lost_where_there_are_many(width: int, count: int) -> None:
    columns = [f"System-with-a-long-name-{'abcdefghijklmnopqrstuvwxyzABCD'[place]}" for place in range(count)]
    rows: list[Sequence[Cell]] = [[name, *[interval(-place / 100) for place in range(count)]] for name in NAMES]
    section = Section("Means", ("Metric", *columns), rows, (), frozenset(columns))

    lines = shown(section, width)

    assert sorted(NUMBER.findall(" ".join(lines))) == numbers_of(rows, section)
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_of_numbers_alone_repeats_its_first_column(width: int) -> None:
    columns = ("Ratings per text", "Texts", "Ratings", "Raters", "Cost", "Mean", "Kappa")
    row: Sequence[Cell] = (3, 133_333, 999_999, 123_456, "1,234,567.89", "-0.123 ± 0.456", "-0.789 ± 0.012")

    lines = shown(Section("Plans", columns, [row], (), frozenset(columns)), width)

    wanted = {number for cell in row for number in NUMBER.findall(cell_text(cell))}
    assert wanted <= set(NUMBER.findall(" ".join(lines)))
    heads = [line for line in lines if line.split()[:1] == ["text"] or line.startswith("Ratings per")]
    assert len(heads) == len([line for line in lines if line and set(line) == {"─"}])
    assert max(map(cell_len, lines)) <= width


def test_short_numbers_in_sentences_are_not_broken() -> None:
    rows: list[Sequence[Cell]] = [(LONG, LONG, "-0.123 of 133,333 are less than 0.05", 1)]

    lines = shown(Section("Why", ("A", "B", "C", "D"), rows, (), frozenset({"D"})), 40)

    assert set(NUMBER.findall(" ".join(lines))) == {"-0.123", "133,333", "0.05", "1"}


def test_a_line_is_rather_longer_than_the_terminal_than_without_a_digit() -> None:
    long = "123,456,789,012,345,678,901,234,567,890"

    lines = shown(Section("Sum", ("Scale", "Sum"), [(LONG, long)], (), frozenset({"Sum"})), 40)

    assert any(long in line for line in lines)
    assert "".join(line.split()[0] for line in lines[3:] if line) == LONG
