"""What the settings may say of backups; anything else is refused at the start, by the name of its variable."""

import re
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from annotation.backups.retention import DEFAULT, Keep, keep_of

AGE = re.compile(r"age1[0-9a-z]{58}")
GPG = re.compile(r"[0-9A-Za-z_.+@<> ][0-9A-Za-z_.+@<> -]*")


def checked_folder(value: str) -> Path | None:
    """Return the folder of nightly backups, None for none: processes start in different folders, so in full."""
    if value and not Path(value).is_absolute():
        raise ImproperlyConfigured(f"PRECIS_BACKUP_DIR takes a path that begins with /, and not {value!r}.")
    return Path(value) if value else None


def checked_hour(hour: int) -> int:
    if hour > 23:
        raise ImproperlyConfigured(f"PRECIS_BACKUP_HOUR takes an hour from 0 to 23, and not {hour}.")
    return hour


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
