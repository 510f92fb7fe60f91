"""What somebody was about to write when their data were erased: nothing of it is stored, whoever was first."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import connection

from common.errors import Refused, SlotTaken
from compressions.models import Compression, Draft
from compressions.selectors.sources import source_of_assignment
from compressions.services.drafts import DraftSave, draft_save
from compressions.services.submission import Submission, compression_submit
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment, PastVisit, Remark, WorkerBrowser
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, enrolment_finish, enrolment_qualify, enrolment_withdraw, worker_enter
from crowd.services.leases import lease_give_back
from crowd.services.remarks import problem_report, task_skip
from ratings.models import QualificationSitting, Rating
from ratings.services.rating import Judgement, rating_submit
from ratings.services.sittings import qualification_submit
from ratings.subjects import subject_of
from tests.support.factories import (
    EDIT,
    RATE,
    add_qualification,
    edit_all,
    enrol,
    link_of,
    make_campaign,
    rate,
    shortened,
)
from tests.support.together import together

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SAID = "what she says"
Act = Callable[[], object]
State = Assignment.State


def editor_acts(campaign: Campaign) -> tuple[Enrolment, dict[str, Act]]:
    enrolment = enrol(campaign, EDIT, "zoe")
    held = assignment_claim(enrolment=enrolment)
    assert held is not None
    source = source_of_assignment(held)
    text = shortened(source.text)
    submission = Submission(text, [[0, source.text, text, "paste", 900]], comment=SAID)
    draft = DraftSave("page", 1, "source", [[0, "", SAID, "paste", 9]], SAID)

    def submit() -> object:
        return compression_submit(enrolment=enrolment, assignment_id=held.pk, source=source, submission=submission)

    return enrolment, {
        "submit": submit,
        "save a draft": lambda: draft_save(assignment=held, source=source, save=draft),
        "report": lambda: problem_report(enrolment=enrolment, assignment_id=held.pk, reason="other", text=SAID),
        "skip": lambda: task_skip(enrolment=enrolment, assignment_id=held.pk, reason="other", text=SAID),
        "claim": lambda: assignment_claim(enrolment=enrolment),
        "come again": lambda: worker_enter(
            link=link_of(campaign, EDIT), ids=PlatformIds(), known=enrolment, browser="her browser"
        ),
        "finish": lambda: enrolment_finish(enrolment=enrolment),
        "withdraw": lambda: enrolment_withdraw(enrolment=enrolment),
        "fail the test": lambda: enrolment_qualify(enrolment=enrolment, passed=False),
    }


def rater_acts(campaign: Campaign) -> tuple[Enrolment, dict[str, Act]]:
    enrolment = enrol(campaign, RATE, "zoe")
    done = assignment_claim(enrolment=enrolment)
    assert done is not None
    rate(enrolment, done, meaning=1, grammar=1)
    held = assignment_claim(enrolment=enrolment)
    assert held is not None

    def say(assignment: Assignment, version: int) -> object:
        judgement = Judgement({"meaning": 3, "grammar": 3}, comment=SAID, known_version=version)
        return rating_submit(
            enrolment=enrolment, assignment=assignment, subject=subject_of(assignment), judgement=judgement
        )

    return enrolment, {"rate": lambda: say(held, 0), "correct": lambda: say(done, 1)}


def make() -> Campaign:
    campaign = make_campaign(sources=4, editors_per_source=3, raters_per_compression=3)
    edit_all(campaign, 1)
    return campaign


def nothing_is_left(enrolment: Enrolment) -> None:
    """Of an erased person nothing is stored but numbers."""
    worker = enrolment.worker
    held = Assignment.objects.filter(worker=worker, state=State.LEASED)
    assert not held.exists()
    assert not Draft.objects.filter(assignment__worker=worker).exists()
    assert not Remark.objects.filter(assignment__worker=worker).exclude(text="").exists()
    assert not Compression.objects.filter(worker=worker).exclude(edit_log=[]).exists()
    assert not WorkerBrowser.objects.filter(worker=worker).exists()
    assert not QualificationSitting.objects.filter(enrolment=enrolment).exists()
    visit = Enrolment.objects.get(pk=enrolment.pk)
    assert (visit.study_id, visit.session_id, visit.browser_hash) == ("", "", "")
    assert not PastVisit.objects.filter(enrolment=enrolment).exclude(study_id="").exists()


EDITOR_ACTS = ["submit", "save a draft", "report", "skip", "claim", "come again", "finish", "withdraw", "fail the test"]


@pytest.mark.parametrize("name", EDITOR_ACTS)
@pytest.mark.parametrize("has_lease", [True, False])
def test_what_an_editor_began_before_the_erasure_is_not_stored_after_it(name: str, has_lease: bool) -> None:
    campaign = make()
    enrolment, acts = editor_acts(campaign)
    if not has_lease:
        lease_give_back(enrolment=enrolment)
    written = Compression.objects.count()

    worker_erase(worker=enrolment.worker)
    with suppress(Refused):
        acts[name]()

    nothing_is_left(enrolment)
    assert Compression.objects.count() == written
    visit = Enrolment.objects.get(pk=enrolment.pk)
    assert (visit.outcome, visit.is_excluded) == ("stopped", False)


@pytest.mark.parametrize("name", ["rate", "correct"])
def test_what_a_rater_began_before_the_erasure_is_not_stored_after_it(name: str) -> None:
    enrolment, acts = rater_acts(make())

    worker_erase(worker=enrolment.worker)
    with pytest.raises(SlotTaken, match="erased"):
        acts[name]()

    nothing_is_left(enrolment)
    (rating,) = Rating.objects.filter(worker=enrolment.worker)
    assert (rating.version, rating.scores.get(scale="meaning").value) == (1, 1)


def test_answers_to_the_test_end_with_the_erasure() -> None:
    campaign = make()
    add_qualification(campaign)
    enrolment = enrol(campaign, RATE, "zoe")

    worker_erase(worker=enrolment.worker)
    with pytest.raises(SlotTaken, match="erased"):
        qualification_submit(enrolment=enrolment, number=1, answers={0: {"meaning": 3}})

    nothing_is_left(enrolment)


def racing(act: Act) -> Act:
    def run() -> str:
        try:
            act()
        except Refused as refusal:
            return str(refusal)
        return "done"

    return run


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side")
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("end", ["erasure", "withdrawal"])
def test_all_that_an_editor_does_races_with_the_end(end: str, number: int) -> None:
    campaign = make()
    enrolment, acts = editor_acts(campaign)
    ends: dict[str, Act] = {
        "erasure": lambda: worker_erase(worker=enrolment.worker),
        "withdrawal": lambda: enrolment_withdraw(enrolment=enrolment),
    }
    chosen = [act for name, act in acts.items() if name not in {"withdraw", "fail the test"}]
    results = together([racing(each) for each in [*chosen[:number], ends[end], *chosen[number:]]])

    assert len(results) == len(chosen) + 1
    if end == "erasure":
        nothing_is_left(enrolment)
    assert not Assignment.objects.filter(worker=enrolment.worker, state=State.LEASED).exists()
    counted = Assignment.objects.filter(worker=enrolment.worker, state=State.SUBMITTED).count()
    written = Compression.objects.filter(worker=enrolment.worker).count()
    assert written == counted if end == "erasure" else counted == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side")
@pytest.mark.parametrize("end", ["erasure", "withdrawal"])
def test_all_that_a_rater_does_races_with_the_end(end: str) -> None:
    for _ in range(4):
        enrolment, acts = rater_acts(make())
        ends: dict[str, Act] = {
            "erasure": lambda enrolment=enrolment: worker_erase(worker=enrolment.worker),  # type: ignore[misc]
            "withdrawal": lambda enrolment=enrolment: enrolment_withdraw(enrolment=enrolment),  # type: ignore[misc]
        }
        together([racing(each) for each in [acts["rate"], ends[end], acts["correct"]]])

        if end == "erasure":
            nothing_is_left(enrolment)
        assert not Assignment.objects.filter(worker=enrolment.worker, state=State.LEASED).exists()
