"""Who may show our pages in a frame: nobody, or the platforms of a list the pages of participants."""

from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django.fixtures import Settings

from crowd.access import Access
from tests.support.addresses import TABLE, address_of
from tests.support.factories import EDIT, editor_at_work, link_of, make_campaign, make_staff
from tests.support.page_tokens import resume_token
from tests.support.world import ROLES, STAFF, WORKER, World

pytestmark = pytest.mark.django_db

PLATFORMS = ["https://app.prolific.com", "https://worker.mturk.com:8443"]
FRAMED = {"crowd:join", "crowd:session"} | {name for name, row in TABLE.items() if row.access == Access.WORKER}


def ancestors(response: Any) -> str:
    policy: str = response.headers["Content-Security-Policy"]
    (found,) = [part.strip() for part in policy.split(";") if part.strip().startswith("frame-ancestors ")]
    return found.removeprefix("frame-ancestors ")


def assert_in_no_frame(response: Any) -> None:
    assert ancestors(response) == "'none'", response.request["PATH_INFO"]
    assert response.headers["X-Frame-Options"] == "DENY"


def assert_in_frames_of_platforms(response: Any) -> None:
    assert ancestors(response) == " ".join(PLATFORMS), response.request["PATH_INFO"]
    assert "X-Frame-Options" not in response.headers


@pytest.fixture
def platforms(settings: Settings) -> None:
    settings.FRAME_ANCESTORS = PLATFORMS


@pytest.mark.usefixtures("platforms")
def test_platforms_frame_the_pages_of_participants_and_no_others() -> None:
    world = World()
    assert {"compressions:task", "ratings:task", "ratings:practice", "crowd:work", "crowd:done"} <= FRAMED
    for role in ROLES:
        for name, row in TABLE.items():
            response: Any = world.client(role, row.work_round).get(address_of(name, world))
            b"".join(response)
            (assert_in_frames_of_platforms if name in FRAMED else assert_in_no_frame)(response)


def test_without_a_list_no_page_is_framed_and_cookies_stay_on_the_site() -> None:
    world = World()
    assert django_settings.FRAME_ANCESTORS == []
    for name in FRAMED:
        response = world.client(WORKER, TABLE[name].work_round).get(address_of(name, world))
        assert_in_no_frame(response)
        assert all(
            cookie["samesite"] == "Lax" and "Partitioned" not in str(cookie) for cookie in response.cookies.values()
        )


@pytest.mark.usefixtures("platforms")
def test_pages_of_nothing_are_in_no_frame() -> None:
    assert_in_no_frame(Client().get("/no/such/page/"))
    assert_in_no_frame(Client().get("/"))


@pytest.mark.usefixtures("platforms")
def test_a_refusal_of_a_form_can_be_read_in_the_frame() -> None:
    campaign = make_campaign(sources=1)
    address = f"/join/{link_of(campaign, EDIT).token}/"
    response = Client(enforce_csrf_checks=True).post(address)
    assert response.status_code == 403
    assert_in_frames_of_platforms(response)


def cookies_on_the_way(campaign: Any) -> SimpleCookie:
    """The cookies of somebody who comes by a platform, consents and opens a task."""
    link, client, found = link_of(campaign, EDIT), Client(), SimpleCookie()
    for response in (
        client.get(f"/join/{link.token}/?PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f"),
        client.get(f"/join/{link.token}/"),
        client.post(f"/join/{link.token}/"),
        client.get("/work/guidelines/"),
    ):
        found.update({name: cookie for name, cookie in response.cookies.items() if cookie.value})
    return found


@pytest.mark.usefixtures("platforms")
def test_cookies_of_participants_come_along_into_the_frame() -> None:
    cookies = cookies_on_the_way(make_campaign(sources=1))
    assert {"precis_worker", "precis_arrival", "csrftoken"} <= cookies.keys()
    for name, cookie in cookies.items():
        sent = cookie.OutputString().split("; ")
        assert {"SameSite=None", "Secure", "Partitioned", "HttpOnly"} <= set(sent), name
        assert sent.count("Partitioned") == 1
        assert [part for part in sent if part.startswith("Path=/")]


@pytest.mark.usefixtures("platforms")
def test_cookies_of_staff_stay_on_the_site() -> None:
    make_staff("owner")
    client = Client()
    client.get("/login/")
    client.post("/login/", {"username": "owner", "password": "correct horse battery"})
    assert {"sessionid", "csrftoken"} <= client.cookies.keys()
    assert {cookie["samesite"] for cookie in client.cookies.values()} <= {"Lax", "Strict"}


@pytest.mark.usefixtures("platforms")
def test_staff_who_open_a_page_of_participants_keep_their_session_on_the_site(settings: Settings) -> None:
    settings.SESSION_SAVE_EVERY_REQUEST = True
    world = World()
    response = world.accounts[STAFF].get(f"/join/{world.token}/?PROLIFIC_PID=5f1c0ffee5f1c0ffee5f1c0f")
    assert response.cookies["sessionid"]["samesite"] == "Lax"
    assert response.cookies["precis_arrival"]["samesite"] == "None"


@pytest.mark.usefixtures("platforms")
def test_a_lost_session_comes_back_in_the_frame() -> None:
    client, task = editor_at_work(make_campaign(sources=1))
    token = resume_token(client.get(f"/work/edit/{task.pk}/"))
    fresh = Client()
    response = fresh.post("/work/session/", {"token": token})
    assert response.cookies["precis_worker"]["samesite"] == "None"
    assert fresh.get(f"/work/edit/{task.pk}/").status_code == 200
