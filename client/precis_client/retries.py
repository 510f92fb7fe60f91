"""When a request is sent again, and after how long."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

PASSING = frozenset({429, 502, 503, 504})
"""Statuses after which a request may be tried again."""


@dataclass(frozen=True)
class Retries:
    """How often a request is sent again that met a broken connection, or a server that was busy or restarting.

    Parameters
    ----------
    most
        How many times at most, after the first.
    first_wait
        Seconds before the first repetition. Each wait is twice the one before, less a random part of up to a half,
        so that many clients do not all return in the same moment.
    longest_wait
        No wait is longer. If the server asks for more (``Retry-After``), the error is raised at once and says how long.

    Examples
    --------
    >>> precis = Precis("https://precis.example.org", token="precis_…", retries=Retries(most=2))
    """

    most: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0

    def waits(self) -> Iterator[float]:
        """Yield the seconds before each repetition.

        Examples
        --------
        >>> [round(wait, 1) for wait in Retries(most=3).waits()]
        [0.4, 0.7, 1.9]
        """
        for number in range(self.most):
            yield min(self.longest_wait, self.first_wait * 2**number) * random.uniform(0.5, 1)


def retry_after(response: httpx.Response) -> float | None:
    """Return the seconds that a server asks to wait for, which it tells as a number or as a date."""
    told = response.headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
