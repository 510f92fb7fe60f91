"""The figures of a release, on its page, as CSV and as LaTeX: counted by hand from a campaign of four sources."""

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from compressions.models import Source, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.imports import source_import
from compressions.services.submission import Submission, compression_submit
from corpus.models import Release
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    make_campaign,
    rate_each,
    readable,
    rewriting_log,
    staff_client,
)

pytestmark = pytest.mark.django_db

Cells = list[list[str]]
Figures = dict[tuple[str, str, str, str], str]
# The split of each source, and of each of its texts the length and what two raters said.
SOURCES: Mapping[str, tuple[str, dict[int, tuple[tuple[int, int], tuple[int, int]]]]] = {
    "s1": ("train", {50: ((3, 3), (3, 2)), 70: ((2, 3), (2, 2))}),
    "s2": ("valid", {50: ((1, 1), (3, 3))}),
    "s3": ("test", {50: ((3, 2), (2, 2)), 55: ((1, 3), (1, 3))}),
    "p1": ("train", {150: ((3, 3), (3, 3)), 100: ((2, 1), (1, 1))}),
}
# Sources, compressions, per source, ratings, mean meaning, mean grammar.
SIZES: dict[str, dict[str, tuple[int, int, float | None, int, float | None, float | None]]] = {
    "all": {
        "all": (4, 7, 7 / 4, 14, 30 / 14, 32 / 14),
        "1 sentence": (3, 5, 5 / 3, 10, 21 / 10, 24 / 10),
        "2 sentences": (1, 2, 2.0, 4, 9 / 4, 8 / 4),
    },
    "train": {
        "all": (2, 4, 2.0, 8, 19 / 8, 18 / 8),
        "1 sentence": (1, 2, 2.0, 4, 10 / 4, 10 / 4),
        "2 sentences": (1, 2, 2.0, 4, 9 / 4, 8 / 4),
    },
    "valid": {
        "all": (1, 1, 1.0, 2, 2.0, 2.0),
        "1 sentence": (1, 1, 1.0, 2, 2.0, 2.0),
        "2 sentences": (0, 0, None, 0, None, None),
    },
    "test": {
        "all": (1, 2, 2.0, 4, 7 / 4, 10 / 4),
        "1 sentence": (1, 2, 2.0, 4, 7 / 4, 10 / 4),
        "2 sentences": (0, 0, None, 0, None, None),
    },
}
# Of one sentence, of two, of both.
GENRES: dict[str, dict[str, tuple[int, int, int]]] = {
    "all": {"Letters": (2, 0, 2), "Newswire": (1, 1, 2)},
    "train": {"Letters": (1, 0, 1), "Newswire": (0, 1, 1)},
    "valid": {"Letters": (1, 0, 1)},
    "test": {"Newswire": (1, 0, 1)},
}
# How often 3, 2 and 1 were given.
POINTS: dict[str, dict[str, tuple[int, int, int]]] = {
    "all": {"meaning": (6, 4, 4), "grammar": (7, 4, 3)},
    "train": {"meaning": (4, 3, 1), "grammar": (4, 2, 2)},
    "valid": {"meaning": (1, 0, 1), "grammar": (1, 0, 1)},
    "test": {"meaning": (1, 1, 2), "grammar": (2, 2, 0)},
}
# Compressions by the percent of the source that they are long; a bin of 5% has its upper edge in it.
RATIOS: dict[str, dict[int, int]] = {
    "all": {50: 4, 55: 1, 70: 1, 75: 1},
    "train": {50: 2, 70: 1, 75: 1},
    "valid": {50: 1},
    "test": {50: 1, 55: 1},
}
OVER_RATINGS = ("Mean meaning over ratings", "Mean grammar over ratings")
PER_SOURCE = {"all": {1: 1, 2: 3}, "train": {2: 2}, "valid": {1: 1}, "test": {2: 1}}


def text_of(length: int, word: str = "wxyz") -> str:
    """A text of so many characters, words of four."""
    return " ".join([word] * (length // 5)) + "."


def four_sources() -> Campaign:
    campaign = make_campaign(editors_per_source=2, raters_per_compression=2)
    rows = [
        {"id": name, "genre": genre, "text": text_of(200 if name == "p1" else 100, "abcd"), "sentences": sentences}
        for name, genre, sentences in (
            ("s1", "Letters", "1"),
            ("s2", "Letters", "1"),
            ("s3", "Newswire", "1"),
            ("p1", "Newswire", "2"),
        )
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    for name, (split, _) in SOURCES.items():
        Source.objects.filter(source_id=name).update(split=split)
    for editor in range(2):
        enrolment = enrol(campaign, EDIT)
        while assignment := assignment_claim(enrolment=enrolment):
            source = source_of_assignment(assignment)
            lengths = list(SOURCES[source.source_id][1])
            text = text_of(lengths[min(editor, len(lengths) - 1)])
            submission = Submission(text, rewriting_log(source.text, text))
            compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)
    rate_each(enrol(campaign, RATE), lambda target: points_of(target)[0])
    rate_each(enrol(campaign, RATE), lambda target: points_of(target)[1])
    return campaign


def points_of(target: Target) -> tuple[tuple[int, int], tuple[int, int]]:
    return SOURCES[target.source.source_id][1][len(target.text)]


@pytest.fixture
def release() -> Release:
    return freeze(four_sources())


def get(release: Release, path: str) -> Any:
    client = staff_client(release.campaign.staff.get())
    client.raise_request_exception = False
    return client.get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/{path}")


def csv_of(release: Release) -> Figures:
    content = b"".join(get(release, "overview.csv").streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))
    assert {row["release"] for row in rows} <= {release.name}
    found = {(row["split"], row["table"], row["row"], row["figure"]): row["value"] for row in rows}
    assert len(found) == len(rows)
    return found


def tables_of(release: Release) -> list[Cells]:
    """The cells of the tables in LaTeX; every row has as many as the table has columns."""
    written = get(release, "overview.tex").content.decode()
    tables = []
    for columns, body in re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", written, re.DOTALL):
        lines = [line for line in body.splitlines() if line not in {r"\toprule", r"\midrule", r"\bottomrule"}]
        assert all(line.endswith(r" \\") for line in lines)
        cells = [re.split(r" & ", line.removesuffix(r" \\")) for line in lines]
        assert {len(row) for row in cells} == {len(columns)}
        tables.append(cells)
    return tables


def two(value: float | None, none: str) -> str:
    return none if value is None else f"{value:.2f}"


def parts_of(page: str) -> dict[str, str]:
    """The sections of the page by their headings."""
    sections = re.findall(r"<section.*?<h2[^>]*>(.*?)</h2>(.*?)</section>", page, re.DOTALL)
    return {"all" if name == "The whole release" else name.lower(): content for name, content in sections}


def bars(part: str, title: str) -> dict[str, int]:
    table = part.split(f"<h3>{title}</h3>")[1].split("</table>", maxsplit=1)[0]
    rows = re.findall(r'<th scope="row">(.*?)</th>.*?<td class="num">(\d+)</td>', table, re.DOTALL)
    return {label: int(count) for label, count in rows}


def test_the_page_shows_the_sizes_and_means_of_the_whole_and_of_each_split(release: Release) -> None:
    parts = parts_of(readable(get(release, "overview/")))

    assert set(parts) == set(SIZES)
    for split, kinds in SIZES.items():
        rows = re.findall(r'<tr>\s*<th scope="row">(all|\d sentences?)</th>(.*?)</tr>', parts[split], re.DOTALL)
        shown = {kind: re.findall(r'<td class="num">(.*?)</td>', cells) for kind, cells in rows}
        assert shown == {
            kind: [str(sources), str(texts), two(each, "–"), str(ratings), *2 * [two(meaning, "–"), two(grammar, "–")]]
            for kind, (sources, texts, each, ratings, meaning, grammar) in kinds.items()
        }


def test_the_page_shows_every_distribution_of_the_whole_and_of_each_split(release: Release) -> None:
    for split, part in parts_of(readable(get(release, "overview/"))).items():
        assert bars(part, "Texts by genre") == {genre: counts[2] for genre, counts in GENRES[split].items()}
        assert bars(part, "Compressions per source") == {str(key): n for key, n in PER_SOURCE[split].items()}
        ratios = {
            label: n for label, n in bars(part, "Length of the compression as a percentage of the source").items() if n
        }
        assert ratios == {f"{most - 5}–{most}%": n for most, n in RATIOS[split].items()}
        for scale, counts in POINTS[split].items():
            table = re.split(rf"<h3>\s*{scale.capitalize()}\s", part)[1].split("</table>")[0]
            assert re.findall(r"<b>(\d)</b>", table) == ["3", "2", "1"]
            assert tuple(map(int, re.findall(r'<td class="num muted">(\d+)</td>', table))) == counts


def test_the_csv_has_the_same_numbers(release: Release) -> None:
    wanted: dict[tuple[str, str, str, str], float | None] = {}
    means = ("mean meaning", "mean grammar")
    names = ("sources", "compressions", "compressions_per_source", "ratings", *means)
    for split, kinds in SIZES.items():
        for kind, values in kinds.items():
            wanted |= {(split, "sizes", kind, name): value for name, value in zip(names, values, strict=True)}
            # Every text has two ratings.
            over_ratings = zip(means, values[-2:], strict=True)
            wanted |= {(split, "sizes", kind, f"{name} over ratings"): value for name, value in over_ratings}
        for genre, counts in GENRES[split].items():
            counted = zip(("1 sentence", "2 sentences", "all"), counts, strict=True)
            wanted |= {(split, "genres", genre, kind): count for kind, count in counted}
        for scale, counts in POINTS[split].items():
            wanted |= {(split, "points", scale, str(3 - place)): count for place, count in enumerate(counts)}
        for number, count in PER_SOURCE[split].items():
            wanted[split, "compressions per source", str(number), "sources"] = count
        for most in range(5, 105, 5):
            place = (split, "compression ratio", f"from {(most - 5) / 100}", "compressions")
            wanted[place] = RATIOS[split].get(most, 0)

    found = csv_of(release)

    assert set(found) == set(wanted)
    for key, value in wanted.items():
        assert found[key] == "" if value is None else float(found[key]) == pytest.approx(value), key


@pytest.mark.parametrize(("place", "split"), list(enumerate(["all", "train", "valid", "test"])))
def test_latex_has_the_numbers_of_the_whole_and_then_of_each_split(release: Release, place: int, split: str) -> None:
    tables = tables_of(release)
    assert len(tables) == 4 * 3
    genres, sizes, points = tables[3 * place : 3 * place + 3]

    assert genres == [
        ["Genre", "1 sentence", "2 sentences", "All"],
        *([genre, *map(str, counts)] for genre, counts in GENRES[split].items()),
    ]
    assert sizes == [
        [*("Kind", "Sources", "Compressions", "CPS", "Mean meaning", "Mean grammar"), *OVER_RATINGS],
        *(
            [kind, str(sources), str(texts), two(each, "--"), *2 * [two(meaning, "--"), two(grammar, "--")]]
            for kind, (sources, texts, each, _, meaning, grammar) in SIZES[split].items()
        ),
    ]
    assert points == [
        ["Scale", "Point", r"Ratings (\%)"],
        *(
            [scale.capitalize(), str(3 - rank), f"{100 * count / sum(counts):.1f}"]
            for scale, counts in POINTS[split].items()
            for rank, count in enumerate(counts)
        ),
    ]


def test_latex_names_the_release_and_the_split(release: Release) -> None:
    written = get(release, "overview.tex")
    assert release.checksum in written.content.decode()
    assert written["Content-Disposition"] == f'attachment; filename="{release.name}-overview.tex"'
    assert written.content.decode().count("(valid).") == 3
