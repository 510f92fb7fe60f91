"""Keeping people out: their places go to others, their work counts no more, and both can be undone."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from common.errors import Refused
from compressions.models import Pair, Target
from compressions.services.outputs import Output, outputs_add
from crowd.models import Assignment, Campaign, Enrolment, Exclusion, Item, Role, Round
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.selectors.progress import round_progress
from crowd.services.claims import assignment_claim
from crowd.services.members import member_set
from crowd.services.remarks import task_skip
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import Rating
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    judged_campaign,
    lease_run_out,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    rate_next,
    readable,
    staff_client,
    submit_text,
    worker_client,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

State = Assignment.State
TEXT, OTHER_TEXT = "The committee met.", "The committee agreed."
WHY = "clicks through"


def campaign_of_texts(*texts: str, **settings: Any) -> Campaign:
    """A campaign with one source, and these texts of the editors editor-1, editor-2 and so on."""
    campaign = make_campaign(sources=1, gold_percent=0, **({"editors_per_source": 9} | settings))
    for number, text in enumerate(texts, start=1):
        submit_text(enrol(campaign, EDIT, f"editor-{number}"), text)
    return campaign


def person_of(campaign: Campaign, name: str, work_round: str = RATE) -> Enrolment:
    people = Enrolment.objects.select_related("worker__campaign", "link__campaign")
    return people.get(worker__campaign=campaign, worker__external_id=name, round=work_round)


def page_of(person: Enrolment) -> str:
    return f"/campaigns/{person.campaign.slug}/people/{person.worker.number}/"


def staff_of(person: Enrolment) -> Client:
    return staff_client(person.campaign.staff.get())


def exclude(person: Enrolment, note: str = WHY) -> Any:
    return staff_of(person).post(f"{page_of(person)}exclude/{person.round}/", {"note": note})


def readmit(person: Enrolment) -> Any:
    return staff_of(person).post(f"{page_of(person)}exclude/{person.round}/", {"excluded": "0"})


def judged_by(campaign: Campaign, name: str, *points: tuple[int, int]) -> Enrolment:
    """A rater who gives these points, one text after another."""
    rater = enrol(campaign, RATE, name)
    for meaning, grammar in points:
        assert rate_next(rater, meaning, grammar) is not None
    return rater


def newcomer_finds_work(campaign: Campaign) -> bool:
    return assignment_claim(enrolment=enrol(campaign, RATE)) is not None


def ratings_that_count(text: str) -> int:
    return Assignment.objects.filter(item__target__text=text, round=RATE, state=State.SUBMITTED).count()


def all_come(campaign: Campaign) -> None:
    """Fresh raters come until there is nothing left to judge."""
    while rate_all(enrol(campaign, RATE)):
        pass


# The page of a person


def test_staff_exclude_a_rater_and_let_them_in_again() -> None:
    campaign = campaign_of_texts(TEXT)
    rater = judged_by(campaign, "ann", (1, 2))
    staff = staff_of(rater)

    page = readable(staff.post(f"{page_of(rater)}exclude/rate/", {"note": WHY}, follow=True))
    assert "This participant gets no more work; their places are open to others." in page
    assert "Let this participant work again" in page

    page = readable(staff.post(f"{page_of(rater)}exclude/rate/", {"excluded": "0"}, follow=True))
    assert "This participant can work again, and their work counts." in page
    assert "Exclude from the rater round, because" in page


def test_the_page_of_a_person_tells_their_work_and_every_exclusion() -> None:
    campaign = campaign_of_texts(TEXT)
    rater = judged_by(campaign, "ann", (1, 2))
    for note in ("clicks through", "once more"):
        exclude(rater, note)
        readmit(rater)

    page = readable(staff_of(rater).get(page_of(rater)))

    assert TEXT in page
    assert "meaning 1" in page
    assert "clicks through" in page
    assert "once more" in page
    assert campaign.staff.get().username in page


def test_a_viewer_is_not_told_who_a_person_is_on_their_platform() -> None:
    campaign = campaign_of_texts(TEXT)
    rater, viewer = judged_by(campaign, "ann", (1, 2)), make_staff()
    member_set(campaign=campaign, member=viewer, role=Role.VIEWER, user=None)

    seen_by_owner, seen_by_viewer = (
        readable(staff_client(user).get(page_of(rater))).replace("annotation", "").split("<main")[1]
        for user in (campaign.memberships.get(role=Role.OWNER).user, viewer)
    )

    assert "ann" in seen_by_owner
    assert "ann" not in seen_by_viewer


def test_the_raters_page_says_who_is_excluded() -> None:
    campaign = campaign_of_texts(TEXT)
    rater = judged_by(campaign, "ann", (1, 2))
    exclude(rater)

    assert "<strong>excluded</strong>" in readable(
        staff_of(rater).get(f"/campaigns/{campaign.slug}/participants/rate/")
    )


@pytest.mark.parametrize("note", ["", "   ", "x" * 501])
def test_who_is_excluded_is_so_for_a_reason(note: str) -> None:
    rater = judged_by(campaign_of_texts(TEXT), "ann", (1, 2))

    assert exclude(rater, note).status_code == 422
    assert not Exclusion.objects.exists()
    assert not person_of(rater.campaign, "ann").is_excluded


def test_a_service_asks_for_a_reason_too() -> None:
    rater = judged_by(campaign_of_texts(TEXT), "ann", (1, 2))

    with pytest.raises(Refused, match="Say why this person is excluded"):
        person_exclude(worker=rater.worker, work_round=RATE, note=" ", user=None)


def test_excluding_twice_is_one_exclusion() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))

    for note in ("clicks through", "another click"):
        exclude(rater, note)

    assert Exclusion.objects.get().note == "clicks through"
    assert Item.objects.get(round=RATE).open_slots == 1


def test_readmitting_twice_changes_nothing_more() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))
    exclude(rater)
    judged_by(campaign, "ben", (3, 3))

    for _ in range(2):
        readmit(rater)

    item = Item.objects.get(round=RATE)
    assert (item.wanted, item.open_slots) == (2, 0)


def test_nobody_excludes_people_of_another_campaign_or_round() -> None:
    rater = judged_by(campaign_of_texts(TEXT), "ann", (1, 2))
    stranger = make_campaign(owner=make_staff("stranger"))

    assert staff_client(stranger.staff.get()).post(f"{page_of(rater)}exclude/rate/", {"note": WHY}).status_code == 404
    assert staff_of(rater).post(f"{page_of(rater)}exclude/edit/", {"note": WHY}).status_code == 404
    address = f"/campaigns/{rater.campaign.slug}/people/99/exclude/rate/"
    assert staff_of(rater).post(address, {"note": WHY}).status_code == 404
    assert not Exclusion.objects.exists()


# Places


def test_the_place_of_an_excluded_rater_goes_to_another_person() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))
    assert not newcomer_finds_work(campaign)

    exclude(rater)

    assert judged_by(campaign, "ben", (3, 3)) is not None
    assert not newcomer_finds_work(campaign)


def test_the_text_in_the_hands_of_an_excluded_rater_goes_to_another_person() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = enrol(campaign, RATE, "ann")
    assert assignment_claim(enrolment=rater) is not None

    exclude(rater)

    assert newcomer_finds_work(campaign)


def test_the_place_of_an_excluded_editor_goes_to_another_person() -> None:
    campaign = campaign_of_texts(TEXT, editors_per_source=1)

    exclude(person_of(campaign, "editor-1", EDIT))

    assert submit_text(enrol(campaign, EDIT, "another"), OTHER_TEXT).text == OTHER_TEXT
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is None


def test_nothing_of_an_excluded_person_is_deleted() -> None:
    campaign = campaign_of_texts(TEXT)
    rater = judged_by(campaign, "ann", (1, 2))
    exclude(rater)
    exclude(person_of(campaign, "editor-1", EDIT))

    assert Rating.objects.filter(worker=rater.worker).count() == 1
    assert Target.objects.get().compressions.count() == 1


# The excluded person's pages


def rater_with_an_open_page() -> tuple[Client, Assignment]:
    campaign = campaign_of_texts(TEXT, OTHER_TEXT)
    client = worker_client(campaign, RATE, "ann")
    exclude(person_of(campaign, "ann"))
    return client, Assignment.objects.get(worker__external_id="ann", round=RATE)


def send(client: Client, task: Assignment, point: int = 3) -> Any:
    chosen = {f"meaning-{task.pk}": str(point), f"grammar-{task.pk}": str(point)}
    return client.post(f"/work/rate/{task.pk}/", {"tasks": str(task.pk), f"version-{task.pk}": "1", **chosen})


def test_the_open_page_of_an_excluded_rater_cannot_submit() -> None:
    client, task = rater_with_an_open_page()

    page = send(client, task)

    assert page.status_code == 409
    assert "Your part in this study has ended" in readable(page)
    assert not Rating.objects.exists()


def test_the_open_page_of_an_excluded_rater_does_not_take_its_place_back() -> None:
    """An open page renews its lease every now and then, all by itself."""
    client, task = rater_with_an_open_page()

    assert client.post(f"/work/tasks/{task.pk}/renew/").status_code == 409
    assert send(client, task).status_code == 409
    assert not Rating.objects.exists()
    assert not Assignment.objects.filter(worker=task.worker, state__in=[State.LEASED, State.SUBMITTED]).exists()


def test_the_open_page_of_an_excluded_editor_does_not_take_its_place_back() -> None:
    campaign = make_campaign(sources=1)
    client = worker_client(campaign, EDIT, "eve")
    exclude(person_of(campaign, "eve", EDIT))
    task = Assignment.objects.get(worker__external_id="eve")

    assert client.post(f"/work/tasks/{task.pk}/renew/").status_code == 409
    assert Item.objects.get(round=EDIT).open_slots == campaign.editors_per_source


def test_an_excluded_rater_is_given_no_other_text() -> None:
    client, task = rater_with_an_open_page()

    assert not client.post("/work/next/")["Location"].startswith("/work/rate/")
    assert not Assignment.objects.filter(worker=task.worker, state=State.LEASED).exists()


def test_an_excluded_rater_changes_no_answer() -> None:
    campaign = campaign_of_texts(TEXT, OTHER_TEXT)
    client = worker_client(campaign, RATE, "ann")
    task = Assignment.objects.get(worker__external_id="ann", state=State.LEASED)
    send(client, task, 3)
    exclude(person_of(campaign, "ann"))

    send(client, task, 1)

    rating = Rating.objects.get()
    assert rating.version == 1
    assert set(rating.scores.values_list("value", flat=True)) == {3}


def test_who_is_excluded_from_one_round_may_work_in_the_other() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2)
    submit_text(enrol(campaign, EDIT, "bob"), TEXT)
    ann = enrol(campaign, RATE, "ann")
    assert assignment_claim(enrolment=ann) is not None
    exclude(ann)

    assert assignment_claim(enrolment=enrol(campaign, EDIT, "ann")) is not None


def test_who_is_readmitted_works_on() -> None:
    client, task = rater_with_an_open_page()
    client.post("/work/next/")

    readmit(person_of(task.worker.campaign, "ann"))

    assert client.post("/work/next/")["Location"].startswith("/work/rate/")


# Texts of an excluded editor


def test_a_text_that_only_an_excluded_editor_wrote_is_given_to_no_more_raters() -> None:
    campaign = campaign_of_texts(TEXT)
    author = person_of(campaign, "editor-1", EDIT)
    judged_by(campaign, "ann", (3, 3))

    exclude(author)
    assert not newcomer_finds_work(campaign)

    readmit(author)
    all_come(campaign)
    assert ratings_that_count(TEXT) == campaign.raters_per_compression


def test_a_text_in_the_hands_of_a_rater_may_still_be_judged() -> None:
    campaign = campaign_of_texts(TEXT)
    rater = enrol(campaign, RATE, "ann")
    task = assignment_claim(enrolment=rater)
    assert task is not None

    exclude(person_of(campaign, "editor-1", EDIT))

    assert rate(rater, task, meaning=3, grammar=3).pk is not None


def test_a_text_that_somebody_else_wrote_too_goes_on() -> None:
    campaign = campaign_of_texts(TEXT, TEXT)

    exclude(person_of(campaign, "editor-1", EDIT))
    assert newcomer_finds_work(campaign)

    exclude(person_of(campaign, "editor-2", EDIT))
    assert not newcomer_finds_work(campaign)


@pytest.mark.parametrize("name", ["editor-1", "editor-2"])
def test_a_text_goes_on_when_either_of_its_excluded_authors_is_readmitted(name: str) -> None:
    campaign = campaign_of_texts(TEXT, TEXT)
    for each in ("editor-1", "editor-2"):
        exclude(person_of(campaign, each, EDIT))

    readmit(person_of(campaign, name, EDIT))

    all_come(campaign)
    assert ratings_that_count(TEXT) == campaign.raters_per_compression


def add_output(campaign: Campaign, text: str) -> None:
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "1", text)])


def test_a_text_that_a_system_made_too_goes_on() -> None:
    campaign = campaign_of_texts(TEXT)
    add_output(campaign, TEXT)

    exclude(person_of(campaign, "editor-1", EDIT))

    assert newcomer_finds_work(campaign)


def write_it_again(campaign: Campaign) -> None:
    submit_text(enrol(campaign, EDIT, "another"), TEXT)


def have_a_system_make_it(campaign: Campaign) -> None:
    add_output(campaign, TEXT)


@pytest.mark.parametrize("make", [write_it_again, have_a_system_make_it])
def test_a_text_of_an_excluded_editor_that_another_makes_later_is_judged(make: Callable[[Campaign], None]) -> None:
    campaign = campaign_of_texts(TEXT)
    exclude(person_of(campaign, "editor-1", EDIT))

    make(campaign)

    all_come(campaign)
    assert ratings_that_count(TEXT) == campaign.raters_per_compression


def let_it_run_out(_rater: Enrolment, task: Assignment) -> None:
    lease_run_out(task)


def say_one_cannot_judge(rater: Enrolment, task: Assignment) -> None:
    task_skip(enrolment=rater, assignment_id=task.pk, reason="unclear", text="")


def be_excluded(rater: Enrolment, _task: Assignment) -> None:
    exclude(rater)


def judge_and_be_excluded(rater: Enrolment, task: Assignment) -> None:
    rate(rater, task, meaning=1, grammar=1)
    exclude(rater)


give_back_somehow = pytest.mark.parametrize(
    "give_back", [let_it_run_out, say_one_cannot_judge, be_excluded, judge_and_be_excluded]
)
GiveBack = Callable[[Enrolment, Assignment], None]


@give_back_somehow
def test_a_place_given_back_does_not_open_the_text_of_an_excluded_editor(give_back: GiveBack) -> None:
    campaign = campaign_of_texts(TEXT)
    rater = enrol(campaign, RATE, "ann")
    task = assignment_claim(enrolment=rater)
    assert task is not None

    exclude(person_of(campaign, "editor-1", EDIT))
    give_back(rater, task)

    assert not newcomer_finds_work(campaign)


@give_back_somehow
def test_a_place_given_back_while_the_editor_was_excluded_is_not_lost(give_back: GiveBack) -> None:
    campaign = campaign_of_texts(TEXT)
    rater, author = enrol(campaign, RATE, "ann"), person_of(campaign, "editor-1", EDIT)
    task = assignment_claim(enrolment=rater)
    assert task is not None
    exclude(author)
    give_back(rater, task)

    readmit(author)

    all_come(campaign)
    assert ratings_that_count(TEXT) == campaign.raters_per_compression


def test_disagreement_about_the_text_of_an_excluded_editor_asks_for_no_more_raters() -> None:
    campaign = campaign_of_texts(TEXT, extra_raters=True)
    judged_by(campaign, "ann", (3, 3))
    judged_by(campaign, "ben", (3, 3))
    third = enrol(campaign, RATE, "cem")
    task = assignment_claim(enrolment=third)
    assert task is not None

    exclude(person_of(campaign, "editor-1", EDIT))
    rate(third, task, meaning=1, grammar=1)

    assert not newcomer_finds_work(campaign)


def test_the_extra_raters_of_a_text_come_after_its_editor_is_readmitted() -> None:
    campaign = campaign_of_texts(TEXT, extra_raters=True)
    author = person_of(campaign, "editor-1", EDIT)
    for name, point in (("ann", 3), ("ben", 3), ("cem", 1)):
        judged_by(campaign, name, (point, point))

    exclude(author)
    readmit(author)

    all_come(campaign)
    assert ratings_that_count(TEXT) == 5


def test_a_text_that_is_done_wants_nobody_else_after_its_editor_is_readmitted() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=2)
    author = person_of(campaign, "editor-1", EDIT)
    all_come(campaign)
    exclude(author)

    readmit(author)

    assert not newcomer_finds_work(campaign)


def side_by_side(*texts: str) -> Campaign:
    scales = scales_dump(scales_from_text("Overall: Which is better?", side_by_side=True))
    return campaign_of_texts(*texts, rating_task="pair", scales=scales)


def test_a_pair_with_a_text_of_an_excluded_editor_is_given_to_no_more_raters() -> None:
    campaign = side_by_side(TEXT, OTHER_TEXT)
    assert newcomer_finds_work(campaign)

    exclude(person_of(campaign, "editor-2", EDIT))

    assert not newcomer_finds_work(campaign)


def test_after_readmission_the_pair_is_judged_again_and_nothing_but_pairs() -> None:
    campaign = side_by_side(TEXT, OTHER_TEXT)
    author = person_of(campaign, "editor-2", EDIT)
    exclude(author)

    readmit(author)

    rater = enrol(campaign, RATE)
    task = assignment_claim(enrolment=rater)
    assert task is not None
    assert task.item == Pair.objects.get().item
    rate(rater, task, overall=1)
    assert assignment_claim(enrolment=rater) is None


def test_a_new_text_beside_one_of_an_excluded_editor_is_given_to_nobody() -> None:
    campaign = side_by_side(TEXT)
    exclude(person_of(campaign, "editor-1", EDIT))

    submit_text(enrol(campaign, EDIT, "another"), OTHER_TEXT)

    assert not newcomer_finds_work(campaign)


def test_what_is_done_is_never_more_than_what_is_wanted() -> None:
    campaign = campaign_of_texts(TEXT, OTHER_TEXT, raters_per_compression=1)
    all_come(campaign)

    exclude(person_of(campaign, "editor-1", EDIT))

    progress = round_progress(campaign, RATE)
    assert (progress.items, progress.complete_items, progress.share_done) == (1, 1, 1.0)


# Work that counts


def test_the_work_of_a_readmitted_rater_takes_its_free_place_again() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))
    exclude(rater)

    readmit(rater)

    item = Item.objects.get(round=RATE)
    assert (item.wanted, item.open_slots) == (1, 0)
    assert ratings_that_count(TEXT) == 1


def test_the_work_of_a_readmitted_rater_counts_in_addition_where_its_place_was_taken() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))
    exclude(rater)
    judged_by(campaign, "ben", (3, 3))

    readmit(rater)

    item = Item.objects.get(round=RATE)
    assert (item.wanted, item.open_slots) == (2, 0)
    assert ratings_that_count(TEXT) == 2
    assert freeze(campaign).summary["ratings"] == 2


def test_a_rater_readmitted_while_the_text_is_not_given_out_takes_a_free_place() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=2)
    rater, author = judged_by(campaign, "ann", (1, 2)), person_of(campaign, "editor-1", EDIT)
    exclude(rater)
    exclude(author)

    readmit(rater)
    readmit(author)

    all_come(campaign)
    assert ratings_that_count(TEXT) == 2


def test_the_work_of_a_readmitted_editor_counts_in_addition_where_its_place_was_taken() -> None:
    campaign = campaign_of_texts(TEXT, editors_per_source=1)
    author = person_of(campaign, "editor-1", EDIT)
    exclude(author)
    submit_text(enrol(campaign, EDIT, "another"), OTHER_TEXT)

    readmit(author)

    item = Item.objects.get(round=EDIT)
    assert (item.wanted, item.open_slots) == (2, 0)


@pytest.mark.parametrize(("discarded", "last", "are_more_wanted"), [(1, 3, False), (3, 1, True), (3, 3, False)])
def test_ratings_set_aside_ask_for_no_more_raters(*, discarded: int, last: int, are_more_wanted: bool) -> None:
    """The first three that count are by ann, ben and cem, whatever the excluded rater said."""
    campaign = campaign_of_texts(TEXT, extra_raters=True)
    judged_by(campaign, "ann", (3, 3))
    exclude(judged_by(campaign, "out", (discarded, discarded)))
    judged_by(campaign, "ben", (3, 3))

    judged_by(campaign, "cem", (last, last))

    assert Item.objects.get(round=RATE).is_extended is are_more_wanted


# Quality and releases


def manifest_of(campaign: Campaign) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((release_folder(freeze(campaign)) / "manifest.json").read_text())
    return loaded


def test_a_release_leaves_out_what_an_excluded_rater_said_and_says_so() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (1, 1)))
    rater = person_of(campaign, "rater-2")
    exclude(rater)

    manifest = manifest_of(campaign)

    assert manifest["summary"]["ratings"] == 2
    assert manifest["summary"]["mean_over_compressions"] == {"meaning": 3.0, "grammar": 3.0}
    assert manifest["summary"]["left_out"]["removed_raters"] == 1
    assert manifest["summary"]["left_out"]["ratings_of_removed_raters"] == 2
    out = {"worker": rater.worker.public_name, "round": "rate", "reason": "excluded by hand"}
    assert manifest["left_out_workers"] == [out]


def test_a_release_leaves_out_what_only_an_excluded_editor_wrote_and_says_so() -> None:
    campaign = campaign_of_texts(TEXT, OTHER_TEXT, raters_per_compression=1)
    all_come(campaign)
    author = person_of(campaign, "editor-1", EDIT)
    exclude(author)

    manifest = manifest_of(campaign)

    assert manifest["summary"]["compressions"] == 1
    assert manifest["summary"]["left_out"]["texts_of_removed_editors"] == 1
    out = {"worker": author.worker.public_name, "round": "edit", "reason": "excluded by hand"}
    assert manifest["left_out_workers"] == [out]


def test_a_release_after_readmission_holds_everything_again() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (1, 1)))
    rater = person_of(campaign, "rater-2")
    exclude(rater)
    readmit(rater)

    manifest = manifest_of(campaign)

    assert manifest["summary"]["ratings"] == 4
    assert manifest["left_out_workers"] == []


def test_a_release_stays_as_it_was_when_somebody_is_excluded_later() -> None:
    campaign = judged_campaign(sources=1)
    release = freeze(campaign)
    before = (release_folder(release) / "corpus.jsonl").read_bytes()

    exclude(person_of(campaign, "rater-2"))

    assert (release_folder(release) / "corpus.jsonl").read_bytes() == before
    assert freeze(campaign).summary["ratings"] == 1


def test_a_rule_is_told_who_is_excluded_and_judges_nobody_by_their_work() -> None:
    campaign = judged_campaign(sources=6, editors=2, scores=((3, 3), (3, 3), (1, 1)))
    exclude(person_of(campaign, "rater-3"))
    exclude(person_of(campaign, "editor-2", EDIT))

    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))

    manual = set(run.decisions.filter(is_by_hand=True).values_list("round", "worker__external_id", "reason"))
    assert manual == {(RATE, "rater-3", "excluded by hand"), (EDIT, "editor-2", "excluded by hand")}
    assert set(run.decisions.filter(round=RATE, is_by_hand=False).values_list("quality", flat=True)) == {0.0}
    assert (run.summary["raters"]["eligible"], run.summary["editors"]["eligible"]) == (2, 1)


def test_ratings_of_texts_of_an_excluded_editor_say_nothing_about_raters() -> None:
    """Who judged ten texts, five of them by an excluded editor, has judged five."""
    campaign = judged_campaign(sources=5, editors=2, scores=((3, 3), (2, 2)))
    exclude(person_of(campaign, "editor-2", EDIT))

    run = quality_apply(campaign=campaign, parameters=FilterParameters())

    assert set(run.decisions.filter(round=RATE).values_list("items", flat=True)) == {5}


def test_people_are_excluded_by_services_as_by_the_page() -> None:
    campaign = campaign_of_texts(TEXT, raters_per_compression=1)
    rater = judged_by(campaign, "ann", (1, 2))

    person_exclude(worker=rater.worker, work_round=Round.RATE, note=WHY, user=None)
    assert newcomer_finds_work(campaign)
    person_readmit(worker=rater.worker, work_round=Round.RATE, user=None)

    assert Exclusion.objects.get().withdrawn_at is not None
