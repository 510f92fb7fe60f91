"""Nightly backups as the settings want them: where and for whom they are made, and which are kept."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

DEFAULT = "7 daily, 5 weekly, 12 monthly"
PART = re.compile(r"(\d{1,5})\s+(daily|weekly|monthly)")
NAME = re.compile(r"precis-(\d{8}T\d{6}Z)\.tar\.gz(\.age|\.gpg)?")
STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True)
class Keep:
    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    @property
    def rules(self) -> tuple[tuple[int, Callable[[datetime], tuple[int, ...]]], ...]:
        """How many periods, and to which of them a time belongs."""
        return (
            (self.daily, lambda time: (time.year, time.month, time.day)),
            (self.weekly, lambda time: time.isocalendar()[:2]),
            (self.monthly, lambda time: (time.year, time.month)),
        )


def keep_of(text: str) -> Keep:
    """Read how many are kept.

    >>> keep_of("7 daily, 12 monthly")
    Keep(daily=7, weekly=0, monthly=12)

    Raises
    ------
    ValueError
        If it says something else, the same twice, or that none are kept.
    """
    parts = [PART.fullmatch(part.strip()) for part in text.split(",")]
    numbers = {part[2]: int(part[1]) for part in parts if part}
    if None in parts or len(numbers) != len(parts) or not any(numbers.values()):
        raise ValueError(f"takes numbers such as “{DEFAULT}”, and not {text!r}")
    return Keep(**numbers)


def kept(times: Iterable[datetime], keep: Keep) -> set[datetime]:
    """Return the times of the backups to keep; the newest is always among them."""
    newest_first = sorted(times, reverse=True)
    chosen = set(newest_first[:1])
    for number, period in keep.rules:
        newest_of: dict[tuple[int, ...], datetime] = {}
        for time in newest_first:
            newest_of.setdefault(period(time), time)
        chosen.update(list(newest_of.values())[:number])
    return chosen


def archive_name(at: datetime, suffix: str = "") -> str:
    return f"precis-{at.astimezone(UTC).strftime(STAMP)}.tar.gz{suffix}"


def time_of(name: str) -> datetime | None:
    """Return when a backup was begun, by its name; None if it is the name of something else.

    >>> time_of("precis-20260102T030000Z.tar.gz.age").isoformat()
    '2026-01-02T03:00:00+00:00'
    >>> time_of("precis-old.tar.gz")
    """
    match = NAME.fullmatch(name)
    try:
        return datetime.strptime(match[1], STAMP).replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


AGE = re.compile(r"age1[0-9a-z]{58}")
GPG = re.compile(r"[0-9A-Za-z_.+@<> ][0-9A-Za-z_.+@<> -]*")


def checked_folder(value: str) -> Path | None:
    """Return the folder of nightly backups, None for none: processes start in different folders, so in full."""
    if value and not Path(value).is_absolute():
        raise ImproperlyConfigured(f"PRECIS_BACKUP_DIR takes a path that begins with /, and not {value!r}.")
    return Path(value) if value else None


def checked_keep(value: str) -> Keep:
    try:
        return keep_of(value or DEFAULT)
    except ValueError as error:
        raise ImproperlyConfigured(f"PRECIS_BACKUP_KEEP {error}.") from error


def checked_recipients(age: str, gpg: str) -> dict[str, str]:
    """Return for whom backups are encrypted, by the program that does it."""
    if age and gpg:
        raise ImproperlyConfigured("Set PRECIS_BACKUP_AGE_RECIPIENT or PRECIS_BACKUP_GPG_RECIPIENT, and not both.")
    if age and not AGE.fullmatch(age):
        raise ImproperlyConfigured("PRECIS_BACKUP_AGE_RECIPIENT takes a public key of age, which begins with age1.")
    if gpg and not GPG.fullmatch(gpg):
        raise ImproperlyConfigured("PRECIS_BACKUP_GPG_RECIPIENT takes the fingerprint or the address of a key.")
    return {"age": age} if age else {"gpg": gpg} if gpg else {}
