"""Files of a report and the command that prints them: the same numbers everywhere."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Release
from edit_operations.tests.releases import (
    cells,
    computed,
    file_of,
    pairs_of,
    released_with,
    source_of,
    text_of,
    varied,
    varied_ratings,
)
from edit_operations.text_views import alignment_lines
from reports.models import Report
from tests.support.factories import freeze, judged_campaign

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def release() -> Release:
    return released_with(varied())


def printed(release: Release, *options: str) -> str:
    out = io.StringIO()
    call_command("report", release.name, "operations", "--draws=50", *options, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_csv_and_json_have_the_same_numbers(release: Release) -> None:
    report = computed(release)
    lines = list(csv.DictReader(io.StringIO(file_of("csv", report), newline="")))
    content = json.loads(file_of("json", report))

    assert content["rows"] == report.rows
    assert all(
        float(line["value"] or 0) == (row["value"] or 0) for line, row in zip(lines, report.rows or [], strict=True)
    )
    assert {line["release_sha256"] for line in lines} == {release.checksum}
    assert content["seed"] == 2016
    places = {(each["section"], each["table"], each["row"]): each["value"] for each in content["published"]}
    assert places["3.3", "text", "target tokens copied"] == 0.754


def test_every_column_of_the_csv_has_its_own_name(release: Release) -> None:
    # One release has paragraphs and systems, the other logs: together they fill all tables.
    for report in (computed(release), computed(freeze(judged_campaign(sources=6, editors=4)))):
        head = next(csv.reader(io.StringIO(file_of("csv", report), newline="")))
        assert [name for name in head if head.count(name) > 1] == []


def test_table_6_and_the_parameter_apart_are_both_in_the_csv(release: Release) -> None:
    lines = list(csv.DictReader(io.StringIO(file_of("csv", computed(release)), newline="")))
    row = cells(computed(release), "table 6")["", "meaning"]

    (line,) = [line for line in lines if (line["table"], line["figure"]) == ("table 6", "meaning")]
    assert float(line["apart"]) == row["apart"]
    assert line["sentences_apart"] == "mean"


def test_names_in_the_csv_run_no_formula() -> None:
    report = computed(released_with([source_of(1, text_of("The men went.", 2), genre="=1+1")]))

    assert "'=1+1" in file_of("csv", report)


def test_latex_has_the_papers_values_beside(release: Release) -> None:
    latex = file_of("latex", computed(release))

    assert latex.count(r"\begin{table}") == 4
    assert "0.754" in latex
    assert r"2.810 & 2.700 & $<$ .0001 \\" in latex


def test_latex_names_every_column_once(release: Release) -> None:
    latex = file_of("latex", computed(release))

    heads = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*?) \\\\", latex)
    assert len(heads) == 4
    for columns, head in heads:
        names = head.split(" & ")
        assert len(names) == len(columns)
        assert all(names)
        assert len(set(names)) == len(names)
    assert heads[2][1].startswith("Scale & joint & apart & Difference")


def test_latex_has_minus_signs() -> None:
    latex = file_of("latex", computed(released_with(pairs_of(8))))

    row = next(line for line in latex.splitlines() if line.startswith("reorder & Meaning"))
    assert row.startswith("reorder & Meaning & 2.000 & 3.000 & $-$1.000 [$-$1.000, $-$1.000]")


def test_alignments_have_a_line_for_each_text(release: Release) -> None:
    report = computed(release)

    lines = [json.loads(line) for line in alignment_lines(report)]

    assert len(lines) == report.pinned["texts"] == 14
    first = lines[0]
    assert len(first["places"]) == len(first["words"]) == len(first["classes"])
    for pair in first["pairs"].split():
        place, number = map(int, pair.split("-"))
        assert first["places"][number] == place
    assert {line["system"] for line in lines} == {None, "A", "B"}


def test_the_command_prints_what_the_page_has(release: Release) -> None:
    assert printed(release, "--format=json") == file_of("json", computed(release))
    assert Report.objects.count() == 1
    assert printed(release, "--format=csv").startswith("table,part,group,figure,value")
    assert r"\toprule" in printed(release, "--format=latex")


def test_tables_name_undefined_values(release: Release) -> None:
    shown = printed(release, "--format=table", "--all")

    assert "What people did" in shown
    assert "no alignment of this release has been corrected" in shown


@pytest.mark.parametrize(
    ("section", "heading", "words"),
    [
        ("costs", "Operations, length and quality", "reorder"),
        ("ordered-ratings", "with ratings as ordered categories", "reorder"),
        ("within-editors", "within editors", "sentence deleted"),
        ("order", "When words are changed", "replaced"),
        ("order-pairs", "Which operation is begun first", "deleted"),
    ],
)
def test_costs_editors_and_order_have_tables(section: str, heading: str, words: str) -> None:
    shown = printed(freeze(judged_campaign(sources=6, editors=4)), "--format=table", f"--section={section}")

    assert heading in shown
    assert words in shown


def test_every_form_has_estimate_interval_t_degrees_of_freedom_and_method() -> None:
    release = released_with(varied_ratings())
    report = computed(release)
    row = cells(report, "costs")["reorder", "meaning"]
    told = (f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]", f"{row['t']:.3f}", f"{row['df']:.1f}")

    shown = printed(release, "--format=table", "--section=costs")
    latex = file_of("latex", report).replace("$-$", "-")
    lines = csv.DictReader(io.StringIO(file_of("csv", report), newline=""))
    (line,) = [
        each for each in lines if (each["table"], each["group"], each["figure"]) == ("costs", "reorder", "meaning")
    ]

    for words in (*told, "Kenward-Roger", "F = "):
        assert words in shown
        assert words in latex
    assert (float(line["t"]), float(line["df"]), line["method"]) == (row["t"], row["df"], "Kenward-Roger")


def test_a_report_of_before_opens_without_degrees_of_freedom() -> None:
    report = computed(released_with(varied_ratings()))
    new = ("t", "df", "numerator_df", "method", "no_interval", "raters", "ratings")
    kept = [row for row in report.rows or [] if row["table"] != "ordered ratings" and "numerator_df" not in row]
    report.rows = [{name: value for name, value in row.items() if name not in new} for row in kept]
    report.save()

    assert "reorder" in printed(report.of_release, "--format=table", "--all")
    assert "Mean rating by operations and length: linear mixed model" in file_of("latex", report)


@pytest.mark.parametrize("section", ["costs", "ordered-ratings", "order", "order-pairs"])
def test_a_table_says_why_it_has_no_values(section: str) -> None:
    shown = printed(
        released_with([source_of(1, text_of("The men went.", 2))]), "--format=table", f"--section={section}"
    )

    assert "Undefined:" in shown or "Nothing:" in shown


def test_the_command_reads_word_pairs(release: Release, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("walked\twent\n")

    printed(release, f"--word-pairs={pairs}")
    assert Report.objects.get().attached == "walked\twent\n"

    pairs.write_text("walked\n")
    with pytest.raises(CommandError, match=r"pairs.txt, line 1"):
        printed(release, f"--word-pairs={pairs}")


def test_numbers_that_make_no_sense_are_refused(release: Release) -> None:
    with pytest.raises(CommandError, match="draws must be from 1"):
        printed(release, "--draws=0")
