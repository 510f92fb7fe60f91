"""Judging on scales of the campaign's own, and two versions side by side."""

import csv
import re
from itertools import combinations
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from compressions.models import Pair, Target
from compressions.services.outputs import Output, outputs_add
from crowd.default_texts import translated_scales
from crowd.models import Assignment, Campaign, Item, Remark, Round, Stream
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.example_check import ExampleText
from ratings.models import Rating, Score
from ratings.selectors.rating_tasks import rating_summary
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace
from ratings.services.quality import quality_apply
from ratings.subjects import is_swapped
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    make_campaign,
    rate,
    rate_all,
    readable,
    submit_text,
    worker_client,
)
from tests.support.qualification import take_test

pytestmark = pytest.mark.django_db

LEASED = Assignment.State.LEASED
FIVE_POINTS = """Fluency: How well does it read?
5 Like a newspaper
4 Well
3 With a stumble
2 Badly
1 Not at all

Facts: Is it true?
2 Yes
1 No"""


def campaign_on(scales: str = FIVE_POINTS, *, texts: int = 1, **settings: Any) -> Campaign:
    """A campaign with its own scales, and so many texts, each of another source."""
    kept = scales_dump(scales_from_text(scales))
    options = {"gold_percent": 0, "editor_tasks": 99, "rater_tasks": 99, "editors_per_source": 1} | settings
    campaign = make_campaign(sources=texts, scales=kept, **options)
    author = enrol(campaign, EDIT, "author")
    for number in range(texts):
        submit_text(author, f"The committee agreed to repair bridge {number}.")
    return campaign


def task_of(client: Client) -> Assignment:
    """The task to which the way leads, by the pages."""
    address = client.post("/work/next/")["Location"]
    return Assignment.objects.select_related("item").get(pk=int(address.split("/")[3]))


def send(client: Client, task: Assignment, *, version: int = 0, **points: int) -> Any:
    chosen = {f"{scale}-{task.pk}": str(value) for scale, value in points.items()}
    return client.post(f"/work/rate/{task.pk}/", {"tasks": str(task.pk), f"version-{task.pk}": str(version), **chosen})


def stored(task: Assignment) -> dict[str, int]:
    return dict(Score.objects.filter(rating__assignment=task).values_list("scale", "value"))


# Five points


@pytest.mark.parametrize("fluency", [1, 2, 3, 4, 5])
def test_each_of_five_points_can_be_given(fluency: int) -> None:
    client = worker_client(campaign_on(), RATE)
    task = task_of(client)

    reply = send(client, task, fluency=fluency, facts=2)

    assert reply.status_code == 302
    assert stored(task) == {"fluency": fluency, "facts": 2}


@pytest.mark.parametrize("points", [{"fluency": 6, "facts": 1}, {"fluency": 0, "facts": 1}, {"fluency": 5, "facts": 3}])
def test_points_off_the_campaign_s_own_scales_are_refused(points: dict[str, int]) -> None:
    client = worker_client(campaign_on(), RATE)
    task = task_of(client)

    page = send(client, task, **points)

    assert page.status_code == 422
    assert "Answer “" in readable(page)
    assert not Rating.objects.exists()


def test_every_scale_of_the_campaign_wants_an_answer() -> None:
    client = worker_client(campaign_on(), RATE)
    task = task_of(client)

    page = send(client, task, fluency=4)

    assert page.status_code == 422
    assert f"#facts-{task.pk}" in readable(page)
    assert re.findall(r'name="(\w+)-\d+"\s+value="(\d)" checked', readable(page)) == [("fluency", "4")]


def test_scales_of_other_campaigns_are_not_asked_for_and_not_stored() -> None:
    client = worker_client(campaign_on(), RATE)
    task = task_of(client)

    send(client, task, fluency=4, facts=1, meaning=3, grammar=3)

    assert stored(task) == {"fluency": 4, "facts": 1}


def judged_on_five_points(texts: int = 5) -> Campaign:
    """Two raters who differ by one point of five, and one who is far off."""
    campaign = campaign_on(texts=texts)
    for name, fluency in (("ann", 5), ("ben", 4), ("cem", 1)):
        rater = enrol(campaign, RATE, name)
        while task := assignment_claim(enrolment=rater):
            rate(rater, task, fluency=fluency, facts=2)
    return campaign


def test_the_summary_counts_every_point_of_every_scale() -> None:
    summary = rating_summary(judged_on_five_points(texts=2))

    assert summary.count == 6
    assert summary.scales["fluency"].counts == {5: 2, 4: 2, 1: 2}
    assert summary.scales["fluency"].over_texts == pytest.approx(10 / 3)
    assert (summary.scales["facts"].over_ratings, summary.scales["facts"].counts) == (2.0, {2: 6})


def test_quality_compares_raters_on_scales_of_any_length() -> None:
    run = quality_apply(campaign=judged_on_five_points(), parameters=FilterParameters(share=0.4))

    raters = {each.worker.external_id: each for each in run.decisions.filter(round=RATE).select_related("worker")}
    assert [raters[name].removed for name in ("ann", "ben", "cem")] == [False, False, True]
    # On a range of 1 to 3 the points of the five are half a point apart: 5, 4 and 1 are 3, 2.5 and 1.
    assert raters["cem"].quality == pytest.approx(1.75 / 2)


def test_an_editor_s_quality_is_on_the_range_of_three_points() -> None:
    run = quality_apply(campaign=judged_on_five_points(), parameters=FilterParameters(share=0.0))

    (author,) = run.decisions.filter(round=EDIT)
    assert author.quality == pytest.approx(((3 + 2.5 + 1) / 3 + 3) / 2)


def test_agreement_is_computed_for_each_of_the_campaign_s_scales(capsys: pytest.CaptureFixture[str]) -> None:
    release = freeze(judged_on_five_points())

    call_command("report", release.name, "agreement", "--draws", "5")

    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["scale"] for row in rows} == {"fluency", "facts"}
    kappas = {row["scale"]: row for row in rows if row["measure"] == "kappa" and "worker versus" in row["comparison"]}
    assert kappas["fluency"]["items"] == "5"
    agreements = [float(row["value"]) for row in rows if row["measure"] == "agreement" and row["value"]]
    assert all(0 <= value <= 1 for value in agreements)


def test_a_release_tells_the_means_of_its_own_scales() -> None:
    summary = freeze(judged_on_five_points()).summary

    assert summary["mean_over_compressions"] == {"fluency": pytest.approx(10 / 3), "facts": 2.0}


def filled_in(page: Any, chosen: dict[str, str]) -> dict[str, list[str]]:
    """What a browser sends: all fields of the page, in their order; of radio buttons the chosen one."""
    sent: dict[str, list[str]] = {}
    form = readable(page).split('id="rating"', 1)[1].split("</form>", 1)[0]
    for tag in re.findall(r"<(?:input|textarea)[^>]*>", form):
        name, value = (re.search(rf'\b{each}="([^"]*)"', tag) for each in ("name", "value"))
        if name and ('type="radio"' not in tag or (value and chosen.get(name[1]) == value[1])):
            sent.setdefault(name[1], []).append(value[1] if value else "")
    return sent


@pytest.mark.parametrize("name", ["Fluency", "Comment", "Version", "Difference", "Milliseconds", "Tasks"])
def test_a_scale_may_have_any_name(name: str) -> None:
    """None may be taken for something else that the page sends."""
    campaign = campaign_on(f"{name}: How good is it?\n3 Good\n2 So so\n1 Bad")
    client = worker_client(campaign, RATE)
    task = task_of(client)
    (scale,) = campaign.rating_scales
    field = f"{scale.key}-{task.pk}"

    reply = client.post(f"/work/rate/{task.pk}/", filled_in(client.get(f"/work/rate/{task.pk}/"), {field: "1"}))

    assert reply.status_code == 302
    assert stored(task) == {scale.key: 1}
    assert Rating.objects.values_list("milliseconds", "difference_shown").get() == (None, False)
    assert not Remark.objects.exists()
    client.post(f"/work/rate/{task.pk}/", filled_in(client.get(f"/work/rate/{task.pk}/"), {field: "3"}))
    assert stored(task) == {scale.key: 3}


def test_the_test_is_taken_on_the_campaign_s_scales() -> None:
    campaign = campaign_on()
    example = ExampleText("A long original text.", "A text.", {"fluency": [4, 5], "facts": [2]}, "It reads well.")
    qualification_items_replace(campaign=campaign, examples=[example])
    client = worker_client(campaign, RATE)

    result = take_test(client, fluency=4, facts=2)

    assert "2 of 2 answers are the same as ours." in readable(result)


# Side by side

ONE, TWO, THREE, FOUR = "The committee met.", "The committee agreed.", "The bridge falls.", "The snow fell."


def compared(*texts: str, **settings: Any) -> Campaign:
    """A campaign with one source and these texts, by the editors editor-1, editor-2 and so on."""
    scales = scales_dump(scales_from_text("Style: Which reads better?\nFacts: Which is truer?", side_by_side=True))
    people: dict[str, Any] = {"editors_per_source": 9, "raters_per_compression": 25, "rater_tasks": 99}
    options = people | {"rating_task": "pair", "scales": scales, "gold_percent": 0}
    campaign = make_campaign(sources=1, **(options | settings))
    for number, text in enumerate(texts, start=1):
        submit_text(enrol(campaign, EDIT, f"editor-{number}"), text)
    return campaign


def pairs() -> set[tuple[str, str]]:
    return set(Pair.objects.values_list("first__text", "second__text"))


def texts_shown(page: Any) -> list[str]:
    return re.findall(r'<p class="reading version"[^>]*>(.*?)</p>', readable(page))


def clients_on_both_sides(campaign: Campaign) -> list[tuple[Client, Assignment]]:
    """Raters with a task, so many that some see the second text first."""
    found = [(client, task_of(client)) for client in (worker_client(campaign, RATE) for _ in range(24))]
    assert {is_swapped(task) for _, task in found} == {True, False}
    return found


def test_a_new_text_is_put_beside_all_earlier_ones_up_to_the_number_that_is_wanted() -> None:
    compared(ONE, TWO, THREE, pairs_per_compression=2)

    assert pairs() == set(combinations((ONE, TWO, THREE), 2))


@pytest.mark.parametrize(("wanted", "number"), [(1, 3), (2, 5), (3, 6), (20, 6)])
def test_no_text_is_put_beside_more_earlier_ones_than_wanted(wanted: int, number: int) -> None:
    compared(ONE, TWO, THREE, FOUR, pairs_per_compression=wanted)

    assert Pair.objects.count() == number
    for target in Target.objects.all():
        assert target.pairs_as_second.count() == min(wanted, Target.objects.filter(pk__lt=target.pk).count())


def test_texts_of_different_sources_are_never_compared() -> None:
    campaign = compared(ONE)
    second = make_campaign(sources=2)
    for name in ("ann", "ben"):
        submit_text(enrol(second, EDIT, name), TWO)

    assert not Pair.objects.exists()
    assert assignment_claim(enrolment=enrol(campaign, RATE)) is None


def test_the_same_text_again_makes_no_new_pair() -> None:
    compared(ONE, TWO, TWO)

    assert pairs() == {(ONE, TWO)}


def test_side_by_side_nothing_but_pairs_is_judged() -> None:
    campaign = compared(ONE, TWO, THREE)
    rater = enrol(campaign, RATE)

    while task := assignment_claim(enrolment=rater):
        rate(rater, task, style=2, facts=2)

    assert Rating.objects.count() == 3
    assert set(Rating.objects.values_list("pair_id", flat=True)) == set(Pair.objects.values_list("pk", flat=True))


def test_outputs_of_systems_are_compared_with_people_s_texts() -> None:
    campaign = compared(ONE)

    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "1", TWO)])

    assert pairs() == {(ONE, TWO)}
    assert Pair.objects.get().item.stream == Stream.SYSTEM


def test_the_page_shows_both_versions_and_the_original() -> None:
    campaign = compared(ONE, TWO)

    for client, task in clients_on_both_sides(campaign):
        page = client.get(f"/work/rate/{task.pk}/")
        assert texts_shown(page) == ([TWO, ONE] if is_swapped(task) else [ONE, TWO])
        assert campaign.sources.get().text in readable(page)
        assert all(
            words in readable(page) for words in ("Shortened text A", "Shortened text B", "A is better", "B is better")
        )


def test_a_page_opened_again_has_the_same_sides() -> None:
    for client, task in clients_on_both_sides(compared(ONE, TWO)):
        address = f"/work/rate/{task.pk}/"
        assert texts_shown(client.get(address)) == texts_shown(client.get(address))


@pytest.mark.parametrize(("shown", "kept", "kept_swapped"), [(1, 1, 3), (2, 2, 2), (3, 3, 1)])
def test_a_choice_is_stored_for_the_text_and_not_for_the_side(shown: int, kept: int, kept_swapped: int) -> None:
    for client, task in clients_on_both_sides(compared(ONE, TWO)):
        send(client, task, style=shown, facts=2)

        assert stored(task) == {"style": kept_swapped if is_swapped(task) else kept, "facts": 2}
        assert Rating.objects.get(assignment=task).is_swapped is is_swapped(task)


def choices_in(page: Any) -> list[tuple[str, str]]:
    return re.findall(r'name="(\w+)-\d+"\s+value="(\d)" checked', readable(page))


def test_a_choice_opened_again_stands_on_the_side_where_it_was_made() -> None:
    for client, task in clients_on_both_sides(compared(ONE, TWO)):
        send(client, task, style=1, facts=3)

        assert choices_in(client.get(f"/work/rate/{task.pk}/")) == [("style", "1"), ("facts", "3")]
        assert readable(client.get("/work/answers/")).count("A is better") == 1


def test_a_change_is_stored_for_the_text_too() -> None:
    for client, task in clients_on_both_sides(compared(ONE, TWO)):
        send(client, task, style=1, facts=2)
        send(client, task, version=1, style=3, facts=2)

        assert stored(task)["style"] == (1 if is_swapped(task) else 3)


def test_a_choice_without_the_other_comes_back_on_its_side() -> None:
    for client, task in clients_on_both_sides(compared(ONE, TWO)):
        page = send(client, task, style=3)

        assert page.status_code == 422
        assert choices_in(page) == [("style", "3")]


def test_gold_is_mixed_in_side_by_side_and_kept_by_the_text() -> None:
    campaign = compared(ONE, TWO, THREE, FOUR, pairs_per_compression=3, gold_percent=50)
    example = ExampleText("A long original text.", "Better.", {"style": [1], "facts": [1]}, "Clearly.", other="Worse.")
    gold_create(campaign=campaign, example=example)

    seen: set[bool] = set()
    while seen != {True, False}:
        client = worker_client(campaign, RATE)
        while (task := task_of(client)).item.stream != Stream.GOLD:
            send(client, task, style=2, facts=2)
        better = texts_shown(client.get(f"/work/rate/{task.pk}/")).index("Better.")
        send(client, task, style=(1, 3)[better], facts=(1, 3)[better])
        assert stored(task) == {"style": 1, "facts": 1}
        seen.add(is_swapped(task))


def test_the_authors_of_either_text_are_barred_from_the_pair() -> None:
    campaign = compared(ONE, TWO)

    assert assignment_claim(enrolment=enrol(campaign, RATE, "editor-1")) is None
    assert assignment_claim(enrolment=enrol(campaign, RATE, "editor-2")) is None
    assert assignment_claim(enrolment=enrol(campaign, RATE, "somebody")) is not None


def test_the_author_of_an_earlier_text_is_barred_from_its_later_pairs() -> None:
    campaign = compared(ONE, TWO, pairs_per_compression=3)
    for name, text in (("editor-3", THREE), ("editor-4", FOUR)):
        submit_text(enrol(campaign, EDIT, name), text)

    for number, own in enumerate((ONE, TWO, THREE, FOUR), start=1):
        rater = enrol(campaign, RATE, f"editor-{number}")
        while task := assignment_claim(enrolment=rater):
            rate(rater, task, style=2, facts=2)
        judged = Rating.objects.filter(worker=rater.worker).values_list("pair__first__text", "pair__second__text")
        assert len(judged) == 3
        assert not any(own in pair for pair in judged)


@pytest.mark.parametrize("text", [ONE, TWO])
def test_who_writes_one_of_two_texts_again_is_barred_from_their_pair(text: str) -> None:
    campaign = compared(ONE, TWO)

    submit_text(enrol(campaign, EDIT, "late"), text)

    assert assignment_claim(enrolment=enrol(campaign, RATE, "late")) is None


def test_who_wrote_a_text_again_is_barred_from_pairs_made_afterwards() -> None:
    campaign = compared(ONE, ONE, pairs_per_compression=3)

    submit_text(enrol(campaign, EDIT, "editor-3"), TWO)

    assert assignment_claim(enrolment=enrol(campaign, RATE, "editor-2")) is None


def test_who_compared_two_texts_does_not_write_another() -> None:
    campaign = compared(ONE, TWO)
    assert assignment_claim(enrolment=enrol(campaign, RATE, "ann")) is not None

    assert assignment_claim(enrolment=enrol(campaign, EDIT, "ann")) is None


@pytest.mark.parametrize(("choices", "number"), [((1, 3, 2), 5), ((1, 2, 2), 3), ((3, 3, 3), 3)])
def test_where_the_first_three_choose_differently_two_more_are_asked(choices: tuple[int, ...], number: int) -> None:
    campaign = compared(ONE, TWO, raters_per_compression=3, extra_raters=True)
    for choice in choices:
        rater = enrol(campaign, RATE)
        task = assignment_claim(enrolment=rater)
        assert task is not None
        rate(rater, task, style=choice, facts=2)

    more = 0
    while task := assignment_claim(enrolment=(rater := enrol(campaign, RATE))):
        rate(rater, task, style=2, facts=2)
        more += 1

    assert 3 + more == number


def test_the_summary_counts_comparisons() -> None:
    campaign = compared(ONE, TWO, raters_per_compression=2)
    for choice in (1, 3):
        rater = enrol(campaign, RATE)
        task = assignment_claim(enrolment=rater)
        assert task is not None
        rate(rater, task, style=choice, facts=2)

    summary = rating_summary(campaign)

    assert (summary.count, summary.scales["style"].counts) == (2, {1: 1, 3: 1})
    assert (summary.scales["style"].over_texts, summary.scales["style"].over_ratings) == (2.0, 2.0)
    assert freeze(campaign).summary["comparisons"] == 1


def test_about_half_of_the_tasks_have_the_sides_swapped() -> None:
    swapped = [is_swapped(Assignment(pk=number)) for number in range(1, 2001)]

    assert 0.45 < sum(swapped) / 2000 < 0.55
    assert swapped == [is_swapped(Assignment(pk=number)) for number in range(1, 2001)]


def test_where_one_text_is_judged_at_a_time_there_are_no_sides() -> None:
    campaign = campaign_on(texts=12)
    rater = enrol(campaign, RATE)
    while task := assignment_claim(enrolment=rater):
        rate(rater, task, fluency=3, facts=2)

    assert not Rating.objects.filter(is_swapped=True).exists()


def test_places_are_asked_for_pairs_and_not_for_single_texts() -> None:
    compared(ONE, TWO, raters_per_compression=4)

    items = Item.objects.filter(round=Round.RATE)
    assert set(items.filter(target__isnull=False).values_list("wanted", "open_slots")) == {(0, 0)}
    assert set(items.filter(pair__isnull=False).values_list("wanted", "open_slots")) == {(4, 4)}


def test_raters_who_come_to_an_unpaired_text_find_no_work() -> None:
    assert rate_all(enrol(compared(ONE), RATE)) == 0


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_the_published_points_are_said_in_plain_words_in_the_language_of_the_page(language: str) -> None:
    scales = scales_dump(translated_scales(language))
    campaign = make_campaign(sources=1, scales=scales, page_language="de", editors_per_source=1)
    submit_text(enrol(campaign, EDIT, "author"), "They agreed to repair it.")
    page = readable(worker_client(campaign, RATE).get("/work/", follow=True))
    for plain in ("Nichts Wichtiges fehlt.", "Wichtiges fehlt.", "Das Wesentliche fehlt.", "Kleine Fehler, aber klar."):
        assert plain in page


def test_points_in_a_campaign_s_own_words_stand_for_themselves() -> None:
    scales = "Meaning: How much is kept?\n3 Most important meaning\n2 Some meaning\n1 Little or none"
    page = readable(worker_client(campaign_on(scales), RATE).get("/work/", follow=True))
    assert "Some meaning" in page
    assert "Nothing important is missing." not in page
