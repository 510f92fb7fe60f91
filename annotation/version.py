"""The version of Précis, as pyproject.toml has it."""

import tomllib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


@cache
def version() -> str:
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
