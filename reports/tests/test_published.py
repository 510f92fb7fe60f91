"""The values of other studies that stand beside a report's: as printed, each with its place in its paper."""

from collections import Counter

import pytest

from reports.published import PAPERS, place_of, published, published_table, published_values


@pytest.mark.parametrize(
    ("place", "printed", "value", "mark"),
    [
        (("T16", "text", "two sentences in the output (two-sentence sources)", "share"), "72.4%", 0.724, ""),
        (("T16", "text", "two source sentences merged (two-sentence sources)", "share"), "27.3%", 0.273, ""),
        (("T16", "text", "one sentence deleted (two-sentence sources)", "share"), "0.4%", 0.004, ""),
        (("T16", "Table 5", "Sentence Delete", "meaning, absent"), "2.82*", 2.82, "*"),
        (("T16", "Table 6", "2-Sentence", "grammar"), "2.87**", 2.87, "**"),
        (("T16", "Table 9", "Best per linguistic unit: LR-4+Recall+MULT-ALL", "meaning"), ".52 -", 0.52, "-"),
        (("O12", "Table 2", "ROUGE-2, stemmed", "auto, Pyramid, contr"), "0.19", 0.19, ""),
        (("S12", "Table 1", "correlation with grades, stemmed, peers only", "ROUGE-SU4, Czech"), ".563", 0.563, ""),
        (("A12", "text", "inconsistent topics", "n"), "25", 25, ""),
    ],
)
def test_a_value_is_what_the_paper_prints(
    place: tuple[str, str, str, str], printed: str, value: float, mark: str
) -> None:
    found = published(*place)
    assert (found.printed, found.value, found.mark) == (printed, value, mark)


def test_every_value_has_its_own_place_in_a_paper() -> None:
    found = published_values()
    assert all(each.section and each.table and each.row and each.column and each.printed for each in found)
    assert {each.paper for each in found} == set(PAPERS)
    assert set(Counter(place_of(each) for each in found).values()) == {1}


def test_where_a_paper_contradicts_itself_its_number_stands_with_a_note() -> None:
    table = published_table("S12", "Table 4")
    cells = {cell.printed: cell.note for _row, line in table.lines for cell in line if cell}
    assert cells[".793"] == "the mean of the five cells is .689: likely misprinted"
    assert len(table.columns) == 12
    assert all(len(line) == 12 for _row, line in table.lines)
