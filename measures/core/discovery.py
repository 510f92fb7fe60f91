"""Finding what the modules of a package define, so that an extension is a file and no list names it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def find_in_modules(package: ModuleType, name: str) -> Iterator[Any]:
    """Yield what the modules of a package call by a name; modules without that name are passed over.

    Parameters
    ----------
    package : module
        The package; its sub-packages are looked at, too, but not into.
    name : str
        The name, such as "METRICS".

    Yields
    ------
    object
        The value in each module that has one, in the alphabetical order of the modules.

    Examples
    --------
    >>> from measures import core
    >>> [each.__name__ for each in find_in_modules(core, "Undefined")][-1]
    'Undefined'
    """
    for found in sorted(iter_modules(package.__path__), key=lambda each: each.name):
        # The module that asks is being imported itself: it is no extension.
        if found.name == "registry":
            continue
        module = import_module(f"{package.__name__}.{found.name}")
        if hasattr(module, name):
            yield getattr(module, name)
