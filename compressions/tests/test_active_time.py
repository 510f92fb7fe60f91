"""How long an editor was at work is stored with the text, and computed from the log for texts of before."""

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from hypothesis import given
from hypothesis import strategies as st

from compressions.models import Compression
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.services.claims import assignment_claim
from measures.keystrokes.edit_log import parse_log
from measures.keystrokes.effort import active_time, effort
from tests.support.factories import EDIT, enrol, make_campaign, shortened

KINDS = st.sampled_from(["typing", "return"])
STEPS = st.lists(st.tuples(KINDS, st.integers(0, 90_000)), max_size=20)


def migration() -> Any:
    return import_module("compressions.migrations.0002_since_0_2_0")


def log_of(steps: list[tuple[str, int]]) -> list[list[Any]]:
    """A log of letters and returns, each so long after the one before."""
    log, at_ms = [], 0
    for kind, wait in steps:
        at_ms += wait
        log.append([0, "", "" if kind == "return" else "x", kind, at_ms])
    return log


@given(steps=STEPS)
def test_it_is_the_active_time_of_the_page_that_shows_how_a_text_was_written(steps: list[tuple[str, int]]) -> None:
    operations = parse_log(log_of(steps))
    assert active_time(operations) == effort("A source.", "", operations).active_ms


@given(steps=STEPS)
def test_the_migration_computes_the_same(steps: list[tuple[str, int]]) -> None:
    assert migration().active_time(log_of(steps)) == active_time(parse_log(log_of(steps)))


def submitted() -> Compression:
    """A text shortened in two steps, with a minute away between them."""
    enrolment = enrol(make_campaign(sources=1), EDIT)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    source = source_of_assignment(assignment)
    text = shortened(source.text)
    end = source.text[len(text) :]
    log = [[len(text) + 1, end[1:], "", "deletion", 4_000], [len(text), end[0], "", "deletion", 66_000]]
    submission = Submission(text, json.loads(json.dumps(log)))
    return compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


@pytest.mark.django_db
def test_a_submission_stores_it() -> None:
    assert submitted().active_ms == 4_000


@pytest.mark.django_db
def test_the_migration_computes_it_for_texts_of_before_but_not_for_imported_ones() -> None:
    pk = submitted().pk
    for is_imported, expected in ((False, 4_000), (True, None)):
        Compression.objects.filter(pk=pk).update(
            active_ms=None, is_imported=is_imported, settings_version=None, guidelines_version=None
        )
        migration().from_logs(apps, None)
        assert Compression.objects.get(pk=pk).active_ms == expected
