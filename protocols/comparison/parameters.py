"""Which systems of a release are compared, by whose ratings, and how."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext_lazy

from measures.experiments.comparison import Middle
from measures.experiments.judgements import JudgesOf
from reports.parameters import ReportParameters, choice, draws, names, seed

MOST_SYSTEMS = 10
Pool = Literal["crowd", "experts"]


@dataclass(frozen=True)
class ComparisonParameters(ReportParameters):
    baseline: tuple[str, ...] = names(
        most=1,
        label=gettext_lazy("Baseline system"),
        none=gettext_lazy("the first by name"),
        api="The system that the others are compared with; by default the first by name.",
        option="the system that the others are compared with (default: the first by name)",
    )
    systems: tuple[str, ...] = names(
        most=MOST_SYSTEMS,
        label=gettext_lazy("Systems"),
        none=gettext_lazy("all with ratings"),
        hint=gettext_lazy("One a line. If empty: all with ratings."),
        api="The systems to compare, by default all with ratings.",
        option="a system to compare; may be repeated (default: all with ratings)",
    )
    judges: JudgesOf = choice(
        "both",
        JudgesOf,
        label=gettext_lazy("Whose ratings count for a source"),
        labels={
            "both": gettext_lazy("those of people who rated both outputs"),
            "all": gettext_lazy("everybody’s"),
        },
        api="Whether a person's ratings count for a source only after rating the outputs of both systems.",
        option="whose ratings count for a source: of people who rated both outputs, or of all",
    )
    middle: Middle = choice(
        "mean",
        Middle,
        label=gettext_lazy("What of an output’s ratings is rounded to its category"),
        labels={"mean": gettext_lazy("the mean"), "median": gettext_lazy("the median")},
        api="What of an output's ratings is rounded, half up, to the category in which it counts.",
        option="what of an output's ratings is rounded, half up, to its category",
        is_folded=True,
    )
    pool: Pool = choice(
        "crowd",
        Pool,
        label=gettext_lazy("Ratings"),
        labels={"crowd": gettext_lazy("of the crowd"), "experts": gettext_lazy("of experts")},
        api="Whose ratings.",
        option="whose ratings",
        is_folded=True,
    )
    draws: int = draws("draws of sources for intervals, and of signs and orders for tests")
    seed: int = seed(is_folded=True)
