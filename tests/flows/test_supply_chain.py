"""What Précis is made of: asked about, listed, and nowhere called sound without an answer."""

import json
import re
import runpy
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parents[2]
TODAY = date(2026, 6, 1)
REASON = "Concerns only a part that the app does not use."
SKIPPED = {"name": "numpy", "skip_reason": "Dependency not found on PyPI"}
WEAK = {
    "name": "django",
    "version": "5.2",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.9"], "aliases": [], "description": ""}],
}
SOUND = {"name": "celery", "version": "5", "vulns": []}
NPM_WEAK = {
    "vulnerabilities": {
        "axe-core": {
            "range": "<5",
            "via": [{"title": "A hole", "url": "https://github.com/advisories/GHSA-1"}, "other"],
        }
    }
}


@pytest.fixture(scope="module")
def audit() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts/audit.py"))


def test_a_known_weakness_is_found(audit: dict[str, Any]) -> None:
    found = audit["python_audit"]({"dependencies": [SOUND, WEAK]})
    assert found.findings == {"PYSEC-1": "django 5.2: PYSEC-1, mended in 5.2.9"}
    assert found.unasked == []
    assert list(audit["npm_audit"](NPM_WEAK).findings) == ["GHSA-1"]


@pytest.mark.parametrize("packages", [[SKIPPED, SOUND], []])
def test_packages_without_data_are_not_taken_for_sound(audit: dict[str, Any], packages: list[Any]) -> None:
    assert audit["python_audit"]({"dependencies": packages}).unasked
    assert audit["npm_audit"]({"message": "405 Method Not Allowed"}).unasked


@pytest.mark.parametrize("program", ["exit(1)", "print('no JSON')", "print('[]')", "print('{}')"])
def test_a_program_that_gives_no_answer_is_said_loudly(audit: dict[str, Any], program: str) -> None:
    run, read = audit["run"], audit["python_audit"]
    assert run("pip-audit", [sys.executable, "-c", program], read).unasked
    assert run("pip-audit", ["/nowhere/pip-audit"], read).unasked


def entry(**changed: object) -> str:
    fields = {"id": '"PYSEC-1"', "reason": f'"{REASON}"', "until": "2026-06-01", **changed}
    return "[[ignored]]\n" + "".join(f"{name} = {value}\n" for name, value in fields.items() if value)


def test_what_is_ignored_has_a_reason_and_an_end(audit: dict[str, Any]) -> None:
    read = audit["read_ignored"]
    assert read(entry(), TODAY) == ({"PYSEC-1": f"{REASON} (until 2026-06-01)"}, [])
    for changed in ({"until": "2026-05-31"}, {"until": ""}, {"reason": '"no"'}, {"id": ""}):
        ignored, wrong = read(entry(**changed), TODAY)
        assert ignored == {}
        assert len(wrong) == 1


@pytest.mark.parametrize(
    ("answer", "ignored", "options", "status"),
    [
        ([SOUND], "", [], 0),
        ([WEAK], "", [], 1),
        ([WEAK], entry(until="2999-01-01"), [], 0),
        ([SKIPPED], "", [], 0),
        ([SKIPPED], "", ["--strict"], 1),
    ],
)
def test_the_whole_program_fails_on_findings_and_says_what_it_could_not_ask(
    tmp_path: Path, answer: list[Any], ignored: str, options: list[str], status: int
) -> None:
    """With programs that answer as the real ones do."""
    program = (ROOT / "scripts/audit.py").read_text(encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/audit.py").write_text(program, encoding="utf-8")
    (tmp_path / "audit.toml").write_text(ignored, encoding="utf-8")
    said = json.dumps({"dependencies": answer})
    (tmp_path / "pip_audit.py").write_text(f"print({said!r})", encoding="utf-8")
    (tmp_path / "npm").write_text("#!/bin/sh\necho '{\"vulnerabilities\": {}}'\n", encoding="utf-8")
    (tmp_path / "npm").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(tmp_path)}

    command = [sys.executable, str(tmp_path / "scripts/audit.py"), *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == status, done.stderr
    assert ("NOT AUDITED" in done.stderr) == (answer == [SKIPPED])


def test_the_list_here_can_be_read(audit: dict[str, Any]) -> None:
    _ignored, wrong = audit["read_ignored"]((ROOT / "audit.toml").read_text(encoding="utf-8"), TODAY)
    assert wrong == []


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("bill") / "sbom.cdx.json"
    subprocess.run([sys.executable, str(ROOT / "scripts/sbom.py"), str(file)], check=True, capture_output=True)
    return file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_bill_of_materials_is_valid_and_has_every_pinned_package(bill: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
    listed = {(each["name"], each["version"]) for each in json.loads(bill)["components"]}
    required = re.findall(r"^([^=\s#]+)==(\S+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    of_npm = {(path.removeprefix("node_modules/"), package["version"]) for path, package in lock.items() if path}
    assert listed == set(required) | of_npm


def test_everything_in_the_bill_has_hashes_and_is_needed_by_something(bill: str) -> None:
    whole = json.loads(bill)
    needed = {reference for each in whole["dependencies"] for reference in each.get("dependsOn", [])}
    for each in whole["components"]:
        assert each.get("hashes") or [file["hashes"] for file in each["externalReferences"]]
        assert each["scope"] == "excluded" or each["bom-ref"] in needed
    assert {each["scope"] for each in whole["components"] if each["purl"].startswith("pkg:npm/")} == {"excluded"}


@pytest.mark.slow
def test_the_same_files_give_the_same_bill(bill: str, tmp_path: Path) -> None:
    file = tmp_path / "again.json"
    subprocess.run([sys.executable, str(ROOT / "scripts/sbom.py"), str(file)], check=True, capture_output=True)
    assert file.read_text(encoding="utf-8") == bill
    assert not {"serialNumber", "timestamp"} & {*json.loads(bill), *json.loads(bill)["metadata"]}


def test_the_bill_says_what_it_does_not_cover(bill: str) -> None:
    properties = json.loads(bill)["metadata"]["properties"]
    assert [each["value"] for each in properties if each["name"] == "precis:not-covered"]
