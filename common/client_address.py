"""The network address that a request comes from, for limits per address."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# Providers give a household or a server at least this much, so counting single IPv6 addresses would limit nobody.
IPV6_PREFIX = 64


def client_address(request: HttpRequest) -> str:
    """Return the address of the client: IPv4 in full, IPv6 as its /64 network.

    `X-Forwarded-For` is read only if the connection comes from one of `settings.TRUSTED_PROXIES`. Each proxy appends
    the address that it was reached from, so the client is the right-most address that is not a proxy of ours; what is
    left of it may be forged.
    """
    peer: str = request.META.get("REMOTE_ADDR", "")
    found = _parsed(peer)
    for entry in reversed(request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        if found is None or not _is_proxy(found):
            break
        forwarded = _parsed(entry)
        if forwarded is None:
            break
        found = forwarded
    return address_group(peer if found is None else str(found))


def is_from_proxy(request: HttpRequest) -> bool:
    """Whether the connection of a request comes from one of `settings.TRUSTED_PROXIES`."""
    peer = _parsed(request.META.get("REMOTE_ADDR", ""))
    return peer is not None and _is_proxy(peer)


def _is_proxy(address: Address) -> bool:
    proxies: Sequence[Network] = settings.TRUSTED_PROXIES
    return any(address in network for network in proxies)


def address_group(text: str) -> str:
    """Return an IPv4 address in full, an IPv6 address as its /64 network, and anything else unchanged."""
    address = _parsed(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), IPV6_PREFIX), strict=False))
    return text if address is None else str(address)


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
