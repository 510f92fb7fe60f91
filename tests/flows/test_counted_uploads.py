"""Whatever comes in as a file, or as large as one, counts in the uploads of the account's day."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from common.models import RateCount
from crowd.services.account_bounds import account_bounds
from tests.support.api_client import Api
from tests.support.factories import readable, staff_client
from tests.support.world import World

pytestmark = pytest.mark.django_db
QUESTIONS = b'{"source": "A text."}\n'
CAMPAIGN = "campaigns/{slug}/"
OPERATIONS = "campaigns/{slug}/releases/{version}/operations/reports/"


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        (f"{CAMPAIGN}examples/", QUESTIONS),
        (f"{CAMPAIGN}gold/", QUESTIONS),
        (f"{CAMPAIGN}imports/", b"id,text\n"),
        ("campaign-files/", {"file": "name: B\n"}),
        (OPERATIONS, {"word_pairs": "auto\tcar\n"}),
        (f"/{CAMPAIGN}examples/import/", QUESTIONS),
        (f"/{CAMPAIGN}gold/import/", QUESTIONS),
        ("/campaigns/new/from-file/", b"name: B\n"),
        (f"/{OPERATIONS}", b"auto\tcar\n"),
    ],
)
def test_what_is_uploaded_counts(world: World, settings: Settings, address: str, sent: Any) -> None:
    place = address.format(slug=world.campaign.slug, version=world.release.version)
    RateCount.objects.all().delete()

    def uploads() -> Any:
        if isinstance(sent, dict):
            return Api(world.owner).post(place, sent)
        name = "word_pairs" if "operations" in place else "file"
        form = {name: SimpleUploadedFile("a.csv" if "imports" in place else "a.jsonl", sent)}
        if place.startswith("/"):
            return staff_client(world.owner).post(place, form, follow=True)
        return Api(world.owner).call("post", place, form, is_form=True)

    assert uploads().status_code != 429
    assert account_bounds(world.owner)[2].has == 1
    settings.UPLOADS_MB_PER_DAY = 0
    assert "You have uploaded as much as an account may in a day." in readable(uploads())
