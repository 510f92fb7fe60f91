"""Sentences with citations, as Markdown and as LaTeX."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.latex import latex_escaped

_MARKS = re.compile(r"([\\`*_\[\]<>&#|~$])")
_SIGNS = {"−": "$-$", "£": r"\pounds{}", "€": r"\texteuro{}", "“": "``", "”": "''", "’": "'", "–": "--"}


@dataclass(frozen=True)
class Sentence:
    """A sentence, the works that it cites, and whether the short section has it."""

    text: str
    cites: tuple[str, ...] = ()
    is_short: bool = False

    @property
    def markdown(self) -> str:
        keys = f" [{'; '.join(f'@{key}' for key in self.cites)}]" if self.cites else ""
        words = _MARKS.sub(r"\\\1", _on_a_line(self.text).removesuffix("."))
        return f"{words}{keys}."

    @property
    def latex(self) -> str:
        keys = rf"~\cite{{{','.join(self.cites)}}}" if self.cites else ""
        escaped = latex_escaped(_on_a_line(self.text).removesuffix("."))
        for sign, written in _SIGNS.items():
            escaped = escaped.replace(sign, written)
        return f"{escaped}{keys}."


@dataclass(frozen=True)
class Paragraph:
    heading: str
    sentences: Sequence[Sentence]

    @property
    def words(self) -> str:
        """The sentences without their citations."""
        return " ".join(each.text for each in self.sentences)

    def short(self) -> "Paragraph":
        return Paragraph(self.heading, [each for each in self.sentences if each.is_short])


def _on_a_line(text: str) -> str:
    return " ".join(text.split())


def as_markdown(paragraphs: Iterable[Paragraph]) -> str:
    return "".join(
        f"**{each.heading}.** {' '.join(sentence.markdown for sentence in each.sentences)}\n\n" for each in paragraphs
    )


def as_latex(paragraphs: Iterable[Paragraph]) -> str:
    return "".join(
        f"\\paragraph{{{latex_escaped(each.heading)}.}}\n" + "".join(f"{one.latex}\n" for one in each.sentences) + "\n"
        for each in paragraphs
    )


def listed(parts: Sequence[str]) -> str:
    """Join with commas and an and.

    >>> listed(["1 editor", "2 raters", "3 experts"]), listed(["1 editor"])
    ('1 editor, 2 raters and 3 experts', '1 editor')
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def counted(number: int, noun: str, plural: str = "") -> str:
    """
    >>> counted(1, "rating"), counted(1200, "rating"), counted(2, "person", "people")
    ('1 rating', '1,200 ratings', '2 people')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def was_or_were(number: int) -> str:
    return "was" if number == 1 else "were"
