"""What pyproject.toml says of an installation: its version, and its extras, packages that only some have."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


@cache
def product_version() -> str:
    """Return the version of these files: Précis runs from its checkout, so what pip has installed does not tell it."""
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])


@dataclass(frozen=True)
class Extra:
    """An extra by its name, known by one of its packages."""

    name: str
    package: str

    @property
    def is_installed(self) -> bool:
        return find_spec(self.package) is not None

    @property
    def command(self) -> str:
        """What installs it.

        >>> PARQUET.command
        "pip install '.[parquet]'"
        """
        return f"pip install '.[{self.name}]'"


CALIBRATION = Extra("calibration", package="sklearn")
ERRORS = Extra("errors", package="sentry_sdk")
HUB = Extra("hub", package="huggingface_hub")
PARQUET = Extra("parquet", package="pyarrow")
S3 = Extra("s3", package="storages")
