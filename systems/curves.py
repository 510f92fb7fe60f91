"""The curves of a training, as coordinates in percent of the frame."""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from common.charts import Chart, line_of
from common.plots import linear_axis

Curve = Sequence[Mapping[str, float]]


def curves_of(curve: Curve, chosen: Collection[str]) -> list[tuple[str, Chart]]:
    """Return a plot for each figure that changes from step to step, by its name, but for what was `chosen`."""
    names = dict.fromkeys(name for step in curve for name in step if name not in chosen)
    plots = ((name, _plot([step.get(name) for step in curve])) for name in names)
    return [(name.replace("_", " "), plot) for name, plot in plots if plot is not None]


def _plot(values: Sequence[float | None]) -> Chart | None:
    points = [(float(step), value) for step, value in enumerate(values, start=1) if isinstance(value, int | float)]
    known = [value for _step, value in points]
    if len(set(known)) < 2:
        return None
    low, high = min(known), max(known)
    across = linear_axis(_("Step of the training"), 1, len(values), whole=True)
    line = line_of([(step, (value - low) / (high - low)) for step, value in points], 1, len(values))
    return Chart(across, linear_axis("", low, high).upwards, curves=[line])


def curve_table(curve: Curve) -> dict[str, list[str] | list[list[float | None]]]:
    """Return the names of the figures, and a row for each step."""
    names = list(dict.fromkeys(name for step in curve for name in step))
    rows = [[step.get(name) for name in names] for step in curve]
    return {"columns": [name.replace("_", " ") for name in names], "rows": rows}
