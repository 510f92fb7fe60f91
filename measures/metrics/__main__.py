"""Score outputs by references: ``python -m measures.metrics OUTPUTS REFERENCES...``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import numpy as np
from tqdm import tqdm

from measures.core.arrays import FloatArray
from measures.metrics.cli_options import (
    WITHOUT_PARSER,
    add_corpus_bleu,
    add_settings,
    bleu_lines,
    names_to_score,
    settings_of,
)
from measures.metrics.compute import chosen_metrics, score_chunks
from measures.metrics.counting.comparing import compare
from measures.metrics.counting.reference_sets import Comparisons, Text
from measures.metrics.options import Ground, Options
from measures.metrics.readers import Entry, read_entries
from measures.metrics.registry import KNOWN_METRICS, METRICS, metrics_named
from measures.metrics.signatures import signature, with_ground
from measures.metrics.words.preprocessing import Analysis, analyse_distinct
from measures.metrics.writers import WRITERS, Result
from measures.text.spacy_models import default_model

EXAMPLES = """examples:
  python -m measures.metrics outputs.txt first.txt second.txt --mean
  python -m measures.metrics outputs.jsonl references.jsonl --metrics SKIP-2+Recall+MULT-PROB BLEU-4+PrecBrev+MULT-ALL

a line of .jsonl is {"id": "7", "text": "..."}; an output may carry "references": ["...", "..."] itself.
The second row of the TSV has the signatures (pandas.read_csv(..., sep="\\t", skiprows=[1]) reads the numbers)."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : list of str, optional
        Words of the command line.

    Returns
    -------
    int
        0, or 1 if something could not be read or computed.
    """
    options = _parser().parse_intermixed_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        if options.list:
            listed = metrics_named(options.metrics or [*KNOWN_METRICS])
            sys.stdout.writelines(f"{metric.name}\n" for metric in listed)
        else:
            _run(options, sys.stdout)
        sys.stdout.flush()
    except (ValueError, ModuleNotFoundError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except BrokenPipeError:  # whoever reads has read enough; Python would complain again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        sys.stderr.write(f"the scores could not be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m measures.metrics",
        description="Score outputs by references: eighty metrics of text compression.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("outputs", type=Path, nargs="?", help="plain text, one a line, or .jsonl with id and text")
    parser.add_argument(
        "references",
        type=Path,
        nargs="*",
        help="plain text, the reference of each output in its line; or .jsonl with the outputs' ids",
    )
    parser.add_argument("--list", action="store_true", help="print the names of the metrics")
    parser.add_argument("--format", choices=WRITERS, default="tsv", help="of the scores (tsv)")
    parser.add_argument("--mean", action="store_true", help="print the means over all outputs only")
    add_corpus_bleu(parser)
    add_settings(parser)
    return parser


def _run(given: argparse.Namespace, stream: TextIO) -> None:
    if given.outputs is None:
        raise ValueError("there are no outputs: name a file of them (before --metrics, which takes all that follows)")
    analysis, options = settings_of(given, language="en", parser_of=default_model)
    entries = read_entries(given.outputs, given.references)
    compared, texts = _compared(entries, analysis, options, given)
    if given.corpus_bleu:
        stream.writelines(f"{line}\n" for line in bleu_lines(compared, options))
        return
    names, models = names_to_score(given, analysis), analysis.models(texts)
    if models.words is not None:
        sys.stderr.write(f"{models.words.coverage(text.words for text in texts)}.\n")
    metrics = chosen_metrics(compared, names, models)
    if not given.metrics and not analysis.parser:
        sys.stderr.write(f"12 of {len(METRICS)} metrics are left out. {WITHOUT_PARSER}.\n")
    ground: Ground = given.ground or "all"
    scores = np.concatenate(
        [np.zeros((0, len(metrics))), *_shown(score_chunks(compared, names, options, models), len(entries))]
    )
    result = Result(
        [entry.name for entry in entries],
        scores,
        {each.name: with_ground(signature(each, analysis, options), ground) for each in metrics},
    )
    WRITERS[given.format](result.mean() if given.mean else result, stream)


def _compared(
    entries: list[Entry], analysis: Analysis, options: Options, given: argparse.Namespace
) -> tuple[Comparisons, list[Text]]:
    references = [options.references(entry.references) for entry in entries]
    is_jackknifed = given.ground == "jackknifed"
    for entry, of_entry in zip(entries, references, strict=True):
        if is_jackknifed and len(of_entry) < 2:
            raise ValueError(
                f"{given.outputs}: the output {entry.name!r} has one reference: to be jackknifed it wants two"
            )
    texts = analyse_distinct(analysis, (text for entry in entries for text in (entry.output, *entry.references)))
    compared = compare(
        [texts[entry.output] for entry in entries],
        [[texts[reference] for reference in of_entry] for of_entry in references],
        [is_jackknifed] * len(entries),
    )
    return compared, list(texts.values())


def _shown(parts: Iterable[FloatArray], total: int) -> Iterator[FloatArray]:
    """How far it has come, where somebody watches."""
    with tqdm(total=total, unit=" outputs", disable=None) as bar:
        for part in parts:
            yield part
            bar.update(len(part))


if __name__ == "__main__":
    sys.exit(main())
