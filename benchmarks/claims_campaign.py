"""The campaign of `benchmarks/claims.py`. It runs in the Django shell of the code that is measured.

That may be an earlier commit, so this file uses only what has been there for long: its factories and its services.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from django.db import transaction

from compressions.models import Source
from compressions.selectors.sources import source_of_assignment
from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from compressions.services.submission import Submission, compression_submit
from crowd.models import Campaign, Enrolment
from crowd.services.claims import assignment_claim
from ratings.services.gold import gold_create
from tests.support.factories import EDIT, EXAMPLE, enrol, make_campaign, rewriting_log, shortened, version_of

EDITORS_PER_SOURCE = 5
GOLD_ITEMS = 60
SLICE = 500
T = TypeVar("T")


def slices(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    return (rows[begin : begin + SLICE] for begin in range(0, len(rows), SLICE))


def prepare(fill: Callable[[Campaign], None]) -> None:
    """Make a campaign in which nobody has to pass a test, fill it, and print the token of each round's join link."""
    campaign = make_campaign(
        slug="bench", editor_tasks=30_000, rater_tasks=30_000, editors_per_source=EDITORS_PER_SOURCE, lease_minutes=60
    )
    fill(campaign)
    print(json.dumps(dict(campaign.links.values_list("round", "token"))))


def fresh(sources: str, written: int) -> Callable[[Campaign], None]:
    """Return how to fill a campaign with the texts of a file, and with texts to rate, `written` of them by editors."""

    def fill(campaign: Campaign) -> None:
        source_import(campaign=campaign, file_name="texts.jsonl", content=Path(sources).read_bytes(), seed=1)
        _write(campaign, written)
        _add_outputs(campaign)
        _add_gold(campaign)

    return fill


def grown(sources: int) -> Callable[[Campaign], None]:
    """Return how to fill a campaign as if people had worked in it for long."""
    from benchmarks.grown_campaign import fill  # noqa: PLC0415 - not there in earlier commits

    return lambda campaign: fill(campaign_id=campaign.pk, sources=sources)


def _write(campaign: Campaign, texts: int) -> None:
    """Let as many editors as a source wants shorten the same sources, each in their own words."""
    for number in range(1, EDITORS_PER_SOURCE + 1):
        editor = enrol(campaign, EDIT, f"author-{number}")
        for each in slices(range(texts // EDITORS_PER_SOURCE)):
            _write_some(editor, number, len(each))


@transaction.atomic  # one for many texts, which saves most of the time
def _write_some(editor: Enrolment, number: int, texts: int) -> None:
    for _ in range(texts):
        assignment = assignment_claim(enrolment=editor)
        if assignment is None:
            return
        source = source_of_assignment(assignment)
        text = version_of(source, number)
        submission = Submission(text, rewriting_log(source.text, text))
        compression_submit(enrolment=editor, assignment_id=assignment.pk, source=source, submission=submission)


def _add_outputs(campaign: Campaign) -> None:
    """Add the output of a system for every source."""
    sources = Source.objects.filter(campaign=campaign).order_by("pk")
    outputs = [
        Output(line, each.source_id, shortened(each.text, keep_percent=50)) for line, each in enumerate(sources, 1)
    ]
    for each in slices(outputs):
        outputs_add(campaign=campaign, system="half", outputs=each)


def _add_gold(campaign: Campaign) -> None:
    for number in range(GOLD_ITEMS):
        gold_create(campaign=campaign, example=replace(EXAMPLE, source=f"{EXAMPLE.source} ({number})"))
