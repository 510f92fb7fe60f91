"""The arms of raters in a release: in each rating, in the manifest, on the card; and what an import makes of them."""

from itertools import chain

import pytest

from corpus.models import Release
from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from corpus.services.erasure import worker_erase
from corpus.tests.support.cards import card_of, collection_of
from corpus.tests.support.independent_readers import read_arrow
from crowd.models import ArmDraw, Campaign, Enrolment
from measures.experiments.arms import arms_of_people
from ratings.services.exclusions import person_exclude
from tests.support.arms import armed_campaign, rate_rest
from tests.support.factories import RATE, enrol, freeze, judged_campaign, make_staff, silent
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db
NAMES = {"three": {"meaning", "grammar"}, "five": {"meaning_5", "grammar"}}


def judged(people: int = 6) -> Campaign:
    """Two texts, each with two raters of each arm; of six people, two come too late."""
    campaign = armed_campaign(sources=2, texts=1)
    for number in range(people):
        rate_rest(enrol(campaign, RATE, f"rater-{number}"))
    return campaign


def arms_by_name(campaign: Campaign) -> dict[str, str]:
    rows = Enrolment.objects.filter(worker__campaign=campaign, round=RATE)
    return {each.worker.public_name: each.arm for each in rows.select_related("worker")}


def arm_of(release: Release, name: str) -> dict[str, int]:
    return next(each for each in collection_of(release)["arms"]["counts"] if each["key"] == name)


def test_each_rating_says_the_arm_of_its_rater_and_has_the_scales_of_it() -> None:
    campaign = judged()
    release = freeze(campaign)
    known = arms_by_name(campaign)

    ratings = [rating for source in release_sources(release) for text in source.texts for rating in text.ratings]

    assert len(ratings) == 8
    assert all(rating.arm == known[rating.rater] and set(rating.scores) == NAMES[rating.arm] for rating in ratings)
    rows = chain.from_iterable(read_arrow(release_folder(release)).values())
    given = [rating for row in rows for text in row["compressions"] for rating in text["ratings"]]
    assert {(each["rater"], each["arm"]) for each in given} <= set(known.items())


def test_the_manifest_has_the_list_and_the_card_says_who_is_in_the_release() -> None:
    campaign = judged()
    excluded = Enrolment.objects.filter(round=RATE, arm="three").earliest("pk")
    person_exclude(worker=excluded.worker, work_round=RATE, note="asleep", user=None)
    release = freeze(campaign)

    found = collection_of(release)["arms"]

    assert found["lists"] == {"people": arms_of_people(["three", "five"], ["people"] * 6, seed=found["seed"])}
    assert (arm_of(release, "three")["drawn"], arm_of(release, "three")["raters"]) == (3, 1)
    assert (arm_of(release, "five")["drawn"], arm_of(release, "five")["raters"]) == (3, 2)
    words = "6 raters were drawn into 2 arms as they joined, in permuted blocks, and were not told"
    assert words in card_of(release)
    assert "1 of 3 in “Three points”, 2 of 3 in “Five points”" in card_of(release)


def test_a_release_without_arms_says_nothing_of_them() -> None:
    release = freeze(judged_campaign())
    assert "arms" not in collection_of(release)
    assert "arm" not in (release_folder(release) / "corpus.jsonl").read_text(encoding="utf-8")


def test_an_imported_release_has_the_scales_under_names_of_their_own() -> None:
    folder = release_folder(freeze(judged()))
    content = release_read(folder)
    made = release_import(content=content, owner=make_staff(), slug="again", name="Again", progress=silent)
    campaign = Campaign.objects.get(pk=made.pk)
    assert campaign.arms == []
    assert [(scale.key, scale.name, scale.arm) for scale in campaign.rating_scales] == [
        ("meaning", "Meaning (three)", ""),
        ("meaning_5", "Meaning (five)", ""),
        ("grammar", "Grammar", ""),
    ]


def test_erasure_keeps_the_place_in_the_list_without_the_person() -> None:
    campaign = armed_campaign(sources=1, texts=1)
    people = [enrol(campaign, RATE, f"rater-{number}") for number in range(4)]
    rate_rest(people[0])

    worker_erase(worker=people[0].worker)

    draws = list(ArmDraw.objects.order_by("number"))
    assert [draw.enrolment_id for draw in draws] == [None, *(person.pk for person in people[1:])]
    assert [draw.arm for draw in draws] == [person.arm for person in people]
    later = enrol(campaign, RATE, "rater-4")  # the list goes on
    assert later.arm == arms_of_people(["three", "five"], ["people"] * 5, seed=1)[-1]
