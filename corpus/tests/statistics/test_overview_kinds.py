"""The figures of releases of other kinds: strange names, own scales, side by side, and those of early releases."""

import csv
import io
import re
from typing import Any

import pytest

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.services.release import release_create
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from tests.support.factories import (
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    import_texts,
    judged_campaign,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db

Cells = list[list[str]]
GENRE = r"R&D_100% #1 {a} ~b ^c \d $e <i>"
ESCAPED = r"R\&D\_100\% \#1 \{a\} \textasciitilde{}b \textasciicircum{}c \textbackslash{}d \$e $<$i$>$"


def get(release: Release, path: str) -> Any:
    client = staff_client(release.campaign.staff.get())
    client.raise_request_exception = False
    return client.get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/{path}")


def rows_of(release: Release) -> list[dict[str, str]]:
    content = b"".join(get(release, "overview.csv").streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def tables_of(release: Release) -> list[Cells]:
    """The cells of the tables in LaTeX; every row has as many as the table has columns."""
    written = get(release, "overview.tex").content.decode()
    tables = []
    for columns, body in re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", written, re.DOTALL):
        lines = [line for line in body.splitlines() if line not in {r"\toprule", r"\midrule", r"\bottomrule"}]
        cells = [re.split(r"(?<!\\)&", line.removesuffix(r" \\")) for line in lines]
        assert {len(row) for row in cells} == {len(columns)}
        for cell in (cell for row in cells for cell in row):
            plain = re.sub(r"\$[<>-]\$|\\(textbackslash|textasciitilde|textasciicircum)\{\}|\\[&%$#_{}]", "", cell)
            assert not set(plain) & set(r"\&%$#_{}~^")
        tables.append([[cell.strip() for cell in row] for row in cells])
    assert len(tables) % 3 == 0
    return tables


def judged_with(scales: str, points: dict[str, int], *, side_by_side: bool = False) -> Campaign:
    """Two sources with two texts each, and a rater who always gives the same points."""
    campaign = make_campaign(
        sources=2,
        editors_per_source=2,
        raters_per_compression=1,
        rating_task="pair" if side_by_side else "single",
        scales=scales_dump(scales_from_text(scales, side_by_side=side_by_side)),
    )
    edit_all(campaign, 2)
    rater = enrol(campaign, RATE)
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, **points)
    return campaign


def test_the_name_of_a_genre_is_escaped_everywhere() -> None:
    campaign = make_campaign(raters_per_compression=1)
    import_texts(campaign, [SENTENCE.format(number=1)], genre=GENRE)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))

    release = freeze(campaign)

    assert tables_of(release)[0][1:] == [[ESCAPED, "1", "0", "1"]]
    assert {row["row"] for row in rows_of(release) if row["table"] == "genres"} == {GENRE}
    page = get(release, "overview/").content.decode()
    assert "&lt;i&gt;" in page
    assert "<i>" not in page


def test_a_genre_that_looks_like_a_formula_is_none_in_a_spreadsheet() -> None:
    campaign = make_campaign(raters_per_compression=1)
    import_texts(campaign, [SENTENCE.format(number=1)], genre="=1+1")
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))

    assert {row["row"] for row in rows_of(freeze(campaign)) if row["table"] == "genres"} == {"'=1+1"}


def test_own_scales_have_columns_and_distributions_of_their_own() -> None:
    scales = "Content: How much?\n4 all\n3 much\n2 some\n1 none\n\nStyle: How good?\n2 good\n1 bad"
    release = freeze(judged_with(scales, {"content": 4, "style": 1}))

    page = readable(get(release, "overview/"))

    assert "Mean content" in page
    assert "Mean grammar" not in page
    _, sizes, points, *_ = tables_of(release)
    over_ratings = ("Mean content over ratings", "Mean style over ratings")
    assert sizes[0] == [*("Kind", "Sources", "Compressions", "CPS", "Mean content", "Mean style"), *over_ratings]
    assert sizes[1] == ["all", "2", "4", "2.00", *2 * ["4.00", "1.00"]]
    assert points[1:] == [
        ["Content", "4", "100.0"],
        ["Content", "3", "0.0"],
        ["Content", "2", "0.0"],
        ["Content", "1", "0.0"],
        ["Style", "2", "0.0"],
        ["Style", "1", "100.0"],
    ]
    given = {(row["row"], row["figure"]): row["value"] for row in rows_of(release) if row["table"] == "points"}
    assert given == {
        ("content", "4"): "4",
        ("content", "3"): "0",
        ("content", "2"): "0",
        ("content", "1"): "0",
        ("style", "2"): "0",
        ("style", "1"): "4",
    }


def test_the_name_of_a_scale_is_escaped_everywhere() -> None:
    release = freeze(judged_with("R&D_x 100%: How good?\n2 good\n1 bad", {"r_d_x_100": 2}))

    _, sizes, points, *_ = tables_of(release)

    assert sizes[0][-2:] == [r"Mean r\&d\_x 100\%", r"Mean r\&d\_x 100\% over ratings"]
    assert points[1:] == [[r"R\&D\_x 100\%", "2", "100.0"], [r"R\&D\_x 100\%", "1", "0.0"]]


def test_side_by_side_the_texts_are_counted_and_have_no_points() -> None:
    campaign = judged_with("Overall: Which is better?", {"overall": 1}, side_by_side=True)
    release = freeze(campaign)

    page = get(release, "overview/")

    assert page.status_code == 200
    _, sizes, points, *_ = tables_of(release)
    assert sizes[1] == ["all", "2", "4", "2.00", "--", "--"]
    assert points[1:] == [["Overall", "3", "--"], ["Overall", "2", "--"], ["Overall", "1", "--"]]
    figures = {row["figure"]: row["value"] for row in rows_of(release) if (row["split"], row["row"]) == ("all", "all")}
    assert figures["mean overall"] == ""
    assert figures["compressions"] == "4"


def early_release() -> Release:
    """Frozen before figures were counted, and before one could ask for more than one rating."""
    release = freeze(judged_campaign())
    summary = {key: value for key, value in release.summary.items() if key != "overview"}
    options = {key: release.options[key] for key in ("seed", "shares")}
    Release.objects.update(summary=summary, options=options)
    return Release.objects.get()


def release_in_the_making() -> Release:
    return release_create(campaign=judged_campaign())


def failed_release() -> Release:
    release = release_create(campaign=judged_campaign())
    Release.objects.update(state=Release.State.FAILED)
    return release


@pytest.mark.parametrize("make", [early_release, release_in_the_making, failed_release])
def test_without_figures_the_page_says_so_and_the_files_are_empty_or_not_there(make: Any) -> None:
    release = make()

    assert "it was frozen by a version of Précis that did not count figures" in readable(get(release, "overview/"))
    assert rows_of(release) == []
    latex = get(release, "overview.tex")
    assert latex.status_code in {200, 404}
    assert latex.status_code == 404 or "tabular" not in latex.content.decode()


@pytest.mark.parametrize("make", [early_release, release_in_the_making, failed_release])
def test_the_page_of_such_a_release_opens(make: Any) -> None:
    release = make()

    assert release.name in readable(get(release, ""))
    assert get(release, "").status_code == 200


def test_what_is_of_another_campaign_or_not_there_is_not_found() -> None:
    release = freeze(judged_campaign())
    stranger = staff_client(make_staff())

    for path in ("overview/", "overview.csv", "overview.tex"):
        base = f"/campaigns/{release.campaign.slug}/releases/"
        assert stranger.get(f"{base}1/{path}").status_code == 404
        assert staff_client(release.campaign.staff.get()).get(f"{base}2/{path}").status_code == 404


def test_a_source_of_which_only_systems_made_something_is_not_counted() -> None:
    campaign = judged_campaign(sources=1)
    import_texts(campaign, [SENTENCE.format(number=1), SENTENCE.format(number=2)])
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "2", "The committee agreed.")])

    rows = [row for row in rows_of(freeze(campaign)) if row["split"] == "all"]

    by_number = {row["row"]: row["value"] for row in rows if row["table"] == "compressions per source"}
    assert by_number == {"1": "1"}
    genres = {row["row"]: row["value"] for row in rows if (row["table"], row["figure"]) == ("genres", "all")}
    assert genres == {"Letters": "1"}
