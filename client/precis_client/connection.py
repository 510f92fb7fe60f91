"""Requests to one server: with the token, retries, idempotency keys, and errors as exceptions."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn
from urllib.parse import quote
from uuid import uuid4

import httpx

from precis_client.addresses import is_same_origin, refuse_unless_safe, server_address
from precis_client.errors import PrecisError, error_of
from precis_client.retries import PASSING, Retries, retry_after
from precis_client.rows import Given, R, Rows, opened

PAGE = 500
MOST_REDIRECTS = 5
TIMEOUT = httpx.Timeout(60, connect=10)
Asked = Mapping[str, Any]


class Connection:
    """Sends requests to the API of one server, and the token to no other."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not token.isascii() or not token.isprintable() or " " in token:
            raise ValueError("A token has only printable ASCII characters and no spaces.")
        self.root = server_address(address)
        self._token, self._retries, self.sleep = token, retries or Retries(), sleep
        self._client = httpx.Client(timeout=timeout, transport=transport, follow_redirects=False, verify=True)

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, asked: Asked | None = None) -> Any:
        return self._answer("GET", path, params=_query(asked))

    def post(self, path: str, sent: Asked | None = None, *, asked: Asked | None = None) -> Any:
        return self._answer("POST", path, json=dict(sent or {}), params=_query(asked))

    def patch(self, path: str, sent: Asked) -> Any:
        return self._answer("PATCH", path, json=dict(sent))

    def put(self, path: str, sent: Asked) -> Any:
        return self._answer("PUT", path, json=dict(sent))

    def delete(self, path: str) -> Any:
        return self._answer("DELETE", path)

    def upload(self, path: str, given: Given, sent: Asked | None = None) -> Any:
        """Send a form with a file, which is read from the disk as it is sent, or with rows."""
        with opened(given) as file:
            fields = {name: str(value) for name, value in (sent or {}).items()}
            return self._answer("POST", path, files={"file": file}, data=fields)

    def rows(self, kind: type[R], path: str, asked: Asked | None = None, *, by_post: bool = False) -> Rows[R]:
        """Return all rows of a list; the next page is asked for when it is needed."""
        return Rows(map(kind, self._pages(path, asked, by_post=by_post)))

    def _pages(self, path: str, asked: Asked | None, *, by_post: bool) -> Iterator[Asked]:
        query = {"limit": PAGE} | dict(asked or {})
        while True:
            page = self.post(path, asked=query) if by_post else self.get(path, query)
            yield from page["results"]
            if page["cursor"] is None:
                return
            query["cursor"] = page["cursor"]

    @contextmanager
    def download(self, path: str, begin: int) -> Iterator[httpx.Response]:
        """Ask for a file from a byte on; the caller reads the body of the answer as it comes."""
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={begin}-"} if begin else {})
        response = self._sent("GET", self.root.join(path), stream=True, headers=headers)
        try:
            if response.is_error and response.status_code != httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                response.read()
                raise error_of(response, retry_after(response))
            yield response
        finally:
            response.close()

    def call(self, method: str, path: str, sent: Asked | None, asked: Asked | None) -> Any:
        """Call any operation."""
        body = {} if sent is None else {"json": dict(sent)}
        return self._answer(method.upper(), path.removeprefix("/api/v1/"), params=_query(asked), **body)

    def text(self, path: str) -> str:
        """Return an answer that is not JSON."""
        return self._answered("GET", path).text

    def _answered(self, method: str, path: str, **named: Any) -> httpx.Response:
        response = self._sent(method, self.root.join(path), **named)
        if response.is_error:
            raise error_of(response, retry_after(response))
        return response

    def _answer(self, method: str, path: str, **named: Any) -> Any:
        response = self._answered(method, path, **named)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError as error:
            raise PrecisError(
                "The answer is not JSON. Is this the address of a Précis server?", status=response.status_code
            ) from error

    def _sent(self, method: str, url: httpx.URL, *, stream: bool = False, **named: Any) -> httpx.Response:
        """Send a request until it is answered. A POST keeps its key, so that nothing is done twice."""
        headers = dict(named.pop("headers", {}))
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid4())
        waits = self._retries.waits()
        while True:
            wait = next(waits, None)
            try:
                response = self._followed(method, url, stream=stream, headers=headers, **named)
            except httpx.TransportError as error:
                if wait is None:
                    _raise_unreached(self.root, error)
            else:
                wait = self._wait_after(response, wait)
                if wait is None:
                    return response
                response.close()
            _rewind(named)
            self.sleep(wait)

    def _wait_after(self, response: httpx.Response, wait: float | None) -> float | None:
        """Return how long to wait before the request is sent again; None if this answer is the last word."""
        if response.status_code not in PASSING or wait is None:
            return None
        asked = retry_after(response)
        if asked is None:
            return wait
        return asked if asked <= self._retries.longest_wait else None

    def _followed(self, method: str, url: httpx.URL, **named: Any) -> httpx.Response:
        """Send a request and follow redirects: the token stays with our server."""
        for _ in range(MOST_REDIRECTS):
            response = self._once(method, url, **named)
            if not response.has_redirect_location:
                return response
            response.close()
            url = url.join(response.headers["Location"])
            if method != "GET":
                raise PrecisError(
                    f"The server redirects to {url.scheme}://{url.host}: use its own address.",
                    status=response.status_code,
                )
            named.pop("params", None)  # a new address has its own query
        raise PrecisError("The server redirects too many times.")

    def _once(
        self, method: str, url: httpx.URL, *, stream: bool, headers: Mapping[str, str], **named: Any
    ) -> httpx.Response:
        try:
            refuse_unless_safe(url)
        except ValueError as error:
            raise PrecisError(str(error)) from error
        own = {"Authorization": f"Bearer {self._token}"} if is_same_origin(url, self.root) else {}
        self._client.cookies.clear()
        request = self._client.build_request(method, url, headers={**headers, **own}, **named)
        return self._client.send(request, stream=stream)


def _query(asked: Asked | None) -> dict[str, Any] | None:
    """Leave out what is None; httpx writes true and false as JSON does."""
    return {name: value for name, value in (asked or {}).items() if value is not None} or None


def _rewind(named: Mapping[str, Any]) -> None:
    for _name, file in named.get("files", {}).values():
        file.seek(0)


def _raise_unreached(root: httpx.URL, error: httpx.TransportError) -> NoReturn:
    what = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
    raise PrecisError(f"{root.scheme}://{root.netloc.decode()} {what}: {error}") from error


def part(value: object) -> str:
    """Return a name or number as one part of a path."""
    text = str(value)
    if text in {"", ".", ".."}:
        raise ValueError(f"{text!r} names nothing.")
    return quote(text, safe="")
