"""Experts: how their sample is drawn, what they are given, and that they are never mixed with the crowd."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Avg, Q
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement.kind import agreement_report
from agreement.parameters import AgreementParameters
from common.errors import Refused
from compressions.models import Compression, Target
from compressions.services.imports import source_import
from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from corpus.selectors import release_sources
from crowd.models import Assignment, Campaign, Enrolment, Item, Round, Worker
from crowd.scales import DEFAULT_SCALES
from crowd.selectors.progress import round_progress
from crowd.services.claims import assignment_claim
from measures.agreement.bootstrap import bootstrap_agreement
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import ExpertItem, ExpertSample, RaterPool, Rating
from ratings.selectors.rating_tasks import rating_summary
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    add_qualification,
    edit_all,
    edit_next,
    enrol,
    freeze,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    rate_each,
    rate_next,
    readable,
    silent,
    staff_client,
    submit_text,
    worker_client,
)
from tests.support.page_tokens import without_tokens
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

EXPERT = Round.EXPERT
TAKEN = ("leased", "submitted", "expired", "skipped", "discarded")
Text = tuple[str, str]


@pytest.fixture
def owner() -> User:
    return make_staff()


def draw(campaign: Campaign, size: int = 4, *, seed: int = 7, experts: int = 2) -> ExpertSample:
    return expert_sample_draw(campaign=campaign, size=size, seed=seed, experts=experts)


def texts_in(*samples: ExpertSample) -> set[Text]:
    """The texts of samples, by the names of their sources."""
    drawn = ExpertItem.objects.filter(sample__in=samples)
    return set(drawn.values_list("target__source__source_id", "target__text"))


def texts_had(campaign: Campaign, name: str) -> set[Text]:
    """What somebody has judged as an expert."""
    had = Assignment.objects.filter(worker__campaign=campaign, worker__external_id=name, round=EXPERT, state__in=TAKEN)
    items = had.values("item")
    found = ExpertItem.objects.filter(item__in=items)
    return set(found.values_list("target__source__source_id", "target__text"))


def points_of(target: Target) -> tuple[int, int]:
    """Points that spread over all there are."""
    number = int(target.source.source_id)
    return 1 + number % 3, 1 + number // 3 % 3


def spread_campaign(sources: int = 18, **people: Any) -> Campaign:
    """Texts of two genres, one of which is rare, whose scores differ."""
    settings = {"editors_per_source": 1, "raters_per_compression": 1, "editor_tasks": 99, "rater_tasks": 99}
    campaign = make_campaign(**{**settings, **people})
    rows = [
        {"id": str(number), "genre": "News" if number % 3 else "Letters", "text": SENTENCE.format(number=number)}
        for number in range(1, sources + 1)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    edit_all(campaign, 1)
    rate_each(enrol(campaign, RATE, "rater-1"), points_of)
    return campaign


# Drawing.


def test_staff_draw_a_sample_on_a_page_and_read_what_it_was_drawn_from(owner: User) -> None:
    campaign = spread_campaign(owner=owner)
    client, address = staff_client(owner), f"/campaigns/{campaign.slug}/experts/"
    assert "No sample has been drawn yet." in readable(client.get(address))

    page = readable(client.post(address, {"size": "6", "experts": "3", "seed": "11"}, follow=True))

    sample = ExpertSample.objects.get()
    assert (sample.size, sample.experts, sample.seed, sample.requested_by) == (6, 3, 11, owner)
    assert "6 texts are ready for experts." in page
    assert "6 texts · 3 experts each" in " ".join(page.split())
    assert "seed 11" in page
    assert "0 of 18 ratings done." in page
    for genre, band, there, drawn in sample.strata:
        row = (
            rf">{genre}</th>\s*<td>\s*{band}\s*</td>\s*<td class=\"num\">{there}</td>\s*<td class=\"num\">{drawn}</td>"
        )
        assert re.search(row, page)


def test_a_copy_of_the_campaign_gives_the_same_sample_for_the_same_seed() -> None:
    campaign, copy = spread_campaign(), spread_campaign()

    assert texts_in(draw(campaign, 6)) == texts_in(draw(copy, 6))


def test_another_seed_gives_another_sample() -> None:
    one, other = spread_campaign(), spread_campaign()

    assert texts_in(draw(one, 6, seed=1)) != texts_in(draw(other, 6, seed=2))


def bands_of(scores: Sequence[float]) -> list[str]:
    """The third of all texts in which each score lies, by the middle of its ranks."""
    ranks = [sum(other < score for other in scores) + sum(other == score for other in scores) / 2 for score in scores]
    return [("low", "middle", "high")[int(3 * rank / len(scores))] for rank in ranks]


@pytest.mark.parametrize("size", [1, 5, 9, 17])
def test_genres_and_three_bands_of_scores_have_their_share_of_the_sample(size: int) -> None:
    campaign = spread_campaign()
    scores = dict(
        Target.objects.annotate(score=Avg("ratings__scores__value", filter=Q(ratings__rater_pool=RaterPool.CROWD)))
        .order_by("pk")
        .values_list("pk", "score")
    )
    genres = dict(Target.objects.values_list("pk", "source__genre"))
    stratum_of = {pk: (genres[pk], band) for pk, band in zip(scores, bands_of(list(scores.values())), strict=True)}

    sample = draw(campaign, size)

    there = Counter(stratum_of.values())
    drawn = Counter(stratum_of[pk] for pk in ExpertItem.objects.values_list("target_id", flat=True))
    assert drawn.total() == sample.size == size
    assert {band for _, band in there} == {"low", "middle", "high"}
    assert {(genre, band): (of, got) for genre, band, of, got in sample.strata} == {
        stratum: (count, drawn[stratum]) for stratum, count in there.items()
    }
    for stratum, count in there.items():
        assert abs(drawn[stratum] - size * count / there.total()) < 1


def test_what_experts_have_is_not_drawn_again() -> None:
    campaign = spread_campaign()

    first, second, rest = draw(campaign, 6), draw(campaign, 6), draw(campaign, 99)

    assert [sample.size for sample in (first, second, rest)] == [6, 6, 6]
    assert len(texts_in(first, second, rest)) == 18


def test_a_text_that_nobody_has_judged_is_not_drawn() -> None:
    campaign = make_campaign(sources=3, editors_per_source=1, raters_per_compression=1, editor_tasks=9)
    edit_all(campaign, 1)
    rate_next(enrol(campaign, RATE))

    assert texts_in(draw(campaign)) == set(
        Target.objects.filter(ratings__gt=0).values_list("source__source_id", "text")
    )


def test_what_only_an_excluded_rater_has_judged_is_not_drawn(owner: User) -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3),))
    person_exclude(worker=Worker.objects.get(external_id="rater-1"), work_round=RATE, note="A bot.", user=owner)

    with pytest.raises(Refused, match="nothing to draw from"):
        draw(campaign)


def empty() -> Campaign:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    return campaign


def exhausted() -> Campaign:
    campaign = judged_campaign(sources=2)
    draw(campaign, 2)
    return campaign


NOTHING = "There is nothing to draw from: experts already have every text with ratings."
UNRATED = "There is nothing to draw from: no compression has a rating that counts yet."
SINGLE = "Experts rate single texts; this campaign compares two side by side."
REFUSED: list[tuple[Callable[[], Campaign], str]] = [
    (empty, UNRATED),
    (exhausted, NOTHING),
    (lambda: make_campaign(sources=1, rating_task="pair"), SINGLE),
]


@pytest.mark.parametrize(("made", "reason"), REFUSED)
def test_a_draw_that_cannot_be_is_refused_with_its_reason(
    made: Callable[[], Campaign], reason: str, owner: User
) -> None:
    campaign = made()
    campaign.staff.add(owner)
    before = ExpertSample.objects.count()

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/experts/", {"size": "2", "experts": "2", "seed": "1"})

    assert page.status_code == 422
    assert reason in readable(page)
    assert ExpertSample.objects.count() == before


@pytest.mark.parametrize(
    "fields", [{"size": "0", "experts": "2"}, {"size": "-3", "experts": "2"}, {"size": "2", "experts": "0"}]
)
def test_a_sample_of_nothing_or_for_nobody_is_refused(fields: dict[str, str], owner: User) -> None:
    campaign = judged_campaign(owner=owner)

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/experts/", {**fields, "seed": "1"})

    assert page.status_code == 422
    assert "greater than or equal to 1" in readable(page)
    with pytest.raises(Refused, match="A sample has at least one text and one expert"):
        expert_sample_draw(campaign=campaign, seed=1, size=int(fields["size"]), experts=int(fields["experts"]))
    assert not ExpertSample.objects.exists()


# Judging.


def entered(campaign: Campaign, work_round: Round, client: Client | None = None) -> Client:
    """A browser in which somebody came by a link without a name, consented and read the guidelines."""
    client = client or Client()
    address = f"/join/{link_of(campaign, work_round).token}/"
    client.get(address)
    client.post(address)
    client.post("/work/guidelines/")
    return client


def judged_on_pages(client: Client, meaning: int = 3, grammar: int = 3) -> list[str]:
    """Judge all that there is, page by page; what each page says of its place."""
    said = []
    while (address := client.get("/work/").headers.get("Location", "")).startswith("/work/rate/"):
        page, pk = client.get(address), address.split("/")[-2]
        said += re.findall(r"<strong>\s*(Text \d+ of \d+)", readable(page))
        client.post(address, {"tasks": pk, f"meaning-{pk}": str(meaning), f"grammar-{pk}": str(grammar)})
    return said


def test_experts_come_by_a_link_of_their_own_and_judge_the_sample_and_nothing_else(owner: User) -> None:
    campaign = spread_campaign(owner=owner)
    sample = draw(campaign, 5)
    tokens = {link_of(campaign, work_round).token for work_round in Round}
    assert len(tokens) == 3

    client = worker_client(campaign, EXPERT, "prof")
    said = judged_on_pages(client, 2, 1)

    assert said == [f"Text {number} of 5" for number in range(1, 6)]
    assert texts_had(campaign, "prof") == texts_in(sample)
    given = Rating.objects.filter(worker__external_id="prof")
    assert set(given.values_list("rater_pool", flat=True)) == {RaterPool.EXPERTS}
    assert given.count() == 5
    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/experts/"))
    assert "5 of 10 ratings done." in page


def test_a_text_of_the_sample_is_given_to_as_many_experts_as_are_wanted() -> None:
    campaign = spread_campaign()
    draw(campaign, 3, experts=2)

    assert [rate_all(enrol(campaign, EXPERT)) for _ in range(3)] == [3, 3, 0]


def test_a_later_sample_is_further_work_for_the_same_experts() -> None:
    campaign = spread_campaign()
    draw(campaign, 3)
    client = worker_client(campaign, EXPERT, "prof")
    assert len(judged_on_pages(client)) == 3

    draw(campaign, 2)
    client.post("/work/next/")

    assert judged_on_pages(client) == ["Text 4 of 5", "Text 5 of 5"]


def test_experts_take_no_test() -> None:
    campaign = spread_campaign()
    add_qualification(campaign, 2)
    draw(campaign, 2)

    expert, rater = worker_client(campaign, EXPERT, "prof"), worker_client(campaign, RATE, "new")

    assert rater.get("/work/").headers["Location"] == "/work/qualification/"
    assert expert.get("/work/").headers["Location"].startswith("/work/rate/")


def test_without_a_sample_there_is_no_work_for_experts() -> None:
    campaign = spread_campaign()

    page = Client().get(f"/join/{link_of(campaign, EXPERT).token}/")

    assert "All texts are taken right now" in readable(page)
    assert assignment_claim(enrolment=enrol(campaign, EXPERT)) is None


def test_what_an_expert_says_beside_their_work_is_among_the_remarks(owner: User) -> None:
    campaign = spread_campaign(owner=owner)
    draw(campaign, 2)
    client = worker_client(campaign, EXPERT, "prof")
    pk = client.get("/work/").headers["Location"].split("/")[-2]
    client.post(f"/work/tasks/{pk}/problem/", {"reason": "broken", "text": "A word is missing."})

    page = staff_client(owner).get(f"/campaigns/{campaign.slug}/remarks/")

    assert "A word is missing." in readable(page)


def test_staff_see_what_an_expert_has_judged(owner: User) -> None:
    campaign = spread_campaign(owner=owner)
    draw(campaign, 2)
    judged_on_pages(worker_client(campaign, EXPERT, "prof"))
    number = Worker.objects.get(external_id="prof").number

    page = staff_client(owner).get(f"/campaigns/{campaign.slug}/people/{number}/")

    assert "Expert round" in readable(page)
    assert "Rater round" not in readable(page)


# Who may not.


def test_who_judged_a_text_in_the_crowd_is_not_given_it_as_an_expert() -> None:
    campaign = judged_campaign(sources=4, scores=((3, 3), (2, 2)), rater_tasks=2)
    rate_all(enrol(campaign, RATE, "other"))
    rate_all(enrol(campaign, RATE, "another"))
    judged = texts_judged(campaign, "rater-1")
    assert len(judged) == 2

    sample = draw(campaign, 4)
    rate_all(enrol(campaign, EXPERT, "rater-1"))

    assert len(texts_in(sample)) == 4
    assert texts_had(campaign, "rater-1") == texts_in(sample) - judged


def texts_judged(campaign: Campaign, name: str) -> set[Text]:
    given = Rating.objects.filter(worker__campaign=campaign, worker__external_id=name, rater_pool=RaterPool.CROWD)
    return set(given.values_list("target__source__source_id", "target__text"))


def test_who_wrote_for_a_source_is_not_given_any_version_of_it_as_an_expert() -> None:
    campaign = make_campaign(sources=3, editors_per_source=2, raters_per_compression=1, editor_tasks=1, rater_tasks=99)
    for name in ("ann", "ben", "cat", "dan", "eve", "fay"):
        edit_next_own(campaign, name)
    rate_all(enrol(campaign, RATE, "rater"))

    sample = draw(campaign, 99)
    rate_all(enrol(campaign, EXPERT, "ann"))

    own = Compression.objects.get(worker__external_id="ann").source.source_id
    assert len(texts_in(sample)) == 6
    assert texts_had(campaign, "ann") == {text for text in texts_in(sample) if text[0] != own}


def edit_next_own(campaign: Campaign, name: str) -> Compression:
    """Write a text that nobody else writes."""
    enrolment = enrol(campaign, EDIT, name)
    return submit_text(enrolment, f"The committee, says {name}, agreed.")


def test_who_judges_a_text_in_the_crowd_after_the_draw_is_not_given_it_as_an_expert() -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3),), raters_per_compression=3, rater_tasks=99)
    sample = draw(campaign, 3)

    late = enrol(campaign, RATE, "late")
    assert rate_next(late)
    rate_all(enrol(campaign, EXPERT, "late"))

    judged = texts_judged(campaign, "late")
    assert len(judged) == 1
    assert texts_had(campaign, "late") == texts_in(sample) - judged


@pytest.mark.parametrize("drawn_first", [True, False])
def test_who_judged_another_version_of_a_source_may_judge_this_one_as_an_expert(drawn_first: bool) -> None:
    campaign = make_campaign(sources=1, editors_per_source=2, raters_per_compression=3, editor_tasks=9, rater_tasks=1)
    edit_all(campaign, 2)
    for name in ("ann", "ben"):
        rate_all(enrol(campaign, RATE, name))
    if drawn_first:
        draw(campaign, 2)
    assert rate_all(enrol(campaign, RATE, "prof")) == 1
    if not drawn_first:
        draw(campaign, 2)

    assert rate_all(enrol(campaign, EXPERT, "prof")) == 1


def test_who_writes_for_a_source_after_the_draw_is_not_given_it_as_an_expert() -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3),), editors_per_source=2, editor_tasks=99)
    sample = draw(campaign, 3)

    own = edit_next_own(campaign, "late").source.source_id
    rate_all(enrol(campaign, EXPERT, "late"))

    assert texts_had(campaign, "late") == {text for text in texts_in(sample) if text[0] != own}


def test_who_judged_a_text_as_an_expert_neither_judges_it_in_the_crowd_nor_writes_for_its_source() -> None:
    settings = {"editors_per_source": 2, "raters_per_compression": 3, "editor_tasks": 99, "rater_tasks": 99}
    campaign = judged_campaign(sources=3, scores=((3, 3),), **settings)
    draw(campaign, 2)
    assert rate_all(enrol(campaign, EXPERT, "prof")) == 2
    known = {source_id for source_id, _ in texts_had(campaign, "prof")}

    rate_all(enrol(campaign, RATE, "prof"))
    editor = enrol(campaign, EDIT, "prof")
    while edit_next(editor):
        pass

    assert {source_id for source_id, _ in texts_judged(campaign, "prof")} == {"1", "2", "3"} - known
    written = Compression.objects.filter(worker__external_id="prof").values_list("source__source_id", flat=True)
    assert not known & set(written)


PEOPLE = st.sampled_from(("ada", "bob", "cem"))
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("write", "judge", "judge as an expert", "leave as an expert")), PEOPLE),
        st.just(("draw", "")),
    ),
    max_size=25,
)


@given(deeds=DEEDS)
@settings(suppress_health_check=list(HealthCheck))
def test_nobody_is_an_expert_on_what_they_wrote_or_judged_whatever_comes_first(deeds: list[tuple[str, str]]) -> None:
    with transaction.atomic():
        campaign = judged_campaign(
            sources=3,
            scores=((3, 3),),
            editors_per_source=3,
            raters_per_compression=3,
            editor_tasks=99,
            rater_tasks=99,
        )
        for deed, name in deeds:
            done(campaign, deed, name)
            nobody_is_on_both_sides()
        transaction.set_rollback(True)


def done(campaign: Campaign, deed: str, name: str) -> None:
    if deed == "draw":
        with suppress(Refused):  # everything has been drawn
            draw(campaign, 2)
    elif deed == "write":
        enrolment = enrol(campaign, EDIT, name)
        if assignment_claim(enrolment=enrolment):
            submit_text(enrolment, f"The committee, says {name}, agreed.")
    elif deed == "judge":
        rate_next(enrol(campaign, RATE, name))
    elif deed == "judge as an expert":
        rate_next(enrol(campaign, EXPERT, name))
    else:
        assignment_claim(enrolment=enrol(campaign, EXPERT, name))


def nobody_is_on_both_sides() -> None:
    had = Assignment.objects.filter(state__in=TAKEN)
    for expert in had.filter(round=EXPERT).select_related("item__expert_item__target__source"):
        target = expert.item.expert_item.target
        assert not had.filter(worker=expert.worker, item__in=[target.item_id, target.source.item_id]).exists()


@pytest.mark.parametrize("order", [(RATE, EXPERT), (EXPERT, RATE), (EDIT, EXPERT), (EXPERT, EDIT)])
def test_an_expert_in_the_browser_of_a_worker_of_the_crowd_is_somebody_else(order: tuple[Round, Round]) -> None:
    campaign = judged_campaign(
        sources=3, scores=((3, 3),), editors_per_source=2, raters_per_compression=2, editor_tasks=9, rater_tasks=9
    )
    draw(campaign, 2)
    client = Client()

    for work_round in order:
        entered(campaign, work_round, client)

    one, other = Enrolment.objects.order_by("-pk")[:2]
    assert {one.round, other.round} == set(order)
    assert one.worker_id != other.worker_id


def test_an_expert_who_comes_again_in_the_same_browser_is_the_same_person() -> None:
    campaign = judged_campaign(sources=3)
    draw(campaign, 2)
    client = entered(campaign, EXPERT)

    entered(campaign, EXPERT, client)

    assert Enrolment.objects.filter(round=EXPERT).count() == 1


# Never mixed.


def mixed_opinions(target: Target) -> tuple[int, int]:
    number = int(target.source.source_id)
    return 2 + number % 2, 3 - number % 3 // 2


def watched_campaign(owner: User) -> Campaign:
    """A campaign judged by a crowd of three, one of whom staff should look at."""
    people = {"editors_per_source": 2, "raters_per_compression": 3, "editor_tasks": 99, "rater_tasks": 22}
    campaign = make_campaign(sources=11, owner=owner, **people)
    edit_all(campaign, 2)
    for name in ("fair", "fair too"):
        rate_each(enrol(campaign, RATE, name), mixed_opinions)
    rate_each(enrol(campaign, RATE, "grim"), lambda _: (1, 1))
    return campaign


def contrary_experts(campaign: Campaign, texts: int = 99) -> set[str]:
    """Two experts who judge a sample as nobody else does; what releases call them."""
    draw(campaign, texts)
    for name in ("prof", "prof too"):
        assert rate_all(enrol(campaign, EXPERT, name), 1, 1)
    return set(map(str, Worker.objects.filter(external_id__startswith="prof").values_list("number", flat=True)))


def decisions(campaign: Campaign) -> list[object]:
    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.34))
    rows = run.decisions.order_by("round", "worker").values_list(
        "worker", "round", "quality", "items", "removed", "reason"
    )
    assert any(removed for *_, removed, _ in rows)
    return [run.summary, *rows]


def rawdata(release: Release) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (release_folder(release) / "RawData").iterdir()}


def crowd_part(release: Release) -> bytes:
    """The complete file as it is without what experts said."""
    sources = [json.loads(line) for line in (release_folder(release) / "corpus.jsonl").read_bytes().splitlines()]
    for source in sources:
        for each in [*source["compressions"], *source.get("outputs", [])]:
            each.pop("expert_ratings", None)
    return b"".join(json.dumps(source, ensure_ascii=False).encode() + b"\n" for source in sources)


QUICK = AgreementParameters(draws=50, replications=50)


def crowd_agreement(release: Release) -> list[dict[str, object]]:
    rows = agreement_report(release_sources(release), DEFAULT_SCALES, QUICK, silent).rows
    return [row for row in rows if "expert" not in str(row["comparison"])]


def section(page: str, name: str) -> str:
    found = re.search(rf'<section[^>]*aria-labelledby="{name}".*?</section>', page, re.DOTALL)
    assert found
    return found[0]


def seen_of_the_crowd(campaign: Campaign, owner: User) -> dict[str, object]:
    """What is said of the crowd, wherever it is said."""
    client = staff_client(owner)
    decided = decisions(campaign)
    release = freeze(campaign)
    dashboard = readable(client.get(f"/campaigns/{campaign.slug}/"))
    raters = without_tokens(readable(client.get(f"/campaigns/{campaign.slug}/participants/rate/")))
    flags = b"".join(client.get(f"/campaigns/{campaign.slug}/participants/rate.csv"))
    assert b"same answer" in flags
    return {
        "quality": decided,
        "summary": rating_summary(campaign),
        "ratings on the dashboard": section(dashboard, "ratings"),
        "progress": [round_progress(campaign, each) for each in (EDIT, RATE)],
        "RawData": rawdata(release),
        "corpus": crowd_part(release),
        "figures": {**release.summary, "expert_ratings": None},
        "agreement": crowd_agreement(release),
        "raters page": raters[raters.index("<h1>") :],
        "flags": flags,
    }


def test_whatever_experts_say_nothing_that_is_said_of_the_crowd_changes(owner: User) -> None:
    campaign = watched_campaign(owner)
    before = seen_of_the_crowd(campaign, owner)

    contrary_experts(campaign)

    after = seen_of_the_crowd(campaign, owner)
    for what, value in before.items():
        assert after[what] == value, what


def test_an_excluded_expert_is_in_no_release_and_in_no_figure_of_the_crowd(owner: User) -> None:
    campaign = watched_campaign(owner)
    before = freeze(campaign)
    contrary_experts(campaign, 4)
    for name in ("prof", "prof too"):
        person_exclude(worker=Worker.objects.get(external_id=name), work_round=EXPERT, note="Drunk.", user=owner)

    after = freeze(campaign)

    assert (release_folder(after) / "corpus.jsonl").read_bytes() == (
        release_folder(before) / "corpus.jsonl"
    ).read_bytes()
    assert rawdata(after) == rawdata(before)
    assert after.summary == before.summary


def test_a_rater_whom_the_rule_leaves_out_stays_an_expert(owner: User) -> None:
    campaign = watched_campaign(owner)
    Item.objects.filter(target__source__source_id__in="123456").update(wanted=4, open_slots=1)
    assert rate_all(enrol(campaign, RATE, "prof"), 1, 1) == 12
    draw(campaign, 99)
    assert rate_all(enrol(campaign, EXPERT, "prof"), 1, 1) == 10
    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, min_items=12))
    assert set(run.decisions.filter(removed=True).values_list("worker__external_id", flat=True)) == {"grim", "prof"}

    release = freeze(campaign)

    assert release.summary["expert_ratings"] == 10


def test_an_excluded_expert_stays_a_rater(owner: User) -> None:
    campaign = watched_campaign(owner)
    Item.objects.filter(target__source__source_id__in="123456").update(wanted=4, open_slots=1)
    assert rate_all(enrol(campaign, RATE, "prof"), 1, 1) == 12
    draw(campaign, 99)
    assert rate_all(enrol(campaign, EXPERT, "prof"), 1, 1) == 10
    before = freeze(campaign).summary
    person_exclude(worker=Worker.objects.get(external_id="prof"), work_round=EXPERT, note="A guess.", user=None)

    after = freeze(campaign).summary

    assert (before["expert_ratings"], after["expert_ratings"]) == (10, 0)
    assert before["ratings"] == after["ratings"]


def test_experts_stand_in_the_complete_file_only_and_apart(owner: User) -> None:
    campaign = watched_campaign(owner)
    sample = draw(campaign, 5)
    rate_all(enrol(campaign, EXPERT, "prof"), 1, 2)
    name = Worker.objects.get(external_id="prof").public_name

    sources = [
        json.loads(line) for line in (release_folder(freeze(campaign)) / "corpus.jsonl").read_bytes().splitlines()
    ]

    days = {given.date().isoformat() for given in Rating.objects.values_list("created_at", flat=True) if given}
    texts = [(source["id"], each) for source in sources for each in source["compressions"]]
    by_experts = {(source_id, each["text"]) for source_id, each in texts if "expert_ratings" in each}
    assert by_experts == texts_in(sample)
    for source_id, each in texts:
        assert name not in {rating["rater"] for rating in each["ratings"]}
        if (source_id, each["text"]) in by_experts:
            (rating,) = each["expert_ratings"]
            assert rating.pop("day") in days
            assert rating == {"rater": name, "scores": {"meaning": 1, "grammar": 2}}


def test_ratings_by_experts_alone_are_nothing_to_release() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 3),))
    draw(campaign, 1)
    rate_all(enrol(campaign, EXPERT, "prof"))
    person_exclude(worker=Worker.objects.get(external_id="rater-1"), work_round=RATE, note="A bot.", user=None)

    with pytest.raises(Refused, match="nothing to release"):
        freeze(campaign)


def test_no_more_raters_are_asked_because_an_expert_differs() -> None:
    campaign = judged_campaign(
        sources=1, scores=((3, 3), (3, 3)), raters_per_compression=3, rater_tasks=9, extra_raters=True
    )
    draw(campaign, 1)
    rate_all(enrol(campaign, EXPERT, "prof"), 1, 1)

    rate_all(enrol(campaign, RATE, "third"), 3, 3)

    assert Item.objects.get(target__source__source_id="1").wanted == 3


# Agreement.

Points = tuple[int, ...]
E2, E10, E11 = "2", "10", "11"


def released(*texts: tuple[Points, dict[str, int]]) -> list[ReleasedSource]:
    """Texts with what the crowd and what experts said of each, on both scales alike."""
    return [
        ReleasedSource(
            str(number),
            "News",
            "A text.",
            1,
            "",
            str(number),
            "train",
            [ReleasedText("Text.", ("1",), said(enumerate(crowd, start=50)), said(experts.items()))],
        )
        for number, (crowd, experts) in enumerate(texts)
    ]


def said(points: Any) -> tuple[ReleasedRating, ...]:
    return tuple(ReleasedRating(str(name), {"meaning": point, "grammar": point}) for name, point in points)


def rows_of(sources: list[ReleasedSource], parameters: AgreementParameters = QUICK) -> dict[tuple[str, str], Any]:
    rows = agreement_report(sources, DEFAULT_SCALES, parameters, silent).rows
    return {(str(row["comparison"]), str(row["measure"])): row for row in rows if row["scale"] == "meaning"}


TINY = released(
    ((3, 3, 2), {E2: 3, E10: 3}),
    ((1, 2), {E2: 1, E10: 2}),
    ((2, 2), {E10: 3, E2: 1}),
    ((3, 1), {E2: 3}),
    ((1,), {}),
)


def test_experts_agree_among_themselves_as_far_as_one_computes_by_hand() -> None:
    rows = rows_of(TINY)

    # Pairs 3-3, 1-2, 1-3: one of three alike. Squared distances 0, 1, 4 against 1, 9, 9 thirds by chance: 1 - 15/19.
    agreement, kappa = (rows["expert versus expert", measure] for measure in ("agreement", "kappa"))
    assert agreement["value"] == pytest.approx(1 / 3)
    assert kappa["value"] == pytest.approx(4 / 19)
    assert agreement["items"] == kappa["items"] == 3
    assert agreement["low"] <= agreement["value"] <= agreement["high"]
    assert (agreement["sources"], agreement["raters"]) == (3, 0)


def test_experts_agree_with_the_crowd_as_far_as_one_computes_by_hand() -> None:
    rows = rows_of(TINY)

    # Means, halves rounded up: experts 3 2 2 3, crowd 3 2 2 2. Distances 1 of 4, by chance 8 of 16.
    agreement, kappa = (rows["expert versus worker", measure] for measure in ("agreement", "kappa"))
    assert agreement["value"] == pytest.approx(3 / 4)
    assert kappa["value"] == pytest.approx(1 / 2)
    assert agreement["items"] == kappa["items"] == 4


def test_the_intervals_of_the_paper_are_those_of_the_bootstrap_over_texts() -> None:
    parameters = AgreementParameters(draws=5, replications=400, seed=3)

    rows = rows_of(TINY, parameters)

    for name, a, b in (
        ("expert versus expert", [3, 1, 1], [3, 2, 3]),
        ("expert versus worker", [3, 2, 2, 3], [3, 2, 2, 2]),
    ):
        wanted = bootstrap_agreement(a, b, categories=(1, 2, 3), replications=400, seed=3)
        kappa = rows[name, "kappa"]
        assert wanted.kappa == pytest.approx(kappa["value"])  # type: ignore[union-attr]
        assert wanted.kappa_interval.low == pytest.approx(kappa["paper_low"])  # type: ignore[union-attr]
        assert wanted.kappa_interval.high == pytest.approx(kappa["paper_high"])  # type: ignore[union-attr]
        assert wanted.kappa_interval.variance == pytest.approx(kappa["variance"])  # type: ignore[union-attr]
        assert kappa["draws"] == 400 - wanted.undefined_replications  # type: ignore[union-attr]


def test_of_many_experts_the_first_two_by_name_stand_against_each_other_and_all_against_the_crowd() -> None:
    rows = rows_of(
        released(
            ((3,), {E11: 1, E10: 3, E2: 3}),
            ((1,), {E11: 3, E2: 1, E10: 1}),
            ((2,), {E11: 2, E10: 2}),
        )
    )

    assert rows["expert versus expert", "agreement"]["value"] == 1
    assert rows["expert versus expert", "agreement"]["items"] == 3
    # Means of the experts: 7/3, 5/3, 2.
    assert rows["expert versus worker", "agreement"]["value"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("texts", "name", "reason"),
    [
        ([((3, 2), {})], "expert versus expert", "no expert has rated texts of this release"),
        ([((3, 2), {})], "expert versus worker", "no expert has rated texts of this release"),
        ([((3, 2), {E2: 3}), ((1,), {E10: 1})], "expert versus expert", "no item has two ratings"),
        ([((3, 3), {E2: 3, E10: 3})], "expert versus expert", "all ratings are in one category"),
        ([((3, 3), {E2: 3, E10: 3})], "expert versus worker", "all ratings are in one category"),
    ],
)
def test_agreement_of_experts_that_does_not_exist_is_undefined_with_its_reason(
    texts: list[tuple[Points, dict[str, int]]], name: str, reason: str
) -> None:
    rows = rows_of(released(*texts))

    one_category = reason == "all ratings are in one category"
    for measure in ("kappa",) if one_category else ("agreement", "kappa"):
        row = rows[name, measure]
        assert row["undefined"] == reason
        assert (row["value"], row["low"], row["high"]) == (None, None, None)
    if one_category:
        assert (rows[name, "agreement"]["value"], rows[name, "agreement"]["low"]) == (1, None)


def test_what_experts_say_changes_no_number_of_the_crowd() -> None:
    without = [replace(each, texts=[ReleasedText("Text.", ("1",), each.texts[0].ratings)]) for each in TINY]

    with_experts, alone = rows_of(TINY), rows_of(without)

    assert {key: row for key, row in with_experts.items() if "expert" not in key[0]} == {
        key: row for key, row in alone.items() if "expert" not in key[0]
    }


def two_columns(folder: Path, scale: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Of a complete file: the points of two experts, and the rounded means of experts and of the crowd."""
    pairs, means = [], []
    for line in (folder / "corpus.jsonl").read_text().splitlines():
        for each in json.loads(line)["compressions"]:
            if "expert_ratings" not in each:
                continue
            ordered = sorted(each["expert_ratings"], key=lambda rating: int(rating["rater"]))
            points = [rating["scores"][scale] for rating in ordered]
            crowd = [rating["scores"][scale] for rating in each["ratings"]]
            pairs.append((points[0], points[1]))
            means.append((round_half_up(points), round_half_up(crowd)))
    return pairs, means


def round_half_up(points: list[int]) -> int:
    return int(np.floor(np.mean(points) + 0.5))


@pytest.mark.django_db(transaction=True)
def test_the_agreement_of_a_release_has_the_rows_of_experts_with_their_values(owner: User) -> None:
    campaign = watched_campaign(owner)
    draw(campaign, 12)
    for name, shift in (("prof", 0), ("prof too", 1)):
        expert = enrol(campaign, EXPERT, name)
        while assignment := assignment_claim(enrolment=expert):
            number = int(assignment.item.expert_item.target.source.source_id)
            rate(expert, assignment, meaning=1 + (number * (1 + shift)) % 3, grammar=1 + number % (2 + shift))
    release = freeze(campaign)
    client, address = staff_client(owner), f"/campaigns/{campaign.slug}/releases/1/agreement"

    page = readable(client.post(f"{address}/reports/", follow=True))

    rows = {
        (row["scale"], row["comparison"], row["measure"]): row
        for row in csv.DictReader(io.StringIO(client.get(f"{address}.csv").content.decode()))
    }
    for scale in ("meaning", "grammar"):
        pairs, means = two_columns(release_folder(release), scale)
        for name, columns in (("expert versus expert", pairs), ("expert versus worker", means)):
            a, b = zip(*columns, strict=True)
            kappa = cohen_kappa_score(a, b, labels=[1, 2, 3], weights="quadratic")
            assert float(rows[scale, name, "kappa"]["value"]) == pytest.approx(kappa)
            agreement = sum(one == other for one, other in columns) / len(columns)
            assert float(rows[scale, name, "agreement"]["value"]) == pytest.approx(agreement)
            assert rows[scale, name, "kappa"]["items"] == "12"
            assert f"{kappa:.3f}" in page


@pytest.mark.django_db(transaction=True)
def test_without_experts_the_agreement_page_says_so(owner: User) -> None:
    campaign = judged_campaign(owner=owner)
    freeze(campaign)

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/releases/1/agreement/reports/", follow=True)

    assert readable(page).count("no expert has rated texts of this release") == 12


def test_the_dashboard_shows_the_round_of_experts_only_where_they_were_asked(owner: User) -> None:
    campaign = judged_campaign(owner=owner, sources=2)
    client, address = staff_client(owner), f"/campaigns/{campaign.slug}/"
    assert 'aria-labelledby="round-expert"' not in readable(client.get(address))

    draw(campaign, 2)
    rate_next(enrol(campaign, EXPERT, "prof"))

    panel = re.sub(r"<[^>]*>|\s+", " ", section(readable(client.get(address)), "round-expert"))
    assert re.search(r"25% +done", panel)
