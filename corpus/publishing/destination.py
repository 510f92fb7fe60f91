"""Where a release goes: a listed host, called with a token that lives in memory alone, and what is sent there."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from common.errors import Refused
from common.outgoing.answers import reason_of
from common.outgoing.client import Answer, Bounds
from common.outgoing.hosts import KEY, Receiver
from corpus.models import Release, ReleaseFile
from corpus.selectors import release_file

PAUSES = (1.0, 4.0, 16.0, 60.0)
"""Between attempts, in seconds, where an answer names none."""
LONGEST_PAUSE = 300.0  # the Hub counts calls by windows of five minutes
MOST_BYTES = 32 << 20  # of an answer: the Hub lists all files of a dataset in one
SLOWEST = 50_000  # bytes in a second


def receiver_named(host: str) -> Receiver:
    """Return the listed host of this name, written as it is listed; raise Refused if there is none."""
    for each in settings.PUBLISH_RECEIVERS:
        listed: Receiver = each
        if host in {listed.origin, listed.origin.removeprefix("https://")}:
            return listed
    known = ", ".join(each.origin for each in settings.PUBLISH_RECEIVERS) or _("none")
    words = _("Releases may not be uploaded to %(host)s: PRECIS_PUBLISH_HOSTS lists %(known)s.")
    raise Refused(words % {"host": host, "known": known})


@dataclass(frozen=True)
class Destination:
    """A host and the token for it, which nothing that is shown, raised or logged may repeat."""

    receiver: Receiver
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.token):
            raise Refused(_("No token was given, or it has characters that no token has."))

    def refused(self, what: str) -> Refused:
        return Refused(f"{self.receiver.host}: {self.without_token(what)}")

    def failed(self, answer: Answer) -> Refused:
        return self.refused(reason_of(answer))

    def without_token(self, text: str) -> str:
        return text.replace(self.token, "TOKEN")

    def pause(self, usual: float | None, asked: float | None, why: str) -> float:
        """Return how long to wait before the next attempt; raise Refused if that is too long, or there were enough."""
        if usual is None:
            raise self.refused(f"{why}, {len(PAUSES) + 1} times in a row. Run again, this goes on where it stopped.")
        if asked is not None and asked > LONGEST_PAUSE:
            raise self.refused(f"{why}; it asks to wait {asked:.0f} seconds. Run again then.")
        return usual if asked is None else asked


def bounds_of(length: int) -> Bounds:
    """Return what a call may take that sends so many bytes."""
    return Bounds(60.0 + length / SLOWEST, connect_seconds=10.0, read_seconds=120.0, most_bytes=MOST_BYTES)


@dataclass(frozen=True)
class Upload:
    """A file that is to be sent."""

    name: str
    size: int
    sha256: str
    path: Path


@contextmanager
def uploads_of(release: Release, files: list[ReleaseFile]) -> Iterator[list[Upload]]:
    """Yield files of a release as files of this computer; raise FileNotFoundError if one is missing."""
    with ExitStack() as opened:
        yield [
            Upload(each.name, each.size, each.sha256, opened.enter_context(release_file(release, each.name)))
            for each in files
        ]
