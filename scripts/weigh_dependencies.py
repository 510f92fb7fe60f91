"""Print what each run-time dependency weighs installed: the weights in docs/dependencies.md.

    .venv/bin/python scripts/weigh_dependencies.py

A distribution weighs what its files take, compiled Python included. What a dependency brings alone is all that it
needs, directly or through others, and that no other dependency needs.
"""

import sys
import tomllib
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SHOWN = 4  # of what a dependency brings, the heaviest
PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def main() -> int:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    least = project["dependencies"]
    wanted = [*least, *(line for each in ("errors", "parquet", "s3") for line in extras[each])]
    try:
        found = {Requirement(line).name: needed(Requirement(line)) for line in wanted}
    except PackageNotFoundError as error:
        print(f"{error.name} is not installed here: make run installs what the table is about", file=sys.stderr)
        return 1
    print("| package | MB | MB with what it alone brings | brings alone |\n|---|---|---|---|")
    own = {name: alone(name, found) for name in found}
    for name in sorted(found, key=lambda name: -weight(own[name])):
        others = sorted(own[name] - {canonicalize_name(name)}, key=lambda each: (-size(each), each))
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        print(f"| {name} | {size(name):.1f} | {weight(own[name]):.1f} | {', '.join(others[:SHOWN])}{more} |")
    everything = frozenset[str]().union(*found.values())
    print(f"| all {len(everything)} | | {weight(everything):.1f} | |")
    without = frozenset[str]().union(*(found[Requirement(line).name] for line in least))
    print(f"| {len(without)} without errors, parquet and s3 | | {weight(without):.1f} | |")
    return 0


def alone(name: str, found: dict[str, frozenset[str]]) -> frozenset[str]:
    """A dependency and all that none of the others needs."""
    others = [needs for other, needs in found.items() if other != name]
    return found[name].difference(*others) | {canonicalize_name(name)}


def needed(requirement: Requirement) -> frozenset[str]:
    """A distribution and all that it needs on this computer."""
    seen: set[tuple[str, str]] = set()
    waiting = [requirement]
    while waiting:
        each = waiting.pop()
        # Without extras first: their requirements come in addition.
        for extra in ("", *each.extras):
            if (key := (canonicalize_name(each.name), extra)) not in seen:
                seen.add(key)
                waiting += asked_by(distribution(each.name), extra)
    return frozenset(name for name, _ in seen)


def asked_by(installed: Distribution, extra: str) -> list[Requirement]:
    requirements = [Requirement(line) for line in installed.requires or ()]
    return [each for each in requirements if each.marker is None or each.marker.evaluate({"extra": extra})]


def weight(names: frozenset[str]) -> float:
    return sum(size(name) for name in names)


@cache
def size(name: str) -> float:
    """Megabytes of 1024 kB, like those of `du -sm`, which counts whole blocks."""
    # `files` names what was installed, which need not be there any more.
    paths = [Path(str(each.locate())) for each in distribution(name).files or ()]
    # An installer that compiles afterwards names no compiled file.
    modules = [path for path in paths if path.suffix == ".py"]
    compiled = [found for path in modules for found in path.parent.glob(f"__pycache__/{path.stem}.*.pyc")]
    return sum(path.stat().st_size for path in {*paths, *compiled} if path.is_file()) / 2**20


if __name__ == "__main__":
    sys.exit(main())
