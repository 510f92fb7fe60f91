"""Tables for papers."""

from collections.abc import Iterable, Sequence

_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def latex_table(head: Sequence[str], rows: Sequence[Sequence[object]], caption: str, *, texts: int = 1) -> str:
    """A table in the style of booktabs; the first columns are texts, the others numbers."""

    def line(cells: Iterable[str]) -> str:
        return " & ".join(cells) + r" \\"

    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            r"\begin{tabular}{" + "l" * texts + "r" * (len(head) - texts) + "}",
            r"\toprule",
            line(map(latex_escaped, head)),
            r"\midrule",
            *(line(latex_escaped(str(cell)) for cell in row) for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{caption}}}",
            r"\end{table}",
        ]
    )


def latex_escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
