"""Values computed with SciPy, scikit-learn, the authors' code and plain loops over all cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from measures.core.arrays import FloatArray

GOLDEN: Any = json.loads((Path(__file__).parent / "data" / "later_methods.json").read_text())
METRICS = ("m1", "m2", "m3", "m4")


def quality() -> FloatArray:
    """Mean ratings of 4 systems on 12 inputs."""
    return np.array([[np.mean(output) for output in system] for system in GOLDEN["data"]["ratings"]])


def scores(*names: str) -> FloatArray:
    """Scores by metrics: by name, or the four that differ."""
    return np.array([GOLDEN["data"]["metrics"][name] for name in names or METRICS])
