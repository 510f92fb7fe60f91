"""One source per line, everything nested: the complete form of a release, from which reports are computed."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from django.template.defaultfilters import pluralize

from corpus.formats.base import CardFacts, FormatWriter, ReleaseFormat
from corpus.release.folder import ReleaseFolder
from corpus.release.records import (
    NO_Z_SCORES,
    Ratings,
    ReleasedAlignment,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
    WrittenText,
)
from crowd.scales import Scale

CORPUS_FILE = "corpus.jsonl"
Nested = dict[str, Any]


def jsonl_line(source: ReleasedSource) -> bytes:
    return json.dumps(_nested(source), ensure_ascii=False).encode() + b"\n"


def jsonl_read(stream: Iterable[bytes]) -> Iterator[ReleasedSource]:
    """Raises ValueError with the number of the first line that is not of this form."""
    for number, line in enumerate(stream, start=1):
        try:
            source = _source(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"line {number}: {error!r}") from error
        yield source


def _nested(source: ReleasedSource) -> Nested:
    nested: Nested = {
        "id": source.source_id,
        "split": source.split,
        "genre": source.genre,
        "sentences": source.sentences,
        "paragraph": source.paragraph_id or None,
        "text": source.text,
        **({"nuggets": list(source.nuggets)} if source.nuggets else {}),
        "compressions": [
            {"text": each.text, "editors": list(each.editors), **_judged(each), **_aligned(each)}
            for each in source.texts
        ],
    }
    if source.outputs:
        nested["outputs"] = [
            {
                "system": each.system,
                "text": each.text,
                **_over_length(each),
                **_judged(each),
                **_apart(each),
                **_aligned(each),
            }
            for each in source.outputs
        ]
    if source.comparisons:
        nested["comparisons"] = [
            {"first": each.first, "second": each.second, **_judged(each)} for each in source.comparisons
        ]
    return nested


def _judged(each: ReleasedText | ReleasedOutput | ReleasedComparison) -> Nested:
    """Its ratings, and those of experts where there are any: most corpora have none."""
    nested = {"ratings": _nested_ratings(each.ratings)}
    if each.expert_ratings:
        nested["expert_ratings"] = _nested_ratings(each.expert_ratings)
    return nested


def _apart(output: ReleasedOutput) -> Nested:
    """The pools that rated it apart from another's output, or a person's text, that is the same."""
    return {"rated_apart": list(output.rated_apart)} if output.rated_apart else {}


def _over_length(output: ReleasedOutput) -> Nested:
    """Whether it is longer than editors could write, said of those alone that are."""
    return {"over_length": True} if output.is_over_length else {}


def _aligned(each: ReleasedText | ReleasedOutput) -> Nested:
    """Its alignment where staff corrected it."""
    if each.alignment is None:
        return {}
    made = each.alignment
    words = {"source_words": list(made.source_words), "words": list(made.words)}
    return {"alignment": {**words, "places": list(made.places), "version": made.version}}


def _nested_ratings(ratings: Ratings) -> list[Nested]:
    return [_nested_rating(rating) for rating in ratings]


def _nested_rating(rating: ReleasedRating) -> Nested:
    nested: Nested = {"rater": rating.rater or None, "scores": dict(rating.scores)}
    if rating.z_scores:
        nested["z_scores"] = dict(rating.z_scores)
    if rating.day:
        nested["day"] = rating.day.isoformat()
    if rating.arm:
        nested["arm"] = rating.arm
    return nested


def _source(line: Nested) -> ReleasedSource:
    return ReleasedSource(
        source_id=line["id"],
        genre=line["genre"],
        text=line["text"],
        sentences=line["sentences"],
        paragraph_id=line["paragraph"] or "",
        family=line["paragraph"] or line["id"],
        split=line["split"],
        texts=[_text(nested) for nested in line["compressions"]],
        outputs=[_output(nested) for nested in line.get("outputs", ())],
        comparisons=[_comparison(nested) for nested in line.get("comparisons", ())],
        nuggets=_nuggets(line),
    )


def _nuggets(line: Nested) -> tuple[str, ...]:
    given = line.get("nuggets", [])
    if not isinstance(given, list):
        raise TypeError("nuggets is not a list")
    return tuple(given)


def _text(nested: Nested) -> ReleasedText:
    return ReleasedText(nested["text"], tuple(map(str, nested["editors"])), *_ratings(nested), _alignment(nested))


def _output(nested: Nested) -> ReleasedOutput:
    apart = tuple(map(str, nested.get("rated_apart", ())))
    return ReleasedOutput(
        nested["system"],
        nested["text"],
        *_ratings(nested),
        _alignment(nested),
        apart,
        nested.get("over_length") is True,
    )


def _alignment(nested: Nested) -> ReleasedAlignment | None:
    made = nested.get("alignment")
    if made is None:
        return None
    return ReleasedAlignment(tuple(made["source_words"]), tuple(made["words"]), tuple(made["places"]), made["version"])


def _comparison(nested: Nested) -> ReleasedComparison:
    return ReleasedComparison(nested["first"], nested["second"], *_ratings(nested))


def _ratings(nested: Nested) -> tuple[Ratings, Ratings]:
    """The ratings of the crowd, and those of experts."""
    crowd, experts = nested["ratings"], nested.get("expert_ratings", ())
    return tuple(map(_rating, crowd)), tuple(map(_rating, experts))


def _rating(nested: Nested) -> ReleasedRating:
    """A release never changes: the files of early ones have numbers for people, and two scales by name."""
    rater = nested["rater"]
    scores = nested["scores"] if "scores" in nested else {key: nested[key] for key in ("meaning", "grammar")}
    day = None if nested.get("day") is None else date.fromisoformat(nested["day"])
    name = "" if rater is None else str(rater)
    return ReleasedRating(name, scores, day, nested.get("z_scores", NO_Z_SCORES), nested.get("arm", ""))


class JsonlWriter(FormatWriter):
    """One file for all splits."""

    def __init__(self, folder: ReleaseFolder, scales: tuple[Scale, ...]) -> None:
        super().__init__(folder, scales)
        self._corpus = folder.stream(CORPUS_FILE)

    def add(self, source: ReleasedSource, _written: Sequence[WrittenText]) -> None:
        self._corpus.write(jsonl_line(source))


def _card(facts: CardFacts) -> str:
    return " ".join(filter(None, (_over_length_words(facts), _corrected_words(facts), _nugget_words(facts))))


def _over_length_words(facts: CardFacts) -> str:
    """Say whose outputs are longer than editors could write."""
    over = facts.summary.get("over_length", {})
    if not over:
        return ""
    systems = ", ".join(f"{number} of {system}" for system, number in over.items())
    return f"`{CORPUS_FILE}` marks outputs that are longer than editors could write as `over_length`: {systems}."


def _corrected_words(facts: CardFacts) -> str:
    corrected = facts.summary.get("corrected_alignments", 0)
    if not corrected:
        return ""
    texts = f"{corrected} text{pluralize(corrected)}"
    return (
        f"`{CORPUS_FILE}` has an `alignment` for {texts} whose word alignment was corrected by hand: the words of "
        "both, and for each word of the text the place of its word in the source from 0, or null. "
        "`ProcessedData/`, if there is one, uses it where the parser finds the same words."
    )


def _nugget_words(facts: CardFacts) -> str:
    having = facts.summary.get("with_nuggets", 0)
    if not having:
        return ""
    return (
        f"`{CORPUS_FILE}` has the `nuggets` of {having} source{pluralize(having)}: what a good answer to "
        f"{'it' if having == 1 else 'each'} says."
    )


FORMAT = ReleaseFormat("JSON Lines", rank=10, writer=JsonlWriter, card=_card)
