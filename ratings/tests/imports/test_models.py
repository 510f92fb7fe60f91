"""Ratings by models: a pool of their own, which counts for nothing that people's ratings are counted for."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crowd.models import AuditEntry, Campaign, Item, Worker
from ratings.models import ModelRater, ModelRating, Rating
from ratings.selectors.imported_ratings import last_model_rating, model_rating_counts, model_ratings_until
from ratings.selectors.rating_tasks import rating_summary
from ratings.services.model_ratings import model_ratings_delete
from ratings.tests.imports.files import add_outputs, counts, imported, line, output, with_outputs
from tests.support.factories import judged_campaign, make_staff

pytestmark = pytest.mark.django_db


def rows(campaign: Campaign) -> list[Any]:
    last = last_model_rating(campaign)
    return [] if last is None else list(model_ratings_until(campaign, last))


def test_a_model_may_give_numbers_between_the_points_and_rate_one_scale_only() -> None:
    campaign = with_outputs()
    given_lines = [line(rater="m-1", meaning=2.25, grammar=None), line(rater="m-2", meaning="1", grammar="2.5")]

    assert counts(imported(campaign, given_lines, "model")) == (2, 0, 0)

    assert rows(campaign) == [
        ("1", output("Alpha", 1), "m-1", {"meaning": 2.25}),
        ("1", output("Alpha", 1), "m-2", {"meaning": 1, "grammar": 2.5}),
    ]
    assert model_rating_counts(campaign) == [("m-1", 1), ("m-2", 1)]


def test_nothing_else_changes() -> None:
    campaign = judged_campaign(sources=2)
    add_outputs(campaign, "Echo", [output("Echo", 1)])
    before = [list(table.objects.order_by("pk").values()) for table in (Rating, Worker, Item)]
    summary = rating_summary(campaign)

    imported(campaign, [line("Echo", 1, "m-1")], "model")

    assert [list(table.objects.order_by("pk").values()) for table in (Rating, Worker, Item)] == before
    assert rating_summary(campaign) == summary


def test_the_same_numbers_are_known_and_others_refused_until_the_model_is_deleted() -> None:
    campaign = with_outputs()
    imported(campaign, [line(rater="m")], "model")

    record = imported(campaign, [line(rater="m", meaning="3.0"), line("Beta", rater="m")], "model")
    assert counts(record) == (1, 1, 0)
    other = imported(campaign, [line(rater="m", meaning=1)], "model")
    assert counts(other) == (0, 0, 1)
    assert other.problems[0][1].startswith("m has other numbers for this text. Import them under another name")

    owner = make_staff()
    assert model_ratings_delete(rater=ModelRater.objects.get(), user=owner) == 2
    assert not ModelRating.objects.exists()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.subject, entry.detail) == ("model ratings deleted", "m", "2 ratings")
    assert counts(imported(campaign, [line(rater="m", meaning=1)], "model")) == (1, 0, 0)


def test_a_model_that_is_gone_is_deleted_no_second_time() -> None:
    campaign = with_outputs()
    imported(campaign, [line(rater="m")], "model")
    rater = ModelRater.objects.get()
    model_ratings_delete(rater=rater, user=None)

    assert model_ratings_delete(rater=ModelRater(pk=999, campaign=campaign, name="m"), user=None) == 0
    assert AuditEntry.objects.filter(action="model ratings deleted").count() == 1


def test_ratings_after_a_mark_are_not_among_those_until_it() -> None:
    campaign = with_outputs()
    assert last_model_rating(campaign) is None
    imported(campaign, [line(rater="m")], "model")
    mark = last_model_rating(campaign)
    assert mark
    imported(campaign, [line("Beta", rater="m")], "model")
    imported(with_outputs(), [line(rater="m")], "model")

    assert [row[1] for row in model_ratings_until(campaign, mark)] == [output("Alpha", 1)]
    assert len(rows(campaign)) == 2


def test_queries_do_not_grow_with_the_lines() -> None:
    def queries(models: int, sources: int) -> int:
        campaign = with_outputs(sources=sources)
        given_lines = [line("Alpha", n, f"model {m}") for n in range(1, sources + 1) for m in range(models)]
        with CaptureQueriesContext(connection) as captured:
            assert imported(campaign, given_lines, "model").added == len(given_lines)
        with CaptureQueriesContext(connection) as read:
            assert len(rows(campaign)) == len(given_lines)
        assert len(read) == 2
        return len(captured)

    assert queries(2, 2) == queries(3, 8)


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from("ab"), st.floats(1, 3)), max_size=12), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_order_and_slices_the_first_line_of_a_text_and_model_counts(
    campaign: Campaign, found: list[tuple[int, str, float]], data: st.DataObject
) -> None:
    """The same lines in two files give what they give in one, and every line is added, known or refused."""
    ModelRater.objects.all().delete()
    lines = [line("Alpha", number, rater, value, None) for number, rater, value in found]
    cut = data.draw(st.integers(0, len(lines)))
    expected: dict[tuple[str, str], float] = {}
    for number, rater, value in found:
        expected.setdefault((str(number), rater), value)

    records = [imported(campaign, part, "model") for part in (lines[:cut], lines[cut:], lines)]

    assert {(row.source_id, row.rater): row.scores["meaning"] for row in rows(campaign)} == expected
    assert records[0].added + records[1].added == len(expected)
    assert records[2].added == 0
    assert sum(counts(records[2])) == len(lines)


@pytest.fixture
def campaign() -> Campaign:
    return with_outputs(sources=3)
