"""A run keeps its parameters: they are shown as they were asked, and enough to repeat it."""

from dataclasses import asdict
from typing import Any

import pytest

from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityRun
from ratings.selectors.quality import parameters_of
from ratings.services.quality import quality_apply
from ratings.tests.quality.test_preview import rows_of
from ratings.tests.quality.test_rater_qualities import quality_page
from tests.support.factories import golden_campaign, judged_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("quality", list(RaterQuality))
@pytest.mark.parametrize("roles", list(Roles))
@pytest.mark.parametrize("order", list(Order))
def test_the_parameters_of_a_run_are_enough_to_repeat_it(quality: RaterQuality, roles: Roles, order: Order) -> None:
    campaign = golden_campaign()
    parameters = FilterParameters(0.5, 4, order, quality, roles)
    first = quality_apply(campaign=campaign, parameters=parameters)
    kept = QualityRun.objects.get(pk=first.pk).parameters
    assert kept == asdict(parameters)
    assert all(type(value) in {str, int, float} for value in kept.values())

    again = quality_apply(campaign=campaign, parameters=parameters_of(kept))

    assert again.summary == first.summary
    assert made_by(again) == made_by(first)


def made_by(run: QualityRun) -> set[tuple[Any, ...]]:
    """The decisions of a run."""
    return set(run.decisions.values_list("worker", "round", "quality", "items", "removed", "reason"))


def early_run() -> QualityRun:
    """A run of the time when a rule had three parameters."""
    run = quality_apply(campaign=golden_campaign(), parameters=FilterParameters(share=0.5))
    run.rule, run.parameters = "bottom-share/1", {"share": 0.5, "min_items": 5, "order": "raters first"}
    for role in ("raters", "editors"):
        for name in ("unassessed", "unassessed_work", "cut", "convergence"):
            del run.summary[role][name]
    run.save()
    run.decisions.update(standard_error=None, gap=None)
    return run


def test_the_page_of_an_early_run_says_what_it_did() -> None:
    run = early_run()

    page = quality_page(run.campaign)

    assert "The rule <code>bottom-share/1</code> was applied on " in page
    assert "excludes the worst 50% of each role." in page
    assert (
        "It assesses raters first, then editors. Raters are assessed by their deviation from the others. "
        "Participants with fewer than 5 ratings are not assessed."
    ) in page
    assert "Raters, highest deviation first" in page
    assert rows_of(page, "Decisions about raters")[0][1:4] == ["1.500", "–", "–"]
    assert "cut" not in page.split("<h2")[2].split("<table>")[0]


def test_an_early_run_can_be_repeated() -> None:
    run = early_run()

    again = quality_apply(campaign=run.campaign, parameters=parameters_of(run.parameters))

    assert {name: again.summary["raters"][name] for name in run.summary["raters"]} == run.summary["raters"]
    assert made_by(again) == made_by(run)
    assert again.parameters == {
        **run.parameters,
        "rater_quality": "deviation from the others",
        "roles": "raters and editors",
    }


@pytest.mark.parametrize("share", [0.125, 0.005])
def test_the_page_says_the_share_as_it_was_asked(share: float) -> None:
    campaign = judged_campaign(sources=1)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=share))

    assert f"excludes the worst {100 * share}% of each role." in quality_page(campaign)
