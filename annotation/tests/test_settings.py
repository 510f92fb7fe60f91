"""What the environment may and may not say."""

import base64
import random
import string
from pathlib import Path

import pytest

from annotation.start_checks import check_secret, is_loopback
from common.environment import SECRET_LENGTH
from tests.support.processes import python

PRODUCTION = {
    "ALLOWED_HOSTS": "precis.example.org",
    "CSRF_TRUSTED_ORIGINS": "https://precis.example.org",
    "SECRET_KEY": "qD7-k2_Zr9vXw4TnYb8mLc3sGh6jPf1aQe5uKo0iVxHyWzEt-NRSJU",
}
SHOWN = "from annotation import settings; print(settings.PUBLIC, settings.DEBUG, settings.ALLOWED_HOSTS)"


LOOKS_GUESSED = "SECRET_KEY does not look random. Make one with "
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"DEBUG": "1"}, "DEBUG=1 with ALLOWED_HOSTS set would show the code and data to everyone."),
        ({"SECRET_KEY": ""}, "Set SECRET_KEY to at least 50 random characters when ALLOWED_HOSTS is set."),
        ({"SECRET_KEY": "x" * 49}, "Set SECRET_KEY to at least 50 random characters when ALLOWED_HOSTS is set."),
        ({"SECRET_KEY": "x" * 64}, LOOKS_GUESSED),
        ({"SECRET_KEY": "abcabcd" * 10}, LOOKS_GUESSED),
        ({"SECRET_KEY": "Ab3_xY7-qR9zKm2w" * 4}, LOOKS_GUESSED),
        ({"SECRET_KEY": ALPHABET + ALPHABET.upper()}, LOOKS_GUESSED),
        ({"SECRET_KEY": f"django-insecure-{PRODUCTION['SECRET_KEY']}"}, LOOKS_GUESSED),
        ({"SECRET_KEY": f"ChangeMe{PRODUCTION['SECRET_KEY']}"}, LOOKS_GUESSED),
        (
            {"ALLOWED_HOSTS": "*"},
            "ALLOWED_HOSTS takes names such as precis.example.org, with commas between them, and ",
        ),
        ({"ALLOWED_HOSTS": "precis.example.org, *"}, "ALLOWED_HOSTS takes names such as precis.example.org, with "),
        ({"ALLOWED_HOSTS": "*.example.org"}, "ALLOWED_HOSTS takes names such as precis.example.org, with commas "),
        ({"ALLOWED_HOSTS": ".org"}, "ALLOWED_HOSTS takes names such as precis.example.org, with commas between them, "),
        ({"ALLOWED_HOSTS": "https://precis.example.org"}, "ALLOWED_HOSTS takes names such as precis.example.org, with"),
        (
            {"ALLOWED_HOSTS": ".example.org", "PRECIS_EMAIL_URL": "smtp://localhost", "PRECIS_EMAIL_FROM": "a@b.org"},
            "Mails need the address of this installation, and ALLOWED_HOSTS has patterns only: set ",
        ),
        ({"PRECIS_PUBLIC_ORIGIN": "http://precis.example.org"}, "PRECIS_PUBLIC_ORIGIN takes origins such as https://"),
        ({"PRECIS_HSTS": "yes"}, "PRECIS_HSTS is empty, subdomains or preload, and not 'yes'."),
        *(
            ({"PRECIS_FRAME_ANCESTORS": origin}, "PRECIS_FRAME_ANCESTORS takes origins such as https://app.prolific")
            for origin in (
                *("*", "https:", "https://*.prolific.com", "http://app.prolific.com", "app.prolific.com", "'self'"),
                *("https://app.prolific.com/", "https://a.example https://b.example", "https://a.example; sandbox"),
            )
        ),
    ],
)
def test_a_public_installation_without_safety_does_not_start(
    tmp_path: Path, changed: dict[str, str], reason: str
) -> None:
    run = python(tmp_path, "-c", "import annotation.settings", **{**PRODUCTION, **changed})

    assert run.returncode != 0
    assert f"ImproperlyConfigured: {reason}" in run.stderr


@pytest.mark.parametrize("wrong", ["front", "10.0.0.7/8", "300.1.1.1"])
def test_proxies_that_are_no_networks_are_named(tmp_path: Path, wrong: str) -> None:
    run = python(tmp_path, "-c", "import annotation.settings", PRECIS_TRUSTED_PROXIES=f"10.0.0.7, {wrong}")

    assert run.returncode != 0
    assert "ImproperlyConfigured: PRECIS_TRUSTED_PROXIES: " in run.stderr
    assert wrong in run.stderr


@pytest.mark.parametrize("secret", ["".join(f"{number * 7919 % 10007:05d}" for number in range(1, 14)), "9f3b" * 16])
def test_a_secret_is_judged_by_how_often_it_repeats_itself(tmp_path: Path, secret: str) -> None:
    """Digits are enough; a short piece again and again is not."""
    run = python(tmp_path, "-c", "import annotation.settings", **{**PRODUCTION, "SECRET_KEY": secret})
    assert (run.returncode == 0) == secret.isdigit()


@pytest.mark.parametrize(
    ("choice", "header"),
    [
        ("", "max-age=31536000"),
        ("subdomains", "max-age=31536000; includeSubDomains"),
        ("preload", "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_subdomains_are_told_to_use_https_only_if_somebody_chose_that(tmp_path: Path, choice: str, header: str) -> None:
    ask = (
        "import django; django.setup(); from django.test import Client; "
        "print(Client().get('/login/', secure=True)['Strict-Transport-Security'])"
    )
    production = {**PRODUCTION, "DJANGO_SETTINGS_MODULE": "annotation.settings", "PRECIS_HSTS": choice}
    assert python(tmp_path, "-c", ask, **production).stdout == f"{header}\n"


# Spellings of addresses that other computers reach.
EVERYWHERE = ("0.0.0.0", "::", "0", "", "0x0", "::0", "::ffff:0.0.0.0", "192.0.2.1")


@pytest.mark.parametrize("host", EVERYWHERE)
def test_debug_is_for_this_computer_only(tmp_path: Path, host: str) -> None:
    run = python(tmp_path, "manage.py", "start", "--host", host, "--no-demo", DEBUG="1")
    assert run.returncode == 1
    assert f"CommandError: DEBUG=1 and listening on {host!r} would show the code and data to everyone." in run.stderr
    assert not (tmp_path / "precis.sqlite3").exists()


@pytest.mark.parametrize("bind", ["0.0.0.0:0", "[::]:0", ":0", "fd://0"])
def test_a_server_of_ones_own_shows_no_code_to_other_computers(tmp_path: Path, bind: str) -> None:
    config = ("--config", "python:annotation.gunicorn_conf")
    run = python(tmp_path, "-m", "gunicorn", "annotation.wsgi", *config, "--bind", bind, DEBUG="1")
    assert run.returncode == 1
    assert "Error: DEBUG=1 and listening on" in run.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1", "::ffff:127.0.0.1", "127.255.255.254"])
def test_loopback_is_known_however_it_is_written(host: str) -> None:
    assert is_loopback(host)


def test_django_has_nothing_to_say_against_the_production_settings(tmp_path: Path) -> None:
    run = python(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "INFO", **PRODUCTION)

    assert (run.returncode, run.stderr) == (0, "")
    assert "System check identified no issues (2 silenced)." in run.stdout


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


def test_no_secret_of_a_generator_is_taken_for_a_guess() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        check_secret(base64.urlsafe_b64encode(rng.randbytes(48)).decode())
        check_secret(rng.randbytes(32).hex())
        check_secret("".join(rng.choice(string.digits) for _ in range(SECRET_LENGTH)))


@pytest.mark.parametrize(
    ("variable", "value", "package", "extra"),
    [
        ("PRECIS_S3_BUCKET", "corpus", "storages", "s3"),
        ("PRECIS_SENTRY_DSN", "https://key@sentry.example.org/1", "sentry_sdk", "errors"),
    ],
)
def test_a_setting_whose_extra_is_not_installed_names_it(
    tmp_path: Path, variable: str, value: str, package: str, extra: str
) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import annotation.settings"
    assert f"{variable} needs the extra {extra}" in python(tmp_path, "-c", program, **{variable: value}).stderr
