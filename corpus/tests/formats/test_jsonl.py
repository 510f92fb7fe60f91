"""The complete form of a release: everything comes back exactly, and stands where readers of the file look for it."""

import io
import json
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.jsonl import jsonl_read
from corpus.release.records import ReleasedComparison, ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.tests.support.whole_files import jsonl_write


def written(*sources: ReleasedSource) -> bytes:
    stream = io.BytesIO()
    jsonl_write(stream, sources)
    return stream.getvalue()


def read(data: bytes) -> list[ReleasedSource]:
    return list(jsonl_read(io.BytesIO(data)))


def nested(source: ReleasedSource) -> dict[str, Any]:
    """The line of a source, as any reader of JSON has it."""
    line: dict[str, Any] = json.loads(written(source))
    return line


TEXTS = st.text(
    st.one_of(
        st.sampled_from("\t\n\r\v\f\x00\x1c\x85\u2028\u2029|\"' \\{}[],:"),
        st.sampled_from("אבمرحبا\u202e\u200d👩🏽e\u0301\ufeff"),
        st.characters(codec="utf-8"),
    ),
    max_size=15,
)
NAMES = TEXTS.filter(bool)
SCORES = st.dictionaries(st.sampled_from(["meaning", "grammar", "simplicity", "a key"]), st.integers(1, 7), max_size=3)
RATINGS = st.lists(st.builds(ReleasedRating, st.sampled_from(["", "1", "12", "expert-3"]), SCORES), max_size=3).map(
    tuple
)
RATED_APART = st.sampled_from(((), ("crowd",), ("experts",), ("crowd", "experts")))
SOURCES = st.builds(
    lambda source_id, paragraph, **fields: ReleasedSource(
        source_id=source_id, paragraph_id=paragraph, family=paragraph or source_id, **fields
    ),
    source_id=NAMES,
    paragraph=TEXTS,
    genre=TEXTS,
    text=TEXTS,
    sentences=st.sampled_from((1, 2)),
    split=st.sampled_from(("", "train", "valid", "test")),
    texts=st.lists(
        st.builds(ReleasedText, TEXTS, st.lists(NAMES, max_size=3).map(tuple), RATINGS, RATINGS),
        max_size=3,
    ),
    outputs=st.lists(st.builds(ReleasedOutput, NAMES, TEXTS, RATINGS, RATINGS, rated_apart=RATED_APART), max_size=2),
    comparisons=st.lists(st.builds(ReleasedComparison, TEXTS, TEXTS, RATINGS, RATINGS), max_size=2),
)


@given(sources=st.lists(SOURCES, max_size=3))
def test_every_corpus_comes_back_exactly(sources: list[ReleasedSource]) -> None:
    data = written(*sources)

    assert read(data) == sources
    assert written(*read(data)) == data


@given(sources=st.lists(SOURCES, max_size=3))
def test_every_source_is_one_line_of_json(sources: list[ReleasedSource]) -> None:
    *lines, last = written(*sources).split(b"\n")

    assert last == b""
    found = [json.loads(line) for line in lines]
    assert [line["text"] for line in found] == [source.text for source in sources]
    assert [[text["text"] for text in line["compressions"]] for line in found] == [
        [text.text for text in source.texts] for source in sources
    ]


@given(source=SOURCES)
def test_what_there_is_none_of_has_no_key(source: ReleasedSource) -> None:
    line = nested(source)

    assert ("outputs" in line, "comparisons" in line) == (bool(source.outputs), bool(source.comparisons))
    for kind, each in (
        ("compressions", source.texts),
        ("outputs", source.outputs),
        ("comparisons", source.comparisons),
    ):
        experts = ["expert_ratings" in judged for judged in line.get(kind, [])]
        assert experts == [bool(judged.expert_ratings) for judged in each]
        assert all("ratings" in judged for judged in line.get(kind, []))


SOURCE = ReleasedSource(
    source_id="7",
    genre="Letters",
    text="A b c.",
    sentences=1,
    paragraph_id="7_8",
    family="7_8",
    split="train",
    texts=[
        ReleasedText(
            "A c.",
            ("4", "9"),
            (
                ReleasedRating("12", {"meaning": 3, "grammar": 2}, date(2016, 5, 4)),
                ReleasedRating("", {"meaning": 1, "grammar": 1}),
            ),
            (ReleasedRating("expert-1", {"meaning": 2, "grammar": 2}),),
        )
    ],
    outputs=[ReleasedOutput("t3", "B.", (ReleasedRating("12", {"meaning": 1, "grammar": 3}),))],
    comparisons=[
        ReleasedComparison("A c.", "B.", (ReleasedRating("13", {"meaning": 1, "grammar": 2}),)),
    ],
)


def test_a_line_holds_everything_where_the_description_says() -> None:
    assert nested(SOURCE) == {
        "id": "7",
        "split": "train",
        "genre": "Letters",
        "sentences": 1,
        "paragraph": "7_8",
        "text": "A b c.",
        "compressions": [
            {
                "text": "A c.",
                "editors": ["4", "9"],
                "ratings": [
                    {"rater": "12", "scores": {"meaning": 3, "grammar": 2}, "day": "2016-05-04"},
                    {"rater": None, "scores": {"meaning": 1, "grammar": 1}},
                ],
                "expert_ratings": [{"rater": "expert-1", "scores": {"meaning": 2, "grammar": 2}}],
            }
        ],
        "outputs": [
            {"system": "t3", "text": "B.", "ratings": [{"rater": "12", "scores": {"meaning": 1, "grammar": 3}}]}
        ],
        "comparisons": [
            {"first": "A c.", "second": "B.", "ratings": [{"rater": "13", "scores": {"meaning": 1, "grammar": 2}}]}
        ],
    }


def test_a_source_that_is_part_of_no_paragraph_is_its_own_family() -> None:
    alone = ReleasedSource("7", "Letters", "A b c.", 1, "", "7")

    assert nested(alone)["paragraph"] is None
    assert read(written(alone)) == [alone]


def test_texts_stand_in_their_own_letters() -> None:
    written_out = written(ReleasedSource("7", "Letters", "Café 👩‍👧 \u2028", 1, "", "7"))

    assert "Café 👩‍👧 \u2028".encode() in written_out
    assert written_out.count(b"\n") == 1


def test_a_file_of_an_early_release_is_still_read() -> None:
    line = {
        "id": "7",
        "split": "test",
        "genre": "Letters",
        "sentences": 2,
        "paragraph": None,
        "text": "A b c.",
        "compressions": [
            {"text": "A c.", "editors": [4, 9], "ratings": [{"rater": 12, "meaning": 3, "grammar": 2}]},
        ],
    }

    (source,) = read(json.dumps(line).encode() + b"\n")

    rating = ReleasedRating("12", {"meaning": 3, "grammar": 2})
    assert source == ReleasedSource(
        "7", "Letters", "A b c.", 2, "", "7", "test", [ReleasedText("A c.", ("4", "9"), (rating,))]
    )
