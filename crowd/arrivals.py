"""The ids with which a platform sends somebody: parameters of the address, or a token that the platform has signed."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest

from crowd.models import JoinLink
from crowd.platforms import Platform
from crowd.services.entry import PlatformIds
from crowd.signing_keys import BadToken, public_keys, token_claims

MAX_ID_LENGTH = 200


def ids_of_arrival(request: HttpRequest, link: JoinLink) -> PlatformIds:
    """Return the ids in the address of a request; raise BadToken if the link wants them signed and they are not."""
    signed = link.platform.signed_ids
    if not link.signing_keys or signed is None:
        return _ids(link.platform, request.GET, is_signed=False)
    token = request.GET.get(signed.parameter, "")
    claims = token_claims(token, public_keys(link.signing_keys), issuer=signed.issuer)
    _check_audience(request, link, claims)
    named = claims.get(signed.claim)
    if not isinstance(named, dict) or not all(isinstance(value, str) for value in named.values()):
        raise BadToken(f"The token says nothing about {signed.claim}.")
    ids = _ids(link.platform, named, is_signed=True)
    if not ids.worker_id:
        raise BadToken("The token names nobody.")
    return ids


def _check_audience(request: HttpRequest, link: JoinLink, claims: dict[str, Any]) -> None:
    audience = claims.get("aud", [])
    places = audience if isinstance(audience, list) else [audience]
    if places and not any(_is_here(str(place), request.get_host(), link) for place in places):
        raise BadToken("The token is for another address.")


def _is_here(place: str, host: str, link: JoinLink) -> bool:
    """Whether an audience is this host, or the link's own address on it."""
    try:
        parts = urlsplit(place if "://" in place else f"//{place}")
    except ValueError:
        return False
    return parts.netloc.lower() == host.lower() and parts.path in {"", "/", link.get_absolute_url()}


def _ids(platform: Platform, named: Mapping[str, str], *, is_signed: bool) -> PlatformIds:
    return PlatformIds(
        worker_id=_worker_id(platform, named),
        study_id=_storable(named, platform.study_parameter),
        session_id=_storable(named, platform.session_parameter),
        is_signed=is_signed,
    )


def _worker_id(platform: Platform, named: Mapping[str, str]) -> str:
    worker_id = _storable(named, platform.worker_parameter).strip()
    is_hexadecimal = platform.is_id_hexadecimal and platform.is_possible_id(worker_id)
    return worker_id.lower() if is_hexadecimal else worker_id


def _storable(named: Mapping[str, str], name: str) -> str:
    """Return an id, cut to the length and characters that the database can store."""
    value = named.get(name, "") if name else ""
    return value.encode(errors="ignore").decode().replace("\x00", "")[:MAX_ID_LENGTH]
