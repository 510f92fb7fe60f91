"""What becomes of the texts of somebody whose data are erased, of what was said of them, and of releases."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Q

from common.clock import database_now
from common.errors import Refused
from compressions.models import Compression, Pair, Target
from compressions.services.outputs import Output, outputs_add
from compressions.services.targets import texts_close
from corpus.models import Release
from corpus.selectors import release_sources
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment, Item, Round, Worker
from crowd.pay import pay_of_round
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.selectors.progress import round_progress
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_finish
from ratings.models import ExpertItem, Rating, RatingCounts, RatingVersion
from ratings.selectors.rating_counts import rating_summary_now
from ratings.selectors.rating_tasks import rating_summary
from ratings.selectors.visits import visitors_of_round
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.experts import expert_sample_draw
from ratings.services.rating_counts import rating_counts_advance
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
    readable,
    staff_client,
    submit_text,
    worker_client,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

GOES: dict[str, Any] = {"texts_go_on_erasure": True}
TEXT, OTHER_TEXT = "The committee met.", "The committee agreed."


def erase(campaign: Campaign, name: str) -> str:
    """Erase somebody by the page, and read what it said before of releases."""
    worker = Worker.objects.get(campaign=campaign, external_id=name)
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/people/{worker.number}/erase/"
    page = readable(client.get(address))
    assert client.post(address, {"is_settled": "on"}).status_code == 302
    worker.refresh_from_db()
    assert worker.erased_at
    return page.split("Releases that hold")[1]


def number_of(name: str) -> str:
    return Worker.objects.get(external_id=name).public_name


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def nothing_dangles(campaign: Campaign) -> bool:
    """All open work of raters and experts is about something, and every text was made by somebody."""
    texts_close(campaign=campaign)  # as any decision about somebody's texts does
    judged = Item.objects.filter(campaign=campaign, is_closed=False).exclude(round=EDIT)
    empty = judged.filter(target=None, pair=None, gold=None, expert_item=None)
    orphans = Target.objects.filter(source__campaign=campaign, compressions=None, outputs=None)
    return not empty.exists() and not orphans.exists()


def side_by_side() -> Campaign:
    scales = scales_dump(scales_from_text("Overall: Which is better?", side_by_side=True))
    people = {"editors_per_source": 3, "raters_per_compression": 1, "editor_tasks": 9, "rater_tasks": 99}
    settings = {"rating_task": "pair", "scales": scales, **people, **GOES}
    campaign = make_campaign(sources=2, **settings)
    edit_all(campaign, 3)
    rater = enrol(campaign, RATE, "rater-1")
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, overall=1)
    return campaign


# Texts that stay


def test_texts_and_their_judgements_stay_without_a_record_of_how_they_were_written() -> None:
    campaign = judged_campaign(sources=2, editors=2)
    texts, number = set(Target.objects.values_list("text", flat=True)), number_of("editor-1")
    before = freeze(campaign).summary

    erase(campaign, "editor-1")

    release = freeze(campaign)
    assert {text.text for source in release_sources(release) for text in source.texts} == texts
    assert release.summary == before | {"edit_logs": before["edit_logs"] - 2}
    for name in ("edit_logs.jsonl", "compressionhistory.tsv"):
        first, second = ((release_folder(Release.objects.get(version=each)) / name).read_text() for each in (1, 2))
        assert len(second.splitlines()) < len(first.splitlines())
    logs = (release_folder(release) / "edit_logs.jsonl").read_text()
    assert f'"editor": "{number}"' not in logs
    assert f'"editor": "{number_of("editor-2")}"' in logs


def test_judgements_of_an_erased_rater_stay_as_numbers() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (1, 2)))
    before = freeze(campaign).summary

    erase(campaign, "rater-2")

    assert freeze(campaign).summary == before


# Texts that go


def test_texts_go_with_all_that_was_said_of_them() -> None:
    campaign = judged_campaign(sources=3, editors=2, **GOES)
    expert_sample_draw(campaign=campaign, size=6, seed=1, experts=1)
    rate_all(enrol(campaign, "expert", "expert-1"))
    assert Rating.objects.count() == 18

    erase(campaign, "editor-1")

    assert {text[-2] for text in Target.objects.values_list("text", flat=True)} == {"2"}
    assert Compression.objects.count() == Target.objects.count() == ExpertItem.objects.count() == 3
    assert Rating.objects.count() == 9
    assert Item.objects.filter(campaign=campaign, is_closed=False).count() == 3 + 3 + 3
    assert nothing_dangles(campaign)


@pytest.mark.parametrize("texts_go", [False, True])
def test_what_was_owed_stays_known(texts_go: bool) -> None:
    campaign = judged_campaign(
        sources=3, editors=2, texts_go_on_erasure=texts_go, editor_pay="3.50", editor_pay_unit="text", editor_tasks=3
    )
    for name, work_round in (("editor-1", EDIT), ("rater-1", RATE)):
        enrolment_finish(enrolment=Enrolment.objects.get(worker__external_id=name, round=work_round))
    owed = [books(campaign, work_round) for work_round in (EDIT, RATE)]
    ((_number, outcome, code, submitted, pay), _other) = owed[0]
    assert (outcome, bool(code), submitted, pay) == ("done", True, 3, Decimal("10.50"))

    erase(campaign, "editor-1")
    erase(campaign, "rater-1")

    assert [books(campaign, work_round) for work_round in (EDIT, RATE)] == owed
    with pytest.raises(Refused, match="erased"):
        person_readmit(worker=Worker.objects.get(number=owed[0][0][0]), work_round=EDIT, user=None)


def books(campaign: Campaign, work_round: str) -> list[tuple[int, str, str, int, Decimal | None]]:
    """What came of each visit, the code that was shown, what was submitted, and the pay for it."""
    pay = pay_of_round(campaign, Round(work_round))
    visits = [visit for visitor in visitors_of_round(campaign, work_round) for visit in visitor.visits]
    return [
        (each.worker.number, each.outcome, each.code, each.work.submitted, pay.of_person(each.work.submitted))
        for each in visits
    ]


def test_the_place_of_a_text_that_went_is_open_to_somebody_new() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, **GOES)
    submit_text(enrol(campaign, EDIT, "ann"), TEXT)
    assert assignment_claim(enrolment=enrol(campaign, EDIT, "ben")) is None

    erase(campaign, "ann")

    assert round_progress(campaign, EDIT).share_done == 0
    submit_text(enrol(campaign, EDIT, "cem"), TEXT)
    assert Item.objects.get(round=EDIT).open_slots == 0
    assert rate_all(enrol(campaign, RATE, "dan")) == 1


def test_who_was_erased_gets_the_source_again_as_somebody_new() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, **GOES)
    submit_text(enrol(campaign, EDIT, "ann"), TEXT)
    erase(campaign, "ann")

    assert submit_text(enrol(campaign, EDIT, "ann"), OTHER_TEXT).worker.number == 2


def test_a_text_that_somebody_else_wrote_too_stays_as_theirs() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2, raters_per_compression=1, **GOES)
    for name in ("ann", "ben"):
        submit_text(enrol(campaign, EDIT, name), TEXT)
    rate_all(enrol(campaign, RATE))

    erase(campaign, "ann")

    (source,) = release_sources(freeze(campaign))
    assert [(text.text, text.editors, len(text.ratings)) for text in source.texts] == [(TEXT, (number_of("ben"),), 1)]
    assert Item.objects.get(round=EDIT).open_slots == 1


def test_a_text_that_two_wrote_goes_with_the_second_of_them() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2, raters_per_compression=1, **GOES)
    for name in ("ann", "ben"):
        submit_text(enrol(campaign, EDIT, name), TEXT)
    rate_all(enrol(campaign, RATE))

    for name in ("ann", "ben"):
        erase(campaign, name)

    assert not Target.objects.exists()
    assert not Rating.objects.exists()
    assert Item.objects.get(round=EDIT).open_slots == 2


def test_what_a_system_made_too_stays_as_its_own() -> None:
    campaign = make_campaign(sources=1, raters_per_compression=1, **GOES)
    submit_text(enrol(campaign, EDIT, "ann"), TEXT)
    submit_text(enrol(campaign, EDIT, "ben"), "The bridge is old.")
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "1", TEXT)])
    rate_all(enrol(campaign, RATE))

    erase(campaign, "ann")

    (source,) = release_sources(freeze(campaign))
    assert [text.text for text in source.texts] == ["The bridge is old."]
    assert [(output.system, len(output.ratings)) for output in source.outputs] == [("lead", 1)]


def test_pairs_with_a_text_that_went_go_and_others_stay() -> None:
    campaign = side_by_side()
    gone = Q(first__text__endswith="version 1.") | Q(second__text__endswith="version 1.")
    others = set(Pair.objects.exclude(gone).values_list("pk", flat=True))
    assert len(others) == 2
    assert Pair.objects.filter(gone).count() == 4

    erase(campaign, "editor-1")

    assert set(Pair.objects.values_list("pk", flat=True)) == others
    assert set(Rating.objects.values_list("pair", flat=True)) == others
    assert nothing_dangles(campaign)
    release = freeze(campaign)
    assert (release.summary["comparisons"], release.summary["compressions"]) == (2, 4)


def test_a_rater_who_has_such_a_text_open_gets_another() -> None:
    campaign = make_campaign(sources=2, editors_per_source=1, gold_percent=0, **GOES)
    for name in ("ann", "ben"):
        submit_text(enrol(campaign, EDIT, name), TEXT)
    client = worker_client(campaign, RATE, "cem")
    task = Assignment.objects.get(worker__external_id="cem", state="leased")
    author = Compression.objects.get(target__item=task.item_id).worker.external_id

    erase(campaign, author)

    fields = {"tasks": str(task.pk), f"meaning-{task.pk}": "3", f"grammar-{task.pk}": "3"}
    assert client.post(f"/work/rate/{task.pk}/", fields).status_code == 404
    assert not Rating.objects.exists()
    assert client.post("/work/next/")["Location"].startswith("/work/rate/")


def test_the_work_of_somebody_excluded_goes_too() -> None:
    campaign = judged_campaign(sources=1, editors=2, **GOES)
    worker = Worker.objects.get(external_id="editor-1")
    person_exclude(worker=worker, work_round=EDIT, note="A bot.", user=None)

    erase(campaign, "editor-1")

    item = Item.objects.get(round=EDIT)
    assert (item.wanted, item.open_slots) == (2, 1)
    assert nothing_dangles(campaign)
    assert freeze(campaign).summary["compressions"] == 1


def test_when_all_texts_have_gone_there_is_nothing_to_release() -> None:
    campaign = judged_campaign(sources=1, **GOES)

    erase(campaign, "editor-1")

    with pytest.raises(Refused, match="nothing to release yet"):
        freeze(campaign)


# Releases


@pytest.mark.parametrize("make", [lambda: judged_campaign(sources=2, editors=2, **GOES), side_by_side])
@pytest.mark.parametrize("name", ["editor-1", "rater-1"])
def test_the_page_names_releases_with_work_of_theirs_and_these_stay(make: Callable[[], Campaign], name: str) -> None:
    campaign = make()
    releases = [freeze(campaign) for _ in range(2)]
    before = [contents(release_folder(release)) for release in releases]
    enrol(campaign, EDIT, "newcomer")

    assert all(release.name in erased for erased in [erase(campaign, name)] for release in releases)
    assert "None." in erase(campaign, "newcomer")

    assert [contents(release_folder(release)) for release in releases] == before
    address = f"/campaigns/{campaign.slug}/releases/1/files/corpus.jsonl"
    reply: Any = staff_client(campaign.staff.get()).get(address)
    assert b"".join(reply.streaming_content) == before[0]["corpus.jsonl"]


def test_a_release_after_an_erasure_holds_no_more_of_the_texts_that_went() -> None:
    campaign = judged_campaign(sources=2, editors=2, **GOES)
    release, number = freeze(campaign), number_of("editor-1")
    erase(campaign, "editor-1")

    later = freeze(campaign)

    assert release.name != later.name
    assert {text.editors for source in release_sources(later) for text in source.texts} == {(number_of("editor-2"),)}
    assert b"version 1." in b"".join(contents(release_folder(release)).values())
    assert b"version 1." not in b"".join(contents(release_folder(later)).values())
    assert f'"editor": "{number}"' not in (release_folder(later) / "edit_logs.jsonl").read_text()


def test_a_release_of_which_the_person_was_left_out_is_not_named() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (1, 1)))
    person_exclude(worker=Worker.objects.get(external_id="rater-2"), work_round=RATE, note="A bot.", user=None)
    freeze(campaign)

    assert "None." in erase(campaign, "rater-2")


def test_an_erasure_of_texts_with_their_ratings_makes_the_counts_begin_anew() -> None:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (1, 2)), texts_go_on_erasure=True)
    RatingVersion.objects.update(created_at=database_now() - timedelta(hours=1))
    rating_counts_advance(campaign=campaign)
    assert rating_summary_now(campaign).count == 12
    worker_erase(worker=campaign.workers.get(external_id="editor-1"))
    assert not RatingCounts.objects.exists()
    assert rating_summary_now(campaign) == rating_summary(campaign)
    rating_counts_advance(campaign=campaign)
    assert rating_summary_now(campaign) == rating_summary(campaign)
    assert rating_summary_now(campaign).count == 6
