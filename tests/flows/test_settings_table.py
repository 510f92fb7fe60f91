"""The table of settings in the docs and what the code reads from the environment are the same."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.rooms import ROOT, product_files

ROW = re.compile(r"^\| `([A-Z0-9_]+)` \| (.*?) \| (.+) \|$", re.MULTILINE)
# Where a variable is passed on or set, and none of these is a setting of Précis.
OTHERS = {
    "manage.py",
    "annotation/celery.py",
    "annotation/command.py",  # where the data are, before there are settings
    "common/console.py",  # COLUMNS and NO_COLOR, which say what the terminal is, and set nothing
    "annotation/wsgi.py",
    "annotation/supervisor.py",
    "annotation/orphan_guard.py",
    "common/metrics_folder.py",
    "systems/services/outside.py",  # a program of the user's gets the environment without our settings
    "systems/programs/neural/pytorch.py",  # sets what PyTorch needs to be repeatable
}


def modules() -> Iterator[Path]:
    """What runs in an installation."""
    yield ROOT / "manage.py"
    yield from product_files()


def read_by_the_code(*by: str) -> Iterator[tuple[str, object]]:
    """Each variable with its default, if that is written beside its name; those that some functions read, or all."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and reads(node, path) and (not by or ast.unparse(node.func) in by):
                name, *default = node.args
                assert isinstance(name, ast.Constant), f"{path}:{node.lineno} reads a variable without writing its name"
                is_written = default and isinstance(default[0], ast.Constant)
                yield str(name.value), default[0].value if is_written else None  # type: ignore[attr-defined]


def reads(call: ast.Call, path: Path) -> bool:
    """Whether a variable is read: by `environment.text`, or by a bare `text("PRECIS_…")` where such are defined."""
    if ast.unparse(call.func).startswith("environment.") and call.args:
        return True
    name = call.args[0] if call.args else None
    is_named = isinstance(name, ast.Constant) and str(name.value).startswith("PRECIS_")
    return path == ROOT / "common/environment.py" and ast.unparse(call.func) in {"text", "secret"} and is_named


@cache
def secrets() -> frozenset[str]:
    """The variables that may lie in files."""
    return frozenset(name for name, _default in read_by_the_code("environment.secret", "secret"))


def documented() -> dict[str, str]:
    table = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    return {name: default for name, default, _meaning in ROW.findall(table)}


def test_the_table_has_every_variable_that_is_read_and_no_other() -> None:
    assert sorted(documented()) == sorted({name for name, _default in read_by_the_code()})


def test_the_table_has_the_defaults_of_the_code() -> None:
    table = documented()

    written = {name: default for name, default in read_by_the_code() if isinstance(default, int | str)}

    assert written
    assert {name: table[name].strip("`") for name in written} == {name: str(each) for name, each in written.items()}


def test_the_environment_is_read_in_one_place() -> None:
    reading = {
        str(path.relative_to(ROOT)) for path in modules() if re.search(r"os\.(environ|getenv)", path.read_text("utf-8"))
    }

    assert reading == {*OTHERS, "common/environment.py"}
