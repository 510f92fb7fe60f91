"""Align sentences and project summaries: ``python -m measures.projection propose SOURCE TARGET``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from measures.core.undefined import Undefined
from measures.projection.by_system import (
    ProjectedSummary,
    SystemFigure,
    grade_correlations,
    project_all,
    system_figures,
)
from measures.projection.files import (
    FilesRefused,
    alignment_lines,
    proposed,
    read_alignment,
    read_documents,
    read_grades,
    read_summaries,
)

EXAMPLES = """examples:
  python -m measures.projection propose en.jsonl cs.jsonl > alignment.tsv
  python -m measures.projection check en.jsonl cs.jsonl alignment.tsv
  python -m measures.projection project en.jsonl cs.jsonl alignment.tsv summaries.jsonl > projected.jsonl

A line of SOURCE and TARGET is {"id": "d1", "sentences": ["...", "..."]}; each may be {"id": "...", "text": "..."}.
The alignment has a group a line: document, source_ids, target_ids with | between several. Correct it in a spreadsheet.
Grades have a system a line: system, source, target, in the language of either; one may be empty.
A summary is {"document": "d1", "system": "s1", "sentences": ["..."]}, or has "documents" and "text"."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : list of str, optional
        Words of the command line.

    Returns
    -------
    int
        0, or 2 if something could not be read.
    """
    given = _parser().parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        _run(given)
        sys.stdout.flush()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenPipeError:  # the reader has closed the pipe; Python would complain again when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m measures.projection",
        description="Carry summaries into another language through aligned sentences.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    acts = parser.add_subparsers(dest="act", required=True)
    for act, words in (
        ("propose", "write an alignment, guessed from the lengths of sentences"),
        ("check", "say by line what is wrong with an alignment, or write it with the texts"),
        ("project", "write what summaries become, and the figures of their systems"),
    ):
        own = acts.add_parser(act, help=words, description=f"{words[0].upper()}{words[1:]}.")
        own.add_argument("source", metavar="SOURCE", help="documents, JSON Lines")
        own.add_argument("target", metavar="TARGET", help="their translations, with the same ids of documents")
        if act != "propose":
            own.add_argument("alignment", metavar="ALIGNMENT", help="groups of sentences, TSV")
        if act == "project":
            own.add_argument("summaries", metavar="SUMMARIES", help="summaries of SOURCE, JSON Lines")
            own.add_argument("--own", metavar="FILE", help="summaries of TARGET by the same systems, for the overlap")
            own.add_argument("--grades", metavar="FILE", help="grades by people, TSV, to correlate the figures with")
            own.add_argument("--figures", metavar="FILE", help="where to write the figures of systems (standard error)")
    return parser


def _run(given: argparse.Namespace) -> None:
    source, target = read_documents(given.source), read_documents(given.target)
    if given.act == "propose":
        _write(sys.stdout.write, alignment_lines(proposed(source, target), source, target))
        return
    alignment = read_alignment(given.alignment, source, target)
    if given.act == "check":
        _write(sys.stdout.write, alignment_lines(alignment, source, target))
        return
    summaries = read_summaries(given.summaries, source)
    own = read_summaries(given.own, target) if given.own else []
    try:
        projected = project_all(summaries, source, target, alignment, own)
    except FilesRefused as refusal:
        raise ValueError(f"{given.own}: {refusal}") from refusal
    found = system_figures(projected)
    if given.grades:
        found += grade_correlations(found, read_grades(given.grades, {each.summary.system for each in projected}))
    figures = "".join(f"{line}\n" for line in _table(found))
    if given.figures:
        try:
            Path(given.figures).write_text(figures, encoding="utf-8")
        except OSError as error:
            raise ValueError(f"{given.figures}: {error.strerror}") from error
    _write(sys.stdout.write, (json.dumps(_line(each), ensure_ascii=False) for each in projected))
    if not given.figures:
        sys.stderr.write(figures)


def _write(write: Any, lines: Iterable[str]) -> None:
    for line in lines:
        write(f"{line}\n")


def _line(each: ProjectedSummary) -> dict[str, Any]:
    """All that the line of the summary had, with the text that it became, as `measures.metrics` reads it."""
    shared = each.shared
    return {
        "id": " ".join((*each.summary.documents, each.summary.system)).strip(),
        **each.summary.row,
        "text": " ".join(each.sentences),
        "sentences": list(each.sentences),
        "matches": [
            {"dice": match.dice, "source": _ids(match.source), "targets": [_ids(name) for name in match.target]}
            for match in each.projection.sentences
        ],
        "not_matched": each.projection.not_matched,
        "without_translation": each.projection.without_translation,
        "length_ratio": _number(each.length_ratio),
        "overlap": None
        if isinstance(shared, Undefined)
        else {
            **{name: _number(getattr(shared, name)) for name in asdict(shared)},
            "own_not_matched": each.own_not_matched,
        },
    }


def _ids(name: str | None) -> list[str] | None:
    return None if name is None else name.split("\t")


def _number(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value


def _table(figures: Iterable[SystemFigure]) -> Iterator[str]:
    yield "system\tfigure\tvalue\tlow\thigh\tn\tnote"
    for each in figures:
        low, high = ("", "") if isinstance(each.interval, Undefined) else (f"{end:.4f}" for end in each.interval)
        value, note = ("", each.value.reason) if isinstance(each.value, Undefined) else (f"{each.value:.4f}", "")
        if not note and isinstance(each.interval, Undefined):
            note = each.interval.reason
        yield "\t".join((each.system, each.figure, value, low, high, str(each.summaries), note))


if __name__ == "__main__":
    sys.exit(main())
