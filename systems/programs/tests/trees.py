"""Trees for tests, where no parser is at hand."""

from systems.programs.parses import Sentence, Word
from systems.programs.tokens import tokens_of


def chained(text: str, language: str = "en") -> Sentence:
    """A tree in which each word hangs on the one before."""
    tokens = tokens_of(text, language)
    return Sentence(
        tuple(
            Word(token.text, token.is_spaced, max(0, place - 1), "dep" if place else "root", "VERB" if place else "X")
            for place, token in enumerate(tokens)
        )
    )
