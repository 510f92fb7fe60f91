"""What the package calls things."""

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import measures.meta_evaluation as package

MODULES = sorted(each.name for each in pkgutil.iter_modules(package.__path__) if not each.ispkg)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_not_hidden_by_a_function_of_its_name(name: str) -> None:
    import_module(f"{package.__name__}.{name}")
    assert isinstance(getattr(package, name), ModuleType)


@pytest.mark.parametrize("name", MODULES)
def test_examples_need_nothing_of_the_tests(name: str) -> None:
    assert "meta_evaluation.tests" not in (Path(package.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
