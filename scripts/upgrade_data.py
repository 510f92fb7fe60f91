"""Make the data of the last release that tests/upgrade migrates: a database with rows, and checksums of its releases.

The tree of that release is checked out beside this one and fills a new database with its own code. Run it once for a
release, with the release's own packages (`--python`; by default those of this tree, which are close enough to 0.2.0):

    python scripts/upgrade_data.py
"""

import argparse
import contextlib
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The commit that made "## 0.2.0" of CHANGELOG.md.
LAST_RELEASE = "ee4fd94d8267"
VERSION = "0.2.0"
FOLDER = ROOT / "tests" / "upgrade"
FILL = Path(__file__).with_name("upgrade_fill.py")
ALL_SPLITS, SPLITS = "all splits", ("train", "valid", "test")
# Written by migrations themselves, in a new database as in this one.
NOT_DATA = ("auth.permission", "contenttypes.contenttype")


@contextlib.contextmanager
def tree_of(commit: str, folder: Path) -> Iterator[Path]:
    """Check a commit out into a folder beside, and forget it at the end."""
    root = folder / "tree"
    git = ["git", "-C", str(ROOT), "worktree"]
    try:
        subprocess.run([*git, "add", "--detach", "--quiet", str(root), commit], check=True)
        yield root
    finally:
        subprocess.run([*git, "remove", "--force", "--force", str(root)], check=False, capture_output=True)


def old_environment(folder: Path, url: str) -> dict[str, str]:
    """What both versions understand, and nothing of the shell's own installation."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    data = {"PRECIS_DATA_DIR": str(folder), "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "annotation.settings"}
    return {**kept, **data, "PRECIS_SPACY_MODEL": "", "PYTHONDONTWRITEBYTECODE": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the release's packages")
    python = parser.parse_args().python
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        folder.mkdir(mode=0o700)
        environment = old_environment(folder, f"sqlite:///{folder / 'old.sqlite3'}")
        with tree_of(LAST_RELEASE, Path(name)) as tree:
            shutil.copy(FILL, tree / "fill.py")
            manage = [python, "manage.py"]
            subprocess.run([*manage, "migrate", "-v0"], cwd=tree, env=environment, check=True)
            subprocess.run([python, "fill.py", str(folder / "releases.json")], cwd=tree, env=environment, check=True)
            left_out = [f"--exclude={label}" for label in NOT_DATA]
            dump = [*manage, "dumpdata", "--all", "--format=jsonl", *left_out]
            rows = subprocess.run(dump, cwd=tree, env=environment, check=True, capture_output=True).stdout
        releases = json.loads((folder / "releases.json").read_text())
        write(rows, {release: checksums(Path(where)) for release, where in releases.items()})


def checksums(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return {**found, ALL_SPLITS: rows_digest(folder)}


def rows_digest(folder: Path) -> str:
    """Of the rows of RawData, whichever split each is in: the bytes after the mark that each file begins with."""
    texts = [(folder / "RawData" / f"{split}.tsv").read_text(encoding="utf-8-sig") for split in SPLITS]
    rows = sorted(line for text in texts for line in text.splitlines())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def write(rows: bytes, releases: dict[str, dict[str, str]]) -> None:
    packed = gzip.compress(rows, mtime=0)
    (FOLDER / f"precis-{VERSION}.jsonl.gz").write_bytes(packed)
    text = json.dumps(releases, indent=1, sort_keys=True)
    (FOLDER / f"releases-{VERSION}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows.splitlines())} rows, {len(packed) // 1024} KB")


if __name__ == "__main__":
    main()
