"""What becomes of the lines of a file of ratings."""

from dataclasses import dataclass, field

from ratings.rating_files import FileRating

TextLine = tuple[int, FileRating]
"""The id of a text, and a line that rates it."""


@dataclass
class AddedRatings:
    """How many lines were added, how many accepted (added or known before), and why the others were refused."""

    added: int = 0
    accepted: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def judge(self, line: int, *, is_same: bool, otherwise: str) -> None:
        """Accept a line that says what is known; refuse one that says otherwise."""
        if is_same:
            self.accepted += 1
        else:
            self.problems.append((line, otherwise))
