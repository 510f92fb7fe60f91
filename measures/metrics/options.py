"""What the paper leaves open, and what goes beyond it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

T = TypeVar("T", bound=Hashable)

ReferenceChoice: TypeAlias = Literal["drawn", "first", "mean"]
"""Which reference stands for all in SINGLE-REF: one drawn by the seed, the first, or the mean over all of them."""

ReferenceWeights: TypeAlias = Literal["distinct", "by-editor"]
"""Whether editors who wrote the same text are one reference together, or one each."""

Ground: TypeAlias = Literal["jackknifed", "all"]
"""What an output is scored against: k - 1 of its k references, each time others, or all of them."""

Smoothing: TypeAlias = Literal["exp", "floor", "add-k", "none"]
"""What becomes of an n-gram length without a match, by the names of sacrebleu."""

Similarity: TypeAlias = Literal["cosine", "dot"]
"""How similar two vectors are: by their angle, or by their inner product, which grows with their lengths."""

Matching: TypeAlias = Literal["greedy", "optimal", "best"]
"""Which similar units are a match: the most similar two first, the greatest sum, or each unit's best without limit."""

REFERENCE_CHOICES: tuple[ReferenceChoice, ...] = get_args(ReferenceChoice)
REFERENCE_WEIGHTS: tuple[ReferenceWeights, ...] = get_args(ReferenceWeights)
GROUNDS: tuple[Ground, ...] = get_args(Ground)
SMOOTHINGS: tuple[Smoothing, ...] = get_args(Smoothing)
SIMILARITIES: tuple[Similarity, ...] = get_args(Similarity)
MATCHINGS: tuple[Matching, ...] = get_args(Matching)


@dataclass(frozen=True)
class Options:
    """The settings that some metrics depend on.

    Attributes
    ----------
    window : int
        Maximum number of words between the two words of a skip bigram.
    single : {"drawn", "first", "mean"}
        The reference of SINGLE-REF.
    seed : int
        Seed of the draws, from 0 to 2**32 - 1.
    smoothing : {"exp", "floor", "add-k", "none"}
        Smoothing of BLEU, by the names of sacrebleu.
    reference_weights : {"distinct", "by-editor"}
        How often a text that is given as a reference more than once counts: once, or each time. `references`
        applies it to a list; a list that `compare` gets is used as it is. With "by-editor" a text that is given
        twice is also twice as likely to be drawn.
    similarity : {"cosine", "dot"}
        How similar two vectors of ROUGE-WE are; negative similarities are 0. With "dot" a score may be above 1.
    matching : {"greedy", "optimal", "best"}
        Which similar units of ROUGE-WE are a match.
    exact_weight : float
        How much of a match of ROUGE-WE is that of equal units, from 0 to 1 (0 in the paper, 0.5 in its authors'
        program).
    threshold : float
        Similarities below it are 0, from 0 to 1.

    Raises
    ------
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> Options(single="first").window
    4
    """

    window: int = 4
    single: ReferenceChoice = "drawn"
    seed: int = 2016
    smoothing: Smoothing = "exp"
    reference_weights: ReferenceWeights = "distinct"
    similarity: Similarity = "cosine"
    matching: Matching = "greedy"
    exact_weight: float = 0.0
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if self.window < 0 or self.seed < 0:
            raise ValueError("window and seed must not be negative")
        if self.seed >= 2**32:
            raise ValueError("seed must be below 2**32")
        if self.single not in REFERENCE_CHOICES:
            raise ValueError(f"single must be drawn, first or mean, not {self.single!r}")
        if self.smoothing not in SMOOTHINGS:
            raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, not {self.smoothing!r}")
        if self.reference_weights not in REFERENCE_WEIGHTS:
            raise ValueError(f"reference_weights must be distinct or by-editor, not {self.reference_weights!r}")
        self._check_similarity()

    def _check_similarity(self) -> None:
        if self.similarity not in SIMILARITIES:
            raise ValueError(f"similarity must be cosine or dot, not {self.similarity!r}")
        if self.matching not in MATCHINGS:
            raise ValueError(f"matching must be greedy, optimal or best, not {self.matching!r}")
        if not 0 <= self.exact_weight <= 1 or not 0 <= self.threshold <= 1:
            raise ValueError("exact_weight and threshold must be from 0 to 1")

    def references(self, texts: Sequence[T]) -> list[T]:
        """Return the references that count, given those of all editors.

        Parameters
        ----------
        texts : sequence
            A text for each editor.

        Returns
        -------
        list
            Each text once, in the order of its first editor; or all of them, if weighed by editor.

        Examples
        --------
        >>> Options().references(["a", "b", "a"]), Options(reference_weights="by-editor").references(["a", "b", "a"])
        (['a', 'b'], ['a', 'b', 'a'])
        """
        return list(texts) if self.reference_weights == "by-editor" else list(dict.fromkeys(texts))
