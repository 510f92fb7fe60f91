"""Ratings from files on their way to releases: people's are in them, those by models never."""

import pytest

from agreement.kind import KIND
from agreement.parameters import AgreementParameters
from compressions.models import Target
from corpus.selectors import release_sources
from corpus.services.erasure import targets_delete
from ratings.models import ModelRating
from ratings.tests.imports.files import add_outputs, imported, line, output, with_outputs
from reports.services import report_complete, report_get_or_create
from tests.support.factories import freeze, judged_campaign, silent

pytestmark = pytest.mark.django_db


def test_a_release_has_the_ratings_with_the_names_of_their_raters() -> None:
    campaign = judged_campaign(sources=2)
    add_outputs(campaign, "Echo", [output("Echo", 1)])
    imported(campaign, [line("Echo", 1), line("Echo", 1, "bob", 1, 1)], "crowd")
    imported(campaign, [line("Echo", 1, "eve")], "experts")

    (source,) = [each for each in release_sources(freeze(campaign)) if each.outputs]

    (found,) = source.outputs
    assert sorted((each.rater, dict(each.scores)) for each in found.ratings) == [
        ("ann", {"meaning": 3, "grammar": 2}),
        ("bob", {"meaning": 1, "grammar": 1}),
    ]
    assert [each.rater for each in found.expert_ratings] == ["eve"]


def test_a_release_is_the_same_with_and_without_ratings_by_models() -> None:
    campaign = judged_campaign(sources=2)
    add_outputs(campaign, "Echo", [output("Echo", 1)])
    without = freeze(campaign)

    imported(campaign, [line("Echo", 1, "m-1")], "model")

    again = freeze(campaign)
    assert release_sources(again) == release_sources(without)
    assert again.summary == without.summary


def test_agreement_counts_imported_raters_by_name() -> None:
    campaign = judged_campaign(sources=2)
    add_outputs(campaign, "Echo", [output("Echo", 1), output("Echo", 2)])
    imported(campaign, [line("Echo", n, rater, point) for n in (1, 2) for rater, point in (("ann", n), ("bob", n))])
    release = freeze(campaign)

    report = report_get_or_create(kind=KIND, on=release, parameters=AgreementParameters(draws=5, replications=5))
    report_complete(report=report, progress=silent)

    report.refresh_from_db()
    names = {each.rater for source in release_sources(release) for each in source.outputs[0].ratings}
    assert names == {"ann", "bob"}
    assert report.finished_at is not None


def test_a_text_goes_with_its_ratings_by_models() -> None:
    campaign = with_outputs()
    imported(campaign, [line(rater="m"), line("Beta", rater="m")], "model")
    target = Target.objects.get(text=output("Alpha", 1))
    target.outputs.all().delete()

    targets_delete(Target.objects.filter(pk=target.pk))

    assert [each.target.text for each in ModelRating.objects.all()] == [output("Beta", 1)]
