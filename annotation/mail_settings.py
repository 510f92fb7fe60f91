"""Where mails go, from two environment variables: an address of a mail server, and whom the mails come from."""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

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
