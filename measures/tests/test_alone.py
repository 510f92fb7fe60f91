"""`measures` is a library: its wheel works in an environment that has NumPy and SciPy and nothing else."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

WITH_NUMPY_ALONE = """
import sys

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root not in sys.stdlib_module_names and root not in ("numpy", "measures"):
            raise ImportError(f"{name} is not of a plain Python with NumPy")

sys.meta_path.insert(0, NothingElse())
"""


@pytest.mark.parametrize(
    "program",
    [
        "from measures.agreement import simulated_pair_agreement, weighted_kappa, bootstrap_agreement",
        "import doctest, measures.agreement as door; assert doctest.testmod(door, raise_on_error=True).attempted > 5",
    ],
)
def test_kappa_wants_numpy_alone(program: str) -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", WITH_NUMPY_ALONE + program], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


EVERY_MODULE = """
import importlib, pkgutil, sys
sys.path[:0] = sys.argv[1:]
import precis_measures
names = [each.name for each in pkgutil.walk_packages(precis_measures.__path__, "precis_measures.")]
wants = {name: None for name in names}
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        wants[name] = error.name
print({name: package for name, package in wants.items() if package}, len(names) > 60)
print(sorted(name for name in names if "tests" in name.split(".")), {"django", "celery", "measures"} & set(sys.modules))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the backend that `measures/pyproject.toml` names, which leaves nothing behind."""
    here, out = Path(__file__).resolve().parents[1], tmp_path_factory.mktemp("wheel")
    program = "import sys, precis_build; precis_build.build_wheel(sys.argv[1])"
    path = {**os.environ, "PYTHONPATH": str(here / "build_backend")}
    subprocess.run([sys.executable, "-c", program, out], cwd=here, env=path, capture_output=True, text=True, check=True)
    (built,) = out.glob("precis_measures-*.whl")
    return built


def test_the_wheel_holds_the_typed_library_and_needs_numpy_and_scipy_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("METADATA"))
        said = archive.read(metadata).decode()
        wanted = re.findall(r"^Requires-Dist: (.*)$", said, re.MULTILINE)
    assert {
        "precis_measures/py.typed",
        *(f"precis_measures/spans/data/{key}.json" for key in ("mqm", "esa", "salsa", "salsa-compression")),
    } <= set(names)
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"precis_measures"}
    assert [each for each in wanted if "extra ==" not in each] == ["numpy>=2", "scipy>=1.14"]


def test_in_a_bare_environment_every_module_is_imported_or_says_what_it_wants(wheel: Path, tmp_path: Path) -> None:
    bare, packages = tmp_path / "bare", Path(np.__file__).parents[1]
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(bare)
    for each in (*packages.glob("numpy*"), *packages.glob("scipy*")):
        (bare / each.name).symlink_to(each)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", EVERY_MODULE, bare],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = {
        "precis_measures.metrics.__main__": "tqdm",
    }
    assert (done.stderr, done.stdout) == ("", f"{wanted} True\n[] set()\n")
