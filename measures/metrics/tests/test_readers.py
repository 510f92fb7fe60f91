"""Reading outputs and references."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from measures.metrics.readers import Entry, read_entries


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def plain(path: Path, *lines: str, end: str = "\n") -> Path:
    path.write_bytes("".join(line + end for line in lines).encode())
    return path


def objects(path: Path, *rows: Any) -> Path:
    return plain(path, *(json.dumps(row, ensure_ascii=False) for row in rows))


def refused(outputs: Path, *references: Path) -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the callers look at the message
        read_entries(outputs, references)
    return str(raised.value)


def names_line(message: str, path: Path, line: int) -> bool:
    return re.search(rf"{re.escape(str(path))}, line {line}\b", message) is not None


def test_plain_outputs_have_references_in_the_same_lines(folder: Path) -> None:
    outputs = plain(folder / "o.txt", "a b", "c")
    references = [plain(folder / "r1.txt", "a", "d"), plain(folder / "r2.txt", "b", "e")]
    assert read_entries(outputs, references) == [Entry("1", "a b", ("a", "b")), Entry("2", "c", ("d", "e"))]


def test_an_empty_line_of_references_is_no_reference(folder: Path) -> None:
    outputs = plain(folder / "o.txt", "a", "c")
    references = [plain(folder / "r1.txt", "x", ""), plain(folder / "r2.txt", "  ", "y")]
    assert [entry.references for entry in read_entries(outputs, references)] == [("x",), ("y",)]


def test_empty_lines_at_the_end_count(folder: Path) -> None:
    outputs = plain(folder / "o.txt", "a", "c")
    references = [plain(folder / "r1.txt", "x", "y"), plain(folder / "r2.txt", "z", "")]
    assert [entry.references for entry in read_entries(outputs, references)] == [("x", "z"), ("y",)]


def test_an_empty_output_is_an_output(folder: Path) -> None:
    entries = read_entries(plain(folder / "o.txt", "", "c"), [plain(folder / "r.txt", "x", "y")])
    assert [entry.output for entry in entries] == ["", "c"]


def test_outputs_with_ids_find_references_by_id_in_any_order(folder: Path) -> None:
    outputs = objects(folder / "o.jsonl", {"id": "x", "text": "a"}, {"id": "y", "text": "b"})
    first = objects(folder / "r.jsonl", {"id": "y", "text": "1"}, {"id": "x", "text": "2"}, {"id": "y", "text": "3"})
    second = objects(folder / "s.jsonl", {"id": "x", "text": "4", "rater": 7})
    assert read_entries(outputs, [first, second]) == [Entry("x", "a", ("2", "4")), Entry("y", "b", ("1", "3"))]


def test_outputs_carry_references_and_files_add_theirs(folder: Path) -> None:
    outputs = objects(folder / "o.jsonl", {"id": "x", "text": "a", "references": ["1", "2"]}, {"id": "y", "text": "b"})
    more = [objects(folder / "r.jsonl", {"id": "y", "text": "3"}), plain(folder / "s.txt", "4", "5")]
    assert [entry.references for entry in read_entries(outputs, more)] == [("1", "2", "4"), ("3", "5")]


def test_outputs_that_carry_references_want_no_files(folder: Path) -> None:
    outputs = objects(folder / "o.jsonl", {"id": "x", "text": "a", "references": ["1"]})
    assert read_entries(outputs, []) == [Entry("x", "a", ("1",))]


def test_plain_outputs_are_named_by_line_for_references_with_ids(folder: Path) -> None:
    references = objects(folder / "r.jsonl", {"id": 2, "text": "z"}, {"id": "1", "text": "y"})
    entries = read_entries(plain(folder / "o.txt", "a", "b"), [references])
    assert [entry.references for entry in entries] == [("y",), ("z",)]


def test_ids_are_texts_or_numbers_that_are_written_alike(folder: Path) -> None:
    outputs = objects(folder / "o.jsonl", {"id": 7, "text": "a"}, {"id": "08", "text": "b"})
    references = objects(folder / "r.jsonl", {"id": "7", "text": "c"}, {"id": "08", "text": "d"})
    assert [entry.name for entry in read_entries(outputs, [references])] == ["7", "08"]


def test_empty_lines_between_objects_are_passed_over(folder: Path) -> None:
    outputs = plain(folder / "o.jsonl", "", '{"id": "x", "text": "a", "references": ["b"]}', "  ")
    assert read_entries(outputs, []) == [Entry("x", "a", ("b",))]


def test_empty_files_hold_nothing(folder: Path) -> None:
    for name in ("o.txt", "o.jsonl"):
        assert read_entries(plain(folder / name), [plain(folder / "r.txt"), plain(folder / "r.jsonl")]) == []


@pytest.mark.parametrize("suffix", ["txt", "jsonl"])
def test_lines_may_end_with_carriage_returns_and_files_begin_with_a_mark(folder: Path, suffix: str) -> None:
    lines = ["é a", "b"]
    if suffix == "jsonl":
        lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(lines, start=1)]
    path = folder / f"o.{suffix}"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert read_entries(path, [path]) == [Entry("1", "é a", ("é a",)), Entry("2", "b", ("b",))]


@pytest.mark.parametrize("inside", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
@pytest.mark.parametrize("suffix", ["txt", "jsonl"])
def test_only_line_feeds_end_lines(folder: Path, suffix: str, inside: str) -> None:
    text = f"a{inside}b"
    path = folder / f"o.{suffix}"
    entries = read_entries(plain(path, text) if suffix == "txt" else objects(path, {"id": "1", "text": text}), [path])
    assert entries == [Entry("1", text, (text,))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "text": ', "Expecting value"),
        ("plain words", "Expecting value"),
        ('["x", "a"]', "not an object"),
        ('"x"', "not an object"),
        ('{"id": "x"}', "there is no text"),
        ('{"id": "x", "text": null}', "there is no text"),
        ('{"id": "x", "text": 3}', "there is no text"),
        ('{"id": null, "text": "a"}', "the id must be"),
        ('{"id": 1.5, "text": "a"}', "the id must be"),
        ('{"id": ["x"], "text": "a"}', "the id must be"),
    ],
)
@pytest.mark.parametrize("of_references", [False, True])
def test_a_line_that_is_no_good_object_is_refused(folder: Path, line: str, message: str, of_references: bool) -> None:
    good = '{"id": "first", "text": "a"}'
    outputs = plain(folder / "o.jsonl", good, good.replace("first", "x"))
    bad = plain(folder / "bad.jsonl", good, "", line)
    said = refused(outputs, bad) if of_references else refused(bad)
    assert names_line(said, bad, 3)
    assert message in said


@pytest.mark.parametrize("line", ["[" * 100_000, '{"id": "x", "text": "a \\ud800", "references": ["b"]}'])
def test_json_that_no_text_comes_of_is_refused(folder: Path, line: str) -> None:
    bad = plain(folder / "bad.jsonl", line)
    assert names_line(refused(bad), bad, 1)


@pytest.mark.parametrize("carried", ["a", {"a": 1}, ["a", 3], None])
def test_references_that_outputs_carry_are_a_list_of_texts(folder: Path, carried: Any) -> None:
    outputs = objects(
        folder / "o.jsonl", {"id": "x", "text": "a", "references": []}, {"text": "a", "references": carried}
    )
    said = refused(outputs)
    assert names_line(said, outputs, 2)
    assert "references must be a list of texts" in said


@pytest.mark.parametrize("doubled", ["x", 1])
def test_two_outputs_with_one_id_are_refused(folder: Path, doubled: str | int) -> None:
    rows = [{"id": each, "text": "a", "references": ["b"]} for each in (doubled, "other", str(doubled))]
    outputs = objects(folder / "o.jsonl", *rows)
    said = refused(outputs)
    assert str(outputs) in said
    assert "the same id" in said


def test_the_second_output_of_one_id_is_named(folder: Path) -> None:
    rows = [{"id": each, "text": "a", "references": ["b"]} for each in ("x", "y", "x")]
    outputs = objects(folder / "o.jsonl", *rows)
    assert names_line(refused(outputs), outputs, 3)


def test_a_reference_of_no_output_is_refused(folder: Path) -> None:
    outputs = plain(folder / "o.txt", "a")
    references = objects(folder / "r.jsonl", {"id": "1", "text": "b"}, {"id": "z", "text": "c"})
    said = refused(outputs, references)
    assert names_line(said, references, 2)
    assert "'z'" in said
    assert str(outputs) in said


def test_a_reference_without_an_id_belongs_to_no_output_by_chance(folder: Path) -> None:
    outputs = objects(folder / "o.jsonl", {"id": 1, "text": "a"}, {"id": 2, "text": "b"})
    references = objects(folder / "r.jsonl", {"id": 2, "text": "x"}, {"ID": 1, "text": "y"}, {"id": 1, "text": "z"})
    assert names_line(refused(outputs, references), references, 2)


@pytest.mark.parametrize("lines", [("x",), ("x", "y", "z"), ()])
def test_plain_references_have_as_many_lines_as_outputs(folder: Path, lines: tuple[str, ...]) -> None:
    outputs, references = plain(folder / "o.txt", "a", "b"), plain(folder / "r.txt", *lines)
    said = refused(outputs, references)
    assert re.search(rf"{re.escape(str(references))}\D+{len(lines)} lines\b", said)
    assert re.search(rf"{re.escape(str(outputs))} has outputs: 2\b", said)


def test_an_output_without_a_reference_is_refused(folder: Path) -> None:
    outputs, references = plain(folder / "o.txt", "a", "b"), plain(folder / "r.txt", "x", " ")
    said = refused(outputs, references)
    assert names_line(said, outputs, 2)
    assert "no reference" in said


def test_the_line_of_an_output_counts_empty_lines_before_it(folder: Path) -> None:
    outputs = plain(
        folder / "o.jsonl", "", '{"id": "x", "text": "a", "references": ["b"]}', "", '{"id": "y", "text": ""}'
    )
    assert names_line(refused(outputs), outputs, 4)


@pytest.mark.parametrize("content", [b"caf\xe9\n", "a".encode("utf-16"), b"\xff"])
@pytest.mark.parametrize("suffix", ["txt", "jsonl"])
def test_files_that_are_not_utf_8_are_refused(folder: Path, content: bytes, suffix: str) -> None:
    path = folder / f"o.{suffix}"
    path.write_bytes(content)
    said = refused(path)
    assert str(path) in said
    assert "UTF-8" in said


def test_the_line_that_is_not_utf_8_is_named(folder: Path) -> None:
    path = folder / "o.txt"
    path.write_bytes("é\nb\n".encode() + b"caf\xe9\n")
    assert names_line(refused(path), path, 3)


@pytest.mark.parametrize("name", ["none.txt", "none.jsonl"])
def test_missing_files_and_folders_are_named(folder: Path, name: str) -> None:
    outputs = plain(folder / "o.txt", "a")
    assert refused(folder / name) == f"{folder / name}: No such file or directory"
    assert refused(outputs, folder / name) == f"{folder / name}: No such file or directory"
    assert refused(outputs, folder) == f"{folder}: Is a directory"


def test_json_under_another_name_is_not_taken_for_text(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    path.write_text('{"id": "1", "text": "a", "references": ["b"]}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 1: this looks like JSON"):
        read_entries(path, [])


def test_the_ending_may_be_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "O.JSONL"
    path.write_text('{"id": "1", "text": "a", "references": ["b"]}\n', encoding="utf-8")
    assert read_entries(path, [])[0].references == ("b",)


def test_an_empty_text_is_no_reference(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text('{"id": "1", "text": "a", "references": ["b", "", "  "]}\n', encoding="utf-8")
    more = tmp_path / "r.jsonl"
    more.write_text('{"id": "1", "text": ""}\n{"id": "1", "text": "c"}\n', encoding="utf-8")
    assert read_entries(path, [more])[0].references == ("b", "c")
