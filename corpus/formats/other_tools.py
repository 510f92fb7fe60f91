"""A release in the shapes in which other annotation tools take data in, with the ratings that it has.

There is a record for each text that can be rated: each compression, and each output of a system.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from crowd.scales import Scale

Record = dict[str, Any]
MOST_OF_ARGILLA = 10  # its ratings go from 0 to 10, in whole numbers
_META = ("source_id", "genre", "split", "system", "editors")


def _subjects(sources: Iterable[ReleasedSource]) -> Iterator[tuple[Record, ReleasedText | ReleasedOutput]]:
    """Yield each text with what is known of it."""
    for source in sources:
        subjects: list[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
        for each in subjects:
            system = each.system if isinstance(each, ReleasedOutput) else ""
            editors = each.editors if isinstance(each, ReleasedText) else ()
            about = (source.source_id, source.genre, source.split, system, ";".join(editors))
            yield {"source": source.text, "text": each.text, **dict(zip(_META, about, strict=True))}, each


# Label Studio. It refuses annotations by people who are none of its own, so the ratings are predictions, which it shows
# beside a text, and each rater is a model of a name.


def label_studio_tasks(sources: Iterable[ReleasedSource], scales: tuple[Scale, ...]) -> Iterator[Record]:
    by_key = {scale.key: scale for scale in scales}
    for number, (data, each) in enumerate(_subjects(sources), start=1):
        yield {
            "id": number,
            "data": data,
            "predictions": [
                {
                    "model_version": f"{pool} {rating.rater or 'unknown'}",
                    "result": [_result(by_key[key], point) for key, point in rating.scores.items()],
                }
                for pool, ratings in (("rater", each.ratings), ("expert", each.expert_ratings))
                for rating in ratings
            ],
        }


def _result(scale: Scale, point: float) -> Record:
    kind = "rating" if _counts_from_one(scale) else "number"
    return {"from_name": scale.key, "to_name": "text", "type": kind, "value": {kind: point}}


def label_studio_config(scales: tuple[Scale, ...]) -> str:
    """The labelling interface: the two texts, and a control for each scale."""
    lines = ["<View>", '  <Text name="source" value="$source"/>', '  <Text name="text" value="$text"/>']
    for scale in scales:
        lines.append(f"  <Header value={quoteattr(scale.question or scale.name)}/>")
        if _counts_from_one(scale):
            most = f'maxRating="{len(scale.values)}"'
            lines.append(f'  <Rating name={quoteattr(scale.key)} toName="text" {most} required="true"/>')
        else:
            ends = f'min="{scale.lowest:g}" max="{scale.highest:g}"'
            lines.append(f'  <Number name={quoteattr(scale.key)} toName="text" {ends} required="true"/>')
    return "\n".join([*lines, "</View>", ""])


def _counts_from_one(scale: Scale) -> bool:
    """Whether its points are 1, 2, 3 and so on, as stars are."""
    return [*scale.values] == [*range(1, len(scale.values) + 1)] != []


# Argilla: the flat columns that its `from_datasets` reads, and the settings of the dataset.


def argilla_records(sources: Iterable[ReleasedSource], scales: tuple[Scale, ...]) -> Iterator[Record]:
    for number, (data, each) in enumerate(_subjects(sources), start=1):
        record: Record = {"id": str(number), **data}
        for scale in scales:
            given = [
                (rating.scores[scale.key], f"{pool} {rating.rater or 'unknown'}")
                for pool, ratings in (("rater", each.ratings), ("expert", each.expert_ratings))
                for rating in ratings
                if scale.key in rating.scores
            ]
            record[f"{scale.key}.responses"] = [
                point if _is_rating(scale) else json.dumps(point) for point, _person in given
            ]
            record[f"{scale.key}.responses.users"] = [person for _point, person in given]
            record[f"{scale.key}.responses.status"] = ["submitted"] * len(given)
        yield record


def argilla_settings(scales: tuple[Scale, ...]) -> Record:
    fields = [
        {"name": name, "title": name, "required": True, "settings": {"type": "text", "use_markdown": False}}
        for name in ("source", "text")
    ]
    questions = [
        {
            "name": scale.key,
            "title": scale.name,
            "description": scale.question or None,
            "required": True,
            "settings": {"type": "rating", "options": [{"value": value} for value in scale.values]}
            if _is_rating(scale)
            else {"type": "text", "use_markdown": False},
        }
        for scale in scales
    ]
    metadata = [
        {"name": name, "title": name, "visible_for_annotators": True, "settings": {"type": "terms", "values": None}}
        for name in _META
    ]
    return {
        "guidelines": None,
        "fields": fields,
        "questions": questions,
        "metadata": metadata,
        "vectors": [],
        "allow_extra_metadata": False,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "mapping": None,
    }


def _is_rating(scale: Scale) -> bool:
    """Whether Argilla has such a scale; the numbers of others are texts there."""
    return bool(scale.values) and all(value in range(MOST_OF_ARGILLA + 1) for value in scale.values)
