"""A row of a report on linked sentences, and the names of its tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from measures.core.undefined import Undefined
from measures.experiments.paired import paired_tests

Row = dict[str, Any]
Value = float | Undefined
COLUMNS = (
    *("table", "graph", "against", "one", "other", "document", "figure", "value", "low", "high", "n"),
    *("p", "p_holm", "reason"),
)
LINKS, PEOPLE, OMEGA, DOCUMENTS, TIES = "links", "people", "omega", "documents", "ties"
TESTS, NUMBERS, SIZES, TRANSFER = "tests", "numbers", "sizes", "transfer"
PREDICTED, ALL, OWN = "predicted links", "links of all people", "links of one person"
EVERYONE, THEMSELVES = "everyone", "the person whose links they are"
NOBODY = Undefined("no document has a value")
ONE_DOCUMENT, ALL_EQUAL = Undefined("one document has no interval"), Undefined("all documents have the same value")


def row(table: str, figure: str, value: Value | None, ends: Any = None, *, n: int | None = None, **about: Any) -> Row:
    """Return the row of a value, or of the reason why there is none; `ends` are of its interval or its range."""
    found: Row = {**dict.fromkeys(COLUMNS), "table": table, "figure": figure, "n": n, "reason": ""}
    found |= dict.fromkeys(("graph", "against", "one", "other", "document"), "") | about
    if value is None or isinstance(value, Undefined):
        return found | {"reason": value.reason if value else ""}
    found["value"] = value
    if isinstance(ends, Undefined):
        return found | {"reason": ends.reason}
    return found | (dict(zip(("low", "high"), ends, strict=True)) if ends else {})


def mean_row(table: str, figure: str, values: Sequence[Value], **about: Any) -> Row:
    """Return the row of a mean over documents, with its 95% interval by t; undefined values are left out."""
    known = [each for each in values if not isinstance(each, Undefined)]
    tests = paired_tests(known, draws=1, seed=0) if known else NOBODY
    if isinstance(tests, Undefined):
        reasons = dict.fromkeys(each.reason for each in values if isinstance(each, Undefined))
        return row(table, figure, Undefined("; ".join(reasons) or NOBODY.reason), n=0, **about)
    t = tests.t
    no_interval = ONE_DOCUMENT if len(known) < 2 else ALL_EQUAL
    ends = no_interval if isinstance(t, Undefined) else (t.low, t.high)
    return row(table, figure, float(np.mean(known)), ends, n=len(known), **about)
