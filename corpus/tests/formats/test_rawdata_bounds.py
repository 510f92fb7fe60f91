"""RawData that was made to be slow or large: what costs much is refused by line, and the rest costs what it should."""

import tracemalloc

import pytest

from common.errors import Refused
from compressions.readers import MAX_LINE_BYTES
from corpus.formats import rawdata_reader
from corpus.formats.rawdata_reader import MAX_JUDGES, MAX_PARTS, MAX_RATINGS, is_rawdata, rawdata_read
from crowd.scales import DEFAULT_SCALES
from measures.text.normalization import display_text
from tests.support.normalizing import SHORT_STACK, normalization_guarded

GOOD = "1\tLetters\tA b c. ||| A c.\t7\t1\t6\tMost important meaning Flawless language"
STACKED = "more than 30 accents or marks stand on one letter, at character 2"


def rated(count: int) -> str:
    return "1\tLetters\tA b c. ||| A c.\t7\t" + "\t".join([str(count), *["6", "words"] * count])


HOSTILE = {
    "a line of 2 MiB": ("1\tLetters\t" + "a" * 2 * MAX_LINE_BYTES + " ||| A c.", "the line is longer than 1 MiB"),
    "parts": (GOOD + " ||| A." * MAX_PARTS, "more than 1,000 compressions"),
    "judges": ("1\tLetters\tA b c. ||| A c.\t" + ";".join(map(str, range(MAX_JUDGES + 1))), "more than 200 judges"),
    "ratings": (rated(MAX_RATINGS + 1), "201 ratings, more than 200"),
    "a long text": (f"1\tLetters\t{'ab ' * 20_000}||| A c.\t7", "text: 59,999 characters, at most 50,000 are read"),
    "marks in the text": (f"1\tLetters\t{SHORT_STACK} ||| A c.\t7", f"text: {STACKED}"),
    "marks in the id": (f"{SHORT_STACK}\tLetters\tA b c. ||| A c.\t7", f"id: {STACKED}"),
    "marks in the genre": (f"1\t{SHORT_STACK}\tA b c. ||| A c.\t7", f"domain: {STACKED}"),
    "marks in a compression": (f"1\tLetters\tA b c. ||| {SHORT_STACK}\t7", f"compression 1: text: {STACKED}"),
    "marks in a judge": (f"1\tLetters\tA b c. ||| A c.\t7;{SHORT_STACK}", f"compression 1: judge: {STACKED}"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_cost_much_is_refused_by_line_and_the_others_are_read(name: str) -> None:
    line, reason = HOSTILE[name]

    with normalization_guarded():
        lines, problems = rawdata_read("a.tsv", "\n".join([GOOD, line, GOOD]).encode(), DEFAULT_SCALES)

    assert [each.line for each in lines] == [1, 3]
    ((number, found),) = [(problem.line, problem.reason) for problem in problems]
    assert number == 2
    assert found.endswith(reason)


def test_as_many_ratings_and_judges_as_are_allowed_are_read() -> None:
    judges = ";".join(map(str, range(MAX_JUDGES)))
    line = rated(MAX_RATINGS).replace("\t7\t", f"\t{judges}\t")

    ((read,), problems) = rawdata_read("a.tsv", line.encode(), DEFAULT_SCALES)

    assert problems == []
    assert (len(read.parts[0].judges), len(read.parts[0].ratings)) == (MAX_JUDGES, MAX_RATINGS)


def hashes(parts: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the names of judges are looked at in a line whose parts all have the same text."""
    looked_at = 0

    class Counted(str):
        __slots__ = ()

        def __hash__(self) -> int:
            nonlocal looked_at
            looked_at += 1
            return super().__hash__()

    monkeypatch.setattr(rawdata_reader, "display_text", lambda text: Counted(display_text(text)))
    line = "1\tLetters\tA b c." + "".join(f" ||| A c.\t{number}\t1\t6" for number in range(parts))
    ((read,), _) = rawdata_read("a.tsv", line.encode(), DEFAULT_SCALES)
    assert len(read.parts[0].judges) == len(read.parts[0].ratings) == parts
    return looked_at


def test_twice_as_many_parts_of_the_same_text_are_about_twice_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hashes(MAX_PARTS, monkeypatch) < 3 * hashes(MAX_PARTS // 2, monkeypatch)


def test_ratings_of_two_bytes_each_take_little_memory() -> None:
    parts = "".join(f" ||| A {number}.\t7\t200" + "\t6" * 200 for number in range(200))

    tracemalloc.start()
    (_, _) = rawdata_read("a.tsv", f"1\tLetters\tA b c.{parts}".encode(), DEFAULT_SCALES)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 6_000_000  # a mapping for each of the 40,000 ratings takes ten


def test_a_file_of_too_many_lines_is_refused_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rawdata_reader, "MAX_LINES", 3)

    with pytest.raises(Refused, match=r"a\.tsv: more than 3 lines"):
        rawdata_read("a.tsv", b"bad\n" * 4, DEFAULT_SCALES)


def test_only_the_first_lines_are_looked_at_for_the_format(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []

    def noted(line: str) -> bool:
        looked_at.append(line)
        return True

    monkeypatch.setattr(rawdata_reader, "_holds_nothing", noted)

    assert not is_rawdata(b"\n" * 100_000)
    assert len(looked_at) == 1_000
