"""The parameters of a report on metrics against ratings. Defaults follow the papers where they state them."""

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from measures.meta_evaluation import Missing, OverPairs

MAX_NUMBER = {"draws": 10_000, "seed": 2**31 - 1, "min_inputs": 100_000, "min_raters": 100, "min_items": 100_000}
"""What pages and programs may ask for at most."""
MAX_NEGATED = 300

Pool = Literal["crowd", "experts"]


@dataclass(frozen=True)
class EvaluationParameters:
    """How metrics are held against ratings.

    `pool` is whose ratings count. `missing` says which inputs two systems are compared on, `over_pairs` how a metric's
    correlations with the pairs of systems become one number. A metric dominates another if it is better on at least
    `share` of the pairs at `alpha`. Pairs with fewer than `min_inputs` inputs are left out of the agreement about
    significance. `smaller_is_better` names metrics whose scores are negated. `draws` and `seed` are of all that is
    drawn. `epsilon`, `min_raters` and `min_items` are of the alternative annotator test; without an epsilon it is the
    authors' advice for the pool.
    """

    pool: Pool = "crowd"
    missing: Missing = "by pair"
    over_pairs: OverPairs = "mean"
    alpha: float = 0.05
    share: float = 0.8
    min_inputs: int = 10
    smaller_is_better: tuple[str, ...] = ()
    epsilon: float | None = None
    min_raters: int = 2
    min_items: int = 30
    draws: int = 1000
    seed: int = 2016

    def __post_init__(self) -> None:
        for name, known in (("pool", Pool), ("missing", Missing), ("over_pairs", OverPairs)):
            if getattr(self, name) not in get_args(known):
                raise ValueError(f"{name} must be one of {', '.join(get_args(known))}, not {getattr(self, name)!r}")
        for name, low, high in (("alpha", 0, 0.5), ("share", 0.5, 1)):
            if not low < getattr(self, name) <= high:
                raise ValueError(f"{name} must be more than {low} and at most {high}, not {getattr(self, name)}")
        if self.epsilon is not None and not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon must be from 0 to 1, not {self.epsilon}")
        for name, least in (("draws", 1), ("seed", 0), ("min_inputs", 3), ("min_raters", 2), ("min_items", 2)):
            if not least <= getattr(self, name) <= MAX_NUMBER[name]:
                raise ValueError(f"{name} must be from {least} to {MAX_NUMBER[name]:,}, not {getattr(self, name)}")
        if len(self.smaller_is_better) > MAX_NEGATED:
            raise ValueError(f"smaller_is_better must name at most {MAX_NEGATED} metrics")

    def epsilon_for(self, pool: Pool) -> float:
        """Return epsilon of the alternative annotator test: what its authors advise, unless one is given."""
        return self.epsilon if self.epsilon is not None else {"crowd": 0.1, "experts": 0.2}[pool]


def parameters_of(stored: dict[str, Any]) -> EvaluationParameters:
    """Rebuild the parameters from the JSON stored with a report."""
    known = {field.name: stored[field.name] for field in fields(EvaluationParameters)}
    return EvaluationParameters(**{**known, "smaller_is_better": tuple(known["smaller_is_better"])})
