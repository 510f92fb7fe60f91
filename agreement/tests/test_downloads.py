"""One report in all its forms: page, CSV, JSON, LaTeX and command, each read by a reader of its own."""

import csv
import html
import io
import re
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agreement.report_page import PAIRS_SHOWN, RATERS_SHOWN
from agreement.sections.by_rater import PAIR
from common.clock import database_now
from common.models import Job
from corpus.models import Release
from reports.models import Report
from tests.support.factories import make_staff, readable, staff_client
from tests.support.reports import (
    OPTIONS,
    PARAMETERS,
    Row,
    address,
    every_tab,
    printed,
    released,
    report_of,
    source_of,
    strict_json,
    tables_of,
    text_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

# Names with all that CSV, LaTeX or HTML take for signs of their own.
FIRST, SECOND = 'Law & Order, 100%_#1 "$x" {~^\\}', "Grammar | style <b>"
KEYS = ("law_order_100_1_x", "grammar_style_b")
GENRE = 'Fish & "chips", 50%_|<i>\\'
FORMATS = {
    "csv": ("csv", "text/csv; charset=utf-8"),
    "json": ("json", "application/json"),
    "latex": ("tex", "application/x-tex; charset=utf-8"),
}
PARTS = {
    "By genre": "by genre",
    "By number of sentences": "by sentences",
    "By length of the source": "by length of the source",
    "Over time": "over time",
    "Each rater": "one rater versus the others",
    "Pairs of raters": "pair of raters",
}
COLUMNS = (
    "value",
    "low",
    "high",
    "standard_error",
    "sources",
    "raters",
    "items",
    "variance",
    "paper_low",
    "paper_high",
)


@pytest.fixture
def release() -> Release:
    """Seven texts by three raters on two scales, two experts; nothing is missing, so that every table is full."""
    points = [(3, 2, 3), (1, 1, 2), (2, 2, 2), (3, 3, 1), (1, 2, 1), (3, 3, 3), (2, 1, 2)]
    days = [date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)]
    sources = [
        source_of(
            number,
            text_of(each, days=days, experts=(each[0], each[1]), scales=KEYS),
            genre="Letters" if number % 2 else GENRE,
            words=5 * number + 5,
            sentences=1 + number % 2,
        )
        for number, each in enumerate(points)
    ]
    return released(sources, scales=(FIRST, SECOND))


def client_of(release: Release) -> Client:
    return staff_client(release.campaign.staff.get())


def downloaded(release: Release, ending: str, question: str = "") -> str:
    """A download, with its question if one is named."""
    reply = client_of(release).get(f"{address(release)}.{ending}", {"question": question} if question else {})
    assert reply.status_code == 200
    text: str = reply.content.decode()
    return text


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def unescaped(cell: str) -> str:
    """A cell of LaTeX as it is printed."""
    cell = re.sub(r"(?<!\\)\$([<>-])\$", r"\1", cell)
    names = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|"}
    names |= {"textless": "<", "textgreater": ">", "textquotedbl": '"'}
    assert not re.search(r"(?<!\\)[%$#_&~^]", cell)
    return re.sub(r"\\(?:(text\w+)\{\}|([&%$#_{}]))", lambda found: names[found[1]] if found[1] else found[2], cell)


def latex_tables(text: str) -> list[list[list[str]]]:
    tables = []
    for columns, body in re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL):
        lines = [line for line in body.splitlines() if line not in {r"\toprule", r"\midrule", r"\bottomrule"}]
        assert all(line.endswith(r" \\") for line in lines)
        cells = [[unescaped(cell) for cell in line.removesuffix(r" \\").split(" & ")] for line in lines]
        assert {len(row) for row in cells} == {len(columns)}
        tables.append(cells)
    return tables


def figures(row: Row, form: str, counted: str = "") -> str:
    """A number with its interval as `form` has it, such as "{} to {}", on the page with how few it was counted from."""
    if row["value"] is None:
        return "undefined" if " to " in form else "--"
    interval = form.format(f"{row['low']:.3f}", f"{row['high']:.3f}") if row["low"] is not None else ""
    few = f"few {counted}" if counted and row["items"] < 20 else ""
    return " ".join(filter(None, (f"{row['value']:.3f}", few, interval)))


def chosen(report: Row, comparison: str, group: str, measures: tuple[str, ...] = ("agreement", "kappa")) -> list[Row]:
    """The rows that stand in one line of a table."""
    by_key = {(row["scale"], row["comparison"], row["group"], row["measure"]): row for row in report["rows"]}
    return [by_key[scale, comparison, group, measure] for scale in KEYS for measure in measures]


@pytest.mark.parametrize("form", FORMATS)
def test_the_command_prints_what_the_page_gives_to_download(release: Release, form: str) -> None:
    output = printed("report", release.name, "agreement", f"--format={form}", *OPTIONS)

    assert downloaded(release, FORMATS[form][0]) == output


def test_csv_has_every_number_of_the_json_and_no_other(release: Release) -> None:
    report = report_of(release)

    rows = csv_rows(downloaded(release, "csv"))

    assert len(rows) == len(report["rows"]) > 100
    for written, row in zip(rows, report["rows"], strict=True):
        for name in ("scale", "comparison", "group", "measure", "no_interval", "undefined"):
            assert written[name] == row[name]
        for name in COLUMNS:
            assert (float(written[name]) if written[name] else None) == row[name]
        assert written["draws_defined"] == ("" if row["draws"] is None else str(row["draws"]))


def test_latex_has_the_numbers_of_table_4_and_of_all_judges(release: Release) -> None:
    report = report_of(release)

    table, whole = latex_tables(downloaded(release, "tex"))

    assert table[0] == [
        "Comparison",
        *(f"{name} ({scale})" for scale in (FIRST, SECOND) for name in ("Agreement", "Kappa")),
    ]
    comparisons = ["worker versus worker", "expert versus expert", "expert versus worker"]
    assert table[1:] == [
        [name, *(figures(row, "[{}, {}]") for row in chosen(report, name, ""))] for name in comparisons
    ]
    assert whole[0] == ["Judges", "Coefficient", FIRST, SECOND]
    lines = dict.fromkeys(
        (row["comparison"], row["measure"]) for row in report["rows"] if row["comparison"].startswith("all ")
    )
    assert len(lines) == 21
    assert whole[1:] == [
        [judges, measure, *(figures(row, "[{}, {}]") for row in chosen(report, judges, "", (measure,)))]
        for judges, measure in lines
    ]


def test_the_page_has_the_numbers_of_the_json_in_all_its_tables(release: Release) -> None:
    report = report_of(release)

    page = every_tab(client_of(release), f"{address(release)}/").content.decode()

    tables = tables_of(page)
    for label, comparison in PARTS.items():
        groups = dict.fromkeys(row["group"] for row in report["rows"] if row["comparison"] == comparison)
        expected = []
        for group in groups:
            rows = chosen(report, comparison, group)
            counted = "ratings" if label in {"Over time", "Each rater"} else "texts"
            expected.append([group, str(rows[0]["items"]), *(figures(row, "{} to {}", counted) for row in rows)])
        assert [[line[0].lower(), *line[1:]] for line in tables[label][2:]] == [
            [line[0].lower(), *line[1:]] for line in expected
        ], label
    for line in tables["Agreement between raters"][2:]:
        rows = chosen(report, line[0].lower().replace("rater", "worker"), "")
        cells = [cell.split(" variance ") for cell in line[1:]]
        papers = [f" as in the paper {row['paper_low']:.3f} to {row['paper_high']:.3f}" for row in rows]
        assert [interval for interval, _ in cells] == [
            figures(row, "{} to {}", "texts") + paper for row, paper in zip(rows, papers, strict=True)
        ]
        assert [float(variance) for _, variance in cells] == pytest.approx([row["variance"] for row in rows], rel=0.05)
    measures = {row["measure"].lower(): row["measure"] for row in report["rows"]}
    for measure, judges, *figures_shown in tables["Coefficients of all raters"][1:]:
        rows = chosen(report, judges.lower(), "", (measures[measure.lower()],))
        told = [" ".join(filter(None, (figures(row, "{} to {}", "texts"), row["undefined"]))) for row in rows]
        assert figures_shown == told


def test_very_many_raters_stand_on_pages_and_in_the_downloads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agreement.plots.MOST_DOTS", 201)
    texts = [text_of([1 + number % 3 for number in range(203)]), text_of([2] * 200)]
    release = released([source_of(0, *texts)])
    report = report_of(release)

    client = client_of(release)
    page, last = (client.get(f"{address(release)}/raters/{asked}").content.decode() for asked in ("", "?raters=17"))

    assert "Page 1 of 17" in page
    assert [line[:2] for line in tables_of(page)["Each rater"][2:]] == [
        [str(n), "2"] for n in range(1, RATERS_SHOWN + 1)
    ]
    assert tables_of(last)["Each rater"][-1][:2] == ["203", "1"]
    assert "Showing 201 of 203 raters: those with the most ratings." in page
    assert page.count("<circle") == 201
    everybody = {row["group"] for row in report["rows"] if row["comparison"] == "one rater versus the others"}
    assert everybody == {str(number) for number in range(1, 204)}


def test_the_json_names_release_checksum_and_parameters_and_holds_what_the_plots_show(release: Release) -> None:
    report = report_of(release, "--weights=linear", "--rounding=half to even")

    assert set(report) == {"release", "release_sha256", "parameters", "rows", "figures", "first_ratings"}
    assert (report["release"], report["release_sha256"]) == (release.name, release.checksum)
    assert report["parameters"] == {**PARAMETERS, "weights": "linear", "rounding": "half to even"}
    assert set(report["figures"]) == set(KEYS)
    for key, drawn in report["figures"].items():
        kappa = next(row for row in report["rows"] if row["scale"] == key and row["measure"] == "kappa")
        assert sum(drawn["kappas"]["counts"]) == kappa["draws"]
        shares = drawn["confusion"]["shares"]
        assert sum(map(sum, shares)) == pytest.approx(1)
        agreement = next(row for row in report["rows"] if row["scale"] == key and row["measure"] == "agreement")
        assert sum(shares[place][place] for place in range(3)) == pytest.approx(agreement["value"], abs=0.05)


@pytest.mark.parametrize(("ending", "content_type"), FORMATS.values())
def test_a_download_has_the_name_of_the_release_and_says_what_it_is(
    release: Release, ending: str, content_type: str
) -> None:
    report_of(release)

    reply = client_of(release).get(f"{address(release)}.{ending}")

    assert reply["Content-Type"] == content_type
    assert reply["Content-Disposition"] == f'attachment; filename="{release.name}-agreement.{ending}"'


def test_signs_in_the_name_of_a_genre_stand_in_csv_json_and_page_as_they_are(release: Release) -> None:
    report = report_of(release)

    groups = {row["group"] for row in csv_rows(downloaded(release, "csv")) if row["comparison"] == "by genre"}
    page = every_tab(client_of(release), f"{address(release)}/").content.decode()

    assert groups == {row["group"] for row in report["rows"] if row["comparison"] == "by genre"} == {GENRE, "Letters"}
    assert html.escape(GENRE) in page
    assert "<i>" not in page


def test_signs_in_the_name_of_a_scale_stand_on_the_page_as_they_are(release: Release) -> None:
    report_of(release)

    page = every_tab(client_of(release), f"{address(release)}/").content.decode()

    assert tables_of(page)["Agreement between raters"][0][1:] == [FIRST, SECOND]
    assert html.escape(FIRST) in page
    assert "<b>" not in page


def test_a_genre_that_looks_like_a_formula_is_none_in_a_spreadsheet() -> None:
    formula = '=HYPERLINK("a")'
    release = released([source_of(number, text_of((3, 2, 1)), genre=formula) for number in range(3)])
    report_of(release)

    groups = {row["group"] for row in csv_rows(downloaded(release, "csv")) if row["comparison"] == "by genre"}

    assert groups == {f"'{formula}"}


def test_a_genre_is_called_on_the_page_what_it_is_called_in_the_release() -> None:
    release = released([source_of(number, text_of((3, 2, 1)), genre="e-mail") for number in range(3)])
    report_of(release)

    page = every_tab(client_of(release), f"{address(release)}/").content.decode()

    assert tables_of(page)["By genre"][2][0] == "e-mail"


@pytest.mark.parametrize("question", ["0000000000000000", "%", "no such", "\x00"])
@pytest.mark.parametrize("ending", ["/", ".csv", ".json", ".tex"])
def test_a_question_that_nobody_asked_does_not_exist(release: Release, question: str, ending: str) -> None:
    report_of(release)
    Report.objects.update(digest="f" * 64)

    assert client_of(release).get(address(release) + ending, {"question": question}).status_code == 404


def test_each_of_two_questions_has_its_own_address_and_the_last_one_is_shown_without(release: Release) -> None:
    for draws in (11, 12):
        report_of(release, f"--draws={draws}")
    client = client_of(release)

    page = readable(every_tab(client, f"{address(release)}/"))

    listed = r'<a href="\S+/agreement/\?question=(\w{16})"\s*(aria-current="true")?>[-0-9 :]+</a>: [^:]+: (\d+)'
    addresses = re.findall(listed, page)
    assert [(current, draws) for _, current, draws in addresses] == [('aria-current="true"', "12"), ("", "11")]
    for question, _, draws in addresses:
        shown = readable(every_tab(client, f"{address(release)}/", {"question": question}))
        assert re.search(rf"<dt>Simulated pairs of raters</dt>\s*<dd>\s*{draws}\s*</dd>", shown)
        for ending in ("csv", "json", "tex"):
            assert f'/agreement.{ending}?question={question}"' in shown
        assert strict_json(downloaded(release, "json", question))["parameters"]["draws"] == int(draws)
        assert {row["draws"] for row in csv_rows(downloaded(release, "csv", question))} == {draws}
        assert f'\\"draws\\": {draws}' in downloaded(release, "tex", question).replace('"', '\\"')
    assert strict_json(downloaded(release, "json"))["parameters"]["draws"] == 12


def test_a_question_without_an_answer_hides_no_answer(release: Release) -> None:
    report_of(release, "--draws=11")
    Report.objects.create(
        release=release,
        kind="agreement",
        digest="a" * 64,
        parameters={**PARAMETERS, "weights": "none", "rounding": "half up"},
        report_version=3,
    )

    page = readable(every_tab(client_of(release), f"{address(release)}/"))

    assert "Simulated pairs of raters: 11" in page


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("draws", "0"),
        ("draws", "1000000000"),
        ("draws", "many"),
        ("draws", "1.5"),
        ("replications", "0"),
        ("seed", "-1"),
        ("seed", "2" * 400),
        ("weights", "cubic"),
        ("rounding", "down"),
    ],
)
def test_parameters_without_sense_are_refused_on_the_page_and_nothing_is_stored(
    release: Release, field: str, value: str
) -> None:
    page = client_of(release).post(f"{address(release)}/reports/", {field: value})

    assert page.status_code == 422
    assert re.search(rf'role="alert">.*<a href="#id_{field}">.*</a>: \S', readable(page), re.DOTALL)
    assert not Report.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "option", ["--draws=0", "--draws=1000000000000", "--draws=many", "--seed=-1", "--weights=cubic", "--rounding=down"]
)
def test_the_command_refuses_what_the_page_refuses(release: Release, option: str) -> None:
    with pytest.raises(Exception, match=r"draws|seed|weights|rounding") as error:
        printed("report", release.name, "agreement", option)

    assert type(error.value).__name__ == "CommandError"
    assert not Report.objects.exists()


def of_an_old_report(release: Release) -> Report:
    """A result as the first version of the report kept it."""
    numbers = {"value": 0.125, "variance": 0.5, "low": 0.0625, "high": 0.875, "items": 7, "draws": 300, "undefined": ""}
    nothing: Row = {**dict.fromkeys(numbers), "undefined": "no expert has rated texts of this release"}
    names = ("agreement", "kappa")
    rows: list[Row] = []
    for scale in KEYS:
        rows += [{"scale": scale, "comparison": "worker versus worker", "measure": name, **numbers} for name in names]
        for comparison in ("expert versus expert", "expert versus worker"):
            rows += [{"scale": scale, "comparison": comparison, "measure": name, **nothing} for name in names]
        rows.append(
            {"scale": scale, "comparison": "all raters", "measure": "Krippendorff's alpha (nominal)", **numbers}
        )
    asked = {**PARAMETERS, "rounding": "half up", "weights": "quadratic"}
    return Report.objects.create(
        release=release,
        kind="agreement",
        parameters=asked,
        digest="0123456789abcdef" * 4,
        report_version=0,
        checksum=release.checksum,
        rows=rows,
        finished_at=database_now(),
    )


def test_an_old_report_is_still_shown_and_given_to_download(release: Release) -> None:
    of_an_old_report(release)

    page = every_tab(client_of(release), f"{address(release)}/")
    tables = tables_of(page.content.decode())

    few = "0.125 few texts 0.062 to 0.875"
    assert "An earlier version of Précis computed this report." in readable(page)
    assert "To cite" not in readable(page)
    assert tables["Agreement between raters"][2] == ["Rater versus rater", *[f"{few} variance 0.5"] * 4]
    assert tables["Coefficients of all raters"][1:] == [["Krippendorff's alpha (nominal)", "All raters", few, few]]
    assert [row["value"] for row in csv_rows(downloaded(release, "csv"))].count("0.125") == 6
    assert len(strict_json(downloaded(release, "json"))["rows"]) == 14
    table, whole = latex_tables(downloaded(release, "tex"))
    assert table[1] == ["worker versus worker", *["0.125 [0.062, 0.875]"] * 4]
    assert len(whole) == 2


def test_an_old_report_that_is_asked_for_again_gets_a_new_answer_beside_it(release: Release) -> None:
    old = of_an_old_report(release)

    client = client_of(release)
    page = every_tab(client, client.post(f"{address(release)}/reports/", PARAMETERS)["Location"])

    assert "By genre" in tables_of(page.content.decode())
    first, new = Report.objects.order_by("pk")
    assert (first, first.rows) == (old, old.rows)
    assert new.parameters == old.parameters
    assert strict_json(downloaded(release, "json", old.digest[:16]))["rows"] == old.rows


def queries_of_page(raters: int, texts: int, questions: int) -> int:
    points = [1 + number % 3 for number in range(raters)]
    release = released([source_of(number, text_of(points), genre=f"Genre {number}") for number in range(texts)])
    for draws in range(1, questions + 1):
        report_of(release, f"--draws={draws}")
    client = client_of(release)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = every_tab(client, f"{address(release)}/")
    assert len(tables_of(page.content.decode())["Each rater"]) == 2 + raters
    return len(queries)


def test_more_raters_texts_and_questions_cost_the_page_no_more_queries() -> None:
    assert queries_of_page(raters=2, texts=2, questions=1) == queries_of_page(raters=9, texts=12, questions=4)


def test_nobody_else_can_see_or_download_a_report(release: Release) -> None:
    report_of(release)
    stranger = staff_client(make_staff())

    for ending in ("/", ".csv", ".json", ".tex"):
        assert stranger.get(address(release) + ending).status_code == 404
        assert Client().get(address(release) + ending).status_code == 302


def test_a_download_of_a_report_that_is_not_computed_does_not_exist(release: Release) -> None:
    for ending in ("csv", "json", "tex"):
        reply: Any = client_of(release).get(f"{address(release)}.{ending}")
        assert reply.status_code == 404


def test_pairs_that_no_page_shows_are_in_every_file() -> None:
    points = [1 + number % 3 for number in range(22)]
    fewer = [*points[:20], None, None]  # the last two have a text less in common with all others
    release = released([source_of(number, text_of(points if number else fewer)) for number in range(6)])
    report = strict_json(printed("report", release.name, "agreement", "--format=json", *OPTIONS))
    pairs = [row["items"] for row in report["rows"] if (row["comparison"], row["measure"]) == (PAIR, "kappa")]

    stored = Report.objects.get()
    page = every_tab(client_of(release), f"{address(release)}/").content.decode()
    [shown] = [rows for label, rows in tables_of(page).items() if label.startswith("Pairs of raters")]
    reply: Any = client_of(release).get(f"{address(release)}.json")

    assert sorted(pairs) == [5] * 41 + [6] * 190
    assert [row["items"] for row in stored.rows or [] if (row["comparison"], row["measure"]) == (PAIR, "kappa")].count(
        6
    ) == 190
    assert "These are the 200 pairs with the most texts in common. The CSV file has all 231." in " ".join(page.split())
    assert len(shown) == 2 + PAIRS_SHOWN
    assert strict_json(b"".join(reply.streaming_content).decode()) == report
    assert printed("report", release.name, "agreement", "--section=pairs", *OPTIONS).count(" and ") >= 231
