"""What the environment may and may not say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "ALLOWED_HOSTS": "precis.example.org",
    "CSRF_TRUSTED_ORIGINS": "https://precis.example.org",
    "SECRET_KEY": "qD7-k2_Zr9vXw4TnYb8mLc3sGh6jPf1aQe5uKo0iVxHyWzEt-NRSJU",
}
SHOWN = "from annotation import settings; print(settings.PUBLIC, settings.DEBUG, settings.ALLOWED_HOSTS)"


def python(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with this environment and no other setting of the app."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**kept, "PRECIS_DATA_DIR": str(folder), "PYTHONWARNINGS": "error", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"DEBUG": "1"}, "DEBUG=1 with ALLOWED_HOSTS set would show the code and data to everyone."),
        ({"SECRET_KEY": ""}, "Set SECRET_KEY to at least 50 random characters when ALLOWED_HOSTS is set."),
        ({"SECRET_KEY": "x" * 49}, "Set SECRET_KEY to at least 50 random characters when ALLOWED_HOSTS is set."),
    ],
)
def test_a_public_installation_without_safety_does_not_start(
    tmp_path: Path, changed: dict[str, str], reason: str
) -> None:
    run = python(tmp_path, "-c", "import annotation.settings", **{**PRODUCTION, **changed})

    assert run.returncode != 0
    assert f"ImproperlyConfigured: {reason}" in run.stderr


def test_django_has_nothing_to_say_against_the_production_settings(tmp_path: Path) -> None:
    run = python(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "INFO", **PRODUCTION)

    assert (run.returncode, run.stderr) == (0, "")
    assert "System check identified no issues (0 silenced)." in run.stdout


def test_without_hosts_the_app_is_local_and_makes_its_own_secret(tmp_path: Path) -> None:
    run = python(tmp_path, "-c", SHOWN)

    assert run.stdout == "False False ['127.0.0.1', 'localhost', '[::1]']\n"
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_a_public_installation_writes_no_secret(tmp_path: Path) -> None:
    run = python(tmp_path, "-c", SHOWN, **PRODUCTION)

    assert run.stdout.startswith("True False")
    assert not (tmp_path / "secret_key").exists()


def test_the_models_have_no_change_without_a_migration(tmp_path: Path) -> None:
    run = python(tmp_path, "manage.py", "makemigrations", "--check", "--dry-run")

    assert (run.returncode, run.stdout) == (0, "No changes detected\n")
