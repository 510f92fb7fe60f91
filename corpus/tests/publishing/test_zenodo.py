"""Uploads to a server that answers as Zenodo's deposit API does."""

import json
from collections.abc import Callable

import pytest
from django.core.management import CommandError

from corpus.models import Release
from corpus.tests.publishing.servers import TOKEN, Failure, Zenodo
from crowd.models import AuditEntry, Campaign
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db
Publish = Callable[..., str]


def wanted(release: Release) -> dict[str, bytes]:
    names = (f"{release.name}.zip", "README.md", "croissant.json", "manifest.json")
    return {name: (release_folder(release) / name).read_bytes() for name in names}


def test_a_release_becomes_a_draft_that_is_not_published(release: Release, zenodo: Zenodo, publish: Publish) -> None:
    said = publish("zenodo", zenodo)

    assert zenodo.files == wanted(release)
    (draft,) = zenodo.drafts.values()
    assert draft["metadata"] == {
        "upload_type": "dataset",
        "title": f"{release.campaign.name}, version 1",
        "creators": [{"name": "A. Author"}, {"name": "B. Author"}],
        "description": f"<p>{release.name}: 3 sources, 3 compressions, 6 ratings.</p>"
        "<p>README.md among the files says how it was collected.</p>",
        "version": "1.0.0",
        "publication_date": release.created_at.date().isoformat(),
        "access_right": "open",
        "license": "cc-by-4.0",
        "notes": f"SHA-256 of manifest.json: {release.checksum}",
        "prereserve_doi": {"doi": "10.5072/zenodo.1000", "recid": 1000},
        "related_identifiers": [
            {"identifier": "https://example.org/headlines", "relation": "isDerivedFrom"},
            {"identifier": "https://example.org/", "relation": "isDocumentedBy"},
        ],
    }
    assert said.splitlines()[-1] == (
        f"The draft is complete, and not published: {zenodo.origin}/uploads/1000 Its DOI will be 10.5072/zenodo.1000."
    )
    assert {step for step, _, _ in zenodo.calls} == {"list", "create", "put"}
    assert AuditEntry.objects.get(action="release uploaded").detail == f"{zenodo.origin}/uploads/1000"


def test_what_is_not_known_is_asked_for_there(zenodo: Zenodo, publish: Publish, release: Release) -> None:
    Campaign.objects.filter(pk=release.campaign_id).update(licence="", homepage="", description="A <b>bold</b> corpus.")
    Release.objects.filter(pk=release.pk).update(data_statement={})

    said = publish("zenodo", zenodo)

    metadata = next(iter(zenodo.drafts.values()))["metadata"]
    assert said.endswith("Zenodo still asks for who made the corpus and a licence that it knows.\n")
    assert not {"creators", "license", "related_identifiers"} & metadata.keys()
    assert metadata["description"].startswith("<p>A &lt;b&gt;bold&lt;/b&gt; corpus.</p>")


def test_a_draft_goes_on_with_what_was_changed_in_it(release: Release, zenodo: Zenodo, publish: Publish) -> None:
    zenodo.failures = [Failure("put", 413)]
    with pytest.raises(CommandError, match="413"):
        publish("zenodo", zenodo)
    (draft,) = zenodo.drafts.values()
    draft["metadata"]["title"] = "A better title"
    publish("zenodo", zenodo)
    sent = zenodo.count("put")
    publish("zenodo", zenodo)
    assert zenodo.count("put") == sent
    assert zenodo.count("create") == 1
    assert zenodo.files == wanted(release)
    assert draft["metadata"]["title"] == "A better title"


def test_what_is_published_is_left(release: Release, zenodo: Zenodo, publish: Publish) -> None:
    publish("zenodo", zenodo)
    zenodo.drafts[1000]["submitted"] = True
    with pytest.raises(CommandError, match=f"is published there already: {zenodo.origin}/uploads/1000"):
        publish("zenodo", zenodo)


PASSING = {
    "list 500": (Failure("list", 500), [1.0]),
    "create 429": (Failure("create", 429, headers={"Retry-After": "9"}), [9.0]),
    "a create whose answer is lost": (Failure("create", 0, is_done=True), [1.0]),
    "put 500s": (Failure("put", 500, 4), [1.0, 4.0, 16.0, 60.0]),
    "an upload that is cut": (Failure("put", 0), [1.0]),
}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_tried_again_and_makes_one_draft(
    release: Release, zenodo: Zenodo, publish: Publish, waited: list[float], name: str
) -> None:
    failure, pauses = PASSING[name]
    zenodo.failures = [Failure(**vars(failure))]
    publish("zenodo", zenodo)
    assert zenodo.files == wanted(release)
    assert len(zenodo.drafts) == 1
    assert waited == pauses


INVALID = {
    "status": 400,
    "message": "Validation error",
    "errors": [{"field": "metadata.license", "message": "Unknown"}],
}
FINAL = {
    "400": (
        Failure("create", 400, body=json.dumps(INVALID).encode()),
        "400 Validation error metadata.license: Unknown",
    ),
    "403": (Failure("create", 403, body=b'{"message": "Forbidden"}'), "403 Forbidden"),
    "404": (Failure("put", 404), "404 <html>made up</html>"),
    "409": (Failure("put", 409), "409"),
    "415": (Failure("create", 415), "415"),
    "a redirect": (Failure("list", 302, headers={"Location": "http://127.0.0.1:9/"}), "redirects are not followed"),
    "a long wait": (Failure("list", 429, headers={"Retry-After": "3600"}), "it asks to wait 3600 seconds"),
    "a long answer": (Failure("list", 200, body=b"[" * 100_001), "its answer is too long"),
    "no JSON": (Failure("list", 200), "its answer is not what its documents say"),
    "other JSON": (Failure("create", 201, body=b'{"links": 1}'), "its answer is not what its documents say"),
    "500s": (Failure("list", 500, 9), "5 times in a row"),
}


@pytest.mark.parametrize("name", FINAL)
def test_what_does_not_pass_is_told_without_the_token(
    zenodo: Zenodo, publish: Publish, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    failure, words = FINAL[name]
    zenodo.failures = [Failure(**vars(failure))]
    with pytest.raises(CommandError) as refused:
        publish("zenodo", zenodo)
    assert words in str(refused.value)
    assert TOKEN not in f"{refused.value!r}{refused.value.__cause__!r}{caplog.text}"


def test_a_wrong_token_is_not_repeated_where_the_server_repeats_it(zenodo: Zenodo, publish: Publish) -> None:
    with pytest.raises(CommandError, match="401 Not authorized: Bearer TOKEN"):
        publish("zenodo", zenodo, token="another-token")


def test_a_file_that_arrives_otherwise_is_sent_again(release: Release, zenodo: Zenodo, publish: Publish) -> None:
    zenodo.wrong_checksums = 2
    publish("zenodo", zenodo)
    assert zenodo.files == wanted(release)
    assert zenodo.count("put") == len(wanted(release)) + 2


def test_a_file_that_never_arrives_as_it_is_stops_the_upload(zenodo: Zenodo, publish: Publish) -> None:
    zenodo.wrong_checksums = 3
    with pytest.raises(CommandError, match="arrives otherwise than it was sent"):
        publish("zenodo", zenodo)


def test_the_token_goes_to_no_other_host(zenodo: Zenodo, publish: Publish) -> None:
    with Zenodo().running() as other:
        zenodo.bucket = f"{other.origin}/api/files/b"
        with pytest.raises(CommandError, match="the host is not listed"):
            publish("zenodo", zenodo)
        assert other.calls == []
