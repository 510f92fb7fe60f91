"""The page of ratings from files, the API beside it, and the command."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from common.models import Job
from crowd.models import AuditEntry, Campaign
from ratings.models import ModelRater, ModelRating, RatingImport
from ratings.tests.imports.files import as_jsonl, counts, imported, line, with_outputs
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return with_outputs(owner=make_staff())


@pytest.fixture
def client(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def upload(client: Client, campaign: Campaign, content: bytes, **fields: Any) -> Any:
    """Upload a file and let its job run."""
    sent = {"pool": "model", "file": SimpleUploadedFile("ratings.jsonl", content), **fields}
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.post(f"/campaigns/{campaign.slug}/ratings/import/", sent)


def test_an_upload_is_read_by_a_job_whose_page_says_what_became_of_each_line(
    client: Client, campaign: Campaign
) -> None:
    reply = upload(client, campaign, as_jsonl([line(rater="m"), line(rater="m", number=9)]))

    record = RatingImport.objects.get()
    assert (reply.status_code, reply["Location"]) == (302, f"/campaigns/{campaign.slug}/ratings/import/{record.pk}/")
    assert Job.objects.latest("pk").message == "1 rating added, 0 known before, 1 refused."
    page = readable(client.get(reply["Location"]))
    assert "the campaign has no source '9'" in page
    listed = readable(client.get(f"/campaigns/{campaign.slug}/ratings/import/"))
    assert re.search(r">m</th>\s*<td class=\"num\">1</td>", listed)
    assert "ratings.jsonl" in listed


def test_the_page_counts_people_by_pool(client: Client, campaign: Campaign) -> None:
    imported(campaign, [line(), line(rater="bob"), line("Beta"), line(rater="")])
    imported(campaign, [line()], "experts")

    page = readable(client.get(f"/campaigns/{campaign.slug}/ratings/import/"))

    assert re.findall(r"<th scope=\"row\">([a-z ]+)</th>\s*((?:<td class=\"num\">\d+</td>\s*)+)", page)
    numbers = re.findall(r"<td class=\"num\">(\d+)</td>", page.split("<h2>People</h2>")[1].split("</table>")[0])
    assert numbers == ["2", "3", "1", "1", "1", "0"]


def test_the_page_takes_as_many_queries_however_much_there_is(client: Client, campaign: Campaign) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{campaign.slug}/ratings/import/").status_code == 200
        return len(captured)

    imported(campaign, [line(rater="m")], "model")
    imported(campaign, [line()])
    few = queries()
    for number in range(3):
        imported(campaign, [line(rater=f"m {number}"), line("Beta", rater="m")], "model")
        imported(campaign, [line(rater=f"rater {number}"), line(rater="")])
    assert queries() == few


def test_what_the_form_refuses_is_said_beside_it(client: Client, settings: Settings) -> None:
    campaign = make_campaign(sources=1, rating_task="pair", owner=make_staff())
    paired = upload(staff_client(campaign.staff.get()), campaign, b"{}")
    assert (paired.status_code, "compare two texts" in readable(paired)) == (422, True)

    settings.UPLOAD_MAX_BYTES = 2
    owner = campaign.staff.get()
    large = upload(staff_client(owner), campaign, b"{} ")
    assert (large.status_code, "manage.py import_ratings" in readable(large)) == (413, True)
    assert upload(staff_client(owner), campaign, b"{}", pool="robots").status_code == 422
    assert not RatingImport.objects.exists()


def test_staff_delete_the_ratings_of_a_model_after_being_asked(client: Client, campaign: Campaign) -> None:
    imported(campaign, [line(rater="m"), line("Beta", rater="m"), line(rater="n")], "model")
    rater = ModelRater.objects.get(name="m")
    address = f"/campaigns/{campaign.slug}/ratings/models/{rater.pk}/delete/"

    assert "The model and its 2 ratings are deleted for good." in readable(client.get(address))
    assert ModelRating.objects.count() == 3
    reply = client.post(address, follow=True)

    assert "2 ratings by m are deleted." in readable(reply)
    assert list(ModelRater.objects.values_list("name", flat=True)) == ["n"]
    assert AuditEntry.objects.latest("pk").action == "model ratings deleted"
    assert client.post(address).status_code == 404


def test_programs_do_what_pages_do(campaign: Campaign) -> None:
    api = Api(campaign.staff.get())
    base = f"campaigns/{campaign.slug}/ratings/"
    file = SimpleUploadedFile("r.jsonl", as_jsonl([line(rater="m"), line(rater="m", meaning=9)]))
    with TestCase.captureOnCommitCallbacks(execute=True):
        asked = api.post(f"{base}imports/", {"pool": "model", "file": file}, is_form=True)

    assert asked.status_code == 202
    told = api.get(f"campaigns/{campaign.slug}/imports/ratings/{asked.json()['id']}/").json()
    assert (told["kind"], told["state"], told["added"], told["refused"]) == ("ratings", "done", 1, 1)
    assert told["problems"][0]["line"] == 2
    (model,) = api.get(f"{base}models/").json()["results"]
    assert (model["name"], model["ratings"]) == ("m", 1)
    assert api.call("delete", f"{base}models/{model['id']}/").status_code == 204
    assert api.call("delete", f"{base}models/{model['id']}/").status_code == 404
    assert not ModelRating.objects.exists()


def test_the_command_says_what_became_of_the_lines(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ratings.jsonl"
    file.write_bytes(as_jsonl([line(), line(rater="bob", meaning=7)]))

    call_command("import_ratings", file, "--pool", "crowd")

    said = capsys.readouterr()
    assert said.out == "1 rating added, 0 known before, 1 refused.\n"
    assert said.err == "ratings.jsonl, line 2: refused: meaning: 7 is not one of the points 1, 2, 3\n"
    assert counts(RatingImport.objects.get()) == (1, 0, 1)
    with pytest.raises(CommandError, match=r"a file of ratings ends in"):
        call_command("import_ratings", __file__)
