"""What a metric is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from measures.core.arrays import FloatArray
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.units import UnitKind
from measures.metrics.options import Options

PAPER = "Toutanova et al. 2016, §4.1"


@dataclass(frozen=True)
class Metric(ABC):
    """One way to score outputs. A family of metrics is a subclass with `compute`.

    Attributes
    ----------
    units : str
        What is compared, such as "SKIP-2".
    measure : str
        How a match becomes a score, such as "Recall".
    references : str
        How several references are used, such as "MULT-PROB".
    source : str
        The publication, with its section.
    empty : str
        What a text without units scores.
    low, high : float
        Lowest and highest possible score.
    greater_is_better : bool
        Direction: True where a high score is good.
    rank : int
        Where its family stands among the others in tables.
    is_extra : bool
        True for a metric beyond the paper's eighty: computed only when asked for by name.
    wants_vectors : bool
        Whether it needs vectors of words, which the user gives.
    wants_encoder : bool
        Whether it needs a model that reads texts, which the user gives.
    wants_sources : bool
        Whether it needs the text that was compressed, beside the references.
    """

    units: str
    measure: str
    references: str
    source: str = PAPER
    empty: ClassVar[str] = "0 where the output or the references have no units"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    greater_is_better: ClassVar[bool] = True
    rank: ClassVar[int] = 100
    is_extra: ClassVar[bool] = False
    wants_vectors: ClassVar[bool] = False
    wants_encoder: ClassVar[bool] = False
    wants_sources: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name as the paper writes it."""
        return f"{self.units}+{self.measure}+{self.references}"

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        """The kinds of units that the metric counts; none for a metric that looks at the words itself."""
        return ()

    @property
    def wants_parser(self) -> bool:
        """Whether all texts must have been parsed."""
        return any(kind.wants_parser for kind in self.kinds)

    @abstractmethod
    def compute(self, counts: ChunkCounts) -> FloatArray:
        """Score the outputs of a chunk.

        Parameters
        ----------
        counts : ChunkCounts
            The outputs and references of the chunk, with the counts that metrics share.

        Returns
        -------
        FloatArray of shape (n,)
            The score of each output, between `low` and `high`.
        """

    def signature(self, options: Options) -> list[str]:
        """Return the settings that the score depends on, each as ``name:value``.

        Parameters
        ----------
        options : Options
            The settings.

        Returns
        -------
        list of str
            In the order in which a signature has them.
        """
        parts = [part for kind in self.kinds for part in kind.signature(options)]
        if self.references == "SINGLE-REF":
            parts.append(f"single:{options.single}")
            if options.single == "drawn":
                parts.append(f"seed:{options.seed}")
        return parts
