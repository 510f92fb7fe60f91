"""A release, and commands that upload it to servers of this computer without waiting."""

import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import huggingface_hub
import pytest
from django.core.management import call_command
from django.test import override_settings
from huggingface_hub import constants
from huggingface_hub.utils import _http
from huggingface_hub.utils.tqdm import are_progress_bars_disabled, enable_progress_bars

from common.outgoing.hosts import checked_receivers
from corpus.models import Release
from corpus.tests.publishing.servers import TOKEN, Hub, Server, Zenodo
from tests.support.factories import freeze, judged_campaign
from tests.support.once import BuildOnce
from tests.support.stored import stored_in

STATEMENT = {"creators": "A. Author\nB. Author", "origins": "Headlines, https://example.org/headlines, CC0"}


@pytest.fixture(scope="module")
def made(build_once: BuildOnce[Release], tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, dict[str, Any]]:
    stored = stored_in(tmp_path_factory.mktemp("stored"))
    with override_settings(**stored):
        return build_once(_frozen), stored


def _frozen() -> Release:
    campaign = judged_campaign(sources=3, licence="cc-by-4.0", homepage="https://example.org/")
    return freeze(campaign, statement=STATEMENT)


@pytest.fixture
def release(db: None, settings: Any, made: tuple[Release, dict[str, Any]]) -> Release:
    release, stored = made
    for name, value in stored.items():
        setattr(settings, name, value)
    return Release.objects.select_related("campaign").get(pk=release.pk)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited for what, in seconds that nobody waits."""
    seconds: list[float] = []
    monkeypatch.setattr("corpus.publishing.destination.MOST_BYTES", 100_000)
    for name in ("corpus.publishing.hub.sleep", "corpus.publishing.zenodo.sleep"):
        monkeypatch.setattr(name, seconds.append)
    monkeypatch.setattr(_http, "time", type("Time", (), {"sleep": seconds.append, "time": time.time}))
    return seconds


@pytest.fixture
def hub(settings: Any) -> Iterator[Hub]:
    had_xet, had_telemetry = constants.HF_HUB_DISABLE_XET, constants.HF_HUB_DISABLE_TELEMETRY
    verbosity, had_bars = huggingface_hub.logging.get_verbosity(), not are_progress_bars_disabled()
    yield from running(Hub(), settings)
    huggingface_hub.set_client_factory(_http.default_client_factory)
    huggingface_hub.logging.set_verbosity(verbosity)
    constants.HF_HUB_DISABLE_XET, constants.HF_HUB_DISABLE_TELEMETRY = had_xet, had_telemetry
    if had_bars:
        enable_progress_bars()


@pytest.fixture
def zenodo(settings: Any) -> Iterator[Zenodo]:
    yield from running(Zenodo(), settings)


def running(server: Any, settings: Any) -> Iterator[Any]:
    with server.running():
        settings.PUBLISH_RECEIVERS = checked_receivers("PRECIS_PUBLISH_HOSTS", [server.origin])
        yield server


@pytest.fixture
def publish(release: Release, waited: list[float], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Upload the release to a server, and return what is said."""

    def run(service: str, server: Server, *options: str, token: str = TOKEN) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{token}\n"))
        said = io.StringIO()
        call_command("publish_release", release.name, service, "--host", server.origin, *options, stdout=said)
        return said.getvalue()

    return run
