"""Whatever texts, people and judgements a release holds, each of its formats gives them back to a reader of its own."""

from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from corpus.release.folder import ReleaseFolder
from corpus.release.records import (
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
    WrittenText,
)
from corpus.services.writers import ReleaseWriters
from corpus.tests.support.expected_files import Corpus, Scales, assert_all_come_back
from corpus.tests.support.independent_readers import SPLITS
from crowd.scales import DEFAULT_SCALES, Point, Scale

NASTY = st.sampled_from(
    [
        *(
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\v",
            "\f",
            "\x1c",
            "\x1d",
            "\x1e",
            "\x1f",
            "\x7f",
            "\x85",
            "\u2028",
            "\u2029",
            "\xa0",
        ),
        *(
            "|",
            "||",
            "|||",
            " ||| ",
            "||||",
            "|\t|",
            '"',
            '""',
            "'",
            "\\",
            "\\n",
            ",",
            ";",
            "=1+1",
            "+",
            "-",
            "@SUM(A1)",
        ),
        *(
            "\ufeff",
            "\ufffd",
            "\ufffe",
            "👩\u200d👩\u200d👧",
            "👍🏽",
            "🇩🇪",
            "שלום",
            "مرحبا",
            "\u202e",
            "\u2067",
            "\u200f",
        ),
        *(
            "e\u0301",
            "\u0301",
            "ﬁ",
            "\u200b",
            "\xad",
            "{}",
            "[",
            "<b>",
            "&amp;",
            "nan",
            "null",
            "NA",
            "  ",
            "a",
            "Word ",
        ),
    ]
)
TEXTS = st.lists(st.one_of(NASTY, st.characters(codec="utf-8", exclude_characters="\0")), min_size=1, max_size=8).map(
    "".join
)
PEOPLE = st.one_of(st.integers(1, 10**9).map(str), st.sampled_from(["w=1", "+7", '"', "anna-ß", "a b"]))
SYSTEMS = st.sampled_from(["t3", "my system", 'a "b" <c>', "..", "=1", "größe", "😀", "#?%20&"])
NAMES = st.sampled_from(["Meaning", "How fluent", "=1", '"', "|||", "a\tb", "größe"])
POINTS = st.lists(TEXTS, min_size=2, max_size=7)
OWN_SCALES = st.lists(
    st.builds(
        lambda key, name, words: Scale(
            key, name, "?", tuple(Point(value, each) for value, each in enumerate(words, start=1))
        ),
        st.sampled_from(["meaning", "grammar", "simplicity", "hangs_together"]),
        NAMES,
        POINTS,
    ),
    min_size=1,
    max_size=4,
    unique_by=(lambda scale: scale.key, lambda scale: scale.name),
).map(tuple)


def ratings_on(scales: Scales) -> st.SearchStrategy[Ratings]:
    scores = st.fixed_dictionaries({scale.key: st.integers(1, len(scale.points)) for scale in scales})
    days = st.one_of(st.none(), st.dates())
    return st.lists(st.builds(ReleasedRating, st.one_of(st.just(""), PEOPLE), scores, days), max_size=3).map(tuple)


@st.composite
def logs(draw: st.DrawFn, start: str, text: str) -> list[list[Any]]:
    """A log that leads by way of other texts from the beginning to the end."""
    log: list[list[Any]] = []
    at, before = 0, start
    for after in [*draw(st.lists(st.one_of(TEXTS, st.just("")), max_size=3)), text]:
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))))
        at += draw(st.integers(0, 100_000))
        log.append([same, before[same:], after[same:], draw(st.sampled_from(["typing", "paste", "undo"])), at])
        before = after
    return log


@st.composite
def corpora(draw: st.DrawFn, scales: Scales) -> list[tuple[ReleasedSource, list[WrittenText]]]:
    ratings = ratings_on(scales)
    people = st.lists(PEOPLE, min_size=1, max_size=3, unique=True).map(tuple)
    texts = st.lists(st.builds(ReleasedText, TEXTS, people, ratings, ratings), max_size=3, unique_by=lambda t: t.text)
    outputs = st.lists(st.builds(ReleasedOutput, SYSTEMS, TEXTS, ratings, ratings), max_size=3)
    comparisons = st.lists(st.builds(ReleasedComparison, TEXTS, TEXTS, ratings, ratings), max_size=2)
    corpus = []
    for source_id in draw(st.lists(st.from_regex(r"[0-9A-Za-z][0-9A-Za-z._:-]{0,5}", fullmatch=True), unique=True)):
        source = ReleasedSource(
            source_id=source_id,
            genre=draw(TEXTS),
            text=draw(TEXTS),
            sentences=draw(st.sampled_from((1, 2))),
            paragraph_id=draw(st.sampled_from(("", "1_2"))),
            family=source_id,
            split=draw(st.sampled_from(SPLITS)),
            texts=draw(texts),
            outputs=draw(outputs),
            comparisons=draw(comparisons),
        )
        written = []
        for text in source.texts:
            for editor in text.editors:
                start = draw(st.sampled_from(("source", "empty")))
                log = draw(logs(source.text if start == "source" else "", text.text))
                written.append(WrittenText(editor, text.text, start, log))
        corpus.append((source, written))
    return corpus


def written_to(folder: Path, corpus: Corpus, scales: Scales) -> Path:
    with ReleaseFolder(folder) as release:
        writers = ReleaseWriters(release, scales)
        for source, written in corpus:
            writers.add(source, written)
        writers.close()
    return folder


@given(data=st.data())
def test_every_corpus_comes_back_from_every_format(data: st.DataObject) -> None:
    scales = data.draw(st.one_of(st.just(DEFAULT_SCALES), OWN_SCALES))
    corpus = data.draw(corpora(scales))

    with TemporaryDirectory() as folder:
        assert_all_come_back(written_to(Path(folder) / "release", corpus, scales), corpus, scales)
