"""Releases whose editing operations are plain to see, and their reports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from edit_operations.kind import KIND
from edit_operations.parameters import OperationsParameters
from edit_operations.word_pairs import pair_list
from reports.downloads import report_as
from reports.models import Report
from reports.services import report_compute, report_get_or_create
from tests.support.factories import silent
from tests.support.reports import released

Row = dict[str, Any]
FEW_DRAWS = OperationsParameters(draws=50)
SENTENCE = "The two old men went home late last night."
PARAGRAPH = "The two old men went home late last night. Their dog stayed at the door."


def text_of(
    text: str,
    *points: int,
    editors: Sequence[str] = ("9",),
    grammar: Sequence[int] | None = None,
    experts: Sequence[int] = (),
) -> ReleasedText:
    """A compression with the ratings of the crowd on meaning and, unless given, the same on grammar."""
    also = points if grammar is None else grammar
    rated = tuple(
        ReleasedRating(str(number), {"meaning": one, "grammar": other})
        for number, (one, other) in enumerate(zip(points, also, strict=True), start=1)
    )
    by_experts = tuple(ReleasedRating("e1", {"meaning": point, "grammar": point}) for point in experts)
    return ReleasedText(text, tuple(editors), rated, by_experts)


def source_of(
    number: int | str,
    *texts: ReleasedText,
    text: str = SENTENCE,
    outputs: Mapping[str, str] | None = None,
    genre: str = "Letters",
    paragraph: str = "",
    split: str = "train",
    sentences: int = 1,
) -> ReleasedSource:
    named = str(number)
    return ReleasedSource(
        named,
        genre,
        text,
        sentences,
        paragraph,
        paragraph or named,
        split,
        list(texts),
        [ReleasedOutput(system, each, ()) for system, each in (outputs or {}).items()],
    )


def varied() -> list[ReleasedSource]:
    """Sources with deletions, paraphrases, insertions, moved words; a paragraph and its own sentences; systems."""
    return [
        source_of(
            1,
            text_of("The men went home late.", 3, 3),
            text_of("Last night the two old men went home.", 2, 3, editors=("8", "9")),
            outputs={"A": "The two old men went home.", "B": "Two men suddenly left."},
        ),
        source_of(2, text_of("Two men walked home.", 2, 2, editors=("7",)), text_of("The men went home.", 3, 2)),
        source_of(
            "p",
            text_of("The two old men went home while their dog stayed.", 3, 3),
            text_of("The two old men went home late.", 1, 2, editors=("8",)),
            text_of("The men went home. Their dog stayed.", 2, 2, editors=("7",)),
            text=PARAGRAPH,
            sentences=2,
            genre="News",
            outputs={"A": "The two old men went home. Their dog stayed at the door."},
        ),
        source_of("p-1", text_of("The men went home.", 2, 3), paragraph="p", genre="News"),
        source_of(
            "p-2",
            text_of("A dog stayed.", 3, 2, editors=("8",)),
            text="Their dog stayed at the door.",
            paragraph="p",
            genre="News",
            split="test",
        ),
        source_of(5, text_of("", 1), genre="News"),
        source_of(6, genre="News", outputs={"B": ""}),
    ]


def pairs_of(number: int) -> list[ReleasedSource]:
    """Sources with a moved text that is rated 2, and one in order that is rated 3."""
    return [
        source_of(
            each,
            text_of("Late last night the two old men went home.", 2, editors=(f"{each % 3}",)),
            text_of("The two old men went home.", 3, editors=(f"{each % 2 + 7}",)),
        )
        for each in range(number)
    ]


def varied_ratings() -> list[ReleasedSource]:
    """Twelve sources with the same four texts, by five editors, whose ratings go up and down."""
    texts = (
        "Late last night the two old men went home.",
        "The two old men went home.",
        "Two old men went home late.",
        "The men walked home.",
    )
    return [
        source_of(
            number,
            *(
                text_of(
                    text,
                    *((1 + (number + place) % 3, 1 + number % 2, 2 + (number * place) % 2)),
                    editors=(str((number + place) % 5),),
                )
                for place, text in enumerate(texts)
            ),
        )
        for number in range(12)
    ]


def released_with(sources: Iterable[ReleasedSource], *, owner: User | None = None) -> Release:
    """A release that holds these sources, and says how many."""
    kept = list(sources)
    release = released(kept, owner=owner)
    release.summary = {"sources": len(kept)}
    release.save()
    return release


def started(release: Release, parameters: OperationsParameters = FEW_DRAWS, word_pairs: str = "") -> Report:
    return report_get_or_create(kind=KIND, on=release, parameters=parameters, attached=pair_list(word_pairs, "pairs"))


def computed(release: Release, parameters: OperationsParameters = FEW_DRAWS, word_pairs: str = "") -> Report:
    """The report, computed at once."""
    report = started(release, parameters, word_pairs)
    report_compute(report=report, progress=silent)
    return reread(report)


def reread(report: Report) -> Report:
    return Report.objects.select_related("release__campaign").get(pk=report.pk)


def file_of(form: str, report: Report) -> str:
    return "".join(report_as(form, report))


def cells(report: Report, table: str, **wanted: Any) -> dict[tuple[str, str], Row]:
    """The rows of a table by group and figure."""
    rows = [row for row in report.rows or [] if row["table"] == table]
    kept = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return {(row["group"], row["figure"]): row for row in kept}
