"""Decoys: texts of language models that are only compared with what editors write."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import IntegrityError, transaction

from compressions.models import Compression, Decoy, System, Target
from compressions.services.comparison import compressions_compare
from corpus.models import OutputImport
from corpus.services.outputs import Taken, outputs_import
from crowd.models import Item, Round
from tests.support.api_client import Api
from tests.support.factories import edit_all, make_campaign, readable, staff_client

pytestmark = pytest.mark.django_db
DECOYS = Taken(as_decoys=True)
FILE = b"id,text\n1,The city will mend the bridge.\n2,They agreed.\n9,Nobody asked.\n"
WITH_RATINGS = (
    b"1\tLetters\tThe text. ||| The city will mend the bridge.\tM\t1\t6\tMost important meaning Flawless language\n"
)


def test_a_decoy_is_no_output_and_nobody_rates_it() -> None:
    campaign = make_campaign(sources=2)
    record = outputs_import(campaign=campaign, system="M", file_name="m.csv", content=FILE, taken=DECOYS)
    assert (record.added, record.refused) == (2, 1)
    assert record.problems == [(4, "the campaign has no source '9'")]
    assert list(Decoy.objects.order_by("source").values_list("source__source_id", "system", "text")) == [
        ("1", "M", "The city will mend the bridge."),
        ("2", "M", "They agreed."),
    ]
    assert not System.objects.exists()
    assert not Target.objects.exists()
    assert not Item.objects.filter(round=Round.RATE).exists()


def test_the_same_file_again_adds_nothing_and_another_text_is_refused() -> None:
    campaign = make_campaign(sources=2)
    outputs_import(campaign=campaign, system="M", file_name="m.csv", content=FILE, taken=DECOYS)
    again = outputs_import(campaign=campaign, system="M", file_name="m.csv", content=FILE, taken=DECOYS)
    assert (again.added, again.unchanged) == (0, 2)
    other = FILE.replace(b"They agreed.", b"They did not.")
    changed = outputs_import(campaign=campaign, system="M", file_name="m.csv", content=other, taken=DECOYS)
    assert (3, "the system has another output for source '2'") in changed.problems
    more = outputs_import(campaign=campaign, system="N", file_name="n.csv", content=FILE, taken=DECOYS)
    assert more.added == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        Decoy.objects.create(source=campaign.sources.order_by("pk")[0], system="M", text="Twice.")


def test_who_wrote_for_a_source_is_compared_again_with_a_new_decoy() -> None:
    campaign = make_campaign(sources=3)
    edit_all(campaign, 1)
    compressions_compare()
    assert not Compression.objects.filter(is_compared=False).exists()
    outputs_import(campaign=campaign, system="M", file_name="m.csv", content=FILE, taken=DECOYS)
    again = Compression.objects.filter(is_compared=False).values_list("source__source_id", flat=True)
    assert sorted(again) == ["1", "2"]


def test_decoys_have_no_ratings() -> None:
    campaign = make_campaign(sources=1)
    record = outputs_import(campaign=campaign, system="M", file_name="m.tsv", content=WITH_RATINGS, taken=DECOYS)
    assert (record.added, record.refused) == (0, 1)
    assert record.problems == [(1, "decoys have no ratings")]


def by_page(campaign: Any) -> None:
    client = staff_client(campaign.staff.get())
    sent = {"system": "M", "is_decoy": "on", "file": SimpleUploadedFile("m.csv", FILE)}
    assert client.post(f"/campaigns/{campaign.slug}/systems/", sent).status_code == 302
    record = OutputImport.objects.get()
    assert "Decoys" in readable(client.get(record.get_absolute_url()))


def by_program(campaign: Any) -> None:
    sent = {"system": "M", "decoys": "true", "file": SimpleUploadedFile("m.csv", FILE)}
    reply = Api(campaign.staff.get()).call("post", f"campaigns/{campaign.slug}/systems/imports/", sent, is_form=True)
    assert reply.status_code == 202


def by_command(campaign: Any, tmp_path: Any) -> None:
    file = tmp_path / "m.csv"
    file.write_bytes(FILE)
    call_command("import_outputs", "M", str(file), f"--campaign={campaign.slug}", "--decoys")


@pytest.mark.parametrize("way", [by_page, by_program])
def test_decoys_come_in_by_page_and_by_program(way: Any, django_capture_on_commit_callbacks: Any) -> None:
    campaign = make_campaign(sources=2)
    way(campaign)
    assert OutputImport.objects.get().is_decoy


def test_decoys_come_in_by_command_and_their_page_counts_them(tmp_path: Any) -> None:
    campaign = make_campaign(sources=2)
    by_command(campaign, tmp_path)
    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/systems/"))
    assert "Decoys: 2 texts of M." in page
    assert "There are no systems yet." in page
