"""Readers of the files of a release, written from the description of the formats and apart from their writers.

What a file tells of a source comes as plain dictionaries, alike from each of the complete formats.
"""

import json
import math
import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

MARK = b"\xef\xbb\xbf"
SPLITS = ("train", "valid", "test")
Plain = dict[str, Any]

# code: points for meaning and grammar, and their words
CODES = {
    "6": (3, 3, "Most important meaning Flawless language"),
    "7": (3, 2, "Most important meaning Minor errors"),
    "9": (3, 1, "Most important meaning Disfluent or incomprehensible"),
    "11": (2, 3, "Much meaning Flawless language"),
    "12": (2, 2, "Much meaning Minor errors"),
    "14": (2, 1, "Much meaning Disfluent or incomprehensible"),
    "21": (1, 3, "Little or none meaning Flawless language"),
    "22": (1, 2, "Little or none meaning Minor errors"),
    "24": (1, 1, "Little or none meaning Disfluent or incomprehensible"),
}
_BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
_WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def published(text: str) -> str:
    """A text as a cell can hold it: a run of breaks is a space, and three bars or more stand apart."""
    spaced = re.sub(f"[{_BREAKS}]+", " ", text)
    runs = ["".join(run) for _, run in groupby(spaced, key=lambda character: character == "|")]
    return "".join(" ".join(run) if run.startswith("|||") else run for run in runs)


def tidied(text: str) -> str:
    """A text as it is judged and released: composed, and every run of white space one space."""
    return re.sub(f"[{_WHITE}]+", " ", unicodedata.normalize("NFC", text)).strip(" ")


def read_json_lines(path: Path) -> list[Plain]:
    *lines, rest = path.read_bytes().split(b"\n")
    assert rest == b"", "the last line ends, too"
    return [json.loads(line.decode("utf-8")) for line in lines]


def read_corpus(folder: Path) -> list[Plain]:
    sources = read_json_lines(folder / "corpus.jsonl")
    for source in sources:
        source.setdefault("outputs", [])
        source.setdefault("comparisons", [])
        for each in source["compressions"] + source["outputs"] + source["comparisons"]:
            each.setdefault("expert_ratings", [])
            for rating in each["ratings"] + each["expert_ratings"]:
                rating.setdefault("day", None)
    return sources


def read_arrow(folder: Path) -> dict[str, list[Plain]]:
    """The rows of each split."""
    return {split: [as_json(row) for row in pq.read_table(_parquet(folder, split)).to_pylist()] for split in SPLITS}


def read_pandas(folder: Path) -> dict[str, list[Plain]]:
    tables = {split: pd.read_parquet(_parquet(folder, split)) for split in SPLITS}
    return {split: [as_json(row) for row in table.to_dict("records")] for split, table in tables.items()}


def _parquet(folder: Path, split: str) -> Path:
    return folder / "parquet" / f"{split}.parquet"


def as_json(row: Any) -> Any:
    """Lists, dictionaries and bare values, without the points that there are none of; days as JSON writes them."""
    if isinstance(row, dict):
        return {key: _points(value) if key == "scores" else as_json(value) for key, value in row.items()}
    if isinstance(row, list | np.ndarray):
        return [as_json(value) for value in row]
    if isinstance(row, date):
        return row.isoformat()
    if isinstance(row, float):
        assert math.isnan(row)
        return None
    return row.item() if isinstance(row, np.generic) else row


def _points(scores: Plain) -> dict[str, int]:
    return {key: int(value) for key, value in scores.items() if value is not None and not math.isnan(value)}


@dataclass(frozen=True)
class RawText:
    text: str
    judges: str
    ratings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RawSource:
    source_id: str
    domain: str
    text: str
    texts: tuple[RawText, ...]


def read_lines(path: Path) -> list[str]:
    data = path.read_bytes()
    assert data.startswith(MARK)
    lines = data.removeprefix(MARK).decode("utf-8").split("\r\n")
    assert lines.pop() == "", "the last line ends, too"
    assert all(len(line.splitlines()) == 1 for line in lines), "nothing in a line may be taken for its end"
    return lines


def read_rawdata(path: Path) -> list[RawSource]:
    return [_raw_source(line) for line in read_lines(path)]


def _raw_source(line: str) -> RawSource:
    head, *parts = line.split(" ||| ")
    assert line.count("|||") == len(parts)
    source_id, domain, text = head.split("\t")
    return RawSource(source_id, domain, text, tuple(map(_raw_text, parts)))


def _raw_text(part: str) -> RawText:
    text, judges, number, *fields = part.split("\t")
    assert len(fields) == 2 * int(number)
    return RawText(text, judges, tuple(zip(fields[::2], fields[1::2], strict=True)))


def points_of_code(rating: tuple[str, str]) -> tuple[int, int]:
    """Points for meaning and grammar."""
    meaning, grammar, words = CODES[rating[0]]
    assert rating[1] == words
    return meaning, grammar


def read_history(path: Path) -> tuple[list[str], list[list[str]]]:
    """The head line, and the fields of the others."""
    head, *rows = (line.split("\t") for line in read_lines(path))
    assert all(len(row) == len(head) for row in rows)
    return head, rows


def snapshots(start: str, log: list[list[Any]]) -> list[str]:
    """The text after each change."""
    text, after = start, [start]
    for position, removed, inserted, _, _ in log:
        assert text[position : position + len(removed)] == removed
        text = text[:position] + inserted + text[position + len(removed) :]
        after.append(text)
    return [new for old, new in pairwise(after) if new != old]


def replayed(start: str, log: list[list[Any]]) -> str:
    return (snapshots(start, log) or [start])[-1]
