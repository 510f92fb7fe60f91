"""The report on points: the numbers of the library, what its page says, its files, and what is not known."""

import csv
import io
import json
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from measures.agreement.krippendorff import AlphaResult
from measures.core.item_means import ItemMean
from measures.experiments import AbsoluteModel, absolute_means, absolute_model
from measures.experiments.small_samples import TTest
from protocols.absolute import figures as of
from protocols.absolute.page import answer_of
from protocols.absolute.settings import WITH
from protocols.absolute.tests.answered import absolute_campaign, computed, score_all, scored_campaign
from protocols.exports import answers_export
from protocols.report_rows import found
from protocols.selectors import given_answers
from reports.models import Report
from tests.support.factories import readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HALF = {"reference": "half", "shows_sentences": False}


def row_of(report: Report, **wanted: str) -> dict[str, Any]:
    row = found(report.rows or [], **wanted)
    assert row is not None, f"the report has no row {wanted}"
    return row


def test_means_alpha_and_model_are_those_of_the_library() -> None:
    campaign = scored_campaign(task_settings=HALF)

    report = computed(campaign)

    given = list(given_answers(campaign))
    score, system = [each.answer["score"] for each in given], [each.subject.system for each in given]
    item, judge = [each.subject.name for each in given], [each.person for each in given]
    arm = [each.answer["arm"] for each in given]
    after = [place for place, each in enumerate(arm) if each == WITH]
    means = absolute_means([score[p] for p in after], [system[p] for p in after], [item[p] for p in after])
    model = absolute_model(score, system, item, judge, arms=arm, base_arm=WITH)
    assert isinstance(model, AbsoluteModel)
    assert isinstance(means.alpha, AlphaResult)
    assert row_of(report, table=of.AGREEMENT, part=WITH)["value"] == pytest.approx(means.alpha.alpha)
    for name, mean in means.by_system.items():
        assert isinstance(mean, ItemMean)
        row = row_of(report, table=of.MEANS, part=WITH, group=name)
        assert (row["value"], row["sources"]) == (pytest.approx(mean.value), mean.items)
    for contrast in model.contrasts:
        rows = {
            row["figure"]: row
            for row in report.rows or []
            if (row["part"], row["group"]) == (contrast.first, contrast.second)
        }
        test = contrast.difference.test
        assert isinstance(test, TTest)
        assert rows[of.DIFFERENCE]["value"] == pytest.approx(contrast.difference.value)
        assert (rows[of.P]["value"], rows[of.P_HOLM]["value"]) == pytest.approx((test.p, contrast.holm_p))
    effect = row_of(report, figure=of.REFERENCE_EFFECT)
    assert effect["low"] < effect["value"] < effect["high"]
    order, tested, reference = answer_of(report)
    assert order.startswith("Of 3 systems, =good has the best points on average, ")
    assert "3 of 3 pairs of systems differ" in tested
    is_shown = effect["low"] > 0 or effect["high"] < 0
    assert reference.startswith("Without the reference" if is_shown else "No effect of the reference is shown")


def test_one_answer_to_each_text_leaves_agreement_open_and_few_texts_the_tests() -> None:
    campaign = absolute_campaign(3)
    score_all(campaign, "ann", lambda subject: 1 + int(subject.name))

    report = computed(campaign)

    assert row_of(report, table=of.AGREEMENT)["reason"] == "no text has two scores"
    assert not [row for row in report.rows or [] if row["table"] == of.PAIRS and row["figure"] == of.P]
    assert len(answer_of(report)) <= 2


def test_the_page_and_the_files_say_the_same(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = scored_campaign()
    computed(campaign)
    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}/absolute"

    with django_assert_max_num_queries(14):
        answered = client.get(f"{address}/")
    table = client.get(f"{address}.csv").content.decode()
    content = json.loads(client.get(f"{address}.json").content)
    latex = client.get(f"{address}.tex").content.decode()

    assert "Of 3 systems, =good has the best points on average" in readable(answered)
    assert "Published: Daumé and Marcu 2004, evaluation" in readable(client.get(f"{address}/method/"))
    assert "'=good" in table
    assert {row["table"] for row in content["rows"]} == {"means", "agreement", "pairs", "model"}
    assert r"\begin{table}" in latex
    form, found_lines = answers_export(campaign)
    rows = list(csv.DictReader(io.StringIO("".join(found_lines.lines).removeprefix("\ufeff"))))
    assert form.ending == "absolute.csv"
    assert len(rows) == 9 * 12
    assert {row["arm"] for row in rows} == {WITH}
    assert {row["system"] for row in rows} == {"'=good", "middling", "poor"}
