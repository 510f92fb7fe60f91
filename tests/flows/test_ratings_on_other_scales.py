"""Ratings on the scale of a file, from the import to releases, reports and back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from agreement.sections.number_scales import CROSSED, KENDALL, MANY_POINTS, SPEARMAN
from agreement.tables import SECTIONS
from corpus.models import Release
from corpus.release.rater_spreads import DEFINITION
from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from crowd.models import Campaign, ImportedScale
from dashboard.services.deletion import campaign_delete
from evaluation.judged_release import BY_RATER, JudgedRelease, systems_of, texts_of
from evaluation.parameters import EvaluationParameters
from evaluation.scored_outputs import ScoredOutputs
from ratings.models import ImportedScore, ImportPool, Score
from ratings.selectors.judgements import crowd_ratings
from ratings.services.rating_imports import file_ratings_import
from ratings.tests.imports.files import as_jsonl, imported, line, with_outputs
from reports.models import Report
from reports.services import report_complete, report_get_or_create
from tests.support.factories import freeze, make_staff, silent, staff_client
from tests.support.reports import every_tab
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SPEARMAN_LABEL = "Spearman’s ρ, mean over pairs of raters"
SEVERITY = {"ann": 0.0, "bob": -12.5, "eve": 7.25}
OUTPUTS_ONLY = {"min_compressions": 0}


def assessed(
    sources: int = 6,
    scale: str = "score 0..100 real",
    pool: str = "crowd",
    severity: Mapping[str, float] = SEVERITY,
) -> Campaign:
    campaign = with_outputs(sources)
    rows = [
        {
            "id": str(number),
            "system": system,
            "rater": rater,
            "score": 40 + 20 * (system == "Alpha") + 3 * number + more,
        }
        for system in ("Alpha", "Beta")
        for number in range(1, sources + 1)
        for rater, more in severity.items()
    ]
    content = as_jsonl(rows)
    file_ratings_import(campaign=campaign, pool=ImportPool(pool), file_name="a.jsonl", content=content, scales=[scale])
    return campaign


def reported(release: Release) -> Report:
    parameters = AgreementParameters(draws=5, replications=5)
    report = report_get_or_create(kind=AGREEMENT, on=release, parameters=parameters)
    report_complete(report=report, progress=silent)
    report.refresh_from_db()
    return report


def numbers_of(release: Release) -> list[float]:
    outputs = [output for source in release_sources(release) for output in source.outputs]
    return [each.scores["score"] for output in outputs for each in output.ratings]


def test_a_release_has_the_numbers_in_all_of_its_files() -> None:
    release = freeze(assessed(), **OUTPUTS_ONLY)

    folder = release_folder(release)
    assert len(numbers_of(release)) == 36
    assert set(numbers_of(release)) >= {63, 50.5, 70.25}
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["scales"] == [
        {"key": "score", "name": "score", "question": "", "lowest": 0, "highest": 100, "step": None}
        | {"less_is_better": False}
    ]
    card = (folder / "README.md").read_text()
    assert "- `score`: 0 to 100, any number between them; more is better. Given elsewhere, and kept as given." in card
    raw = "".join(path.read_text() for path in sorted((folder / "RawData").glob("*_output.Alpha.tsv")))
    assert "\t50.5\tscore: 50.5 from 0 to 100" in raw


def test_parquet_has_the_numbers() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    release = freeze(assessed(), **OUTPUTS_ONLY)

    tables = [parquet.read_table(path).to_pylist() for path in (release_folder(release) / "parquet").glob("*.parquet")]

    outputs = [output for table in tables for row in table for output in row["outputs"]]
    found = sorted(each["scores"]["score"] for output in outputs for each in output["ratings"])
    assert found == sorted(numbers_of(release))


def read_parquet(release: Release) -> Any:
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = [parquet.read_table(path).to_pylist() for path in (release_folder(release) / "parquet").glob("*.parquet")]
    return [output for table in tables for row in table for output in row["outputs"]]


def test_a_release_has_z_scores_by_rater_in_jsonl_and_parquet() -> None:
    release = freeze(assessed(), **OUTPUTS_ONLY)

    lines = (release_folder(release) / "corpus.jsonl").read_text().splitlines()
    outputs = [output for line in lines for output in json.loads(line)["outputs"]]
    by_rater: dict[str, list[tuple[float, float]]] = {}
    for output in outputs:
        for each in output["ratings"]:
            by_rater.setdefault(each["rater"], []).append((each["scores"]["score"], each["z_scores"]["score"]))
    assert len(by_rater) == 3
    for pairs in by_rater.values():
        given, z_scores = np.array(pairs).T
        assert np.allclose(z_scores, (given - given.mean()) / given.std(ddof=1))
    found = {(output["text"], output["system"]): output["ratings"] for output in outputs}
    for output in read_parquet(release):
        z_scores = [each["z_scores"] for each in output["ratings"]]
        assert z_scores == [each["z_scores"] for each in found[output["text"], output["system"]]]


def test_a_rater_without_two_different_numbers_has_no_z_scores() -> None:
    campaign = with_outputs(3)
    rows: list[dict[str, Any]] = [
        {"id": str(n), "system": "Alpha", "rater": rater, "score": number}
        for rater, numbers in {"same": (70.1, 70.1, 70.1), "two": (10, 10, 30)}.items()
        for n, number in enumerate(numbers, start=1)
    ]
    rows += [{"id": "1", "system": "Beta", "rater": "once", "score": 3}, {"id": "2", "system": "Beta", "score": 90}]
    scales, content = ["score 0..100 real"], as_jsonl(rows)
    file_ratings_import(campaign=campaign, pool=ImportPool.CROWD, file_name="a.jsonl", content=content, scales=scales)
    release = freeze(campaign, **OUTPUTS_ONLY)

    outputs = [output for source in release_sources(release) for output in source.outputs]
    found = {each.scores["score"]: each.z_scores["score"] for output in outputs for each in output.ratings}
    of_two: dict[float, float] = {10: -20 / 3 / (400 / 3) ** 0.5, 30: 40 / 3 / (400 / 3) ** 0.5}
    assert {given: z for given, z in found.items() if z is not None} == pytest.approx(of_two)
    assert [given for given, z in sorted(found.items()) if z is None] == [3, 70.1, 90]
    assert None in {each["z_scores"]["score"] for output in read_parquet(release) for each in output["ratings"]}


def test_files_say_what_z_scores_are_and_on_which_scales_ratings_are() -> None:
    campaign = assessed(scale="score 0..100 step 1, less is better", severity={"ann": 0, "bob": -12})
    imported(campaign, [line("Alpha", 1, rater="zoe", meaning=3, grammar=2)], "experts")
    release = freeze(campaign, **OUTPUTS_ONLY)

    folder = release_folder(release)
    card, croissant = (folder / "README.md").read_text(), json.loads((folder / "croissant.json").read_text())
    derived = json.loads((folder / "manifest.json").read_text())["derived"]["z_scores"]
    assert derived == {"scales": ["score"], "definition": DEFINITION}
    assert f"`z_scores` of scales that came with files are derived. {DEFINITION}" in card
    words = "score: 0 to 100, whole numbers; less is better. Given elsewhere, and kept as given."
    protocol = croissant["rai:dataAnnotationProtocol"]
    assert "meaning: 3 points from 1 to 3." in protocol
    assert words in protocol
    assert DEFINITION in protocol
    assert words.replace("score:", "- `score`:") in card


def test_a_release_without_scales_of_files_has_no_z_scores() -> None:
    campaign = with_outputs(2)
    imported(campaign, [line("Alpha", 1, rater="zoe", meaning=3, grammar=2)], "crowd")
    folder = release_folder(freeze(campaign, **OUTPUTS_ONLY))

    names = ("manifest.json", "corpus.jsonl", "README.md", "croissant.json")
    assert not [name for name in names if "z_scores" in (folder / name).read_text()]


def test_an_imported_release_gives_the_same_corpus_again(tmp_path: Path) -> None:
    release = freeze(assessed(), **OUTPUTS_ONLY)
    first = (release_folder(release) / "corpus.jsonl").read_bytes()

    content = release_read(release_folder(release))
    campaign = release_import(content=content, slug="again", name="Again", owner=None, progress=silent)

    assert ImportedScale.objects.get(campaign=campaign).scale == release.rating_scales[0]
    again = freeze(campaign, **OUTPUTS_ONLY)
    assert (release_folder(again) / "corpus.jsonl").read_bytes() == first


def test_a_number_off_the_scale_in_a_release_is_refused() -> None:
    release = freeze(assessed(), **OUTPUTS_ONLY)
    corpus = release_folder(release) / "corpus.jsonl"
    corpus.chmod(0o600)
    corpus.write_text(corpus.read_text().replace("50.5", "500.5"))

    with pytest.raises(Exception, match=r"500\.5 is no point of the scale 'score'"):
        release_read(release_folder(release))


def test_numbers_are_never_averaged_with_points() -> None:
    campaign = assessed()
    imported(campaign, [line("Alpha", 1, rater="zoe", meaning=3, grammar=2)], "experts")

    release = freeze(campaign, **OUTPUTS_ONLY)

    assert [scale.key for scale in release.rating_scales] == ["meaning", "grammar", "score"]
    assert len(crowd_ratings(campaign).scores) == 0
    assert Score.objects.count() == 2
    judged = judged_of(release)
    assert judged.judgements == ("meaning", "grammar", "score", f"score{BY_RATER}", "combined")
    assert np.isnan(judged.quality("combined")).all()


def judged_of(release: Release) -> JudgedRelease:
    sources = release_sources(release)
    systems = systems_of(sources)
    nothing = np.full((0, len(systems), len(sources)), np.nan)
    scored = ScoredOutputs((), nothing, nothing, {})
    texts = texts_of(sources, systems)
    return JudgedRelease(sources, tuple(sources), systems, release.rating_scales, texts, scored, EvaluationParameters())


def test_z_scores_take_away_how_severe_raters_are() -> None:
    judged = judged_of(freeze(assessed(), **OUTPUTS_ONLY))

    z = judged.ratings(f"score{BY_RATER}")

    assert np.allclose(z, z[:, :, :1])  # the raters differ in severity alone
    given = np.sort(np.array([40 + 20 * alpha + 3 * n for alpha in (0, 1) for n in range(1, 7)], dtype=float))
    assert np.allclose(np.sort(z[:, :, 0].ravel()), (given - given.mean()) / given.std(ddof=1))
    assert np.nanmax(judged.ratings("score")) == 40 + 20 + 18 + 7.25


def test_less_is_better_turns_the_sign_for_metrics_alone() -> None:
    release = freeze(assessed(scale="score 0..100 real, less is better"), **OUTPUTS_ONLY)

    assert np.nanmax(judged_of(release).ratings("score")) < 0
    assert min(numbers_of(release)) > 0


def test_agreement_says_why_there_is_no_kappa_and_what_there_is() -> None:
    report = reported(freeze(assessed(), **OUTPUTS_ONLY))

    rows = {row["measure"]: row for row in report.rows or []}
    assert rows["kappa"]["undefined"] == rows["agreement"]["undefined"] == MANY_POINTS.reason
    assert (rows[SPEARMAN]["value"], rows[KENDALL]["value"]) == pytest.approx((1, 1))
    assert 0 < rows["Krippendorff's alpha (interval)"]["value"] < 1
    # All raters rated all texts: the variances of a complete table.
    items = np.var([40 + 20 * alpha + 3 * n for alpha in (0, 1) for n in range(1, 7)], ddof=1)
    severity = np.var(list(SEVERITY.values()), ddof=1)
    assert rows[CROSSED[0]]["value"] == pytest.approx(items / (items + severity))
    assert rows[CROSSED[1]]["value"] == pytest.approx(items / (items + severity / 3))
    assert not report.figures


def test_no_report_says_how_often_raters_give_the_same_number() -> None:
    campaign = with_outputs(6)
    rows = [
        {"id": str(n), "system": system, "rater": rater, "score": 100 if n % 3 else 20 + 7 * n + len(rater)}
        for n in range(1, 7)
        for system in ("Alpha", "Beta")
        for rater in ("ann", "robin")
    ]
    pool, scales = ImportPool.CROWD, ["score 0..100 step 1"]
    file_ratings_import(campaign=campaign, pool=pool, file_name="a.jsonl", content=as_jsonl(rows), scales=scales)
    report = reported(freeze(campaign, **OUTPUTS_ONLY))
    pairs = [
        [each.scores["score"] for each in output.ratings]
        for source in release_sources(report.of_release)
        for output in source.outputs
    ]
    assert sum(one == other for one, other in pairs) / len(pairs) == pytest.approx(2 / 3)

    client = staff_client(make_staff(administrator=True))
    page = " ".join(every_tab(client, reverse("agreement:report", args=[campaign.slug, 1])).content.decode().split())

    assert "exact agreement says little, so there is no kappa" in page
    assert "hardly ever" not in page + MANY_POINTS.reason


def test_a_scale_of_few_points_has_kappa_as_ever() -> None:
    campaign = with_outputs(6)
    rows = [
        {"id": str(n), "system": system, "rater": rater, "adequacy": 1 + (n + (rater == "bob") * (n % 3 == 0)) % 5}
        for n in range(1, 7)
        for system in ("Alpha", "Beta")
        for rater in ("ann", "bob")
    ]
    scales = ["adequacy 1..5 step 1"]
    pool = ImportPool.CROWD
    file_ratings_import(campaign=campaign, pool=pool, file_name="a.jsonl", content=as_jsonl(rows), scales=scales)

    report = reported(freeze(campaign, **OUTPUTS_ONLY))

    rows_of = {(row["comparison"], row["measure"]): row for row in report.rows or []}
    assert rows_of["worker versus worker", "kappa"]["value"] is not None
    assert (rows_of["worker versus worker", "kappa"]["items"], report.figures.keys()) == (12, {"adequacy"})


def test_page_json_and_latex_say_it() -> None:
    campaign = assessed()
    report = reported(freeze(campaign, **OUTPUTS_ONLY))
    client = staff_client(make_staff(administrator=True))

    page = every_tab(client, reverse("agreement:report", args=[campaign.slug, 1])).content.decode()
    overview = client.get(reverse("corpus:overview", args=[campaign.slug, 1]))
    release = client.get(reverse("corpus:release", args=[campaign.slug, 1]))

    assert "so there is no kappa" in " ".join(page.split())
    assert "ICC(2,k)" in page
    assert (overview.status_code, release.status_code) == (200, 200)
    assert MANY_POINTS.reason in json.dumps(AGREEMENT.json_content(report, report.rows or []))
    assert "no kappa" in "\n".join(AGREEMENT.latex_tables(report))
    assert [MANY_POINTS.reason in note for note in SECTIONS["cite"](report).notes] == [True]
    assert any(SPEARMAN_LABEL in map(str, row) for row in SECTIONS["coefficients"](report).rows)


def test_deleting_a_campaign_takes_its_scales_and_numbers() -> None:
    campaign = assessed(sources=2)

    campaign_delete(campaign=campaign, user=None)

    assert not ImportedScore.objects.exists()
    assert not ImportedScale.objects.exists()
