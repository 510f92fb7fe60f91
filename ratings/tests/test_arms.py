"""Arms of the rater round: drawn as people join, blind, each with its own scales and its own people on every text."""

import csv
from collections import Counter
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from common.errors import Refused
from crowd.models import ArmDraw, Assignment, Campaign, Enrolment, Round, Stratum
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.selectors.settings_versions import settings_history
from crowd.selectors.work import work_is_left_for
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, worker_enter
from measures.experiments.arms import arms_of_people
from ratings.models import Rating
from ratings.selectors.attention import flags_now
from ratings.selectors.judgements import judgements_of_campaign
from ratings.selectors.next_items import rater_candidates
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace
from ratings.services.rating import Judgement, rating_submit
from ratings.services.sittings import qualification_submit
from ratings.subjects import subject_of
from tests.support.api_client import Api
from tests.support.arms import ARMS, SCALES, armed_campaign, points_of, rate_rest
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_all,
    enrol,
    lease_run_out,
    link_of,
    make_campaign,
    rate,
    readable,
    staff_client,
    worker_client,
)
from tests.support.settings import settings_change, settings_of, settings_page

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
State = Assignment.State


def by_arm(campaign: Campaign, count: int, arm: str) -> list[Enrolment]:
    """The first `count` people of an arm; as many join as that takes."""
    found: list[Enrolment] = []
    while len(found) < count:
        person = enrol(campaign, RATE)
        found += [person] if person.arm == arm else []
    return found


# Set up


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"arms": ARMS[:1]}, "2 to 6 arms"),
    ({"arms": [{"key": f"a{n}", "name": f"Arm {n}"} for n in range(7)]}, "2 to 6 arms"),
    ({"arms": [ARMS[0], {"key": "three", "name": "Again"}]}, "Two arms are called “three”"),
    ({"arms": [ARMS[0], {"key": "five", "name": "Three points"}]}, "Two arms are called “Three points”"),
    ({"arms": [ARMS[0], {"key": "Five", "name": "Five"}]}, "an arm is its key"),
    ({"arms": [ARMS[0], {"key": "five", "name": ""}]}, "an arm is its key"),
    ({"arms": [ARMS[0], {"key": "seven", "name": "Seven"}]}, "names the arm “five”"),
    ({"arms": []}, "names the arm “five”"),
    ({"arms": [*ARMS, {"key": "none", "name": "No scale"}], "scales": SCALES[:2]}, "“none” have no scale"),
    ({"extra_raters": True}, "no extra raters"),
    ({"rating_task": "spans"}, "no scales in which arms could differ"),
    ({"scales": SCALES[2:]}, "No scale names an arm"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG)
def test_arms_that_make_no_study_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words) as refusal:
        armed_campaign(**changes)
    assert set(refusal.value.message_dict) == {"arms"}


def test_staff_write_arms_as_lines_and_read_them_in_the_history() -> None:
    campaign = make_campaign()
    staff = staff_client(campaign.staff.get())
    address = settings_page(campaign, "arms_text")
    written = "[one] Meaning: How much?\n2 all\n1 none\n\n[two] Meaning: How much?\n3 all\n2 some\n1 none"
    changes = {"arms_text": "one: Two points\n\ntwo: Three points", "scales_text": written}

    reply = staff.post(address, settings_of(campaign, **changes))

    assert reply.status_code == 302
    campaign.refresh_from_db()
    assert campaign.arms == [{"key": "one", "name": "Two points"}, {"key": "two", "name": "Three points"}]
    assert [(each["key"], each["arm"]) for each in campaign.scales] == [("meaning", "one"), ("meaning_2", "two")]
    page = readable(staff.get(address))
    assert written in page
    assert "one: Two points\ntwo: Three points" in page
    changed = {each.name: each for each in settings_history(campaign).rows[0].changes}
    assert next(line.text for line in changed["arms"].lines if line.kind == "added") == "one: Two points"
    reply = staff.post(address, settings_of(campaign, arms_text="one: Two points"))
    assert reply.status_code == 422
    assert "A round has 2 to 6 arms, or none." in readable(reply)
    assert staff.post(address, settings_of(campaign, rater_tasks=9)).status_code == 302  # and all else stays
    campaign.refresh_from_db()
    assert len(campaign.arms) == 2


def test_two_scales_of_one_name_need_arms_that_nobody_shares() -> None:
    points = "\n2 all\n1 none\n"
    with pytest.raises(ValidationError, match="two scales are called “Meaning”"):
        scales_from_text(f"[one] Meaning: How much?{points}Meaning: How much?{points}")


def test_arms_are_fixed_once_a_rater_has_joined_or_there_is_work() -> None:
    campaign = armed_campaign()
    enrol(campaign, RATE)
    with pytest.raises(Refused, match="Raters have joined already"):
        settings_change(campaign, arms=[{"key": "three", "name": "A"}, {"key": "five", "name": "B"}])
    busy = armed_campaign(sources=1, texts=1)
    with pytest.raises(Refused, match="already compressions to rate"):
        settings_change(busy, arms=[])
    campaign_update(campaign=busy, arms=ARMS)  # as it is


# The draw


def test_people_are_drawn_in_blocks_by_the_seed_and_each_place_is_stored() -> None:
    campaign = armed_campaign()
    people = [enrol(campaign, RATE) for _ in range(9)]

    draws = list(ArmDraw.objects.order_by("number"))

    assert [each.arm for each in draws] == [each.arm for each in people]
    assert [each.arm for each in people] == arms_of_people(["three", "five"], ["people"] * 9, seed=1)
    assert [(each.number, each.stratum, each.enrolment_id) for each in draws] == [
        (place, Stratum.PEOPLE, person.pk) for place, person in enumerate(people, start=1)
    ]
    assert abs(Counter(each.arm for each in people)["three"] - 4.5) <= 1
    again = enrol(campaign, RATE, people[0].worker.external_id)
    assert (again.pk, again.arm, ArmDraw.objects.count()) == (people[0].pk, people[0].arm, 9)


def test_only_raters_of_a_round_with_arms_are_drawn() -> None:
    plain, campaign = make_campaign(), armed_campaign()
    assert {enrol(plain, RATE).arm, enrol(campaign, EDIT).arm, enrol(campaign, Round.EXPERT).arm} == {""}
    assert not ArmDraw.objects.exists()


def test_simulated_and_test_participants_are_lists_of_their_own() -> None:
    campaign = armed_campaign()
    link = link_of(campaign, RATE)
    real = enrol(campaign, RATE)
    simulated = worker_enter(link=link, ids=PlatformIds(worker_id="program"), is_simulated=True)
    link.is_test = True
    link.save()
    test = worker_enter(link=link, ids=PlatformIds(worker_id="staff"))
    assert [(each.arm_draw.stratum, each.arm_draw.number) for each in (real, simulated, test)] == [
        ("people", 1),
        ("simulated", 1),
        ("test", 1),
    ]


def test_a_place_of_the_list_is_one_persons() -> None:
    campaign = armed_campaign()
    draw = enrol(campaign, RATE).arm_draw
    with pytest.raises(IntegrityError), transaction.atomic():
        ArmDraw.objects.create(
            campaign=campaign, round=RATE, stratum="people", number=1, arm="five", drawn_at=draw.drawn_at
        )


# The work


def test_a_rater_reads_and_answers_the_scales_of_their_arm_alone() -> None:
    campaign = armed_campaign(sources=2, texts=1)
    scales = {"three": {"meaning", "grammar"}, "five": {"meaning_5", "grammar"}}
    seen: set[str] = set()
    while len(seen) < 2:
        client = worker_client(campaign, RATE)
        person = Enrolment.objects.filter(round=RATE).latest("pk")
        address = client.get("/work/").headers["Location"]
        page = readable(client.get(address))
        task = address.strip("/").rsplit("/", 1)[1]
        asked = {key for key in ("meaning", "meaning_5", "grammar") if f'name="{key}-{task}"' in page}
        assert asked == scales[person.arm]
        assert ("Press 1–5" in page) == (person.arm == "five")
        for word in ("Three points", "Five points", "(three)", "(five)", "arm", "three", "five"):
            assert word not in page.replace("alarm", "").replace("three hours", "").replace("charm", ""), word
        incomplete = client.post(address, {f"grammar-{task}": "2"})
        assert incomplete.status_code == 422
        answers = {f"{key}-{task}": "2" for key in asked}
        assert client.post(address, answers).status_code == 302
        stored = Rating.objects.latest("pk")
        assert {each.scale: each.value for each in stored.scores.all()} == dict.fromkeys(asked, 2)
        seen.add(person.arm)


def test_every_text_has_as_many_raters_of_each_arm_as_it_wants() -> None:
    campaign = armed_campaign(sources=2, texts=1)
    of_three = by_arm(campaign, 3, "three")
    assert [rate_rest(person) for person in of_three] == [2, 2, 0]
    assert not work_is_left_for(of_three[2])
    of_five = by_arm(campaign, 3, "five")
    assert work_is_left_for(of_five[0])
    assert [rate_rest(person) for person in of_five] == [2, 2, 0]
    items = campaign.items.filter(round=RATE)
    assert [(item.wanted, item.open_slots) for item in items] == [(4, 0), (4, 0)]


def test_places_of_an_arm_that_are_given_back_go_to_the_same_arm() -> None:
    campaign = armed_campaign(sources=1, texts=1)
    first, second, third = by_arm(campaign, 3, "three")
    rate_rest(first)
    lease = assignment_claim(enrolment=second)
    assert lease is not None
    assert assignment_claim(enrolment=third) is None
    lease_run_out(lease)
    assert work_is_left_for(third)
    assert rate_rest(third) == 1
    with pytest.raises(Refused, match="Someone else has this text now"):
        rate(second, lease, **points_of(second))
    person_exclude(worker=first.worker, work_round=RATE, note="wrong", user=None)
    assert rate_rest(second) == 1
    person_readmit(worker=first.worker, work_round=RATE, user=None)
    of_five = by_arm(campaign, 2, "five")
    assert [rate_rest(person) for person in of_five] == [1, 1]  # the readmitted one has taken nobody's place
    item = campaign.items.get(round=RATE)
    assert (item.wanted, item.open_slots) == (5, 0)


def test_the_test_counts_the_answers_on_the_scales_of_the_arm() -> None:
    campaign = armed_campaign(qualification_pass_percent=100)
    answers = {"meaning": [3], "meaning_5": [5], "grammar": [2]}
    qualification_items_replace(campaign=campaign, examples=[replace(EXAMPLE, answers=answers)])
    item = campaign.qualification_items.get()
    for arm, key, point in (("three", "meaning", 3), ("five", "meaning_5", 5)):
        (person,) = by_arm(campaign, 1, arm)
        assert qualification_submit(enrolment=person, number=1, answers={item.pk: {"grammar": 2}}) is None
        attempt = qualification_submit(enrolment=person, number=1, answers={item.pk: {key: point, "grammar": 2}})
        assert attempt is not None
        assert (attempt.correct, attempt.questions, attempt.passed) == (2, 2, True)


def test_gold_is_ranked_and_judged_on_the_scales_of_the_arm() -> None:
    campaign = armed_campaign(sources=4, texts=1, gold_percent=50, rater_tasks=8)
    best: dict[str, int] = {}
    for arm, meaning, meaning_5 in (("three", 3, 1), ("five", 1, 5)):
        answers = {"meaning": [meaning], "meaning_5": [meaning_5], "grammar": [2]}
        example = replace(EXAMPLE, answers=answers, compression=f"The best for {arm}.")
        best[arm] = gold_create(campaign=campaign, example=example).item_id
    for arm, item in best.items():
        (person,) = by_arm(campaign, 1, arm)
        first = [next(rater_candidates(person, number)) for number in range(1, 9)]
        assert {each[0] for each in first if set(each) == set(best.values())} == {item}


def test_raters_of_each_arm_get_flags_by_their_own_scales() -> None:
    campaign = armed_campaign(sources=6, texts=1)
    fast = [by_arm(campaign, 1, arm)[0] for arm in ("three", "five")]
    for person in fast:
        while assignment := assignment_claim(enrolment=person):
            hasty = Judgement(points_of(person, 2), milliseconds=100)
            rating_submit(enrolment=person, assignment=assignment, subject=subject_of(assignment), judgement=hasty)
    assert {worker: [flag.name.name for flag in flags] for worker, flags in flags_now(campaign).items()} == {
        person.worker_id: ["TOO_FAST"] for person in fast
    }


def test_experts_answer_every_scale() -> None:
    expert = enrol(armed_campaign(), Round.EXPERT)
    assert [scale.key for scale in expert.shown_scales] == ["meaning", "meaning_5", "grammar"]


def test_staff_read_names_that_tell_the_scales_apart() -> None:
    campaign = armed_campaign()
    assert [scale.name for scale in campaign.rating_scales] == ["Meaning (three)", "Meaning (five)", "Grammar"]
    assert [scale.name for scale in campaign.scales_of("five")] == ["Meaning", "Grammar"]
    assert scales_dump(campaign.scales_of("five")) == [SCALES[1], SCALES[2]]


def test_a_campaign_without_arms_asks_the_database_nothing_about_them(django_assert_max_num_queries: Any) -> None:
    campaign = make_campaign(sources=1)
    edit_all(campaign, 1)
    person = enrol(campaign, RATE)
    with django_assert_max_num_queries(40) as asked:
        assignment_claim(enrolment=person)
    assert not [query for query in asked.captured_queries if "wanted /" in query["sql"]]


def test_staff_see_the_arm_of_each_rater_and_can_order_by_it() -> None:
    campaign = armed_campaign(sources=1, texts=1)
    for person in [*by_arm(campaign, 1, "three"), *by_arm(campaign, 1, "five")]:
        rate_rest(person)
    staff = staff_client(campaign.staff.get())
    address = f"/campaigns/{campaign.slug}/participants/rate"
    page = readable(staff.get(f"{address}/?sort=arm"))
    assert page.index('<span class="muted">five</span>') < page.index('<span class="muted">three</span>')
    content = b"".join(staff.get(f"{address}.csv").streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    rows = list(csv.DictReader(StringIO(content)))
    arms = dict(Enrolment.objects.filter(round=RATE).values_list("worker__number", "arm"))
    assert {int(row["participant"]): row["arm"] for row in rows} == arms
    told = Api(campaign.staff.get()).call("get", f"campaigns/{campaign.slug}/participants/rate/").json()
    assert {each["number"]: each["arm"] for each in told["results"]} == arms


def test_a_rule_for_all_is_refused_and_more_ratings_are_planned_scale_by_scale() -> None:
    campaign = armed_campaign(sources=2, texts=1)
    for number in range(6):
        rate_rest(enrol(campaign, RATE, f"rater-{number}"))
    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/quality/preview/"))
    assert "so no rule can hold all of them against one another" in page
    with pytest.raises(Refused, match="in arms with scales of their own"):
        judgements_of_campaign(campaign)
