"""The page of a report on metrics against ratings, as staff meet it."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from common.extras import PARQUET
from corpus.models import Release
from crowd.models import Campaign
from evaluation.sections.base import Row, row
from evaluation.tests.made_rows import level, levels, made_report, matrix, means
from evaluation.tests.releases import (
    FEW_DRAWS,
    SYSTEMS,
    compute_scores,
    computed,
    import_rows,
    score_rows,
    scored_release,
    sources_with_systems,
)
from reports.models import Report
from scoring.models import ScorePart
from tests.support.factories import make_staff, readable, staff_client
from tests.support.figures import figures_of, figures_on
from tests.support.lacking import WITHOUT_PARQUET, lacks
from tests.support.reports import every_tab

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    return scored_release(owner=owner)


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/evaluation"


def test_a_report_is_requested_and_shown(owner: User, release: Release) -> None:
    client = staff_client(owner)
    assert "Evaluate metrics" in readable(every_tab(client, f"{address(release)}/"))

    shown = readable(client.post(f"{address(release)}/reports/", {"draws": 20}, follow=True))

    assert "Computed" in shown
    assert Report.objects.get().parameters["draws"] == 20


def test_the_same_request_leads_to_the_same_report(owner: User, release: Release) -> None:
    client = staff_client(owner)

    first, again = (client.post(f"{address(release)}/reports/", {"draws": 20}) for _each in range(2))

    assert first["Location"] == again["Location"]
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"draws": "0"}, "greater than or equal to 1"),
        ({"share": "0.2"}, "greater than or equal to 0.51"),
        ({"pool": "martians"}, "Select a valid choice"),
        ({"smaller_is_better": "\n".join(str(n) for n in range(301))}, "300 names or fewer"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(
    owner: User, release: Release, typed: dict[str, str], words: str
) -> None:
    reply = staff_client(owner).post(f"{address(release)}/reports/", typed)

    assert reply.status_code == 422
    assert words in readable(reply)


def test_a_metric_that_is_not_there_cannot_be_negated(owner: User, release: Release) -> None:
    client = staff_client(owner)
    shown = client.post(f"{address(release)}/reports/", {"smaller_is_better": "TER"}, follow=True)
    assert "There is no metric called “TER”" in readable(shown)

    client.post(f"{address(release)}/reports/", {"smaller_is_better": "poor\npoor\n", "draws": 20})
    assert Report.objects.get().parameters["smaller_is_better"] == ["poor"]


def test_scores_that_were_added_since_are_told(owner: User, release: Release) -> None:
    client = staff_client(owner)
    computed(release)
    assert "have been added" not in readable(every_tab(client, f"{address(release)}/"))

    import_rows(release, score_rows(sources_with_systems(), "later", 1))

    assert "Scores have been added" in readable(every_tab(client, f"{address(release)}/"))


def test_earlier_reports_are_told_apart(owner: User, release: Release) -> None:
    client = staff_client(owner)
    for draws in (20, 30):
        client.post(f"{address(release)}/reports/", {"draws": draws})

    shown = readable(every_tab(client, f"{address(release)}/"))

    assert "Draws: 20" in shown
    assert "Draws: 30" in shown


@pytest.mark.parametrize("ending", [".csv", ".json", ".tex"])
def test_a_report_is_downloaded(owner: User, release: Release, ending: str) -> None:
    computed(release)
    reply = staff_client(owner).get(f"{address(release)}{ending}")
    assert reply.status_code == 200
    assert release.name in reply["Content-Disposition"]


@pytest.mark.parametrize("query", ["report=zz", "report=ab", "report="])
def test_an_address_of_no_report_is_a_404(owner: User, release: Release, query: str) -> None:
    assert staff_client(owner).get(f"{address(release)}/?{query}").status_code == 404
    assert staff_client(owner).get(f"{address(release)}/metric/").status_code == 404


def test_the_dashboard_leads_to_the_newest_report_that_is_ready(owner: User, release: Release) -> None:
    client, dashboard = staff_client(owner), f"/campaigns/{release.campaign.slug}/"
    Campaign.objects.update(state="closed")
    words = f"Metrics against ratings in {release.name}"
    assert words not in readable(client.get(dashboard))
    with CaptureQueriesContext(connection) as before:
        client.get(dashboard)

    report = computed(release, FEW_DRAWS)

    with CaptureQueriesContext(connection) as after:
        page = client.get(dashboard)
    assert words in readable(page)
    assert f"{address(release)}/?report={report.digest[:16]}" in page.content.decode()
    assert len(after) == len(before)


METRIC = "LR-2+Recall+MULT-ALL"


@pytest.fixture
def report(release: Release) -> Report:
    """A report on computed and imported metrics."""
    compute_scores(release, METRIC, "SKIP-2+Recall+MULT-PROB", "LR-1+Precision+SINGLE-REF")
    return computed(release)


def test_the_page_answers_for_each_judgement_and_shows_the_one_that_is_asked_for(
    owner: User, release: Release, report: Report
) -> None:
    page = every_tab(staff_client(owner), f"{address(release)}/", {"judgement": "combined"})

    shown = readable(page)
    assert shown.count("On this corpus") == 3
    assert "Metrics by how well they follow ratings: Combined" in shown
    assert "Ceiling: about what a perfect metric would have with these ratings (estimated)" in shown
    assert "Best sentinel" in shown
    assert "good is shown to be better than" in shown
    assert "In Toutanova et al. 2016, Table 9" in shown
    assert "Published: Toutanova et al. 2016, Table 8 (§4.3.1)" in shown
    assert "Fifty three" in shown
    for table, published in (
        ("significance", "Owczarzak et al. 2012, Table 3 (§4.1)"),
        ("heterogeneity", "Amigó et al. 2012, §5.2, §5.4"),
    ):
        asked = {"judgement": "combined", "table": table}
        assert f"Published: {published}" in readable(staff_client(owner).get(f"{address(release)}/comparisons/", asked))
    assert "Metrics by how well they follow ratings: Meaning" in readable(
        every_tab(staff_client(owner), f"{address(release)}/", {"judgement": "taste"})
    )


def test_names_of_metrics_are_links_that_explain_them(owner: User, release: Release, report: Report) -> None:
    page = every_tab(staff_client(owner), f"{address(release)}/").content.decode()
    assert f'metric=LR-2%2BRecall%2BMULT-ALL&amp;judgement=meaning&amp;report={report.digest[:16]}"' in page
    assert 'title="Units: sequences of two words. Measure: the share of the references’ units' in page
    assert 'title="Computed elsewhere: only its file says what it is."' in page


def test_metrics_are_sorted_and_narrowed(owner: User, release: Release, report: Report) -> None:
    client = staff_client(owner)
    narrowed = client.get(f"{address(release)}/metrics/", {"m-measure": "Recall", "m-sort": "metric"}).context["table"]
    assert [line.link.name for line in narrowed.page] == [METRIC, "SKIP-2+Recall+MULT-PROB"]
    assert narrowed.all_metrics == 6
    searched = client.get(f"{address(release)}/metrics/", {"m-q": "GOO"}).context["table"]
    assert [line.link.name for line in searched.page] == ["good"]
    unknown = client.get(f"{address(release)}/metrics/", {"m-sort": "zz", "m-unit": "zz", "m-page": "99"}).context[
        "table"
    ]
    assert [line.link.name for line in unknown.page][:2] == ["good", "fair"]


@pytest.mark.parametrize(
    ("told", "share"),
    [({"beats_length": False}, 80), ({"not_better_than_length": True}, 80), ({"beats_length": True}, None), ({}, None)],
)
def test_length_is_said_to_be_unbeaten_only_as_it_was_tested(
    owner: User, release: Release, told: dict[str, bool], share: int | None
) -> None:
    made_report(release, [{**level("A", 0.64, partial_r=0.51), **told}, level("B", 0.3), *means("ABCD")])
    shown = readable(every_tab(staff_client(owner), f"{address(release)}/"))
    assert "no better than length" not in shown
    assert "has shown nothing" not in shown
    assert ("not shown to beat length on 80% of the pairs of systems" in shown) == (share is not None)


def test_a_report_of_before_opens_and_repeats_no_difference_that_noise_has(owner: User, release: Release) -> None:
    old = {"judgement": "meaning", "metric": "good", "n": 6, "people": 0, "low": 0.01, "high": 0.09, "missed": 3}
    kept = {"edges": [0, 0.1], "significant": [1], "agree": [4], "all": [6], "curve": [[0.01, 0.5], [0.03, 1.0]]}
    rows = [level("good", 0.4, low=0.3, high=0.5), level("poor", 0.3), row("trusted difference", "95%", 0.034, **old)]
    made_report(release, [*rows, *means("ABCD")], {"difference histogram": {"meaning": {"good": kept}}})
    client = staff_client(owner)
    page = readable(every_tab(client, f"{address(release)}/"))
    assert "0.034" not in page
    metric = client.get(f"{address(release)}/metric/", {"metric": "good"})
    assert metric.context["difference_plot"].smallest == []
    assert "0.034" not in readable(metric)


def test_two_metrics_are_compared_without_a_script(owner: User, release: Release, report: Report) -> None:
    query = {"first": "poor", "second": "good"}
    assert "poor is shown to be better than good on 0%" in readable(
        every_tab(staff_client(owner), f"{address(release)}/", query)
    )


def test_a_page_of_eighty_metrics_is_bounded(owner: User, release: Release) -> None:
    names = [f"metric {number}" for number in range(80)]
    made_report(release, [*levels(names, top=9), *means(SYSTEMS)], matrix(names))

    page = every_tab(staff_client(owner), f"{address(release)}/")

    assert "9 of 80 metrics are not shown to be worse than any other" in readable(page)
    assert "Page 1 of 8" in readable(page)
    assert len(page.content) < 250_000


@pytest.mark.parametrize("rows", [[], [level("good", None, reason="the outputs have no ratings")]])
def test_a_report_without_numbers_says_so(owner: User, release: Release, rows: list[dict[str, object]]) -> None:
    made_report(release, rows)
    shown = readable(every_tab(staff_client(owner), f"{address(release)}/"))
    assert ("has no numbers" if not rows else "the outputs have no ratings") in shown
    assert staff_client(owner).get(f"{address(release)}/metric/").status_code == 200


def test_tables_of_later_versions_do_not_break_the_page(owner: User, release: Release) -> None:
    made_report(release, [row("new", "x", 1.0, judgement="taste", metric="?"), *levels(["good", "fair"])])
    assert staff_client(owner).get(f"{address(release)}/").status_code == 200


def test_the_figures_of_a_metric_have_files(owner: User, release: Release, report: Report) -> None:
    client, place = staff_client(owner), f"{address(release)}/metric/"
    asked = f"metric={METRIC.replace('+', '%2B')}"
    page = readable(client.get(f"{place}?{asked}"))

    keys = re.findall(rf'href="{place}figures/([a-z]+)\.svg\?', page)
    assert keys == ["outputs", "systems", "differences"]
    assert figures_on(client, f"{place}?{asked}") == {f"{place}figures/{key}" for key in keys}
    svg, csv = (client.get(f"{place}figures/systems.{form}?{asked}") for form in ("svg", "csv"))
    assert METRIC in svg.content.decode()
    assert len(csv.content.decode().splitlines()) == 1 + len(SYSTEMS)
    assert f"{place}?{asked}#figure-systems" in readable(client.get(f"{place}figures/systems.html?{asked}"))
    assert [client.get(f"{place}figures/{each}?{asked}").status_code for each in ("none.svg", "systems.exe")] == [
        404
    ] * 2


def test_the_dots_of_outputs_are_named_in_their_file_as_they_are_narrowed(
    owner: User, release: Release, report: Report
) -> None:
    client, place = staff_client(owner), f"{address(release)}/metric/"
    asked = {"metric": "poor", "genre": "News", "system": "Beta"}

    file = client.get(f"{place}figures/outputs.csv", asked)
    lines = file.content.decode().splitlines()

    assert file["Content-Disposition"].endswith('-evaluation-poor-news-beta-outputs.csv"')
    assert lines[0] == "name,x,y,system,source"
    assert len(lines) == 1 + 12
    assert {line.split(",")[0] for line in lines[1:]} == {"News"}
    assert {line.split(",")[3] for line in lines[1:]} == {"Beta"}
    drawn = client.get(f"{place}figures/outputs.json", asked).json()
    assert (drawn["mark"]["type"], drawn["encoding"]["color"]["field"]) == ("point", "name")
    ScorePart.objects.update(file="gone.parquet")
    assert client.get(f"{place}figures/outputs.csv", asked).status_code == 404
    assert client.get(f"{place}figures/systems.csv", asked).status_code == 200


def test_the_matrix_has_files(owner: User, release: Release) -> None:
    names = [f"metric {number}" for number in range(30)]
    made_report(release, [*levels(names, top=9), *means(SYSTEMS)], matrix(names))
    client, place = staff_client(owner), f"{address(release)}/"

    assert f"{place}figures/dominance/matrix" in figures_of(client, place)

    lines = client.get(f"{place}figures/dominance/matrix.csv").content.decode().splitlines()
    assert lines[0] == "row,column,percent"
    assert len(lines) == 1 + 30 * 29
    svg = client.get(f"{place}figures/dominance/matrix.svg").content.decode()
    assert svg.count("metric 29<") == 2
    drawn = client.get(f"{place}figures/dominance/matrix.json").json()
    assert drawn["mark"] == "rect"
    assert (
        drawn["encoding"]["x"]["sort"]
        == drawn["encoding"]["y"]["sort"]
        == lines[1].split(",")[:1] + [line.split(",")[1] for line in lines[1 : len(names)]]
    )


def test_a_metric_explains_itself_with_an_example(owner: User, release: Release, report: Report) -> None:
    shown = readable(staff_client(owner).get(f"{address(release)}/metric/", {"metric": METRIC}))
    for words in (
        "sequences of two words",
        "An example from this corpus",
        "References (written by people)",
        "96 have a score and a rating",
        "Ranked higher by the metric than by people, the furthest first",
        "Differences between systems (r)",
    ):
        assert words in shown


def test_a_metric_shows_from_which_difference_on_it_can_be_trusted(
    owner: User, release: Release, report: Report
) -> None:
    page = staff_client(owner).get(f"{address(release)}/metric/", {"metric": METRIC})
    plot = page.context["difference_plot"]
    stored = report.figures["difference histogram"][page.context["judgement"]][METRIC]
    assert sum(each.pairs for each in plot.bins) == sum(stored["all"])
    (curve,) = plot.figure.plot.curves
    assert curve.path.startswith("M")
    assert curve.path.endswith("H100")
    assert curve.path.count("V") == len(stored["curve"]) - 1
    assert {row["figure"] for row in plot.smallest} == {"80%", "90%", "95%"}
    assert "How large a difference can be trusted" in readable(page)


def test_an_imported_metric_is_not_explained(owner: User, release: Release, report: Report) -> None:
    shown = readable(staff_client(owner).get(f"{address(release)}/metric/", {"metric": "good"}))
    assert "only its file says what it is" in shown
    assert "made:up" in shown


def test_outputs_are_narrowed_by_genre_and_system(owner: User, release: Release, report: Report) -> None:
    client = staff_client(owner)
    query = {"metric": "poor", "genre": "News", "system": "Beta"}

    page = client.get(f"{address(release)}/metric/", query)

    assert page.context["outputs"] == 12
    listed = [output for _words, outputs in page.context["disagreements"] for _number, output in outputs]
    assert {(output.source.genre, output.system) for output in listed} == {("News", "Beta")}
    assert client.get(f"{address(release)}/metric/", {**query, "genre": "zz"}).context["outputs"] == 24


def test_scores_that_are_lost_are_told(owner: User, release: Release, report: Report) -> None:
    ScorePart.objects.update(file="gone.parquet")
    shown = readable(staff_client(owner).get(f"{address(release)}/metric/", {"metric": METRIC}))
    assert "are lost" in shown


def test_without_parquet_a_report_is_shown_but_none_is_made(
    owner: User, release: Release, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = staff_client(owner)
    assert client.get(f"{address(release)}/metric/", {"metric": METRIC}).context["plot"]
    lacks(monkeypatch, PARQUET)

    assert "Computed" in readable(every_tab(client, f"{address(release)}/"))
    assert {client.get(f"{address(release)}{ending}").status_code for ending in (".csv", ".json", ".tex")} == {200}
    metric = client.get(f"{address(release)}/metric/", {"metric": METRIC})
    assert (metric.status_code, metric.context["refusal"]) == (200, WITHOUT_PARQUET)
    assert WITHOUT_PARQUET in readable(client.post(f"{address(release)}/reports/", {"draws": 21}, follow=True))
    with pytest.raises(CommandError) as refused:
        call_command("report", release.name, "evaluation", "--draws=21")
    assert str(refused.value) == WITHOUT_PARQUET
    assert Report.objects.count() == 1


def test_an_unknown_metric_is_a_404(owner: User, release: Release, report: Report) -> None:
    assert staff_client(owner).get(f"{address(release)}/metric/", {"metric": "zz"}).status_code == 404


def test_pages_cost_a_fixed_number_of_queries(owner: User) -> None:
    client = staff_client(owner)
    costs = []
    for number, names in ((8, [METRIC]), (30, [METRIC, "LR-1+F-1+MULT-MAX", "LR-1+Recall+MULT-MAX"])):
        release = scored_release(sources_with_systems(number), owner=owner)
        compute_scores(release, *names)
        computed(release)
        with CaptureQueriesContext(connection) as asked:
            for path in ("/", "/metric/"):
                assert client.get(f"{address(release)}{path}", {"metric": METRIC}).status_code == 200
        costs.append(len(asked))
    assert costs[0] == costs[1]


def test_a_release_of_one_system_has_pages_that_say_what_is_missing(owner: User) -> None:
    release = scored_release(sources_with_systems(8, systems=("Alpha",)), owner=owner)
    computed(release)
    client = staff_client(owner)
    shown = readable(every_tab(client, f"{address(release)}/"))
    assert "Why values are undefined" in shown
    assert "No metric can be held against these ratings" in shown
    assert client.get(f"{address(release)}/metric/", {"metric": "good"}).status_code == 200


def of_model(figure: str, value: float, score: str, **more: object) -> Row:
    about = {"judgement": "meaning", "metric": "judge", "pool": "crowd", "score": score}
    return row("alternative annotator test", figure, value, **about, **more)


def test_the_test_of_a_model_stands_on_the_page_with_its_curve(owner: User, release: Release) -> None:
    rows = [
        of_model("winning rate", 0.75, "accuracy", n=4, may_replace=True),
        of_model("advantage probability", 0.61, "accuracy", n=4),
        of_model("model's advantage", 0.9, "accuracy", other="a rater"),
        of_model("winning rate", 0.25, "-RMSE", n=4, may_replace=False),
    ]
    curve = {"judgement": "meaning", "metric": "judge", "pool": "crowd", "score": "accuracy"}
    points = [[0.0, 0.25], [0.15, None], [0.3, 0.75]]
    made_report(release, [*levels(["good"]), *rows], {"epsilon curve": [{**curve, "curve": points}]})
    page = every_tab(staff_client(owner), f"{address(release)}/?judgement=meaning")
    shown = " ".join(strip_tags(readable(page)).split())
    assert "judge raters of the crowd equal points 0.750 0.610 4yes" in shown
    assert "judge raters of the crowd distance between points 0.250 – 4no" in shown
    assert "judge against raters of the crowd, by equal points" in shown
    assert "the epsilon of this report, 0.10," in shown
    assert 'd="M0 75L100 25"' in page.content.decode()


def test_what_unlike_metrics_corroborate_is_drawn(owner: User, release: Release) -> None:
    curve = {"heterogeneity": [0.1, 0.2, 0.5], "not_worse": [0.5, 0.6, 1.0], "better": [0.25, 0.5, 0.75]}
    made_report(
        release,
        [*levels(["good"]), row("heterogeneity", "auc", 0.6, judgement="meaning", metric="good")],
        {"corroboration": {"meaning": curve}},
    )
    asked = {"judgement": "meaning", "table": "heterogeneity"}
    page = staff_client(owner).get(f"{address(release)}/comparisons/", asked).content.decode()
    assert 'd="M0 50L25 40L100 0"' in page
    assert 'd="M0 75L25 50L100 25"' in page


def test_without_pairs_that_differ_in_heterogeneity_nothing_is_drawn(owner: User, release: Release) -> None:
    curve = {"heterogeneity": [0.1], "not_worse": [0.5], "better": [0.25]}
    made_report(release, levels(["good"]), {"corroboration": {"meaning": curve}})
    assert "unlike metrics" not in readable(every_tab(staff_client(owner), f"{address(release)}/?judgement=meaning"))
