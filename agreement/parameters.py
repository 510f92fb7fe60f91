"""The parameters of an agreement report. Defaults are the paper's values; the rest is what the paper leaves open."""

from dataclasses import dataclass, fields
from typing import Any, get_args

from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding

MAX_NUMBER = {"draws": 100_000, "replications": 1_000_000, "seed": 2**31 - 1}


@dataclass(frozen=True)
class ReportParameters:
    draws: int = 1000
    seed: int = 2016
    rounding: Rounding = Rounding.HALF_UP
    weights: Weights = "quadratic"
    replications: int = 25_000

    def __post_init__(self) -> None:
        if min(self.draws, self.replications) < 1:
            raise ValueError("draws and replications must be at least 1")
        if self.seed < 0:
            raise ValueError("seed must not be negative")
        for name, maximum in MAX_NUMBER.items():
            if getattr(self, name) > maximum:
                raise ValueError(f"{name.replace('_', ' ')} must be at most {maximum:,}")
        if not isinstance(self.rounding, Rounding):  # "half up" as a plain string would round half to even
            raise ValueError(f"rounding must be a Rounding, not {self.rounding!r}")
        if self.weights not in get_args(Weights):
            raise ValueError(f"weights must be one of {', '.join(get_args(Weights))}, not {self.weights!r}")

    @property
    def other_rounding(self) -> Rounding:
        return Rounding.HALF_EVEN if self.rounding is Rounding.HALF_UP else Rounding.HALF_UP


def parameters_of(stored: dict[str, Any]) -> ReportParameters:
    """Rebuild the parameters from the JSON stored with a result."""
    known = {field.name: stored[field.name] for field in fields(ReportParameters)}  # earlier ones have others, too
    return ReportParameters(**{**known, "rounding": Rounding(stored["rounding"])})
