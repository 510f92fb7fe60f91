"""The checks of a release, each with what it found."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from math import isclose
from typing import Any

from measures.verify_release.agreement_again import ALL_RATINGS, OnScale, Parameters, Ratings
from measures.verify_release.opened import Opened, Unreadable, is_outside
from measures.verify_release.records import Counts, ScaleRange, faults_of, parsed, scales_of
from measures.verify_release.tables import expected_rows, table_faults

MANIFEST, CORPUS, LOGS, CARD = "manifest.json", "corpus.jsonl", "edit_logs.jsonl", "README.md"
LARGEST_DOCUMENT = 256 << 20
SHOWN = 10
CARD_COUNTS = re.compile(r"^(\d+) sources?, (\d+) compressions?(?: \([^)]*\))?, (\d+) ratings?\b", re.MULTILINE)
COUNTED = ("sources", "compressions", "ratings", "comparisons", "expert_ratings", "splits", "systems", "rated_outputs")
COMPARED = (
    *("value", "low", "high", "standard_error", "sources", "raters", "items"),
    *("variance", "paper_low", "paper_high", "draws"),
)
SAME = {"rel_tol": 1e-7, "abs_tol": 1e-9}
"""Another processor may add in another order: what differs by less is the same number."""


@dataclass
class Check:
    """One check: what it is about, what it looked at, what is wrong, and what it could not look at and why."""

    name: str
    looked_at: str = ""
    faults: list[str] = field(default_factory=list)
    not_checked: str = ""

    def add(self, faults: Iterator[str]) -> None:
        """Take some faults, and one more to tell that there are more."""
        self.faults += islice(faults, SHOWN + 1 - min(len(self.faults), SHOWN + 1))


def document_of(release: Opened, name: str) -> tuple[Mapping[str, Any], str]:
    """Return a file that is one JSON object, with its SHA-256.

    Raises
    ------
    Unreadable
        If it is none, or too large for one.
    """
    content = b"".join(release.pieces(name, LARGEST_DOCUMENT))
    if len(content) > LARGEST_DOCUMENT:
        raise Unreadable(f"{name}: more than {LARGEST_DOCUMENT >> 20} MiB")
    try:
        return parsed(content), hashlib.sha256(content).hexdigest()
    except ValueError as error:
        raise Unreadable(f"{name}: {error}") from error


def check_files(release: Opened, manifest: Mapping[str, Any]) -> Check:
    """Hold each file against its size and SHA-256 in the manifest."""
    listed = manifest.get("files")
    check = Check("files")
    if not isinstance(listed, list) or not listed:
        check.faults.append(f"{MANIFEST}: it names no files")
        return check
    check.add(fault for each in listed for fault in _file_faults(release, each))
    known = {each["name"] for each in listed if isinstance(each, dict) and isinstance(each.get("name"), str)}
    there = release.names()
    check.add(f"{name}: lies outside of the release" for name in there if is_outside(name))
    check.looked_at = f"{len(listed)} files by size and SHA-256"
    own_archive = f"{manifest.get('release')}.zip"
    if others := [name for name in there if name not in {*known, MANIFEST, own_archive}]:
        check.not_checked = f"{', '.join(others[:SHOWN])}{' ...' * (len(others) > SHOWN)}: not in {MANIFEST}"
    return check


def _file_faults(release: Opened, listed: object) -> Iterator[str]:
    match listed:
        case {"name": str(name), "size": int(size), "sha256": str(sha256)}:
            pass
        case _:
            yield f"{MANIFEST}: {json.dumps(listed)[:100]} is no file with size and SHA-256"
            return
    if is_outside(name):
        yield f"{name}: lies outside of the release"
        return
    if not release.has(name):
        yield f"{name}: is missing"
        return
    digest, found = hashlib.sha256(), 0
    try:
        for piece in release.pieces(name, size):
            digest.update(piece)
            found += len(piece)
    except Unreadable as error:
        yield str(error)
        return
    if found != size:
        yield f"{name}: {'more than ' * (found > size)}{min(found, size):,} bytes, not {size:,}"
    elif digest.hexdigest() != sha256:
        yield f"{name}: SHA-256 {digest.hexdigest()}, not {sha256}"


class Records:
    """What one reading of `corpus.jsonl` finds: the form of its records, their counts, splits and ratings."""

    def __init__(self, release: Opened, scales: Sequence[ScaleRange]) -> None:
        self.counts, self.ratings = Counts(), Ratings()
        self.splits: dict[str, str] = {}
        self.written: set[tuple[str, str, str]] = set()
        self.check = Check("records")
        self.check.add(self._read(release, scales))
        self.check.looked_at = f"{self.counts.sources} records of {CORPUS}"

    def _read(self, release: Opened, scales: Sequence[ScaleRange]) -> Iterator[str]:
        try:
            for number, line in release.lines(CORPUS):
                try:
                    row = parsed(line)
                except ValueError as error:
                    yield f"{CORPUS}, line {number}: {error}"
                    continue
                if faults := list(faults_of(row, scales)):
                    yield from (f"{CORPUS}, line {number}: {words}" for words in faults)
                    continue
                if row["id"] in self.splits:
                    yield f"{CORPUS}, line {number}: the source {row['id']} stands further up"
                self._take(row)
        except Unreadable as error:
            yield str(error)

    def _take(self, row: Mapping[str, Any]) -> None:
        self.counts.add(row)
        self.ratings.add(row)
        self.splits[row["id"]] = row["split"]
        for text in row["compressions"]:
            self.written |= {(row["id"], text["text"], str(editor)) for editor in text["editors"]}


def check_counts(release: Opened, manifest: Mapping[str, Any], records: Records) -> Check:
    """Hold what is counted against the manifest's summary and splits, and against the card."""
    check = Check("counts", f"{', '.join(COUNTED)} and points of {MANIFEST}; the sentence of {CARD}")
    summary, counts = manifest.get("summary"), records.counts
    if not isinstance(summary, dict):
        check.faults.append(f"{MANIFEST}: no summary")
        return check
    for name in COUNTED:
        found = getattr(counts, name)
        if name in summary and summary[name] != (dict(found) if isinstance(found, Counter) else found):
            said = json.dumps(summary[name], ensure_ascii=False)
            counted = json.dumps(found, ensure_ascii=False)
            check.faults.append(f"{MANIFEST}: summary says {name} {said}, and {CORPUS} has {counted}")
    if missing := [name for name in COUNTED if name not in summary]:
        check.not_checked = f"{', '.join(missing)}: the manifest of this older release does not count them"
    check.add(_point_faults(summary, counts))
    if manifest.get("splits", records.splits) != records.splits:
        check.faults.append(f"{MANIFEST}: the splits of sources are not those of {CORPUS}")
    check.add(_card_faults(release, counts))
    return check


def _point_faults(summary: Mapping[str, Any], counts: Counts) -> Iterator[str]:
    try:
        points = summary["overview"]["all"]["points"].items()
        listed = {str(key): {float(value): int(number) for value, number in given} for key, given in points}
    except (KeyError, TypeError, ValueError, AttributeError):
        return
    for key, given in listed.items():
        found = counts.points.get(key, Counter())
        for value, number in given.items():
            if found[value] != number:
                yield f"{MANIFEST}: {number} ratings of {value:g} on {key}, and {CORPUS} has {found[value]}"


def _card_faults(release: Opened, counts: Counts) -> Iterator[str]:
    if not release.has(CARD):
        return
    try:
        text = b"".join(release.pieces(CARD, LARGEST_DOCUMENT)).decode()
    except (Unreadable, UnicodeDecodeError) as error:
        yield f"{CARD}: {error}"
        return
    own = counts.sources, counts.compressions, counts.ratings
    if (said := CARD_COUNTS.search(text)) and tuple(map(int, said.groups())) != own:
        line = text.count("\n", 0, said.start()) + 1
        yield f"{CARD}, line {line}: “{said[0]}”, and {CORPUS} has {own[0]}, {own[1]} and {own[2]}"


def check_joins(release: Opened, records: Records) -> Check:
    """Follow what other files say of the records: each edit log to its source, text and editor."""
    check = Check("joins")
    if not release.has(LOGS):
        check.looked_at = f"nothing: there is no {LOGS}"
        return check
    check.add(_log_faults(release, records))
    check.looked_at = f"each line of {LOGS} with a compression and its editor"
    return check


def check_tables(release: Opened, counts: Counts) -> Check:
    """Hold the number of rows of each Parquet table against the records."""
    check = Check("tables")
    tables = [name for name in release.names() if expected_rows(name, counts) is not None]
    if not tables:
        check.looked_at = "nothing: there are none"
    elif find_spec("pyarrow") is None:
        check.not_checked = f"the rows of {len(tables)} Parquet files (their bytes are): reading them needs pyarrow"
    else:
        check.add(table_faults(release, counts))
        check.looked_at = f"how many rows {len(tables)} Parquet files have"
    return check


def _log_faults(release: Opened, records: Records) -> Iterator[str]:
    try:
        for number, line in release.lines(LOGS):
            try:
                row = parsed(line)
                key = row["source"], row["text"], str(row["editor"])
                is_known = key in records.written
            except (ValueError, KeyError, TypeError) as error:
                yield f"{LOGS}, line {number}: {error!r}"
                continue
            if not is_known:
                yield f"{LOGS}, line {number}: {CORPUS} has no such compression of {key[0]} by {key[2]}"
            elif row.get("split") != (split := records.splits[key[0]]):
                yield f"{LOGS}, line {number}: split {row.get('split')!r}, and the source is in {split}"
    except Unreadable as error:
        yield str(error)


def check_agreement(report: Mapping[str, Any], sha256: str, records: Records, scales: Sequence[ScaleRange]) -> Check:
    """Compute the agreement of the release again, and hold the report's rows against it."""
    check = Check("agreement")
    of = report.get("release_sha256", sha256)
    if of != sha256:
        check.faults.append(f"the report is on a release whose manifest has the SHA-256 {of}, and not on this one")
        return check
    try:
        given = Parameters.of(report["parameters"])
        rows = {(row["scale"], row["comparison"], row["measure"]): row for row in report["rows"] if not row["group"]}
    except (KeyError, TypeError, ValueError) as error:
        check.faults.append(f"the report has no parameters and rows as reports on agreement have ({error!r})")
        return check
    compared = set()
    for scale in (scale for scale in scales if scale.points):
        if (scale.key, ALL_RATINGS, "kappa") in rows and "first_ratings" not in report:
            continue  # nobody knows which ratings were asked for because others disagreed
        numbers = OnScale(records.ratings, scale.key, scale.points, given, report.get("first_ratings")).numbers()
        for (comparison, measure), found in numbers.items():
            key = scale.key, comparison, measure
            compared.add(key)
            check.add(_row_faults(key, rows.get(key), found))
    others = Counter(row.get("comparison") for row in report["rows"])
    others.subtract(comparison for _, comparison, _ in compared)
    check.looked_at = f"{len(compared)} of {len(report['rows'])} rows of the report, computed again"
    check.not_checked = ", ".join(f"{name} ({number})" for name, number in others.items() if number > 0)
    if not compared:
        check.faults.append("no row could be computed again")
    return check


def _row_faults(key: tuple[str, str, str], row: Mapping[str, Any] | None, found: Mapping[str, Any]) -> Iterator[str]:
    place = ", ".join(key)
    if row is None:
        yield f"{place}: the report has no such row"
        return
    for name in COMPARED if found else ("value",):
        said, own = row.get(name), found.get(name)
        if said is None or own is None:
            if said is not own and name != "items":
                yield f"{place}: {name} is {said} in the report, and {own} from the ratings"
        elif isinstance(said, bool) or not isinstance(said, int | float) or not isclose(said, own, **SAME):
            yield f"{place}: {name} is {said} in the report, and {own} from the ratings"


def release_checks(release: Opened, report: Mapping[str, Any] | None = None) -> Iterator[Check]:
    """Yield all checks of a release, and of a report on its agreement if there is one.

    Raises
    ------
    Unreadable
        If it has no manifest that can be read, so that there is nothing to hold its files against.
    """
    if not release.has(MANIFEST):
        raise Unreadable(f"{release.place}: no {MANIFEST}, so there is nothing to hold its files against")
    manifest, sha256 = document_of(release, MANIFEST)
    yield check_files(release, manifest)
    try:
        scales = scales_of(manifest)
    except ValueError as error:
        yield Check("records", faults=[str(error)])
        return
    if not release.has(CORPUS):
        yield Check("records", faults=[f"{CORPUS}: is missing"])
        return
    records = Records(release, scales)
    yield records.check
    yield check_counts(release, manifest, records)
    yield check_joins(release, records)
    yield check_tables(release, records.counts)
    if report is not None:
        yield check_agreement(report, sha256, records, scales)
