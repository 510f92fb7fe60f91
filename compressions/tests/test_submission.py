"""What editors submit: the rule, the replay of their edits, and what follows from an accepted text."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from common.errors import NotYours, SlotTaken
from compressions.models import Compression, Source, Start, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import LogRefused, RuleBroken, Submission, compression_submit
from crowd.models import Assignment, Campaign, Enrolment, Item
from crowd.services.claims import assignment_claim
from measures.text.length_rule import Reason, allowed_length
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    import_texts,
    lease_run_out,
    make_campaign,
    rate_next,
    rewriting_log,
    shortened,
    submission_of,
    submit_edit,
    submit_text,
)

pytestmark = pytest.mark.django_db

State = Assignment.State


def at_work(campaign: Campaign, name: str = "") -> tuple[Enrolment, Assignment, Source]:
    """An editor with a task."""
    enrolment = enrol(campaign, EDIT, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return enrolment, assignment, source_of_assignment(assignment)


def submit(enrolment: Enrolment, assignment: Assignment, source: Source, submission: Submission) -> Compression:
    return compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


def filled(length: int) -> str:
    """A text of so many characters."""
    return ("word " * length)[: length - 1].strip().ljust(length, "x")


@pytest.mark.parametrize("keep_percent", [75, 50, 33])
def test_a_text_of_exactly_the_allowed_length_is_taken_and_one_character_more_is_not(keep_percent: int) -> None:
    campaign = make_campaign(sources=1, keep_percent=keep_percent)
    enrolment, assignment, source = at_work(campaign)
    allowed = len(source.text) * keep_percent // 100
    assert len(source.text) * keep_percent % 100, "the share of this text is no whole number, so it is cut down"

    long = filled(allowed + 1)
    with pytest.raises(RuleBroken, match="1 character too long") as refusal:
        submit(enrolment, assignment, source, Submission(long, rewriting_log(source.text, long)))
    exact = filled(allowed)
    compression = submit(enrolment, assignment, source, Submission(exact, rewriting_log(source.text, exact)))

    assert refusal.value.verdict.excess == 1
    assert (compression.length, compression.allowed) == (allowed, allowed)
    assert compression.text == exact


def test_white_space_and_invisible_characters_do_not_count() -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    text = "  " + filled(allowed_length(source.text)).replace(" ", " \u200b \n") + "\u00ad "

    compression = submit(enrolment, assignment, source, Submission(text, rewriting_log(source.text, text)))

    assert compression.length == compression.allowed
    assert compression.text == text
    assert "  " not in compression.target.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.EMPTY),
        (" \n\u00a0\u200b", Reason.EMPTY),
        ("1, 2, 3.", Reason.NO_LETTERS),
        ("The commi", Reason.CUT_IN_WORD),
        ("The committee\x07 agreed.", Reason.FORBIDDEN_CHARACTER),
        ("The committee \ufffe agreed.", Reason.FORBIDDEN_CHARACTER),
    ],
)
def test_a_text_that_is_no_compression_is_refused_with_its_reason(text: str, reason: Reason) -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))

    with pytest.raises(RuleBroken) as refusal:
        submit(enrolment, assignment, source, Submission(text, rewriting_log(source.text, text)))

    assert reason in refusal.value.verdict.reasons
    assert str(refusal.value)
    assert not Compression.objects.exists()


def test_a_log_that_leads_elsewhere_is_refused() -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    text = shortened(source.text)
    log = rewriting_log(source.text, text + " ")

    with pytest.raises(LogRefused, match="while recording your edits"):
        submit(enrolment, assignment, source, Submission(text, log))

    assignment.refresh_from_db()
    assert assignment.state == State.LEASED
    assert not Target.objects.exists()


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    "log",
    [
        None,
        "[]",
        0,
        {},
        {"0": [0, "", "a", "typing", 1]},
        [],
        [None],
        [[]],
        [[0, "", "a", "typing"]],
        [[0, "", "a", "typing", 1, 2]],
        [["0", "", "a", "typing", 1]],
        [[-1, "", "a", "typing", 1]],
        [[10**30, "", "a", "typing", 1]],
        [[True, "", "a", "typing", 1]],
        [[0.0, "", "a", "typing", 1]],
        [[float("nan"), "", "a", "typing", 1]],
        [[0, 1, "a", "typing", 1]],
        [[0, "", None, "typing", 1]],
        [[0, "", "a", "magic", 1]],
        [[0, "", "a", ["typing"], 1]],
        [[0, "", "a", nested(500), 1]],
        [[0, "", "a", "typing", -1]],
        [[0, "", "a", "typing", 10**12]],
        [[0, "", "a", "typing", 2], [0, "a", "", "typing", 1]],
        [[0, "nowhere in the text", "a", "typing", 1]],
        [[0, "", "\ud83d", "typing", 1]],
        [[0, "", "\0", "typing", 1]],
        [[0, "", "a" * 1_000_001, "typing", 1]],
        [[0, "", "", "typing", 1]] * 20_001,
        nested(500),
    ],
    ids=lambda log: repr(log)[:40],
)
def test_a_hostile_log_is_refused_and_leaves_the_task_as_it_was(log: object) -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))

    with pytest.raises(LogRefused):
        submit(enrolment, assignment, source, Submission(shortened(source.text), log))

    assignment.refresh_from_db()
    assert assignment.state == State.LEASED
    assert not Compression.objects.exists()


@pytest.mark.parametrize("start", ["", "SOURCE", "nothing", "x" * 1000, "\0"])
def test_an_unknown_beginning_is_refused(start: str) -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    text = shortened(source.text)

    with pytest.raises(LogRefused, match="while recording your edits"):
        submit(enrolment, assignment, source, Submission(text, rewriting_log(source.text, text), start))


def test_a_text_written_into_an_empty_box_is_replayed_from_nothing() -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    text = shortened(source.text)

    compression = submit(enrolment, assignment, source, Submission(text, rewriting_log("", text), "empty"))

    assert compression.started_from == Start.EMPTY
    with pytest.raises(LogRefused):
        submit(enrolment, assignment, source, Submission(text, rewriting_log(source.text, text), "empty"))


def test_the_log_is_kept_as_it_was_sent() -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    submission = submission_of(source)

    compression = submit(enrolment, assignment, source, submission)

    compression.refresh_from_db()
    assert compression.edit_log == submission.raw_log


def test_what_is_sent_twice_is_stored_once_and_answered_alike() -> None:
    campaign = make_campaign(sources=1)
    enrolment, assignment, source = at_work(campaign)

    first = submit(enrolment, assignment, source, submission_of(source))
    second = submit(enrolment, assignment, source, submission_of(source))

    assert first == second
    assert Compression.objects.count() == Target.objects.count() == 1
    assert Item.objects.get(round=EDIT).open_slots == campaign.editors_per_source - 1


def test_a_second_text_for_a_task_does_not_replace_the_first() -> None:
    enrolment, assignment, source = at_work(make_campaign(sources=1))
    first = submit(enrolment, assignment, source, submission_of(source))

    other = Submission("They agreed.", rewriting_log(source.text, "They agreed."))
    assert submit(enrolment, assignment, source, other).text == first.text

    assert Compression.objects.get().text == first.text


def test_an_accepted_text_is_at_once_work_for_as_many_raters_as_the_campaign_wants() -> None:
    campaign = make_campaign(sources=1, raters_per_compression=4)

    compression = edit_next(enrol(campaign, EDIT))

    assert compression is not None
    item = Item.objects.get(round=RATE)
    assert (item.target, item.wanted, item.open_slots) == (compression.target, 4, 4)


@pytest.mark.parametrize("same", ["The café was closed.", " The  cafe\u0301 was\nclosed. "])
def test_editors_who_wrote_the_same_text_share_it_and_neither_may_judge_it(same: str) -> None:
    campaign = make_campaign(sources=1)
    one = submit_text(enrol(campaign, EDIT, "ann"), "The café was closed.")
    two = submit_text(enrol(campaign, EDIT, "ben"), same)

    assert one.target == two.target
    assert one.target.text == "The café was closed."
    assert Item.objects.filter(round=RATE).count() == 1
    assert rate_next(enrol(campaign, RATE, "ann")) is None
    assert rate_next(enrol(campaign, RATE, "ben")) is None
    assert rate_next(enrol(campaign, RATE, "cleo")) is not None


def test_the_same_text_of_two_sources_is_judged_for_each() -> None:
    campaign = make_campaign(sources=2)
    enrolment = enrol(campaign, EDIT)

    submit_text(enrolment, "They agreed.")
    submit_text(enrolment, "They agreed.")

    assert Target.objects.count() == Item.objects.filter(round=RATE).count() == 2


def test_an_author_is_given_the_texts_of_others_and_never_their_own() -> None:
    campaign = make_campaign(sources=1)
    submit_text(enrol(campaign, EDIT, "ann"), "The committee agreed.")
    submit_text(enrol(campaign, EDIT, "ben"), "They will repair the bridge.")
    ann = enrol(campaign, RATE, "ann")

    first, second = rate_next(ann), rate_next(ann)

    assert first is not None
    assert first.target is not None
    assert first.target.text == "They will repair the bridge."
    assert second is None


def test_who_judged_a_text_is_not_given_its_source_to_compress() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT, "ann"))

    assert rate_next(enrol(campaign, RATE, "ben")) is not None
    assert assignment_claim(enrolment=enrol(campaign, EDIT, "ben")) is None


def test_a_late_text_is_taken_while_the_place_is_free() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    enrolment, assignment, _ = at_work(campaign)
    lease_run_out(assignment)
    assert assignment_claim(enrolment=enrol(campaign, EDIT)) is not None  # reaps the lease, takes the other place

    submit_edit(enrolment, assignment)

    assert Item.objects.get(round=EDIT).open_slots == 0
    assert Compression.objects.get().worker_id == enrolment.worker_id


def test_a_late_text_is_refused_when_somebody_else_has_the_place() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    enrolment, assignment, _ = at_work(campaign)
    lease_run_out(assignment)
    assert edit_next(enrol(campaign, EDIT)) is not None

    with pytest.raises(SlotTaken, match="Someone else has this text now"):
        submit_edit(enrolment, assignment)

    assert Compression.objects.count() == 1
    assert Item.objects.get(round=EDIT).open_slots == 0


def test_nobody_submits_for_the_task_of_another() -> None:
    campaign = make_campaign(sources=1)
    _, assignment, source = at_work(campaign, "ann")
    other = enrol(campaign, EDIT, "ben")

    with pytest.raises(NotYours):
        submit(other, assignment, source, submission_of(source))

    assert not Compression.objects.exists()


@pytest.mark.parametrize("length", [0, 1_000])
def test_the_database_itself_holds_the_rule(length: int) -> None:
    compression = edit_next(enrol(make_campaign(sources=1), EDIT))
    assert compression is not None

    with pytest.raises(IntegrityError, match="compression_obeys_rule"), transaction.atomic():
        Compression.objects.filter(pk=compression.pk).update(length=length)


def test_a_text_in_another_script_is_measured_by_its_characters() -> None:
    campaign = make_campaign(sentence_min_words=1)
    import_texts(campaign, ["Ελληνικά γράμματα, 👩‍👧 και العربية في جملة واحدة."])
    enrolment, assignment, source = at_work(campaign)
    text = "👩‍👧 العربية في جملة."

    compression = submit(enrolment, assignment, source, Submission(text, rewriting_log(source.text, text)))

    compression.refresh_from_db()
    assert compression.text == compression.target.text == text
    assert compression.length == len(text) - 1  # the joiner inside the family is invisible
