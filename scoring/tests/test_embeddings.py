"""ROUGE-WE of a release: by the vectors that the operator or the command names, beside the eighty."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from common.errors import Refused
from corpus.models import Release
from measures.metrics import Analysis, Models, analyse_distinct, compare, read_word_vectors, score
from scoring.models import ScoreRun
from scoring.services import runs
from scoring.services.runs import score_run_get_or_create, scores_compute
from scoring.settings import ScoreSettings
from scoring.tests.releases import WITHOUT_PARSER, address, json_lines, page_of, released_with, varied
from tests.support.reports import printed

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "WE-1+Recall+MULT-MAX"
USUAL = [NAME, "WE-2+Recall+MULT-MAX", "WE-SU4+Recall+MULT-MAX"]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("men 1 0\nleft 1 2\nwent 1 1\nhome 3 1\n. 0 1\n", encoding="utf-8")
    return path


def test_the_command_scores_them_beside_the_eighty_and_says_how_many_words_have_vectors(
    vectors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = released_with(varied())
    call_command("score_metrics", release.name, "--embeddings", str(vectors), "--format", "json")
    run = ScoreRun.objects.get()
    assert set(run.signatures) == {*WITHOUT_PARSER, *USUAL}
    assert f"vectors:{vectors.name}[dim=2,bytes={vectors.stat().st_size},sha256=" in run.signatures[NAME]
    assert "sim:cosine|match:greedy|compose:product|lookup:form-lower|exact:0|threshold:0" in run.signatures[NAME]
    assert "vectors:" not in run.signatures[WITHOUT_PARSER[0]]
    covered = (run.summary or {})["coverage"]
    assert 0 < covered["known_tokens"] < covered["tokens"]
    assert covered["known_types"] == 5
    assert f"{covered['known_tokens']} of {covered['tokens']} words have a vector" in capsys.readouterr().err


def test_scores_of_parts_are_those_of_the_whole(vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def watched(self: Analysis, texts: Any) -> Models:
        read.append(Path(self.vectors))
        return Models(read_word_vectors(Path(self.vectors), {word for text in texts for word in text.words}))

    monkeypatch.setattr(Analysis, "models", watched)
    release, settings = released_with(varied()), ScoreSettings(metrics=(NAME,), vectors=str(vectors))
    monkeypatch.setattr(runs, "SOURCES_PER_PART", 2)
    run = score_run_get_or_create(release=release, settings=settings)
    scores_compute(run=run, progress=lambda *_: None)
    run.refresh_from_db()
    assert run.parts.count() > 2
    assert len(read) == 1
    monkeypatch.undo()
    other = score_run_get_or_create(
        release=released_with(varied()), settings=ScoreSettings(metrics=(NAME,), vectors=str(vectors))
    )
    scores_compute(run=other, progress=lambda *_: None)
    other.refresh_from_db()
    assert run.summary == other.summary
    assert 0 < next(each for each in (run.summary or {})["systems"] if each["system"] == "B")["means"][NAME] < 1


def test_a_file_of_outputs_is_scored_as_the_library_scores_it(vectors: Path, tmp_path: Path) -> None:
    release = released_with(varied())
    outputs = json_lines(tmp_path / "o.jsonl", {"id": "2", "text": "The men left."})
    found = printed(
        "score_metrics", release.name, "--outputs", str(outputs), "--metrics", NAME, "--embeddings", str(vectors)
    )
    texts = analyse_distinct(Analysis(), ["The men left.", "Men went home late."])
    compared = compare([texts["The men left."]], [[texts["Men went home late."]]])
    models = Analysis(vectors=str(vectors)).models(texts.values())
    assert f"{score(compared, [NAME], models=models)[0, 0]}" in found


def test_a_page_offers_them_where_the_operator_names_a_file(
    client: Client, release: Release, vectors: Path, settings: Settings
) -> None:
    assert NAME not in client.get(f"{address(release)}/").content.decode()
    refused = client.post(f"{address(release)}/runs/", {"extra": [NAME]})
    assert refused.status_code == 422 or "Select a valid choice" in refused.content.decode()
    settings.EMBEDDINGS = str(vectors)
    client.post(f"{address(release)}/runs/", {"extra": [NAME]})
    page = page_of(release).content.decode()
    assert f'<option value="{NAME}" selected>' in page
    run = ScoreRun.objects.get()
    assert {*WITHOUT_PARSER, NAME} == set(run.signatures)
    assert "words have a vector" in page


CONTEXT = "CONTEXT+F-1+MULT-MAX"


def test_a_page_offers_contextual_vectors_where_the_operator_names_a_model(
    client: Client, release: Release, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(_folder: Path) -> Any:
        return lambda texts: [np.ones((len(text.split()), 2)) / np.sqrt(2) for text in texts]

    assert CONTEXT not in client.get(f"{address(release)}/").content.decode()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    settings.ENCODER = str(tmp_path)
    refused = client.post(f"{address(release)}/runs/", {"extra": [CONTEXT]})
    assert refused.status_code == 422
    assert not ScoreRun.objects.exists()
    for module in ("scoring.settings", "measures.metrics.words.preprocessing"):
        monkeypatch.setattr(f"{module}.load_encoder", loaded)
    client.post(f"{address(release)}/runs/", {"extra": [CONTEXT]})
    page = page_of(release).content.decode()
    assert f'<option value="{CONTEXT}" selected>' in page
    run = ScoreRun.objects.get()
    assert {*WITHOUT_PARSER, CONTEXT} == set(run.signatures)
    assert run.finished_at is not None
    assert f"encoder:{tmp_path.name}[sha256=" in run.signatures[CONTEXT]


def test_another_file_under_the_same_path_is_refused(vectors: Path) -> None:
    settings = ScoreSettings(metrics=(NAME,), vectors=str(vectors))
    run = score_run_get_or_create(release=released_with(varied()), settings=settings)
    vectors.write_text("men 1 2 3\n", encoding="utf-8")
    with pytest.raises(Refused, match="The files of vectors have changed"):
        scores_compute(run=run, progress=lambda *_: None)


@pytest.mark.parametrize(
    ("content", "given", "message"),
    [
        ("men 1\nleft\n", ["--embeddings", "{}"], "line 2: a word and 1 numbers are expected, not 0"),
        ("", ["--metrics", NAME], "WE-1+Recall+MULT-MAX wants vectors of words: name a file of them with --embeddings"),
        ("", ["--metrics", "CONTEXT+F-1+MULT-MAX"], "wants a model that reads texts: name its folder with --encoder"),
        ("", ["--threshold", "2"], "exact_weight and threshold must be from 0 to 1"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(content: str, given: list[str], message: str, vectors: Path) -> None:
    vectors.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        call_command("score_metrics", released_with(varied()).name, *(each.format(vectors) for each in given))
    assert message in str(refused.value)


def test_a_program_is_told_what_is_missing() -> None:
    release = released_with(varied())
    with pytest.raises(Refused, match="Name a file of them in PRECIS_EMBEDDINGS"):
        score_run_get_or_create(release=release, settings=ScoreSettings(metrics=(NAME,)))
    with pytest.raises(Refused, match="Name its folder in PRECIS_ENCODER"):
        score_run_get_or_create(release=release, settings=ScoreSettings(metrics=(CONTEXT,)))
