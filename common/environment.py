"""What the environment says: each variable is read here, so that a value that makes no sense is refused by name.

docs/settings.md lists all variables with their defaults, and a test holds it to what the code reads.
"""

import os
import re
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from common.extras import S3, Extra

SECRET_LENGTH = 50
"""The fewest characters that a secret of a public installation has."""
LARGEST = 10**15
WEB_THREADS = 4
"""Threads of a web process: each may hold a connection to the database."""
STORED = ("releases", "scores", "models", "systems", "sounds")
SECRET_BYTES = 16 * 1024
"""The most that a file with a secret may hold."""
BUCKET = re.compile(r"[A-Za-z0-9._:-]{1,255}")


def stored_files(data_folder: Path) -> dict[str, dict[str, Any]]:
    """Return the storages, as in Django's setting STORAGES.

    Raises
    ------
    ImproperlyConfigured
        If what is said of a bucket makes no sense.
    """
    bucket = _bucket()
    if not bucket:
        return stored_in_folders(data_folder)
    prefix = text("PRECIS_S3_PREFIX")
    return {
        name: {
            "BACKEND": "common.stores.bucket.BucketStore",
            "OPTIONS": {**bucket, "location": f"{prefix}/{name}".strip("/")},
        }
        for name in STORED
    }


def stored_in_folders(data_folder: Path) -> dict[str, dict[str, Any]]:
    """Return the storages of an installation without a bucket."""
    return {
        name: {"BACKEND": "common.stores.folder.FolderStore", "OPTIONS": {"location": data_folder / name}}
        for name in STORED
    }


def _bucket() -> dict[str, Any]:
    """Return the options of a bucket; nothing if none is set."""
    name, endpoint = text("PRECIS_S3_BUCKET"), text("PRECIS_S3_ENDPOINT")
    keys = secret("PRECIS_S3_ACCESS_KEY"), secret("PRECIS_S3_SECRET_KEY")
    if any(keys) and not all(keys):
        raise ImproperlyConfigured("Set both PRECIS_S3_ACCESS_KEY and PRECIS_S3_SECRET_KEY, or neither.")
    checked_url("PRECIS_S3_ENDPOINT", endpoint, {"http", "https"}, "https://s3.example.org")
    if name and not BUCKET.fullmatch(name):
        raise ImproperlyConfigured(f"PRECIS_S3_BUCKET takes letters, digits and the signs . _ : -, and not {name!r}.")
    if not name:
        if endpoint or any(keys):
            raise ImproperlyConfigured("PRECIS_S3_BUCKET is missing: the other PRECIS_S3 variables say where it is.")
        return {}
    check_extra("PRECIS_S3_BUCKET", S3)
    return {
        "bucket_name": name,
        "endpoint_url": endpoint or None,
        "region_name": text("PRECIS_S3_REGION") or None,
        "access_key": keys[0] or None,
        "secret_key": keys[1] or None,
        "default_acl": None,
        "querystring_auth": True,
        "file_overwrite": True,
    }


FOLDER_MODE, FILE_MODE = 0o755, 0o644


def static_folder(path: Path) -> Path:
    """Create the folder for all accounts to read, although other files of this process are private."""
    if not path.exists():
        path.mkdir(exist_ok=True)
        path.chmod(FOLDER_MODE)
    return path


CONSOLE = "django.core.mail.backends.console.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}
FORM = (
    "PRECIS_EMAIL_URL takes smtps://USER:PASSWORD@HOST:PORT (TLS from the start), smtp://… (TLS by STARTTLS) or "
    "smtp+plain://… (no TLS), with characters such as @ and / in the password percent-encoded."
)


def mail_settings(url: str, sender: str) -> dict[str, Any]:
    """Return Django's settings; without an address, mails are printed to the console. No message repeats the address.

    >>> mail_settings("smtps://ann:a%40b@mail.example.org", "precis@example.org")["EMAIL_HOST_PASSWORD"]
    'a@b'
    """
    if not url:
        return {"EMAIL_BACKEND": CONSOLE, "DEFAULT_FROM_EMAIL": sender or "precis@localhost"}
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured(FORM) from None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(FORM)
    if "@" not in sender:
        raise ImproperlyConfigured("Set PRECIS_EMAIL_FROM to the address that mails come from, with PRECIS_EMAIL_URL.")
    return {
        "EMAIL_BACKEND": SMTP,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp",
        "DEFAULT_FROM_EMAIL": sender,
    }


SWITCH = {"": False, "0": False, "1": True}
_names: set[str] = set()


def text(name: str, default: str = "") -> str:
    """Return the value without spaces around it; the default if the variable is not set."""
    _names.add(name)
    return os.environ.get(name, default).strip()


def secret(name: str) -> str:
    """Return a value, without spaces around it, that may lie in a file instead, which the variable NAME_FILE names.

    Raises
    ------
    ImproperlyConfigured
        If both are given, or the file cannot be read, is empty or too large.
    """
    value, file = text(name), os.environ.get(f"{name}_FILE", "").strip()
    if not file:
        return value
    if value:
        raise ImproperlyConfigured(f"Set {name} or {name}_FILE, and not both.")
    try:
        with Path(file).open("rb") as stream:
            content = stream.read(SECRET_BYTES + 1)
        value = content.decode().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE: {file} cannot be read ({error.strerror}).") from error
    except ValueError:
        raise ImproperlyConfigured(f"{name}_FILE: {file} is no text in UTF-8.") from None
    if not value or len(content) > SECRET_BYTES:
        raise ImproperlyConfigured(f"{name}_FILE: {file} is {'larger than 16 KiB' if value else 'empty'}.")
    return value


WITH_HOST = {"http", "https", "redis", "rediss"}


def checked_url(name: str, url: str, schemes: Collection[str], example: str) -> str:
    """Return an address whose parts make sense, or an empty one; no message repeats it, since it may hold a password.

    Raises
    ------
    ImproperlyConfigured
        If it is of another scheme or has no place, or a port that is no number.
    """
    try:
        parts = urlsplit(url)
        place = parts.hostname if parts.scheme in WITH_HOST else parts.netloc or parts.path.strip("/")
        fits = parts.scheme in schemes and bool(place) and parts.port != 0
    except ValueError:
        fits = False
    if url and not fits:
        raise ImproperlyConfigured(f"{name} takes an address such as {example}.")
    return url


def listed(name: str, default: str = "") -> list[str]:
    """Return the values between the commas; those of the default if the variable is not set."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


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


def number(name: str, default: int, *, least: int = 0, most: int = LARGEST) -> int:
    """Return a whole number; the default if the variable is not set or empty.

    Raises
    ------
    ImproperlyConfigured
        If the value is no whole number, less than `least` or more than `most`.
    """
    value = text(name) or str(default)
    if not (value.isascii() and value.isdecimal() and len(value) < 16 and least <= int(value) <= most):
        range_of = f"from {least} on" if most == LARGEST else f"from {least} to {most}"
        raise ImproperlyConfigured(f"{name} takes a whole number {range_of}, and not {value!r}.")
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
    """Return all variables that have been asked for, with their values or files; empty where they are not set."""
    found = {name: os.environ.get(name) or os.environ.get(f"{name}_FILE", "") for name in sorted(_names)}
    return {name: value.strip() for name, value in found.items()}


def of_child(**changes: str) -> dict[str, str]:
    """Return the environment for a process that is started here."""
    return {**os.environ, **changes}


def check_extra(name: str, extra: Extra) -> None:
    """Refuse a setting whose packages are not installed."""
    if not extra.is_installed:
        raise ImproperlyConfigured(f"{name} needs the extra {extra.name}: {extra.command}.")
