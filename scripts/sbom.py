"""Write what Précis is made of, as a bill of materials in CycloneDX's JSON, the same bytes for the same files.

    python scripts/sbom.py [FILE]       sbom.cdx.json if no file is named

It holds the packages of requirements.txt, with their hashes and what needs what, and those of package-lock.json, which
only the tests use. It does not hold the Debian packages of the image or of a server: ask these for theirs.
"""

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parent.parent
CYCLONEDX = ["-m", "cyclonedx_py", "requirements", "requirements.txt", "--pyproject", "pyproject.toml"]
CYCLONEDX += ["--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"]
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(?:.*\\\n)+.*\n((?: +#.*\n)+)", re.MULTILINE)
NEEDED_BY = re.compile(r"#\s+(?:via\s+)?([A-Za-z0-9._-]+)")
NOT_COVERED = "The Debian packages of the image or the server, Python itself, and spaCy pipelines."


def main() -> int:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "sbom.cdx.json"
    text = json.dumps(bill(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        print(f"This is no valid CycloneDX: {error}", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    print(f"{file.name}: {len(json.loads(text)['components'])} packages")
    return 0


def bill() -> dict[str, Any]:
    command = [sys.executable, *CYCLONEDX]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    whole: dict[str, Any] = json.loads(done.stdout)
    for each in whole["components"]:
        each["bom-ref"] = each["purl"]
        each["scope"] = "required"
        del each["description"]  # the line of the file
    whole["dependencies"] = dependencies(whole)
    whole["components"] += npm_components()
    whole["components"].sort(key=lambda each: str(each["purl"]))
    whole["metadata"]["properties"].append({"name": "precis:not-covered", "value": NOT_COVERED})
    return whole


def dependencies(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what needs what, which pip-compile has noted at each package as what it is there for."""
    known = {each["name"]: each["purl"] for each in whole["components"]}
    top = whole["metadata"]["component"]["bom-ref"]
    needs: dict[str, set[str]] = {reference: set() for reference in (top, *known.values())}
    for name, notes in PIN.findall((ROOT / "requirements.txt").read_text(encoding="utf-8")):
        for parent in NEEDED_BY.findall(notes):
            if parent in known or parent == "precis-app":
                needs[known.get(parent, top)].add(known[name])
    return [{"ref": reference, "dependsOn": sorted(needs[reference])} for reference in sorted(needs)]


def npm_components() -> list[dict[str, Any]]:
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return [
        {
            "type": "library",
            "name": (name := path.rpartition("node_modules/")[2]),
            "version": package["version"],
            "purl": (purl := f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"),
            "bom-ref": purl,
            "scope": "excluded",  # of the tests; nobody who runs Précis has it
            "hashes": [{"alg": "SHA-512", "content": base64.b64decode(package["integrity"][7:]).hex()}],
        }
        for path, package in packages.items()
        if path
    ]


if __name__ == "__main__":
    sys.exit(main())
