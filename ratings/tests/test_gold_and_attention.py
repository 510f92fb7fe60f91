"""Gold items and flags: what staff learn of raters' attention, and that raters learn nothing of it."""

import csv
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import scipy
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common.clock import database_now
from crowd.models import Assignment, Campaign, Enrolment, Item, Stream, Worker
from crowd.services.claims import assignment_claim
from crowd.services.remarks import task_skip
from ratings.models import GoldItem, Rating
from ratings.selectors.gold import GoldStanding
from ratings.services.exclusions import person_exclude
from ratings.services.gold import gold_create, gold_retire
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    lease_run_out,
    link_of,
    make_campaign,
    rate,
    rate_all,
    rate_next,
    readable,
    staff_client,
    submit_text,
    worker_client,
)
from tests.support.page_tokens import without_tokens
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
SECRET = "Only staff know why this one is right."
GOLD = replace(EXAMPLE, answers={"meaning": [2, 3], "grammar": [3]}, why=SECRET)
Points = tuple[int, int]
RIGHT, HALF, WRONG = (3, 3), (1, 3), (1, 1)


def golden(items: int = 5, texts: int = 10, **settings: Any) -> Campaign:
    """A campaign where every second task may be gold."""
    people = {"editors_per_source": 1, "editor_tasks": texts, "rater_tasks": 99, "raters_per_compression": 9}
    campaign = make_campaign(sources=texts, **({"gold_percent": 50} | people | settings))
    edit_all(campaign, 1)
    for number in range(items):
        gold_create(campaign=campaign, example=replace(GOLD, compression=f"Mill {number} burnt down."))
    return campaign


def rate_gold(campaign: Campaign, *points: Points, name: str = "ann") -> Enrolment:
    """Judge until so many gold items have had these points; texts are judged 3 and 3."""
    rater, left = enrol(campaign, RATE, name), list(points)
    while left:
        task = assignment_claim(enrolment=rater)
        assert task is not None
        meaning, grammar = left.pop(0) if task.item.stream == Stream.GOLD else (3, 3)
        rate(rater, task, meaning=meaning, grammar=grammar)
    return rater


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def raters_page(campaign: Campaign) -> str:
    return readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/participants/rate/"))


def raters_table(campaign: Campaign) -> list[dict[str, str]]:
    answer: Any = staff_of(campaign).get(f"/campaigns/{campaign.slug}/participants/rate.csv")
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    return list(csv.DictReader(lines))


def number_of(rater: Enrolment) -> str:
    return str(rater.worker.number)


# Agreement with gold


@pytest.mark.parametrize(("points", "agreement"), [((3, 3), "1.0"), ((2, 3), "1.0"), ((1, 3), "0.5"), ((1, 1), "0.0")])
def test_each_accepted_answer_counts_as_right(points: Points, agreement: str) -> None:
    campaign = golden(items=1, texts=3)

    rate_gold(campaign, points)

    (row,) = raters_table(campaign)
    assert (row["gold_items"], row["gold_accuracy"]) == ("1", agreement)


def test_without_gold_there_is_no_agreement_with_it() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 3),))

    (row,) = raters_table(campaign)

    assert (row["submitted"], row["gold_items"], row["gold_accuracy"]) == ("1", "0", "")
    assert "–" in raters_page(campaign)


def test_gold_is_among_the_tasks_submitted_and_counted_beside_them() -> None:
    campaign = golden(items=2, texts=6)
    rater = rate_gold(campaign, RIGHT, RIGHT)

    (row,) = raters_table(campaign)

    submitted = Rating.objects.filter(worker=rater.worker).count()
    assert (row["participant"], row["submitted"], row["gold_items"]) == (number_of(rater), str(submitted), "2")


@pytest.mark.parametrize(("items", "is_warned"), [(3, False), (4, True)])
def test_staff_are_warned_from_the_fourth_gold_item_on(items: int, is_warned: bool) -> None:
    campaign = golden()

    rate_gold(campaign, *[WRONG] * items)

    assert ("<strong>low</strong>" in raters_page(campaign)) is is_warned


@pytest.mark.parametrize(("percent", "is_warned"), [(62, False), (63, True), (0, False), (100, True)])
def test_staff_are_warned_below_the_campaign_s_percentage(percent: int, is_warned: bool) -> None:
    """Five of eight answers are 62.5%."""
    campaign = golden(gold_warn_percent=percent)

    rate_gold(campaign, RIGHT, HALF, HALF, HALF)

    page = raters_page(campaign)
    assert "62%" in page
    assert ("<strong>low</strong>" in page) is is_warned


def test_just_as_much_as_the_percentage_is_enough() -> None:
    campaign = golden(gold_warn_percent=50)

    rate_gold(campaign, HALF, HALF, HALF, HALF)

    assert "low</strong>" not in raters_page(campaign)


def test_who_is_low_on_gold_stands_first() -> None:
    campaign = golden()
    good, poor = (rate_gold(campaign, *[points] * 4, name=name) for name, points in (("good", RIGHT), ("poor", WRONG)))

    assert [row["participant"] for row in raters_table(campaign)] == [number_of(poor), number_of(good)]


def test_a_corrected_answer_to_gold_counts_as_it_is_now() -> None:
    campaign = golden(items=1, texts=3)
    rater = rate_gold(campaign, WRONG)
    rating = Rating.objects.exclude(gold=None).get()
    assert rating.assignment is not None

    rate(rater, rating.assignment, known_version=1, meaning=3, grammar=3)

    assert raters_table(campaign)[0]["gold_accuracy"] == "1.0"


def test_staff_see_how_a_gold_item_fares() -> None:
    campaign = golden(items=1, texts=4)
    for name, points in (("ann", RIGHT), ("ben", WRONG)):
        rate_gold(campaign, points, name=name)

    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/examples/"))

    assert "Answered by 2 raters; 50% of the answers are right." in page
    assert "meaning 2 or 3" in page


@pytest.mark.parametrize(
    ("missed", "unflagged", "is_doubtful"),
    [(4, 4, False), (2, 5, False), (3, 5, True), (3, 9, False), (4, 9, True), (20, 100, False), (22, 100, True)],
)
def test_a_gold_item_is_doubtful_where_surely_more_than_15_percent_miss_it(
    missed: int, unflagged: int, is_doubtful: bool
) -> None:
    """The counts at which the one-sided 95% interval of Clopper and Pearson begins above .15."""
    standing = GoldStanding(GoldItem(), unflagged, 0, unflagged, unflagged, missed)
    lower = scipy.stats.beta.ppf(0.05, missed, unflagged - missed + 1)
    assert bool(lower > 0.15 and unflagged >= 5) is is_doubtful
    assert standing.is_doubtful is is_doubtful


def test_staff_are_warned_of_a_gold_item_that_raters_without_a_flag_miss() -> None:
    campaign = golden(items=1, texts=6)
    names = ["ann", "ben", "cem", "dan", "eva", "fay", "gus"]
    for number, name in enumerate(names):
        rate_gold(campaign, HALF if number < 3 else RIGHT, name=name)
    warning = "3 of the {} raters without a flag missed it"
    address = f"/campaigns/{campaign.slug}/examples/"
    assert "without a flag" not in readable(staff_of(campaign).get(address))  # 3 of 7 are not surely more

    worker = Worker.objects.get(enrolments__round=RATE, external_id="gus")
    person_exclude(worker=worker, work_round=RATE, note="a test", user=None)

    page = " ".join(readable(staff_of(campaign).get(address)).split())
    assert warning.format(6) in page


# Gold items come and go by pages


def gold_form(**changes: Any) -> dict[str, Any]:
    texts = {"source": GOLD.source, "compression": GOLD.compression, "why": SECRET}
    return {**texts, "answers-meaning": ["2", "3"], "answers-grammar": ["3"], **changes}


def test_staff_mix_a_gold_item_into_the_work() -> None:
    campaign = make_campaign()

    reply = staff_of(campaign).post(f"/campaigns/{campaign.slug}/gold/new/", gold_form())

    gold = GoldItem.objects.get(item__campaign=campaign)
    assert reply["Location"] == f"/campaigns/{campaign.slug}/examples/"
    assert gold.answers == {"meaning": [2, 3], "grammar": [3]}
    assert gold.item.stream == Stream.GOLD


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answers-grammar": []}, "Choose at least one answer that is right."),
        ({"answers-grammar": ["4"]}, "4 is not one of the available choices."),
        ({"source": "  "}, "This field is required."),
    ],
)
def test_a_gold_item_that_cannot_be_judged_is_refused(changes: dict[str, Any], reason: str) -> None:
    campaign = make_campaign()

    page = staff_of(campaign).post(f"/campaigns/{campaign.slug}/gold/new/", gold_form(**changes))

    assert page.status_code == 422
    assert reason in readable(page)
    assert not Item.objects.filter(campaign=campaign).exists()


def gold_met(rater: Enrolment) -> bool:
    rate_all(rater)
    return Rating.objects.filter(worker=rater.worker).exclude(gold=None).exists()


def test_a_retired_gold_item_is_given_to_nobody_else() -> None:
    campaign = golden(items=1, texts=4)
    rater = rate_gold(campaign, WRONG)
    gold = GoldItem.objects.get()

    staff_of(campaign).post(f"/campaigns/{campaign.slug}/gold/{gold.pk}/retire/")

    assert not gold_met(enrol(campaign, RATE))
    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/examples/"))
    assert "Retired: no other rater is given it." in page
    assert {row["participant"] for row in raters_table(campaign) if row["gold_items"] == "1"} == {number_of(rater)}


def let_it_run_out(_rater: Enrolment, task: Assignment) -> None:
    lease_run_out(task)


def say_one_cannot_judge(rater: Enrolment, task: Assignment) -> None:
    task_skip(enrolment=rater, assignment_id=task.pk, reason="unclear", text="")


def judge_and_be_excluded(rater: Enrolment, task: Assignment) -> None:
    rate(rater, task, meaning=1, grammar=1)
    person_exclude(worker=rater.worker, work_round=RATE, note="clicks through", user=None)


@pytest.mark.parametrize("give_back", [let_it_run_out, say_one_cannot_judge, judge_and_be_excluded])
def test_a_retired_gold_item_that_somebody_gives_back_stays_retired(
    give_back: Callable[[Enrolment, Assignment], None],
) -> None:
    campaign = golden(items=1, texts=4)
    rater = enrol(campaign, RATE, "ann")
    task = gold_task(rater)

    gold_retire(gold=GoldItem.objects.get())
    give_back(rater, task)

    assert not any(gold_met(enrol(campaign, RATE)) for _ in range(2))


def gold_task(rater: Enrolment) -> Assignment:
    """Judge until the next task is a gold item."""
    while (task := assignment_claim(enrolment=rater)) and task.item.stream != Stream.GOLD:
        rate(rater, task, meaning=3, grammar=3)
    assert task is not None
    return task


def test_a_gold_item_that_somebody_let_run_out_is_no_work_for_who_comes() -> None:
    campaign = golden(items=1, texts=3, raters_per_compression=1)
    task = gold_task(enrol(campaign, RATE, "ann"))
    rate_all(enrol(campaign, RATE, "ben"))
    lease_run_out(task)
    link = link_of(campaign, RATE)

    page = Client().get(f"/join/{link.token}/?participant=cem", follow=True)

    assert link.code_no_work in readable(page)


# What raters see


def page_of(rater: Client, *, gold: bool) -> tuple[Assignment, Any]:
    """Judge by the pages until the next task is a gold item, or none, after one answer at least."""
    while True:
        address = rater.post("/work/next/")["Location"]
        task = Assignment.objects.select_related("item").get(pk=int(address.split("/")[3]))
        if (task.item.stream == Stream.GOLD) is gold and Rating.objects.filter(worker=task.worker).exists():
            return task, rater.get(address)
        send(rater, task)


def send(rater: Client, task: Assignment, points: Points = (3, 3), **beside: str) -> Any:
    chosen = {f"meaning-{task.pk}": str(points[0]), f"grammar-{task.pk}": str(points[1])}
    return rater.post(f"/work/rate/{task.pk}/", {"tasks": str(task.pk), **chosen, **beside})


def tells_nothing(page: Any) -> bool:
    text = readable(page).lower()
    return "gold" not in text and SECRET.lower() not in text and "accepted" not in text


def test_no_page_of_a_rater_says_what_is_gold_or_what_is_right() -> None:
    campaign = golden(items=3, texts=6)
    rater = worker_client(campaign, RATE, "ann")

    task, page = page_of(rater, gold=True)
    incomplete = rater.post(f"/work/rate/{task.pk}/", {"tasks": str(task.pk)})
    assert incomplete.status_code == 422
    sent = rater.post(
        f"/work/rate/{task.pk}/",
        {"tasks": str(task.pk), f"meaning-{task.pk}": "1", f"grammar-{task.pk}": "1"},
        headers={"Accept": "application/json"},
    )
    corrected = rater.get(f"/work/rate/{task.pk}/")

    assert "checked" not in readable(page)
    assert set(sent.json()) == {"next"}
    assert all(tells_nothing(each) for each in (page, incomplete, sent, corrected, rater.get("/work/answers/")))
    while rater.post("/work/next/")["Location"] != "/work/done/":
        send(rater, page_of(rater, gold=False)[0])
    assert all(tells_nothing(rater.get(each)) for each in ("/work/done/", "/work/answers/"))


def skeleton(task: Assignment, page: Any) -> str:
    """A page without the texts, and without what differs between any two pages."""
    text = re.sub(r'<p class="reading[^<]*</p>|(?i:text) \d+ (?:of 99|saved)', "", readable(page))
    return without_tokens(re.sub(rf"\b{task.pk}\b", "n", text))


def test_but_for_its_texts_the_page_of_a_gold_item_is_that_of_any_text() -> None:
    campaign = golden(items=3, texts=6)
    rater = worker_client(campaign, RATE, "ann")

    pages = [skeleton(*page_of(rater, gold=gold)) for gold in (True, False)]

    assert len(pages[0]) > 1000
    assert pages[0] == pages[1]


def test_gold_is_in_no_release() -> None:
    campaign = golden(items=2, texts=4)
    rate_gold(campaign, WRONG, WRONG)

    release = freeze(campaign)

    files = [file.read_bytes() for file in release_folder(release).rglob("*.*") if file.is_file()]
    assert not any(b"burnt down" in data or SECRET.encode() in data for data in files)
    assert release.summary["ratings"] == Rating.objects.filter(gold=None).count()


# Flags


def straight_liner(*, texts: int, otherwise: int) -> Campaign:
    """A rater who says 3 and 3 of everything, and one who says 1 of some of it."""
    campaign = make_campaign(sources=texts, editors_per_source=1, editor_tasks=texts, rater_tasks=texts, gold_percent=0)
    author = enrol(campaign, EDIT)
    for number in range(texts):
        submit_text(author, f"The committee agreed to repair bridge {number}.")
    rate_all(enrol(campaign, RATE, "straight"))
    other = enrol(campaign, RATE, "careful")
    for number in range(texts):
        point = 1 if number < otherwise else 3
        rate_next(other, point, 3)
    return campaign


def test_twenty_equal_answers_in_a_row_where_others_saw_differences_are_flagged() -> None:
    campaign = straight_liner(texts=20, otherwise=6)

    evidence = "the same answer (3, 3) to 20 texts in a row, 1 to 20; others rated 20 of these and judged 6 otherwise"
    assert evidence in raters_page(campaign)
    flagged = [row for row in raters_table(campaign) if row["flags"] == "1"]
    assert [row["evidence"] for row in flagged] == [evidence]


@pytest.mark.parametrize(("texts", "otherwise"), [(20, 5), (19, 9)])
def test_shorter_runs_and_those_that_others_agree_with_are_not(texts: int, otherwise: int) -> None:
    campaign = straight_liner(texts=texts, otherwise=otherwise)

    assert "in a row" not in raters_page(campaign)


def rate_in(campaign: Campaign, milliseconds: str, *, texts: int = 5, seconds_since: int = 0) -> None:
    """Judge by the pages, which say how long each answer took."""
    rater = worker_client(campaign, RATE, "ann")
    for _ in range(texts):
        task = Assignment.objects.get(pk=int(rater.post("/work/next/")["Location"].split("/")[3]))
        assert task.leased_at is not None
        task.leased_at -= timedelta(seconds=seconds_since)
        task.save()
        send(rater, task, RIGHT, **{f"milliseconds-{task.pk}": milliseconds})


def test_answers_quicker_than_one_can_read_are_flagged() -> None:
    campaign = golden(items=0, texts=6)

    rate_in(campaign, "900", seconds_since=60)

    page = raters_page(campaign)
    assert "5 of 5 texts with a known time answered at more than 12 words a second" in page
    assert raters_table(campaign)[0]["flags"] == "1"


def test_answers_after_some_thought_are_not_flagged() -> None:
    campaign = golden(items=0, texts=6)

    rate_in(campaign, "20000", seconds_since=60)

    assert set(Rating.objects.values_list("milliseconds", flat=True)) == {20_000}
    assert raters_table(campaign)[0]["flags"] == "0"


def test_a_time_that_the_server_s_clock_does_not_bear_out_is_not_believed() -> None:
    campaign = golden(items=0, texts=6)

    rate_in(campaign, "3600000", seconds_since=1)

    times = Rating.objects.values_list("milliseconds", flat=True)
    assert all(time is not None and 1000 <= time < 60_000 for time in times)


NO_TIMES = ["", "-5", "soon", "1e3", "²"]


@pytest.mark.parametrize("milliseconds", NO_TIMES)
def test_without_a_time_of_the_page_the_server_s_clock_tells_who_is_too_fast(milliseconds: str) -> None:
    campaign = golden(items=0, texts=6)

    rate_in(campaign, milliseconds)

    assert set(Rating.objects.values_list("milliseconds", flat=True)) == {None}
    assert "5 of 5 texts with a known time answered at more than 12 words a second" in raters_page(campaign)


def test_without_a_time_of_the_page_nobody_is_too_fast_who_took_a_minute() -> None:
    campaign = golden(items=0, texts=6)

    rate_in(campaign, "", seconds_since=60)

    assert raters_table(campaign)[0]["flags"] == "0"


def test_texts_of_one_page_share_the_time_that_the_page_took() -> None:
    """A minute for each of five texts of one page is what the page says; the server waited ten seconds for all."""
    campaign = golden(items=0, texts=6, ratings_per_page=5)
    rater = worker_client(campaign, RATE, "ann")
    rater.post("/work/next/")
    Assignment.objects.filter(state="leased").update(leased_at=database_now() - timedelta(seconds=10))
    tasks = list(Assignment.objects.filter(state="leased").order_by("page_position"))
    fields = {"tasks": ",".join(str(task.pk) for task in tasks)}
    for task in tasks:
        fields |= {f"meaning-{task.pk}": "3", f"grammar-{task.pk}": "3", f"milliseconds-{task.pk}": "60000"}

    assert rater.post(f"/work/rate/{tasks[0].pk}/", fields).status_code == 302

    assert len(tasks) == 5
    assert "5 of 5 texts with a known time answered at more than 12 words a second" in raters_page(campaign)


def test_simulated_raters_do_not_wait_and_are_not_too_fast() -> None:
    campaign = golden(items=0, texts=6)
    rate_in(campaign, "")

    campaign.workers.update(is_simulated=True)

    assert raters_table(campaign)[0]["flags"] == "0"


def varied(campaign: Campaign, name: str, gold: Points) -> None:
    """Rate everything as others do who are asked the same, and all gold questions alike."""
    rater = enrol(campaign, RATE, name)
    while (task := assignment_claim(enrolment=rater)) is not None:
        meaning, grammar = gold if task.item.stream == Stream.GOLD else (3, 1 + 2 * (task.item_id % 2))
        rate(rater, task, meaning=meaning, grammar=grammar)


def test_who_answers_most_gold_questions_wrong_is_flagged_within_a_visit_of_twenty() -> None:
    campaign = golden(items=8, texts=20, gold_percent=5, rater_tasks=20)
    varied(campaign, "careless", WRONG)
    varied(campaign, "careful", RIGHT)

    rows = {row["participant"]: row["evidence"] for row in raters_table(campaign)}

    assert len(rows) == 2
    assert sorted(rows.values())[0] == ""
    assert "4 of 4 gold questions answered wrong, 4 of them two points off" in sorted(rows.values())[1]


def test_gold_that_does_not_fit_the_scales_any_more_flags_nobody() -> None:
    campaign = golden(items=8, texts=20, gold_percent=20)
    varied(campaign, "careless", WRONG)
    assert "gold questions answered wrong" in raters_page(campaign)

    GoldItem.objects.update(answers={"meaning": [3], "fluency": [3]})

    assert "gold questions answered wrong" not in raters_page(campaign)


def test_the_page_of_a_person_tells_the_flags_too() -> None:
    campaign = golden(items=0, texts=6)
    rate_in(campaign, "900", seconds_since=60)
    (row,) = raters_table(campaign)

    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/people/{row['participant']}/"))

    assert row["evidence"] in page


@pytest.mark.slow
def test_the_flags_of_simulated_raters_stay_within_their_marks() -> None:
    command = [sys.executable, str(ROOT / "benchmarks/raters.py"), "--people", "500", "--strict"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer: Any = client.get(address)
        if answer.streaming:
            list(answer.streaming_content)
    assert answer.status_code == 200
    return len(captured)


@pytest.mark.parametrize("page", ["participants/rate/", "participants/rate.csv"])
def test_the_raters_cost_as_many_queries_whatever_their_number(page: str) -> None:
    few, many = (judged_campaign(sources=2, scores=[(3, 3), (2, 3)] * times) for times in (1, 4))
    for campaign in (few, many):
        gold_create(campaign=campaign, example=GOLD)

    counts = [queries_of(staff_of(each), f"/campaigns/{each.slug}/{page}") for each in (few, many)]

    assert counts[0] == counts[1]


def test_nobody_has_come_yet_is_said() -> None:
    assert "Nobody has joined yet." in raters_page(make_campaign())


def test_no_worker_sees_the_raters() -> None:
    campaign = golden(items=0, texts=1)

    reply = worker_client(campaign, RATE).get(f"/campaigns/{campaign.slug}/raters/")

    assert reply.status_code == 302
    assert reply["Location"].startswith("/login/")
