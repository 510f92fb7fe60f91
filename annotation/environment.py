"""What the environment says: each variable is read here, so that a value that makes no sense is refused by name.

docs/settings.md lists all variables with their defaults, and a test holds it to what the code reads.
"""

import os
from ipaddress import IPv4Network, IPv6Network, ip_network

from django.core.exceptions import ImproperlyConfigured

SWITCH = {"": False, "0": False, "1": True}
_names: set[str] = set()


def text(name: str, default: str = "") -> str:
    """Return the value without spaces around it; the default if the variable is not set."""
    _names.add(name)
    return os.environ.get(name, default).strip()


def listed(name: str) -> list[str]:
    """Return the values between the commas."""
    _names.add(name)
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return addresses and networks.

    Raises
    ------
    ImproperlyConfigured
        If one is neither.
    """
    try:
        return [ip_network(part) for part in listed(name)]
    except ValueError as error:
        message = f"{name}: {error}. Give addresses and networks with commas between them: 10.0.0.7,172.16.0.0/12."
        raise ImproperlyConfigured(message) from error


def number(name: str, default: int, *, least: int = 0) -> int:
    """Return a whole number; the default if the variable is not set or empty.

    Raises
    ------
    ImproperlyConfigured
        If the value is no whole number, or less than `least`.
    """
    value = text(name) or str(default)
    if not (value.isascii() and value.isdecimal() and len(value) < 16 and int(value) >= least):
        raise ImproperlyConfigured(f"{name} takes a whole number from {least} on, and not {value!r}.")
    return int(value)


def switch(name: str) -> bool:
    """Return whether something is switched on: by 1, and by nothing else.

    Raises
    ------
    ImproperlyConfigured
        If the value is neither 1 nor 0 nor empty: "yes" and "false" should not be guessed at.
    """
    value = text(name)
    if value not in SWITCH:
        raise ImproperlyConfigured(f"{name} is 1 or empty, and not {value!r}.")
    return SWITCH[value]


def values_read() -> dict[str, str]:
    """Return all variables that have been asked for, with their values; empty where they are not set."""
    return {name: os.environ.get(name, "").strip() for name in sorted(_names)}


def of_child(**changes: str) -> dict[str, str]:
    """Return the environment for a process that is started here."""
    return {**os.environ, **changes}
