"""Plots show what the rows say, and say what is undefined."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from measures.agreement import pairwise_kappa
from measures.core.rows import SHOWN, Rows, as_rows
from measures.plots import plot_dominance, plot_estimates

mpl.use("Agg")
KAPPAS = pairwise_kappa([[1, 1, 1], [2, 2, 1], [2, 1, 1], [1, 1, 1]], categories=2)
ENDS: dict[str, str] = {"low": "intervals.kappa.low", "high": "intervals.kappa.high"}
COLUMNS: dict[str, Any] = {"label": "rater_b", "value": "kappa", **ENDS}


def test_a_point_a_bar_and_a_line_for_each_row_in_their_order() -> None:
    rows = as_rows(KAPPAS)

    ax = plot_estimates(rows, **COLUMNS, reference=0)

    lines = [tuple(np.asarray(each.get_data()).tolist()) for each in ax.lines]
    assert ([rows[0]["kappa"]], [0]) in lines
    assert ([rows[0]["intervals.kappa.low"], rows[0]["intervals.kappa.high"]], [0, 0]) in lines
    assert ([0, 0], [0, 1]) in lines
    assert ax.yaxis_inverted()


@pytest.mark.parametrize("as_frame", [False, True])
def test_what_is_undefined_is_said_with_its_reason_and_has_no_point(as_frame: bool) -> None:
    rows = as_rows(pairwise_kappa([[1, 1, 1], [1, 1, 1]], categories=2))
    given: Any = pd.DataFrame(rows).to_dict("records") if as_frame else rows

    ax = plot_estimates(given, **COLUMNS)

    assert {each.get_text() for each in ax.texts} == {f"undefined: {row['kappa undefined']}" for row in rows}
    assert not ax.lines


def test_without_an_interval_there_is_no_bar_and_without_rows_no_plot() -> None:
    ax = plot_estimates([{"metric": "R", "r": 0.5, "low": 0.1, "high": float("nan")}], label="metric", value="r")
    assert len(ax.lines) == 1
    assert plot_estimates([{"metric": "R", "r": 0.5}], label="metric", value="r", ax=ax) is ax
    with pytest.raises(ValueError, match="there are no rows"):
        plot_estimates([], label="metric", value="r")


def test_wins_stand_in_their_cells_and_what_cannot_be_is_refused() -> None:
    ax = plot_dominance(["a", "b", "c"], [[0, 5, 6], [0, 0, 1], [0, 2, 0]], tests=6)

    assert {(each.get_position(), each.get_text()) for each in ax.texts} == {
        *(((1, 0), "5"), ((2, 0), "6"), ((0, 1), "0"), ((2, 1), "1"), ((0, 2), "0"), ((1, 2), "2")),
    }
    with pytest.raises(ValueError, match=r"shape \(2, 2\), and there are 3"):
        plot_dominance(["a", "b", "c"], np.zeros((2, 2)), tests=6)
    with pytest.raises(ValueError, match="from 0 to 4"):
        plot_dominance(["a", "b"], [[0, 5], [0, 0]], tests=4)


def test_a_notebook_shows_rows_as_a_table_that_is_escaped_and_not_too_long() -> None:
    many = Rows({"name": f"<b>{number}", "r": number / 3, "n": None} for number in range(SHOWN + 5))

    page = many._repr_html_()

    assert "<th>name<th>r<th>n" in page
    assert "<td>&lt;b&gt;1<td>0.3333<td><" in page
    assert page.count("<tr>") == SHOWN + 1
    assert f"{SHOWN} of 105 rows" in page


def test_rows_are_a_frame_of_pandas() -> None:
    rows = as_rows(KAPPAS)
    frame = rows.to_pandas()
    assert set(frame.columns) == {name for row in rows for name in row}
    assert frame["rater_b"].tolist() == [row["rater_b"] for row in rows]
    assert frame["kappa"].dropna().tolist() == [row["kappa"] for row in rows if row["kappa"] is not None]
