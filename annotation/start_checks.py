"""What the environment may say: a start with settings that would expose data is refused, with the reason."""

import re
import socket
import sys
import traceback
from collections.abc import Iterable, Sequence
from inspect import unwrap
from ipaddress import IPv6Address, ip_address
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper

from common import environment
from common.environment import SECRET_LENGTH, check_extra, checked_url
from common.extras import ERRORS

DISTINCT_CHARACTERS = 8  # a random number of 50 digits has more
# Parts of secrets that instructions and generators print for people to replace.
PLACEHOLDERS = (
    "insecure",
    "changeme",
    "change-me",
    "change_me",
    "example",
    "replace",
    "secret",
    "password",
    "only-to-",
)
HOST_NAME = re.compile(r"(\.[a-z0-9-]+)?([a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:.]+\]", re.IGNORECASE)
ORIGIN = re.compile(r"https://([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?", re.IGNORECASE)
TOKEN_LENGTH = 32
TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{TOKEN_LENGTH},}}")
DSN = re.compile(r"https?://\w+(:\w+)?@[^\s/@]+(/[\w/-]+)?/\d+")
TRUSTED_ORIGIN = re.compile(r"https?://(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?", re.IGNORECASE)
DATABASES = "postgres://USER:PASSWORD@HOST:5432/NAME or sqlite:////FOLDER/FILE"
SETTINGS = Path(__file__).with_name("settings.py")
HSTS = {"": (False, False), "subdomains": (True, False), "preload": (True, True)}


def wrong_setting(error: BaseException | None) -> str:
    """Return what is wrong with a setting, in a sentence; empty if the error did not arise while they were read.

    Whether DATABASE_URL leads to a database shows when it is first opened.
    """
    if isinstance(error, DatabaseError):
        codes = {frame.f_code for frame, _line in traceback.walk_tb(error.__traceback__)}
        # The messages of both databases repeat no password.
        said = f"The database that DATABASE_URL names cannot be opened: {' '.join(str(error).split())}"
        return said if unwrap(BaseDatabaseWrapper.connect).__code__ in codes else ""
    if not isinstance(error, ImproperlyConfigured):
        return ""
    files = {frame.f_code.co_filename for frame, _line in traceback.walk_tb(error.__traceback__)}
    return f"Précis does not start: {error}" if str(SETTINGS) in files else ""


def tell_of_wrong_settings() -> None:
    """Let processes that end because of a wrong setting print a sentence, and of all else what they printed before."""
    before = sys.excepthook

    def tell(kind: type[BaseException], error: BaseException, frames: TracebackType | None) -> None:
        if sentence := wrong_setting(error):
            print(sentence, file=sys.stderr)  # noqa: T201
        else:
            before(kind, error, frames)

    sys.excepthook = tell


def checked_database(url: str, password: str) -> dict[str, Any]:
    """Return Django's settings of a database; no message repeats the address, which may hold a password."""
    checked_url("DATABASE_URL", url, {"postgres", "postgresql", "pgsql", "sqlite"}, DATABASES)
    try:
        # The TypedDict that is returned is too narrow for OPTIONS.
        config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True))
    except ValueError:
        config = {}
    if not config.get("NAME"):
        raise ImproperlyConfigured(f"DATABASE_URL takes an address such as {DATABASES}.")
    if password and (config["PASSWORD"] or not config["HOST"]):
        raise ImproperlyConfigured("Set DATABASE_PASSWORD with a DATABASE_URL that has a server and no password.")
    return {**config, "PASSWORD": password or config["PASSWORD"]}


def checked_hosts(hosts: Sequence[str]) -> Sequence[str]:
    """Return the names of ALLOWED_HOSTS if each is a name of its own, perhaps with its subdomains."""
    for host in hosts:
        if not HOST_NAME.fullmatch(host) or (host.startswith(".") and host.count(".") < 2):
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS takes names such as precis.example.org, with commas between them, and not {host!r}."
            )
    return hosts


def public_origin(told: str, hosts: Sequence[str]) -> str:
    """Return the scheme and name of the installation as others reach it; empty if only patterns of names are known.

    >>> public_origin("", [".example.net", "precis.example.org"]), public_origin("", [".example.net"])
    ('https://precis.example.org', '')
    """
    if told:
        if not ORIGIN.fullmatch(origin := told.removesuffix("/")):
            raise ImproperlyConfigured(
                f"PRECIS_PUBLIC_ORIGIN takes one address such as https://precis.example.org, and not {told!r}."
            )
        return origin
    return next((f"https://{host}" for host in hosts if not host.startswith((".", "*"))), "")


def check_secret(secret: str) -> None:
    """Refuse a SECRET_KEY of a public installation that can be guessed: everything signed could be forged."""
    if len(secret) < SECRET_LENGTH:
        raise ImproperlyConfigured(
            f"Set SECRET_KEY to at least {SECRET_LENGTH} random characters when ALLOWED_HOSTS is set."
        )
    if _is_guessable(secret):
        raise ImproperlyConfigured(
            "SECRET_KEY does not look random. Make one with "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(64))'."
        )


def _is_guessable(secret: str) -> bool:
    pieces = {secret[place : place + 3] for place in range(len(secret) - 2)}
    steps = [ord(after) - ord(before) for before, after in pairwise(secret)]
    return (
        len(set(secret)) < DISTINCT_CHARACTERS
        or len(pieces) < len(secret) / 2  # the same again and again
        or sum(abs(step) <= 1 for step in steps) > len(secret) / 2  # alphabets, rows of digits
        or any(word in secret.lower() for word in PLACEHOLDERS)
    )


def checked_origins(name: str, origins: list[str], form: re.Pattern[str] = ORIGIN) -> list[str]:
    """Return the origins if each is exact: a scheme and a host, without a path or, but for another form, a wildcard."""
    for origin in origins:
        if not form.fullmatch(origin):
            raise ImproperlyConfigured(
                f"{name} takes origins such as https://app.prolific.com, with commas between them, and not {origin!r}."
            )
    return origins


def checked_token(name: str, token: str) -> str:
    """Return a token that opens a page if it is empty, or long and plain enough to stand in a header."""
    if token and not TOKEN.fullmatch(token):
        raise ImproperlyConfigured(
            f"{name} takes {TOKEN_LENGTH} random letters, digits, - and _ or more, such as those of "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'."
        )
    return token


def checked_listener(name: str, address: str) -> tuple[str, int] | None:
    """Return the host and port of HOST:PORT; None if nothing is to listen."""
    if not address:
        return None
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ImproperlyConfigured(f"{name} takes an address and a port such as 127.0.0.1:9101, and not {address!r}.")
    return host.strip("[]"), int(port)


def checked_dsn(name: str, dsn: str) -> str:
    """Return the address that errors are reported to if it has the parts of one; it is a secret, so it is not shown."""
    example = "https://KEY@sentry.example.org/1"
    if not DSN.fullmatch(dsn):
        raise ImproperlyConfigured(f"{name} takes an address such as {example}.")
    checked_url(name, dsn, {"http", "https"}, example)
    check_extra(name, ERRORS)
    return dsn


def hsts_of(choice: str) -> tuple[bool, bool]:
    """Return whether browsers are to demand HTTPS of all subdomains too, and to have that built in."""
    if choice not in HSTS:
        raise ImproperlyConfigured(f"PRECIS_HSTS is empty, subdomains or preload, and not {choice!r}.")
    return HSTS[choice]


def check_debug_is_local(hosts: Iterable[object]) -> None:
    """Refuse to show code and data of errors to other computers: with DEBUG=1, listen on loopback only."""
    if not environment.switch("DEBUG"):
        return
    for host in hosts:
        if not isinstance(host, str) or not is_loopback(host):
            raise ImproperlyConfigured(
                f"DEBUG=1 and listening on {host!r} would show the code and data to everyone. Listen on 127.0.0.1."
            )


def is_loopback(host: str) -> bool:
    """Whether a server that listens there can be reached from this computer only, however the address is written."""
    try:
        found = socket.getaddrinfo(host or "0.0.0.0", None, type=socket.SOCK_STREAM)  # noqa: S104
    except OSError:
        return False
    return all(_is_loopback_address(str(address[0])) for *_, address in found)


def _is_loopback_address(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
