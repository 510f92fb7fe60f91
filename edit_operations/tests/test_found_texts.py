"""Texts of a report by operation, a page at a time, with the same number of queries whatever the release."""

from typing import Any
from unittest.mock import Mock

import pytest

from compressions.models import Target
from edit_operations.aligned import AlignedSource
from edit_operations.found_texts import TextFilter, texts_after, texts_found
from edit_operations.tests.releases import computed, released_with, source_of, text_of, varied
from reports.models import Report
from tests.support.factories import freeze, judged_campaign

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def report() -> Report:
    return computed(released_with(varied()))


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        (TextFilter(sentences="merged"), ["The two old men went home while their dog stayed."]),
        (TextFilter(by="people", sentences="kept"), ["The men went home. Their dog stayed."]),
        (TextFilter(reordered=True), ["Last night the two old men went home."]),
        (TextFilter(by="systems", inserted=True), ["Two men suddenly left."]),
        (TextFilter(editor="7", genre="Letters"), ["Two men walked home."]),
        (TextFilter(split="test"), ["A dog stayed."]),
        (TextFilter(genre="News", by="people", scale="meaning", most=1), [""]),
        (TextFilter(scale="grammar", least=3, source_sentences=1), ["The men went home late."]),
        (TextFilter(scale="another", least=1), []),
        (TextFilter(corrected=True), []),
    ],
)
def test_texts_are_narrowed(report: Report, wanted: TextFilter, texts: list[str]) -> None:
    assert [each.text.text for each in texts_found(report, wanted).texts] == texts


def test_pages_hold_every_text_once(report: Report) -> None:
    pages = [texts_found(report, page=number, size=4) for number in range(1, 6)]
    numbers = [each.number for page in pages for each in page.texts]

    assert numbers == list(range(1, report.pinned["texts"] + 1))
    assert {page.total for page in pages} == {report.pinned["texts"]}
    assert [page.has_more for page in pages] == [True, True, True, False, False]


def test_texts_after_one_go_on_behind_it(report: Report) -> None:
    first = texts_after(report, TextFilter(by="people"), cursor=-1, limit=3)
    everything = texts_after(report, TextFilter(by="people"), cursor=-1, limit=50)

    assert len(first.rows) == 3
    assert texts_after(report, TextFilter(by="people"), cursor=first.rows[1].number, limit=1).rows == first.rows[2:]
    assert (first.cursor, everything.cursor) == (first.rows[2].number, None)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> Report:
    """A report with a source in each part, of which two are read for an answer."""
    monkeypatch.setattr("edit_operations.kind.SOURCES_PER_PART", 1)
    monkeypatch.setattr("edit_operations.found_texts.PARTS_AT_ONCE", 2)
    return computed(released_with(varied()))


def stored_without_counts(report: Report) -> Report:
    """As an earlier version computed it."""
    return replace_pinned(report, {name: each for name, each in report.pinned.items() if name != "texts_of_parts"})


def replace_pinned(report: Report, pinned: dict[str, Any]) -> Report:
    Report.objects.filter(pk=report.pk).update(pinned=pinned)
    report.refresh_from_db()
    return report


@pytest.mark.parametrize("wanted", [TextFilter(), TextFilter(split="test"), TextFilter(corrected=True)])
@pytest.mark.parametrize("limit", [1, 2, 100])
def test_an_answer_reads_a_few_parts_and_says_where_to_go_on(
    in_parts: Report, wanted: TextFilter, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = texts_found(in_parts, wanted).texts
    reading = Mock(side_effect=AlignedSource.of)
    monkeypatch.setattr(AlignedSource, "of", reading)
    pages = [texts_after(in_parts, wanted, cursor=-1, limit=limit)]
    read = [reading.call_count]
    while (cursor := pages[-1].cursor) is not None:
        pages.append(texts_after(in_parts, wanted, cursor=cursor, limit=limit))
        read.append(reading.call_count - sum(read))

    assert [each for page in pages for each in page.rows] == whole
    assert max(read) == 2
    assert texts_after(stored_without_counts(in_parts), wanted, cursor=-1, limit=100).rows == whole


def test_a_list_reads_a_stretch_of_the_sources(in_parts: Report) -> None:
    numbers = [each.number for each in texts_found(in_parts).texts]
    stretches = [texts_found(in_parts, parts=range(begin, begin + 2)) for begin in range(0, len(varied()), 2)]

    assert sum(each.total for each in stretches) == len(numbers)
    assert [each.text for found in stretches for each in found.texts] == [
        each.text for each in texts_found(in_parts).texts
    ]


@pytest.mark.parametrize("sources", [1, 40])
def test_the_number_of_queries_is_fixed(sources: int, django_assert_num_queries: object) -> None:
    release = released_with([source_of(each, text_of("The men went home.", 2)) for each in range(sources)])
    report = computed(release)

    with django_assert_num_queries(2):  # type: ignore[operator]
        texts_found(report)


def test_texts_lead_to_the_pages_of_their_alignments() -> None:
    report = computed(freeze(judged_campaign(sources=2, editors=2)))

    found = texts_found(report).texts

    assert {each.target_id for each in found} == set(Target.objects.values_list("pk", flat=True))
