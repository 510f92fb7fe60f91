"""What the environment may and may not say."""

import base64
import json
import random
import re
import string
from pathlib import Path

import pytest

from annotation.start_checks import check_secret, is_loopback
from common.environment import SECRET_LENGTH
from tests.flows.test_settings_table import documented, secrets
from tests.support.processes import ROOT, python

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
        ({"PRECIS_PUBLIC_ORIGIN": "http://precis.example.org"}, "PRECIS_PUBLIC_ORIGIN takes one address such as "),
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
    assert run.stderr.startswith(f"Précis does not start: {reason}")


@pytest.mark.parametrize("wrong", ["front", "10.0.0.7/8", "300.1.1.1"])
def test_proxies_that_are_no_networks_are_named(tmp_path: Path, wrong: str) -> None:
    run = python(tmp_path, "-c", "import annotation.settings", PRECIS_TRUSTED_PROXIES=f"10.0.0.7, {wrong}")

    assert run.returncode != 0
    assert run.stderr.startswith("Précis does not start: PRECIS_TRUSTED_PROXIES: ")
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


# A wrong value of each setting, with what it needs beside it.
WRONG: dict[str, dict[str, str]] = {
    "ALLOWED_HOSTS": {"ALLOWED_HOSTS": "https://precis.example.org"},
    "CELERY_BROKER_URL": {"CELERY_BROKER_URL": "hunter2"},
    "CSRF_TRUSTED_ORIGINS": {"CSRF_TRUSTED_ORIGINS": "precis.example.org"},
    "DATABASE_PASSWORD": {"DATABASE_PASSWORD": "hunter2"},
    "DATABASE_URL": {"DATABASE_URL": "postgres://precis:hunter2@db:port/precis"},
    "PRECIS_BACKUP_AGE_RECIPIENT": {"PRECIS_BACKUP_AGE_RECIPIENT": "me"},
    "PRECIS_BACKUP_DIR": {"PRECIS_BACKUP_DIR": "backups"},
    "PRECIS_BACKUP_GPG_RECIPIENT": {"PRECIS_BACKUP_GPG_RECIPIENT": "--"},
    "PRECIS_BACKUP_KEEP": {"PRECIS_BACKUP_KEEP": "all"},
    "PRECIS_DATA_DIR": {"PRECIS_DATA_DIR": "/dev/null"},
    "PRECIS_EMAIL_FROM": {"PRECIS_EMAIL_FROM": "me", "PRECIS_EMAIL_URL": "smtp://localhost"},
    "PRECIS_EMAIL_URL": {"PRECIS_EMAIL_URL": "smtp://me:hunter2@mail:port"},
    "PRECIS_FRAME_ANCESTORS": {"PRECIS_FRAME_ANCESTORS": "*"},
    "PRECIS_HSTS": {"PRECIS_HSTS": "yes", **PRODUCTION},
    "PRECIS_LOG_FORMAT": {"PRECIS_LOG_FORMAT": "xml"},
    "PRECIS_METRICS_TOKEN": {"PRECIS_METRICS_TOKEN": "hunter2"},
    "PRECIS_MODEL_HOSTS": {"PRECIS_MODEL_HOSTS": "api.example.org/v1"},
    "PRECIS_MODEL_KEYS": {"PRECIS_MODEL_HOSTS": "api.example.org", "PRECIS_MODEL_KEYS": "hunter2"},
    "PRECIS_PUBLIC_ORIGIN": {"PRECIS_PUBLIC_ORIGIN": "precis.example.org"},
    "PRECIS_PUBLISH_HOSTS": {"PRECIS_PUBLISH_HOSTS": "https://huggingface.co"},
    "PRECIS_REDIS_URL": {"PRECIS_REDIS_URL": "redis://:hunter2@redis:port"},
    "PRECIS_S3_ACCESS_KEY": {"PRECIS_S3_ACCESS_KEY": "hunter2"},
    "PRECIS_S3_BUCKET": {"PRECIS_S3_BUCKET": "s3://corpus"},
    "PRECIS_S3_ENDPOINT": {"PRECIS_S3_ENDPOINT": "s3.example.org"},
    "PRECIS_S3_SECRET_KEY": {"PRECIS_S3_SECRET_KEY": "hunter2"},
    "PRECIS_SENTRY_DSN": {"PRECIS_SENTRY_DSN": "https://hunter2@sentry:port/1"},
    "PRECIS_TRUSTED_PROXIES": {"PRECIS_TRUSTED_PROXIES": "front"},
    "PRECIS_WEBHOOK_HOSTS": {"PRECIS_WEBHOOK_HOSTS": "*"},
    "PRECIS_WORKER_METRICS": {"PRECIS_WORKER_METRICS": "9101"},
    "SECRET_KEY": {"SECRET_KEY": "hunter2", "ALLOWED_HOSTS": "precis.example.org"},
}
# These take any text: names that are looked up where they are used.
ANY_TEXT = {
    "PRECIS_CAMPAIGN_CREATORS",
    "PRECIS_EMBEDDINGS",
    "PRECIS_ENCODER",
    "PRECIS_S3_PREFIX",
    "PRECIS_S3_REGION",
    "PRECIS_SPACY_MODEL",
}
TRY_EACH = """
import importlib, json, os, sys
from django.core.exceptions import ImproperlyConfigured
for values in json.loads(sys.argv[1]):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        importlib.import_module("annotation.settings")
        print(json.dumps("started"))
    except ImproperlyConfigured as error:
        print(json.dumps(str(error)))
    sys.modules.pop("annotation.settings", None)
    os.environ.clear()
    os.environ.update(before)
"""


def refusals(folder: Path, tried: list[dict[str, str]]) -> list[str]:
    """What a start with each of these environments is refused for; "started" if it is not."""
    run = python(folder, "-c", TRY_EACH, json.dumps(tried))
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_a_wrong_value_of_any_setting_is_one_sentence_that_names_it(tmp_path: Path) -> None:
    of_numbers = {name: {name: "abc"} for name in documented() if name not in {*WRONG, *ANY_TEXT}}
    wrong = of_numbers | WRONG

    for name, said in zip(wrong, refusals(tmp_path, list(wrong.values())), strict=True):
        assert name in said, (name, said)
        assert "\n" not in said
        assert "hunter2" not in said


def test_a_broker_is_one_that_works_here_and_has_a_place(tmp_path: Path) -> None:
    wrong = ("amqp://hunter2@broker", "redis://:hunter2@", "redis://:hunter2@/0", "redis://", "rediss:///0")
    right = (
        "redis://redis:6379/0",
        "rediss://:hunter2@redis/1",
        "redis+socket:///run/redis.sock",
        "filesystem://localhost",
    )
    said = refusals(tmp_path, [{"CELERY_BROKER_URL": url} for url in (*wrong, *right)])
    refused = "CELERY_BROKER_URL takes an address such as redis://HOST:6379/0."
    assert said == [refused] * len(wrong) + ["started"] * len(right)


# Secrets in files


def test_every_secret_can_lie_in_a_file_and_the_page_says_so(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    names = sorted(secrets())
    for name, said in zip(names, refusals(tmp_path, [{f"{each}_FILE": str(missing)} for each in names]), strict=True):
        assert said == f"{name}_FILE: {missing} cannot be read (No such file or directory)."
    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    named = re.search(r"Secrets can lie in files.*?\n\n", page, re.DOTALL)
    assert named
    assert set(re.findall("`([A-Z0-9_]+)`", named[0])) - {"SECRET_KEY_FILE", "_FILE"} == secrets()


def test_a_secret_comes_from_its_file_and_from_one_place_only(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("key", "empty", "large", "bytes", "password")}
    files["key"].write_text(f"{PRODUCTION['SECRET_KEY']}\n", encoding="utf-8")
    files["password"].write_text("a:b/c@d\n", encoding="utf-8")
    files["empty"].write_text("\n", encoding="utf-8")
    files["large"].write_text("x" * 16_385, encoding="utf-8")
    files["bytes"].write_bytes(b"\xff")
    hosts = {name: PRODUCTION[name] for name in ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS")}
    shown = "from annotation import settings; print(settings.SECRET_KEY, settings.DATABASES['default']['PASSWORD'])"

    run = python(
        tmp_path,
        *("-c", shown),
        **hosts,
        SECRET_KEY_FILE=str(files["key"]),
        DATABASE_URL="postgres://precis@db/precis",
        DATABASE_PASSWORD_FILE=str(files["password"]),
    )
    assert run.stdout == f"{PRODUCTION['SECRET_KEY']} a:b/c@d\n", run.stderr

    said = refusals(
        tmp_path,
        [
            {**PRODUCTION, "SECRET_KEY_FILE": str(files["key"])},
            *({**hosts, "SECRET_KEY_FILE": str(files[name])} for name in ("empty", "large", "bytes")),
            {**hosts, "SECRET_KEY_FILE": str(tmp_path)},
            {"DATABASE_URL": "postgres://precis:x@db/precis", "DATABASE_PASSWORD_FILE": str(files["password"])},
        ],
    )
    assert said == [
        "Set SECRET_KEY or SECRET_KEY_FILE, and not both.",
        f"SECRET_KEY_FILE: {files['empty']} is empty.",
        f"SECRET_KEY_FILE: {files['large']} is larger than 16 KiB.",
        f"SECRET_KEY_FILE: {files['bytes']} is no text in UTF-8.",
        f"SECRET_KEY_FILE: {tmp_path} cannot be read (Is a directory).",
        "Set DATABASE_PASSWORD with a DATABASE_URL that has a server and no password.",
    ]


# What the programs print


NUMBER = "PRECIS_JOINS_PER_HOUR takes a whole number from 1 on, and not 'abc'."


@pytest.mark.parametrize("program", ["manage.py check", "manage.py migrate", "-m celery -A annotation worker"])
def test_a_program_with_a_wrong_setting_says_a_sentence_and_ends(tmp_path: Path, program: str) -> None:
    run = python(tmp_path, *program.split(), PRECIS_JOINS_PER_HOUR="abc")
    assert (run.returncode, run.stdout, run.stderr) == (1, "", f"Précis does not start: {NUMBER}\n")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite:////no/such/folder/precis.sqlite3", "unable to open database file"),
        (f"sqlite:///{ROOT / 'manage.py'}", "file is not a database"),
        ("postgres://precis:hunter2@127.0.0.1:1/precis", "127.0.0.1"),
    ],
)
@pytest.mark.parametrize("command", ["migrate", "show_work"])
def test_a_database_that_cannot_be_opened_is_one_sentence(tmp_path: Path, url: str, reason: str, command: str) -> None:
    run = python(tmp_path, "manage.py", *command.split(), DATABASE_URL=url)
    assert run.returncode == 1
    assert run.stderr.startswith("The database that DATABASE_URL names cannot be opened: ")
    assert reason in run.stderr
    assert run.stderr.count("\n") == 1
    assert "hunter2" not in run.stderr


def test_the_web_server_adds_only_that_it_ends(tmp_path: Path) -> None:
    config = ("--config", "python:annotation.gunicorn_conf", "--bind", "127.0.0.1:0")
    gunicorn = ("-m", "gunicorn", "annotation.wsgi", *config)
    run = python(tmp_path, *gunicorn, PRECIS_JOINS_PER_HOUR="abc")
    assert (run.returncode, run.stderr.splitlines()[0]) == (4, f"Précis does not start: {NUMBER}")
    assert "Reason: App failed to load." in run.stderr
    assert "Traceback" not in run.stderr

    run = python(tmp_path, *gunicorn, PRECIS_LOG_FORMAT="xml")
    assert (run.returncode, run.stderr) == (1, "\nError: PRECIS_LOG_FORMAT is text or json, and not 'xml'.\n\n")


def test_other_errors_keep_their_traceback(tmp_path: Path) -> None:
    program = "import annotation.settings; from django.core.exceptions import ImproperlyConfigured as E; raise E('no')"
    assert python(tmp_path, "-c", program).stderr.startswith("Traceback")
