"""Every operation of the API, with what it is called with; what each role gets follows from what is declared."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, reverse

from crowd.access import MAY, Access
from crowd.models import Role
from tests.support.addresses import Arguments, addresses, nothing, of_campaign
from tests.support.world import (
    ADMINISTRATOR,
    ANONYMOUS,
    EXPERT,
    MANAGER,
    OTHER_STAFF,
    STAFF,
    STRANGER,
    VIEWER,
    WORKER,
    World,
)

Sent = Callable[[World], Mapping[str, Any]]
METHODS = ("get", "post", "put", "patch", "delete")
SAFE = {"get"}
ROLE_OF = {
    STAFF: Role.OWNER,
    ADMINISTRATOR: Role.OWNER,
    MANAGER: Role.MANAGER,
    VIEWER: Role.VIEWER,
    EXPERT: Role.EXPERT,
}


@dataclass(frozen=True)
class Call:
    """What a method is sent, and the status that it answers with to whoever may call it."""

    status: int = 200
    sent: Sent = nothing
    is_form: bool = False


@dataclass(frozen=True)
class ApiRow:
    """An address of the API: who may use it, and its methods."""

    access: Access
    arguments: Arguments = nothing
    calls: Mapping[str, Call] = field(default_factory=dict)

    def status(self, method: str, role: str) -> int:
        """The status that a role gets; whoever has no token learns nothing else."""
        if role in {ANONYMOUS, WORKER, STRANGER}:
            return 401
        return self._refusal(method, role) or (self.calls[method].status if method in self.calls else 405)

    def _refusal(self, method: str, role: str) -> int | None:
        if self.access is Access.SIGNED_IN:
            return None
        rights = MAY[self.access]
        if role == OTHER_STAFF or ROLE_OF[role] not in rights.see:
            return 404
        return None if ROLE_OF[role] in (rights.look if method in SAFE else rights.change) else 403


API_TABLE = {
    "crowd-api:campaigns": ApiRow(Access.SIGNED_IN, calls={"get": Call()}),
    "crowd-api:campaign": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"get": Call()}),
    "crowd-api:state": ApiRow(Access.CAMPAIGN_STAFF, of_campaign, {"post": Call(sent=lambda _: {"state": "paused"})}),
}


def api_address(name: str, world: World) -> str:
    return reverse(name, kwargs=dict(API_TABLE[name].arguments(world)))


def api_addresses() -> Iterator[tuple[str, URLPattern]]:
    """Every address of the API, by its full name."""
    return ((name, pattern) for name, pattern in addresses() if getattr(pattern.callback, "is_api", False))
