"""The rows of a report as the page looks them up: by table, judgement, metric and figure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaluation.judged_release import COMBINED

Row = Mapping[str, Any]
INPUT_LEVEL, CORPUS_LEVEL = "input level", "corpus level"


class ReportRows:
    """The rows of a report. Tables that a report does not have are empty."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._tables: dict[str, list[Row]] = {}
        for row in rows:
            self._tables.setdefault(row["table"], []).append(row)

    def everything(self) -> Iterator[Row]:
        """Yield the rows of all tables, for all inputs and for parts of them."""
        return (row for rows in self._tables.values() for row in rows)

    def of(self, table: str, judgement: str | None = None, figure: str | None = None) -> list[Row]:
        """Return the rows of a table for all inputs, of one judgement and figure if asked for."""
        return [
            row
            for row in self._tables.get(table, [])
            if not row.get("part_kind")
            and (judgement is None or row.get("judgement") == judgement)
            and (figure is None or row.get("figure") == figure)
        ]

    def parts(self, table: str, judgement: str, figure: str) -> list[Row]:
        """Return the rows of a table for genres and lengths."""
        found = self._tables.get(table, [])
        return [
            row for row in found if row.get("part_kind") and row["judgement"] == judgement and row["figure"] == figure
        ]

    def judgements(self) -> list[str]:
        """Return the judgements of the report in its order, the combined one last."""
        known = dict.fromkeys(
            row["judgement"] for rows in self._tables.values() for row in rows if row.get("judgement")
        )
        return sorted(known, key=lambda key: key == COMBINED)

    def metric_levels(self, judgement: str) -> list[Row]:
        """Return the correlation of each metric at input level, highest first, undefined ones last."""
        return falling(self.of(INPUT_LEVEL, judgement, "r"))

    def system_levels(self, judgement: str) -> dict[str, dict[str, Row]]:
        """Return the correlations of each metric over systems, by metric and coefficient."""
        found: dict[str, dict[str, Row]] = {}
        for row in self.of(CORPUS_LEVEL, judgement):
            if (row.get("of") or "judged") == "judged":
                found.setdefault(row["metric"], {})[row["figure"]] = row
        return found

    def reasons(self, *judgements: str) -> list[tuple[str, list[str]]]:
        """Return why values are undefined, each reason with the metrics or tables that it stands for."""
        found: dict[str, dict[str, None]] = {}
        for rows in self._tables.values():
            for row in rows:
                if row.get("reason") and row.get("judgement") in {"", *judgements}:
                    found.setdefault(row["reason"], {})[row.get("metric") or row["table"]] = None
        return [(reason, list(names)) for reason, names in found.items()]


def falling(rows: Iterable[Row]) -> list[Row]:
    """Return rows by their values, highest first, undefined ones last."""
    return sorted(rows, key=lambda row: (row["value"] is None, -(row["value"] or 0)))


def by_metric(rows: Sequence[Row]) -> dict[str, Row]:
    """Return the first row of each metric."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(row["metric"], row)
    return found
