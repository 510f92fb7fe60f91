"""Ask whether weaknesses are known of the packages that are installed: of PyPI's by pip-audit, of npm's by npm.

    make audit                   a finding fails; what could not be asked is said loudly, and passes
    make audit ARGS=--strict     what could not be asked fails as well

audit.toml lists findings that do not concern Précis, each with its reason and the day on which that is looked at again.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIP_AUDIT = [
    sys.executable,
    "-m",
    "pip_audit",
    "--requirement",
    "requirements.txt",
    "--require-hashes",
    "--disable-pip",
]
PIP_AUDIT += ["--format", "json", "--progress-spinner", "off"]
NPM_AUDIT = ["npm", "audit", "--package-lock-only", "--json"]
REASON_LENGTH = 20


@dataclass
class Audit:
    """What was found, by the name under which it can be ignored, and what could not be asked."""

    findings: dict[str, str] = field(default_factory=dict)
    unasked: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strict", action="store_true", help="fail if the data cannot be reached")
    asked = parser.parse_args()
    audits = [run("pip-audit", PIP_AUDIT, python_audit), run("npm audit", NPM_AUDIT, npm_audit)]
    ignored, wrong = read_ignored((ROOT / "audit.toml").read_text(encoding="utf-8"), datetime.now(UTC).date())
    findings = {name: text for audit in audits for name, text in audit.findings.items()}
    unasked = [line for audit in audits for line in audit.unasked]
    bad = [text for name, text in findings.items() if name not in ignored] + wrong
    for name in ignored.keys() & findings.keys():
        print(f"ignored: {findings[name]}: {ignored[name]}")
    for line in unasked:
        print(f"!!! NOT AUDITED: {line}", file=sys.stderr)
    for line in bad:
        print(f"!!! {line}", file=sys.stderr)
    if not bad and not unasked:
        print("No weakness is known of the packages in requirements.txt and package-lock.json.")
    return 1 if bad or (unasked and asked.strict) else 0


def run(name: str, command: list[str], read: Callable[[Any], Audit]) -> Audit:
    """Run a program and read what it says; whatever goes wrong, its packages were not asked about."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        return read(json.loads(done.stdout))
    except (OSError, subprocess.TimeoutExpired) as error:
        return Audit(unasked=[f"{name} did not run ({type(error).__name__})."])
    except (ValueError, KeyError, TypeError, AttributeError):
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return Audit(unasked=[f"{name} got no answer: {last[:200]}"])


def python_audit(said: Any) -> Audit:
    """Read pip-audit's report. It skips packages that it gets no data about, and calls that a success; it is none."""
    packages = said["dependencies"]
    skipped = [each for each in packages if "skip_reason" in each]
    audit = Audit()
    for each in packages:
        for found in each.get("vulns", []):
            newer = ", ".join(found["fix_versions"]) or "no version yet"
            audit.findings[found["id"]] = f"{each['name']} {each['version']}: {found['id']}, mended in {newer}"
    if skipped or not packages:
        why = skipped[0]["skip_reason"] if skipped else "the report is empty"
        audit.unasked.append(f"{len(skipped)} of {len(packages)} packages of Python ({why})")
    return audit


def npm_audit(said: Any) -> Audit:
    if "vulnerabilities" not in said:
        return Audit(unasked=[f"the packages of npm ({said['message']})"])
    audit = Audit()
    for name, found in said["vulnerabilities"].items():
        for via in found["via"]:
            if isinstance(via, dict):
                audit.findings[via["url"].rpartition("/")[2]] = (
                    f"{name} {found['range']}: {via['title']} ({via['url']})"
                )
    return audit


def read_ignored(text: str, today: date) -> tuple[dict[str, str], list[str]]:
    """Return the reasons of what is ignored, and what is wrong with the list."""
    ignored: dict[str, str] = {}
    wrong = []
    for entry in tomllib.loads(text).get("ignored", []):
        name, reason, until = entry.get("id", ""), entry.get("reason", ""), entry.get("until")
        if not name or len(reason) < REASON_LENGTH or not isinstance(until, date):
            wrong.append(f"audit.toml: {name or 'an entry'} needs an id, a reason in words and a date, until.")
        elif until < today:
            wrong.append(f"audit.toml: {name} was to be looked at again by {until}.")
        else:
            ignored[name] = f"{reason} (until {until})"
    return ignored, wrong


if __name__ == "__main__":
    sys.exit(main())
