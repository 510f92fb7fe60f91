"""One call of a webhook, signed."""

import hashlib
import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping

from django.conf import settings

from common.outgoing.client import Answer, Bounds, post
from crowd.models import Webhook

BOUNDS = Bounds(seconds=10.0, connect_seconds=4.0, read_seconds=8.0)
"""Of a call; what its answer says beside the status is never read."""
SIGNATURE, DELIVERY, EVENT = "Precis-Signature", "Precis-Delivery", "Precis-Event"


def webhook_secret(webhook: Webhook) -> str:
    """Return what a webhook's calls are signed with. The database alone does not tell it."""
    key = settings.SECRET_KEY.encode()
    digest = hmac.digest(key, f"precis webhook {webhook.salt}".encode(), hashlib.sha256)
    return "whsec_" + urlsafe_b64encode(digest).decode().rstrip("=")


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the header that signs a body and its time.

    >>> signature("whsec_1", b"{}", 1700000000)[:31]
    't=1700000000,v1=c8cf6ed9fd91208'
    """
    signed = hmac.digest(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={signed.hex()}"


def call(address: str, body: bytes, headers: Mapping[str, str], secret: str) -> Answer:
    """Send a body to an address, if this installation may, and return what became of it."""
    signed = {SIGNATURE: signature(secret, body, int(time.time()))}
    return post(address, body, {**headers, **signed}, receivers=settings.WEBHOOK_RECEIVERS, bounds=BOUNDS)
