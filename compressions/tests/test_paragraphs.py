"""Compressing paragraphs sentence by sentence, too."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.services.imports import source_import
from compressions.services.paragraphs import SLICE, paragraphs_divide
from crowd.models import Campaign, Item
from tests.support.factories import (
    EDIT,
    SENTENCE,
    edit_next,
    enrol,
    import_paragraphs,
    make_campaign,
    make_staff,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db


def with_paragraphs(*ids: str, **options: Any) -> Campaign:
    campaign = make_campaign(**options)
    import_paragraphs(campaign, ids)
    return campaign


def with_texts(**texts: str) -> Campaign:
    """A campaign with sources of one's own choice, by their ids."""
    campaign = make_campaign()
    rows = [{"id": each, "genre": "Letters", "text": text, "sentences": 2} for each, text in texts.items()]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True)
    return campaign


def address_of(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/paragraphs/"


def divide(campaign: Campaign, count: object = 100, seed: object = 1) -> Any:
    """By the page."""
    client = staff_client(campaign.staff.get())
    return client.post(address_of(campaign), {"count": count, "seed": seed}, follow=True)


def divided(campaign: Campaign) -> set[str]:
    """The ids of the paragraphs that are divided."""
    return set(campaign.sources.filter(own_sentences__isnull=False).values_list("source_id", flat=True))


def sentence_ids(campaign: Campaign) -> list[str]:
    return sorted(campaign.sources.exclude(paragraph=None).values_list("source_id", flat=True))


# What becomes of a paragraph


def test_each_sentence_becomes_a_source_of_its_paragraph() -> None:
    campaign = with_paragraphs("p", editors_per_source=3)

    page = divide(campaign)

    assert page.redirect_chain == [(address_of(campaign), 302)]
    assert "1 of 1 suitable paragraphs were divided." in readable(page)
    paragraph = campaign.sources.get(source_id="p")
    one, two = campaign.sources.exclude(source_id="p").order_by("source_id")
    assert [each.text for each in (one, two)] == [SENTENCE.format(number=number) for number in (1, 2)]
    assert f"{one.text} {two.text}" == paragraph.text
    for each in (one, two):
        assert (each.paragraph, each.genre, each.sentences) == (paragraph, "Letters", 1)
        assert (each.item.round, each.item.wanted, each.item.open_slots) == (EDIT, 3, 3)


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("101_102", ["101", "102"]),
        ("a_b", ["a", "b"]),
        ("101", ["101.1", "101.2"]),
        ("101_101", ["101_101.1", "101_101.2"]),
        ("101_", ["101_.1", "101_.2"]),
        ("101_..", ["101_...1", "101_...2"]),
        ("101_102_103", ["101_102_103.1", "101_102_103.2"]),
        ("p.1", ["p.1.1", "p.1.2"]),
    ],
)
def test_sentences_are_called_as_their_paragraph_says(paragraph: str, sentences: list[str]) -> None:
    campaign = with_paragraphs(paragraph)

    divide(campaign)

    assert sentence_ids(campaign) == sentences


@pytest.mark.parametrize("taken", ["1", "2"])
def test_where_an_id_is_taken_both_sentences_are_called_otherwise(taken: str) -> None:
    campaign = with_paragraphs("1_2", taken)

    divide(campaign)

    assert sentence_ids(campaign) == sorted(f"{each}.{number}" for each in ("1_2", taken) for number in (1, 2))


def test_a_paragraph_whose_ids_are_all_taken_is_left_alone() -> None:
    campaign = with_paragraphs("1_2", "1", "1_2.2")

    assert "2 of 2 suitable paragraphs were divided." in readable(divide(campaign))

    assert divided(campaign) == {"1", "1_2.2"}


def test_sentences_have_ids_that_an_import_would_take() -> None:
    campaign = with_paragraphs("a" * 98, "b" * 99, "c" * 100, f"1_{'d' * 98}")

    assert divide(campaign).status_code == 200

    assert divided(campaign) == {"a" * 98, f"1_{'d' * 98}"}
    assert max(map(len, sentence_ids(campaign))) == 100


def test_two_paragraphs_never_share_the_id_of_a_sentence() -> None:
    campaign = with_paragraphs("1_2", "2_3", "1_3")

    divide(campaign)

    assert divided(campaign) == {"1_2", "2_3", "1_3"}
    assert len(sentence_ids(campaign)) == 6
    assert Item.objects.filter(campaign=campaign).count() == 9


def test_only_paragraphs_of_two_long_sentences_are_divided() -> None:
    long, short = SENTENCE.format(number=1), "This one is far too short for it."
    campaign = with_texts(
        both=f"{long} {long}",
        first=f"{long} {short}",
        second=f"{short} {long}",
        three=f"{long} {long} {long}",
        one=long[:-1].replace(",", "") + " and " + long,
    )

    page = divide(campaign)

    assert "1 of 1 suitable paragraphs were divided." in readable(page)
    assert divided(campaign) == {"both"}


def test_the_campaign_says_how_long_a_sentence_has_to_be() -> None:
    campaign = with_paragraphs("p")
    words = len(SENTENCE.split())
    Campaign.objects.update(sentence_min_words=words + 1)

    page = readable(divide(campaign))
    assert "0 of 0 suitable paragraphs were divided." in page
    assert "A paragraph is suitable if it has two sentences, each of at least" in page

    Campaign.objects.update(sentence_min_words=words)
    assert "1 of 1 suitable" in readable(divide(campaign))


# The draw


def test_more_than_there_are_are_all() -> None:
    campaign = with_paragraphs(*"abc")

    assert "3 of 3 suitable paragraphs were divided." in readable(divide(campaign, count=1_000))

    assert divided(campaign) == set("abc")


def test_the_same_seed_draws_the_same_whatever_the_order_of_the_texts() -> None:
    ids = [f"p{number}" for number in range(20)]

    def drawn(order: list[str], seed: int) -> set[str]:
        campaign = with_paragraphs(*order)
        divide(campaign, count=5, seed=seed)
        return divided(campaign)

    assert len(drawn(ids, 1)) == 5
    assert drawn(ids, 1) == drawn(ids[::-1], 1)
    assert drawn(ids, 1) != drawn(ids, 2)


def test_a_second_draw_goes_on_with_the_rest() -> None:
    campaign = with_paragraphs(*"abcdef")
    divide(campaign, count=2)
    first = divided(campaign)
    before = list(campaign.sources.order_by("pk").values())

    page = divide(campaign, count=3)

    assert "3 of 4 suitable paragraphs were divided." in readable(page)
    assert first < divided(campaign)
    assert len(divided(campaign)) == 5
    assert list(campaign.sources.order_by("pk").values())[: len(before)] == before


def test_the_number_of_queries_does_not_depend_on_the_paragraphs_of_a_slice() -> None:
    def queries(count: int) -> int:
        campaign = with_paragraphs(*map(str, range(count)))
        with CaptureQueriesContext(connection) as captured:
            assert paragraphs_divide(campaign=campaign, count=count, seed=1).divided == count
        return len(captured)

    assert queries(2) == queries(SLICE)


# The page


@pytest.mark.parametrize(
    ("count", "seed"), [("", 1), (0, 1), (-1, 1), (100_001, 1), ("a", 1), (1, ""), (1, -1), (1, 2**31), (1.5, 1)]
)
def test_a_form_that_makes_no_sense_is_shown_again(count: object, seed: object) -> None:
    campaign = with_paragraphs("a")

    page = divide(campaign, count, seed)

    assert page.status_code == 422
    assert "Correct this first" in readable(page)
    assert divided(campaign) == set()


def test_what_was_written_of_the_whole_stands_beside_what_was_written_of_its_sentences() -> None:
    campaign = with_paragraphs("101_102", "9", owner=make_staff())
    whole = [edit_next(enrol(campaign, EDIT, "ann")) for _ in range(2)]
    divide(campaign, count=1)
    sentences = [edit_next(enrol(campaign, EDIT, "ben")) for _ in range(3)]

    page = readable(staff_client(campaign.staff.get()).get(address_of(campaign)))

    (paragraph,) = divided(campaign)
    shown = [each for each in [*whole, *sentences] if each and paragraph in (each.source.family, each.source.source_id)]
    assert 2 <= len(shown) < 5
    for compression in shown:
        link = f'/campaigns/{campaign.slug}/compressions/{compression.pk}/"'
        assert re.search(rf"{re.escape(link)}[^>]*>{re.escape(compression.text)}</a>", page)
    assert page.count("Nobody has compressed it yet.") == 3 - len({each.source_id for each in shown})
    assert "1 paragraph of two sentences is compressed only as a whole." in page


def test_the_page_takes_a_constant_number_of_queries() -> None:
    def queries(count: int) -> int:
        campaign = with_paragraphs(*map(str, range(count)), editor_tasks=100)
        divide(campaign)
        for name in ("ann", "ben"):
            while edit_next(enrol(campaign, EDIT, name)):
                pass
        client = staff_client(campaign.staff.get())
        with CaptureQueriesContext(connection) as captured:
            page = client.get(address_of(campaign))
        assert page.content.decode().count("<details>") == count
        return len(captured)

    assert queries(1) == queries(10)
