"""One source per line, everything nested: the complete form of a release, from which reports are computed."""

import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from corpus.content import ReleasedRating, ReleasedSource, ReleasedText


def jsonl_write(stream: BinaryIO, sources: Iterable[ReleasedSource]) -> None:
    for source in sources:
        stream.write(json.dumps(_nested(source), ensure_ascii=False).encode() + b"\n")


def jsonl_read(stream: BinaryIO) -> Iterator[ReleasedSource]:
    for line in stream:
        yield _source(json.loads(line))


def _nested(source: ReleasedSource) -> dict[str, object]:
    return {
        "id": source.source_id,
        "split": source.split,
        "genre": source.genre,
        "sentences": source.sentences,
        "paragraph": source.paragraph_id or None,
        "text": source.text,
        "compressions": [
            {
                "text": text.text,
                "editors": list(text.editors),
                "ratings": [
                    {"rater": rating.rater, "meaning": rating.meaning, "grammar": rating.grammar}
                    for rating in text.ratings
                ],
            }
            for text in source.texts
        ],
    }


def _source(line: dict[str, object]) -> ReleasedSource:
    nested: list[dict[str, object]] = line["compressions"]  # type: ignore[assignment]
    return ReleasedSource(
        source_id=str(line["id"]),
        genre=str(line["genre"]),
        text=str(line["text"]),
        sentences=int(str(line["sentences"])),
        paragraph_id=str(line["paragraph"] or ""),
        family=str(line["paragraph"] or line["id"]),
        split=str(line["split"]),
        texts=[_text(text) for text in nested],
    )


def _text(nested: dict[str, object]) -> ReleasedText:
    editors: list[int] = nested["editors"]  # type: ignore[assignment]
    ratings: list[dict[str, int]] = nested["ratings"]  # type: ignore[assignment]
    return ReleasedText(
        text=str(nested["text"]),
        editors=tuple(editors),
        ratings=tuple(ReleasedRating(**rating) for rating in ratings),
    )
