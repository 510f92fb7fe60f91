"""An id is not a password: who may continue somebody's work, in which browser."""

import re
from typing import Any

import pytest
from django.test import Client

from crowd.models import Assignment, BrowserRequest, Campaign, Enrolment, JoinLink, Worker
from crowd.services.browsers import MAX_OPEN_REQUESTS
from crowd.sessions import BROWSER_COOKIE, WORKER_COOKIE
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    staff_client,
)

pytestmark = pytest.mark.django_db
PLATFORM_ID = "5f1c0ffee5f1c0ffee5f1c0f"
ARRIVING = f"?PROLIFIC_PID={PLATFORM_ID}&STUDY_ID=study-1&SESSION_ID=visit-1"
OTHER_BROWSER = "Please continue in the browser you started with"


def prolific(campaign: Campaign, work_round: str = EDIT) -> JoinLink:
    return open_link(campaign=campaign, work_round=work_round, platform_key="prolific")


def consent(client: Client, link: JoinLink, query: str = ARRIVING) -> Any:
    client.get(link.get_absolute_url() + query)
    return client.post(link.get_absolute_url())


def page_at(client: Client, path: str) -> str:
    return str(client.get(path, follow=True).content.decode())


def arriving(client: Client, link: JoinLink, query: str = ARRIVING) -> str:
    """The page that somebody sees before consent, without what differs each time."""
    page = page_at(client, link.get_absolute_url() + query)
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def begun(link: JoinLink) -> Client:
    """A browser in which somebody has begun."""
    client = Client()
    assert consent(client, link).headers["Location"] == "/work/"
    client.post("/work/guidelines/")
    return client


# The first browser holds the visit


def test_an_id_from_another_browser_gets_neither_task_nor_code() -> None:
    link = prolific(make_campaign(sources=1))
    first, other = begun(link), Client()
    refused = consent(other, link)
    assert refused.status_code == 409
    assert OTHER_BROWSER in refused.content.decode()
    assert link.code_done not in refused.content.decode()
    assert WORKER_COOKIE not in other.cookies
    assert other.get("/work/").status_code == other.get("/work/done/").status_code == 403
    assert first.get("/work/", follow=True).status_code == 200
    assert Worker.objects.count() == Enrolment.objects.count() == Assignment.objects.count() == 1


def test_before_consent_nobody_learns_whether_an_id_takes_part() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    unknown = ARRIVING.replace(PLATFORM_ID, "beadbeadbeadbeadbeadbead")
    assert arriving(Client(), link) == arriving(Client(), link, unknown)


def test_nor_where_nothing_is_left_to_do() -> None:
    link = prolific(make_campaign(sources=1, editors_per_source=1))
    begun(link)
    unknown = ARRIVING.replace(PLATFORM_ID, "beadbeadbeadbeadbeadbead")
    assert arriving(Client(), link) == arriving(Client(), link, unknown)


def test_the_browser_that_holds_the_visit_is_welcomed_back() -> None:
    link = prolific(make_campaign(sources=5))
    client = begun(link)
    del client.cookies[WORKER_COOKIE]  # it lasts for two weeks, the other one longer
    assert "Welcome back" in arriving(client, link)
    assert client.post(link.get_absolute_url()).headers["Location"] == "/work/"
    assert client.get("/work/", follow=True).status_code == 200


def test_a_session_is_enough_to_go_on_and_gives_the_cookie_back() -> None:
    link = prolific(make_campaign(sources=5))
    client = begun(link)
    del client.cookies[BROWSER_COOKIE]
    assert "Welcome back" in arriving(client, link)
    assert consent(client, link).headers["Location"] == "/work/"
    del client.cookies[WORKER_COOKIE]
    assert consent(client, link).headers["Location"] == "/work/"


def test_the_same_browser_holds_the_visits_of_both_rounds() -> None:
    campaign = make_campaign(sources=2)
    edit_next(enrol(campaign, EDIT))
    editing, rating = prolific(campaign), prolific(campaign, RATE)
    client = begun(editing)
    assert consent(client, rating).headers["Location"] == "/work/"
    assert [consent(Client(), each).status_code for each in (editing, rating)] == [409, 409]


def test_the_cookie_is_kept_from_scripts_and_stored_as_a_hash(settings: Any) -> None:
    settings.PUBLIC = True
    client = begun(prolific(make_campaign(sources=1)))
    cookie = client.cookies[BROWSER_COOKIE]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (True, True, "Lax", "/")
    assert cookie["max-age"] >= 300 * 24 * 3600
    stored = Enrolment.objects.get().browser_hash
    assert len(stored) == 64
    assert cookie.value not in stored


def test_nothing_lasting_is_set_before_consent() -> None:
    client = Client()
    arriving(client, prolific(make_campaign(sources=1)))
    assert BROWSER_COOKIE not in client.cookies
    assert not Worker.objects.exists()
    assert not BrowserRequest.objects.exists()


def test_the_same_browser_has_another_hash_in_another_campaign() -> None:
    client = Client()
    for _ in range(2):
        consent(client, prolific(make_campaign(sources=1)))
    assert Enrolment.objects.values("browser_hash").distinct().count() == 2


@pytest.mark.parametrize("cookie", ["", "guess", "A" * 22, "A" * 5000, "'; --", "\x7f"])
def test_a_cookie_of_ones_own_making_holds_nothing(cookie: str) -> None:
    link = prolific(make_campaign(sources=1))
    begun(link)
    client = Client()
    client.cookies[BROWSER_COOKIE] = cookie
    assert consent(client, link).status_code == 409


def test_who_began_before_browsers_were_stored_goes_on_in_the_first_that_comes() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    Enrolment.objects.update(browser_hash="")
    first, second = Client(), Client()
    assert consent(first, link).headers["Location"] == "/work/"
    assert consent(second, link).status_code == 409


def test_without_an_id_no_browser_holds_a_visit() -> None:
    link = link_of(make_campaign(sources=2), EDIT)
    for number, client in enumerate((Client(), Client()), start=1):
        assert client.post(link.get_absolute_url()).headers["Location"] == "/work/"
        assert BROWSER_COOKIE in client.cookies
        assert Worker.objects.count() == number
    assert set(Enrolment.objects.values_list("browser_hash", flat=True)) == {""}


# Staff let another browser in


def asked_by(link: JoinLink) -> tuple[Client, BrowserRequest, str]:
    """A browser that has asked, its request, and the page it saw."""
    client = Client()
    page = consent(client, link).content.decode()
    return client, BrowserRequest.objects.latest("pk"), page


def decide(link: JoinLink, request: BrowserRequest, allowed: str) -> Any:
    staff = staff_client(link.campaign.staff.get())
    return staff.post(f"/campaigns/{link.campaign.slug}/browsers/{request.pk}/", {"allowed": allowed})


def test_staff_see_who_asks_and_with_which_code_and_not_the_id() -> None:
    campaign = make_campaign(sources=2)
    link = prolific(campaign)
    begun(link)
    _, request, told = asked_by(link)
    staff = staff_client(campaign.staff.get())
    page = page_at(staff, f"/campaigns/{campaign.slug}/links/")
    assert request.code in told
    assert request.code in page
    assert "Let this browser continue" in page
    assert PLATFORM_ID not in page
    assert "1 request to continue in another browser" in page_at(staff, f"/campaigns/{campaign.slug}/")


def test_a_browser_that_is_let_in_goes_on_where_the_first_one_was() -> None:
    link = prolific(make_campaign(sources=5))
    first = begun(link)
    task = first.get("/work/").headers["Location"]
    other, request, _ = asked_by(link)
    assert decide(link, request, "1").status_code == 302
    assert "Welcome back" in arriving(other, link)
    assert consent(other, link).headers["Location"] == "/work/"
    assert other.get("/work/").headers["Location"] == task
    assert first.get("/work/").status_code == 403  # it holds the visit no longer
    assert Worker.objects.count() == 1


def test_one_browser_is_let_in_and_no_other() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    _, request, _ = asked_by(link)
    decide(link, request, "1")
    assert consent(Client(), link).status_code == 409


def test_a_browser_that_is_refused_stays_out() -> None:
    link = prolific(make_campaign(sources=5))
    first = begun(link)
    other, request, _ = asked_by(link)
    decide(link, request, "0")
    again = consent(other, link)
    assert (again.status_code, request.code in again.content.decode()) == (409, False)
    assert BrowserRequest.objects.get().state == BrowserRequest.State.REFUSED
    assert first.get("/work/", follow=True).status_code == 200


def test_the_first_decision_counts() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    _, request, _ = asked_by(link)
    held = Enrolment.objects.get().browser_hash
    decide(link, request, "0")
    decide(link, request, "1")
    assert Enrolment.objects.get().browser_hash == held


def test_asking_often_is_one_request_and_requests_are_bounded() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    other, _, _ = asked_by(link)
    for _ in range(3):
        consent(other, link)
    assert BrowserRequest.objects.count() == 1
    for _ in range(10):
        assert consent(Client(), link).status_code == 409
    assert BrowserRequest.objects.count() == MAX_OPEN_REQUESTS


def test_staff_of_another_campaign_decide_nothing() -> None:
    link = prolific(make_campaign(sources=5))
    begun(link)
    _, request, _ = asked_by(link)
    stranger = make_campaign(owner=make_staff("stranger"))
    staff = staff_client(stranger.staff.get())
    for slug in (stranger.slug, link.campaign.slug):
        assert staff.post(f"/campaigns/{slug}/browsers/{request.pk}/", {"allowed": "1"}).status_code == 404
    assert BrowserRequest.objects.get().state == BrowserRequest.State.OPEN


# What is closed


@pytest.mark.parametrize("closed", ["link", "campaign"])
def test_what_is_closed_tells_nobody_whether_an_id_takes_part(closed: str) -> None:
    campaign = make_campaign(sources=1)
    link = prolific(campaign)
    begun(link)
    if closed == "link":
        JoinLink.objects.filter(pk=link.pk).update(is_active=False)
    else:
        Campaign.objects.filter(pk=campaign.pk).update(state="closed")

    known, unknown = (consent(Client(), link, query) for query in (ARRIVING, "?PROLIFIC_PID=beadbeadbeadbeadbeadbead"))

    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    assert known.cookies.keys() == unknown.cookies.keys()
    assert not BrowserRequest.objects.exists()
