"""From the bytes of a file to rows, whatever the file holds."""

import pytest

from common.errors import Refused
from compressions.readers import BadLine, Row, read_rows

HEAD = b"id,genre,text\n"


def lines_of(name: str, content: bytes) -> list[tuple[int, str]]:
    """Line number with the text of a row, or the reason why there is none."""
    return [
        (entry.line, entry.reason if isinstance(entry, BadLine) else entry.fields["text"])
        for entry in read_rows(name, content)
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": "2", "genre": "a", "text": "caf\xe9"}', "not UTF-8 (byte 39 of the line)"),
        (b'{"id": "2"', "not JSON (Expecting ',' delimiter)"),
        (b"A sentence, and no JSON.", "not JSON (Expecting value)"),
        (b'["2", "a", "b"]', "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b'{"id": true, "genre": "a", "text": "b"}', "'id' is not a string"),
        (b'{"id": 1.5, "genre": "a", "text": "b"}', "'id' is not a string"),
        (b'{"id": "2", "genre": "a", "text": ["b"]}', "'text' is not a string"),
        (b'{"id": "2", "genre": "a", "text": "b", "paragraph": {}}', "'paragraph' is not a string"),
        (b"[" * 100_000, "not JSON (nested too deeply)"),
    ],
)
def test_a_line_of_jsonl_that_is_no_row_is_named_and_the_others_are_read(line: bytes, reason: str) -> None:
    good = b'{"id": "%d", "genre": "a", "text": "good"}'

    assert lines_of("a.jsonl", b"\n".join([good % 1, line, good % 3])) == [(1, "good"), (2, reason), (3, "good")]


@pytest.mark.parametrize("digits", [5_000, 50_000])
def test_a_number_of_thousands_of_digits_is_one_bad_line(digits: int) -> None:
    ((line, reason),) = lines_of("a.jsonl", b'{"id": ' + b"1" * digits + b"}")

    assert line == 1
    assert reason.startswith("not JSON")


def test_jsonl_counts_empty_lines_and_reads_none() -> None:
    content = b'\xef\xbb\xbf\r\n{"id": "1", "genre": "a", "text": "b"}\r\n\r\n  \r\nno\r\n'

    assert lines_of("a.JSONL", content) == [(2, "b"), (5, "not JSON (Expecting value)")]


def test_jsonl_keeps_what_is_asked_for_as_strings() -> None:
    (row,) = read_rows("a.ndjson", b'{"id": 7, "genre": "a", "text": "b", "sentences": 2, "n": 1}')

    assert row == Row(1, {"id": "7", "genre": "a", "text": "b", "paragraph": "", "sentences": "2", "nuggets": ""})


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_csv_reads_byte_order_mark_quotes_and_any_line_end(ends: bytes) -> None:
    content = ends.join([b"\xef\xbb\xbfid,genre,text", b'1,"a ""b"", c","one', b'two"', b"", b"2,a,three", b""])

    rows = list(read_rows("a.csv", content))

    assert [(row.line, row.fields["id"]) for row in rows if isinstance(row, Row)] == [(2, "1"), (5, "2")]
    assert isinstance(rows[0], Row)
    assert rows[0].fields["genre"] == 'a "b", c'
    assert rows[0].fields["text"].split() == ["one", "two"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"2,a", "2 fields, 3 wanted"),
        (b"2,a,b,c", "4 fields, 3 wanted"),
        (b"2,a,caf\xe9", "not UTF-8"),
        (b'2,a,"b" c', "not a row of the table (',' expected after '\"')"),
        (b"2,a," + b"b" * 200_000, "not a row of the table (field larger than field limit (131072))"),
    ],
)
def test_a_line_of_csv_that_is_no_row_is_named_and_the_others_are_read(line: bytes, reason: str) -> None:
    content = b"\n".join([HEAD + b"1,a,good", line, b"3,a,good"])

    assert lines_of("a.csv", content) == [(2, "good"), (3, reason), (4, "good")]


def test_a_quote_that_is_never_closed_is_named_where_it_opens() -> None:
    (good, bad) = lines_of("a.csv", HEAD + b'1,a,good\n2,a,"open\n3,a,lost\n')

    assert good == (2, "good")
    assert bad == (3, "not a row of the table (unexpected end of data)")


def test_quotes_are_plain_characters_in_tsv() -> None:
    content = b'id\tgenre\ttext\n1\ta\t"He left," she said, "late.\n2\ta\tcaf\xe9\n3\tb\n'

    assert lines_of("a.tsv", content) == [
        (2, '"He left," she said, "late.'),
        (3, "not UTF-8"),
        (4, "2 fields, 3 wanted"),
    ]


def test_columns_are_found_by_name_in_any_order() -> None:
    (row,) = read_rows("a.csv", b"Note, TEXT ,Genre,ID\nx,b,a,1\n")

    assert isinstance(row, Row)
    assert (row.fields["id"], row.fields["genre"], row.fields["text"]) == ("1", "a", "b")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_missing_column_refuses_the_file_with_what_was_found(name: str) -> None:
    separator = b"," if name == "a.csv" else b"\t"
    with pytest.raises(Refused, match=r"line 1: no column named text; found id, body\."):
        list(read_rows(name, separator.join([b"id", b"body"]) + b"\n"))


@pytest.mark.parametrize("content", [b"", b"\n\n", b'"id'])
def test_a_table_without_a_head_is_refused(content: bytes) -> None:
    with pytest.raises(Refused, match="no readable first line naming its columns"):
        list(read_rows("a.csv", content))


@pytest.mark.parametrize("content", ["id\tgenre\ttexte".encode("utf-16"), "id\tgenre\tté\n".encode("latin-1")])
def test_a_head_in_another_encoding_is_refused_in_words_that_can_be_stored(content: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        list(read_rows("a.tsv", content))

    assert "UTF-8" in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("name", ["a.txt", "a.xlsx", "a", "a.csv.gz"])
def test_a_file_of_another_kind_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(Refused, match=r"ends in \.jsonl, \.csv or \.tsv"):
        read_rows(name, HEAD)


def test_a_table_parted_by_semicolons_is_told_so() -> None:
    with pytest.raises(Refused, match=r"line 1: the fields are separated by semicolons; use commas\."):
        read_rows("texts.csv", b"id;genre;text\n1;a;b\n")
