"""How often the intervals of a comparison of scales cover what was planted, through the figures of the report.

Run it with `python benchmarks/scale_coverage.py`. Raters of two arms judge the same latent quality of the same texts,
with the latent ICC of each arm known; the program counts over seeds how often the 95% intervals of the two latent ICCs
and of their difference cover the truth, and how often a difference is claimed that is none.
"""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

import django

django.setup()

from protocols.scale_against_scale.arms_of_release import compared_ratings  # noqa: E402
from protocols.scale_against_scale.figures import figures  # noqa: E402
from protocols.scale_against_scale.page import answer_of, rows_by  # noqa: E402
from protocols.scale_against_scale.parameters import ScaleParameters  # noqa: E402
from protocols.scale_against_scale.tests.planted import FIVE, THREE, planted_sources  # noqa: E402

DESIGNS = {"equal": (0.5, 0.5), "unequal": (0.6, 0.35)}


def covered(seed: int, rho: tuple[float, float], sources: int, draws: int) -> Counter[str]:
    """Return what one seed covers."""
    ratings = compared_ratings(planted_sources(seed, sources=sources, rho=rho), (THREE, FIVE))
    rows = figures(
        ratings, ScaleParameters(draws=draws, seed=seed), minutes={}, drawn={"three": 12, "five": 12}, progress=_silent
    )
    found = rows_by(rows)
    truth = {"first": rho[0], "second": rho[1], "difference": rho[0] - rho[1]}
    counts: Counter[str] = Counter()
    for scale, value in truth.items():
        row = found["judging", "latent_icc", scale]
        counts[scale] += row["low"] is not None and row["low"] <= value <= row["high"]
    counts["claimed"] += answer_of(rows, ("three", "five"))[0].startswith("People judge better")
    return counts


def _silent(_done: int, _total: int) -> None:
    pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--sources", type=int, default=50, help="of two texts each, with five ratings in each arm")
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    for name, rho in DESIGNS.items():
        counts: Counter[str] = Counter()
        for seed in range(given.seeds):
            counts += covered(seed, rho, given.sources, given.draws)
        told = ", ".join(f"{key} {counts[key]}" for key in ("first", "second", "difference", "claimed"))
        print(f"{name} {rho}: of {given.seeds} seeds: {told}", flush=True)


if __name__ == "__main__":
    main()
