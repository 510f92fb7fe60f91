"""How often the intervals of reports on judgements cover what was planted, through the figures of the reports.

Run it with `python benchmarks/scale_coverage.py`. Raters of two arms judge the same latent quality of the same texts,
with the latent ICC of each arm known; the program counts over seeds how often the 95% intervals of the two latent ICCs
and of their difference cover the truth, and how often a difference is claimed that is none.

Then, or alone with `--only rankings` or `--only points`, people rank four texts of each set, or give texts of three
systems from 1 to 5 points with and without a reference; the truth is that of a very large study of the same kind.
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

from protocols.absolute import figures as of_points  # noqa: E402
from protocols.absolute.figures import absolute_rows  # noqa: E402
from protocols.absolute.tests.planted import planted_points, true_points  # noqa: E402
from protocols.ranking import figures as of_ranks  # noqa: E402
from protocols.ranking.figures import RankingParameters, ranking_rows  # noqa: E402
from protocols.ranking.tests.planted import planted_rankings, true_ranks  # noqa: E402
from protocols.report_rows import ReportRow  # noqa: E402
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


def _holds(row: ReportRow, truth: float) -> bool:
    return row.low is not None and row.high is not None and row.low <= truth <= row.high


def print_rankings(seeds: int, draws: int) -> None:
    ranks, strengths = true_ranks()
    for sets in (20, 40):
        counts: Counter[str] = Counter()
        for seed in range(1, seeds + 1):
            rows = list(ranking_rows(planted_rankings(seed, sets), RankingParameters(draws=draws, seed=seed)))
            for figure, truths in ((of_ranks.MIDRANK, ranks), (of_ranks.STRENGTH, strengths)):
                found = [row for row in rows if row.figure == figure]
                for row, truth in zip(found, truths.tolist(), strict=True):
                    counts[f"{figure} of {row.group}"] += _holds(row, truth)
        print(f"{sets} sets: of {seeds} seeds: {_told(counts)}", flush=True)


def print_points(seeds: int) -> None:
    apart, without = true_points()
    for sources in (12, 24):
        counts: Counter[str] = Counter()
        for seed in range(1, seeds + 1):
            for row in absolute_rows(planted_points(seed, sources)):
                if row.figure == of_points.DIFFERENCE and (row.part, row.group) == ("system 0", "system 2"):
                    counts["difference of systems"] += _holds(row, apart)
                elif row.figure == of_points.REFERENCE_EFFECT:
                    counts["effect of the reference"] += _holds(row, without)
        print(f"{sources} sources: of {seeds} seeds: {_told(counts)}", flush=True)


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["scales", "rankings", "points"])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--sources", type=int, default=50, help="of two texts each, with five ratings in each arm")
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    if given.only in (None, "scales"):
        print_scales(given.seeds, given.sources, given.draws)
    if given.only in (None, "rankings"):
        print_rankings(given.seeds, given.draws)
    if given.only in (None, "points"):
        print_points(given.seeds)


def print_scales(seeds: int, sources: int, draws: int) -> None:
    for name, rho in DESIGNS.items():
        counts: Counter[str] = Counter()
        for seed in range(seeds):
            counts += covered(seed, rho, sources, draws)
        told = ", ".join(f"{key} {counts[key]}" for key in ("first", "second", "difference", "claimed"))
        print(f"{name} {rho}: of {seeds} seeds: {told}", flush=True)


if __name__ == "__main__":
    main()
