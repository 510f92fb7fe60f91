"""What every test may lean on."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from pytest_django.fixtures import Settings

from annotation.celery import app
from common.clock import told_by
from tests.support.clock import Clock

# How long a test takes says nothing on a machine that does other things as well.
hypothesis.settings.register_profile("unhurried", parent=hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def own_data_folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases of a test go to its own folder, jobs run at once, in its own process, and no parser is there."""
    settings.RELEASES_ROOT = tmp_path / "releases"
    settings.SCORES_ROOT = tmp_path / "scores"
    settings.SPACY_MODEL = ""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick, and guards nothing here
    monkeypatch.setitem(app.conf, "task_always_eager", True)


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Time that stands still until the test moves it."""
    clock = Clock()
    with told_by(clock):
        yield clock
