"""The notebooks of docs/notebooks run from their first cell to their last, as their readers run them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.factories import freeze, judged_campaign
from tests.support.stored import release_folder

NOTEBOOKS = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
LIBRARY, HERE = "precis_measures", "measures"  # as it is published, and as it is called in a clone
DOWNLOADED = 'Path("my-corpus-v1")'


def run(name: str, downloaded: Path | None = None) -> dict[str, Any]:
    """The names that a notebook has at its end."""
    names: dict[str, Any] = {}
    for cell in json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]:
        assert cell.get("outputs", []) == [], "what cells print is not kept: it would be checked by nobody"
        if cell["cell_type"] == "code":
            source = "".join(cell["source"]).replace(LIBRARY, HERE)
            exec(compile(source.replace(DOWNLOADED, f"Path({str(downloaded)!r})"), name, "exec"), names)
    return names


def test_every_notebook_is_run_by_a_test() -> None:
    assert {path.name for path in NOTEBOOKS.glob("*.ipynb")} == {
        "agreement.ipynb",
        "load-a-release.ipynb",
        "metrics.ipynb",
        "plan-a-study.ipynb",
        "which-metric.ipynb",
    }


@pytest.fixture(autouse=True)
def beside_the_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOKS)


def test_agreement() -> None:
    names = run("agreement.ipynb")

    (pair,) = names["pairs"].to_dict("records")
    assert pair["items"] == len(names["matrix"]) == 15
    assert pair["intervals.kappa.low"] < pair["kappa"] < pair["intervals.kappa.high"]


def test_metrics() -> None:
    names = run("metrics.ipynb")
    assert list(names["outputs"]) == ["short", "long"]


def test_which_metric() -> None:
    names = run("which-metric.ipynb")
    assert names["table"]["name"].tolist() == names["metrics"]
    assert names["table"].r.between(-1, 1).all()


def test_plan_a_study() -> None:
    table = run("plan-a-study.ipynb")["table"]
    assert len(table) == 9
    assert table["mean.reach"].is_monotonic_decreasing or table["mean.reach"].iloc[-1] == table["mean.reach"].min()


@pytest.mark.django_db
def test_load_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    folder = release_folder(freeze(judged_campaign(sources=3, editors_per_source=2)))

    tables = run("load-a-release.ipynb", folder)["tables"]

    assert len(tables["sources"]) == 3
    assert "files" in capsys.readouterr().out
