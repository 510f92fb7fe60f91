"""What is installed: the version, whether from a package, and extras, packages that only some have."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from measures import __version__

IS_PACKAGE = Path(__file__).resolve().parents[1].name == "precis_app"
"""Whether Précis was installed by pip, and not checked out (measures/build_backend/precis_build.py)."""


def product_version() -> str:
    """Return the version of these files, which in a checkout is not what pip has installed."""
    return __version__


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
        return f"pip install '{'precis-app' if IS_PACKAGE else '.'}[{self.name}]'"


CALIBRATION = Extra("calibration", package="sklearn")
ERRORS = Extra("errors", package="sentry_sdk")
HUB = Extra("hub", package="huggingface_hub")
PARQUET = Extra("parquet", package="pyarrow")
S3 = Extra("s3", package="storages")
