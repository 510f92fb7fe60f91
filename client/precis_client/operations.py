"""Reports on editing operations, with rows whose columns are known."""

from collections.abc import Mapping
from typing import Any

from precis_client.records import Record


class OperationRow(Record):
    """One figure of a report. Columns that are for other tables are None.

    Examples
    --------
    >>> row = OperationRow({"table": "token shares", "figure": "copied", "value": 0.75})
    >>> row.figure, row.value, row.p_holm
    ('copied', 0.75, None)
    """

    __slots__ = ()

    table: str
    part: str
    group: str
    figure: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    p: float | None
    p_holm: float | None
    reason: str
    no_interval: str | None
    sources: int | None
    editors: int | None
    present: float | None
    absent: float | None
    joint: float | None
    apart: float | None
    mean_difference: float | None
    difference: float | None
    detectable: float | None
    z: float | None
    rank_biserial: float | None
    standard_error: float | None
    t: float | None
    df: float | None
    numerator_df: int | None
    method: str | None
    raters: int | None
    ratings: int | None
    words: int | None
    p10: float | None
    p25: float | None
    p50: float | None
    p75: float | None
    p90: float | None
    time_p10: float | None
    time_p25: float | None
    time_p50: float | None
    time_p75: float | None
    time_p90: float | None

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__({**dict.fromkeys(OperationRow.__annotations__), **told})


class OperationsReport(Record):
    """What people and systems did to the texts of a release."""

    __slots__ = ()

    @property
    def rows(self) -> list[OperationRow]:
        """The figures, in the order of the files; none before the report is ready."""
        return [OperationRow(each) for each in self["rows"] or ()]

    def table(self, name: str, part: str = "release") -> list[OperationRow]:
        """Return the rows of a table for one kind of part.

        Examples
        --------
        >>> row = {"table": "token shares", "part": "release", "figure": "copied", "value": 0.75}
        >>> report = OperationsReport({"rows": [row]})
        >>> [(row.figure, row.value) for row in report.table("token shares")]
        [('copied', 0.75)]
        """
        return [row for row in self.rows if (row.table, row.part) == (name, part)]
