"""What the documentation names exists: files, functions, modules, commands, make targets, and links between pages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("client/*.md"), *ROOT.glob("docs/**/*.md")])
ROOMS = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"var"}
SUFFIXES = (".py", ".js", ".css", ".html", ".toml", ".yml", ".sh")

CODE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
PAIR = re.compile(r"(\S+\.py): (\w+)")
MODULE = re.compile(rf"({'|'.join(sorted(ROOMS))})(\.(?!jsonl)\w+)+")
COMMAND = re.compile(r"manage\.py ([a-z_]+)")
TARGET = re.compile(r"^ *make ([a-z][a-z-]*)", re.MULTILINE)
SOURCE = re.compile(r"^(- )?\*\*Source\.\*\* \S", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")

of_every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def spans(page: Path) -> Iterator[str]:
    """The words in backticks, without blocks of code."""
    for match in SPAN.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        yield " ".join(match[1].split())


def exists(path: str) -> bool:
    """Whether a path leads from the top of the repository; a bare name may also be that of a file in any room."""
    return any(ROOT.glob(path.rstrip("/"))) or ("/" not in path and any(ROOT.glob(f"*/{path}")))


def is_path(span: str) -> bool:
    if "/" not in span:
        return span.endswith(SUFFIXES) and " " not in span
    return span.partition("/")[0] in FOLDERS and " " not in span


@cache
def names_in(path: Path) -> set[str]:
    """What a module defines at its top level; nothing if it is not there, which another test says."""
    if not path.exists():
        return set()
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@of_every_page
def test_files_exist(page: Path) -> None:
    named = [PAIR.sub(r"\1", span).partition("::")[0] for span in spans(page)]
    assert [path for path in named if is_path(path) and not exists(path)] == []


@of_every_page
def test_functions_are_where_the_page_says(page: Path) -> None:
    pairs = [match for span in spans(page) if (match := PAIR.fullmatch(span)) and is_path(match[1])]
    assert [match[0] for match in pairs if match[2] not in names_in(ROOT / match[1])] == []


@of_every_page
def test_modules_can_be_imported(page: Path) -> None:
    missing = []
    for name in {span for span in spans(page) if MODULE.fullmatch(span) and not is_path(span)}:
        try:
            resolve_name(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []


@of_every_page
def test_commands_exist(page: Path) -> None:
    commands = set(COMMAND.findall(page.read_text(encoding="utf-8")))
    assert commands - set(get_commands()) == set()


@of_every_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    code = [*spans(page), *CODE.findall(page.read_text(encoding="utf-8"))]
    assert set(TARGET.findall("\n".join(code))) - targets == set()


@of_every_page
def test_links_lead_to_files(page: Path) -> None:
    links = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_each_method_names_its_source() -> None:
    """A section that names code computes something: it cites the place in a paper, or says that it is our own."""
    text = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
    sections = re.split(r"^#{2,} ", text, flags=re.MULTILINE)
    computing = [section for section in sections if "\nCode: " in section]

    assert len(computing) > 100
    assert [each.partition("\n")[0] for each in computing if not SOURCE.search(each)] == []


@pytest.mark.slow
def test_the_site_can_be_built(tmp_path: Path) -> None:
    """Without a warning, so without a link to what is not there; without the reference, which is quicker."""
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-t",
        "documents",
        "-c",
        "docs",
        "-b",
        "dummy",
        ".",
        str(tmp_path),
    ]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
