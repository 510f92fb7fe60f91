"""The client as a package: alone, typed, installable, with examples that name what is there."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import precis_client
from precis_client import Campaign, Job, Precis, PrecisError, Record, Release, Retries
from tests.support.product import ROOT

CLIENT = ROOT / "client"
ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
import precis_client, precis_client.precis, precis_client.releases
others = {"django", "rest_framework", "pandas", "annotation", "crowd"}
print(sorted({name.split(".")[0] for name in sys.modules} & others))
"""


def test_it_needs_nothing_of_the_server() -> None:
    command = [sys.executable, "-c", ALONE, str(CLIENT)]
    assert subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout == "[]\n"


def test_its_own_code_imports_httpx_and_the_standard_library_alone() -> None:
    names = set[str]()
    for path in (CLIENT / "precis_client").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").partition(".")[0])
    declared = tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert names - sys.stdlib_module_names == {"httpx", "pandas", "precis_client"}
    assert [re.split(r"\W", each)[0] for each in declared["dependencies"]] == ["httpx"]


def test_it_can_be_built_and_holds_its_types(tmp_path: Path) -> None:
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", str(tmp_path / "wheels")]
    source = tmp_path / "client"
    beside = (CLIENT / name for name in ("pyproject.toml", "README.md", "LICENSE"))
    for path in [*beside, *(CLIENT / "precis_client").glob("*")]:
        if path.is_file():
            copy = source / path.relative_to(CLIENT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True)
    (wheel,) = (tmp_path / "wheels").glob("precis_client-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    assert {"precis_client/py.typed", "precis_client/precis.py"} <= set(names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"precis_client"}


def documented() -> Iterator[tuple[str, str]]:
    """What people call, with its docstring."""
    for kind in (Precis, Campaign, Job, Release, Record, Retries, PrecisError):
        yield kind.__name__, inspect.getdoc(kind) or ""
        for name, value in vars(kind).items():
            if not name.startswith("_") and (callable(value) or isinstance(value, property)):
                yield f"{kind.__name__}.{name}", inspect.getdoc(value) or ""


@pytest.mark.parametrize(("name", "words"), [*documented()], ids=[name for name, _ in documented()])
def test_everything_that_people_call_has_an_example_that_can_be_read(name: str, words: str) -> None:
    examples = doctest.DocTestParser().get_examples(words)
    assert examples, name
    known = {
        "campaign": {*dir(Campaign), "name", "state", "slug"},
        "precis": {*dir(Precis)},
        "release": {*dir(Release), "name", "state", "counts", "version"},
    }
    for example in examples:
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
                assert node.attr in known[node.value.id], f"{name}: {node.value.id}.{node.attr}"


def test_all_that_is_offered_is_there() -> None:
    assert [name for name in precis_client.__all__ if not hasattr(precis_client, name)] == []
