"""Align texts: ``python -m measures.alignment SOURCE TARGET``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path

from measures.alignment.aligner import Places, align_words
from measures.alignment.options import AlignmentOptions
from measures.alignment.pharaoh import written_pairs
from measures.alignment.readers import Entry, read_jsonl, read_lines
from measures.alignment.resources import MAX_BYTES, AlignmentResources, WordPairs, word_pairs
from measures.alignment.scores import Pair, alignment_scores, macro_scores, places_as_pairs, pooled_f1
from measures.alignment.vectors import WordVectors, pipeline_vectors, read_vectors
from measures.core.undefined import Undefined
from measures.text.spacy_models import load_model

EXAMPLES = """examples:
  python -m measures.alignment "The old bridge fell ." "The bridge fell ."
  python -m measures.alignment sources.txt targets.txt gold.txt
  python -m measures.alignment --jsonl texts.jsonl --gold > aligned.jsonl

A line of JSON Lines is {"source": "...", "target": "..."}, texts or lists of words, and may have "sure" and
"possible" ("0-0 1-2"), "source_lemmas" and "target_lemmas". In text files, words are separated by spaces."""

CHOICES = ("window", "fill", "max_cells")
LEVELS = ("least_context", "least_class_context", "least_cosine", "least_dice", "least_potential")


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
    except (ValueError, ModuleNotFoundError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenPipeError:  # the reader has closed the pipe; Python would complain again when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m measures.alignment",
        description="Align the words of compressions with those of their sources.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="SOURCE TARGET: two texts or two files; then GOLD")
    parser.add_argument("--jsonl", metavar="FILE", help="JSON Lines, - for standard input")
    parser.add_argument("--gold", action="store_true", help="score by the sure and possible pairs of --jsonl")
    parser.add_argument("--possible", metavar="FILE", help="possible pairs, beside the file GOLD")
    parser.add_argument("--pairs", metavar="FILE", help="pairs of similar words: word, a tab, word")
    parser.add_argument("--vectors", metavar="FILE", help="word vectors in GloVe's text format")
    parser.add_argument("--pipeline", metavar="PIPELINE", help="a spaCy pipeline, for its word vectors")
    parser.add_argument("--language", default=AlignmentOptions.language, help="of the texts (en)")
    for name in (*CHOICES, *LEVELS):
        default = getattr(AlignmentOptions, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, help=f"({default})")
    return parser


def _run(given: argparse.Namespace) -> None:
    options = AlignmentOptions(given.language, **{name: getattr(given, name) for name in (*CHOICES, *LEVELS)})
    resources = AlignmentResources(_pairs(given.pairs), _vectors(given))
    entries = list(_entries(given))
    if given.gold and any(entry.gold is None for entry in entries):
        raise ValueError(f"{given.jsonl}, line {_without_gold(entries)}: there is no gold alignment (sure)")
    aligned = [
        align_words(
            entry.source,
            entry.target,
            options,
            resources=resources,
            source_lemmas=entry.source_lemmas,
            target_lemmas=entry.target_lemmas,
        )
        for entry in entries
    ]
    for entry, places in zip(entries, aligned, strict=True):
        sys.stdout.write(_shown(entry, places, as_json=given.jsonl is not None))
    if given.gold or len(given.texts) == 3:
        sys.stderr.write(_summary(entries, aligned))


def _entries(given: argparse.Namespace) -> Iterable[Entry]:
    if given.jsonl is not None:
        if given.texts:
            raise ValueError("name either --jsonl or texts")
        return read_jsonl(given.jsonl)
    if len(given.texts) not in (2, 3):
        raise ValueError("name a source and a target: two texts, or two files and perhaps one of gold alignments")
    if given.gold and len(given.texts) == 2:
        raise ValueError("name the file of gold alignments after source and target")
    if len(given.texts) == 2 and not any(_is_file(text) for text in given.texts):
        return [Entry(given.texts[0].split(), given.texts[1].split(), None, None, None, {})]
    return read_lines(given.texts[0], given.texts[1], given.texts[2] if len(given.texts) == 3 else None, given.possible)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name
        return False


def _without_gold(entries: list[Entry]) -> int:
    return next(number for number, entry in enumerate(entries, start=1) if entry.gold is None)


def _shown(entry: Entry, places: Places, *, as_json: bool) -> str:
    pairs = written_pairs(places_as_pairs(places))
    if as_json:
        return json.dumps({**entry.row, "pairs": pairs}, ensure_ascii=False) + "\n"
    if not sys.stdout.isatty():
        return f"{pairs}\n"
    width = max(map(len, entry.target), default=0)
    table = (
        f"  {word:<{width}}  {'-' if place is None else f'{entry.source[place]} ({place})'}\n"
        for word, place in zip(entry.target, places, strict=True)
    )
    return f"{pairs}\n{''.join(table)}"


def _summary(entries: list[Entry], aligned: list[Places]) -> str:
    scores, different = [], []
    for entry, places in zip(entries, aligned, strict=True):
        if entry.gold is not None:
            found = places_as_pairs(places)
            scores.append(alignment_scores(entry.gold.sure, entry.gold.possible, found))
            different.append((_different(entry, entry.gold.sure), _different(entry, found)))
    mean = macro_scores(scores)
    figures = {
        "precision": mean.precision,
        "recall": mean.recall,
        "F1": mean.f1,
        "exact": mean.exact,
        "AER": mean.aer,
        "F1 of words that differ": pooled_f1(different),
    }
    lines = (
        f"{name}\t{value.reason if isinstance(value, Undefined) else f'{value:.4f}'}\n"
        for name, value in figures.items()
    )
    return f"texts\t{mean.texts}\n{''.join(lines)}"


def _different(entry: Entry, pairs: Iterable[Pair]) -> set[Pair]:
    return {(i, j) for i, j in pairs if entry.source[i].casefold() != entry.target[j].casefold()}


def _pairs(name: str | None) -> WordPairs:
    if name is None:
        return WordPairs()
    try:
        if Path(name).stat().st_size > MAX_BYTES:
            raise ValueError(f"{name}: more than {MAX_BYTES:,} bytes")
        with Path(name).open(encoding="utf-8-sig") as lines:
            return word_pairs(lines, name=name)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{name}: {error}") from error


def _vectors(given: argparse.Namespace) -> WordVectors | None:
    if given.pipeline is not None:
        vectors = pipeline_vectors(load_model(given.pipeline))
        if vectors is None:
            raise ValueError(f"the pipeline {given.pipeline!r} has no word vectors")
        return vectors
    if given.vectors is None:
        return None
    try:
        with Path(given.vectors).open(encoding="utf-8-sig") as lines:
            return read_vectors(lines, name=given.vectors)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{given.vectors}: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
