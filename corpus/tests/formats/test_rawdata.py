"""The public format, read back by a reader that knows nothing of the writer.

The reader follows the description of the format that loaders in use rely on: UTF-8 with a byte order mark, CR LF,
one source per line, parts split at a bare `|||`, three fields of the source, two fields for each rating.
"""

import io
import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Compression, Source
from corpus.formats.rawdata import Scales
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.selectors import release_sources
from corpus.tests.support.independent_readers import CODES
from corpus.tests.support.whole_files import outputs_write, rawdata_write
from crowd.models import Enrolment, JoinLink, Round, Worker
from crowd.scales import DEFAULT_SCALES, Point, Scale
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_next,
    enrol,
    freeze,
    import_texts,
    judged_campaign,
    make_campaign,
    open_link,
    rate_all,
    submit_text,
)
from tests.support.stored import release_folder


@dataclass
class ReadText:
    text: str
    judges: list[str]
    ratings: list[tuple[int, int]]


@dataclass
class ReadSource:
    source_id: str
    genre: str
    text: str
    texts: list[ReadText]


def read_rawdata(data: bytes) -> list[ReadSource]:
    assert data[:3] == b"\xef\xbb\xbf"
    lines = data[3:].decode("utf-8").split("\r\n")
    assert lines.pop() == "", "the last line ends, too"
    return [read_source(line) for line in lines]


def read_source(line: str) -> ReadSource:
    assert len(line.splitlines()) == 1, "nothing in a line may be taken for its end"
    head, *parts = line.split("|||")
    source_id, genre, text = (field.strip(" ") for field in head.split("\t"))
    return ReadSource(source_id, genre, text, [read_text(part) for part in parts])


def read_text(part: str) -> ReadText:
    text, judges, count, *fields = (field.strip(" ") for field in part.split("\t"))
    assert int(count) > 0, "loaders divide by the number of ratings"
    assert len(fields) == 2 * int(count)
    ratings = []
    for code, words in zip(fields[::2], fields[1::2], strict=True):
        meaning, grammar, expected = CODES[code]
        assert words == expected
        ratings.append((meaning, grammar))
    return ReadText(text, judges.split(";"), ratings)


def published(text: str) -> str:
    """A text as the format can hold it: breaks and tabs are a space, bars in threes stand apart."""
    spaced = re.sub("[\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029]+", " ", text)
    runs = ["".join(run) for _, run in groupby(spaced, key=lambda character: character == "|")]
    return "".join(" ".join(run) if run.startswith("|||") else run for run in runs).strip(" ")


def written(sources: list[ReleasedSource], scales: Scales = DEFAULT_SCALES) -> bytes:
    stream = io.BytesIO()
    rawdata_write(stream, sources, scales)
    return stream.getvalue()


def read_back(sources: list[ReleasedSource]) -> list[ReadSource]:
    return read_rawdata(written(sources))


def source(text: str, *texts: ReleasedText, genre: str = "Letters") -> ReleasedSource:
    return ReleasedSource("1_2", genre, text, 2, "", "1_2", "train", list(texts))


def rated(text: str, *ratings: tuple[int, int], editors: tuple[str, ...] = ("7",)) -> ReleasedText:
    return ReleasedText(text, editors, judgements(*ratings))


def judgements(*ratings: tuple[int, int]) -> tuple[ReleasedRating, ...]:
    return tuple(
        ReleasedRating(str(rater), {"meaning": meaning, "grammar": grammar})
        for rater, (meaning, grammar) in enumerate(ratings)
    )


def points_of(rating: ReleasedRating) -> tuple[int, int]:
    return rating.scores["meaning"], rating.scores["grammar"]


def test_a_line_is_written_as_the_format_says() -> None:
    data = written([source("A b c.", rated("A c.", (3, 3), (2, 1), editors=("4", "9")), rated("B.", (1, 2)))])

    assert data == (
        b"\xef\xbb\xbf1_2\tLetters\tA b c."
        b" ||| A c.\t4;9\t2\t6\tMost important meaning Flawless language"
        b"\t14\tMuch meaning Disfluent or incomprehensible"
        b" ||| B.\t7\t1\t22\tLittle or none meaning Minor errors\r\n"
    )


@pytest.mark.parametrize(("code", "points"), [(code, points[:2]) for code, points in CODES.items()])
def test_every_judgement_has_its_code_and_words(code: str, points: tuple[int, int]) -> None:
    (read,) = read_back([source("A b c.", rated("A c.", points))])

    assert read.texts == [ReadText("A c.", ["7"], [points])]


def test_a_split_without_sources_is_a_byte_order_mark_alone() -> None:
    assert written([]) == b"\xef\xbb\xbf"


def reworded(scales: Scales) -> Scales:
    """The same points under other words."""
    return tuple(
        Scale(scale.key, f"My {scale.name}", "?", tuple(Point(point.value, "mine") for point in scale.points))
        for scale in scales
    )


@pytest.mark.parametrize("scales", [reworded(DEFAULT_SCALES), DEFAULT_SCALES[::-1]])
def test_the_scales_of_the_release_have_its_codes_and_words_whatever_they_are_called_here(scales: Scales) -> None:
    sources = [source("A b c.", rated("A c.", (3, 1)))]

    assert written(sources, scales) == written(sources)


SIMPLICITY = Scale(
    "simplicity", "Simplicity", "How simple?", tuple(Point(value, f"s{value}") for value in (5, 4, 3, 2, 1))
)
FLUENCY = Scale("fluency", "Fluency", "How fluent?", (Point(2, "reads\twell |||\r\nquite"), Point(1, "does not")))
MEANING, GRAMMAR = DEFAULT_SCALES
LONGER_GRAMMAR = Scale("grammar", "Grammar", "?", (Point(4, "g4"), *GRAMMAR.points))
OTHER_KEY = Scale("sense", "Sense", "?", MEANING.points)


@pytest.mark.parametrize(
    ("scales", "scores", "code", "words"),
    [
        ((SIMPLICITY,), (4,), "4", "Simplicity: s4"),
        ((SIMPLICITY, FLUENCY), (5, 1), "5/1", "Simplicity: s5; Fluency: does not"),
        ((FLUENCY, SIMPLICITY), (2, 3), "2/3", "Fluency: reads well | | | quite; Simplicity: s3"),
        ((MEANING,), (3,), "3", "Meaning: Most important meaning"),
        ((MEANING, LONGER_GRAMMAR), (3, 2), "3/2", "Meaning: Most important meaning; Grammar: Minor errors"),
        ((OTHER_KEY, GRAMMAR), (3, 3), "3/3", "Sense: Most important meaning; Grammar: Flawless language"),
        (
            (MEANING, GRAMMAR, FLUENCY),
            (2, 3, 1),
            "2/3/1",
            "Meaning: Much meaning; Grammar: Flawless language; Fluency: does not",
        ),
    ],
)
def test_other_scales_are_written_by_their_points_and_words(
    scales: Scales, scores: tuple[int, ...], code: str, words: str
) -> None:
    given_scores = {scale.key: value for scale, value in zip(scales, scores, strict=True)}
    text = ReleasedText("A c.", ("7",), (ReleasedRating("1", given_scores),))

    line = written([source("A b c.", text)], scales).decode("utf-8-sig")

    assert line == f"1_2\tLetters\tA b c. ||| A c.\t7\t1\t{code}\t{words}\r\n"


def test_outputs_of_a_system_are_written_for_the_sources_that_have_a_rated_one() -> None:
    sources = [
        source("A b c.", rated("A c.", (3, 3))),
        source("D e f."),
        source("G h i."),
    ]
    sources[0].outputs = [
        ReleasedOutput("namas", "B.", judgements((3, 3))),
        ReleasedOutput("t3", "A|||\tb.", judgements((1, 1))),
    ]
    sources[1].outputs = [ReleasedOutput("namas", "D.", judgements((1, 1))), ReleasedOutput("t3", "D e.", ())]
    sources[2].outputs = [ReleasedOutput("t3", "G.", judgements((2, 1), (1, 1))), ReleasedOutput("t3", "H.", ())]
    stream = io.BytesIO()

    outputs_write(stream, sources, "t3", DEFAULT_SCALES)

    assert stream.getvalue() == (
        b"\xef\xbb\xbf1_2\tLetters\tA b c. ||| A| | | b.\tt3\t1"
        b"\t24\tLittle or none meaning Disfluent or incomprehensible\r\n"
        b"1_2\tLetters\tG h i. ||| G.\tt3\t2\t14\tMuch meaning Disfluent or incomprehensible"
        b"\t24\tLittle or none meaning Disfluent or incomprehensible\r\n"
    )


def test_judgements_of_experts_stand_in_no_file_of_the_public_format() -> None:
    judged = source("A b c.", ReleasedText("A c.", ("7",), judgements((3, 3)), judgements((1, 1), (1, 1))))

    assert written([judged]) == written([source("A b c.", rated("A c.", (3, 3)))])


@pytest.mark.parametrize(
    "text",
    [
        "a\tb",
        "a\r\nb",
        "a|||b",
        "a ||| b",
        "||||||",
        "a||",
        "||a",
        "|",
        "a\x85b",
        "a\u2028b\u2029c",
        "a\x1cb\x1db\x1ec",
        '"quoted" and "',
        "=1+1",
        "שלום 👩‍👧 مرحبا",
        "e\u0301",
    ],
)
def test_no_text_can_break_its_line(text: str) -> None:
    (read,) = read_back([source(text, rated(text, (3, 3), editors=(text,)), genre=text)])

    assert read.text == read.genre == read.texts[0].text == published(text)
    assert read.texts[0].judges == [published(text)]


TEXTS = st.text(
    st.one_of(
        st.sampled_from("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\u00a0|||\"' ;,\\"),
        st.sampled_from("אבمرحبا\u202e\u200d👩🏽e\u0301\ufeff"),
        st.characters(codec="utf-8"),
    ),
    min_size=1,
    max_size=30,
).filter(lambda text: published(text) != "")
POINTS = st.tuples(st.sampled_from((1, 2, 3)), st.sampled_from((1, 2, 3)))
RATINGS = st.lists(POINTS, min_size=1, max_size=5)
EDITORS = st.lists(st.integers(1, 10**9).map(str), min_size=1, max_size=3, unique=True).map(tuple)
RELEASED = st.builds(lambda text, ratings, editors: rated(text, *ratings, editors=editors), TEXTS, RATINGS, EDITORS)
SOURCES = st.lists(
    st.builds(
        lambda text, genre, texts: source(text, *texts, genre=genre), TEXTS, TEXTS, st.lists(RELEASED, max_size=4)
    ),
    max_size=4,
)


@given(sources=SOURCES)
def test_every_corpus_comes_back_from_the_public_format(sources: list[ReleasedSource]) -> None:
    read = read_back(sources)

    assert [(each.source_id, each.genre, each.text) for each in read] == [
        (each.source_id, published(each.genre), published(each.text)) for each in sources
    ]
    for back, each in zip(read, sources, strict=True):
        assert back.texts == [
            ReadText(published(text.text), list(text.editors), list(map(points_of, text.ratings)))
            for text in each.texts
        ]


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.django_db
@given(
    added=st.lists(
        st.text(
            st.one_of(
                st.sampled_from("\t\n\r\x85\u2028|||\"' אם👩‍👧"),
                st.characters(exclude_categories=("Cs", "Cc", "Cn", "Zl", "Zp")),
            ),
            max_size=20,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_texts_travel_from_the_import_to_the_release_unharmed(added: list[str]) -> None:
    # What the import does to a text is told by its own tests: U+0085 is a control character to the editor's rule.
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1)
    import_texts(campaign, [f"{SENTENCE.format(number=number)} {text}" for number, text in enumerate(added)])
    editor = enrol(campaign, EDIT)
    for text in added:
        submit_text(editor, f"Kept: {text.replace(chr(0x85), ' ')}.")
    rate_all(enrol(campaign, RATE), 2, 3)

    release = freeze(campaign, shares={"train": 1})

    kept = dict(Source.objects.filter(campaign=campaign).values_list("source_id", "text"))
    written = dict(
        Compression.objects.filter(source__campaign=campaign).values_list("source__source_id", "target__text")
    )
    for each in release_sources(release):
        assert (each.text, each.texts[0].text) == (kept[each.source_id], written[each.source_id])
    read = read_rawdata((release_folder(release) / "RawData/train.tsv").read_bytes())
    assert {each.source_id: each.text for each in read} == kept
    assert {each.source_id: each.texts[0].text for each in read} == {
        source_id: published(text) for source_id, text in written.items()
    }
    assert all(each.texts[0].ratings == [(2, 3)] for each in read)


@pytest.mark.django_db
def test_a_release_reads_as_what_was_written_and_judged() -> None:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (2, 1), (1, 2)))

    files = files_of(release_folder(freeze(campaign)))

    read = [each for name in ("train.tsv", "valid.tsv", "test.tsv") for each in read_rawdata(files[name])]
    assert {(each.source_id, each.text) for each in read} == set(campaign.sources.values_list("source_id", "text"))
    for each in read:
        assert [text.ratings for text in each.texts] == [[(3, 3), (2, 1), (1, 2)]] * 2
        for text in each.texts:
            (judge,) = text.judges
            assert Compression.objects.get(source__source_id=each.source_id, worker__number=judge).text == text.text


def arrive(campaign_round: str, link_id: int, name: str) -> Enrolment:
    link = JoinLink.objects.select_related("campaign").get(pk=link_id)
    ids = PlatformIds(f"{name}-5f1c2e", f"study-{campaign_round}-77aa", f"session-{name}-99bb")
    enrolment = worker_enter(link=link, ids=ids)
    guidelines_accept(enrolment=enrolment)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


@pytest.mark.django_db
def test_what_a_platform_calls_people_stands_in_no_file() -> None:
    campaign = make_campaign(sources=2)
    links = {each: open_link(campaign=campaign, work_round=each, platform_key="prolific") for each in Round.values}
    for name in ("ann", "ben"):
        editor = arrive(EDIT, links[EDIT].pk, name)
        while edit_next(editor):
            pass
    for name in ("cleo", "dan"):
        rate_all(arrive(RATE, links[RATE].pk, name), 3, 2)

    files = files_of(release_folder(freeze(campaign)))

    secrets = [*Worker.objects.values_list("external_id", flat=True)]
    for fields in Enrolment.objects.values_list("study_id", "session_id"):
        secrets += fields
    for link in campaign.links.all():
        secrets += [link.token, link.code_done, link.code_failed, link.code_no_work]
    assert len(set(secrets)) == 4 + 2 + 4 + 4 * campaign.links.count()
    assert {"corpus.jsonl", "edit_logs.jsonl", "manifest.json"} <= set(files)
    found = [(name, secret) for name, data in files.items() for secret in secrets if secret.encode() in data]
    assert found == []
