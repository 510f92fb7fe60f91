"""What every test may lean on."""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.celery import app
from tests.clock import Clock


@pytest.fixture(autouse=True)
def own_data_folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases of a test go to its own folder, and jobs run at once, in its own process."""
    settings.RELEASES_ROOT = tmp_path / "releases"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick, and guards nothing here
    monkeypatch.setitem(app.conf, "task_always_eager", True)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time that stands still until the test moves it."""
    clock = Clock()
    clock.read_by(monkeypatch)
    return clock
