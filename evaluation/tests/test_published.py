"""What other studies found with metrics and ratings, beside the tables of a report."""

import pytest

from evaluation.published import BESTS, published_best, published_metrics, published_tables


@pytest.mark.parametrize(
    ("by", "label", "judgement", "printed"),
    [
        ("unit", "LR-2", "meaning", ".56*"),
        ("unit", "LR-4", "combined", ".47"),
        ("measure", "Precision", "combined", ".37 -"),
        ("references", "SINGLE-REF", "meaning", ".49 -"),
        ("other", "BLEU-4", "grammar", ".30"),
        ("other", "ROUGE-L", "combined", ".43"),
    ],
)
def test_the_best_of_a_kind_in_table_9(by: str, label: str, judgement: str, printed: str) -> None:
    found = published_best(by, label, judgement)
    assert found
    assert found.printed == printed


def test_table_9_has_no_cell_for_other_metrics_and_scales() -> None:
    assert published_best("other", "BLEU-4", "meaning") is None
    assert published_best("unit", "LR-2", "fluency") is None
    assert published_best("unit", "BERTScore", "meaning") is None


def test_a_star_of_table_9_says_what_it_dominates() -> None:
    found = published_best("unit", "SKIP-2", "meaning")
    assert found
    assert (found.mark, found.note) == ("*", "* dominates one marked - of its group; - dominated by some metric")


def test_every_value_in_the_file_stands_on_the_page() -> None:
    below = {
        (each.row, each.column)
        for tables in published_tables().values()
        for table in tables
        for _row, line in table.lines
        for each in line
        if each
    }
    left = {(each["row"], each["column"]) for each in published_metrics()} - below
    # The others of Table 9 stand in the column beside the report's own.
    for row, judgement in left:
        begins, part = next(each for each in BESTS.values() if row.startswith(each[0]))
        by = next(by for by, each in BESTS.items() if each[0] == begins)
        found = published_best(by, row.removeprefix(begins).split("+")[part], judgement)
        assert found
        assert found.row == row
    assert len(left) == 45


def test_below_table_8_stands_how_many_metrics_order_the_systems_as_people_do() -> None:
    _means, text = published_tables()["table 8"]
    (row, cells) = text.lines[0]
    assert row == "metrics with rho = tau = 1 with combined quality, of 80"
    assert [cell.printed for cell in cells if cell] == ["Fifty three"]
    assert [cell.value for cell in cells if cell] == [53]
    assert text.sections == "§4.3.1"
