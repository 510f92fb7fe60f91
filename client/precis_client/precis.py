"""The way in: a server, and the token to act with."""

import json
import os
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Self

import httpx

from precis_client.campaigns import Campaign
from precis_client.connection import TIMEOUT, Connection, part
from precis_client.records import Record
from precis_client.retries import Retries


class Precis:
    """A Précis server.

    Parameters
    ----------
    url
        The address of the server; by default the environment variable ``PRECIS_URL``. It begins with https://; with
        http:// only a server on this computer is asked.
    token
        A token from the page of your account; by default the environment variable ``PRECIS_TOKEN``. It is sent to this
        server alone.
    timeout
        How long to wait for the server, in seconds or as httpx has it.
    retries
        How often a request is sent again when the connection breaks or the server is busy.
    transport
        What sends the requests, such as a transport of httpx's with another certificate authority.

    Examples
    --------
    >>> with Precis("https://precis.example.org", token="precis_…") as precis:
    ...     [campaign.slug for campaign in precis.campaigns()]
    ['winter']
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        url, token = _given(url, "PRECIS_URL", "url"), _given(token, "PRECIS_TOKEN", "token")
        self._connection = Connection(url, token, timeout=timeout, retries=retries, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Precis({str(self._connection.root).removesuffix('api/v1/')!r})"

    def close(self) -> None:
        """Close the connections to the server.

        Examples
        --------
        >>> precis.close()
        """
        self._connection.close()

    def campaigns(self, **filters: Any) -> Iterator[Campaign]:
        """Iterate over the campaigns that you are staff of.

        Examples
        --------
        >>> [campaign.slug for campaign in precis.campaigns(state="open")]
        ['winter']
        """
        for told in self._connection.rows(Record, "campaigns/", filters):
            yield Campaign(self._connection, told)

    def campaign(self, slug: str) -> Campaign:
        """Return a campaign by its short name.

        Examples
        --------
        >>> precis.campaign("winter").state
        'open'
        """
        return Campaign(self._connection, self._connection.get(f"campaigns/{part(slug)}/"))

    def create_campaign(self, file: str | PathLike[str] | Mapping[str, Any]) -> Campaign:
        """Create a campaign from a campaign file, with everything that the file sets.

        Parameters
        ----------
        file
            The file, or a dict of what would be in it.

        Examples
        --------
        >>> campaign = precis.create_campaign("study.yaml")
        >>> campaign.state
        'draft'
        >>> precis.create_campaign({"slug": "spring", "name": "Spring texts", "consent": "Do you agree?"})
        """
        # JSON is YAML, which the server reads.
        if isinstance(file, Mapping):
            text = json.dumps(dict(file), ensure_ascii=False)
        else:
            text = Path(file).read_text(encoding="utf-8")
        return Campaign(self._connection, self._connection.post("campaign-files/", {"file": text}))

    def call(
        self, method: str, path: str, sent: Mapping[str, Any] | None = None, asked: Mapping[str, Any] | None = None
    ) -> Any:
        """Call an operation of the API that has no method here, and return what it answers, as JSON holds it.

        Parameters
        ----------
        method
            The HTTP method.
        path
            What follows ``/api/v1/`` in the address.
        sent
            The body.
        asked
            The query.

        Examples
        --------
        >>> precis.call("POST", "campaigns/winter/people/3/exclude/rate/", {"excluded": True, "note": "Random points."})
        >>> precis.call("GET", "campaigns/winter/compressions/", asked={"seen": False})["results"]
        []
        """
        return self._connection.call(method, path, sent, asked)


def _given(value: str | None, variable: str, name: str) -> str:
    found = value or os.environ.get(variable, "")
    if not found.strip():
        raise ValueError(f"Give {name}=…, or set the environment variable {variable}.")
    return found.strip()
