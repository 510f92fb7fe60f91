"""Scores that were computed elsewhere, such as those of trained metrics or of a judging model."""

import hashlib
import json
import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from django.db import transaction

from common.errors import Refused
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import add_outputs_since, release_sources, youngest_output_since
from measures.core.arrays import FloatArray
from scoring.entries import PEOPLE, ScoredText
from scoring.models import ScorePart, ScoreRun
from scoring.parquet_tables import ABOUT, wide_table
from scoring.readers import ForeignScore, read_scores
from scoring.services.runs import finalize, part_store, take_back_what_is_lost

Key = tuple[str, str, str]


class _Column:
    """The scores of a metric, each with its line, by the places of what they score; flat, for there may be millions."""

    def __init__(self) -> None:
        self.scores, self.lines = array("d"), array("q")

    def add(self, place: int, given: ForeignScore) -> None:
        more = place + 1 - len(self.scores)
        self.scores.extend([math.nan] * more)
        self.lines.extend([0] * more)
        if self.lines[place]:
            raise ValueError(f"line {self.lines[place]} has a score for the same text")
        self.scores[place], self.lines[place] = given.score, given.line

    def lacks(self, places: int) -> int | None:
        """The first of so many places that has no score."""
        return next((place for place in range(places) if place >= len(self.lines) or not self.lines[place]), None)


@dataclass
class _Matched:
    """What the file scores, and the scores of each metric."""

    entries: list[ScoredText] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)
    columns: dict[str, _Column] = field(default_factory=dict)


def scores_import(*, release: Release, path: Path, metric: str = "", signature: str = "") -> ScoreRun:
    """Take in the scores of a file, all or nothing; the same file again changes nothing.

    `metric` and `signature` are of lines that do not say them.
    """
    if release.state != Release.State.READY:
        raise Refused(f"{release.name} is not ready, so it has no scores.")
    with path.open("rb") as stream:
        checksum = hashlib.file_digest(stream, "sha256").hexdigest()
    last_output = youngest_output_since(release)
    matched = _matched(release, last_output, read_scores(path, metric=metric, signature=signature), path)
    scores = _complete(matched, path.name)
    asked = json.dumps([metric, signature, checksum])
    digest = hashlib.sha256(asked.encode()).hexdigest()
    return _store(release, digest, path.name, last_output, matched, scores)


@transaction.atomic
def _store(
    release: Release, digest: str, name: str, last_output: int | None, matched: _Matched, scores: FloatArray
) -> ScoreRun:
    run, is_new = ScoreRun.objects.get_or_create(
        release=release,
        digest=digest,
        defaults={
            "kind": ScoreRun.Kind.IMPORTED,
            "settings": {"file": name},
            "signatures": matched.signatures,
            "release_checksum": release.checksum,
            "last_output": last_output,
        },
    )
    if is_new:
        ScorePart.objects.create(run=run, number=0, begin=0, stop=release.summary["sources"])
    else:
        take_back_what_is_lost(run)
    if run.summary is None:
        table = wide_table(matched.entries, list(matched.signatures), scores)
        part_store(part=run.parts.select_related("run").get(), table=table)
        finalize(run)
    return run


def _matched(release: Release, last_output: int | None, lines: Iterable[ForeignScore], path: Path) -> _Matched:
    """Each line with the text that it is about; one line for each text and metric."""
    known = _Known(release, last_output)
    matched, places = _Matched(), dict[Key, int]()
    for each in lines:
        try:
            entry = known.entry(each)
            place = places.setdefault((each.source, entry.system, entry.text), len(places))
            _add(matched, each, place)
        except ValueError as error:
            raise Refused(f"{path.name}, line {each.line}: {error}.") from error
        if place == len(matched.entries):
            matched.entries.append(entry)
    if not matched.entries:
        raise Refused(f"{path.name}: there are no scores.")
    return matched


def _add(matched: _Matched, given: ForeignScore, place: int) -> None:
    if given.metric in ABOUT:
        raise ValueError(f"a metric cannot be called {given.metric!r}: a column of the tables is")
    signature = matched.signatures.setdefault(given.metric, given.signature)
    if signature != given.signature:
        raise ValueError(f"{given.metric} has another signature, {signature!r}, in lines above")
    matched.columns.setdefault(given.metric, _Column()).add(place, given)


def _complete(matched: _Matched, name: str) -> FloatArray:
    """A row for each text, a column for each metric: Refused where one is missing."""
    for metric, column in matched.columns.items():
        missing = column.lacks(len(matched.entries))
        if missing is not None:
            entry = matched.entries[missing]
            raise Refused(
                f"{name}: {metric} has no score for {entry.text[:40]!r} of source {entry.source.source_id!r}, "
                f"which another metric has."
            )
    return np.column_stack([np.array(column.scores) for column in matched.columns.values()])


class _Known:
    """What there is to be scored in a release."""

    def __init__(self, release: Release, last_output: int | None) -> None:
        sources = release_sources(release)
        if last_output is not None:
            add_outputs_since(release, sources, last_output)
        self._name = release.name
        self._places = {source.source_id: (place, source) for place, source in enumerate(sources)}
        self._systems = {output.system for source in sources for output in source.outputs}

    def entry(self, given: ForeignScore) -> ScoredText:
        """The text that a line is about; ValueError where there is none."""
        if given.source not in self._places:
            raise ValueError(f"{self._name} has no source {given.source!r}")
        place, source = self._places[given.source]
        is_by_people = given.system == "people" and "people" not in self._systems
        system = PEOPLE if is_by_people else given.system
        text = self._text_by_people(source, given) if system == PEOPLE else self._output(source, given)
        return ScoredText(place, source, system, text, ())

    @staticmethod
    def _text_by_people(source: ReleasedSource, given: ForeignScore) -> str:
        if all(text.text != given.text for text in source.texts):
            raise ValueError(f"nobody wrote {given.text[:40]!r} for source {source.source_id!r}")
        return given.text

    def _output(self, source: ReleasedSource, given: ForeignScore) -> str:
        found = next((output.text for output in source.outputs if output.system == given.system), None)
        if found is None:
            raise ValueError(f"{self._name} has no output of {given.system!r} for source {source.source_id!r}")
        if given.text and given.text != found:
            raise ValueError(f"the output of {given.system!r} is another text")
        return found
