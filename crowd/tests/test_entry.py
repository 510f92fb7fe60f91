"""The way of a worker through the pages: link, consent, work, code."""

import base64
import json
from http.cookies import Morsel
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from pytest_django.fixtures import Settings

from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Worker
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_qualify
from crowd.sessions import ARRIVAL_COOKIE, WORKER_COOKIE
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_next,
    enrol,
    import_texts,
    link_of,
    make_campaign,
    open_link,
    submission_of,
    worker_client,
)

pytestmark = pytest.mark.django_db

PLATFORM_ID = "5f1c0ffee5f1c0ffee5f1c0f"
ARRIVING = f"?PROLIFIC_PID={PLATFORM_ID}&STUDY_ID=study-1&SESSION_ID=visit-1"


def prolific(campaign: Campaign, work_round: str = EDIT) -> JoinLink:
    return open_link(campaign=campaign, work_round=work_round, platform_key="prolific")


def address_of(link: JoinLink) -> str:
    return f"/join/{link.token}/"


def consent(client: Client, link: JoinLink, query: str = "") -> Any:
    """Come by a link and agree; the answer to that."""
    if query:
        client.get(address_of(link) + query)
    return client.post(address_of(link))


def opened(client: Client, path: str) -> str:
    """The text of the page that one ends at."""
    response = client.get(path, follow=True)
    assert response.status_code == 200
    return str(response.content.decode())


def cookie(client: Client, name: str) -> "Morsel[str]":
    return client.cookies[name]


# Ids of platforms


def test_platform_ids_leave_the_address_at_once(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    response = client.get(address_of(link) + ARRIVING)
    assert (response.status_code, response["Location"]) == (302, address_of(link))


def test_platform_ids_are_bound_to_the_worker_who_consents(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    consent(client, link, ARRIVING)
    enrolment = Enrolment.objects.select_related("worker").get()
    worker = enrolment.worker
    assert (worker.platform_key, worker.external_id) == ("prolific", PLATFORM_ID)
    assert (enrolment.study_id, enrolment.session_id) == ("study-1", "visit-1")


def test_the_ids_of_the_first_visit_stay() -> None:
    link = prolific(make_campaign(sources=1))
    client = Client()
    for visit in ("visit-1", "visit-2"):
        consent(client, link, f"?PROLIFIC_PID={PLATFORM_ID}&STUDY_ID=study-1&SESSION_ID={visit}")
    assert Enrolment.objects.get().session_id == "visit-1"


def test_the_same_id_meets_the_same_worker_and_task_when_it_comes_again(client: Client) -> None:
    link = prolific(make_campaign(sources=5))
    tasks = set()
    for browser in (client, client):
        consent(browser, link, ARRIVING)
        browser.post("/work/guidelines/")
        tasks.add(browser.get("/work/", follow=True).redirect_chain[-1][0])
    assert len(tasks) == 1
    assert Worker.objects.count() == Assignment.objects.count() == 1


def test_the_same_id_in_another_campaign_is_another_worker() -> None:
    browser = Client()
    for _ in range(2):
        consent(browser, prolific(make_campaign(sources=1)), ARRIVING)
    assert Worker.objects.count() == 2


@pytest.mark.parametrize("query", ["", "?STUDY_ID=study-1", "?PROLIFIC_PID=", "?PROLIFIC_PID=%20"])
def test_who_comes_from_a_platform_without_id_is_told_and_cannot_enter(client: Client, query: str) -> None:
    link = prolific(make_campaign(sources=1))
    assert "We can’t see your Prolific ID" in opened(client, address_of(link) + query)
    assert client.post(address_of(link)).status_code == 409
    assert not Worker.objects.exists()


def test_an_id_that_no_database_can_hold_is_made_fit_for_one(client: Client) -> None:
    link = link_of(make_campaign(sources=1), EDIT)
    assert consent(client, link, f"?participant=a%00b{'c' * 500}&STUDY_ID=%00").status_code == 302
    assert Worker.objects.get().external_id == "ab" + "c" * 198


def test_an_unknown_link_does_not_exist(client: Client) -> None:
    link = link_of(make_campaign(sources=1), EDIT)
    for token in ("unknown", link.token.swapcase(), link.token[:-1], "%00"):
        assert client.get(f"/join/{token}/").status_code == 404
        assert client.post(f"/join/{token}/").status_code == 404


# Consent


def test_nothing_is_stored_before_consent(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    page = opened(client, address_of(link) + ARRIVING)
    assert "Do you agree?" in page
    assert not Worker.objects.exists()
    assert WORKER_COOKIE not in client.cookies


def test_another_person_in_the_same_browser_is_asked_for_their_own_consent(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    consent(client, link, ARRIVING)
    page = opened(client, address_of(link) + "?PROLIFIC_PID=beadbeadbeadbeadbeadbead")
    assert "I agree" in page
    assert "Welcome back" not in page


def test_another_person_in_the_same_browser_is_another_worker(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    consent(client, link, ARRIVING)
    consent(client, link, "?PROLIFIC_PID=beadbeadbeadbeadbeadbead")
    assert Worker.objects.count() == 2


def test_who_consented_before_is_welcomed_back(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    consent(client, link, ARRIVING)
    assert "Welcome back" in opened(client, address_of(link) + ARRIVING)


def test_tasks_wait_for_the_guidelines(client: Client) -> None:
    consent(client, link_of(make_campaign(sources=1), EDIT))
    assert client.post("/work/next/")["Location"] == "/work/guidelines/"
    assert not Assignment.objects.exists()


def test_a_closed_campaign_takes_nobody_new(client: Client) -> None:
    campaign = make_campaign(sources=1)
    campaign_update(campaign=campaign, state="closed")
    assert consent(client, link_of(campaign, EDIT)).status_code == 409
    assert not Worker.objects.exists()


def test_who_had_begun_may_come_back_to_a_closed_campaign() -> None:
    campaign = make_campaign(sources=1)
    link = prolific(campaign)
    client = Client()
    consent(client, link, ARRIVING)
    campaign_update(campaign=campaign, state="closed")
    assert "Welcome back" in opened(client, address_of(link) + ARRIVING)
    assert client.post(address_of(link))["Location"] == "/work/"


# Cookies


def payload(morsel: "Morsel[str]") -> bytes:
    """What a signed cookie says to anyone who looks into it."""
    content = morsel.value.split(":")[0].lstrip(".")
    return base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))


def test_the_session_cookie_is_for_the_server_alone(client: Client, settings: Settings) -> None:
    settings.PUBLIC = True
    consent(client, link_of(make_campaign(sources=1), EDIT))
    session = cookie(client, WORKER_COOKIE)
    assert (session["httponly"], session["secure"], session["samesite"]) == (True, True, "Lax")


def test_the_session_cookie_carries_no_platform_id(client: Client) -> None:
    consent(client, prolific(make_campaign(sources=1)), ARRIVING)
    session = cookie(client, WORKER_COOKIE)
    assert b"enrolment" in payload(session)
    assert PLATFORM_ID.encode() not in payload(session)
    assert PLATFORM_ID not in session.value


def test_every_entry_makes_a_new_session(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    values = set()
    for _ in range(2):
        consent(client, link, ARRIVING)
        values.add(cookie(client, WORKER_COOKIE).value)
    assert len(values) == 2


def test_a_tampered_session_is_none(client: Client) -> None:
    consent(client, link_of(make_campaign(sources=1), EDIT))
    genuine = cookie(client, WORKER_COOKIE).value
    content, *signature = genuine.split(":")
    for forged in (genuine[:-1] + ("a" if genuine[-1] != "a" else "b"), ":".join([content + "A", *signature]), content):
        client.cookies[WORKER_COOKIE] = forged
        assert client.get("/work/").status_code == 403


def test_a_cookie_signed_for_something_else_is_no_session(client: Client) -> None:
    enrolment = enrol(make_campaign(sources=1), EDIT)
    client.cookies[WORKER_COOKIE] = signing.dumps({"enrolment": enrolment.pk}, salt="something else")
    assert client.get("/work/").status_code == 403


def test_a_session_of_nobody_is_told_how_to_go_on(client: Client) -> None:
    response = client.get("/work/")
    assert response.status_code == 403
    assert "Open the study’s link again" in response.content.decode()


def test_a_session_of_an_enrolment_that_is_gone_has_ended(client: Client) -> None:
    consent(client, link_of(make_campaign(sources=1), EDIT))
    Enrolment.objects.all().delete()
    assert client.get("/work/").status_code == 403


def test_the_arrival_cookie_goes_to_its_own_link_only(client: Client) -> None:
    campaign = make_campaign(sources=1)
    link, other = prolific(campaign), prolific(campaign)
    client.get(address_of(link) + ARRIVING)
    arrival = cookie(client, ARRIVAL_COOKIE)
    assert (arrival["path"], arrival["httponly"]) == (address_of(link), True)
    assert "We can’t see your Prolific ID" in opened(client, address_of(other))


def test_the_arrival_cookie_goes_with_consent(client: Client) -> None:
    consent(client, prolific(make_campaign(sources=1)), ARRIVING)
    assert cookie(client, ARRIVAL_COOKIE).value == ""


# One browser, two rounds


def test_a_direct_link_makes_a_worker_without_id(client: Client) -> None:
    consent(client, link_of(make_campaign(sources=1), EDIT))
    assert Worker.objects.get().external_id == ""


def test_the_same_browser_is_the_same_worker_in_the_second_round(client: Client) -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    people = Worker.objects.count()
    consent(client, link_of(campaign, EDIT))
    consent(client, link_of(campaign, RATE))
    assert Worker.objects.count() == people + 1
    assert Enrolment.objects.filter(worker=Worker.objects.latest("pk")).count() == 2


def test_the_same_browser_is_another_worker_in_another_campaign(client: Client) -> None:
    for _ in range(2):
        consent(client, link_of(make_campaign(sources=1), EDIT))
    assert Worker.objects.count() == 2


def test_opening_a_link_again_goes_on_with_the_same_task(client: Client) -> None:
    link = link_of(make_campaign(sources=5), EDIT)
    consent(client, link)
    client.post("/work/guidelines/")
    before = client.get("/work/")["Location"]
    assert consent(client, link)["Location"] == "/work/"
    assert client.get("/work/")["Location"] == before


# The end, and its codes


def test_no_work_left_is_told_before_consent_with_its_own_code(client: Client) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    assignment_claim(enrolment=enrol(campaign, EDIT))
    link = link_of(campaign, EDIT)
    page = opened(client, address_of(link))
    assert link.code_no_work in page
    assert link.code_done not in page
    assert "Do you agree?" not in page


def test_no_work_left_leads_back_to_the_platform(client: Client) -> None:
    link = prolific(make_campaign())
    page = opened(client, address_of(link) + ARRIVING)
    assert f"https://app.prolific.com/submissions/complete?cc={link.code_no_work}" in page


def test_who_holds_the_last_task_is_not_told_that_no_work_is_left() -> None:
    link = prolific(make_campaign(sources=1, editors_per_source=1))
    client = Client()
    consent(client, link, ARRIVING)
    client.post("/work/guidelines/")
    assert "Welcome back" in opened(client, address_of(link) + ARRIVING)


def test_the_place_of_somebody_who_vanished_is_work(client: Client, clock: Clock) -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    assignment_claim(enrolment=enrol(campaign, EDIT))
    clock.advance(minutes=60)
    assert "I agree" in opened(client, address_of(link_of(campaign, EDIT)))


def submit(client: Client) -> Any:
    """Submit the task at hand, by the page."""
    task = client.get("/work/")["Location"]
    assignment = Assignment.objects.select_related("item__source").get(pk=int(task.rstrip("/").rsplit("/", 1)[1]))
    sent = submission_of(assignment.item.source)
    return client.post(task, {"text": sent.text, "log": json.dumps(sent.raw_log), "started_from": "source"})


def test_the_code_stands_on_the_last_page_only() -> None:
    campaign = make_campaign(sources=2)
    link = link_of(campaign, EDIT)
    client = worker_client(campaign, EDIT)
    seen = [opened(client, path) for path in (address_of(link), "/work/guidelines/", "/work/", "/work/done/")]
    submit(client)
    seen.append(opened(client, "/work/"))
    assert not [page for page in seen if link.code_done in page]
    assert submit(client)["Location"] == "/work/done/"
    assert link.code_done in opened(client, "/work/done/")
    assert Assignment.objects.filter(state=Assignment.State.SUBMITTED).count() == 2


def test_who_stops_early_gets_no_code_but_can_go_on_to_it() -> None:
    campaign = make_campaign(sources=2)
    client = worker_client(campaign, EDIT)
    submit(client)
    assert client.post("/work/leave/")["Location"] == "/work/done/"
    page = opened(client, "/work/done/")
    link = link_of(campaign, EDIT)
    assert "1 of 10 texts" in page
    assert not [code for code in (link.code_done, link.code_failed, link.code_no_work) if code in page]
    client.post("/work/next/")
    submit(client)
    assert link.code_done in opened(client, "/work/done/")


def test_who_stops_gives_the_task_to_others() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    client = worker_client(campaign, EDIT)
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None
    client.post("/work/leave/")
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is not None


def test_who_failed_the_qualification_gets_its_code_and_no_other() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    client = Client()
    link = link_of(campaign, RATE)
    consent(client, link)
    enrolment_qualify(enrolment=Enrolment.objects.get(round=RATE), passed=False)
    for path in ("/work/leave/", "/work/next/", "/work/guidelines/"):
        client.post(path)
    page = opened(client, "/work/")
    assert link.code_failed in page
    assert link.code_done not in page


def test_the_last_page_leads_back_to_the_platform(client: Client) -> None:
    link = prolific(make_campaign(sources=1))
    consent(client, link, ARRIVING)
    client.post("/work/guidelines/")
    submit(client)
    assert f"https://app.prolific.com/submissions/complete?cc={link.code_done}" in opened(client, "/work/done/")


def test_nobody_is_sent_looking_for_work_that_is_not_theirs() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    client = worker_client(campaign, EDIT)
    assert submit(client)["Location"] == "/work/done/"
    assert "Look for more" not in opened(client, "/work/done/")
    import_texts(campaign, [SENTENCE.format(number=1), SENTENCE.format(number=2)])
    assert "Look for more" in opened(client, "/work/done/")


def test_a_text_sent_after_the_cookie_is_gone_is_shown_once_more() -> None:
    client = worker_client(make_campaign(sources=1), EDIT)
    task = client.get("/work/")["Location"]
    del client.cookies[WORKER_COOKIE]
    answer = client.post(task, {"text": "Half an hour's <work>."})
    assert answer.status_code == 403
    assert "Half an hour&#x27;s &lt;work&gt;." in answer.content.decode()
