"""One version: what says it, what it stands for, and its notes for whoever upgrades to it."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.apps import apps

import precis_client
from common.extras import product_version
from measures.build_backend.precis_build import lay_out_app
from tests.support.processes import python

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "Unreleased"


def changes() -> dict[str, str]:
    """What CHANGELOG.md says of each version, the newest first; what is not released has no number."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return {part.split(None, 1)[0]: part.partition("\n")[2] for part in text.split("\n## ")[1:]}


def versions() -> list[str]:
    """The versions of CHANGELOG.md without their last number, the oldest first."""
    short = [each if each == UNRELEASED else each.rpartition(".")[0] for each in reversed(changes())]
    return list(dict.fromkeys(short))


def headings_of_notes() -> set[str]:
    page = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
    return set(re.findall(r"^## (.+)$", page.partition("## Notes by version")[2], re.MULTILINE))


def test_every_version_has_its_notes() -> None:
    known = versions()
    wanted = {
        f"From {earlier} to {'the next version' if later == UNRELEASED else later}"
        for earlier, later in pairwise(known)
    }
    assert headings_of_notes() == {known[0], *wanted}
    assert len(known) >= 3


def test_every_version_names_what_it_stands_for() -> None:
    for number, text in changes().items():
        if number != UNRELEASED:
            assert re.match(rf"\n(Tag `v{re.escape(number)}`|Commit `[0-9a-f]{{12}}`)", text), number


def test_all_files_have_the_newest_version() -> None:
    newest = next(number for number in changes() if number != UNRELEASED)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert product_version() == precis_client.__version__ == citation["version"] == newest
    assert f"## {newest} ({citation['date-released']})" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"| {newest.rpartition('.')[0]} | yes |" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs/deployment.md", "docs/upgrading.md", "docker-compose.yml"]
)
def test_what_people_are_told_to_check_out_is_the_newest_version(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert set(re.findall(r"\bv(\d+\.\d+\.\d+)", text)) == {product_version()}
    assert "git pull" not in text


@pytest.mark.parametrize("asked", ["--version", "version"])
def test_the_version_is_told_even_with_settings_that_are_wrong(tmp_path: Path, asked: str) -> None:
    run = python(tmp_path, "manage.py", asked, PRECIS_JOINS_PER_HOUR="abc")
    assert (run.stdout, run.stderr) == (f"Précis {product_version()} (Django {version('django')})\n", "")


def test_packages_say_what_pypi_shows() -> None:
    """Names that are free, one author, the licence, and what the library wants is what the app wants for it."""
    projects = {folder: project(folder) for folder in (".", "measures", "client")}
    assert [each["name"] for each in projects.values()] == ["precis-app", "precis-measures", "precis-client"]
    (author,) = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["authors"]
    for folder, each in projects.items():
        assert each["authors"] == [author], folder
        assert (each["license"], each["license-files"], each["dynamic"]) == ("MIT", ["LICENSE"], ["version"])
        assert not any(line.startswith("Private") for line in each["classifiers"])
        assert len(each["keywords"]) > 3
        assert (ROOT / folder / each["readme"]).is_file()
    science = projects["measures"]
    assert science["dependencies"] == ["numpy>=2", "scipy>=1.14"]
    assert {*science["dependencies"], *science["optional-dependencies"]["metrics"]} <= {*projects["."]["dependencies"]}
    shared = {name: projects["."]["optional-dependencies"][name] for name in ("calibration", "contextual")}
    assert shared.items() <= science["optional-dependencies"].items()
    assert (ROOT / "client" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def project(folder: str) -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def test_the_app_as_a_package_has_all_that_the_clone_reads_and_no_tests(tmp_path: Path) -> None:
    lay_out_app(ROOT, tmp_path)

    laid = tmp_path / "precis_app"
    for name in (
        "manage.py",
        "docs/handbook.md",
        "locale/de/LC_MESSAGES/django.mo",
        "static/js",
        "templates/base.html",
    ):
        assert (laid / name).exists(), name
    assert {room.label for room in apps.get_app_configs() if Path(room.path).parent == ROOT} <= {
        path.name for path in laid.iterdir()
    }
    assert not [path for path in laid.rglob("*") if path.name in {"tests", "conftest.py", "__pycache__"}]
    start = "from precis_app.annotation.command import main; main()"
    command = [sys.executable, "-c", start, "--data", "study", "manage", "check"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "PRECIS_DATA_DIR": ""}
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout[:37]) == (0, "System check identified no issues (0 "), run.stderr
    assert (tmp_path / "study" / "secret_key").is_file()
    assert not (laid / "staticfiles").exists()
