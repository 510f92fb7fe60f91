"""What the page of scores shows."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common.spreadsheets import as_before_defusing
from corpus.models import Release
from corpus.release.records import ReleasedSource
from measures.metrics import Options, Tokenizer
from scoring.models import ScoreRun
from scoring.selectors import MAIN_METRIC, extremes, part_lines, section_of
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    NAME,
    NASTY,
    OTHER,
    TABLE,
    WITHOUT_PARSER,
    address,
    computed,
    of_texts,
    page_of,
    released_with,
    rows_of,
    summary_of,
    varied,
)
from scoring.views import METRICS_SHOWN
from tests.support.factories import readable, staff_client
from tests.support.figures import figures_on
from tests.support.reports import tables_of

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = WITHOUT_PARSER[0]
ODD_NAMES = ['A/B & <C> "q"', "sys\ttem", "line\nbreak", "é 😀", "'; DROP", "=1+1", " ", "100%", "a,b;c", "people's"]
Monkey = pytest.MonkeyPatch


def test_the_run_that_was_asked_for_last_is_shown_and_others_by_number(release: Release) -> None:
    first, second = computed(release, FEW), computed(release, ScoreSettings(metrics=(NAME,)))

    assert len(tables_of(page_of(release).content.decode())[TABLE]) == 2
    assert len(tables_of(page_of(release, run=first.pk).content.decode())[TABLE]) == 3
    assert len(tables_of(page_of(release, run=second.pk).content.decode())[TABLE]) == 2


def test_a_run_of_one_metric_does_not_hide_one_of_all(release: Release) -> None:
    computed(release)
    computed(release, FEW)

    page = readable(page_of(release))
    assert len(tables_of(page)[TABLE]) == 1 + METRICS_SHOWN < 1 + len(WITHOUT_PARSER)
    assert "Page 1 of 4" in page


def test_runs_are_told_apart_by_what_was_asked(release: Release) -> None:
    computed(release, FEW)
    computed(release)
    question = ScoreSettings(Tokenizer("whitespace", lower=False, stemmer="porter"), Options(window=7, single="mean"))
    computed(release, question)
    computed(release, ScoreSettings(options=Options(reference_weights="by-editor"), normalize=False))

    page = " ".join(readable(page_of(release)).split())

    assert f"</a>: {NAME}, {OTHER} </li>" in page
    assert "</a>: 68 metrics </li>" in page
    assert "</a>: 68 metrics, references by-editor, texts as written </li>" in page
    assert "</a>: 68 metrics, words by whitespace, mixed case, stems by porter, window 7, SINGLE-REF mean </li>" in page


def test_the_form_holds_the_settings_of_the_run(client: Client, release: Release) -> None:
    run = computed(
        release, ScoreSettings(Tokenizer(lower=False, stemmer="porter"), Options(window=7, seed=3), normalize=False)
    )
    page = client.get(f"{address(release)}/method/").content.decode()
    inputs = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', page))
    chosen = dict(re.findall(r'<select name="(\w+)"[^>]*>.*?<option value="(\w+)"\s+selected', page, re.DOTALL))
    ticked = re.findall(r'<input type="checkbox" name="(\w+)"[^>]*checked', page)

    client.post(f"{address(release)}/runs/", {**inputs, **chosen, **dict.fromkeys(ticked, "on")})

    assert ScoreRun.objects.get() == run


def test_the_page_leads_to_other_runs_of_the_release(release: Release) -> None:
    first = computed(release, FEW)
    computed(release, ScoreSettings(metrics=(NAME,)))

    assert f"?run={first.pk}" in readable(page_of(release))


def heading(page: Any) -> str:
    found = re.search(r'<h2 id="parts">(.*?)</h2>', readable(page))
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [({}, MAIN_METRIC), ({"metric": NAME}, NAME), ({"metric": "none"}, FIRST), ({"metric": "\0"}, FIRST)],
)
def test_a_metric_is_chosen_by_the_address(release: Release, asked: dict[str, str], shown: str) -> None:
    run = computed(release)

    page = page_of(release, **asked)

    assert heading(page) == shown
    tables = tables_of(page.content.decode())
    for name, kind in (("genre", "genres"), ("length of the source", "lengths")):
        lines = [
            [line.name, *("–" if mean is None else f"{mean:.3f}" for mean in line.means)]
            for line in part_lines(section_of(summary_of(run), "jackknifed"), kind, shown)
        ]
        assert tables[f"By {name}"] == [["Part", "people", "A", "B"], *lines]


def test_every_metric_links_to_its_own_page(client: Client, release: Release) -> None:
    computed(release, FEW)

    links = re.findall(
        r'<th scope="row">\s*<a href="([^"]+/\?run=\d+&amp;metric=[^"]+)"', page_of(release).content.decode()
    )

    assert len(links) == 2
    pages = [client.get(link.replace("&amp;", "&")) for link in links]
    assert [heading(page) for page in pages] == [NAME, OTHER]


def test_a_system_without_an_output_in_a_part_has_a_dash_there() -> None:
    release = released_with([*varied()[:1], of_texts(2, ["Men.", "Two men."], {"A": "Men."}, genre="News")])
    computed(release, FEW)

    parts = tables_of(page_of(release, ground="all").content.decode())["By genre"]

    assert parts[2][0] == "News"
    assert parts[2][3] == "–"


def test_lengths_stand_in_their_order_whoever_has_outputs_in_them() -> None:
    short, long = "Two men left.", "Two old men went home late at night, alone."
    sources = [of_texts(1, ["Two."], {"A": "Two."}, text=short), of_texts(2, ["Men.", "Two men."], text=long)]
    release = released_with([*sources, of_texts(3, ["Men left."], {"A": "Left."}, text=short)])
    computed(release, FEW)

    parts = tables_of(page_of(release).content.decode())["By length of the source"]

    assert [row[0] for row in parts[1:]] == ["up to 3 words", "4 to 9 words"]


def ladder(number: int) -> list[ReleasedSource]:
    """Outputs of one system that agree with more and more of the words of one text."""
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    return [of_texts(place, [" ".join(words)], {"A": " ".join(words[:place])}) for place in range(1, number + 1)]


def test_the_best_and_the_worst_outputs_are_listed() -> None:
    run = computed(released_with(ladder(9)), FEW)

    (of_system,) = extremes(run, NAME)

    assert of_system.system == "A"
    assert [each.source_id for each in of_system.best] == ["9", "8", "7", "6", "5"]
    assert [each.source_id for each in of_system.worst] == ["1", "2", "3", "4", "5"]
    assert [each.score for each in of_system.best] == pytest.approx([place / 9 for place in (9, 8, 7, 6, 5)])
    assert of_system.worst[1].text == "one two"
    assert of_system.worst[1].references == ["one two three four five six seven eight nine"]


def test_the_page_shows_the_best_and_the_worst_in_their_order() -> None:
    release = released_with(ladder(9))
    computed(release, FEW)

    page = page_of(release, metric=NAME).content.decode()

    shown = re.findall(r"<strong>([\d.]+)</strong>", page)
    assert shown == [f"{place / 9:.3f}" for place in (9, 8, 7, 6, 5, 1, 2, 3, 4, 5)]


def test_the_best_are_found_over_all_parts(monkeypatch: Monkey) -> None:
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 2)
    (of_system,) = extremes(computed(released_with(ladder(9)), FEW), NAME)

    assert [each.source_id for each in of_system.best] == ["9", "8", "7", "6", "5"]


def test_texts_of_people_are_shown_with_the_others_of_their_source(release: Release) -> None:
    people, *_ = extremes(computed(release, FEW), NAME)

    assert people.system == "people"
    written = {source.source_id: [text.text for text in source.texts] for source in varied()}
    for each in (*people.best, *people.worst):
        assert sorted([each.text, *each.references]) == sorted(written[each.source_id])


def test_markup_in_texts_is_text() -> None:
    sources = [
        of_texts(NASTY, [NASTY, f"{NASTY} more"], {NASTY: f"{NASTY} less"}, genre=NASTY, text=f"{NASTY} a b c"),
        of_texts(2, ["Men went.", "Men."], {NASTY: "Men"}),
    ]
    release = released_with(sources)
    computed(release)

    page = page_of(release)

    assert "<script>alert" not in page.content.decode()
    assert readable(page).count(NASTY) >= 8


def test_names_of_systems_may_have_any_characters() -> None:
    release = released_with([of_texts(1, ["Men went."], dict.fromkeys(ODD_NAMES, "Men"))])
    run = computed(release, FEW)

    head = tables_of(page_of(release).content.decode())[TABLE][0]

    assert {each["system"] for each in summary_of(run)["systems"]} == set(ODD_NAMES)
    assert sorted(head[1:]) == sorted(" ".join(f"{name} 1 output".split()) for name in ODD_NAMES)
    assert {as_before_defusing(row["system"]) for row in rows_of(release, "tsv")} == set(ODD_NAMES)
    assert {row["system"] for row in rows_of(release, "parquet")} == set(ODD_NAMES)


def test_a_system_called_people_is_not_mistaken_for_them() -> None:
    release = released_with([of_texts(1, ["Men went.", "Men."], {"people": "Two men."})])

    names = [each.system for each in extremes(computed(release, FEW), NAME)]

    assert len(set(names)) == 2


def queries_of_page(number: int, systems: int) -> int:
    sources = [of_texts(place, ["Men went.", "Men."], {f"S{each}": "Men" for each in range(systems)})
               for place in range(number)]  # fmt: skip
    release = released_with(sources)
    computed(release, FEW)
    client = staff_client(release.campaign.staff.get())
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"{address(release)}/").status_code == 200
    return len(queries)


def test_more_outputs_cost_the_page_no_more_queries(monkeypatch: Monkey) -> None:
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 3)

    assert queries_of_page(2, 1) == queries_of_page(12, 5)


def test_the_plot_of_systems_has_files_of_its_metric(release: Release, client: Client) -> None:
    run = computed(release, FEW)
    client, place = staff_client(release.campaign.staff.get()), f"{address(release)}/"
    asked = f"run={run.pk}&metric={OTHER.replace('+', '%2B')}"

    assert figures_on(client, f"{place}?{asked}") == {f"{place}figures/systems"}
    lines = client.get(f"{place}figures/systems.csv?{asked}").content.decode().splitlines()
    assert lines[0] == "label,value,low,high"
    assert len(lines) == 1 + len((run.summary or {})["systems"])
    assert OTHER in client.get(f"{place}figures/systems.svg?{asked}").content.decode()
    assert client.get(f"{place}figures/none.svg?{asked}").status_code == 404
