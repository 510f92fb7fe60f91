"""The documented deployment, as far as it can be checked without a server; `make deploy-check` runs it."""

import runpy
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest

from annotation import celery
from tests.support.web_server import ROOT

PAGE = ROOT / "docs/deployment.md"
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))
CLOSED = {
    "User": "precis",
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "CapabilityBoundingSet": "",
    "RestrictNamespaces": "yes",
    "SystemCallArchitectures": "native",
    "UMask": "0077",
    "Restart": "on-failure",
    "EnvironmentFile": "/etc/precis/precis.env",
}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        return runpy.run_path(str(ROOT / "scripts/deploy_as_documented.py"))
    finally:
        sys.path.pop(0)


def unit(path: Path) -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=False, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_every_service_is_closed_limited_and_ends_in_time(path: Path) -> None:
    service = unit(path)["Service"]
    assert {name: service.get(name) for name in CLOSED} == CLOSED
    for name in ("MemoryMax", "TasksMax", "TimeoutStopSec", "KillMode"):
        assert service.get(name), name
    assert service["ExecStart"].startswith("/opt/precis/.venv/bin/python ")
    assert unit(path)["Unit"]["PartOf"] == "precis.target"


def test_a_worker_starts_at_its_priority_where_it_may_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_niceness: int) -> int:
        raise PermissionError  # as @resources among the forbidden calls makes of it

    service = unit(ROOT / "deploy/systemd/precis-worker@.service")["Service"]
    monkeypatch.setattr("os.nice", forbidden)

    assert service["Nice"] == str(celery.NICENESS)
    celery.give_way()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_page_starts_every_service(path: Path) -> None:
    name = path.stem.replace("@", "@1")
    enabled = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("systemctl enable")]
    assert any(name in line.split() for line in enabled)


def test_what_is_replaced_in_the_check_is_on_the_page(script: dict[str, Any]) -> None:
    blocks = script["documented_blocks"](PAGE, script["WAY"])
    assert len(blocks) > 15
    for each in script["REPLACED"]:
        assert any(each.words in block.commands for block in blocks if not block.reason), each.words
        assert each.why


def test_what_is_not_run_says_why(script: dict[str, Any]) -> None:
    blocks = script["documented_blocks"](PAGE, script["WAY"])
    assert sum(bool(block.reason) for block in blocks) <= 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("way", ["The first way: Debian and systemd", "The second way: Docker Compose"])
def test_every_block_of_commands_can_be_read(script: dict[str, Any], way: str) -> None:
    blocks = script["documented_blocks"](PAGE, way)
    assert blocks
    for block in blocks:
        subprocess.run(["bash", "-n"], input=block.commands.encode(), check=True)


def test_a_section_ends_where_the_next_one_begins(script: dict[str, Any], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# T\n\n## A\n\n```sh\none\n```\n\n### B\n\n<!-- not run by deploy-check: why -->\n```sh\ntwo\n```\n\n"
        "```\nno commands\n```\n\n## C\n\n```sh\nthree\n```\n",
        encoding="utf-8",
    )
    found = [(each.heading, each.commands, each.reason) for each in script["documented_blocks"](page, "A")]
    assert found == [("A", "one\n", ""), ("B", "two\n", "why")]
