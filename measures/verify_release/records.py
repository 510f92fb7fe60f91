"""The records of `corpus.jsonl`: whether each has the form that releases have, and what they count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from typing import Any

Row = Mapping[str, Any]
SPLITS = ("train", "valid", "test")
PREFERENCES = 3
_NEARLY = 1e-9


@dataclass(frozen=True)
class ScaleRange:
    """What numbers may stand on a scale: whole ones from 1 to `points`, or, without points, those of a range."""

    key: str
    points: int
    lowest: float = 1
    highest: float = 1
    step: float | None = None

    def has(self, number: object) -> bool:
        """Whether it is a number of the scale."""
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            return False
        if self.points:
            return isinstance(number, int) and 1 <= number <= self.points
        steps = (number - self.lowest) / self.step if self.step else 0
        return self.lowest <= number <= self.highest and abs(steps - round(steps)) < _NEARLY


def scales_of(manifest: Row) -> list[ScaleRange]:
    """Return the scales of a manifest; those of the earliest releases, which name none, are meaning and grammar.

    Raises
    ------
    ValueError
        If they are of another form.
    """
    stored = manifest.get("scales") or [{"key": key, "points": ["", "", ""]} for key in ("meaning", "grammar")]
    found = []
    try:
        for each in stored:
            if "points" in each:
                found.append(ScaleRange(str(each["key"]), len(each["points"])))
            else:
                ends = float(each["lowest"]), float(each["highest"])
                found.append(ScaleRange(str(each["key"]), 0, *ends, each["step"] and float(each["step"])))
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"manifest.json: scales of an unknown form ({error!r})") from error
    return found


@dataclass
class Counts:
    """What stands in the records, as the manifest's `summary` counts it."""

    sources: int = 0
    compressions: int = 0
    ratings: int = 0
    comparisons: int = 0
    expert_ratings: int = 0
    output_ratings: int = 0
    splits: Counter[str] = field(default_factory=Counter)
    systems: Counter[str] = field(default_factory=Counter)
    rated_outputs: Counter[str] = field(default_factory=Counter)
    points: dict[str, Counter[float]] = field(default_factory=dict)
    """Of the crowd's ratings of people's texts, by scale."""

    def add(self, row: Row) -> None:
        """Count a record."""
        self.sources += 1
        self.splits[row["split"]] += 1
        self.compressions += len(row["compressions"])
        compared = row.get("comparisons", ())
        self.comparisons += len(compared)
        self.ratings += sum(len(each["ratings"]) for each in (*row["compressions"], *compared))
        for each in row.get("outputs", ()):
            self.systems[each["system"]] += 1
            self.rated_outputs[each["system"]] += bool(each["ratings"])
            self.output_ratings += len(each["ratings"])
        for each in (*row["compressions"], *row.get("outputs", ()), *compared):
            self.expert_ratings += len(each.get("expert_ratings", ()))
        for text in row["compressions"]:
            for rating in text["ratings"]:
                for key, point in scores_of(rating).items():
                    self.points.setdefault(key, Counter())[point] += 1


def scores_of(rating: Row) -> dict[str, Any]:
    """Return the points of a rating by scale: the earliest releases have two scales by name."""
    given = rating["scores"] if "scores" in rating else {key: rating[key] for key in ("meaning", "grammar")}
    return dict(given)


def parsed(line: bytes) -> Row:
    """Return the object of a line.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        row = json.loads(line)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(row, dict):
        raise ValueError("not an object")
    return row


def faults_of(row: Row, scales: Sequence[ScaleRange]) -> Iterator[str]:
    """Yield what is wrong with the form of a record."""
    wanted: list[tuple[str, Any]] = [("id", str), ("genre", str), ("text", str), ("compressions", list)]
    for name, kind in wanted:
        if not isinstance(row.get(name), kind):
            yield f"{name} is missing or no {_KINDS[kind]}"
    if row.get("split") not in SPLITS:
        yield f"split is {row.get('split')!r}, not one of {', '.join(SPLITS)}"
    if isinstance(row.get("sentences"), bool) or row.get("sentences") not in (1, 2):
        yield f"sentences is {row.get('sentences')!r}, not 1 or 2"
    if not isinstance(row.get("paragraph"), str | None):
        yield "paragraph is neither a text nor null"
    nuggets = row.get("nuggets", [])
    if not isinstance(nuggets, list) or not all(isinstance(each, str) for each in nuggets):
        yield "nuggets is not a list of texts"
    for name in _SUBJECTS:
        listed = row.get(name, [])
        for number, each in enumerate(listed if isinstance(listed, list) else [None], start=1):
            yield from (f"{name}, number {number}{words}" for words in _subject_faults(each, name, scales))
    texts = [each.get("text") for each in row.get("compressions") or () if isinstance(each, dict)]
    if len(set(map(str, texts))) < len(texts):
        yield "two compressions are the same text"


def _subject_faults(each: Any, name: str, scales: Sequence[ScaleRange]) -> Iterator[str]:
    if not isinstance(each, dict) or not all(isinstance(each.get(key), str) for key in _SUBJECTS[name]):
        yield f": {' and '.join(_SUBJECTS[name])} must be texts"
        return
    if name == "compressions" and not isinstance(each.get("editors"), list):
        yield ": editors is missing or no list"
    for pool in ("ratings", "expert_ratings"):
        yield from (f", {words}" for words in _rating_faults(each, pool, scales, name == "comparisons"))


_KINDS = {str: "text", list: "list"}
_SUBJECTS = {"compressions": ("text",), "outputs": ("system", "text"), "comparisons": ("first", "second")}


def _rating_faults(each: Row, pool: str, scales: Sequence[ScaleRange], compared: bool) -> Iterator[str]:
    listed = each.get(pool, [] if pool == "expert_ratings" else None)
    if not isinstance(listed, list):
        yield f"{pool} is missing or no list"
        return
    ranges = {scale.key: ScaleRange(scale.key, PREFERENCES) if compared else scale for scale in scales}
    for number, rating in enumerate(listed, start=1):
        place = f"{pool}, number {number}"
        try:
            rater, scores, day = rating["rater"], scores_of(rating), rating.get("day")
            if day is not None:
                date.fromisoformat(day)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            yield f"{place}: {error!r}"
            continue
        if isinstance(rater, bool) or not isinstance(rater, str | int | None):
            yield f"{place}: the rater is neither a text nor null"
        if not scores:
            yield f"{place}: no scores"
        for key, point in scores.items():
            if key not in ranges:
                yield f"{place}: the manifest has no scale {key!r}"
            elif not ranges[key].has(point):
                yield f"{place}: {point!r} is not on the scale {key}"
