"""The extras of pyproject.toml: packages that only some installations have. Here it is asked whether they are there."""

from dataclasses import dataclass
from importlib.util import find_spec


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


ERRORS = Extra("errors", package="sentry_sdk")
PARQUET = Extra("parquet", package="pyarrow")
S3 = Extra("s3", package="storages")
