"""What systems stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from systems.programs.lm.trigrams import TrigramModel
from systems.programs.models import Model
from systems.programs.parses import Parse
from systems.programs.texts import Source


@dataclass(frozen=True)
class Resources:
    """What systems stand on: all sources of the corpus, a parser and a language model.

    Attributes
    ----------
    sources : sequence of Source
        In which some systems look how rare words are.
    parse : callable or None
        Parses a sentence; None if there is no parser.
    model : TrigramModel or None
        How likely words are in a row; None if there is none.
    documents, questions : mapping of str to str
        The document of a text, and a question on it, by the id of the text.
    wholes : mapping of str to Source
        The documents whose sentences are to be chosen from, by the ids of their texts; empty where each text has
        its own sentences alone.
    references : mapping of str to sequence of str
        What people made of a text; only what is marked as having seen it may look.
    trained : Model or None
        The system itself, trained; None if it was not.
    """

    sources: Sequence[Source]
    parse: Parse | None = None
    model: TrigramModel | None = None
    documents: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    wholes: Mapping[str, Source] = field(default_factory=dict)
    references: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trained: Model | None = None

    def parser(self) -> Parse:
        """Return the parser, or raise ValueError."""
        if self.parse is None:
            raise ValueError("there is no parser")
        return self.parse

    def language_model(self) -> TrigramModel:
        """Return the language model, or raise ValueError."""
        if self.model is None:
            raise ValueError("there is no language model")
        return self.model
