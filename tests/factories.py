"""Small campaigns for tests, made by the services that the pages use."""

import itertools
import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from compressions.models import Compression, Source
from compressions.selectors.sources import source_of_assignment
from compressions.services.imports import source_import
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Round
from crowd.services.campaigns import campaign_create
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from measures.length import allowed_length
from ratings.models import Rating
from ratings.selectors.targets import target_of_assignment
from ratings.services.rating import rating_submit

_numbers = itertools.count(1)

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
    if assignment is None:
        return None
    return rating_submit(
        enrolment=enrolment,
        assignment_id=assignment.pk,
        target=target_of_assignment(assignment),
        meaning=meaning,
        grammar=grammar,
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
