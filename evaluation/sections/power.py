"""What difference between two metrics could this many inputs show?"""

import numpy as np

from evaluation.compared import Compared
from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import smallest_difference

TABLE, SMALLEST = "power", "smallest difference"
POWER = 0.8
TIMES = (1, 2, 4)
NOTHING = Undefined("fewer than 2 metrics have a correlation")


def power_rows(judged: JudgedRelease) -> SectionResult:
    """Return the smallest difference to the best metric that Williams' test finds with 80%, on one pair of systems.

    The two metrics correlate with each other as the best one does with the others on average; also for two and four
    times as many inputs.
    """
    rows: list[Row] = []
    for judgement in judged.judgements:
        compared = judged.compared[judgement]
        found = _typical(compared)
        defined = ~np.isnan(compared.level.r).all(axis=0)
        inputs = int(np.median(compared.level.inputs[defined])) if defined.any() else 0
        for times in TIMES:
            about = {"judgement": judgement, "n": inputs * times, "power": POWER}
            if found is None:
                rows.append(row(TABLE, SMALLEST, NOTHING, **about))
                continue
            best, r, between = found
            value = smallest_difference(r, between, inputs * times, power=POWER, alpha=judged.parameters.alpha)
            known = {"metric": compared.outputs.metrics[best], "r12": r, "r23": between}
            rows.append(row(TABLE, SMALLEST, value, **about, **known))
    return SectionResult(rows, {})


def _typical(compared: Compared) -> tuple[int, float, float] | None:
    """Return the best metric, its mean correlation, and that with the other metrics on the median."""
    means = compared.level.means
    if (~np.isnan(means)).sum() < 2:
        return None
    best = int(np.nanargmax(means))
    # Shape of the correlations between metrics: pairs of systems, metrics, metrics.
    between = compared.level.between[:, best]
    others = np.delete(between, best, axis=1)
    known = others[~np.isnan(others)]
    return (best, float(means[best]), float(np.median(known))) if known.size else None


SECTIONS = [ReportSection(90, power_rows)]
