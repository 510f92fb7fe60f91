"""Every version of CHANGELOG.md has its notes for whoever upgrades to it."""

import re
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "Unreleased"


def versions() -> list[str]:
    """The versions of CHANGELOG.md without their last number, the oldest first; what is not released has no number."""
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    short = [each if each == UNRELEASED else each.rpartition(".")[0] for each in reversed(headings)]
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
