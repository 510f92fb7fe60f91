"""The agreement table as CSV."""

import csv
from collections.abc import Iterable, Mapping
from io import StringIO

from agreement.models import AgreementResult

COLUMNS = (
    "scale",
    "comparison",
    "measure",
    "value",
    "variance",
    "low",
    "high",
    "items",
    "draws",
    "undefined",
)


def agreement_csv(result: AgreementResult) -> str:
    """One line per number; each names the release, its checksum and the parameters it was computed with."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    parameters = dict(sorted(result.parameters.items()))
    # The draws that have a value, beside the parameter, the draws that were asked for.
    head = ["draws_defined" if column == "draws" else column for column in COLUMNS]
    writer.writerow([*head, *parameters, "release", "release_sha256"])
    rows: Iterable[Mapping[str, object]] = result.rows or []
    for row in rows:
        cells = ["" if row[column] is None else row[column] for column in COLUMNS]
        writer.writerow([*cells, *parameters.values(), result.release.name, result.release_checksum])
    return stream.getvalue()
