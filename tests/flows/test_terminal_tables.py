"""Commands print tables to people on a terminal, and CSV, tab-separated values or lines of text to pipes."""

import csv
import io
import json
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agreement.tables import SECTIONS
from corpus.models import Release
from crowd.models import Campaign
from scoring.tests.releases import OTHER, released_with, varied
from tests.support.factories import freeze, golden_campaign, judged_campaign
from tests.support.reports import OPTIONS, printed
from tests.support.terminal import ESCAPE, plain_lines, shown_on_terminal

pytestmark = pytest.mark.django_db
WIDTHS = (80, 120)
of_every_width = pytest.mark.parametrize("width", WIDTHS)


@pytest.fixture(autouse=True)
def ordinary_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def campaign() -> Campaign:
    return golden_campaign()


@pytest.fixture
def release(campaign: Campaign) -> Release:
    return freeze(campaign)


def report(release: Release, *more: str) -> tuple[str, ...]:
    return ("report", release.name, "agreement", *OPTIONS, *more)


def scores(release: Release, *more: str) -> tuple[str, ...]:
    return ("score_metrics", release.name, *more)


def plan(release: Release, *more: str) -> tuple[str, ...]:
    return ("plan_ratings", release.campaign.slug, *more)


def quality(release: Release, *more: str) -> tuple[str, ...]:
    return ("apply_quality", release.campaign.slug, "--dry-run", "--share=0.5", *more)


COMMANDS: list[Callable[..., tuple[str, ...]]] = [report, scores, plan, quality]
TABLES = [
    (report, [], "The kappa to cite"),
    (report, ["--all"], "Pairs of raters"),
    (scores, [], "Means of"),
    (scores, ["--all"], "Means of"),
    (plan, ["--price-per-rating=0.12"], "Cost"),
    (quality, [], "Raters who would be excluded"),
    (quality, ["--all"], "Raters, worst first"),
]


def width_of(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in line)


@of_every_width
def test_no_line_is_longer_than_the_terminal(release: Release, width: int) -> None:
    for command, more, words in TABLES:
        lines = plain_lines(shown_on_terminal(*command(release, *more), width=width))

        assert max(map(width_of, lines)) <= width
        assert any(set(line) == {"─"} for line in lines)
        assert words in "\n".join(lines)
        assert "--format csv" in " ".join(lines[-4:])


def test_each_section_has_a_heading_that_stands_out(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in COMMANDS:
        shown = shown_on_terminal(*command(release))
        assert "\x1b[1m" in shown

        with monkeypatch.context() as patched:
            patched.setenv("NO_COLOR", "1")
            plain = shown_on_terminal(*command(release))
        assert [line.rstrip() for line in plain_lines(shown)] == plain.splitlines()
        assert "\x1b" not in plain


def test_django_s_own_option_asks_for_no_colours_too(release: Release) -> None:
    assert "\x1b" not in shown_on_terminal(*report(release), "--no-color")


def test_a_terminal_without_utf_8_gets_signs_that_it_has(release: Release) -> None:
    for command in COMMANDS:
        lines = plain_lines(shown_on_terminal(*command(release), encoding="ascii"))

        assert any(set(line) == {"-"} for line in lines)
        assert max(map(len, lines)) <= 80


def test_names_cannot_steer_the_terminal(release: Release) -> None:
    for command in COMMANDS:
        Campaign.objects.update(name="a\x1b]0;title\x07b\u202ec")

        assert not set(ESCAPE.sub("", shown_on_terminal(*command(release)))) & {"\x1b", "\x07", "\u202e"}


def test_a_pipe_gets_the_same_whatever_its_width(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in COMMANDS:
        before = printed(*command(release))
        monkeypatch.setenv("COLUMNS", "40")

        assert printed(*command(release)) == before
        assert "─" not in before


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_is_no_error(unbuffered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    command = [sys.executable, str(Path(__file__).parents[2] / "manage.py"), "help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_csv_and_json_have_the_same_number_of_rows(release: Release) -> None:
    for command in COMMANDS:
        rows = list(csv.DictReader(io.StringIO(printed(*command(release, "--format=csv")), newline="")))
        document = json.loads(printed(*command(release, "--format=json")))

        listed = document["rows"] if "rows" in document else [document["signatures"], *document["scores"]]
        assert len(rows) == len(listed) > 0


def test_a_table_is_printed_into_a_pipe_when_asked_for(release: Release) -> None:
    assert printed(*report(release, "--format=table")).startswith("The kappa to cite: rater versus rater\n")


# What the tables choose.


def section(lines: list[str], heading: str) -> list[str]:
    """The lines below a heading, to the next empty one."""
    start = next(number for number, line in enumerate(lines) if line.startswith(heading))
    end = lines.index("", start)
    return lines[start + 1 : end]


def test_the_report_rounds_what_the_file_has(release: Release) -> None:
    rows = csv.DictReader(io.StringIO(printed(*report(release)), newline=""))
    wanted = ("meaning", "worker versus worker", "kappa")
    (row,) = [row for row in rows if (row["scale"], row["comparison"], row["measure"]) == wanted]

    table = section(plain_lines(shown_on_terminal(*report(release))), "Agreement and kappa")

    assert any(
        f"{float(row['value']):.3f} [{float(row['low']):.3f}, {float(row['high']):.3f}]" in line for line in table
    )


def test_a_section_can_be_chosen(release: Release) -> None:
    headings = {
        name: printed(*report(release, "--format=table", f"--section={name}")).splitlines()[0] for name in SECTIONS
    }

    assert all(headings.values())
    assert len(set(headings.values())) == len(SECTIONS)


def test_an_unknown_section_is_refused(release: Release) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'kappas'"):
        call_command(*report(release, "--section=kappas"))


def summary(**means: tuple[float, float, float]) -> dict[str, Any]:
    systems = [
        {"system": name.strip("_"), "outputs": 9, "means": {"M": mean}, "low": {"M": low}, "high": {"M": high}}
        for name, (mean, low, high) in means.items()
    ]
    return {"metrics": ["M"], "systems": systems}


@pytest.mark.parametrize(
    ("means", "best"),
    [
        ({"a": (0.5, 0.4, 0.6), "b": (0.8, 0.7, 0.9)}, 1),
        ({"a": (0.5, 0.4, 0.75), "b": (0.8, 0.7, 0.9)}, None),
        ({"a": (0.5, 0.4, 0.6)}, None),
        ({"_": (0.99, 0.98, 1.0), "a": (0.5, 0.4, 0.6)}, None),
        ({"_": (0.99, 0.98, 1.0), "a": (0.5, 0.4, 0.6), "b": (0.8, 0.7, 0.9)}, 2),
    ],
)
def test_the_best_system_is_marked_where_that_is_known(means: dict[str, Any], best: int | None) -> None:
    from scoring.selectors import metric_lines  # noqa: PLC0415
    from scoring.tables import best_place  # noqa: PLC0415

    found = summary(**means)
    assert best_place(found, metric_lines(found)[0]) == best


def test_metrics_asked_for_are_the_rows() -> None:
    release = released_with(varied())

    lines = plain_lines(shown_on_terminal("score_metrics", release.name, "--metrics", OTHER))

    assert [line.split()[0] for line in section(lines, "Means of")[2:]] == [OTHER]


def test_many_systems_stand_in_several_tables(release: Release) -> None:
    from scoring.tables import score_sections  # noqa: PLC0415

    found = summary(**{f"system{number}": (0.5, 0.4, 0.6) for number in range(5)})
    sections = score_sections(found, "Means", None, 80, is_all=True)

    assert [len(each.columns) - 1 for each in sections] == [2, 2, 1]


def test_quality_counts_first_and_says_that_nothing_changed(campaign: Campaign) -> None:
    lines = plain_lines(shown_on_terminal("apply_quality", campaign.slug, "--dry-run", "--share=0.5"))

    assert lines[0] == "Who would be excluded: a share of 0.5 of those who can be assessed"
    assert lines[3].split() == ["Raters", "3", "3", "1"]
    assert "Nothing has been changed." in "\n".join(lines)


def test_without_ratings_a_dry_run_says_why_nobody_is_there() -> None:
    campaign = judged_campaign(sources=1, scores=(), raters_per_compression=1)

    assert "No compression has a rating yet" in shown_on_terminal("apply_quality", campaign.slug, "--dry-run")
