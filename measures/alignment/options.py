"""The options of the aligner."""

from __future__ import annotations

from dataclasses import dataclass, fields

from measures.alignment.norms import word_rules

ALGORITHM = "1"
"""Raised whenever the same options would give other alignments."""


@dataclass(frozen=True)
class AlignmentOptions:
    """Settings of the aligner.

    Attributes
    ----------
    language : str
        Tag of the texts' language, such as "en". English has a closed list of function words and classes of them; in
        another language spaCy's stop words are function words if spaCy has rules for it here, otherwise every word
        is a content word. Words are stemmed by Snowball where it has the language.
    window : int
        How many words away an aligned word still counts as context, from 1 to 50.
    edge_weight : float
        What the beginnings of both texts count as context of the words right beside them, and their ends; an aligned
        content word counts 1. Without it words copied far from any content word have no context.
    least_context : float
        The least context of function words and marks that have the same form.
    least_class_context : float
        The least context of function words that have only their class in common.
    least_cosine : float
        The least cosine of the vectors of two words that count as similar, above 0.
    least_dice : float
        The least Dice coefficient of the letter bigrams of two spellings that count as similar, above 0.
    least_potential : float
        The least similarity of words that may become context.
    fill : int
        The largest number of words between two aligned words that are aligned by their place alone; 0 for none.
    max_cells : int
        Above this number of source words times target words, only runs around words that occur once in each text are
        aligned, which takes time linear in the words.

    Raises
    ------
    ValueError
        If a setting makes no sense; it names it.
    """

    language: str = "en"
    window: int = 5
    edge_weight: float = 0.25
    least_context: float = 0.25
    least_class_context: float = 1.0
    least_cosine: float = 0.65
    least_dice: float = 0.6
    least_potential: float = 0.6
    fill: int = 2
    max_cells: int = 250_000

    def __post_init__(self) -> None:
        if not self.language:
            raise ValueError("language must be a tag such as en")
        if not 1 <= self.window <= 50:
            raise ValueError(f"window must be from 1 to 50, not {self.window}")
        for name in ("least_cosine", "least_dice", "least_potential"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {getattr(self, name)}")
        for name in ("edge_weight", "least_context", "least_class_context", "fill", "max_cells"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must be 0 or more, not {getattr(self, name)}")

    @property
    def language_code(self) -> str:
        """The language without region or script.

        Examples
        --------
        >>> AlignmentOptions(language="pt-BR").language_code
        'pt'
        """
        return self.language.partition("-")[0].lower()

    @property
    def signature(self) -> str:
        """Everything here that the alignment depends on, in one line.

        Examples
        --------
        >>> AlignmentOptions(fill=1).signature.split("|")[3:]  # doctest: +ELLIPSIS
        ['language:en', 'window:5', ..., 'fill:1', 'max_cells:250000']
        """
        chosen = "|".join(f"{each.name}:{getattr(self, each.name)}" for each in fields(self))
        return f"align:{ALGORITHM}|{word_rules(self.language_code).signature}|{chosen}"
