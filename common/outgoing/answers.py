"""What is said of an answer, whether asking again may help, and when."""

from email.utils import parsedate_to_datetime

from common.clock import database_now
from common.outgoing.client import Answer, Fault

LONGEST_SAID = 200
PASSING = {408, 429, 500, 502, 503, 504, 529}
PASSING_FAULTS = {Fault.CONNECTION, Fault.TIMEOUT, Fault.NAME}
WORDS = {
    Fault.HOST: "the host is not listed",
    Fault.NAME: "the name of the host was not found",
    Fault.INSIDE: "the host is inside the network of this installation, which is not allowed for it",
    Fault.TLS: "its certificate could not be verified",
    Fault.CONNECTION: "it could not be reached, or broke off",
    Fault.TIMEOUT: "it did not answer in time",
    Fault.REDIRECT: "it answered with a redirect, and redirects are not followed",
    Fault.SIZE: "its answer is too long",
}


def is_passing(answer: Answer) -> bool:
    """Whether the same call may be answered later."""
    return answer.status in PASSING or answer.fault in PASSING_FAULTS


def reason_of(answer: Answer) -> str:
    """Say what is wrong with an answer, in its own words if it has some."""
    if answer.fault in WORDS:
        return WORDS[answer.fault]
    said = " ".join(answer.body.decode(errors="replace").split())[:LONGEST_SAID]
    return f"{answer.status} {said}".strip()


def seconds_of(retry_after: str) -> float | None:
    """Return what Retry-After says, which is a number of seconds or a date."""
    if retry_after.isascii() and retry_after.isdecimal() and len(retry_after) < 10:
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - database_now()).total_seconds())
    except (ValueError, TypeError):
        return None
