"""The success rate, which looks at the source, as commands and pages ask for it."""

import json
from pathlib import Path

import pytest

from measures.metrics.__main__ import main
from scoring.models import ScoreRun
from scoring.services.runs import score_run_get_or_create, scores_complete
from scoring.settings import ScoreSettings
from scoring.tests.releases import FEW, address, of_texts, released_with
from tests.support.factories import make_staff, silent, staff_client
from tests.support.reports import printed

pytestmark = pytest.mark.django_db
NAME = "SUCCESS+Agreement+MULT-MEAN"
SOURCES = [
    of_texts(1, ["old men went home.", "The men went."], {"ILP": "men went home."}),
    of_texts(2, ["The two men went home."], {"ILP": "The two men went home."}),
]
# Of the ten words of the source, the full stop among them, ILP keeps four of the five that the first editor keeps,
# and two of them (with "." three) are of the four that the second one keeps.
FIRST = (9 / 10 + 8 / 10) / 2


def test_the_command_scores_outputs_of_a_release() -> None:
    release = released_with(SOURCES)
    told = json.loads(printed("score_metrics", release.name, "--metrics", NAME, "--ground", "all", "--format", "json"))
    means = {row["id"]: row[NAME] for row in told["scores"]}
    assert means["ILP"] == pytest.approx((FIRST + 1) / 2)


def test_the_command_scores_outputs_of_a_file(tmp_path: Path) -> None:
    release, path = released_with(SOURCES), tmp_path / "outputs.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "men went home."}) + "\n", encoding="utf-8")
    told = json.loads(
        printed("score_metrics", release.name, "--outputs", str(path), "--metrics", NAME, "--format", "json")
    )
    assert [row[NAME] for row in told["scores"]] == [pytest.approx(FIRST)]


def test_other_scores_are_the_same_beside_it() -> None:
    release = released_with(SOURCES)
    alone, beside = (
        scores_complete(
            run=score_run_get_or_create(release=release, settings=ScoreSettings(metrics=metrics)), progress=silent
        )
        for metrics in (FEW.metrics, (*FEW.metrics, NAME))
    )
    assert alone.summary is not None
    assert beside.summary is not None
    for one, other in zip(alone.summary["systems"], beside.summary["systems"], strict=True):
        assert {name: other["means"][name] for name in FEW.metrics} == one["means"]


def test_the_page_offers_it() -> None:
    owner = make_staff()
    release, client = released_with(SOURCES, owner=owner), staff_client(owner)
    assert NAME in client.get(f"{address(release)}/").content.decode()
    client.post(f"{address(release)}/runs/", {"extra": [NAME]})
    assert NAME in ScoreRun.objects.get().signatures
    assert "single:" not in ScoreRun.objects.get().signatures[NAME]


def test_files_of_texts_alone_have_no_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "texts.txt").write_text("a b\n", encoding="utf-8")
    path = str(tmp_path / "texts.txt")
    assert main([path, path, "--metrics", NAME]) == 1
    assert "wants the texts that were compressed: score the outputs of a release" in capsys.readouterr().err
