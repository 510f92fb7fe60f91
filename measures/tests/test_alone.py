"""The agreement of raters is a library: it wants NumPy beside it, and nothing else."""

import subprocess
import sys
from pathlib import Path

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
