"""What a section of the agreement report is."""

from collections.abc import Callable
from dataclasses import dataclass

from agreement.report_rows import ReportRow
from agreement.scale_ratings import ScaleRatings
from common.words import Words


@dataclass(frozen=True)
class ReportSection:
    """Rows of the report, computed scale by scale.

    Sections are computed by rank. Every row is in the CSV and the JSON file. The page shows the sections that it knows
    in places of their own; one with a `heading` gets a table under it, with a line for each group of its rows.
    """

    rank: int
    rows: Callable[[ScaleRatings], list[ReportRow]]
    comparison: str = ""
    heading: Words = ""
    many_points: bool = False
    """Whether it is about scales of many points or real numbers, and not about those of a few."""
