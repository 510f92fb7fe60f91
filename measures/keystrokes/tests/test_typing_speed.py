"""The fastest stretch of a log."""

from hypothesis import given
from hypothesis import strategies as st

from measures.keystrokes.edit_log import Kind, Operation
from measures.keystrokes.paste_origin import Burst, fastest_burst


def test_the_fastest_stretch_begins_and_ends_with_what_is_fast() -> None:
    slow = [Operation(0, "", "x", Kind.TYPING, 200 * at) for at in range(50)]
    fast = [Operation(0, "", "yz", Kind.TYPING, 20_000 + 20 * at) for at in range(20)]
    late = [Operation(0, "", "x", Kind.TYPING, 30_000 + 200 * at) for at in range(50)]
    stretch = fastest_burst(enumerate([*slow, *fast, *late]), per_second=25, at_least=30)
    assert stretch == Burst(index=50, characters=40, elapsed_ms=380)
    assert str(stretch) == "40 characters in 0.3 s"


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 400)), max_size=25),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_the_fastest_stretch_is_the_best_of_all(steps: list[tuple[int, int]], per_second: int, at_least: int) -> None:
    operations, at_ms = [], 0
    for size, gap_ms in steps:
        at_ms += gap_ms
        operations.append(Operation(0, "", "x" * size, Kind.TYPING, at_ms))
    possible = [0]
    for first in range(len(steps)):
        for last in range(first, len(steps)):
            characters = sum(size for size, _ in steps[first : last + 1])
            excess = 1000 * characters - per_second * (operations[last].at_ms - operations[first].at_ms)
            if characters >= at_least:
                possible.append(excess)
    stretch = fastest_burst(enumerate(operations), per_second=per_second, at_least=at_least)
    assert (stretch.excess(per_second) if stretch else 0) == max(possible)
    assert stretch is None or stretch.characters >= at_least
