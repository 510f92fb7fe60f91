"""An empty release is refused for its true reason; quality decisions are named only where they took something away."""

import pytest

from common.errors import Refused
from compressions.models import Compression
from compressions.services.outputs import Output, outputs_add
from corpus.release.options import ReleaseOptions
from corpus.release.records import LeftOut
from corpus.release.why_empty import why_empty
from crowd.models import Campaign, Worker
from ratings.models import Rating
from tests.support.factories import RATE, edit_all, enrol, freeze, judged_campaign, make_campaign, rate_all

pytestmark = pytest.mark.django_db
DECISIONS, MINIMA = "the quality decisions leave no", "reaches the minimum numbers"


def refusal(campaign: Campaign, **options: int) -> str:
    with pytest.raises(Refused) as refused:
        freeze(campaign, **options)
    return str(refused.value)


def only_outputs_rated(*, editors: int) -> Campaign:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1)
    outputs = [Output(1, campaign.sources.get().source_id, "Short.")]
    outputs_add(campaign=campaign, system="lead", outputs=outputs)
    rate_all(enrol(campaign, RATE), 3, 3)
    if editors:
        edit_all(campaign, editors)
    return campaign


def test_with_outputs_alone_the_refusal_says_so() -> None:
    said = refusal(only_outputs_rated(editors=0))

    assert said == (
        "There is nothing to release: there are system outputs but no compressions by editors. With a minimum of 0 "
        "compressions per source, sources with rated outputs are released."
    )


def test_where_only_outputs_are_rated_the_refusal_says_that_compressions_are_not() -> None:
    said = refusal(only_outputs_rated(editors=1))

    assert said == (
        "There is nothing to release: no compression by an editor has been rated. With a minimum of 0 ratings per "
        "compression, those without a rating are released as references."
    )


def test_after_a_rehearsal_the_refusal_says_that_only_test_participants_have_rated() -> None:
    campaign = judged_campaign(sources=1, editors=1)
    Worker.objects.filter(pk__in=Rating.objects.values("worker")).update(is_test=True)

    assert refusal(campaign) == (
        "There is nothing to release yet: only test participants have rated, and they do not count."
    )


def test_texts_without_editors_are_named() -> None:
    campaign = judged_campaign(sources=1, editors=1)
    Compression.objects.all().delete()

    assert "no compression has an editor" in refusal(campaign)


@pytest.mark.parametrize("options", [{"min_ratings": 9}, {"min_compressions": 9}])
def test_minima_alone_are_not_blamed_on_quality_decisions(options: dict[str, int]) -> None:
    said = refusal(judged_campaign(sources=1), **options)

    assert MINIMA in said
    assert DECISIONS not in said


@pytest.mark.parametrize(
    ("left_out", "least", "named"),
    [
        (LeftOut(ratings_of_removed_raters=1, texts_without_rating=1), 1, DECISIONS),
        (LeftOut(texts_of_removed_editors=1), 2, DECISIONS),
        (LeftOut(removed_raters=3, texts_without_rating=1), 1, "no compression by an editor has been rated"),
        (LeftOut(), 1, "no source has a rated compression"),
    ],
)
def test_decisions_are_named_where_they_took_something_away(left_out: LeftOut, least: int, named: str) -> None:
    said = why_empty(left_out, ReleaseOptions(min_ratings=least), texts_without_editor=0)

    assert named in said
