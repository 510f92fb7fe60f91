"""What systems learn from: the train split of a release with its dev split, and pairs of a file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import PurePath

import numpy as np
from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.readers import BadLine, read_rows, text_fault
from corpus.models import Release
from corpus.release.records import ReleasedAlignment, ReleasedSource, ReleasedText
from crowd.scales import Scale
from measures.alignment.pharaoh import written_pairs
from measures.text.segmentation import sentences
from systems.programs.pairs import DevSource, Pair, TrainingData, cut_pair
from systems.programs.texts import Range, Source
from systems.services.resources import released_sources

TRAIN, DEV, TEST = "train", "valid", "test"
COLUMNS = ("source", "target")
MAX_PAIRS = 5_000_000
WELL_RATED = 0.75
"""Of the way from the lowest point of a scale to the highest: 2.5 of 1 to 3 (Toutanova et al. 2016, §4.1)."""


@dataclass(frozen=True)
class PairsFile:
    """A file with more pairs to learn from, a source and a target in a line, and perhaps one with their alignments."""

    name: str = ""
    content: bytes = b""
    alignments_name: str = ""
    alignments: bytes = b""

    def __bool__(self) -> bool:
        return bool(self.name)


def training_data(
    release: Release, pairs: PairsFile, allowed: Range, *, well_rated: bool
) -> tuple[TrainingData, dict[str, int]]:
    """Return what a system learns from, and how many pairs there are and why others are left out.

    Sources that share a sentence with the test split are left out, of the train split and of the dev split.
    """
    language, counted = release.campaign.language, Counter[str]()
    tested = {key for source, _each in released_sources(release, TEST) for key in _keys(source)}
    scales = release.campaign.rating_scales if well_rated else ()
    train: list[Pair] = []
    for source, released in _apart(release, TRAIN, tested, counted):
        texts = [text for text in released.texts if _is_good(text, scales)]
        counted["rated_too_low"] += len(released.texts) - len(texts)
        for text in texts:
            cut = _cut(source.sentences, Pair(source.text, text.text, source.id), language, counted)
            train += [_with_corrected(pair, text.alignment) for pair in cut]
    counted["pairs_of_release"] = len(train)
    train += _of_file(pairs, language, counted)
    dev = tuple(
        DevSource(source, tuple(text.text for text in released.texts))
        for source, released in _apart(release, DEV, tested, counted)
        if released.texts
    )
    counted["dev_sources"] = len(dev)
    return TrainingData(language, tuple(train), dev, allowed), dict(counted)


def _apart(
    release: Release, split: str, tested: set[str], counted: Counter[str]
) -> Iterator[tuple[Source, ReleasedSource]]:
    for source, released in released_sources(release, split):
        if tested.isdisjoint(_keys(source)):
            yield source, released
        else:
            counted["share_a_sentence_with_test"] += 1


def _keys(source: Source) -> Iterator[str]:
    """Yield what the sentences of a source are known by, whatever their case and white space."""
    return (" ".join(sentence.casefold().split()) for sentence in source.sentences)


def _is_good(text: ReleasedText, scales: Iterable[Scale]) -> bool:
    """Say whether the crowd's mean rating of a text is high enough on all scales."""
    for scale in scales:
        points = [rating.scores[scale.key] for rating in text.ratings if scale.key in rating.scores]
        lowest, highest = scale.values[0], scale.values[-1]
        if not points or np.mean(points) < lowest + WELL_RATED * (highest - lowest):
            return False
    return True


def _cut(parts: Sequence[str], whole: Pair, language: str, counted: Counter[str]) -> tuple[Pair, ...]:
    found = cut_pair(whole, parts, language)
    counted["merged_sentences"] += found.merged
    counted["sentences_without_a_pair"] += found.unmatched
    return found.pairs


def _with_corrected(pair: Pair, made: ReleasedAlignment | None) -> Pair:
    """Return a pair of sentences with what staff corrected of the alignment of their texts."""
    source = made and _places(made.source_words, pair.source)
    target = made and _places(made.words, pair.target)
    if not made or not source or not target:
        return pair
    links = {
        (made_of - source.start, place - target.start)
        for place in target
        if (made_of := made.places[place]) is not None and made_of in source
    }
    words = tuple(made.source_words[each] for each in source), tuple(made.words[each] for each in target)
    return replace(pair, alignment=written_pairs(links), aligned_words=words)


def _places(words: Sequence[str], part: str) -> range | None:
    """Return the places of the words of a part of their text, if it begins and ends with words."""
    begins = list(accumulate(map(len, words), initial=0))
    characters = "".join(part.split())
    begin = "".join(words).find(characters)
    if begin not in begins or begin + len(characters) not in begins:
        return None
    return range(begins.index(begin), begins.index(begin + len(characters)))


def _of_file(file: PairsFile, language: str, counted: Counter[str]) -> Iterator[Pair]:
    """Yield the pairs of a file, cut as those of the release are; refuse a file with a line that is none."""
    if not file:
        return
    alignments, number = _alignments(file), 0
    for number, row in enumerate(read_rows(_as_lines(file.name), file.content, COLUMNS, ()), start=1):
        if number > MAX_PAIRS:
            raise Refused(_("%(file)s: more than %(most)s pairs.") % {"file": file.name, "most": f"{MAX_PAIRS:,}"})
        source, target = ("", "") if isinstance(row, BadLine) else (row.fields[name].strip() for name in COLUMNS)
        fault = row.reason if isinstance(row, BadLine) else _fault(source, target)
        if fault:
            words = _("%(file)s, line %(line)s: %(fault)s")
            raise Refused(words % {"file": file.name, "line": row.line, "fault": fault})
        alignment = alignments[number - 1].strip() if number <= len(alignments) else ""
        whole = Pair(source, target, f"{file.name}:{row.line}", alignment)
        found = _cut(sentences(source) or (source,), whole, language, counted)
        counted["pairs_of_file"] += len(found)
        if alignment:
            counted["pairs_with_alignment"] += len(found)
        yield from found
    if file.alignments_name and number != len(alignments):
        words = _("%(alignments)s has %(lines)s lines, and %(file)s has %(pairs)s pairs.")
        said = {"alignments": file.alignments_name, "lines": len(alignments), "file": file.name, "pairs": number}
        raise Refused(words % said)


def _alignments(file: PairsFile) -> list[str]:
    try:
        return file.alignments.decode().splitlines()
    except UnicodeDecodeError as fault:
        raise Refused(f"{file.alignments_name}: {fault}") from fault


def _fault(source: str, target: str) -> str:
    if not source or not target:
        return _("the source or the target is empty")
    return text_fault(source) or text_fault(target)


def _as_lines(name: str) -> str:
    """Return the name of a file that is read by its ending, as JSONL if it has none."""
    return name if PurePath(name).suffix else f"{name}.jsonl"
