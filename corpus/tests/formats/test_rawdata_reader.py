"""Reading the public format: what this app writes, what others write, and what cannot be read."""

import io
import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.rawdata import Scales
from corpus.formats.rawdata_reader import Problem, ReadLine, ReadPart, is_rawdata, rawdata_read
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.tests.support.whole_files import outputs_write, rawdata_write
from crowd.scales import DEFAULT_SCALES, Point, Scale
from measures.text.normalization import canonical, display_text

MARK = b"\xef\xbb\xbf"
GOOD = "1\tLetters\tA b c. ||| A c.\t7\t1\t6\tMost important meaning Flawless language"
SIMPLICITY = Scale(
    "simplicity", "Simplicity", "How simple?", tuple(Point(value, f"s{value}") for value in (5, 4, 3, 2, 1))
)
FLUENCY = Scale(
    "fluency", "Fluency |||\t", "How fluent?", tuple(Point(value, f"f\n{value}") for value in range(7, 0, -1))
)
OVERALL = Scale("overall", "Overall", "Good?", (Point(2, "yes; 2/2"), Point(1, "no")))
OTHER_SCALES = (SIMPLICITY, FLUENCY)


def read(*lines: str, scales: Scales = DEFAULT_SCALES) -> list[ReadLine]:
    """The lines of a file in which nothing is wrong."""
    found, problems = rawdata_read("a.tsv", "\r\n".join(lines).encode(), scales)
    assert problems == []
    return found


def parts_of(*parts: str, scales: Scales = DEFAULT_SCALES) -> tuple[ReadPart, ...]:
    """What is read of parts after a good head."""
    (line,) = read(" ||| ".join(("1\tLetters\tA b c.", *parts)), scales=scales)
    return line.parts


def points(meaning: int, grammar: int) -> dict[str, int]:
    return {"meaning": meaning, "grammar": grammar}


# What this app writes.


def written(sources: Sequence[ReleasedSource], scales: Scales) -> bytes:
    stream = io.BytesIO()
    rawdata_write(stream, sources, scales)
    return stream.getvalue()


def outputs_written(sources: Sequence[ReleasedSource], system: str, scales: Scales) -> bytes:
    stream = io.BytesIO()
    outputs_write(stream, sources, system, scales)
    return stream.getvalue()


def clean(text: str) -> str:
    """A text as a release may have it: nothing in it ends a field, a part or a line."""
    spaced = re.sub("[\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029]", " ", text)
    return spaced.replace("|||", "| | |")


TEXTS = (
    st.text(
        st.one_of(
            st.sampled_from("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\u00a0|||\"' ;,\\/_.!?"),
            st.sampled_from("אבمرحبا\u202e\u200d👩🏽e\u0301\u212b\ufeff"),
            st.characters(codec="utf-8"),
        ),
        min_size=1,
        max_size=20,
    )
    .map(clean)
    .filter(lambda text: canonical(text) != "")
)
IDS = st.from_regex(r"[0-9A-Za-z][0-9A-Za-z._:-]{0,20}", fullmatch=True).filter(lambda one: one.lower() != "sourceid")
JUDGES = st.lists(st.integers(1, 10**9).map(str), min_size=1, max_size=3, unique=True).map(tuple)
SCALES = st.sampled_from([DEFAULT_SCALES, DEFAULT_SCALES[::-1], OTHER_SCALES, (OVERALL,), (OVERALL, *DEFAULT_SCALES)])


def scores_on(scales: Scales) -> st.SearchStrategy[ReleasedRating]:
    each = {scale.key: st.sampled_from(scale.values) for scale in scales}
    return st.fixed_dictionaries(each).map(lambda scores: ReleasedRating("5", scores))


def texts_on(scales: Scales) -> st.SearchStrategy[list[ReleasedText]]:
    ratings = st.lists(scores_on(scales), min_size=1, max_size=4).map(tuple)
    return st.lists(st.builds(ReleasedText, TEXTS, JUDGES, ratings), max_size=3, unique_by=lambda each: each.text)


def outputs_on(scales: Scales) -> st.SearchStrategy[list[ReleasedOutput]]:
    ratings = st.lists(scores_on(scales), max_size=3).map(tuple)
    outputs = st.builds(ReleasedOutput, st.sampled_from(["t3", "seq2seq"]), TEXTS, ratings)
    return st.lists(outputs, max_size=3, unique_by=lambda each: each.text)


def sources_with(
    texts: st.SearchStrategy[list[ReleasedText]], outputs: st.SearchStrategy[list[ReleasedOutput]]
) -> st.SearchStrategy[list[ReleasedSource]]:
    return st.lists(
        st.builds(
            lambda source_id, genre, text, texts, outputs: ReleasedSource(
                source_id, genre, text, 1, "", source_id, "train", texts, outputs
            ),
            IDS,
            TEXTS.map(display_text),
            TEXTS,
            texts,
            outputs,
        ),
        max_size=4,
    )


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Scales, list[ReleasedSource]]:
    scales = draw(SCALES)
    return scales, draw(sources_with(texts_on(scales), st.just([])))


@st.composite
def corpora_of_systems(draw: st.DrawFn) -> tuple[Scales, list[ReleasedSource]]:
    scales = draw(SCALES)
    return scales, draw(sources_with(texts_on(scales), outputs_on(scales)))


def released(lines: Sequence[ReadLine]) -> list[ReleasedSource]:
    """What was read as what can be written."""
    return [
        ReleasedSource(
            line.source_id,
            line.genre,
            line.text,
            line.sentences,
            "",
            line.source_id,
            texts=[ReleasedText(part.text, part.judges, ratings_of(part.ratings)) for part in line.parts],
        )
        for line in lines
    ]


def ratings_of(scores: Sequence[Mapping[str, int]]) -> tuple[ReleasedRating, ...]:
    return tuple(ReleasedRating("", each) for each in scores)


@given(corpus=corpora())
def test_what_is_written_is_read(corpus: tuple[Scales, list[ReleasedSource]]) -> None:
    scales, sources = corpus

    lines, problems = rawdata_read("train.tsv", written(sources, scales), scales)

    assert problems == []
    assert [line.line for line in lines] == list(range(1, len(sources) + 1))
    assert [(line.source_id, line.genre, line.text) for line in lines] == [
        (source.source_id, source.genre, source.text) for source in sources
    ]
    assert [line.parts for line in lines] == [
        tuple(
            ReadPart(text.text, text.editors, tuple(rating.scores for rating in text.ratings)) for text in source.texts
        )
        for source in sources
    ]


@given(corpus=corpora())
def test_what_is_read_is_written_byte_by_byte(corpus: tuple[Scales, list[ReleasedSource]]) -> None:
    scales, sources = corpus
    data = written(sources, scales)

    lines, _ = rawdata_read("train.tsv", data, scales)

    assert written(released(lines), scales) == data


@given(corpus=corpora_of_systems())
def test_rated_outputs_of_a_system_are_read(corpus: tuple[Scales, list[ReleasedSource]]) -> None:
    scales, sources = corpus

    lines, problems = rawdata_read("test_output.t3.tsv", outputs_written(sources, "t3", scales), scales)

    assert problems == []
    wanted = [
        tuple(
            ReadPart(output.text, ("t3",), tuple(rating.scores for rating in output.ratings))
            for output in source.outputs
            if output.system == "t3" and output.ratings
        )
        for source in sources
    ]
    assert [line.parts for line in lines] == [parts for parts in wanted if parts]


@given(corpus=corpora())
def test_a_written_file_with_texts_is_known_for_what_it_is(corpus: tuple[Scales, list[ReleasedSource]]) -> None:
    scales, sources = corpus

    assert is_rawdata(written(sources, scales)) is bool(sources and sources[0].texts)


# What others write.


@pytest.mark.parametrize("mark", [b"", MARK])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\r\n", b"\r\n\r\n"])
def test_a_byte_order_mark_and_ends_of_lines_may_be_what_they_like(mark: bytes, end: bytes, last: bytes) -> None:
    two = GOOD.replace("1\tLetters", "2\tNews")

    lines, problems = rawdata_read("a.tsv", mark + end.join([GOOD.encode(), two.encode()]) + last, DEFAULT_SCALES)

    assert problems == []
    assert [(line.line, line.source_id, line.genre) for line in lines] == [(1, "1", "Letters"), (2, "2", "News")]
    assert [line.parts for line in lines] == [(ReadPart("A c.", ("7",), (points(3, 3),)),)] * 2


def test_spaces_at_the_ends_of_fields_are_nothing_but_in_texts() -> None:
    (line,) = read(" 1 \t Letters \t  A  b c.  |||  A c. \t 7 ; 9 \t 1 \t 12 \t Much meaning Minor errors ")

    assert (line.source_id, line.genre, line.text) == ("1", "Letters", "  A  b c. ")
    assert line.parts == (ReadPart(" A c. ", ("7", "9"), (points(2, 2),)),)


@pytest.mark.parametrize(
    ("line", "source", "texts"),
    [
        ("1\tNews\tA b. ||| A.\t7\t0 ||| B.\t7\t0", "A b.", ["A.", "B."]),
        ("1\tNews\tA b.  ||| A. \t7\t0 |||  B.\t7\t0", "A b. ", ["A. ", " B."]),
        ("1\tNews\tA b.|||A.\t7\t0|||B.\t7\t0", "A b.", ["A.", "B."]),
        ("1\tNews\tA b.   |||A. \t7\t0||| B.\t7\t0", "A b.  ", ["A. ", "B."]),
        ("1\tNews\tA b. ", "A b. ", []),
        ("1\tNews\tA b. \r", "A b. ", []),
        ("1\tNews\tA b.\t ||| A. ", "A b.", ["A. "]),
        ("1\tNews\tA b. ||| A.  ||| B. ", "A b.", ["A. ", "B. "]),
    ],
)
def test_one_space_beside_the_bars_is_theirs(line: str, source: str, texts: list[str]) -> None:
    (found,) = read(line)

    assert (found.text, [part.text for part in found.parts]) == (source, texts)


def test_bars_may_stand_bare() -> None:
    (line,) = read("1\tLetters\tA b c.|||A c.\t7\t1\t6\twords|||B.\t8\t1\t24\twords")

    assert [(part.text, part.judges) for part in line.parts] == [("A c.", ("7",)), ("B.", ("8",))]


@pytest.mark.parametrize(
    ("judges", "wanted"),
    [
        ("7", ("7",)),
        ("7;9;12", ("7", "9", "12")),
        ("7; 9 ;", ("7", "9")),
        (";;", ()),
        ("", ()),
        ("9;7;9", ("9", "7")),
        ("seq2seq", ("seq2seq",)),
    ],
)
def test_a_text_has_the_judges_who_wrote_it(judges: str, wanted: tuple[str, ...]) -> None:
    (part,) = parts_of(f"A c.\t{judges}\t1\t6\twords")

    assert part.judges == wanted


@pytest.mark.parametrize(
    ("code", "meaning", "grammar"),
    [(6, 3, 3), (7, 3, 2), (9, 3, 1), (11, 2, 3), (12, 2, 2), (14, 2, 1), (21, 1, 3), (22, 1, 2), (24, 1, 1)],
)
@pytest.mark.parametrize("words", ["", "\tboth in one", "\tmeaning\tgrammar", "\t", "\t\t", "\t \t "])
def test_every_code_is_read_whatever_its_words(code: int, meaning: int, grammar: int, words: str) -> None:
    for count in (1, 2, 3):
        (part,) = parts_of(f"A c.\t7\t{count}" + f"\t{code}{words}" * count)

        assert part.ratings == (points(meaning, grammar),) * count


def test_parts_of_one_line_may_have_their_words_in_different_ways() -> None:
    parts = parts_of(
        "A.\t7\t2\t6\tboth\t24\tboth", "B.\t7\t2\t6\tone\ttwo\t24\tone\ttwo", "C.\t7\t2\t6\t24", "D.\t7\t2\t6\t24\t\t"
    )

    assert [part.ratings for part in parts] == [(points(3, 3), points(1, 1))] * 4


@pytest.mark.parametrize("words", ["", "\tSimplicity: s4; Fluency: f5", "\ts4\tf5"])
def test_other_scales_are_read_by_their_points_in_order(words: str) -> None:
    (part,) = parts_of(f"A c.\t7\t2\t4/5{words}\t5 / 7{words}", scales=OTHER_SCALES)

    assert part.ratings == ({"simplicity": 4, "fluency": 5}, {"simplicity": 5, "fluency": 7})


def test_one_scale_has_a_code_without_a_stroke() -> None:
    (part,) = parts_of("A c.\t7\t2\t1\tOverall: no\t2\tOverall: yes; 2/2", scales=(OVERALL,))

    assert part.ratings == ({"overall": 1}, {"overall": 2})


def test_the_default_scales_have_their_codes_whatever_the_points_are_called() -> None:
    reworded = tuple(
        Scale(scale.key, "?", "?", tuple(Point(point.value, "?") for point in scale.points)) for scale in DEFAULT_SCALES
    )

    assert parts_of("A c.\t7\t1\t7\twords", scales=reworded)[0].ratings == (points(3, 2),)


@pytest.mark.parametrize(
    "rest", ["", "\t", "\t\t", "\tnamas", "\tnamas\t", "\tnamas\t0", "\tnamas\t0\t", "\tnamas\t \t "]
)
def test_the_output_of_a_system_may_have_no_ratings(rest: str) -> None:
    assert parts_of(f"A c.{rest}") == (ReadPart("A c.", ("namas",) if "namas" in rest else (), ()),)


def test_a_source_may_have_no_texts() -> None:
    assert parts_of() == ()


def test_blank_lines_and_the_names_of_fields_are_skipped_and_counted() -> None:
    head = "SourceID\tDomain\tSourceText ||| CompressedText\tJudgeId\tnumRatings"

    lines = read("", head, GOOD, " \t ", "sourceid", GOOD)

    assert [line.line for line in lines] == [3, 6]


def test_files_that_were_joined_have_marks_and_names_in_between() -> None:
    one = MARK + b"SourceID\tDomain\tSourceText\r\n" + GOOD.encode() + b"\r\n"

    lines, problems = rawdata_read("all.tsv", one + one + MARK + GOOD.encode(), DEFAULT_SCALES)

    assert problems == []
    assert [(line.line, line.source_id) for line in lines] == [(2, "1"), (4, "1"), (5, "1")]


@pytest.mark.parametrize("sign", ["\v", "\f", "\x85", "\u2028", "\u2029", "\r", "\r\v"])
def test_what_else_ends_lines_stands_inside_a_field_as_a_space(sign: str) -> None:
    (line,) = read(f"1\tLetters\tA b{sign}c. ||| A{sign}c.\t7\t1\t6\twords")

    assert (line.text, line.parts[0].text) == ("A b c.", "A c.")


@pytest.mark.parametrize("sign", ["\x1c", "\x1d", "\x1e"])
def test_no_separator_of_information_ends_a_line(sign: str) -> None:
    (line,) = read(f"1\tLetters\tA b{sign}c. ||| A{sign}c.\t7\t1\t6\twords")

    assert line.parts[0].text == f"A{sign}c."


def test_texts_come_as_they_stand_and_genres_in_normal_form() -> None:
    (line,) = read("1\tCafe\u0301\tCafe\u0301  b.\u00a0 ||| \u00a0Cafe\u0301.\t7\t1\t6\twords")

    assert (line.genre, line.text, line.parts[0].text) == ("Café", "Cafe\u0301  b.\u00a0", "\u00a0Cafe\u0301.")


def test_quotes_mean_nothing() -> None:
    (line,) = read('1\tLetters\t"A b c. ||| "A\t7\t1\t6\twords')

    assert (line.text, line.parts[0].text) == ('"A b c.', '"A')


def test_parts_with_the_same_text_are_one() -> None:
    parts = parts_of(
        "A café.\t7;4\t1\t6\twords",
        "B.\t8\t1\t9\twords",
        "A café.\t2;7\t2\t12\twords\t24\twords",
        "a café.\t1",
        "A café. \t5",
    )

    assert parts == (
        ReadPart("A café.", ("7", "4", "2"), (points(3, 3), points(2, 2), points(1, 1))),
        ReadPart("B.", ("8",), (points(3, 1),)),
        ReadPart("a café.", ("1",), ()),
        ReadPart("A café. ", ("5",), ()),
    )


@pytest.mark.parametrize(
    ("source_id", "text", "sentences"),
    [
        ("98", "He left.", 1),
        ("98", "He left. She stayed.", 1),
        ("98_99", "He left. She stayed.", 2),
        ("98_99", "He left. She stayed. They wept.", 2),
        # The count misses an end; the numbers do not.
        ("98_99", "He came from the U.S. She did not.", 2),
        ("98_99", "He left. she stayed.", 2),
        ("98_99", "HE LEFT -- SHE STAYED", 2),
        ("98_99", "“He came from the U.S. She did not.”", 2),
        # A lone mark was numbered as if it were a sentence.
        ("98_99", 'He left. "', 1),
        ("98_99", "He left.” ”", 1),
        ("98_99", "He left! )", 1),
        ("98_99", "He left… '", 1),
        ("98_99", 'He left . "', 1),
        ("98_99_100", 'He left. She stayed. "', 2),
        ("98_99_100", 'He came from the U.S. She did not. "', 2),
        ("98_99_100", 'He left. "', 2),
        # A full stop set apart ends the sentence that it stands in; it is none of its own.
        ("98_99", "he left - she stayed .", 2),
        ("98_99", "*** !", 2),
        # These ids number no sentences.
        ("news_2016", "He left.", 1),
        ("news_2016", "He left. She stayed.", 2),
        ("101_102.1", "He left.", 1),
        ("98_", "He left.", 1),
        ("_", "He left.", 1),
        ("_", "* * *", 1),
        ("news_2016", '… "', 1),
    ],
)
def test_sentences_are_told_by_the_text_and_the_numbers(source_id: str, text: str, sentences: int) -> None:
    (line,) = read(f"{source_id}\tLetters\t{text} ||| A.\t7\t1\t6\twords")

    assert line.sentences == sentences


# What cannot be read.

Bad = str | bytes


def reason_for(bad: Bad, scales: Scales = DEFAULT_SCALES) -> str:
    """Why a line is refused that stands between two good ones, which are read."""
    good = b"1\tLetters\tA b c. ||| A c.\t7"
    raw = bad if isinstance(bad, bytes) else bad.encode()

    lines, problems = rawdata_read("valid.tsv", MARK + b"\r\n".join([good, raw, b"", good]), scales)

    assert [line.line for line in lines] == [1, 4]
    (problem,) = problems
    assert (problem.file, problem.line) == ("valid.tsv", 2)
    assert str(problem) == f"valid.tsv, line 2: {problem.reason}"
    return problem.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"1\tLetters\tcaf\xe9 ||| A.\t7", "not UTF-8 (byte 14 of the line)"),
        (b"\xe9", "not UTF-8 (byte 1 of the line)"),
        (b"1\tLetters\tA\xed\xa0\x80", "not UTF-8 (byte 12 of the line)"),
        ("no head", "1 field before the first |||, not the three fields id, domain and text"),
        ("1\tA b c. ||| A c.\t7", "2 fields before the first |||, not the three fields id, domain and text"),
        ("1\tLetters\tA\tb ||| A c.\t7", "4 fields before the first |||, not the three fields id, domain and text"),
        ("||| A c.\t7", "1 field before the first |||, not the three fields id, domain and text"),
        (" \tLetters\tA b c. ||| A c.\t7", "the id is empty"),
        ("1" * 101 + "\tLetters\tA b c.", f"the id {'1' * 40!r}… has 101 characters, more than 100"),
        ("1\tLetters\t", "the source's text is empty"),
        ("1\tLetters\t ||| A c.\t7", "the source's text is empty"),
        ("1\tLetters\t\u200b ||| A c.\t7", "the source's text is empty"),
    ],
)
def test_a_line_whose_source_cannot_be_read_is_refused_by_its_number(bad: Bad, reason: str) -> None:
    assert reason_for(bad) == reason


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ("\t7\t1\t6\twords", "the text is empty"),
        (" \u200b \t7\t1\t6\twords", "the text is empty"),
        ("", "the text is empty"),
        ("B.\t7\t1\t8\twords", "'8' is no rating on the scales meaning, grammar"),
        ("B.\t7\t1\t06\twords", "'06' is no rating on the scales meaning, grammar"),
        ("B.\t7\t1\t3/3\twords", "'3/3' is no rating on the scales meaning, grammar"),
        (
            "B.\t7\t1\tMost important meaning\t6",
            "the number of ratings is 1, which does not fit the 2 fields after it",
        ),
        ("B.\t7\t2\t6\twords\t" + "x" * 50 + "\twords", f"{'x' * 40!r} is no rating on the scales meaning, grammar"),
        ("B.\t7\tone\t6\twords", "the number of ratings is 'one'"),
        ("B.\t7\t-1\t6\twords", "the number of ratings is '-1'"),
        ("B.\t7\t1.0\t6\twords", "the number of ratings is '1.0'"),
        ("B.\t7\t²\t6\twords", "the number of ratings is '²'"),
        ("B.\t7\t١\t6\twords", "the number of ratings is '١'"),
        ("B.\t7\t" + "9" * 5000, f"the number of ratings is {'9' * 40!r}"),
        ("B.\t7\t1", "the number of ratings is 1, which does not fit the 0 fields after it"),
        ("B.\t7\t1\t\twords", "the number of ratings is 1, which does not fit the 1 field after it"),
        ("B.\t7\t999999\t6\twords", "the number of ratings is 999999, which does not fit the 2 fields after it"),
        ("B.\t7\t0\t6\twords", "the number of ratings is 0, which does not fit the 2 fields after it"),
        ("B.\t7\t\t6\twords", "the number of ratings is 0, which does not fit the 2 fields after it"),
        ("B.\t7\t3\t6\tw\t7\tw", "the number of ratings is 3, which does not fit the 4 fields after it"),
        ("B.\t7\t1\t6\tw\t7\tw", "the number of ratings is 1, which does not fit the 4 fields after it"),
        ("B.\t7\t2\t6\tw\t7", "the number of ratings is 2, which does not fit the 3 fields after it"),
        # As many fields as one rating may have: but its words are codes.
        ("B.\t7\t1\t6\t7", "the number of ratings is 1, which does not fit the 2 fields after it"),
        ("B.\t7\t1\t6\tw\t7", "the number of ratings is 1, which does not fit the 3 fields after it"),
        ("B.\t7\t2\t6\tw\t7\tw\t9\tw", "the number of ratings is 2, which does not fit the 6 fields after it"),
    ],
)
def test_a_line_with_a_part_that_cannot_be_read_is_refused_by_both_numbers(part: str, reason: str) -> None:
    assert reason_for(f"1\tLetters\tA b c. ||| A.\t7\t1\t6\tw ||| {part} ||| C.\t7") == f"compression 2: {reason}"


@pytest.mark.parametrize("code", ["4", "4/5/1", "0/5", "6/5", "4/8", "4/", "/", "four/5", "04/5", "²/5", "6"])
def test_a_code_that_other_scales_do_not_have_is_refused(code: str) -> None:
    reason = reason_for(f"1\tLetters\tA b c. ||| A.\t7\t1\t{code}\twords", OTHER_SCALES)

    assert reason == f"compression 1: {code!r} is no rating on the scales simplicity, fluency"


def test_an_id_of_a_hundred_characters_fits() -> None:
    (line,) = read(f"{'1' * 100}\tLetters\tA b c.")

    assert len(line.source_id) == 100


def test_every_bad_line_is_named() -> None:
    lines, problems = rawdata_read("a.tsv", f"bad\n{GOOD}\nbad\n\nbad".encode(), DEFAULT_SCALES)

    assert [line.line for line in lines] == [2]
    reason = "1 field before the first |||, not the three fields id, domain and text"
    assert problems == [Problem("a.tsv", number, reason) for number in (1, 3, 5)]


def test_a_file_of_another_encoding_is_refused_line_by_line() -> None:
    lines, problems = rawdata_read("a.tsv", f"{GOOD}\n{GOOD}\n".encode("utf-16"), DEFAULT_SCALES)

    assert lines == []
    assert [problem.line for problem in problems] == [1, 2, 3]


PIECES = st.sampled_from(
    [
        "\t",
        "|||",
        " ",
        "\n",
        "\r\n",
        "\r",
        "6",
        "7",
        "0",
        "1",
        "2",
        "words",
        "A b.",
        ";",
        "_",
        "\ufeff",
        "SourceID",
        "4/5",
    ]
)


def check_reading(data: bytes, scales: Scales) -> None:
    """Every line is read or named, once, and what is read is fit to keep."""
    lines, problems = rawdata_read("a.tsv", data, scales)
    numbers = [line.line for line in lines] + [problem.line for problem in problems]
    assert len(set(numbers)) == len(numbers) <= data.count(b"\n") + 1
    for line in lines:
        assert 1 <= len(line.source_id) <= 100
        for text in (line.text, *(part.text for part in line.parts)):
            assert canonical(text) != ""
            assert not set("\t\r\n") & set(text)
        assert line.sentences in ((1,) if line.source_id.isdecimal() else (1, 2))
        assert len({part.text for part in line.parts}) == len(line.parts)
        for scores in (scores for part in line.parts for scores in part.ratings):
            assert scores.keys() == {scale.key for scale in scales}
            assert all(scores[scale.key] in scale.values for scale in scales)


@given(pieces=st.lists(PIECES, max_size=40), scales=SCALES)
def test_no_mixture_of_the_signs_of_the_format_stops_the_reader(pieces: list[str], scales: Scales) -> None:
    check_reading(b"1\tLetters\tA b c. ||| A.\t7\t" + "".join(pieces).encode(), scales)


@given(data=st.binary(max_size=60), scales=SCALES)
def test_no_bytes_stop_the_reader(data: bytes, scales: Scales) -> None:
    check_reading(data, scales)
    assert is_rawdata(data) in (True, False)


# What looks like the format.


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (GOOD.encode(), True),
        (MARK + GOOD.encode(), True),
        (b"\r\n \r\n" + GOOD.encode(), True),
        (MARK + b"\n" + GOOD.encode(), True),
        (b"SourceID\tDomain\tSourceText\r\n" + GOOD.encode(), True),
        (b"1\tLetters\tA b c.|||A c.", True),
        (b"1\tLetters\tcaf\xe9 ||| A c.\t7", True),
        (b"1\tLetters\tA b c.\t ||| A c.\t7", True),
        (b"", False),
        (MARK, False),
        (b"\n\n", False),
        (b"SourceID\tDomain\tSourceText\r\n", False),
        (b"id\tgenre\ttext\n" + GOOD.encode(), False),
        (b"1\tLetters\tA b c.\n" + GOOD.encode(), False),
        (b"1\tA b c. ||| A c.\t7\t1\t6", False),
        (b"1\tLetters\tA\tb ||| A c.", False),
        (b'{"id": "1", "genre": "Letters", "text": "A ||| b"}', False),
        (b"id,genre,text\n1,Letters,A ||| b", False),
    ],
)
def test_a_file_is_told_by_its_first_line(data: bytes, *, is_one: bool) -> None:
    assert is_rawdata(data) is is_one
