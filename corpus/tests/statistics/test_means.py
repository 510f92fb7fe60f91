"""Means of texts with unequal numbers of ratings: over compressions, and, named as such, over ratings."""

import csv
import io
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedText
from corpus.release_import.reading import release_import, release_read
from corpus.statistics.means import PointSums
from crowd.scales import DEFAULT_SCALES
from tests.support.factories import freeze, judged_campaign, make_staff, readable, silent, staff_client
from tests.support.stored import release_folder

SOURCE = "The committee, which met for more than three hours on Tuesday evening, agreed to repair the wooden bridge."
GOOD, FAIR, POOR = "6\tMost important meaning Flawless language", "12\tMuch meaning Minor errors", "24\tLittle"
# Means of meaning: 3, 1.25 and 2, so (3 + 1.25 + 2) / 3 over compressions and (3 + 5 + 4) / 7 over ratings.
PARTS = (("Short.", (GOOD,)), ("Shorter.", (FAIR, POOR, POOR, POOR)), ("Not rated.", ()), ("Fair.", (FAIR, FAIR)))
OVER_COMPRESSIONS, OVER_RATINGS = 6.25 / 3, 12 / 7


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """An imported release with texts of one, four and two ratings."""
    cells = ["\t".join((text, "7", str(len(ratings)), *ratings)) for text, ratings in PARTS]
    (tmp_path / "train.tsv").write_text(" ||| ".join((f"1\tLetters\t{SOURCE}", *cells)) + "\r\n", encoding="utf-8")
    content = release_read(tmp_path)
    owner = make_staff()
    return freeze(release_import(content=content, slug="old", name="Old", owner=owner, progress=silent))


def page(release: Release, path: str) -> str:
    return readable(staff_client(release.campaign.staff.get()).get(f"/campaigns/old/releases/1/{path}"))


def csv_figures(release: Release) -> dict[tuple[str, str, str], str]:
    reply: Any = staff_client(release.campaign.staff.get()).get("/campaigns/old/releases/1/overview.csv")
    rows = csv.DictReader(io.StringIO(b"".join(reply.streaming_content).decode("utf-8-sig")))
    return {(row["split"], row["row"], row["figure"]): row["value"] for row in rows if row["table"] == "sizes"}


def shown_on_release_page(release: Release) -> dict[str, str]:
    return dict(re.findall(r"<dt>(mean .*?)</dt>\s*<dd>\s*(.*?)\s*</dd>", page(release, "")))


def overview_columns(release: Release) -> dict[str, str]:
    """The row of all sources of the first table, by its column."""
    table = page(release, "overview/").split("<table>")[1].split("</table>")[0]
    head = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table)
    first = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", table.split("<tbody>")[1].split("</tr>")[0])
    return dict(zip(head, first, strict=True))


@pytest.mark.django_db
def test_a_mean_is_over_compressions_and_the_one_over_ratings_says_so(release: Release) -> None:
    assert release.summary["mean_over_compressions"]["meaning"] == OVER_COMPRESSIONS
    assert release.summary["mean_over_ratings"]["meaning"] == OVER_RATINGS
    figures = csv_figures(release)
    for split in ("all", "train"):
        assert float(figures[split, "all", "mean meaning"]) == OVER_COMPRESSIONS
        assert float(figures[split, "1 sentence", "mean meaning over ratings"]) == OVER_RATINGS
    columns = overview_columns(release)
    assert (columns["Mean meaning"], columns["Mean meaning over ratings"]) == ("2.08", "1.71")
    assert "mean over compressions 2.08, over ratings 1.71" in page(release, "overview/")
    assert shown_on_release_page(release) == {
        "mean meaning": "2.08",
        "mean meaning over ratings": "1.71",
        "mean grammar": "2.08",
        "mean grammar over ratings": "1.71",
    }


@pytest.mark.django_db
def test_the_card_and_latex_name_both_means(release: Release) -> None:
    card = (release_folder(release) / "README.md").read_text(encoding="utf-8")
    head, _, whole = (line for line in card.splitlines() if line.startswith(("| | ", "|---|---|---|---|", "| all ")))
    figures = dict(zip(head.split("|"), whole.split("|"), strict=True))
    assert figures[" mean meaning "] == " 2.08 "
    assert figures[" mean meaning over ratings "] == " 1.71 "
    latex = page(release, "overview.tex")
    assert "CPS & Mean meaning & Mean grammar & Mean meaning over ratings & Mean grammar over ratings" in latex
    assert "& 2.08 & 2.08 & 1.71 & 1.71" in latex


def with_old_means(release: Release) -> None:
    """As releases were summed up that knew the mean over ratings alone."""

    def aged(figures: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in figures.items() if not name.startswith("mean_over_")}
        return kept | {"means": figures["mean_over_ratings"]}

    summary = aged(release.summary)
    for part in summary["overview"].values():
        part["kinds"] = [aged(row) for row in part["kinds"]]
    Release.objects.update(summary=summary)


def with_earliest_means(release: Release) -> None:
    """As the very first were, without tables."""
    means = {f"mean_{scale}": mean for scale, mean in release.summary["mean_over_ratings"].items()}
    kept = {name: release.summary[name] for name in ("sources", "compressions", "ratings", "left_out")}
    Release.objects.update(summary=kept | means)


@pytest.mark.django_db
@pytest.mark.parametrize("age", [with_old_means, with_earliest_means])
def test_an_early_release_has_no_mean_over_compressions(release: Release, age: Callable[[Release], None]) -> None:
    age(release)

    shown = shown_on_release_page(release)

    assert (shown["mean meaning"], shown["mean meaning over ratings"]) == ("–", "1.71")


@pytest.mark.django_db
def test_the_tables_of_an_early_release_open_and_call_its_mean_one_over_ratings(release: Release) -> None:
    with_old_means(release)

    columns = overview_columns(release)

    assert (columns["Mean meaning"], columns["Mean meaning over ratings"]) == ("–", "1.71")
    assert "mean over compressions –, over ratings 1.71" in page(release, "overview/")
    figures = csv_figures(release)
    assert figures["all", "all", "mean meaning"] == ""
    assert float(figures["all", "all", "mean meaning over ratings"]) == OVER_RATINGS
    assert "& -- & -- & 1.71 & 1.71" in page(release, "overview.tex")


@pytest.mark.django_db
def test_with_equal_numbers_of_ratings_the_means_are_the_same() -> None:
    summary = freeze(judged_campaign(sources=3, editors=2, scores=((3, 2), (1, 2), (2, 3)))).summary

    assert summary["mean_over_compressions"] == summary["mean_over_ratings"] == {"meaning": 2.0, "grammar": 7 / 3}


ratings = st.lists(st.fixed_dictionaries({}, optional={key: st.integers(1, 3) for key in ("meaning", "grammar")}))


def sums_of(texts: list[list[dict[str, int]]]) -> dict[str, Any]:
    sums = PointSums()
    for given_ in texts:
        sums.add(ReleasedText("A text.", ("1",), tuple(ReleasedRating("", scores) for scores in given_)))
    return sums.as_json(DEFAULT_SCALES)


@given(st.lists(ratings), st.randoms(use_true_random=False))
def test_means_are_exact_whatever_the_order(texts: list[list[dict[str, int]]], rng: random.Random) -> None:
    found = sums_of(texts)

    for scale in ("meaning", "grammar"):
        points = [[rating[scale] for rating in text if scale in rating] for text in texts]
        means = [Fraction(sum(each), len(each)) for each in points if each]
        given_ = [value for each in points for value in each]
        assert found["mean_over_compressions"][scale] == (float(sum(means) / len(means)) if means else None)
        assert found["mean_over_ratings"][scale] == (float(Fraction(sum(given_), len(given_))) if given_ else None)
    shuffled = [rng.sample(text, len(text)) for text in rng.sample(texts, len(texts))]
    assert sums_of(shuffled) == found
