"""A program that calls the API with a token."""

import itertools
import json
from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from crowd.models import Scope
from crowd.services.api_tokens import api_token_create

_numbers = itertools.count(1)
ALL_SCOPES = tuple(Scope.values)


def api_token(user: User, scopes: Collection[str] = ALL_SCOPES) -> str:
    """Make a token and return its words."""
    return api_token_create(user=user, name=f"token {next(_numbers)}", days=1, scopes=scopes)[1]


class Api:
    """Calls addresses below /api/v1/ for an account; without one, without a token."""

    def __init__(self, user: User | None = None, scopes: Collection[str] = ALL_SCOPES) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers = {"Authorization": f"Bearer {api_token(user, scopes)}"} if user else {}

    def call(self, method: str, address: str, sent: Any = None, *, is_form: bool = False, **headers: Any) -> Any:
        """Send JSON, or a form; `headers` are named with underscores."""
        named = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        path = address if address.startswith("/") else f"/api/v1/{address}"
        if method == "get":
            return self.client.get(path, sent or {}, headers=named)
        if is_form:
            return self.client.post(path, sent or {}, headers=named)
        body = json.dumps({} if sent is None else sent)
        return getattr(self.client, method)(path, body, "application/json", headers=named)

    def get(self, address: str, **asked: Any) -> Any:
        return self.call("get", address, asked)

    def post(self, address: str, sent: Any = None, **headers: Any) -> Any:
        return self.call("post", address, sent, **headers)

    def patch(self, address: str, sent: Mapping[str, Any]) -> Any:
        return self.call("patch", address, sent)
