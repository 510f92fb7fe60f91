"""The parameters of a report on editing operations. Defaults follow the paper where it states them."""

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

MAX_NUMBER = {"draws": 10_000, "seed": 2**31 - 1}
"""What pages and programs may ask for at most."""
MAX_PAIRS_BYTES, MAX_PAIR_LINES = 5_000_000, 200_000

Substitute = Literal["paraphrased", "paraphrased or inserted"]
Means = Literal["sources", "compressions"]
Apart = Literal["mean", "by length"]


@dataclass(frozen=True)
class OperationsParameters:
    """How texts are aligned and compared.

    `vectors` uses the word vectors of the installation's pipeline, if it is for the campaign's language and has any.
    `substitute` is what Table 5 counts as a substitution; `means` whether its cells are means over
    sources or over all compressions; `apart` how Table 6 averages the sentences of a paragraph. `draws` are the
    bootstrap draws of sources.
    """

    draws: int = 1000
    seed: int = 2016
    vectors: bool = False
    substitute: Substitute = "paraphrased"
    means: Means = "sources"
    apart: Apart = "mean"

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise ValueError("draws must be at least 1")
        if self.seed < 0:
            raise ValueError("seed must not be negative")
        for name, maximum in MAX_NUMBER.items():
            if getattr(self, name) > maximum:
                raise ValueError(f"{name} must be at most {maximum:,}")
        for name, known in (("substitute", Substitute), ("means", Means), ("apart", Apart)):
            if getattr(self, name) not in get_args(known):
                raise ValueError(f"{name} must be one of {', '.join(get_args(known))}, not {getattr(self, name)!r}")


def parameters_of(stored: dict[str, Any]) -> OperationsParameters:
    """Rebuild the parameters from the JSON stored with a report."""
    return OperationsParameters(**{field.name: stored[field.name] for field in fields(OperationsParameters)})
