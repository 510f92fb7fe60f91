"""Which addresses a token may be sent to: the server's own, over TLS; without TLS only on this computer."""

import ipaddress

import httpx

API = "api/v1/"


def server_address(address: str) -> httpx.URL:
    """Return the root of the API of the server at an address; raise ValueError if the address is not safe."""
    try:
        url = httpx.URL(address.strip())
    except httpx.InvalidURL as error:
        raise ValueError(f"{address!r} is not an address.") from error
    if not url.host or url.scheme not in {"http", "https"}:
        raise ValueError(f"{address!r} is not an address such as https://precis.example.org")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("Give only the server's address, without a user name, password, query or fragment.")
    refuse_unless_safe(url)
    return url.copy_with(path=url.path.rstrip("/") + "/" + API)


def refuse_unless_safe(url: httpx.URL) -> None:
    """Raise ValueError for http:// to any computer but this one."""
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.host)):
        raise ValueError(f"{url.scheme}://{url.host} would be reached without encryption: use https://")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_same_origin(one: httpx.URL, other: httpx.URL) -> bool:
    return (one.scheme, one.host, _port(one)) == (other.scheme, other.host, _port(other))


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)
