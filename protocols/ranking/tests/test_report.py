"""The report on rankings: golden values, what its page says, its files, and what few answers leave open."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

import measures.experiments.tests
from protocols.ranking import figures as of
from protocols.ranking.figures import RankingParameters
from protocols.ranking.page import answer_of
from protocols.ranking.tests.answered import computed, rank_all, ranking_campaign, set_line, twelve_sets
from protocols.report_rows import found
from reports.models import Report
from tests.support.factories import make_campaign, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
GOLDEN: dict[str, Any] = json.loads(
    (Path(measures.experiments.tests.__path__[0]) / "golden" / "rankings.json").read_text()
)


def row_of(report: Report, **wanted: str) -> dict[str, Any]:
    row = found(report.rows or [], **wanted)
    assert row is not None, f"the report has no row {wanted}"
    return row


def values(report: Report, figure: str) -> list[float]:
    return [row["value"] for row in report.rows or [] if row["figure"] == figure]


def test_golden_ranks_and_agreement() -> None:
    systems = [f"s{number}" for number in range(6)]
    campaign = ranking_campaign([set_line("1", systems)])
    for person, ranks in enumerate(GOLDEN["given"]):
        rank_all(campaign, f"person {person}", {"1": dict(zip(systems, ranks, strict=True))})

    report = computed(campaign)

    assert values(report, of.MIDRANK) == pytest.approx(GOLDEN["mean_midrank"])
    assert values(report, of.GIVEN) == pytest.approx(GOLDEN["mean_given"])
    golden = {
        of.W: "kendall_W",
        of.TAU_B: "mean_tau_b",
        of.SPEARMAN: "mean_spearman",
        of.ALPHA: "alpha_ordinal_midranks",
    }
    for figure, name in golden.items():
        assert values(report, figure) == [pytest.approx(GOLDEN[name], abs=1e-8)]
    wins = {(row["part"], row["group"]): row["value"] for row in report.rows or [] if row["figure"] == of.WINS}
    half_wins = GOLDEN["wins_half_for_ties"]
    assert wins == {(systems[a], systems[b]): half_wins[a][b] for a in range(6) for b in range(a + 1, 6)}
    assert answer_of(report)[1].startswith("Whether the systems differ is not tested")
    assert row_of(report, figure=of.MIDRANK)["no_interval"]
    assert row_of(report, figure=of.STRENGTH)["no_interval"]


def test_systems_are_told_apart_and_the_best_comes_first() -> None:
    report = computed(twelve_sets(), RankingParameters(draws=200, pseudo_wins=True))

    good, poor = (row_of(report, group=each, figure=of.MIDRANK) for each in ("=good", "poor"))
    assert (good["n"], good["sources"], good["part"]) == (36, 12, "system")
    assert good["low"] <= good["value"] <= good["high"] < poor["low"]
    assert row_of(report, group="reference", figure=of.MIDRANK)["part"] == "reference"
    strengths = {row["group"]: row for row in report.rows or [] if row["figure"] == of.STRENGTH}
    assert strengths["=good"]["value"] > strengths["middling"]["value"] > strengths["poor"]["value"]
    assert strengths["=good"]["low"] < strengths["=good"]["value"] < strengths["=good"]["high"]
    assert row_of(report, figure=of.SHUFFLED_P)["value"] < 0.01
    pair = {row["figure"]: row for row in report.rows or [] if (row["part"], row["group"]) == ("=good", "poor")}
    assert pair[of.DIFFERENCE]["value"] < 0
    assert pair[of.CONOVER]["value"] <= pair[of.CONOVER_HOLM]["value"] < 0.05
    assert (pair[of.WINS]["value"], pair[of.WINS]["n"]) == (36, 36)
    order, test, agreement = answer_of(report)
    assert order.startswith("Of 4 systems, =good has the best mean rank, 1.")
    assert "poor the worst" in order
    assert "Over the 12 sets that have all of them, their ranks differ by more than chance" in test
    assert agreement.startswith("Within 12 sets")


def test_equal_texts_share_their_rank_and_count_once_in_agreement() -> None:
    line = set_line("1", ["a", "b"])
    line["hypotheses"].append({"name": "c", "text": line["hypotheses"][0]["text"], "kind": "human"})
    campaign = ranking_campaign([line])
    for person in ("ann", "ben"):
        rank_all(campaign, person, {"1": {"a": 1, "b": 2}})

    report = computed(campaign)

    ranks = {row["group"]: (row["part"], row["value"]) for row in report.rows or [] if row["figure"] == of.MIDRANK}
    assert ranks == {"a": ("system", 1.5), "b": ("system", 3), "c": ("human", 1.5)}
    assert values(report, of.W) == [1]
    assert values(report, of.PLACE)[0] is not None


def test_why_there_are_no_intervals_is_said_once_in_a_row() -> None:
    campaign = ranking_campaign([set_line("1", ["a", "b", "c", "d"])])
    rank_all(campaign, "ann", {"1": {"a": 1, "b": 2, "c": 3, "d": 4}})
    report = computed(campaign)
    reasons = [row["no_interval"] for row in report.rows or [] if row["figure"] == of.MIDRANK]

    page = readable(staff_client(campaign.memberships.get().user).get(f"/campaigns/{campaign.slug}/ranking/"))

    assert len(reasons) == 4
    assert page.count(reasons[0]) == 4


def test_what_nobody_tells_apart_is_not_said_to_differ() -> None:
    campaign = ranking_campaign([set_line(str(number), ["a", "b"]) for number in range(12)])
    rank_all(campaign, "ann", {str(number): {"a": 1 + number % 2, "b": 2 - number % 2} for number in range(12)})
    rank_all(campaign, "ben", {str(number): {"a": 1, "b": 1} for number in range(12)})

    report = computed(campaign)

    _order, test, agreement = answer_of(report)
    assert "no difference of their ranks is shown" in test
    assert agreement.startswith("How far people agree on the order is not known")
    assert values(report, of.CIRCLE_SHARE) == [None]


def test_the_page_and_the_files_say_the_same(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = twelve_sets()
    computed(campaign)
    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}"

    with django_assert_max_num_queries(14):
        answered = client.get(f"{address}/ranking/")
    page = readable(answered)
    table = client.get(f"{address}/ranking.csv").content.decode()
    content = json.loads(client.get(f"{address}/ranking.json").content)
    latex = client.get(f"{address}/ranking.tex").content.decode()

    assert "No analysis was fixed beforehand" in page
    assert "Of 4 systems, =good has the best mean rank" in page
    assert "Published: Daumé and Marcu 2004, evaluation" in readable(client.get(f"{address}/ranking/method/"))
    assert table.startswith("table,part,group,figure,value")
    assert "'=good" in table
    assert {row["table"] for row in content["rows"]} == {"ranks", "strengths", "agreement", "pairs", "all systems"}
    assert [each["printed"] for each in content["published"]] == ["12", "Three", "Three", "three", "three"]
    assert r"\begin{table}" in latex


def test_all_ranks_come_out_as_a_table() -> None:
    campaign = twelve_sets()
    client = staff_client(campaign.memberships.get().user)

    sent = client.get(f"/campaigns/{campaign.slug}/task/answers.ranks")
    rows = list(csv.DictReader(io.StringIO(b"".join(sent).decode("utf-8-sig"))))

    assert sent["Content-Disposition"].endswith('-ranks.csv"')
    assert len(rows) == 3 * 12 * 4
    first = [row for row in rows if (row["set"], row["person"]) == ("0", rows[0]["person"])]
    assert sorted(row["place"] for row in first) == ["1", "2", "3", "4"]
    assert {row["name"] for row in first} == {"'=good", "middling", "poor", "reference"}
    assert {row["kind"] for row in first} == {"system", "reference"}
    other = staff_client(make_campaign().memberships.get().user)
    assert other.get(f"/campaigns/{campaign.slug}/task/answers.ranks").status_code == 404
