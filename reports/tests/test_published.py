"""The values of other studies that stand beside a report's: as printed, each with its place in its paper."""

from collections import Counter

import pytest

from reports.published import PAPERS, place_of, published, published_table, published_values
from tests.support.product import ROOT


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
        (("M12", "Table 1", "automatic summary (MMR)", "mean, %"), "41.0", 41, ""),
        (("M12", "Table 4", "primed peers, context-free models, lec4", "ROUGE-L"), "-0.825", -0.825, ""),
        (("M12", "text", "time per quiz, minutes", "n"), "Twelve", 12, ""),
        (("M12", "text", "length of a summary, share of words", "bounds"), "17-23%", None, ""),
    ],
)
def test_a_value_is_what_the_paper_prints(
    place: tuple[str, str, str, str], printed: str, value: float | None, mark: str
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


def test_the_table_of_correlations_with_quizzes_is_whole() -> None:
    table = published_table("M12", "Table 4")
    assert table.columns == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"]
    assert [cell is not None for _row, line in table.lines for cell in line] == [True] * 144
    assert sum(bool(cell and cell.note) for _row, line in table.lines for cell in line) == 16


def test_the_document_on_projected_summaries_has_the_values_as_printed() -> None:
    rows: list[tuple[str, tuple[str, str]]] = [
        *(("Table 2", (f"mean score, {kind} peer",) * 2) for kind in ("original", "aligned", "translated")),
        ("Table 3", ("en", "cz")),
        *(("Table 3", (f"cz → en {kind}", f"en → cz {kind}")) for kind in ("alignment", "translation")),
        ("Table 3", ("en from (cz → en source translation)", "cz from (en → cz source translation)")),
    ]
    lines = (ROOT / "docs/projection.md").read_text(encoding="utf-8").splitlines()
    told = [line.strip("| ").split(" | ")[1:] for line in lines if line.startswith("| of ")]

    assert told == [
        [
            published("S12", table, name, f"{metric}, {way}" if table == "Table 2" else metric).printed
            for metric in ("ROUGE-2", "ROUGE-SU4")
            for name, way in zip(names, ("cz→en", "en→cz"), strict=True)
        ]
        for table, names in rows
    ]
