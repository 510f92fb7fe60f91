"""Where a platform signs its ids, they are taken from valid tokens only."""

import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from django.test import Client

from common.clock import database_now
from common.errors import Refused
from crowd.models import BrowserRequest, Enrolment, JoinLink, Worker
from crowd.services.links import join_link_set_keys
from crowd.sessions import ARRIVAL_COOKIE
from tests.support.factories import EDIT, make_campaign, open_link, staff_client
from tests.support.signing import OTHER_KEY, SIGNING_KEY, encoded, key_set, signed_token

pytestmark = pytest.mark.django_db
IDS = {"PROLIFIC_PID": "5f1c0ffee5f1c0ffee5f1c0f", "STUDY_ID": "study-1", "SESSION_ID": "visit-1", "workspace_id": "w"}
WRONG = "The link was set up wrongly or is too old"


@pytest.fixture
def link() -> JoinLink:
    link = open_link(campaign=make_campaign(sources=5), work_round=EDIT, platform_key="prolific")
    join_link_set_keys(link=link, text=json.dumps(key_set(SIGNING_KEY)))
    return JoinLink.objects.select_related("campaign").get(pk=link.pk)


def claims(link: JoinLink, **changes: Any) -> dict[str, Any]:
    """What the platform says; a change to None leaves something out."""
    said = {
        "iss": "https://www.prolific.com",
        "aud": f"http://testserver{link.get_absolute_url()}",
        "exp": int((database_now() + timedelta(minutes=10)).timestamp()),
        "prolific": IDS,
        **changes,
    }
    return {name: value for name, value in said.items() if value is not None}


def arrive(client: Client, link: JoinLink, *, key: RSAPrivateKey = SIGNING_KEY, **changes: Any) -> Any:
    return bring(client, link, signed_token(claims(link, **changes), key))


def bring(client: Client, link: JoinLink, token: str) -> Any:
    return client.get(link.get_absolute_url(), {"prolific_token": token})


def enter(link: JoinLink, **changes: Any) -> Any:
    client = Client()
    arrive(client, link, **changes)
    return client.post(link.get_absolute_url())


def test_signed_ids_are_those_of_the_worker(link: JoinLink) -> None:
    assert enter(link).headers["Location"] == "/work/"
    enrolment = Enrolment.objects.select_related("worker").get()
    stored = (enrolment.worker.external_id, enrolment.study_id, enrolment.session_id)
    assert stored == ("5f1c0ffee5f1c0ffee5f1c0f", "study-1", "visit-1")


def test_signed_ids_go_on_in_every_browser_and_nobody_is_asked(link: JoinLink) -> None:
    enter(link)
    client = Client()
    arrive(client, link)
    assert "Welcome back" in client.get(link.get_absolute_url()).content.decode()
    assert client.post(link.get_absolute_url()).headers["Location"] == "/work/"
    assert client.get("/work/", follow=True).status_code == 200
    assert (Worker.objects.count(), BrowserRequest.objects.count()) == (1, 0)


def hours_ago(hours: float) -> int:
    return int((database_now() - timedelta(hours=hours)).timestamp())


@pytest.mark.parametrize(
    "changes",
    [
        {"key": OTHER_KEY},
        {"exp": None},
        {"exp": "soon"},
        {"exp": True},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "https://evil.example/"},
        {"aud": "http://testserver.evil.example"},
        {"aud": "http://testserver@evil.example"},
        {"aud": "http://testserver/join/another-link/"},
        {"aud": "http://[testserver"},
        {"aud": ["https://evil.example/", 5]},
        {"prolific": None},
        {"prolific": "5f1c0ffee5f1c0ffee5f1c0f"},
        {"prolific": {"STUDY_ID": "study-1"}},
        {"prolific": {"PROLIFIC_PID": ["5f1c0ffee5f1c0ffee5f1c0f"]}},
        {"prolific": {"PROLIFIC_PID": " "}},
    ],
)
def test_a_token_that_is_not_valid_is_refused_and_nothing_stored(link: JoinLink, changes: dict[str, Any]) -> None:
    client = Client()
    refused = arrive(client, link, **changes)
    assert (refused.status_code, WRONG in refused.content.decode()) == (400, True)
    assert ARRIVAL_COOKIE not in client.cookies
    assert client.post(link.get_absolute_url()).status_code == 409
    assert not Worker.objects.exists()


def test_a_token_that_is_too_old_is_refused(link: JoinLink) -> None:
    assert arrive(Client(), link, exp=hours_ago(1)).status_code == 400
    assert arrive(Client(), link, exp=hours_ago(-1)).status_code == 302


def test_clocks_may_differ_by_a_little(link: JoinLink) -> None:
    assert arrive(Client(), link, exp=hours_ago(30 / 3600)).status_code == 302
    assert arrive(Client(), link, exp=hours_ago(90 / 3600)).status_code == 400
    assert arrive(Client(), link, iat=hours_ago(-0.1)).status_code == 302


@pytest.mark.parametrize(
    "audience", [None, "testserver", "http://testserver", "http://TESTSERVER/", ["x", "testserver"]]
)
def test_an_audience_that_is_this_site_is_fine(link: JoinLink, audience: object) -> None:
    assert arrive(Client(), link, aud=audience).status_code == 302


def test_a_token_altered_anywhere_is_refused(link: JoinLink) -> None:
    token = signed_token(claims(link))
    assert bring(Client(), link, token).status_code == 302
    for place in range(0, len(token), 29):
        altered = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert bring(Client(), link, altered).status_code == 400


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none"},
        {"alg": "HS256"},
        {"alg": "RS512"},
        {"alg": "rs256"},
        {},
        {"alg": "RS256", "crit": ["b64"]},
        {"alg": ["RS256"]},
        {"alg": "RS256", "kid": 5},
    ],
)
def test_the_token_does_not_choose_how_it_is_checked(link: JoinLink, header: dict[str, Any]) -> None:
    assert bring(Client(), link, signed_token(claims(link), header=header)).status_code == 400


def test_a_token_without_signature_is_refused(link: JoinLink) -> None:
    header, said, _ = signed_token(claims(link)).split(".")
    none = encoded(json.dumps({"alg": "none"}).encode())
    for token in (f"{header}.{said}.", f"{none}.{said}.", f"{header}.{said}", "..", ".", "a.b.c", "é.é.é"):
        assert bring(Client(), link, token).status_code == 400


def test_a_token_that_is_very_long_is_refused(link: JoinLink) -> None:
    assert arrive(Client(), link, more="x" * 4_000).status_code == 302
    assert arrive(Client(), link, more="x" * 8_000).status_code == 400


def test_the_key_is_chosen_by_its_name(link: JoinLink) -> None:
    entries = [{**key_set(key)["keys"][0], "kid": name} for name, key in (("a", OTHER_KEY), ("b", SIGNING_KEY))]
    join_link_set_keys(link=link, text=json.dumps({"keys": entries}))
    for header, status in (({}, 302), ({"kid": "b"}, 302), ({"kid": "a"}, 400), ({"kid": "c"}, 400)):
        token = signed_token(claims(link), header={"alg": "RS256", **header})
        assert bring(Client(), link, token).status_code == status


@pytest.mark.parametrize(
    "query", [{"PROLIFIC_PID": "5f1c0ffee5f1c0ffee5f1c0f"}, {"prolific_token": ""}, {"prolific_token": "a.b.c"}]
)
def test_ids_that_are_not_signed_are_refused(link: JoinLink, query: dict[str, str]) -> None:
    refused = Client().get(link.get_absolute_url(), query)
    assert (refused.status_code, WRONG in refused.content.decode()) == (400, True)


def test_the_parameters_beside_a_token_say_nothing(link: JoinLink) -> None:
    client = Client()
    query = {"prolific_token": signed_token(claims(link)), "PROLIFIC_PID": "beadbeadbeadbeadbeadbead"}
    client.get(link.get_absolute_url(), query)
    client.post(link.get_absolute_url())
    assert Worker.objects.get().external_id == "5f1c0ffee5f1c0ffee5f1c0f"


def test_who_comes_without_any_id_is_told(link: JoinLink) -> None:
    assert "We can’t see your Prolific ID" in Client().get(link.get_absolute_url()).content.decode()
    assert Client().post(link.get_absolute_url()).status_code == 409


def test_ids_from_before_the_keys_were_set_do_not_count(link: JoinLink) -> None:
    join_link_set_keys(link=link, text="")
    client = Client()
    client.get(link.get_absolute_url(), {"PROLIFIC_PID": "5f1c0ffee5f1c0ffee5f1c0f"})
    join_link_set_keys(link=link, text=json.dumps(key_set(SIGNING_KEY)))
    assert client.post(link.get_absolute_url()).status_code == 409
    assert not Worker.objects.exists()


# Staff set the keys


def post_keys(link: JoinLink, text: str) -> Any:
    staff = staff_client(link.campaign.staff.get())
    return staff.post(f"/campaigns/{link.campaign.slug}/links/{link.pk}/keys/", {"keys": text})


def test_staff_set_and_remove_keys(link: JoinLink) -> None:
    for text in (json.dumps(key_set(OTHER_KEY)), ""):
        assert post_keys(link, text).status_code == 302
        link.refresh_from_db()
        assert link.signing_keys == text


def test_keys_that_cannot_be_used_come_back_with_the_reason(link: JoinLink) -> None:
    before = link.signing_keys
    refused = post_keys(link, '{"keys": "<none>"}')
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "has no keys" in page
    assert "&lt;none&gt;" in page
    link.refresh_from_db()
    assert link.signing_keys == before


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 10_000, "1" * 10_000, "\ud800", "NaN", " " * 50_001 + "{}"])
def test_what_is_no_set_of_keys_is_refused(link: JoinLink, text: str) -> None:
    with pytest.raises(Refused, match="not a JSON Web Key Set"):
        join_link_set_keys(link=link, text=text)


@pytest.mark.parametrize("text", ['{"keys": []}', '{"keys": {}}', '{"keys": null}'])
def test_a_set_without_keys_is_refused(link: JoinLink, text: str) -> None:
    with pytest.raises(Refused, match="no keys"):
        join_link_set_keys(link=link, text=text)


@pytest.mark.parametrize(
    "change",
    [
        {"kty": "EC"},
        {"kty": ["RSA"]},
        {"alg": "RS512"},
        {"n": "AQAB"},
        {"n": "A" * 400},
        {"n": "_" * 1400},
        {"n": "*"},
        {"n": 5},
        {"e": "AA"},
        {"e": "Ag"},
        {"e": "_" * 30},
        {"e": None},
    ],
)
def test_a_key_that_cannot_be_used_is_refused(link: JoinLink, change: dict[str, Any]) -> None:
    entries = [key_set(SIGNING_KEY)["keys"][0], key_set(SIGNING_KEY)["keys"][0] | change]
    with pytest.raises(Refused, match="Key 2"):
        join_link_set_keys(link=link, text=json.dumps({"keys": entries}))


def test_one_key_need_not_stand_in_a_set(link: JoinLink) -> None:
    join_link_set_keys(link=link, text=json.dumps(key_set(SIGNING_KEY)["keys"][0]))
    assert arrive(Client(), link).status_code == 302


def test_a_platform_that_does_not_sign_takes_no_keys() -> None:
    link = open_link(campaign=make_campaign(), work_round=EDIT, platform_key="sona")
    assert post_keys(link, json.dumps(key_set(SIGNING_KEY))).status_code == 422
    link.refresh_from_db()
    assert link.signing_keys == ""
