"""Small campaigns for tests, made by the services that the pages use."""

import html
import itertools
import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.contrib.auth.models import User
from django.test import Client

from common.clock import database_now
from common.constraints import CheckedAtOnce
from compressions.models import Compression, Source, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.imports import source_import
from compressions.services.submission import Submission, compression_submit
from corpus.models import Release
from corpus.release.options import ReleaseOptions
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Round
from crowd.opening import CAN_BE_CONFIRMED
from crowd.services.campaigns import campaign_create
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from crowd.services.links import join_link_create
from measures.text.length_rule import allowed_length
from ratings.example_check import ExampleText
from ratings.models import QualificationItem, Rating
from ratings.selectors.qualification import qualification_items
from ratings.services.qualification import qualification_items_replace
from ratings.services.rating import Judgement, rating_submit
from ratings.subjects import subject_of

_numbers = itertools.count(1)
Scores = Sequence[tuple[int, int]]

SENTENCE = (
    "The committee, which met for more than three hours on Tuesday evening, finally agreed to repair the old "
    "wooden bridge number {number} before the first snow of the winter falls."
)


def make_staff(name: str = "", *, administrator: bool = False) -> User:
    name = name or f"staff-{next(_numbers)}"
    return User.objects.create_user(name, password="correct horse battery", is_superuser=administrator)


def make_campaign(*, sources: int = 0, owner: User | None = None, **settings: Any) -> Campaign:
    """A campaign with direct links for both rounds and `sources` sentences."""
    number = next(_numbers)
    texts = {"consent": "Do you agree?", "editor_guidelines": "Shorten.", "rater_guidelines": "Judge."}
    # Asking the database about each constraint beforehand takes most of the time; it checks them itself in any case.
    with patch.object(CheckedAtOnce, "validate_constraints"):
        campaign = campaign_create(
            owner=owner or make_staff(),
            **{"name": f"Campaign {number}", "slug": f"campaign-{number}", **texts, **settings},
        )
    if sources:
        import_texts(campaign, [SENTENCE.format(number=index) for index in range(1, sources + 1)])
    return campaign


def import_texts(campaign: Campaign, texts: list[str], *, genre: str = "Letters") -> None:
    rows = [{"id": str(index), "genre": genre, "text": text} for index, text in enumerate(texts, start=1)]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="texts.jsonl", content=content, strict=True, seed=1)


def link_of(campaign: Campaign, work_round: str) -> JoinLink:
    return JoinLink.objects.select_related("campaign").get(campaign=campaign, round=work_round, platform_key="direct")


def open_link(*, campaign: Campaign, work_round: str, platform_key: str, **settings: Any) -> JoinLink:
    """A link by which people come, whatever is set of their pay."""
    return join_link_create(
        campaign=campaign, work_round=work_round, platform_key=platform_key, confirmed=CAN_BE_CONFIRMED, **settings
    )


def enrol(campaign: Campaign, work_round: str, name: str = "") -> Enrolment:
    """A worker who consented and read the guidelines; the same name is the same worker."""
    name = name or f"worker-{next(_numbers)}"
    enrolment = worker_enter(link=link_of(campaign, work_round), ids=PlatformIds(worker_id=name))
    guidelines_accept(enrolment=enrolment)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def shortened(text: str, keep_percent: int = 75) -> str:
    """A text that the rule accepts: the first words."""
    words, allowed = text.split(), allowed_length(text, keep_percent)
    while len(" ".join(words)) > allowed:
        words.pop()
    return " ".join(words)


def deletion_log(source: str, text: str) -> list[list[int | str]]:
    """The log of somebody who deletes the end of the source."""
    assert source.startswith(text)
    return [[len(text), source[len(text) :], "", "deletion", 1500]]


def submission_of(source: Source) -> Submission:
    text = shortened(source.text)
    return Submission(text, deletion_log(source.text, text))


def submit_edit(enrolment: Enrolment, assignment: Assignment) -> Compression:
    source = source_of_assignment(assignment)
    return compression_submit(
        enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission_of(source)
    )


def edit_next(enrolment: Enrolment) -> Compression | None:
    """Claim and compress the next text; None when there is none."""
    assignment = assignment_claim(enrolment=enrolment)
    return submit_edit(enrolment, assignment) if assignment else None


def rate_next(enrolment: Enrolment, meaning: int = 3, grammar: int = 3) -> Rating | None:
    """Claim and judge the next compression; None when there is none."""
    assignment = assignment_claim(enrolment=enrolment)
    return rate(enrolment, assignment, meaning=meaning, grammar=grammar) if assignment else None


def rate(enrolment: Enrolment, assignment: Assignment, *, known_version: int = 0, **scores: int) -> Rating:
    """Submit points for a task, as a page opened on `known_version` a minute ago does."""
    if assignment.leased_at is not None:
        assignment.leased_at -= timedelta(minutes=1)
        Assignment.objects.filter(pk=assignment.pk).update(leased_at=assignment.leased_at)
    judgement = Judgement(scores, known_version=known_version)
    return rating_submit(
        enrolment=enrolment, assignment=assignment, subject=subject_of(assignment), judgement=judgement
    )


def worker_client(campaign: Campaign, work_round: str, name: str = "", **options: Any) -> Client:
    """A browser in which a worker consented and read the guidelines, by way of the pages."""
    client = Client(**options)
    address = f"/join/{link_of(campaign, work_round).token}/"
    client.get(f"{address}?participant={name or f'worker-{next(_numbers)}'}")
    client.post(address)
    client.post("/work/guidelines/")
    return client


def staff_client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


EDIT, RATE = Round.EDIT, Round.RATE


# What later rooms need: texts of one's own choice, judgements, releases.

RELEASE_FORM = {"train": "8", "valid": "1", "test": "1", "seed": "2016", "min_ratings": "1", "min_compressions": "1"}

EXAMPLE = ExampleText(
    source="The old mill by the river, which nobody had used for years, burnt down last night.",
    compression="The old mill by the river burnt down last night.",
    answers={"meaning": [3], "grammar": [3]},
    why="Only the aside is gone.",
)


def add_qualification(campaign: Campaign, count: int = 1) -> list[QualificationItem]:
    """A test whose right answers are 3 and 3."""
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE] * count)
    return list(qualification_items(campaign))


def rewriting_log(source: str, text: str) -> list[list[int | str]]:
    """The log of somebody who pastes a text over the whole source."""
    return [[0, source, text, "paste", 1500]]


def submit_text(enrolment: Enrolment, text: str) -> Compression:
    """Claim the next source and submit a text of one's own for it."""
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    source = source_of_assignment(assignment)
    submission = Submission(text, rewriting_log(source.text, text))
    return compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


def version_of(source: Source, number: int) -> str:
    """A compression of a source that differs from its other versions."""
    return f"{shortened(source.text, 50)}, version {number}."


def edit_all(campaign: Campaign, editors: int) -> None:
    """Every editor compresses every source, each in their own words."""
    for number in range(1, editors + 1):
        enrolment = enrol(campaign, EDIT, f"editor-{number}")
        while assignment := assignment_claim(enrolment=enrolment):
            source = source_of_assignment(assignment)
            text = version_of(source, number)
            submission = Submission(text, rewriting_log(source.text, text))
            compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


def rate_all(enrolment: Enrolment, meaning: int = 3, grammar: int = 3) -> int:
    """Judge everything that is left for a rater, always alike; returns how many."""
    rated = 0
    while rate_next(enrolment, meaning, grammar):
        rated += 1
    return rated


def judged_campaign(
    *, sources: int = 2, editors: int = 1, scores: Scores = ((3, 3), (2, 3)), **settings: Any
) -> Campaign:
    """A campaign in which all is done: each entry of `scores` is a rater who always gives these two points."""
    people = {"editors_per_source": editors, "raters_per_compression": len(scores)}
    tasks = {"editor_tasks": sources, "rater_tasks": sources * editors}
    campaign = make_campaign(sources=sources, **{**people, **tasks, **settings})
    edit_all(campaign, editors)
    for number, (meaning, grammar) in enumerate(scores, start=1):
        rate_all(enrol(campaign, RATE, f"rater-{number}"), meaning, grammar)
    return campaign


def silent(_done: int, _total: int) -> None:
    """Progress that nobody watches."""


def freeze(campaign: Campaign, **options: Any) -> Release:
    """A finished release; `statement` is what is said of the corpus."""
    statement = options.pop("statement", None)
    release = release_create(campaign=campaign, options=ReleaseOptions(**options), statement=statement)
    release_build(release=release, progress=silent)
    return release


def readable(response: Any) -> str:
    """A page as its reader meets it: without escapes."""
    return html.unescape(response.content.decode())


def lease_run_out(assignment: Assignment) -> None:
    """Let the time of a claimed task be over."""
    Assignment.objects.filter(pk=assignment.pk).update(lease_ends_at=database_now() - timedelta(minutes=1))


def rate_each(enrolment: Enrolment, points: Callable[[Target], tuple[int, int]]) -> None:
    """Judge everything that is left for a rater, each text as `points` says."""
    while assignment := assignment_claim(enrolment=enrolment):
        meaning, grammar = points(assignment.item.target)
        rate(enrolment, assignment, meaning=meaning, grammar=grammar)


def golden_campaign() -> Campaign:
    """Five sources; a good editor, whose texts deserve 3, and a poor one: 2. Two fair raters, and one who says 1."""
    campaign = make_campaign(sources=5, editors_per_source=2, raters_per_compression=3)
    edit_all(campaign, 2)

    def deserved(target: Target) -> tuple[int, int]:
        return (3, 3) if target.text.endswith("version 1.") else (2, 2)

    for name in ("fair", "fair too"):
        rate_each(enrol(campaign, RATE, name), deserved)
    rate_each(enrol(campaign, RATE, "grim"), lambda _: (1, 1))
    return campaign


# What tests of the editing page and of divided paragraphs need.


def editor_at_work(campaign: Campaign, name: str = "ann") -> tuple[Client, Assignment]:
    """A browser on its task, and that task with its source."""
    client = worker_client(campaign, EDIT, name)
    return client, Assignment.objects.select_related("item__source").get(
        worker__campaign=campaign, worker__external_id=name, round=EDIT, state=Assignment.State.LEASED
    )


def fields_of(submission: Submission) -> dict[str, str]:
    """What the editing page sends."""
    return {
        "text": submission.text,
        "log": json.dumps(submission.raw_log),
        "started_from": submission.started_from,
        "comment": submission.comment,
    }


def import_paragraphs(campaign: Campaign, ids: Sequence[str]) -> None:
    """Paragraphs of two sentences that are long enough."""
    texts = [" ".join(SENTENCE.format(number=2 * place + each) for each in (1, 2)) for place in range(len(ids))]
    rows = [{"id": each, "genre": "Letters", "text": text} for each, text in zip(ids, texts, strict=True)]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="paragraphs.jsonl", content=content, strict=True, seed=1)
