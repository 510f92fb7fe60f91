"""Reports on metrics against ratings, with rows whose columns are known."""

from collections.abc import Mapping
from typing import Any

from precis_client.records import Record


class EvaluationRow(Record):
    """One figure of a report. Every row has these columns; a table may have more, such as ``p_holm`` or ``rank``.

    Examples
    --------
    >>> row = EvaluationRow({"table": "input level", "metric": "BLEU", "figure": "r", "value": 0.41, "rank": 2})
    >>> row.metric, row.value, row.low, row.rank
    ('BLEU', 0.41, None, 2)
    """

    __slots__ = ()

    table: str
    judgement: str
    part_kind: str
    part: str
    metric: str
    other: str
    figure: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    p: float | None
    reason: str

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__({**dict.fromkeys(EvaluationRow.__annotations__), **told})


class EvaluationReport(Record):
    """What the metrics of a release are worth, by its ratings."""

    __slots__ = ()

    @property
    def rows(self) -> list[EvaluationRow]:
        """The figures, in the order of the files; none before the report is ready."""
        return [EvaluationRow(each) for each in self["rows"] or ()]

    def table(self, name: str, judgement: str | None = None) -> list[EvaluationRow]:
        """Return the rows of a table for all inputs, and for one judgement if it is named.

        Examples
        --------
        >>> told = {"table": "input level", "judgement": "meaning", "part_kind": "", "metric": "BLEU", "value": 0.41}
        >>> report = EvaluationReport({"rows": [told]})
        >>> [(row.metric, row.value) for row in report.table("input level", "meaning")]
        [('BLEU', 0.41)]
        """
        return [
            row for row in self.rows if row.table == name and not row.part_kind and judgement in (None, row.judgement)
        ]
