"""A browser that was one participant and comes as another: neither meets the texts of the other, and staff see it."""

from typing import Any

import pytest
from django.test import Client

from compressions.models import Compression
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import compression_submit
from corpus.services.erasure import worker_erase
from crowd.models import (
    Assignment,
    BrowserRequest,
    Campaign,
    Enrolment,
    JoinLink,
    Round,
    Worker,
    WorkerBrowser,
)
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.browsers import browser_request_decide
from crowd.services.claims import TaskAhead, assignment_claim
from crowd.services.entry import guidelines_accept
from crowd.sessions import ARRIVAL_COOKIE, BROWSER_COOKIE, WORKER_COOKIE
from dashboard.services.previews import preview_create
from ratings.models import ExpertItem
from ratings.services.experts import expert_sample_draw
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    open_link,
    rate_all,
    readable,
    staff_client,
    submission_of,
    submit_text,
    version_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ID = "5f1c0ffee5f1c0ffee5f1c0"
State = Assignment.State


def prolific(campaign: Campaign, work_round: Round, **settings: Any) -> JoinLink:
    return open_link(campaign=campaign, work_round=work_round, platform_key="prolific", **settings)


def come(client: Client, link: JoinLink, digit: str = "") -> Enrolment:
    """Come by a link in a browser, by Prolific with an id that ends in `digit`; return who it is."""
    if digit:
        client.get(f"{link.get_absolute_url()}?PROLIFIC_PID={ID}{digit}")
    assert client.post(link.get_absolute_url()).headers["Location"] == "/work/"
    newest = Enrolment.objects.select_related("worker", "link__campaign").filter(link=link)
    enrolment = newest.get(worker__external_id=f"{ID}{digit}") if digit else newest.latest("pk")
    guidelines_accept(enrolment=enrolment)
    return enrolment


def given(enrolment: Enrolment) -> int | None:
    assignment = assignment_claim(enrolment=enrolment)
    return assignment.item_id if assignment else None


# What neither is given


def test_a_rater_by_a_direct_link_does_not_meet_what_the_browser_wrote_by_prolific() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    edit_next(come(browser, prolific(campaign, EDIT), "a"))
    assert given(come(browser, link_of(campaign, RATE))) is None
    assert given(come(Client(), link_of(campaign, RATE))) is not None
    assert Worker.objects.count() == 3


def test_what_is_written_after_both_have_come_is_kept_from_the_other_too() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    rater = come(browser, link_of(campaign, RATE))
    edit_next(come(browser, prolific(campaign, EDIT), "a"))
    assert given(rater) is None
    assert given(enrol(campaign, RATE)) is not None


def test_a_text_that_another_had_written_first_is_kept_from_the_other_too() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    browser = Client()
    rater, editor = come(browser, link_of(campaign, RATE)), come(browser, prolific(campaign, EDIT), "a")
    first = edit_next(enrol(campaign, EDIT))
    again = edit_next(editor)
    assert first is not None
    assert again is not None
    assert first.target == again.target
    assert given(rater) is None


def test_two_editors_of_a_browser_are_not_given_the_same_source() -> None:
    campaign = make_campaign(sources=2)
    browser, link = Client(), prolific(campaign, EDIT)
    first = come(browser, link, "a")
    done = edit_next(first)
    second = come(browser, link, "b")
    assert done is not None
    assert given(second) not in {None, done.source.item_id}


def test_nor_while_one_of_them_works_on_it() -> None:
    campaign = make_campaign(sources=1)
    browser, link = Client(), prolific(campaign, EDIT)
    first, second = come(browser, link, "a"), come(browser, link, "b")
    assert given(first) is not None
    assert given(second) is None
    assert given(enrol(campaign, EDIT)) is not None


def test_the_next_task_that_comes_with_a_submission_is_kept_from_the_other_too() -> None:
    campaign = make_campaign(sources=2)
    browser, link = Client(), prolific(campaign, EDIT)
    first, second = come(browser, link, "a"), come(browser, link, "b")
    task = assignment_claim(enrolment=first)
    assert task is not None
    source = source_of_assignment(task)
    ahead = TaskAhead(first, task)
    compression_submit(
        enrolment=first, assignment_id=task.pk, source=source, submission=submission_of(source), ahead=ahead
    )
    assert ahead.assignment_id is not None
    assert set(second.worker.assignments.values_list("state", "item__round")) == {
        (State.BLOCKED, EDIT),
        (State.BLOCKED, RATE),
    }
    assert given(second) is None


def test_side_by_side_no_pair_with_a_text_of_the_other_is_given() -> None:
    scales = scales_dump(scales_from_text("Style: Which reads better?", side_by_side=True))
    campaign = make_campaign(sources=1, editors_per_source=3, rating_task="pair", scales=scales)
    browser = Client()
    editor = come(browser, prolific(campaign, EDIT), "a")
    source = campaign.sources.get()
    submit_text(enrol(campaign, EDIT), version_of(source, 1))
    submit_text(editor, version_of(source, 2))
    rater = come(browser, link_of(campaign, RATE))
    submit_text(enrol(campaign, EDIT), version_of(source, 3))
    item = given(rater)
    other_pairs = Compression.objects.exclude(worker=editor.worker).values("target")
    pair = Assignment.objects.get(worker=rater.worker, item=item).item.pair
    assert {pair.first_id, pair.second_id} == {each["target"] for each in other_pairs}
    assert rater.worker.assignments.filter(item__pair__isnull=False, state=State.BLOCKED).count() == 2


def test_an_expert_is_not_given_what_the_browser_wrote_whoever_came_first() -> None:
    campaign = make_campaign(sources=2, raters_per_compression=1)
    browser = Client()
    editor = come(browser, prolific(campaign, EDIT), "a")
    edit_next(editor)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    link = open_link(campaign=campaign, work_round=Round.EXPERT, platform_key="direct")
    early = come(browser, link)
    expert_sample_draw(campaign=campaign, size=9, seed=1, experts=3)
    del browser.cookies[WORKER_COOKIE]
    late = come(browser, link)
    own = ExpertItem.objects.get(target__compressions__worker=editor.worker)
    assert early.worker != late.worker
    for expert in (early, late):
        assert expert.worker.assignments.get(item=own.item).state == State.BLOCKED
        assert given(expert) not in {None, own.item_id}


def test_an_expert_is_not_given_a_text_that_the_browser_wrote_again_after_the_sample() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2, gold_percent=0)
    first = edit_next(enrol(campaign, EDIT))
    rate_all(enrol(campaign, RATE))
    expert_sample_draw(campaign=campaign, size=1, seed=1, experts=2)
    browser, link = Client(), link_of(campaign, Round.EXPERT)
    expert, editor = come(browser, link), come(browser, prolific(campaign, EDIT), "a")
    again = edit_next(editor)
    assert first is not None
    assert again is not None
    assert again.target == first.target
    assert given(expert) is None
    assert given(come(Client(), link)) is not None


def test_what_was_given_before_stays() -> None:
    """Nothing is refused: a shared device looks the same."""
    campaign = make_campaign(sources=1)
    browser, link = Client(), prolific(campaign, EDIT)
    first, second = come(browser, link, "a"), come(Client(), link, "b")
    both = edit_next(first), assignment_claim(enrolment=second)
    request = request_to_go_on(browser, link, "b")
    browser_request_decide(request=request, allowed=True, user=None)
    assert all(both)
    assert edit_next(second) is not None
    assert Compression.objects.count() == 2


def request_to_go_on(browser: Client, link: JoinLink, digit: str) -> BrowserRequest:
    browser.get(f"{link.get_absolute_url()}?PROLIFIC_PID={ID}{digit}")
    assert browser.post(link.get_absolute_url()).status_code == 409
    return BrowserRequest.objects.latest("pk")


def test_a_browser_that_staff_let_in_is_a_browser_of_both() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    editor = come(browser, prolific(campaign, EDIT), "a")
    edit_next(editor)
    rating = prolific(campaign, RATE)
    rater = come(Client(), rating, "b")
    request = request_to_go_on(browser, rating, "b")
    assert WorkerBrowser.objects.filter(worker=rater.worker).count() == 1  # asking is not being let in
    browser_request_decide(request=request, allowed=True, user=None)
    assert given(rater) is None


def test_a_session_tells_the_browser_where_its_cookie_was_lost() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    edit_next(come(browser, prolific(campaign, EDIT), "a"))
    del browser.cookies[BROWSER_COOKIE]
    assert given(come(browser, prolific(campaign, RATE), "b")) is None


def test_two_raters_of_a_browser_may_rate_the_same_text() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    browser, link = Client(), prolific(campaign, RATE)
    first, second = come(browser, link, "a"), come(browser, link, "b")
    assert given(first) == given(second) is not None


# Who is not linked


def test_who_tries_the_study_out_changes_nothing_for_others() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    testing = open_link(campaign=campaign, work_round=EDIT, platform_key="prolific", is_test=True)
    edit_next(come(browser, testing, "a"))
    editor = come(browser, prolific(campaign, EDIT), "b")
    assert edit_next(editor) is not None
    tried = open_link(campaign=campaign, work_round=RATE, platform_key="prolific", is_test=True)
    assert given(come(browser, tried, "c")) is not None
    assert list(WorkerBrowser.objects.values_list("worker", flat=True)) == [editor.worker_id]


def test_a_preview_is_another_campaign() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    link = preview_create(campaign=campaign, work_round=EDIT)
    browser.post(link.get_absolute_url())
    come(browser, link_of(campaign, EDIT))
    assert WorkerBrowser.objects.values("browser_hash").distinct().count() == WorkerBrowser.objects.count() == 2
    assert not readable(person_page(campaign, Worker.objects.get(campaign=campaign))).count("Same browser")


def test_campaigns_are_apart() -> None:
    one, other, browser = make_campaign(sources=1), make_campaign(sources=1), Client()
    edit_next(come(browser, link_of(one, EDIT)))
    assert given(come(browser, link_of(other, EDIT))) is not None
    assert WorkerBrowser.objects.values("browser_hash").distinct().count() == 2


def test_people_with_browsers_of_their_own_share_nothing() -> None:
    campaign = make_campaign(sources=1)
    edit_next(come(Client(), link_of(campaign, EDIT)))
    assert given(come(Client(), link_of(campaign, RATE))) is not None
    assert "Same browser" not in readable(person_page(campaign, Worker.objects.latest("pk")))


# What is stored


def test_without_consent_nothing_is_stored_and_no_lasting_cookie_set() -> None:
    link = link_of(make_campaign(sources=1), EDIT)
    browser = Client()
    browser.get(link.get_absolute_url())
    assert BROWSER_COOKIE not in browser.cookies
    assert not WorkerBrowser.objects.exists()


def test_a_browser_is_stored_once_for_a_person() -> None:
    campaign = make_campaign(sources=1)
    browser, link = Client(), prolific(campaign, EDIT)
    for _ in range(2):
        come(browser, link, "a")
    come(browser, prolific(campaign, RATE), "a")
    stored = WorkerBrowser.objects.get()
    assert stored.browser_hash == Enrolment.objects.filter(round=EDIT).get().browser_hash
    assert browser.cookies[BROWSER_COOKIE].value not in stored.browser_hash


def test_an_erased_person_has_no_browsers_and_their_texts_stay_blocked() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    editor, rater = come(browser, prolific(campaign, EDIT), "a"), come(browser, link_of(campaign, RATE))
    edit_next(editor)
    worker_erase(worker=editor.worker)
    assert not editor.worker.browsers.exists()
    assert given(rater) is None
    assert "Same browser" not in readable(person_page(campaign, rater.worker))


# What staff see


def person_page(campaign: Campaign, worker: Worker) -> Any:
    return staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/people/{worker.number}/")


def test_staff_see_it_on_the_pages_of_both() -> None:
    campaign = make_campaign(sources=1)
    browser = Client()
    editor, rater = come(browser, prolific(campaign, EDIT), "a"), come(browser, link_of(campaign, RATE))
    for one, other in ((editor, rater), (rater, editor)):
        page = readable(person_page(campaign, one.worker))
        assert f'Same browser as <a href="/campaigns/{campaign.slug}/people/{other.worker.number}/">' in page
        assert "This is possibly the same person; a shared device looks the same." in page


def test_the_list_of_participants_says_it_and_finds_them() -> None:
    campaign = make_campaign(sources=1)
    browser, link = Client(), prolific(campaign, EDIT)
    pair = come(browser, link, "a"), come(browser, link, "b")
    alone = come(Client(), link, "c")
    staff, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/participants/edit/"
    page = readable(staff.get(address))
    assert page.count("same browser as") == 2
    for asked, shown in (("1", pair), ("0", (alone,))):
        people = staff.get(f"{address}?browser={asked}").context["page"]
        assert {each.worker.pk for each in people} == {each.worker.pk for each in shown}


# Links that were opened before anyone agreed


class Tabs:
    """A browser with several links open: each link's arrival is a cookie of its own address."""

    def __init__(self) -> None:
        self.client = Client()
        self._arrivals: dict[int, str] = {}

    def open(self, link: JoinLink, digit: str) -> None:
        self.client.get(f"{link.get_absolute_url()}?PROLIFIC_PID={ID}{digit}")
        self._arrivals[link.pk] = self.client.cookies.pop(ARRIVAL_COOKIE).value

    def agree(self, link: JoinLink) -> Any:
        self.client.cookies[ARRIVAL_COOKIE] = self._arrivals[link.pk]
        answer = self.client.post(link.get_absolute_url())
        self.client.cookies.pop(ARRIVAL_COOKIE, None)
        return answer


def test_links_opened_before_the_first_consent_are_of_one_browser() -> None:
    campaign = make_campaign(sources=1)
    links = {"a": prolific(campaign, EDIT), "b": prolific(campaign, EDIT), "c": prolific(campaign, RATE)}
    tabs = Tabs()
    for digit, link in links.items():
        tabs.open(link, digit)
    people = {}
    for digit, link in links.items():
        assert tabs.agree(link).status_code == 302
        people[digit] = Enrolment.objects.select_related("worker", "link__campaign").get(link=link)
        guidelines_accept(enrolment=people[digit])
        if digit == "a":
            edit_next(people[digit])

    assert WorkerBrowser.objects.values("browser_hash").distinct().count() == 1
    assert given(people["c"]) is None


def test_asking_for_another_visit_leaves_a_browser_the_one_that_it_holds() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2)
    editors, raters = prolific(campaign, EDIT), prolific(campaign, RATE)
    edit_all(campaign, 1)
    elsewhere, tabs = Tabs(), Tabs()
    elsewhere.open(raters, "c")
    assert elsewhere.agree(raters).status_code == 302
    tabs.open(raters, "c")
    tabs.open(editors, "a")
    assert tabs.agree(editors).status_code == 302
    assert tabs.agree(raters).status_code == 409
    del tabs.client.cookies[WORKER_COOKIE]
    tabs.open(editors, "a")
    assert tabs.agree(editors).status_code == 302
