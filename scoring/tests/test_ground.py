"""On what ground people stand beside systems: scored against equally many references, over the same sources."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError

from corpus.models import Release
from corpus.release.records import ReleasedSource, ReleasedText
from measures.metrics import Options
from scoring.models import ScoreRun
from scoring.selectors import common_ground, extremes
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    NAME,
    TABLE,
    WITHOUT_PARSER,
    Scores,
    address,
    body,
    computed,
    json_lines,
    of_texts,
    page_of,
    plainly,
    plainly_jackknifed,
    released_with,
    rows_of,
    stored,
    summary_of,
    varied,
)
from scoring.tests.test_text_settings import as_before
from tests.support.factories import readable, staff_client
from tests.support.reports import every_tab, printed, tables_of

pytestmark = pytest.mark.django_db(transaction=True)

BLEU = ScoreSettings(metrics=("BLEU-4+PrecBrev+MULT-ALL",))
PAGE = "Show jackknifed scores"
BOTH = ("1", "6")  # the sources that people and both systems have, with two references or more


def said(page: Any) -> str:
    return re.sub(r"<[^>]+>|\s+", " ", readable(page)).replace("  ", " ")


def of_source(scores: Scores, source: str, system: str, metric: str) -> float:
    return float(np.mean([row[metric] for key, row in scores.items() if key[:2] == (source, system)]))


def exchangeable(sources: int, people: int) -> Iterable[ReleasedSource]:
    """Texts of one kind, of which one is said to be by a system."""
    rng = np.random.default_rng(7)
    for number in range(sources):
        written = [" ".join(map(str, rng.integers(0, 9, 12))) for _ in range(people + 1)]
        yield of_texts(number, written[1:], {"S": written[0]})


# What the page shows.


def test_people_and_systems_are_jackknifed_over_the_same_sources(release: Release) -> None:
    run = computed(release)

    plain, section = plainly_jackknifed(varied()), summary_of(run)["jackknifed"]

    assert section["sources"] == 2
    assert {each["system"]: each["outputs"] for each in section["systems"]} == {"": 6, "A": 2, "B": 2}
    for each in section["systems"]:
        for metric in WITHOUT_PARSER:
            by_source = [of_source(plain, source, each["system"], metric) for source in BOTH]
            assert each["means"][metric] == pytest.approx(np.mean(by_source))
            assert each["low"][metric] == pytest.approx(min(by_source))
            assert each["high"][metric] == pytest.approx(max(by_source))


def test_systems_have_no_advantage_over_people() -> None:
    run = computed(released_with(exchangeable(300, people=2)), BLEU)
    (metric,) = BLEU.metrics

    by_all, jackknifed = (
        {each["system"]: each["means"][metric] for each in section["systems"]}
        for section in (summary_of(run), summary_of(run)["jackknifed"])
    )

    assert by_all["S"] - by_all[""] > 0.025
    assert abs(jackknifed["S"] - jackknifed[""]) < 0.01


def test_a_source_counts_once_however_many_people_wrote_for_it() -> None:
    sources = [of_texts(1, ["a", "a"[:1] + " b", "a c", "a d"], {"S": "a"}), of_texts(2, ["x", "y"], {"S": "x"})]
    run = computed(released_with(sources), FEW)
    plain = plainly_jackknifed(sources, FEW)

    people = summary_of(run)["jackknifed"]["systems"][0]

    assert people["means"][NAME] == pytest.approx(np.mean([of_source(plain, each, "", NAME) for each in ("1", "2")]))
    assert people["genres"]["Letters"]["means"][NAME] == pytest.approx(people["means"][NAME])


def test_equal_scores_have_equal_intervals() -> None:
    sources = [of_texts(number, [f"a {number}", *["a b", "a c"][: number % 3 + 1]]) for number in range(1, 20)]
    for source in sources:
        source.outputs = of_texts(0, [], {"S": "b a", "T": "b a"}).outputs
    _, first, second = summary_of(computed(released_with(sources), FEW))["jackknifed"]["systems"]

    assert {**first, "system": "T"} == second


def test_the_page_says_on_what_ground_over_how_many_sources(release: Release) -> None:
    computed(release, FEW)

    page = page_of(release)

    assert "Means over the 2 sources that have two or more references and an output of every system" in said(page)
    assert "Sources with two or more references: people 4, A 2, B 3." in said(page)
    assert tables_of(page.content.decode())[TABLE][0] == ["Metric", "people 6 outputs", "A 2 outputs", "B 2 outputs"]
    assert PAGE not in said(page)


def test_scores_by_all_references_are_a_click_away_and_say_so(release: Release) -> None:
    run = computed(release, FEW)
    client = staff_client(release.campaign.staff.get())
    (link,) = re.findall(r'href="([^"]+ground=all)">Show scores', page_of(release, metric=NAME).content.decode())

    page = every_tab(client, link.replace("&amp;", "&"))

    assert f'<h2 id="parts">{NAME}</h2>' in readable(page)
    assert "Not jackknifed: outputs of systems are scored against all references" in said(page)
    assert tables_of(page.content.decode())[TABLE][0] == ["Metric", "people 10 outputs", "A 3 outputs", "B 3 outputs"]
    by_all = [each["means"][NAME] for each in summary_of(run)["systems"]]
    assert [float(cell.split()[0]) for cell in tables_of(page.content.decode())[TABLE][1][1:]] == pytest.approx(
        by_all, abs=0.0005
    )
    metrics = re.findall(r'<th scope="row">\s*<a href="([^"]+)"', page.content.decode())
    assert metrics
    assert all(each.endswith("ground=all") for each in metrics)
    assert '<input type="hidden" name="ground" value="all">' in readable(page)
    (back,) = re.findall(r'href="([^"]+)">Show jackknifed', page.content.decode())
    assert "the 2 sources" in said(client.get(back.replace("&amp;", "&")))


def test_one_source_is_spoken_of_as_one() -> None:
    release = released_with([of_texts(1, ["Men went.", "Men."], {"A": "Men."})])
    computed(release, FEW)

    page = said(page_of(release))

    assert "Means over the one source that has two or more references" in page
    assert "Sources with two or more references:" not in page


def test_a_system_without_any_source_of_two_references_is_left_out_by_name() -> None:
    release = released_with([of_texts(1, ["Men went.", "Men."], {"A": "Men."}), of_texts(2, ["Men."], {"B": "Men."})])
    computed(release, FEW)

    page = page_of(release)

    assert "Left out, since none of their sources has two references: B." in said(page)
    assert tables_of(page.content.decode())[TABLE][0] == ["Metric", "people 2 outputs", "A 1 output"]


def test_systems_without_a_source_in_common_are_not_jackknifed() -> None:
    sources = [of_texts(1, ["Men went.", "Men."], {"A": "Men."}), of_texts(2, ["Two.", "Men."], {"B": "Men."})]
    release = released_with(sources)
    run = computed(release, FEW)

    page = page_of(release)

    assert "Not jackknifed: no source has two or more references and an output of every system." in said(page)
    assert "Sources with two or more references: people 2, A 1, B 1." in said(page)
    assert len(tables_of(page.content.decode())[TABLE][0]) == 4
    assert stored(run, jackknifed=True).keys() == plainly_jackknifed(sources, FEW).keys()


@pytest.mark.parametrize("sources", [[of_texts(1, ["Men.", "Two men."])], [of_texts(1, ["Men."], {"A": "Men."})]])
def test_where_people_or_systems_stand_alone_nothing_is_said_of_ground(sources: list[ReleasedSource]) -> None:
    release = released_with(sources)
    run = computed(release, FEW)

    assert common_ground(summary_of(run)) is None
    assert "ackknif" not in said(page_of(release)).replace("(jackknifed )", "").replace("( jackknifed )", "")
    assert TABLE in tables_of(page_of(release).content.decode())


@pytest.mark.parametrize("ground", ["", "none", "\0", "jackknifed"])
def test_what_is_no_ground_is_the_default(release: Release, ground: str) -> None:
    computed(release, FEW)

    assert "the 2 sources" in said(page_of(release, ground=ground))


def test_the_best_and_the_worst_are_those_of_the_table(release: Release) -> None:
    run = computed(release, FEW)

    jackknifed, by_all = (
        {each.system: {output.source_id for output in each.best} for each in extremes(run, NAME, ground)}
        for ground in ("jackknifed", "all")
    )

    assert jackknifed == {"people": set(BOTH), "A": set(BOTH), "B": set(BOTH)}
    assert by_all["A"] == {"1", "2", "6"}
    assert len(extremes(run, NAME, "all")[1].best) == 3


def test_every_row_of_a_download_names_its_ground(release: Release) -> None:
    computed(release, FEW)

    for ending in ("tsv", "parquet"):
        grounds = {(row["system"] == "", row["ground"]) for row in rows_of(release, ending)}
        assert grounds == {(True, "jackknifed"), (False, "jackknifed"), (False, "all")}


def test_by_editor_one_of_two_editors_of_a_text_is_left_out() -> None:
    source = of_texts(1, ["a b", "c"], {"S": "a b"})
    source.texts[0] = ReleasedText("a b", ("1", "2"), ())
    settings = ScoreSettings(options=Options(reference_weights="by-editor"), metrics=("LR-1+Recall+MULT-PROB",))

    scores = stored(computed(released_with([source]), settings), jackknifed=True)

    # Without one of the two, half of the references has "a b"; without the third, both have.
    assert scores["1", "S", "a b"]["LR-1+Recall+MULT-PROB"] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert scores["1", "", "a b"]["LR-1+Recall+MULT-PROB"] == pytest.approx(2 / 3)


# Scores of elsewhere, and of before.


def test_imported_scores_are_said_not_to_be_jackknifed(release: Release, tmp_path: Path) -> None:
    rows = [{"source": "1", "system": "A", "score": 1}, {"source": "1", "system": "", "text": "Men went.", "score": 0}]
    path = json_lines(tmp_path / "s.jsonl", *rows)

    printed("import_scores", release.name, str(path), "--metric=M", "--signature=s")

    assert "These scores were computed elsewhere and are not jackknifed" in said(page_of(release))
    assert {row["ground"] for row in rows_of(release, "tsv")} == {""}


def test_what_a_file_says_of_its_ground_comes_in(release: Release, tmp_path: Path) -> None:
    first = computed(release, FEW)
    path = tmp_path / "s.tsv"
    path.write_bytes(body(staff_client(release.campaign.staff.get()).get(f"{address(release)}.tsv")))

    printed("import_scores", release.name, str(path))

    run = ScoreRun.objects.latest("pk")
    assert stored(run, jackknifed=True) == stored(first, jackknifed=True)
    assert summary_of(run) == summary_of(first)
    assert run.outputs == first.outputs == 16
    page = said(page_of(release, run=run.pk))
    assert "the 2 sources" in page
    assert "The imported file says which scores are jackknifed." in page


def test_a_ground_that_there_is_none_of_is_refused(release: Release, tmp_path: Path) -> None:
    row = {"source": "1", "system": "A", "score": 1, "ground": "some", "metric": "M", "signature": "s"}

    with pytest.raises(CommandError, match="line 1: the ground 'some' is none of jackknifed, all"):
        printed("import_scores", release.name, str(json_lines(tmp_path / "s.jsonl", row)))


def test_a_file_with_jackknifed_scores_of_systems_alone_is_shown(release: Release, tmp_path: Path) -> None:
    row = {"source": "1", "system": "A", "score": 1, "ground": "jackknifed", "metric": "M", "signature": "s"}

    printed("import_scores", release.name, str(json_lines(tmp_path / "s.jsonl", row)))

    page = page_of(release, ground="all")
    assert page.status_code == 200
    assert tables_of(page.content.decode())[TABLE][1][0] == "M"


def test_a_run_of_before_says_that_it_is_not_jackknifed_and_asking_again_does(release: Release) -> None:
    run = as_before(computed(release, ScoreSettings(metrics=(NAME,), normalize=False)))
    before = said(page_of(release))

    again = computed(release, ScoreSettings(metrics=(NAME,), normalize=False))

    assert "These scores are from an earlier version of Précis, which did not jackknife" in before
    assert "the 2 sources" in said(page_of(release, run=again.pk))
    assert stored(again) == stored(run) == plainly(varied(), again_settings(again))


def again_settings(run: ScoreRun) -> ScoreSettings:
    return ScoreSettings.of(run.settings)
