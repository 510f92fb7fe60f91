"""Import scores that were computed elsewhere, such as those of trained metrics or of an LLM judge."""

import hashlib
import json
import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from common.json_values import file_sha256
from common.stores.unnamed_paths import path_give_up
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import add_outputs_since, release_sources, youngest_output_since
from measures.core.arrays import FloatArray
from scoring.entries import PEOPLE, ScoredText
from scoring.models import ScorePart, ScoreRun
from scoring.parquet_tables import ABOUT, refuse_without_parquet, wide_table
from scoring.readers import ImportedScore, read_scores
from scoring.services.runs import finalize, part_store, reset_lost_parts

Key = tuple[str, str, str, str]
MAX_METRICS = 300


class _Column:
    """One metric's scores by index of the text, each with its line; in flat arrays, since there may be millions."""

    def __init__(self) -> None:
        self.scores, self.lines = array("d"), array("q")

    def add(self, index: int, given: ImportedScore) -> None:
        missing = index + 1 - len(self.scores)
        self.scores.extend([math.nan] * missing)
        self.lines.extend([0] * missing)
        if self.lines[index]:
            raise ValueError(_("line %(line)s has a score for the same text") % {"line": self.lines[index]})
        self.scores[index], self.lines[index] = given.score, given.line

    def first_missing(self, texts: int) -> int | None:
        """Return the lowest index below `texts` without a score."""
        return next((index for index in range(texts) if index >= len(self.lines) or not self.lines[index]), None)


@dataclass
class _MatchedScores:
    """The texts that the file scores, and the scores of each metric."""

    entries: list[ScoredText] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)
    columns: dict[str, _Column] = field(default_factory=dict)


def scores_import(*, release: Release, path: Path, metric: str = "", signature: str = "") -> ScoreRun:
    """Import the scores of a file, all or none; importing the same file again changes nothing.

    `metric` and `signature` apply to lines that do not state their own.
    """
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so it has no scores.") % {"release": release.name})
    refuse_without_parquet()
    checksum = file_sha256(path)
    last_output = youngest_output_since(release)
    matched = _match_lines(release, last_output, read_scores(path, metric=metric, signature=signature), path)
    scores = _score_matrix(matched, path.name)
    identity = json.dumps([metric, signature, checksum])
    digest = hashlib.sha256(identity.encode()).hexdigest()
    return _store(release, digest, path.name, last_output, matched, scores)


def _store(
    release: Release, digest: str, name: str, last_output: int | None, matched: _MatchedScores, scores: FloatArray
) -> ScoreRun:
    run, is_new = _run_get_or_create(release, digest, name, last_output, matched)
    if run.summary is None:
        table = wide_table(matched.entries, list(matched.signatures), scores)
        try:
            part_store(part=run.parts.get(), table=table)
            finalize(run)
        except BaseException:
            if is_new:
                _run_discard(run)
            raise
    return run


@transaction.atomic
def _run_get_or_create(
    release: Release, digest: str, name: str, last_output: int | None, matched: _MatchedScores
) -> tuple[ScoreRun, bool]:
    """Return the run with these scores; its part is open if it is new or its files are lost."""
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
        reset_lost_parts(run)
    return run, is_new


@transaction.atomic
def _run_discard(run: ScoreRun) -> None:
    """Delete a run whose files could not be stored: scores are imported all or not at all."""
    path_give_up("scores", run.folder)
    run.delete()


def _match_lines(
    release: Release, last_output: int | None, lines: Iterable[ImportedScore], path: Path
) -> _MatchedScores:
    """Match each line to the text that it scores, allowing one line per text, ground and metric."""
    texts = _ScorableTexts(release, last_output)
    matched, indices = _MatchedScores(), dict[Key, int]()
    for each in lines:
        try:
            entry = texts.find(each)
            index = indices.setdefault((each.source, entry.system, entry.text, entry.ground), len(indices))
            _add(matched, each, index)
            if index < len(matched.entries) and matched.entries[index].weight != entry.weight:
                words = _("the text has another weight, %(weight)s, in lines above")
                raise ValueError(words % {"weight": matched.entries[index].weight})
        except ValueError as error:
            words = _("%(file)s, line %(line)s: %(reason)s.")
            raise Refused(words % {"file": path.name, "line": each.line, "reason": error}) from error
        if index == len(matched.entries):
            matched.entries.append(entry)
    if not matched.entries:
        raise Refused(_("%(file)s: there are no scores.") % {"file": path.name})
    return matched


def _add(matched: _MatchedScores, given: ImportedScore, index: int) -> None:
    if given.metric in ABOUT:
        words = _("a metric cannot be called %(metric)s: a column of the tables has that name")
        raise ValueError(words % {"metric": repr(given.metric)})
    if given.metric not in matched.signatures and len(matched.signatures) == MAX_METRICS:
        raise ValueError(_("there are more than %(most)s metrics") % {"most": MAX_METRICS})
    signature = matched.signatures.setdefault(given.metric, given.signature)
    if signature != given.signature:
        words = _("%(metric)s has another signature, %(signature)s, in lines above")
        raise ValueError(words % {"metric": given.metric, "signature": repr(signature)})
    matched.columns.setdefault(given.metric, _Column()).add(index, given)


def _score_matrix(matched: _MatchedScores, name: str) -> FloatArray:
    """Return one row per text and one column per metric; raise Refused if a score is missing."""
    for metric, column in matched.columns.items():
        missing = column.first_missing(len(matched.entries))
        if missing is not None:
            entry = matched.entries[missing]
            words = _("%(file)s: %(metric)s has no score for %(text)s of source %(source)s, but another metric has.")
            given = {"text": repr(entry.text[:40]), "source": repr(entry.source.source_id)}
            raise Refused(words % {"file": name, "metric": metric, **given})
    return np.column_stack([np.array(column.scores) for column in matched.columns.values()])


class _ScorableTexts:
    """The texts of a release that can have scores."""

    def __init__(self, release: Release, last_output: int | None) -> None:
        sources = release_sources(release)
        if last_output is not None:
            add_outputs_since(release, sources, last_output)
        self._name = release.name
        self._sources = {source.source_id: (index, source) for index, source in enumerate(sources)}
        self._systems = {output.system for source in sources for output in source.outputs}

    def find(self, given: ImportedScore) -> ScoredText:
        """Return the text that a line scores; raise ValueError if there is none."""
        if given.source not in self._sources:
            words = _("%(release)s has no source %(source)s")
            raise ValueError(words % {"release": self._name, "source": repr(given.source)})
        index, source = self._sources[given.source]
        is_by_people = given.system == "people" and "people" not in self._systems
        system = PEOPLE if is_by_people else given.system
        text = self._text_by_people(source, given) if system == PEOPLE else self._output(source, given)
        return ScoredText(index, source, system, text, (), given.ground, given.weight)

    @staticmethod
    def _text_by_people(source: ReleasedSource, given: ImportedScore) -> str:
        if all(text.text != given.text for text in source.texts):
            words = _("nobody wrote %(text)s for source %(source)s")
            raise ValueError(words % {"text": repr(given.text[:40]), "source": repr(source.source_id)})
        return given.text

    def _output(self, source: ReleasedSource, given: ImportedScore) -> str:
        found = next((output.text for output in source.outputs if output.system == given.system), None)
        if found is None:
            words = _("%(release)s has no output of %(system)s for source %(source)s")
            about = {"system": repr(given.system), "source": repr(source.source_id)}
            raise ValueError(words % {"release": self._name, **about})
        if given.text and given.text != found:
            raise ValueError(_("the output of %(system)s is another text") % {"system": repr(given.system)})
        return found
