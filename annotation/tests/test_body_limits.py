"""What is too large is refused before it is parsed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.urls import get_resolver
from pytest_django.fixtures import Settings

from annotation.failures import FORM_OVERHEAD_BYTES, LOST_SESSION_BYTES, STRANGERS_BYTES
from common.api.endpoint import SMALL_BODY
from compressions.services.submission import MAX_LOG_BYTES
from crowd.access import Access
from measures.keystrokes.edit_log import MAX_TEXT_LENGTH
from tests.support.addresses import TABLE, address_of
from tests.support.api_addresses import API_TABLE, api_address
from tests.support.api_client import api_token
from tests.support.factories import EDIT, make_campaign, make_staff, staff_client, worker_client
from tests.support.world import ADMINISTRATOR, ANONYMOUS, MANAGER, ROLES, STAFF, STRANGER, VIEWER, WORKER, World

pytestmark = pytest.mark.django_db

SMALL = 4 * 1024 * 1024
UPLOADS = (
    "compressions:imports",
    "compressions:translations",
    "corpus:systems",
    "edit-operations:reports",
    "protocols:factoids:reports",
    "protocols:links:reports",
    "protocols:peer:reports",
    "protocols:set-up",
    "protocols:sounds",
    "ratings:example-import",
    "ratings:gold-import",
    "ratings:import-ratings",
    "systems:train",
)
OF_ANOTHER_TASK = {
    "protocols:factoids:reports",
    "protocols:links:reports",
    "protocols:peer:reports",
    "protocols:sounds",
}
"""Uploads that the campaign of the world answers with 404, before anything is read."""
API_TEXTS = {"crowd-api:campaigns", "crowd-api:settings", "api-campaign-files", "edit_operations-api:reports"}
API_UPLOADS = (
    "compressions-api:imports",
    "compressions-api:translation-imports",
    "corpus-api:output-imports",
    "protocols-api:material",
    "protocols-api:sounds",
    "ratings-api:examples",
    "ratings-api:gold",
    "ratings-api:rating-imports",
)
MULTIPART = "multipart/form-data; boundary=line"


class Untouchable:
    """A body that nobody may read."""

    def read(self, *_: int) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def send(client: Client, address: str, length: int, **headers: str) -> Any:
    """Announce a body of this length, which must not be read."""
    extra: dict[str, Any] = {"wsgi.input": Untouchable(), "CONTENT_LENGTH": str(length), **headers}
    return client.generic("POST", address, b"x", MULTIPART, **extra)


def multipart(size: int) -> bytes:
    """A form with one file, `size` bytes in all."""
    head = b'--line\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'
    return head + b" " * (size - len(head) - len(b"\r\n--line--\r\n")) + b"\r\n--line--\r\n"


@pytest.fixture
def spool(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """The folder to which Django would write uploads; it never lets one stay."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    settings.FILE_UPLOAD_TEMP_DIR = str(folder)
    yield folder
    assert list(folder.iterdir()) == []


def limit_of(name: str, role: str) -> int:
    access = access_of(name)
    if name in (*UPLOADS, *API_UPLOADS) and role in {STAFF, MANAGER, ADMINISTRATOR}:
        return 20 * 1024 * 1024 + FORM_OVERHEAD_BYTES
    if access is Access.WORKER:
        return SMALL if role in {WORKER, STRANGER} else LOST_SESSION_BYTES
    of_staff = access in {Access.SIGNED_IN, Access.CAMPAIGN_STAFF, Access.CAMPAIGN_MANAGER, Access.CAMPAIGN_OWNER}
    if not of_staff or role in {ANONYMOUS, WORKER, STRANGER}:
        return STRANGERS_BYTES
    return SMALL if name not in API_TABLE or name in API_TEXTS else SMALL_BODY


def access_of(name: str) -> Access | None:
    def views(resolver: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
        for each in resolver.url_patterns:
            if hasattr(each, "url_patterns"):
                yield from views(each, f"{prefix}{each.namespace}:" if each.namespace else prefix)
            else:
                yield f"{prefix}{each.name}", each.callback

    return getattr(dict(views(get_resolver()))[name], "access", None)


@pytest.mark.parametrize("role", ROLES)
def test_no_address_reads_more_than_it_accepts(role: str, world: World) -> None:
    for name, row in TABLE.items():
        address = address_of(name, world)
        limit = limit_of(name, role)
        response = send(world.client(role, row.work_round), address, limit + 1)
        assert response.status_code == 413, name
        assert said(limit, response) in response.content.decode(), name
        assert response.headers["X-Frame-Options"] == "DENY"


def said(limit: int, response: Any) -> str:
    """What a page tells people, or the API a program, which may have JSON escapes."""
    if response.headers["Content-Type"] == "application/problem+json":
        return json.dumps(f"at most {filesizeformat(limit)} are accepted here.")[1:-1]
    return f"more than the {filesizeformat(limit)} that this page accepts"


@pytest.mark.parametrize("charset", ["rot13", "hex", "zip", "utf-8", "latin-1", "nonsense"])
@pytest.mark.parametrize("address", ["/login/", "/api/v1/campaigns/"])
def test_a_body_in_a_charset_that_is_none_of_text_is_refused(charset: str, address: str) -> None:
    answer = Client().generic("POST", address, b"a=1", f"application/x-www-form-urlencoded; charset={charset}")
    assert (answer.status_code == 415) == (charset in {"rot13", "hex", "zip"})
    assert answer.status_code < 500


@pytest.mark.parametrize("role", [ANONYMOUS, VIEWER, MANAGER])
def test_no_address_of_the_api_reads_more_than_it_accepts(role: str, world: World) -> None:
    headers = {} if role == ANONYMOUS else {"HTTP_AUTHORIZATION": f"Bearer {api_token(world.members[role].user)}"}
    for name in API_TABLE:
        limit = limit_of(name, role)
        response = send(Client(), api_address(name, world), limit + 1, **headers)
        assert response.status_code == 413, name
        assert response.json()["code"] == "too_large"
        assert said(limit, response) in response.content.decode(), name


def test_an_address_of_nothing_reads_no_more() -> None:
    assert send(Client(), "/no/such/page/", STRANGERS_BYTES + 1).status_code == 413


def test_only_the_pages_with_a_file_field_take_uploads() -> None:
    def names(resolver: Any, prefix: str = "") -> Iterator[str]:
        for each in resolver.url_patterns:
            if hasattr(each, "url_patterns"):
                yield from names(each, f"{prefix}{each.namespace}:" if each.namespace else prefix)
            elif getattr(each.callback, "accepts_upload", False):
                yield f"{prefix}{each.name}"

    assert sorted(names(get_resolver())) == sorted((*UPLOADS, *API_UPLOADS))


def test_a_script_is_answered_in_json() -> None:
    response = send(Client(), "/work/edit/1/drafts/a/", LOST_SESSION_BYTES + 1, HTTP_ACCEPT="application/json")
    assert response.status_code == 413
    assert response.json() == {
        "error": "This is too large: at most 512.0\xa0KB are accepted here. Nothing was saved.",
        "code": "too_large",
    }


@pytest.mark.parametrize("name", [each for each in UPLOADS if each not in OF_ANOTHER_TASK])
def test_only_staff_of_the_campaign_make_the_server_write_to_disk(
    name: str, world: World, spool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    original = TemporaryUploadedFile.__init__

    def watched(self: Any, *args: Any, **kwargs: Any) -> None:
        written.append(role)
        original(self, *args, **kwargs)

    monkeypatch.setattr(TemporaryUploadedFile, "__init__", watched)
    for role in ROLES:
        for size in (SMALL, SMALL + 1):
            client = world.client(role, EDIT)
            client.generic("POST", address_of(name, world), multipart(size), MULTIPART)
    assert set(written) == {STAFF, MANAGER, ADMINISTRATOR}


def test_a_file_of_the_allowed_size_is_taken_and_one_byte_more_is_not(settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = SMALL + 1000
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    client = staff_client(owner)
    line = b'{"id": "1", "genre": "News", "text": "One text."}\n'
    for size, status in ((SMALL + 1000, 302), (SMALL + 1001, 413)):
        file = SimpleUploadedFile("a.jsonl", line + b"\n" * (size - len(line)))
        assert client.post(f"/campaigns/{campaign.slug}/imports/", {"file": file}).status_code == status


def test_the_largest_submission_fits() -> None:
    percent_encoded = 3 * (MAX_LOG_BYTES + 4 * MAX_TEXT_LENGTH)
    assert percent_encoded + FORM_OVERHEAD_BYTES < SMALL


def test_small_bodies_are_let_through_without_a_look_at_who_sends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(sources=1)
    client = worker_client(campaign, EDIT)
    monkeypatch.setattr("annotation.failures.body_limit", lambda _request: 1 / 0)
    assert client.post("/work/guidelines/", {"text": "x" * 60_000}).status_code == 302


@pytest.mark.parametrize("number", ["", "-1", "many", "1e9"])
def test_a_length_that_is_no_length_is_no_error_of_the_server(number: str) -> None:
    response = Client().generic("POST", "/login/", b"x", MULTIPART, CONTENT_LENGTH=number)
    assert response.status_code in {200, 400}


def test_a_form_of_too_many_fields_or_files_is_refused() -> None:
    fields = "&".join(f"field{number}=1" for number in range(1001))
    sent = Client().generic("POST", "/login/", fields, "application/x-www-form-urlencoded")
    assert sent.status_code == 400
    files = {f"file{number}": SimpleUploadedFile("a", b"x") for number in range(2)}
    assert Client().post("/login/", files).status_code == 400


def test_a_body_without_a_length_is_refused() -> None:
    sent = Client().post("/login/", HTTP_TRANSFER_ENCODING="chunked")
    assert sent.status_code == 411
