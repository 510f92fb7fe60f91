"""A backup, made as the documentation says, holds the same corpus."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from corpus.models import Release
from crowd.models import Campaign
from tests.support.factories import EDIT, enrol, freeze, judged_campaign
from tests.support.processes import python
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db(transaction=True)

# Freeze the restored corpus, in a process of its own.
FREEZE = """
import django
django.setup()
from django.core.management import call_command
from crowd.models import Campaign
from tests.support.factories import freeze
from tests.support.stored import release_folder
call_command("migrate", check_unapplied=True, verbosity=0)
print(release_folder(freeze(Campaign.objects.get())))
"""


def data_of(folder: Path) -> dict[str, str]:
    """The checksum of every file of a release, but for those that say when it was frozen."""
    dated = {"README.md", "manifest.json", "croissant.json"}
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in dated and path.suffix != ".zip"]
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def assert_as_its_manifest_says(folder: Path, checksum: str) -> None:
    manifest = (folder / "manifest.json").read_bytes()
    assert sha256(manifest).hexdigest() == checksum
    for file in json.loads(manifest)["files"]:
        assert sha256((folder / file["name"]).read_bytes()).hexdigest() == file["sha256"]


@contextmanager
def restored(folder: Path) -> Iterator[str]:
    """Back the database up and restore it; the address of the copy."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(folder / "copy.sqlite3")) as copy:
            connection.connection.backup(copy)  # what .backup of the sqlite3 program does
        yield f"sqlite:///{folder / 'copy.sqlite3'}"
        return
    values = connection.settings_dict
    name = f"{values['NAME']}_restored"
    environment = {"PGHOST": values["HOST"], "PGPORT": str(values["PORT"]), "PGUSER": values["USER"]}
    environment = {**os.environ, **environment, "PGPASSWORD": values["PASSWORD"]}
    run(environment, "pg_dump", "--format=custom", "--file", str(folder / "dump"), values["NAME"])
    run(environment, "createdb", name)
    try:
        run(environment, "pg_restore", "--exit-on-error", "--dbname", name, str(folder / "dump"))
        yield f"postgres://{values['USER']}:{values['PASSWORD']}@{values['HOST']}:{values['PORT']}/{name}"
    finally:
        run(environment, "dropdb", "--force", name)


def run(environment: dict[str, str], *command: str) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(
    connection.vendor == "postgresql" and shutil.which("pg_dump") is None, reason="needs pg_dump on the PATH"
)
def test_what_is_restored_is_frozen_to_the_same_bytes(tmp_path: Path) -> None:
    campaign = judged_campaign(sources=3, editors=2, slug="backed-up", name="Backed up")
    first = freeze(campaign)
    folder = tmp_path / "elsewhere"
    folder.mkdir()

    with restored(folder) as url:
        shutil.copytree(settings.DATA_DIR / "releases", folder / "releases")
        enrol(campaign, EDIT, "comes-after-the-backup")
        again = python(folder, "-c", FREEZE, DATABASE_URL=url, DJANGO_SETTINGS_MODULE="annotation.settings")
    assert again.returncode == 0, again.stderr

    assert_as_its_manifest_says(
        folder / "releases" / release_folder(first).relative_to(tmp_path / "releases"), first.checksum
    )
    second = Path(again.stdout.strip())
    assert second.is_relative_to(folder)
    assert second.name.startswith("v2-")
    assert data_of(second) == data_of(release_folder(freeze(Campaign.objects.get())))
    assert len(data_of(second)) > 5
    assert Release.objects.count() == 2
