"""What every test may lean on."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import hypothesis
import pytest
from django.conf import settings as django_settings
from pytest_django.fixtures import Settings
from whitenoise.middleware import WhiteNoiseMiddleware

from annotation.celery import app
from common.clock import override_clock
from common.prepared_pages import prepared_pages_forget
from common.rate_limits import process_counts_forget, redis_counts_forget
from common.stored_models import stored_model_pinned
from tests.support.clock import Clock
from tests.support.stored import stored_in

# Most of what a run holds stays until its end: to look for garbage as often as Python does costs a twentieth of it.
gc.set_threshold(100_000, 50, 1000)
pytest_plugins = [f"tests.support.{each}" for each in ("choosing", "flush", "once", "shared_world")]

# How long a test takes says nothing on a machine that does other things as well, and each example of a test may well
# come after another in the same folder and database: both are no reason to stop.
UNHURRIED = hypothesis.settings(
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
# `make test` tries few examples, the same each time, and `make test-all` more; `make hunt` looks for others.
hypothesis.settings.register_profile("quick", UNHURRIED, derandomize=True, max_examples=5)
hypothesis.settings.register_profile("test", UNHURRIED, derandomize=True, max_examples=20)
hypothesis.settings.register_profile("hunt", UNHURRIED, derandomize=False, max_examples=500)
hypothesis.settings.load_profile("test")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:  # noqa: ARG001 - runs first
    """What tests write need not outlive a power cut: SQLite does not wait for the disk."""
    options = django_settings.DATABASES["default"].get("OPTIONS", {})
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")


@pytest.fixture(scope="session", autouse=True)
def files_need_not_outlive_a_power_cut() -> Iterator[None]:
    """To wait for the disk takes a tenth of the time of tests that make releases."""
    with patch.object(os, "fsync"):
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Each client of a test has the middleware anew, and WhiteNoise would look through all static files each time."""
    found: dict[str, object] = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def find_once(self: WhiteNoiseMiddleware) -> None:
        if not found:
            find(self)
            found.update(self.files)
        self.files.update(found)

    with patch.object(WhiteNoiseMiddleware, "add_files_from_finders", find_once):
        yield


@pytest.fixture(autouse=True)
def own_data_folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases of a test go to its own folder, jobs run at once, in its own process, and no parser is there."""
    for name, value in stored_in(tmp_path).items():
        setattr(settings, name, value)
    settings.SPACY_MODEL = settings.EMBEDDINGS = ""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick, and guards nothing here
    monkeypatch.setitem(app.conf, "task_always_eager", True)


@pytest.fixture(autouse=True)
def fresh_rate_counts() -> None:
    """People of one test can have the ids of another's; what their process has counted is not theirs."""
    process_counts_forget()
    redis_counts_forget()


@pytest.fixture(autouse=True)
def fresh_prepared_pages() -> None:
    """Campaigns of one test can have the ids of another's; what their process has rendered is not theirs."""
    prepared_pages_forget()


@pytest.fixture(autouse=True)
def fresh_pins() -> None:
    """Pipelines of one test can have the names of another's; what their process has pinned is not theirs."""
    stored_model_pinned.cache_clear()


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Time that stands still until the test moves it."""
    clock = Clock()
    with override_clock(clock):
        yield clock
