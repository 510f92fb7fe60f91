"""LaTeX tables."""

import re
from collections.abc import Iterable, Sequence

_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # With LaTeX's default fonts these three would be printed as other signs.
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
}
_NUMBERS = re.compile(r"[-\d.,\s\[\]]+")
_MINUS = re.compile(r"(?<![-\d])-(?=[\d.])")


def latex_table(
    head: Sequence[str], rows: Sequence[Sequence[object]], caption: str, *, texts: int = 1, is_wide: bool = False
) -> str:
    """Return a booktabs table; the first `texts` columns are left-aligned, the others right-aligned.

    One that is wide is in small type, and the words of its first column go over several lines.
    """

    def line(cells: Iterable[str]) -> str:
        text = " & ".join(cells) + r" \\"
        # After the end of a line, a bracket or a star would be taken for an option of it.
        return "{}" + text if text.startswith(("[", "*")) else text

    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            *([r"\footnotesize"] if is_wide else []),
            r"\begin{tabular}{" + (r"p{.2\textwidth}" if is_wide else "l" * texts) + "r" * (len(head) - texts) + "}",
            r"\toprule",
            line(map(latex_escaped, head)),
            r"\midrule",
            *(line(_cell(str(cell)) for cell in row) for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{caption}}}",
            r"\end{table}",
        ]
    )


def _cell(text: str) -> str:
    """Escape a cell; negative numbers get a minus sign, where a hyphen would be printed."""
    return _MINUS.sub("$-$", text) if _NUMBERS.fullmatch(text) else latex_escaped(text)


def latex_escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
