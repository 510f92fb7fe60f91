"""LaTeX tables."""

from collections.abc import Iterable, Sequence

_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def latex_table(head: Sequence[str], rows: Sequence[Sequence[object]], caption: str, *, texts: int = 1) -> str:
    """Return a booktabs table; the first `texts` columns are left-aligned, the others right-aligned."""

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
