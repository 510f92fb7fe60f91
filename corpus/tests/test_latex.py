"""LaTeX tables print what they are given, in the fonts that LaTeX uses by default."""

import pytest

from corpus.latex import latex_escaped, latex_table


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("< .0001", "$<$ .0001"),
        ("p < .0001", "p $<$ .0001"),
        ("-0.167", "$-$0.167"),
        ("-0.167 [-0.300, -0.010]", "$-$0.167 [$-$0.300, $-$0.010]"),
        (-0.5, "$-$0.5"),
        ("0.167 [0.1, 0.2]", "0.167 [0.1, 0.2]"),
        ("--", "--"),
        ("2010-2015", "2010-2015"),
        ("Hodges-Lehmann -1", "Hodges-Lehmann -1"),
        ("a|b>c", r"a\textbar{}b$>$c"),
    ],
)
def test_signs_and_negative_numbers_are_printed_as_themselves(cell: object, written: str) -> None:
    table = latex_table(["Name", "Value"], [["A", cell]], "A caption.")

    assert rf"A & {written} \\" in table


def test_a_sign_of_latex_is_escaped_once() -> None:
    assert latex_escaped(r"$<\{") == r"\$$<$\textbackslash{}\{"


@pytest.mark.parametrize("name", ["[2]", "*m"])
def test_a_name_is_no_option_of_the_line_before_it(name: str) -> None:
    lines = latex_table([name, "Value"], [["A", "1"], [name, "2"]], "A caption.").splitlines()
    assert [line for line in lines if name in line] == [rf"{{}}{name} & Value \\", rf"{{}}{name} & 2 \\"]
