"""One version: what says it, what it stands for, and its notes for whoever upgrades to it."""

import re
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from common.extras import product_version
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

    assert product_version() == citation["version"] == newest
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
