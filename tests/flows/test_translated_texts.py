"""Translations go with the texts that they are of."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from pytest_django import DjangoAssertNumQueries

from common.jobs import job_run
from compressions.models import Source, TranslatedText, TranslationImport
from compressions.selectors.translations import translation_counts
from compressions.services.outputs import Output, outputs_add
from compressions.services.translations import translations_import
from corpus.services.erasure import worker_erase
from crowd.models import Campaign
from dashboard.services.deletion import campaign_delete
from tests.support.api_client import Api
from tests.support.factories import EDIT, enrol, make_campaign, staff_client, submit_text

pytestmark = pytest.mark.django_db
TEXT, OUTPUT, SHARED = "The committee agreed to repair the bridge.", "The bridge falls.", "They repair the bridge."


def translated(campaign: Campaign, kind: str, *texts: str) -> None:
    made = {"kind": kind, "language": "fr", "made_by": "X 2.1", "translated": "Un pont."}
    rows = [{"id": str(number), "text": text, **made} for number, text in enumerate(texts, start=1)]
    content = "\n".join(map(json.dumps, rows)).encode()
    assert translations_import(campaign=campaign, file_name="a.jsonl", content=content).added == len(texts)


FILE = b'{"id": "1", "kind": "source", "language": "fr", "made_by": "<Ann>", "translated": "Un pont."}'


@pytest.fixture
def campaign() -> Campaign:
    """An editor wrote two texts, one of which a system has as well."""
    campaign = make_campaign(sources=2, texts_go_on_erasure=True)
    bob = enrol(campaign, EDIT, "Bob")
    wrote = {sent.source.source_id: sent.text for sent in [submit_text(bob, text) for text in (TEXT, SHARED)]}
    outputs = [Output(1, next(name for name, text in wrote.items() if text == SHARED), SHARED)]
    outputs_add(campaign=campaign, system="T3", outputs=outputs)
    translated(campaign, "reference", wrote["1"], wrote["2"])
    translated(campaign, "source", "", "")
    return campaign


def test_a_translation_goes_with_the_text_of_an_erased_person(campaign: Campaign) -> None:
    worker_erase(worker=campaign.workers.get())
    left = TranslatedText.objects.values_list("kind", "target__text")
    assert sorted(left, key=str) == [("reference", SHARED), ("source", None), ("source", None)]


def test_a_translation_of_a_text_that_stays_stays(campaign: Campaign) -> None:
    Campaign.objects.update(texts_go_on_erasure=False)
    worker_erase(worker=Campaign.objects.get().workers.get())
    assert TranslatedText.objects.count() == 4


def test_translations_go_with_their_campaign(campaign: Campaign) -> None:
    campaign_delete(campaign=campaign, user=None)
    assert not Source.objects.exists()
    assert not TranslatedText.objects.exists()
    assert not TranslationImport.objects.exists()


def test_the_page_takes_a_file_and_counts_translations(
    campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/translations/"
    row = '{"id": "9", "kind": "source", "language": "fr", "made_by": "Ann", "translated": "Un pont."}'
    answer = client.post(address, {"file": SimpleUploadedFile("fr.jsonl", FILE + b"\n" + row.encode())})
    record = TranslationImport.objects.latest("pk")
    assert answer.headers["Location"] == f"{address}{record.pk}/"
    assert record.job_id is not None
    job_run(job_id=record.job_id)
    page = client.get(f"{address}{record.pk}/").content.decode()
    assert "Translations from fr.jsonl" in page
    assert "the campaign has no source &#x27;9&#x27;" in page
    with django_assert_max_num_queries(12):
        page = client.get(address).content.decode()
    assert "&lt;Ann&gt;" in page
    assert [tuple(each) for each in translation_counts(campaign)] == [
        ("fr", "<Ann>", 1, 0, 0),
        ("fr", "X 2.1", 2, 2, 0),
    ]


def test_the_page_refuses_what_is_too_large(campaign: Campaign) -> None:
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/translations/"
    assert client.post(address, {"file": ""}).status_code == 422
    with override_settings(UPLOAD_MAX_BYTES=10):
        answer = client.post(address, {"file": SimpleUploadedFile("fr.jsonl", FILE)})
    assert answer.status_code == 413
    assert "import_translations" in answer.content.decode()


def test_programs_import_translations(campaign: Campaign) -> None:
    api, address = Api(campaign.staff.get()), f"campaigns/{campaign.slug}/translations/imports/"
    answer = api.call("post", address, {"file": SimpleUploadedFile("fr.jsonl", FILE)}, is_form=True)
    assert answer.status_code == 202
    begun = answer.json()
    job_run(job_id=begun["job"])
    found = api.get(f"campaigns/{campaign.slug}/imports/translations/{begun['id']}/").json()
    assert (found["state"], found["added"], found["problems"]) == ("done", 1, [])
    assert api.call("post", address, {}, is_form=True).status_code == 400
