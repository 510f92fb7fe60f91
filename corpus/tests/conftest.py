"""What several files of this room's tests are given."""

from collections.abc import Callable
from typing import Any

import pytest

from crowd.models import Campaign
from tests.support.factories import RELEASE_FORM, staff_client


@pytest.fixture
def by_page(django_capture_on_commit_callbacks: Any) -> Callable[..., Any]:
    """Freeze by the form; what is answered."""

    def send(campaign: Campaign, **fields: str) -> Any:
        client, base = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/releases/"
        with django_capture_on_commit_callbacks(execute=True):
            reply = client.post(f"{base}freeze/", {**RELEASE_FORM, **fields})
        return client.get(reply["Location"]) if reply.status_code == 302 else reply

    return send
