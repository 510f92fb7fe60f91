"""How sessions of accounts are stored: Django's way, with the browser and the times beside the data.

When someone logs in, the session takes down in which browser and from which address. `used_at` is written when the
session is saved and, since reading a page saves nothing, by `note_use` every few minutes.
"""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest

from common.client_address import client_address
from common.clock import process_now
from crowd.models import AccountSession

LOGIN_NOTES = "login"
NOTED_EVERY = timedelta(minutes=5)
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


class SessionStore(DatabaseStore):
    """The engine of `settings.SESSION_ENGINE`."""

    used_at: datetime | None = None

    @classmethod
    def get_model_class(cls) -> type[AccountSession]:
        return AccountSession

    def _get_session_from_db(self) -> Any:
        found = super()._get_session_from_db()  # type: ignore[misc]  # the types omit it
        self.used_at = found.used_at if found else None
        return found

    def create_model_instance(self, data: dict[str, Any]) -> AccountSession:
        session: AccountSession = super().create_model_instance(data)  # type: ignore[assignment]
        notes = data.get(LOGIN_NOTES, {})
        session.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        session.browser, session.address = notes.get("browser", ""), notes.get("address", "")
        session.begun_at = datetime.fromisoformat(notes["at"]) if "at" in notes else None
        session.used_at = process_now()
        return session


def note_login(sender: object, request: HttpRequest, user: User, **_: Any) -> None:  # noqa: ARG001 - a signal's
    """Take down where a session begins."""
    request.session[LOGIN_NOTES] = {
        "browser": browser_name(request.headers.get("User-Agent", "")),
        "address": client_address(request)[:64],
        "at": process_now().isoformat(),
    }


def note_use(request: HttpRequest) -> None:
    """Write down that a session is in use, if that was not done in the last minutes."""
    session = request.session
    used_at = getattr(session, "used_at", None)
    if used_at is not None and process_now() - used_at >= NOTED_EVERY:
        AccountSession.objects.filter(session_key=session.session_key).update(used_at=process_now())


def browser_name(user_agent: str) -> str:
    """Return what people call a browser.

    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    'Firefox on Linux'
    """
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "Unknown browser")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    return f"{browser} on {system}" if system else browser
