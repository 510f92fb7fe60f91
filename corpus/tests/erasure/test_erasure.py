"""Erasing what tells who somebody is and how they wrote: nothing of it is left, and all goes on."""

from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from common.templatetags.formatting import money
from compressions.models import Compression, Draft, TextFeatures, VisitRules
from compressions.selectors.sources import source_of_assignment
from compressions.services.drafts import DraftSave, draft_save
from compressions.services.submission import Submission, compression_submit
from corpus.services.erasure import worker_erase
from crowd.models import AccountSession, Assignment, BrowserRequest, Campaign, Enrolment, Item, Remark, Worker
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from crowd.services.remarks import problem_report, remark_answer, task_skip
from measures.quality_control.worker_filter import FilterParameters
from ratings.selectors.visits import visitors_of_round
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import person_include, quality_apply
from ratings.services.rating import Judgement, rating_submit
from ratings.subjects import subject_of
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    link_of,
    make_campaign,
    make_staff,
    rate_all,
    readable,
    shortened,
    staff_client,
    worker_client,
)

pytestmark = pytest.mark.django_db

EXPERT = "expert"
ID, STUDY, SESSION = "zoe-on-the-platform", "study-of-zoe", "session-of-zoe"
SAID, TYPED = "what zoe says beside her work", "what zoe typed and took back"
COUNTED = {"v": 1, "away_ms": 7_654_321}
SETTLED = {"is_settled": "on"}
Rows = dict[str, list[dict[str, Any]]]
either_way = pytest.mark.parametrize("texts_go", [False, True])


def enter(campaign: Campaign, work_round: str, name: str = ID) -> Enrolment:
    """Somebody with all the ids that a platform gives."""
    ids = PlatformIds(name, STUDY, SESSION)
    enrolment = worker_enter(link=link_of(campaign, work_round), ids=ids)
    guidelines_accept(enrolment=enrolment)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def write(enrolment: Enrolment) -> Assignment:
    """Compress a text in two steps, the first of which is taken back, and say something."""
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    source = source_of_assignment(assignment)
    text = shortened(source.text, 60)
    log = [[0, source.text, TYPED, "paste", 900], [0, TYPED, text, "paste", 1500]]
    submission = Submission(text, log, comment=SAID, page_record=COUNTED)
    compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)
    return assignment


def edit_in_all_ways(enrolment: Enrolment) -> None:
    """Two texts submitted, a problem reported, one text skipped, and one begun."""
    write(enrolment)
    problem_report(enrolment=enrolment, assignment_id=write(enrolment).pk, reason="other", text=SAID)
    skipped = assignment_claim(enrolment=enrolment)
    assert skipped is not None
    task_skip(enrolment=enrolment, assignment_id=skipped.pk, reason="other", text=SAID)
    begun = assignment_claim(enrolment=enrolment)
    assert begun is not None
    draft = DraftSave("page", 1, "source", [[0, "", TYPED, "paste", 9]], SAID)
    draft_save(assignment=begun, source=source_of_assignment(begun), save=draft)


def judge_with_words(enrolment: Enrolment) -> None:
    while assignment := assignment_claim(enrolment=enrolment):
        judgement = Judgement({"meaning": 2, "grammar": 3}, comment=SAID, page_record=COUNTED)
        rating_submit(enrolment=enrolment, assignment=assignment, subject=subject_of(assignment), judgement=judgement)


def busy_campaign(**settings: Any) -> Campaign:
    """Zoe and others are editors and raters; one other person and Zoe, under another id, are experts."""
    settings |= {"editors_per_source": 2, "raters_per_compression": 2, "editor_tasks": 9, "rater_tasks": 99}
    campaign = make_campaign(sources=5, **settings)
    edit_in_all_ways(enter(campaign, EDIT))
    edit_all(campaign, 1)
    judge_with_words(enter(campaign, RATE))
    for name in ("ann", "ben"):
        rate_all(enrol(campaign, RATE, name))
    expert_sample_draw(campaign=campaign, size=4, seed=1, experts=2)
    rate_all(enrol(campaign, EXPERT, "cem"))
    judge_with_words(enter(campaign, EXPERT, f"expert {ID}"))
    return campaign


def zoes(campaign: Campaign) -> list[Worker]:
    return list(Worker.objects.filter(campaign=campaign, external_id__contains=ID).order_by("number"))


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def erase_address(worker: Worker) -> str:
    return f"/campaigns/{worker.campaign.slug}/people/{worker.number}/erase/"


def erase_by_page(worker: Worker) -> None:
    page = staff_of(worker.campaign).post(erase_address(worker), SETTLED, follow=True)
    assert "The participant’s data has been erased." in readable(page)


def erase_by_number(worker: Worker) -> None:
    call_command("erase_worker", worker.campaign.slug, "--number", str(worker.number))


def erase_by_id(worker: Worker) -> None:
    call_command("erase_worker", worker.campaign.slug, "--id", worker.external_id)


def database() -> Rows:
    """Every row of every table, but those that say who is signed in."""
    others = [model for model in apps.get_models() if model._meta.app_label not in {"sessions", "auth"}]
    tables = [model for model in others if model is not AccountSession]
    return {table._meta.label: list(table._base_manager.order_by("pk").values()) for table in tables}


def found_in(*words: str) -> set[str]:
    """The tables and columns that hold one of the words."""
    return {
        f"{table}.{column}"
        for table, rows in database().items()
        for row in rows
        for column, value in row.items()
        if any(word in _as_text(value) for word in words)
    }


def _as_text(value: object) -> str:
    return bytes(value).decode(errors="replace") if isinstance(value, bytes | memoryview) else str(value)


@either_way
@pytest.mark.parametrize("erase", [erase_by_page, erase_by_number, erase_by_id])
def test_no_table_tells_who_it_was_nor_how_they_wrote(capsys: Any, erase: Any, texts_go: bool) -> None:
    campaign = busy_campaign(texts_go_on_erasure=texts_go)
    words = (ID, STUDY, SESSION, SAID, TYPED, str(COUNTED["away_ms"]))
    for remark in Remark.objects.all():
        remark_answer(remark=remark, note=f"Wrote to her: {SAID}", user=None)
    assert all(found_in(word) for word in words)
    VisitRules.objects.bulk_create([VisitRules(worker=worker, met=[]) for worker in zoes(campaign)])
    written = Compression.objects.filter(worker__in=zoes(campaign))
    TextFeatures.objects.bulk_create([TextFeatures(compression=each, values={"tail": 2.0}) for each in written])

    for worker in zoes(campaign):
        erase(worker)

    assert found_in(*words) == set()
    assert not Draft.objects.filter(assignment__worker__erased_at__isnull=False).exists()
    assert not VisitRules.objects.exists()
    assert not TextFeatures.objects.exists()
    assert not Remark.objects.exclude(text="", answer_note="").exists()
    assert not Compression.objects.filter(worker__erased_at__isnull=False).exclude(edit_log=[]).exists()


def test_what_others_wrote_and_said_stays(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = busy_campaign()
    others = Compression.objects.exclude(worker__in=zoes(campaign)).order_by("pk")
    assert (before := list(others.values()))

    for worker in zoes(campaign):
        erase_by_number(worker)

    assert list(others.values()) == before
    still_known = Worker.objects.filter(erased_at=None).values_list("external_id", flat=True)
    assert set(still_known) == {"ann", "ben", "cem", "editor-1"}


def test_what_staff_noted_about_the_person_goes() -> None:
    campaign = make_campaign(sources=1)
    worker = enter(campaign, EDIT).worker
    note = f"Wrote to us as {ID}."
    person_exclude(worker=worker, work_round=EDIT, note=note, user=None)
    person_readmit(worker=worker, work_round=EDIT, user=None)
    person_include(worker=worker, work_round=EDIT, note=note, user=None)

    erase_by_page(worker)

    assert found_in(ID) == set()


def test_looking_at_the_page_changes_nothing() -> None:
    campaign = busy_campaign()
    worker, before = zoes(campaign)[0], database()

    page = staff_of(campaign).get(erase_address(worker))

    assert "This cannot be undone." in readable(page)
    assert database() == before


def test_the_page_asks_whether_they_have_been_paid() -> None:
    campaign = busy_campaign(editor_pay="3.50", editor_pay_unit="text", currency="EUR")
    worker = zoes(campaign)[0]
    visit = next(visitors_of_round(campaign, EDIT, only=[worker.pk])).current

    page = readable(staff_of(campaign).get(erase_address(worker)))
    refused = staff_of(campaign).post(erase_address(worker))

    assert f"{visit.work.submitted} texts" in page
    assert money(visit.work.submitted * Decimal("3.50"), "EUR") in page
    assert (refused.status_code, "Look at what they are owed" in readable(refused)) == (422, True)
    assert zoes(campaign)[0].external_id == ID
    erase_by_page(worker)


def test_only_staff_of_the_campaign_erase() -> None:
    worker = enter(make_campaign(sources=1), EDIT).worker
    worker_s_own = worker_client(worker.campaign, EDIT, ID)

    for client, status in ((staff_client(make_staff()), 404), (Client(), 302), (worker_s_own, 302)):
        assert client.get(erase_address(worker)).status_code == status
        assert client.post(erase_address(worker)).status_code == status
    assert staff_of(worker.campaign).post(f"/campaigns/{worker.campaign.slug}/people/77/erase/").status_code == 404
    assert Worker.objects.get().external_id == ID


@either_way
def test_erased_again_nothing_changes(texts_go: bool) -> None:
    campaign = busy_campaign(texts_go_on_erasure=texts_go)
    worker = zoes(campaign)[0]
    erase_by_page(worker)
    before = database()

    erase_by_page(worker)

    assert database() == before


def test_the_page_says_that_it_is_done_and_offers_no_button() -> None:
    worker = enter(make_campaign(sources=1), EDIT).worker
    erase_by_page(worker)

    page = readable(staff_of(worker.campaign).get(erase_address(worker)))
    assert ">Erase</button>" not in page
    assert "Erased 20" in page


def test_an_open_page_of_the_person_ends() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1)
    client = worker_client(campaign, EDIT, ID)
    task = Assignment.objects.get()
    before = Item.objects.get(pk=task.item_id)

    erase_by_page(task.worker)

    for reply in (
        client.get("/work/"),
        client.post(f"/work/edit/{task.pk}/", {"text": "x"}),
        client.post("/work/next/"),
    ):
        assert reply.status_code == 403
    assert Item.objects.get(pk=task.item_id).open_slots == before.open_slots + 1 == 1
    assert {assignment_claim(enrolment=enrol(campaign, EDIT)) is not None for _ in range(2)} == {True}


def test_who_comes_again_under_the_same_id_is_somebody_new() -> None:
    campaign = make_campaign(sources=2, editors_per_source=9)
    numbers = []
    for _ in range(3):
        client = worker_client(campaign, EDIT, ID)
        assert client.get("/work/").headers["Location"].startswith("/work/edit/")
        worker = Worker.objects.get(external_id=ID)
        numbers.append(worker.number)
        erase_by_page(worker)

    assert numbers == [1, 2, 3]
    assert Worker.objects.filter(external_id="").exclude(erased_at=None).count() == 3


def test_who_came_without_an_id_is_somebody_new_in_the_same_browser() -> None:
    campaign = make_campaign(sources=2)
    address, client = f"/join/{link_of(campaign, EDIT).token}/", Client()
    client.post(address)
    erase_by_page(Worker.objects.get())

    assert client.get(address).status_code == 200
    client.post(address)
    client.post("/work/guidelines/")

    assert client.get("/work/").headers["Location"].startswith("/work/edit/")
    assert list(Worker.objects.order_by("pk").values_list("number", flat=True)) == [1, 2]


@either_way
def test_the_work_of_staff_goes_on(texts_go: bool) -> None:
    campaign = busy_campaign(texts_go_on_erasure=texts_go)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, min_items=1))
    people = zoes(campaign)
    for worker in people:
        erase_by_page(worker)

    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.2, min_items=1))
    assert freeze(campaign).summary["sources"]
    client, base = staff_of(campaign), f"/campaigns/{campaign.slug}/"
    pages = [
        "",
        "participants/rate/",
        "participants.csv",
        "sources/",
        "flagged/",
        "flagged.csv",
        "remarks/",
        "remarks.csv",
        "quality/",
    ]
    pages += ["quality/decisions.csv", "experts/", "releases/", "releases/1/", "releases/1/overview/", "settings/"]
    pages += [f"people/{worker.number}/" for worker in people]
    pages += [f"sources/{source}/" for source in campaign.sources.values_list("source_id", flat=True)]
    pages += [f"compressions/{each.pk}/" for each in Compression.objects.all()]
    for page in pages:
        reply: Any = client.get(f"{base}{page}")
        text = b"".join(reply.streaming_content).decode() if reply.streaming else readable(reply)
        assert reply.status_code == 200, page
        assert not any(word in text for word in (ID, STUDY, SESSION, SAID, TYPED)), page


def test_the_browser_of_the_person_is_forgotten_and_holds_nothing() -> None:
    campaign = make_campaign(sources=2)
    client = worker_client(campaign, EDIT, "ann")
    link = link_of(campaign, EDIT)
    other = Client()
    other.get(f"{link.get_absolute_url()}?participant=ann")
    other.post(link.get_absolute_url())
    assert BrowserRequest.objects.count() == 1
    worker_erase(worker=Worker.objects.get(external_id="ann"))
    assert not BrowserRequest.objects.exists()
    assert set(Enrolment.objects.values_list("browser_hash", flat=True)) == {""}
    assert client.get("/work/").status_code == 403
