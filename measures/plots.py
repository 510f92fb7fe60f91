"""Plots of results by Matplotlib, which the extra ``plots`` installs: estimates with intervals, and who beats whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

LINE = 0.3
"""Inches that a line of a plot takes."""


def plot_estimates(
    rows: Iterable[Mapping[str, Any]],
    *,
    label: str,
    value: str,
    low: str = "",
    high: str = "",
    reference: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw estimates with their intervals, one below the other in the order of the rows.

    For kappa of every two raters, the table of agreement of a report (Toutanova et al. 2016, Table 4), or metrics
    sorted by how far they follow people.

    Parameters
    ----------
    rows : iterable of mappings
        As `measures.core.rows.as_rows` makes them, the rows of a report's JSON, or ``frame.to_dict("records")``.
    label, value : str
        The columns of what a row is called, and of its estimate. Where the estimate is missing, the plot says
        "undefined", with the reason if there is a column ``VALUE undefined``.
    low, high : str, optional
        The columns of the ends of the interval. A row without them has no bar.
    reference : float, optional
        Where a dashed line stands, such as 0 for agreement by chance.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn in.

    Raises
    ------
    ValueError
        If there are no rows.
    KeyError
        If a row lacks the column of its name or its estimate.

    Examples
    --------
    >>> rows = [{"raters": "A, B", "kappa": 0.5, "low": 0.2, "high": 0.7}, {"raters": "A, C", "kappa": None}]
    >>> ax = plot_estimates(rows, label="raters", value="kappa", low="low", high="high", reference=0)
    >>> [each.get_text() for each in ax.get_yticklabels()], ax.get_xlabel()
    (['A, B', 'A, C'], 'kappa')
    """
    lines = list(rows)
    if not lines:
        raise ValueError("there are no rows to draw")
    drawn = _axes(ax, (6.0, 1 + LINE * len(lines)))
    for place, row in enumerate(lines):
        estimate = row[value]
        if _is_missing(estimate):
            reason = row.get(f"{value} undefined")
            words = "undefined" if _is_missing(reason) else f"undefined: {reason}"
            drawn.text(0.02, place, words, transform=drawn.get_yaxis_transform(), va="center", style="italic")
            continue
        drawn.plot([estimate], [place], "o", color="black")
        ends: list[Any] = [row.get(low), row.get(high)]
        if not any(map(_is_missing, ends)):
            drawn.plot(ends, [place, place], color="black")
    if reference is not None:
        drawn.axvline(reference, color="gray", linestyle="dashed", zorder=0)
    drawn.set_yticks(range(len(lines)), [str(row[label]) for row in lines])
    drawn.set_ylim(len(lines) - 0.5, -0.5)
    drawn.set_xlabel(value)
    return drawn


def plot_dominance(names: Sequence[str], wins: ArrayLike, *, tests: int, ax: Axes | None = None) -> Axes:
    """Draw on how many pairs of systems each metric was shown to be better than each other.

    Source: Toutanova et al. 2016, §4.3.2, where Williams' tests compare every two metrics on every pair of systems.

    Parameters
    ----------
    names : sequence of str
        The metrics.
    wins : array-like of int, shape (metrics, metrics)
        How often the metric of the row was shown to be better than that of the column.
    tests : int
        How many tests of two metrics there were: the pairs of systems.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn in.

    Raises
    ------
    ValueError
        If the table has another shape, or a number is not between 0 and `tests`.

    Examples
    --------
    >>> ax = plot_dominance(["ROUGE-2", "length"], [[0, 5], [0, 0]], tests=6)
    >>> [each.get_text() for each in ax.texts]
    ['5', '0']
    """
    table = np.asarray(wins)
    if table.shape != (len(names), len(names)):
        raise ValueError(f"wins have the shape {table.shape}, and there are {len(names)} metrics")
    if table.size and not (table.min() >= 0 and table.max() <= tests):
        raise ValueError(f"wins are from 0 to {tests}, the number of tests")
    drawn = _axes(ax, (2 + LINE * len(names), 2 + LINE * len(names)))
    itself = np.eye(len(names), dtype=bool)
    drawn.imshow(np.where(itself, 0, table / max(tests, 1)), cmap="Greys", vmin=0, vmax=1)
    for row, column in np.argwhere(~itself):
        color = "white" if table[row, column] > tests / 2 else "black"
        drawn.text(column, row, str(table[row, column]), ha="center", va="center", color=color)
    drawn.set_xticks(range(len(names)), names, rotation=90)
    drawn.set_yticks(range(len(names)), names)
    drawn.set_xlabel(f"than this one\n(of {tests} pairs)")
    drawn.set_ylabel("shown to be better")
    return drawn


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    _figure, made = pyplot.subplots(figsize=size, layout="constrained")
    return made


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value))  # tables of pandas have NaN for None
