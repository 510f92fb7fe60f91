"""The handwritten statements say what the models say."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.db.models import Model
from django.db.models.functions import Coalesce

from common import inserts
from common.inserts import insert, insert_all, insert_unless_there, rows_insert
from common.sql import Columns, Statement
from compressions.models import Compression, Draft, Source, Start, Target, text_digest
from compressions.selectors.sources import editor_task
from compressions.services.outputs import Output, outputs_add
from compressions.services.targets import target_known
from crowd.models import Assignment, Campaign, Enrolment, Item, ItemConflict, Round, Stream
from crowd.selectors.work import own_counts, standing
from crowd.services.claim_statements import FIRST_AVAILABLE
from crowd.services.claims import assignment_claim
from crowd.services.items import items_create, items_insert
from crowd.services.leases import available_to
from crowd.sessions import CAMPAIGN as VISITED
from crowd.sessions import ENROLMENT, LINK, WORKER, enrolment_at_work
from ratings.models import GoldItem, Rating, RatingVersion, Score
from ratings.selectors.next_items import ANY_ITEM, GOLD, SOURCES_SEEN, WINDOW
from ratings.selectors.rating_tasks import rater_tasks
from ratings.services.experts import expert_sample_draw
from ratings.services.gold import gold_create
from ratings.subjects import RELATED, subject_of
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_all,
    edit_next,
    enrol,
    import_paragraphs,
    make_campaign,
    make_staff,
    rate_next,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
State = Assignment.State
PAIR = replace(EXAMPLE, other="The old mill by the river, which burnt down.")
UNFINISHED = (State.LEASED, State.EXPIRED)


def busy_campaign(**settings: Any) -> Campaign:
    """Two editors and two raters in the middle of it; outputs, gold, conflicts, expired, skipped and closed work."""
    limits = {"editors_per_source": 3, "raters_per_compression": 2, "editor_tasks": 99, "rater_tasks": 99}
    campaign = make_campaign(sources=4, **limits | {"gold_percent": 50, **settings})
    import_paragraphs(campaign, ["p1", "p2"])
    edit_all(campaign, 2)
    ids = Source.objects.filter(campaign=campaign).values_list("source_id", flat=True)
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, each, f"The output for {each}.") for each in ids])
    gold_create(campaign=campaign, example=PAIR if campaign.task.makes_pairs else EXAMPLE)
    for name in ("ada", "bob"):
        person = enrol(campaign, RATE, name)
        for _ in range(3):
            rate_next(person)
        assignment_claim(enrolment=person)
        edit_next(enrol(campaign, EDIT, name))
        assignment_claim(enrolment=enrol(campaign, EDIT, name))
    Assignment.objects.filter(pk=Assignment.objects.filter(state=State.LEASED).earliest("pk").pk).update(
        state=State.EXPIRED
    )
    Item.objects.filter(pk=Item.objects.filter(round=RATE, open_slots__gt=0).latest("pk").pk).update(is_closed=True)
    return campaign


def enrolments_of(campaign: Campaign) -> list[Enrolment]:
    newcomers = [enrol(campaign, each, "new") for each in (EDIT, RATE)]
    enrolments = Enrolment.objects.select_related("worker", "link__campaign").filter(worker__campaign=campaign)
    assert len(enrolments) > len(newcomers)
    return list(enrolments.order_by("pk"))


def available_by_the_models(enrolment: Enrolment, stream: str) -> list[int]:
    own = Assignment.objects.filter(worker=enrolment.worker)
    unfinished = own.filter(state__in=UNFINISHED).values("item")
    items = Item.objects.filter(campaign=enrolment.campaign, round=enrolment.round, stream=stream)
    items = items.filter(open_slots__gt=0, is_closed=False).exclude(pk__in=own.values("item"))
    items = items.exclude(pk__in=ItemConflict.objects.filter(blocks__in=unfinished).values("item"))
    return list(items.order_by("position", "pk").values_list("pk", flat=True))


def test_what_a_worker_may_have_is_what_the_models_say() -> None:
    campaign = busy_campaign()
    offered = Counter[str]()
    for enrolment in enrolments_of(campaign):
        for stream in Stream.values:
            parameters = available_to(enrolment, stream)
            expected = available_by_the_models(enrolment, stream)
            assert sorted(pk for pk, _ in GOLD.rows(**parameters) if pk) == sorted(expected)
            assert [tuple(row) for row in FIRST_AVAILABLE.rows(**parameters)] == [(pk,) for pk in expected[:1]]
            assert (ANY_ITEM.row(**parameters) is not None) == bool(expected)
            window = WINDOW.rows(**parameters, size=3)
            assert [pk for pk, _ in window] == expected[:3]
            assert {pk: source for pk, source in window if enrolment.round == RATE} == sources_by_the_models(
                expected[:3] if enrolment.round == RATE else []
            )
            offered[stream] += len(expected)
    assert all(offered[stream] for stream in (Stream.WORK, Stream.SYSTEM, Stream.GOLD))


def test_the_answers_of_gold_that_a_rater_may_have_and_has_had_are_what_the_models_say() -> None:
    campaign = busy_campaign()
    answers = dict(GoldItem.objects.values_list("item", "answers"))
    had_any = 0
    for enrolment in enrolments_of(campaign):
        rows = [(pk, json.loads(right)) for pk, right in GOLD.rows(**available_to(enrolment, Stream.GOLD))]
        had = Assignment.objects.filter(worker=enrolment.worker, item__stream=Stream.GOLD)
        given = had.filter(state__in=(State.LEASED, State.SUBMITTED)).values_list("item", flat=True)
        expected = [(pk, answers[pk]) for pk in available_by_the_models(enrolment, Stream.GOLD)]
        assert sorted(rows, key=str) == sorted([*expected, *((None, answers[pk]) for pk in given)], key=str)
        had_any += len(given)
    assert had_any


def sources_by_the_models(items: list[int]) -> dict[int, int | None]:
    of_text = Coalesce("target__source_id", "pair__first__source_id", "expert_item__target__source_id")
    return dict(Item.objects.filter(pk__in=items).annotate(found=of_text).values_list("pk", "found"))


@pytest.mark.parametrize("rating_task", ["single", "pair"])
def test_the_sources_that_a_rater_has_seen_are_counted_as_the_models_count(rating_task: str) -> None:
    counted = 0
    for enrolment in enrolments_of(busy_campaign(rating_task=rating_task)):
        own = Assignment.objects.filter(worker=enrolment.worker, round=enrolment.round)
        had = own.filter(state__in=(*UNFINISHED, State.SUBMITTED)).exclude(item__stream=Stream.GOLD)
        expected = Counter(sources_by_the_models(list(had.values_list("item", flat=True))).values())
        found = SOURCES_SEEN.rows(worker=enrolment.worker_id, round=enrolment.round)
        if enrolment.round == RATE:
            assert sorted((source, number) for source, number, _ in found) == sorted(expected.items())
            assert max((latest for *_, latest in found), default=None) == max(
                had.values_list("pk", flat=True), default=None
            )
            counted += len(expected)
    assert counted


def test_own_counts_are_what_the_models_count() -> None:
    for enrolment in enrolments_of(busy_campaign()):
        own = Assignment.objects.filter(worker=enrolment.worker)
        counts, done = own_counts(enrolment), own.filter(state=State.SUBMITTED, round=enrolment.round)
        assert counts.unfinished == own.filter(state__in=UNFINISHED).count()
        assert counts.submitted == done.count()
        assert counts.by_link == done.filter(link=enrolment.link).count() == standing(enrolment).submitted


def test_a_visit_is_what_the_models_say() -> None:
    for expected in enrolments_of(busy_campaign()):
        found = enrolment_at_work(expected.pk)
        assert found is not None
        pairs: list[tuple[Model, Model, Columns[Any]]] = [(found, expected, ENROLMENT)]
        pairs += [(found.worker, expected.worker, WORKER)]
        pairs += [(found.link, expected.link, LINK), (found.campaign, expected.campaign, VISITED)]
        for one, other, columns in pairs:
            assert one == other
            assert values_of(one, columns.names) == values_of(other, columns.names)
            assert not one.get_deferred_fields() & set(columns.names)
        assert found.worker.campaign == found.campaign
        assert found.campaign.consent == expected.campaign.consent  # not selected, fetched when asked for


def values_of(instance: Model, names: list[str]) -> dict[str, object]:
    return {name: getattr(instance, name) for name in names}


def test_every_setting_but_the_long_texts_comes_with_a_visit() -> None:
    """A campaign's new setting belongs into the statement, unless pages can do without it."""
    long = {"consent", "editor_guidelines", "sentence_examples", "paragraph_examples", "rater_guidelines"}
    described = {"description", "licence", "homepage", "created_at", "primary_metric", "hypothesis"}
    described |= {"task_settings", "planned_analysis", "arms_seed"}  # of judgement tasks and arms: pages read none
    fields = {field.attname for field in Campaign._meta.concrete_fields}
    assert set(VISITED.names) == fields - long - described


def test_there_is_no_visit_of_somebody_who_was_erased_or_never_came() -> None:
    enrolment = enrol(make_campaign(), EDIT, "ada")
    enrolment.worker.external_id = ""
    enrolment.worker.erased_at = datetime.now(UTC)
    enrolment.worker.save()
    assert enrolment_at_work(enrolment.pk) is None
    assert enrolment_at_work(enrolment.pk + 1) is None


def test_an_editors_task_is_what_the_models_say() -> None:
    campaign = busy_campaign()
    drafted = Assignment.objects.filter(round=EDIT, state=State.SUBMITTED).earliest("pk")
    Draft.objects.create(
        assignment=drafted,
        page="a",
        sequence=1,
        started_from=Start.SOURCE,
        edit_log=[],
        size=9,
        saved_at=datetime.now(UTC),
    )
    tasks = Assignment.objects.filter(round=EDIT, worker__campaign=campaign).exclude(state=State.BLOCKED)
    for expected in tasks.select_related("item__source"):
        task = editor_task(Enrolment.objects.get(worker=expected.worker, round=EDIT), expected.pk)
        assert same_row(task.assignment, expected)
        assert (task.source, task.source.text) == (expected.item.source, expected.item.source.text)
        assert task.has_drafts == (expected == drafted)
        assert task.submitted == tasks.filter(worker=expected.worker, state=State.SUBMITTED).count()
    assert len(tasks) > 4


def same_row(one: Model, other: Model) -> bool:
    names = [field.attname for field in other._meta.concrete_fields]
    return values_of(one, names) == values_of(other, names)


@pytest.mark.parametrize("rating_task", ["single", "pair"])
def test_a_raters_task_is_what_the_models_say(rating_task: str) -> None:
    campaign = busy_campaign(rating_task=rating_task)
    kinds = Counter[str]()
    tasks = Assignment.objects.filter(round=RATE, worker__campaign=campaign).exclude(state=State.BLOCKED)
    for expected in tasks.select_related(*RELATED):
        enrolment = Enrolment.objects.get(worker=expected.worker, round=RATE)
        requested, page = rater_tasks(enrolment, expected.pk)
        subject = subject_of(expected)
        assert same_row(requested.assignment, expected)
        assert requested.subject == subject
        assert [target.text for target in requested.subject.targets] == [target.text for target in subject.targets]
        leased = tasks.filter(worker=expected.worker, state=State.LEASED).order_by("page_position")
        assert [each.assignment for each in page] == list(leased)
        assert requested.submitted == tasks.filter(worker=expected.worker, state=State.SUBMITTED).count()
        kinds["gold" if subject.gold else "pair" if subject.pair else "single"] += 1
    assert set(kinds) == {"gold", rating_task}


def test_an_experts_task_is_what_the_models_say() -> None:
    campaign = busy_campaign()
    expert_sample_draw(campaign=campaign, size=2, seed=1, experts=1, user=make_staff())
    expert = enrol(campaign, Round.EXPERT, "zoe")
    assignment = assignment_claim(enrolment=expert)
    assert assignment is not None
    requested, page = rater_tasks(expert, assignment.pk)
    assert requested.subject == subject_of(Assignment.objects.get(pk=assignment.pk))
    assert page == [requested]


def test_a_known_text_is_found_with_its_item() -> None:
    campaign = busy_campaign()
    target = Target.objects.filter(source__campaign=campaign).select_related("item", "source").latest("pk")
    found = target_known(source=target.source, text=target.text)
    assert found is not None
    assert same_row(found, target)
    assert target_known(source=target.source, text=f"{target.text} And more.") is None


def test_an_inserted_row_is_the_row_that_the_models_would_save() -> None:
    campaign = busy_campaign()
    for model in (Item, Assignment, Target, Compression, Rating, RatingVersion):
        of_campaign = model._default_manager.order_by("pk").last()
        assert of_campaign is not None, model
        saved = {f.attname: getattr(of_campaign, f.attname) for f in model._meta.concrete_fields if not f.primary_key}
        delete_quietly(of_campaign)
        again = model(**saved)
        insert(again)
        assert again.pk is not None
        assert not again._state.adding
        assert same_row(model._default_manager.get(pk=again.pk), again)
        assert values_of(model._default_manager.get(pk=again.pk), list(saved)) == saved
    assert campaign.pk


def test_rows_are_inserted_as_the_models_would_save_them_and_told_in_their_order() -> None:
    campaign, other = make_campaign(), make_campaign(sources=1)
    number = 2 * inserts.ROWS + 1
    items = [item.pk for item in Item.objects.bulk_create(a_new_item(campaign) for _ in range(number))]
    rows = [(f"s{each}", f"\u00dc{each}", each % 2 + 1, item) for each, item in enumerate(items)]
    columns = ("source_id", "text", "sentences", "item_id")

    created = rows_insert(Source, columns, rows, same={"campaign_id": campaign.pk, "genre": "News"})

    found = Source.objects.in_bulk(created)
    assert [tuple(getattr(found[pk], name) for name in columns) for pk in created] == rows
    with_item = Source(campaign=campaign, source_id="x", text="x", genre="News", sentences=1, item=a_new_item(campaign))
    with_item.item.save()
    with_item.save()
    varied = {"id", *columns}
    others = [field.attname for field in Source._meta.concrete_fields if field.attname not in varied]
    assert {tuple(values_of(each, others).items()) for each in found.values()} == {
        tuple(values_of(with_item, others).items())
    }
    assert other.sources.count() == 1
    assert rows_insert(Source, columns, [], same={}) == []


def test_many_items_are_those_that_are_made_one_by_one() -> None:
    campaign = make_campaign(editors_per_source=4)
    fast = items_insert(campaign=campaign, work_round=EDIT, count=3, rng=Random(1))
    slow = items_create(campaign=campaign, work_round=EDIT, count=3, rng=Random(1))
    names = [field.attname for field in Item._meta.concrete_fields if not field.primary_key]
    found = Item.objects.in_bulk(fast)
    assert [values_of(found[pk], names) for pk in fast] == [values_of(item, names) for item in slow]


def a_new_item(campaign: Campaign) -> Item:
    return Item(campaign=campaign, round=EDIT, position=1, wanted=1, open_slots=1)


def delete_quietly(instance: Model) -> None:
    """Delete a row and what refers to it, as far as the models let that happen by themselves."""
    for relation in instance._meta.related_objects:
        for each in relation.related_model._default_manager.filter(**{relation.field.name: instance}):
            delete_quietly(each)
    instance.delete()


def test_several_rows_are_inserted_at_once_and_a_taken_place_is_left_alone() -> None:
    busy_campaign()
    rating = Rating.objects.latest("pk")
    Score.objects.filter(rating=rating).delete()
    insert_all([Score(rating=rating, scale=scale, value=2) for scale in ("meaning", "grammar")])
    assert list(rating.scores.order_by("pk").values_list("scale", "value")) == [("meaning", 2), ("grammar", 2)]
    again = Score(rating=rating, scale="meaning", value=3)
    assert not insert_unless_there(again)
    assert again.pk is None
    other = Score(rating=rating, scale="clarity", value=3)
    assert insert_unless_there(other)
    assert Score.objects.get(pk=other.pk).value == 3


def test_columns_that_a_model_does_not_have_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="colour"):
        Columns(Target, "t", "id colour")
    with pytest.raises(ValueError, match="primary key"):
        Columns(Target, "t", "text")


def test_a_statement_tells_how_many_rows_it_wrote() -> None:
    target = Target.objects.get(pk=edit_once().target_id)
    renamed = Statement("UPDATE compressions_target SET digest = %(digest)s WHERE id = %(target)s")
    assert renamed.run(target=target.pk, digest=text_digest("another")) == 1
    assert renamed.run(target=target.pk + 1, digest=text_digest("another")) == 0


def edit_once() -> Compression:
    compression = edit_next(enrol(make_campaign(sources=1), EDIT))
    assert compression is not None
    return compression
