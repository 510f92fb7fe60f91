"""Staff who correct the same alignment at the same moment: one version after the other, and nobody's work is lost."""

from functools import partial

import pytest
from django.db import connection

from common.errors import Refused
from compressions.alignment_words import words_of
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import targets_of_campaign
from compressions.services.alignments import CorrectedMeanwhile, alignment_correct, alignment_take_back
from tests.support.factories import judged_campaign
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.fixture
def target() -> Target:
    found = targets_of_campaign(judged_campaign(sources=1, editors=1)).first()
    assert found
    return found


def corrected(target: Target, place: int) -> AlignmentCorrection | Refused:
    """Join the first word to one of the source, as seen by somebody who looked at the aligner's places."""
    places = [place, *([None] * (len(words_of(target).text.words) - 1))]
    try:
        return alignment_correct(target=target, places=places, based_on_version=0, user=None)
    except CorrectedMeanwhile as refused:
        return refused


@pytest.mark.parametrize("time", range(3))
def test_of_two_corrections_at_once_one_is_stored_and_the_other_is_told(time: int, target: Target) -> None:
    replies = together([partial(corrected, target, place) for place in range(4)])

    stored = [reply for reply in replies if isinstance(reply, AlignmentCorrection)]
    assert len(stored) == 1
    assert [each.pk for each in AlignmentCorrection.objects.all()] == [stored[0].pk]
    assert stored[0].version == 1


@pytest.mark.parametrize("time", range(3))
def test_the_same_correction_at_once_is_one_version(time: int, target: Target) -> None:
    replies = together([partial(corrected, target, 0)] * 4)

    assert {reply.pk for reply in replies if isinstance(reply, AlignmentCorrection)} == {
        AlignmentCorrection.objects.get().pk
    }


@pytest.mark.parametrize("time", range(3))
def test_a_correction_taken_back_twice_at_once_is_one_version(time: int, target: Target) -> None:
    corrected(target, 0)

    made = together([partial(alignment_take_back, target=target, based_on_version=1, user=None)] * 3)

    assert sum(each is not None for each in made) == 1
    assert list(AlignmentCorrection.objects.order_by("version").values_list("version", flat=True)) == [1, 2]
