"""Which addresses may be called: those of listed hosts in one spelling, and no address inside a network."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address

import pytest
import requests
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from urllib3.util import parse_url

from common.outgoing.hosts import checked_keys, checked_receivers, is_public, receiver_of, target_of

NAME = "PRECIS_MODEL_HOSTS"
LISTED = checked_receivers(
    NAME, ["hooks.example.org", "other.example.org:8443", "http://127.0.0.1:9000", "https://inner:1"]
)


def is_called(address: str) -> bool:
    target = target_of(address)
    return target is not None and receiver_of(target, LISTED) is not None


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.example.org",
        "https://hooks.example.org/",
        "https://hooks.example.org:443/a/b?c=d&e=%20",
        "https://hooks.example.org/a@b",
        "https://other.example.org:8443/x",
        "http://127.0.0.1:9000/x",
        "https://inner:1/x",
    ],
)
def test_listed_hosts_are_called(address: str) -> None:
    assert is_called(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "hooks.example.org",
        "//hooks.example.org/",
        "http://hooks.example.org/",
        "HTTPS://hooks.example.org/",
        "https://Hooks.example.org/",
        "https://hooks.example.org./",
        "https://hooks.example.org:8443/",
        "https://hooks.example.org:0443/",
        "https://hooks.example.org:/",
        "https://hooks.example.org:99999/",
        "https://other.example.org/",
        "https://a.hooks.example.org/",
        "https://hooks.example.org.evil.example/",
        "https://hooks.example.org@evil.example/",
        "https://user:word@hooks.example.org/",
        "https://evil.example\\@hooks.example.org/",
        "https://hooks.example.org\\@evil.example/",
        "https://evil.example#hooks.example.org/",
        "https://hooks.example.org#@evil.example/",
        "https://hooks.example.org?@evil.example/",
        "https://hooks.example.org/#part",
        "https://hooks.example.org /",
        " https://hooks.example.org/",
        "https://hooks.example.org/\n",
        "https://hooks.example.org/\r\nHost: evil.example",
        "https://hooks.example.org/ü",
        "https://hooks。example。org/",
        "https://hoοks.example.org/",
        "https://ⓗooks.example.org/",
        "https://xn--hooks-.example.org/",
        "https://%68ooks.example.org/",
        "https://[::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "http://127.0.0.1/",
        "http://127.1:9000/",
        "http://0x7f.0.0.1:9000/",
        "http://2130706433:9000/",
        "http://0177.0.0.1:9000/",
        "http://[::ffff:127.0.0.1]:9000/",
        "https://127.0.0.1:9000/",
        "http://inner:1/",
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:9000/_x",
    ],
)
def test_all_else_is_refused(address: str) -> None:
    assert not is_called(address)


PIECES = st.sampled_from(
    [
        *(
            "https://",
            "http://",
            "hooks.example.org",
            "evil.example",
            "127.0.0.1",
            ":443",
            ":9000",
            "@",
            "\\",
            "/",
            "?",
        ),
        *(
            "#",
            ".",
            ":",
            "%40",
            "%2e",
            " ",
            "\t",
            "\n",
            "[",
            "]",
            "[::1]",
            "%25",
            "user",
            "。",
            "\u00ad",
            "\u200b",
            "HOOKS",
        ),
    ]
)


@given(st.lists(PIECES, max_size=9).map("".join) | st.text(max_size=40))
def test_an_address_that_is_called_leads_to_the_same_host_for_those_who_send(address: str) -> None:
    if not is_called(address):
        return
    target = target_of(address)
    assert target is not None
    sent = parse_url(str(requests.Request("POST", target.url).prepare().url))
    port = sent.port or {"http": 80, "https": 443}[str(sent.scheme)]
    assert (sent.scheme, sent.host, port, sent.auth) == (target.scheme, target.host, target.port, None)
    assert (target.scheme, target.host, target.port) in {(each.scheme, each.host, each.port) for each in LISTED}


@given(st.text(max_size=30))
def test_nothing_beside_a_path_can_be_written_behind_a_host(words: str) -> None:
    found = target_of(f"https://hooks.example.org{words}")
    assert found is None or words == "" or words[0] in "/:." or found.host.startswith("hooks.example.org")
    if found is not None and receiver_of(found, LISTED) is not None:
        assert words == "" or words[0] == "/" or words.startswith(":443")


@pytest.mark.parametrize(
    "listed",
    [
        "*",
        "*.example.org",
        ".example.org",
        "example.org.",
        "Example.org",
        "example.org/path",
        "https://example.org",
        "http://example.org/",
        "ftp://example.org:21",
        "user@example.org",
        "example.org:0",
        "example.org:65536",
        "exämple.org",
        "[::1",
        "[0:0::1]",
        "[fe80::1%eth0]",
        "a" * 64 + ".org",
        ".".join(["a" * 60] * 5),
    ],
)
def test_a_list_that_could_be_misread_is_refused_by_name(listed: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=NAME):
        checked_receivers(NAME, [listed])


def test_only_hosts_that_are_listed_with_their_scheme_may_be_inside() -> None:
    assert [(each.port, each.is_inside) for each in LISTED] == [(443, False), (8443, False), (9000, True), (1, True)]


@pytest.mark.parametrize(
    "address",
    [
        *(
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.192",
        ),
        *("192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200"),
        *("::", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1"),
        *(
            "2002:7f00:1::1",
            "2002:a9fe:a9fe::",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fe80::1%eth0",
            "fec0::1",
            "ff02::1",
        ),
    ],
)
def test_addresses_inside_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "::ffff:93.184.216.34"]
)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


INSIDE = [
    IPv4Network(each) for each in ("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16")
]


@given(st.sampled_from(INSIDE), st.integers(0, 2**32 - 1))
def test_no_way_to_write_an_inside_address_in_ipv6_makes_it_public(network: IPv4Network, number: int) -> None:
    inside = IPv4Address(int(network.network_address) | (number & int(network.hostmask)))
    v6 = [int(inside), 0xFFFF << 32 | int(inside), 0x64FF9B << 96 | int(inside), 0x2002 << 112 | int(inside) << 80]
    assert not any(is_public(str(IPv6Address(each))) for each in v6)
    assert not is_public(str(inside))


def test_each_key_is_of_one_listed_host() -> None:
    keys = checked_keys("KEYS", "hooks.example.org=a=b, http://127.0.0.1:9000=c", LISTED)
    assert {host.origin: key for host, key in keys.items()} == {
        "https://hooks.example.org": "a=b",
        "http://127.0.0.1:9000": "c",
    }


@pytest.mark.parametrize(
    "given", ["hooks.example.org", "hooks.example.org=", "unlisted.example.org=hunter2", "hunter2"]
)
def test_a_key_without_a_listed_host_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="KEYS takes HOST=KEY") as refusal:
        checked_keys("KEYS", given, LISTED)
    assert "hunter2" not in str(refusal.value)


def test_a_key_with_a_sign_that_no_header_holds_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="KEYS takes HOST=KEY"):
        checked_keys("KEYS", "hooks.example.org=a\nb", LISTED)
