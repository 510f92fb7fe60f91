"""What stands in the files of a release when nothing is lost: compared with what independent readers find there."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest

from corpus.release.records import (
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
    WrittenText,
)
from corpus.tests.support.independent_readers import (
    CODES,
    SPLITS,
    Plain,
    RawSource,
    RawText,
    published,
    read_arrow,
    read_corpus,
    read_history,
    read_json_lines,
    read_pandas,
    read_rawdata,
    replayed,
    snapshots,
    tidied,
)
from crowd.scales import Scale

Scales = tuple[Scale, ...]
Corpus = Sequence[tuple[ReleasedSource, Sequence[WrittenText]]]


def plain(source: ReleasedSource) -> Plain:
    def judged(each: ReleasedText | ReleasedOutput | ReleasedComparison) -> Plain:
        return {"ratings": ratings(each.ratings), "expert_ratings": ratings(each.expert_ratings)}

    def ratings(given: Ratings) -> list[Plain]:
        return [
            {"rater": each.rater or None, "scores": dict(each.scores), "day": each.day and each.day.isoformat()}
            for each in given
        ]

    return {
        "id": source.source_id,
        "split": source.split,
        "genre": source.genre,
        "sentences": source.sentences,
        "paragraph": source.paragraph_id or None,
        "text": source.text,
        "compressions": [{"text": each.text, "editors": list(each.editors), **judged(each)} for each in source.texts],
        "outputs": [{"system": each.system, "text": each.text, **judged(each)} for each in source.outputs],
        "comparisons": [{"first": each.first, "second": each.second, **judged(each)} for each in source.comparisons],
    }


def code_and_words(rating: ReleasedRating, scales: Scales) -> tuple[str, str]:
    if {scale.key: len(scale.points) for scale in scales} == {"meaning": 3, "grammar": 3}:
        points = (rating.scores["meaning"], rating.scores["grammar"])
        return next((code, words) for code, (*given, words) in CODES.items() if tuple(given) == points)
    words = [
        f"{scale.name}: {point.words}"
        for scale in scales
        for point in scale.points
        if point.value == rating.scores[scale.key]
    ]
    return "/".join(str(rating.scores[scale.key]) for scale in scales), published("; ".join(words))


def raw_text(text: str, judges: str, ratings: Ratings, scales: Scales) -> RawText:
    return RawText(published(text), published(judges), tuple(code_and_words(each, scales) for each in ratings))


def raw_source(source: ReleasedSource, texts: list[RawText]) -> RawSource:
    return RawSource(source.source_id, published(source.genre), published(source.text), tuple(texts))


def assert_all_come_back(folder: Path, corpus: Corpus, scales: Scales) -> None:
    sources = [source for source, _ in corpus]
    assert_complete_formats(folder, sources)
    assert_rawdata(folder / "RawData", sources, scales)
    assert_outputs(folder / "RawData", sources, scales)
    assert_logs(folder / "edit_logs.jsonl", corpus)
    assert_history(folder / "compressionhistory.tsv", corpus, scales)


def assert_complete_formats(folder: Path, sources: list[ReleasedSource]) -> None:
    wanted = list(map(plain, sources))
    by_split = {split: [source for source in wanted if source["split"] == split] for split in SPLITS}
    assert read_corpus(folder) == wanted
    for read in (read_arrow(folder), read_pandas(folder)):
        assert {split: [{**row, "split": split} for row in rows] for split, rows in read.items()} == by_split


def assert_rawdata(folder: Path, sources: list[ReleasedSource], scales: Scales) -> None:
    for split in SPLITS:
        wanted = []
        for source in (each for each in sources if each.split == split):
            rated = [each for each in source.texts if each.ratings]
            texts = [raw_text(each.text, ";".join(each.editors), each.ratings, scales) for each in rated]
            wanted += [raw_source(source, texts)] if texts else []
        assert read_rawdata(folder / f"{split}.tsv") == wanted


def assert_outputs(folder: Path, sources: list[ReleasedSource], scales: Scales) -> None:
    wanted: dict[str, list[RawSource]] = {}
    for source in sources:
        for system in {output.system for output in source.outputs if output.ratings}:
            made = [each for each in source.outputs if each.system == system and each.ratings]
            texts = [raw_text(each.text, system, each.ratings, scales) for each in made]
            wanted.setdefault(f"{source.split}_output.{system}.tsv", []).append(raw_source(source, texts))
    found = {path.name: read_rawdata(path) for path in folder.iterdir()}
    assert {name: lines for name, lines in found.items() if "_output." in name} == wanted


def assert_logs(path: Path, corpus: Corpus) -> None:
    read = read_json_lines(path)
    assert read == [
        {
            "source": source.source_id,
            "split": source.split,
            "editor": each.editor,
            "text": each.text,
            "started_from": each.started_from,
            "log": each.published_log,
        }
        for source, written in corpus
        for each in written
    ]
    texts = {source.source_id: source.text for source, _ in corpus}
    for line in read:
        start = texts[line["source"]] if line["started_from"] == "source" else ""
        assert tidied(replayed(start, line["log"])) == tidied(line["text"])


def assert_history(path: Path, corpus: Corpus, scales: Scales) -> None:
    head, rows = read_history(path)
    averages = [f"Average{scale.name.title().replace(' ', '')}Quality" for scale in scales]
    assert head == [
        *("sourceID", "Domain", "SourceText", "CompressedText", "judgeID"),
        *map(published, averages),
        *("TimespentOnTask", "EditHistory"),
    ]
    wanted = []
    for source, written in corpus:
        ratings = {text.text: text.ratings for text in source.texts}
        for each in (each for each in written if ratings[each.text]):
            given = [[rating.scores[scale.key] for rating in ratings[each.text]] for scale in scales]
            start = source.text if each.started_from == "source" else ""
            cells = (source.source_id, source.genre, source.text, each.text, each.editor)
            history = "  ".join(map(tidied, snapshots(start, each.edit_log)))
            means = [pytest.approx(fmean(points), abs=0.0001) for points in given]
            wanted.append([*map(published, cells), *means, published(history)])
    assert all(float(row[-2]) >= 0 for row in rows)
    assert [[*row[:5], *map(float, row[5:-2]), row[-1]] for row in rows] == wanted
