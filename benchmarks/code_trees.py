"""The code that a benchmark serves: the files here, and for comparison those of an earlier commit."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.product import ROOT


@dataclass(frozen=True)
class Tree:
    """A name for tables, the folder with the code, and the settings that it is served with."""

    name: str
    root: Path
    settings: str = "annotation.settings"


NOW = Tree("now", ROOT)
FLOOR = Tree("floor", ROOT, "benchmarks.floor_settings")
GROWN = Tree("grown", ROOT)  # the same code, on a campaign that has grown large


@contextlib.contextmanager
def trees(commit: str | None, folder: Path, *, floor: bool, grown: bool) -> Iterator[list[Tree]]:
    """Yield the tree of a commit, if one is given, and the current one with its variants; the first is removed."""
    current = [NOW, *([FLOOR] if floor else []), *([GROWN] if grown else [])]
    if commit is None:
        yield current
        return
    name, root = _git("rev-parse", "--short", f"{commit}^{{commit}}"), folder / "before"
    try:
        _git("worktree", "add", "--detach", "--quiet", str(root), name)
        yield [Tree(name, root), *current]
    finally:
        # Forced twice, which also removes what was interrupted while it was made.
        _run("worktree", "remove", "--force", "--force", str(root))


def _git(*arguments: str) -> str:
    done = _run(*arguments)
    if done.returncode:
        sys.exit(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
