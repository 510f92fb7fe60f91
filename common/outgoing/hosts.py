"""Which hosts may be called: a list of the operator as it is written, and the addresses that people type.

An address is accepted in one spelling only, so no other program can read another host in it than this module does: no
user name, no backslash, no capital letters in the host, no trailing dot, no name outside of ASCII, no zone.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.core.exceptions import ImproperlyConfigured

IpAddress = IPv4Address | IPv6Address
LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
HOST = rf"(?P<host>{LABEL}(?:\.{LABEL})*|\[[0-9a-f:.]+\])"
PORT = "(?P<port>[1-9][0-9]{0,4})"
LISTED = re.compile(rf"(?:(?P<scheme>https?)://)?{HOST}(?::{PORT})?")
ADDRESS = re.compile(rf"(?P<scheme>https?)://{HOST}(?::{PORT})?(?P<path>/[A-Za-z0-9/._~!$&'()*+,;=:@%?-]*)?")
KEY = re.compile(r"[!-~]{1,4096}")  # as a header holds it
PORTS = {"http": 80, "https": 443}
LAST_PORT = 65535
LONGEST_HOST = 253
# Addresses of IPv4 within IPv6: a translator in between goes to the former.
TRANSLATED, SIX_TO_FOUR = IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16")
# Look public, and are answered by the provider's own servers: of Oracle and of Azure.
OF_PROVIDERS = (IPv4Network("192.0.0.0/24"), IPv4Network("168.63.129.16/32"))
FORM = (
    "{} takes hosts such as hooks.example.org or hooks.example.org:8443, which are called by HTTPS, and "
    "http://HOST:PORT or https://HOST:PORT for hosts inside your network, with commas between them and in lower case, "
    "and not {!r}."
)


@dataclass(frozen=True)
class Receiver:
    """A host as it is listed."""

    scheme: str
    host: str
    port: int
    is_inside: bool
    """Listed with its scheme: it may be on this computer or in its network."""

    @property
    def origin(self) -> str:
        """How its addresses begin."""
        return f"{self.scheme}://{self.host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")


@dataclass(frozen=True)
class Target:
    """Where an address leads."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        return self.host if self.port == PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host_header}{self.path}"


def checked_receivers(name: str, listed: Iterable[str]) -> tuple[Receiver, ...]:
    """Return the hosts that the setting of this name lists.

    Raises
    ------
    ImproperlyConfigured
        If one is no host, or one with a scheme has no port.
    """
    return tuple(_receiver(name, each) for each in listed)


def checked_keys(name: str, given: str, receivers: Sequence[Receiver]) -> dict[Receiver, str]:
    """Return the keys that a setting gives as HOST=KEY with commas between them, by their hosts.

    Raises
    ------
    ImproperlyConfigured
        If a host is not listed or a key is empty; no message repeats a key.
    """
    keys: dict[Receiver, str] = {}
    for part in filter(None, map(str.strip, given.split(","))):
        host, _, key = (each.strip() for each in part.partition("="))
        match = LISTED.fullmatch(host)
        listed = _receiver(name, host) if match else None
        if listed not in receivers or listed is None or not KEY.fullmatch(key):
            raise ImproperlyConfigured(f"{name} takes HOST=KEY with commas between them, each host as it is listed.")
        keys[listed] = key
    return keys


def _receiver(name: str, listed: str) -> Receiver:
    match = LISTED.fullmatch(listed)
    if not match or not _is_host(match["host"]):
        raise ImproperlyConfigured(FORM.format(name, listed))
    is_inside, scheme = match["scheme"] is not None, match["scheme"] or "https"
    port = int(match["port"] or PORTS[scheme])
    if port > LAST_PORT or (is_inside and match["port"] is None):
        raise ImproperlyConfigured(FORM.format(name, listed))
    return Receiver(scheme, match["host"], port, is_inside)


def target_of(address: str) -> Target | None:
    """Return where an address leads; None if it is not written in the one accepted way."""
    match = ADDRESS.fullmatch(address)
    if not match or not _is_host(match["host"]):
        return None
    port = int(match["port"] or PORTS[match["scheme"]])
    return Target(match["scheme"], match["host"], port, match["path"] or "/") if port <= LAST_PORT else None


def receiver_of(target: Target, receivers: Iterable[Receiver]) -> Receiver | None:
    """Return the listed host that a target is on, by scheme, name and port."""
    wanted = (target.scheme, target.host, target.port)
    found = [each for each in receivers if (each.scheme, each.host, each.port) == wanted]
    return max(found, key=lambda each: each.is_inside, default=None)


def _is_host(host: str) -> bool:
    """Whether a name is short enough, and an address of IPv6 written in its shortest form."""
    if not host.startswith("["):
        return len(host) <= LONGEST_HOST
    try:
        return f"[{IPv6Address(host[1:-1])}]" == host
    except ValueError:
        return False


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, and not of this computer, its network, or its provider's metadata.

    >>> is_public("93.184.216.34"), is_public("169.254.169.254"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    return _is_public(ip_address(address))


def _is_public(address: IpAddress) -> bool:
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        if (inner := _inner(address)) is not None:
            return _is_public(inner)
        if address.is_site_local:
            return False
    elif any(address in network for network in OF_PROVIDERS):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the address of IPv4 that an address of IPv6 stands for."""
    if address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        return address.sixtofour
    return address.ipv4_mapped
