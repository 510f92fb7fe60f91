"""Which address a request counts for."""

from ipaddress import ip_network

import pytest
from django.http import HttpRequest
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from common.client_address import client_address

PROXIES = ("10.0.0.7", "172.16.0.0/12", "2001:db8:ff::/48")


def request(peer: str, *forwarded: str) -> HttpRequest:
    made = RequestFactory().get("/", REMOTE_ADDR=peer)
    if forwarded:
        made.META["HTTP_X_FORWARDED_FOR"] = ", ".join(forwarded)
    return made


@pytest.fixture
def _proxies(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network(proxy) for proxy in PROXIES]


def test_without_proxies_nobody_is_believed() -> None:
    assert client_address(request("10.0.0.7", "192.0.2.1")) == "10.0.0.7"


@pytest.mark.usefixtures("_proxies")
@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.7", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.8", ["192.0.2.1"], "10.0.0.8"),  # not a proxy of ours
        ("10.0.0.7", ["203.0.113.9", "192.0.2.1"], "192.0.2.1"),  # the client forged the first
        ("10.0.0.7", ["203.0.113.9", "192.0.2.1", "172.20.1.1"], "192.0.2.1"),  # through two proxies
        ("172.20.1.1", ["192.0.2.1", "nonsense"], "172.20.1.1"),
        ("10.0.0.7", ["192.0.2.1", ""], "10.0.0.7"),
        ("10.0.0.7", [], "10.0.0.7"),
        ("10.0.0.7", ["172.16.3.4"], "172.16.3.4"),  # a client within the network of the proxies
        ("2001:db8:ff::1", ["192.0.2.1"], "192.0.2.1"),
        ("::ffff:10.0.0.7", ["::ffff:192.0.2.1"], "192.0.2.1"),
    ],
)
def test_the_client_is_the_last_address_that_is_no_proxy(peer: str, forwarded: list[str], address: str) -> None:
    assert client_address(request(peer, *forwarded)) == address


def test_ipv6_counts_by_its_network() -> None:
    addresses = {client_address(request(f"2001:db8:1:2:{host:x}::{host:x}")) for host in range(1, 50)}
    assert addresses == {"2001:db8:1:2::/64"}
    assert client_address(request("2001:db8:1:3::1")) == "2001:db8:1:3::/64"


def test_a_peer_without_an_address_keeps_its_name() -> None:
    assert client_address(request("")) == ""
