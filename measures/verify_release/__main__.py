"""Verify a release that was downloaded: ``python -m measures.verify_release FOLDER_OR_ZIP [--report FILE]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from measures.verify_release.checks import SHOWN, Check, document_of, release_checks
from measures.verify_release.opened import Opened, Unreadable

WHAT = """checks:
  files      each file has the size and SHA-256 that manifest.json states
  records    each line of corpus.jsonl has the fields, types and ranges of a release
  counts     manifest.json and the card say what the records hold
  joins      each edit log belongs to a compression and its editor
  tables     each Parquet table has the rows that the records make (where pyarrow is installed)
  agreement  with --report: the rows on raters and experts as a whole follow from the ratings

Exit code: 0 if nothing is wrong, 1 if something is, 2 if there is nothing to check or something cannot be read."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : list of str, optional
        Words of the command line.

    Returns
    -------
    int
        0 if nothing is wrong, 1 if something is, 2 if it cannot be told.
    """
    parser = argparse.ArgumentParser(
        prog="python -m measures.verify_release",
        description="Say whether a release is whole, and whether a report on its agreement follows from its ratings.",
        epilog=WHAT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("release", metavar="FOLDER_OR_ZIP", type=Path, help="with manifest.json and the files it names")
    parser.add_argument("--report", metavar="FILE", type=Path, help="the JSON of a report on the agreement")
    given = parser.parse_args(arguments)
    try:
        report = document_of(Opened(given.report.absolute().parent), given.report.name)[0] if given.report else None
        checks = []
        for check in release_checks(Opened(given.release), report):
            sys.stdout.writelines(f"{line}\n" for line in lines_of(check))
            sys.stdout.flush()
            checks.append(check)
    except Unreadable as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return int(any(check.faults for check in checks))


def lines_of(check: Check) -> Iterator[str]:
    """Yield what is printed of a check."""
    if not check.faults:
        yield f"pass         {check.name}: {check.looked_at}"
    yield from (f"FAILED       {check.name}: {words}" for words in check.faults[:SHOWN])
    if len(check.faults) > SHOWN:
        yield f"FAILED       {check.name}: and more"
    if check.not_checked:
        yield f"not checked  {check.name}: {check.not_checked}"


if __name__ == "__main__":
    sys.exit(main())
