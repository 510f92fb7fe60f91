"""Where the token goes, and where it never goes."""

import httpx
import pytest

from precis_client import Precis, PrecisError
from tests.client.played import TOKEN, campaign_json, page, played


@pytest.mark.parametrize(
    "address",
    [
        "http://precis.example.org",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "ftp://precis.example.org",
        "precis.example.org",
        "https://",
        "https://name:password@precis.example.org",
        "https://precis.example.org/?a=b",
    ],
)
def test_addresses_that_are_not_safe_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"https://|address"):
        Precis(address, TOKEN)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000", "http://localhost:8000/", "http://[::1]:8000", "https://a.b/c"]
)
def test_other_addresses_lead_to_their_api(address: str) -> None:
    with Precis(address, TOKEN) as precis:
        assert str(precis._connection.root) == f"{address.rstrip('/')}/api/v1/"


def test_address_and_token_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECIS_URL", "https://lab.example.org")
    monkeypatch.setenv("PRECIS_TOKEN", f"{TOKEN}\n")
    with Precis() as precis:
        assert precis._connection.root.host == "lab.example.org"
        assert TOKEN not in repr(precis)
        assert TOKEN not in repr(vars(precis))
    monkeypatch.delenv("PRECIS_TOKEN")
    with pytest.raises(ValueError, match="PRECIS_TOKEN"):
        Precis()


@pytest.mark.parametrize("token", ["with space", "mit\nZeile", "ünlich"])
def test_a_token_that_cannot_be_sent_is_refused_without_being_shown(token: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII") as caught:
        Precis("https://precis.example.org", token)
    assert token not in str(caught.value)


@pytest.mark.parametrize(
    "elsewhere",
    ["https://bucket.example.com/f?signed=1", "https://precis.example.org:8443/f", "https://sub.precis.example.org/f"],
)
def test_another_host_gets_no_token(elsewhere: str) -> None:
    moved = httpx.Response(302, headers={"Location": elsewhere, "Set-Cookie": "a=b; Domain=example.org"})
    with played([moved, httpx.Response(200, json=campaign_json())]) as server:
        server.precis.campaign("winter")
    assert server.sent("Authorization") == [f"Bearer {TOKEN}", None]
    assert server.sent("Cookie") == [None, None]
    assert str(server.requests[1].url) == elsewhere


def test_a_redirect_within_the_server_keeps_it() -> None:
    moved = httpx.Response(301, headers={"Location": "/api/v1/campaigns/summer/"})
    with played([moved, httpx.Response(200, json=campaign_json("summer"))]) as server:
        assert server.precis.campaign("winter").slug == "summer"
    assert server.sent("Authorization") == [f"Bearer {TOKEN}"] * 2


def test_a_redirect_out_of_encryption_is_not_followed() -> None:
    moved = httpx.Response(302, headers={"Location": "http://precis.example.org/"})
    with played([moved]) as server, pytest.raises(PrecisError, match="without encryption"):
        server.precis.campaign("winter")
    assert len(server.requests) == 1


def test_what_changes_something_is_never_redirected() -> None:
    answers = [
        httpx.Response(200, json=campaign_json()),
        httpx.Response(307, headers={"Location": "https://other.example.org/"}),
    ]
    with played(answers) as server, pytest.raises(PrecisError, match=r"https://other\.example\.org"):
        server.precis.campaign("winter").open()
    assert len(server.requests) == 2


def test_redirects_end() -> None:
    with (
        played(lambda request: httpx.Response(302, headers={"Location": str(request.url)})) as server,
        pytest.raises(PrecisError, match="too many times"),
    ):
        server.precis.campaign("winter")


@pytest.mark.parametrize(("name", "sent"), [("a/b", b"a%2Fb"), ("ü?x#y", b"%C3%BC%3Fx%23y"), ("a b", b"a%20b")])
def test_names_stay_one_part_of_the_path(name: str, sent: bytes) -> None:
    with played([httpx.Response(200, json=campaign_json())]) as server:
        server.precis.campaign(name)
    assert server.requests[0].url.raw_path == b"/api/v1/campaigns/" + sent + b"/"


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_names_of_nothing_are_refused(name: str) -> None:
    with played([page([])]) as server, pytest.raises(ValueError, match="names nothing"):
        server.precis.campaign(name)
    assert not server.requests
