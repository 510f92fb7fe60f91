"""The server fetches nothing: whatever address a person gives, it stays text.

Webhooks and systems at an endpoint call hosts that the administrator has listed; as long as none is, they call nobody.
"""

import ast
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from common.clock import database_now
from crowd.models import Campaign
from dashboard.webhooks.calls import call
from dashboard.webhooks.deliveries import deliveries_send
from dashboard.webhooks.events import webhook_events_find
from tests.support import factories
from tests.support.addresses import TABLE, address_of, general_settings
from tests.support.rooms import ROOT, product_files
from tests.support.stored import release_folder
from tests.support.world import ROLES, STAFF, World

CLIENTS = {
    *("urllib.request", "urllib3", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "xmlrpc"),
    *("sentry_sdk", "socket", "asyncio", "pycurl", "boto3", "botocore", "websocket", "websockets", "paramiko"),
}
# They look at addresses that the administrator has given: of this computer, the bucket, the mail server, the site.
GIVEN_BY_THE_ADMINISTRATOR = {
    "common/stores/bucket.py": {"boto3", "botocore"},
    "maintenance/checks/services.py": {"smtplib"},
    "maintenance/checks/installation.py": {"http.client"},
    "annotation/management/commands/start.py": {"socket"},
    "annotation/supervisor.py": {"http.client"},
    "annotation/start_checks.py": {"socket"},
    "annotation/web_worker.py": {"socket"},
    "maintenance/metrics.py": {"socket"},
}
# Calls hosts that the administrator has listed, and no other: docs/security.md, row 30.
CALLING_LISTED_HOSTS = {"common/outgoing/client.py": {"requests", "socket", "urllib3"}}
# Sends what has failed to a server that the administrator has named, and is not imported otherwise.
REPORTING_ERRORS = {"annotation/error_reports.py": {"sentry_sdk"}}
ADDRESS = "http://169.254.169.254/latest/meta-data/"
IN_MARKDOWN = (
    f"![image]({ADDRESS}a.png) [link]({ADDRESS}) <{ADDRESS}> {ADDRESS} ![](file:///etc/passwd) ![](//127.0.0.1/x) "
    f"[ref]\n\n[ref]: {ADDRESS}\n\n<img src='{ADDRESS}'><!DOCTYPE x SYSTEM '{ADDRESS}'>"
)


def clients_of(path: Path) -> set[str]:
    """The clients of networks that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {client for client in CLIENTS for name in names if name == client or name.startswith(f"{client}.")}


def test_no_room_has_a_client_of_the_network() -> None:
    found = {str(path.relative_to(ROOT)): clients for path in product_files() if (clients := clients_of(path))}
    assert found == GIVEN_BY_THE_ADMINISTRATOR | CALLING_LISTED_HOSTS | REPORTING_ERRORS


def test_a_client_would_be_found(tmp_path: Path) -> None:
    for line in (
        "import urllib.request",
        "from urllib import request",
        "import requests as r",
        "from http import client",
    ):
        (tmp_path / "module.py").write_text(f"def fetch():\n    {line}\n")
        assert clients_of(tmp_path / "module.py")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every attempt to reach something, which fails; the database's own connections are not Python's."""
    tried: list[Any] = []

    def refuse(*arguments: Any, **_: Any) -> NoReturn:
        tried.append(arguments)
        raise OSError("the network is closed")

    for name in ("create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    return tried


@pytest.mark.django_db
def test_addresses_in_texts_are_never_fetched(monkeypatch: pytest.MonkeyPatch, no_network: list[Any]) -> None:
    monkeypatch.setattr(factories, "SENTENCE", f"{ADDRESS} <img src={ADDRESS}> {factories.SENTENCE}")
    texts = dict.fromkeys(("consent", "editor_guidelines", "rater_guidelines", "description"), IN_MARKDOWN)
    world = World(**texts, name=ADDRESS, homepage=ADDRESS)
    for role in ROLES:
        for name, row in TABLE.items():
            b"".join(world.client(role, row.work_round).get(address_of(name, world)))
    assert ADDRESS in world.accounts[STAFF].get(address_of("crowd:campaign-edit", world)).content.decode()
    assert no_network == []


@pytest.mark.django_db
def test_addresses_in_forms_and_files_are_never_fetched(no_network: list[Any]) -> None:
    world = World()
    client = world.accounts[STAFF]
    pages = f"/campaigns/{world.campaign.slug}"
    rows = f'id,genre,text\n"{ADDRESS}","{ADDRESS}","{ADDRESS} {factories.SENTENCE}"\n'.encode()
    for page, form in (
        ("imports", {"file": SimpleUploadedFile("http://127.0.0.1/x.csv", rows)}),
        ("imports", {"file": ADDRESS}),
        ("systems", {"system": ADDRESS, "file": SimpleUploadedFile("outputs.csv", rows)}),
        ("releases/freeze", {**factories.RELEASE_FORM, "note": ADDRESS}),
        ("settings/preview", {"name": "consent", "text": IN_MARKDOWN}),
        ("webhooks", {"address": ADDRESS, "events": ["job.failed"]}),
        ("settings", {**general_settings(world), "description": IN_MARKDOWN, "homepage": ADDRESS}),
    ):
        assert client.post(f"{pages}/{page}/", form, headers={"referer": ADDRESS}).status_code < 500
    assert no_network == []


@pytest.mark.django_db
def test_addresses_in_a_release_that_is_imported_are_never_fetched(no_network: list[Any]) -> None:
    folder = release_folder(World(description=IN_MARKDOWN, homepage=ADDRESS).release)
    assert ADDRESS in (folder / "croissant.json").read_text(encoding="utf-8")
    call_command("import_release", str(folder), campaign="again", owner=factories.make_staff().username)
    assert Campaign.objects.filter(slug="again").exists()
    assert no_network == []


@pytest.mark.django_db
def test_no_webhook_is_called_as_long_as_no_host_is_listed(no_network: list[Any]) -> None:
    world = World()
    assert settings.WEBHOOK_RECEIVERS == ()
    world.webhook.deliveries.update(state="waiting", attempts=0, next_try_at=database_now(), ended_at=None)
    for _ in range(2):
        webhook_events_find()
        assert deliveries_send() == 0
    assert call(ADDRESS, b"", {}, "secret").fault == "host"
    assert no_network == []
