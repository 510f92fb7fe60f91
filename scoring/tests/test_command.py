"""`score_metrics`: what it prints is what the library computes and the page shows."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from common.clock import database_now
from common.extras import PARQUET
from common.models import Job
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from corpus.release.records import ReleasedOutput
from measures.core.arrays import FloatArray
from measures.metrics import METRICS, Analysis, Options, Tokenizer, compare, score
from measures.metrics.tests.test_command import Pipeline
from measures.metrics.words import preprocessing
from measures.text import spacy_models
from scoring.models import ScorePart, ScoreRun
from scoring.services.runs import scores_compute
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    NAME,
    OTHER,
    WITHOUT_PARSER,
    Watched,
    address,
    json_lines,
    means,
    of_texts,
    plainly,
    plainly_jackknifed,
    released_with,
    started,
    stored,
    varied,
)
from tests.support.factories import silent, staff_client
from tests.support.lacking import WITHOUT_PARQUET, lacks
from tests.support.reports import printed
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db(transaction=True)

OUTPUTS = {"1": "Men went home.", "2": "They left.", "5": "", "7": "At last."}
ASKED = ("--metrics", NAME, OTHER)
Monkey = pytest.MonkeyPatch


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    return json_lines(tmp_path / "o.jsonl", *({"id": name, "text": text} for name, text in OUTPUTS.items()))


def table(text: str) -> tuple[list[str], list[str], list[str], FloatArray]:
    """Names of metrics, signatures, ids, scores."""
    (corner, *names), (beside, *signatures), *rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
    assert (corner, beside) == ("id", "signature")
    return names, signatures, [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float64)


def scored(
    chosen: Analysis | None = None, options: Options | None = None, metrics: Sequence[str] | None = None
) -> FloatArray:
    """The scores of the file beside what people wrote."""
    how = chosen or Analysis()
    written = {source.source_id: [each.text for each in source.texts] for source in varied()}
    references = [list(how.texts(written[name])) for name in OUTPUTS]
    return score(compare(list(how.texts(list(OUTPUTS.values()))), references), metrics, options)


def signed(question: ScoreSettings, ground: str) -> dict[str, str]:
    """Signatures as a table has them that has no column for the ground."""
    return {name: f"{signature}|ground:{ground}" for name, signature in question.signatures.items()}


def means_on_common_ground(metric: str) -> dict[str, float]:
    """The jackknifed means over sources 1 and 6, which people and both systems have, each source once."""
    scores = {key: row for key, row in plainly_jackknifed(varied()).items() if key[0] in {"1", "6"}}
    of_source = {
        source: means({key: row for key, row in scores.items() if key[0] == source}, metric) for source in ("1", "6")
    }
    return {system: (of_source["1"][system] + of_source["6"][system]) / 2 for system in ("", "A", "B")}


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("score_metrics", *arguments)
    return str(refused.value)


# A release.


def test_without_parquet_only_files_are_scored(release: Release, outputs: Path, monkeypatch: Monkey) -> None:
    expected = printed("score_metrics", release.name, f"--outputs={outputs}", *ASKED)
    lacks(monkeypatch, PARQUET)

    assert refusal(release.name, *ASKED) == WITHOUT_PARQUET
    assert not ScoreRun.objects.exists()
    assert printed("score_metrics", release.name, f"--outputs={outputs}", *ASKED) == expected


def test_means_of_a_release_are_printed(release: Release) -> None:
    names, signatures, systems, found = table(printed("score_metrics", release.name))

    assert systems == ["people", "A", "B"]
    assert names == WITHOUT_PARSER
    assert dict(zip(names, signatures, strict=True)) == signed(ScoreSettings(), "jackknifed")
    expected = [[means_on_common_ground(name)[system] for name in names] for system in ("", "A", "B")]
    assert found == pytest.approx(np.array(expected))


def test_means_against_all_references_are_printed_when_asked_for(
    release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    names, signatures, _, found = table(printed("score_metrics", release.name, "--ground=all"))

    assert dict(zip(names, signatures, strict=True)) == signed(ScoreSettings(), "all")
    expected = [[means(plainly(varied()), name)[system] for name in names] for system in ("", "A", "B")]
    assert found == pytest.approx(np.array(expected))
    assert "Jackknifed" not in capsys.readouterr().err


def test_the_command_says_over_how_many_sources_it_has_jackknifed(
    release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("score_metrics", release.name, *ASKED)

    assert capsys.readouterr().err.splitlines()[-1] == (
        "Jackknifed; means over 2 sources. Sources with two or more references: people 4, A 2, B 3."
    )


def test_where_nothing_can_be_jackknifed_the_means_are_against_all_references() -> None:
    release = released_with([of_texts(1, ["Men went.", "Men."]), of_texts(2, ["Men."], {"A": "Men."})])

    _, signatures, systems, _ = table(printed("score_metrics", release.name, *ASKED))

    assert systems == ["people", "A"]
    assert all(signature.endswith("|ground:all") for signature in signatures)
    assert "no source has two or more references" in refusal(release.name, *ASKED, "--ground=jackknifed")


def test_a_release_is_computed_once_for_the_command_and_the_page(release: Release, monkeypatch: Monkey) -> None:
    watch = Watched()
    monkeypatch.setattr("scoring.services.runs.score", watch)
    first = printed("score_metrics", release.name)

    staff_client(release.campaign.staff.get()).post(f"{address(release)}/runs/")

    assert printed("score_metrics", release.name) == first
    assert (ScoreRun.objects.count(), watch.calls, Job.objects.count()) == (1, 1, 0)


def test_the_command_reads_texts_as_the_page_does(release: Release) -> None:
    release.campaign.language = "de"
    release.campaign.save()

    printed("score_metrics", release.name)
    staff_client(release.campaign.staff.get()).post(f"{address(release)}/runs/")

    assert ScoreRun.objects.count() == 1


def test_the_command_goes_on_where_a_job_vanished(release: Release, monkeypatch: Monkey) -> None:
    question = ScoreSettings(metrics=(NAME, OTHER))
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 2)
    monkeypatch.setattr("scoring.services.runs.score", Watched(fails_at=2))
    with pytest.raises(OSError, match="No space"):
        scores_compute(run=started(release, question), progress=silent)
    ScorePart.objects.update(lease_ends_at=None)

    printed("score_metrics", release.name, *ASKED)

    assert stored(ScoreRun.objects.get()) == plainly(varied(), question)


def test_the_command_waits_for_those_who_compute_and_goes_on_where_they_vanish(release: Release) -> None:
    question = ScoreSettings(metrics=(NAME,))
    run = started(release, question)
    until = database_now() + timedelta(seconds=1)
    run.parts.update(lease_ends_at=until)

    printed("score_metrics", release.name, "--metrics", NAME)

    assert database_now() > until
    assert stored(run) == plainly(varied(), question)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        (["--window=0"], ScoreSettings(options=Options(window=0))),
        (["--single=mean"], ScoreSettings(options=Options(single="mean"))),
        (["--tokenizer=whitespace", "--mixed-case"], ScoreSettings(Tokenizer("whitespace", lower=False))),
        (["--stemmer=porter"], ScoreSettings(Tokenizer(stemmer="porter"))),
        (["--metrics", NAME], ScoreSettings(metrics=(NAME,))),
        (["--no-normalize"], ScoreSettings(normalize=False)),
        (["--reference-weights=by-editor"], ScoreSettings(options=Options(reference_weights="by-editor"))),
    ],
)
def test_settings_of_a_release_are_those_asked_for(release: Release, words: list[str], question: ScoreSettings) -> None:
    names, signatures, _, _ = table(printed("score_metrics", release.name, *words))

    assert dict(zip(names, signatures, strict=True)) == signed(question, "jackknifed")
    assert stored(ScoreRun.objects.get()) == plainly(varied(), question)


def test_json_holds_the_same_as_the_table(release: Release) -> None:
    names, signatures, systems, found = table(printed("score_metrics", release.name, *ASKED))

    read = json.loads(printed("score_metrics", release.name, *ASKED, "--format=json"))

    assert read["signatures"] == dict(zip(names, signatures, strict=True))
    assert [row["id"] for row in read["scores"]] == systems
    assert [[row[name] for name in names] for row in read["scores"]] == found.tolist()


def test_a_release_with_nothing_to_score_is_refused() -> None:
    release = released_with([])

    assert "nothing to score" in refusal(release.name)


def test_a_release_that_is_not_ready_is_refused(release: Release) -> None:
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)

    assert f"{release.name} is not ready" in refusal(release.name)


def test_a_release_whose_file_is_gone_is_named(release: Release, outputs: Path) -> None:
    (release_folder(release) / CORPUS_FILE).unlink()

    for words in ([], ["--outputs", str(outputs)]):
        said = refusal(release.name, *words)
        assert CORPUS_FILE in said or release.name in said


@pytest.mark.parametrize("name", ["none-v1", "none", "x-v99999999999"])
def test_a_release_that_there_is_none_of_is_refused(release: Release, name: str) -> None:
    assert refusal(name) == f"There is no release {name!r}. Releases: {release.name}."


def test_bleu_of_all_outputs_of_each_system_is_that_of_a_file_with_them(release: Release, tmp_path: Path) -> None:
    expected = []
    for system in ("A", "B"):
        rows = [
            {"id": source.source_id, "text": output.text}
            for source in varied()
            for output in source.outputs
            if output.system == system
        ]
        path = json_lines(tmp_path / f"{system}.jsonl", *rows)
        head, *lines = printed("score_metrics", release.name, "--outputs", str(path), "--corpus-bleu").splitlines()
        expected += [f"{system}\t{line}" for line in lines]

    found = printed("score_metrics", release.name, "--corpus-bleu").splitlines()

    assert found == [f"system\t{head}", *expected]
    assert len({line.split("\t", 1)[1] for line in expected}) == 6
    assert "takes each output once" in refusal(release.name, "--corpus-bleu", "--ground=jackknifed")
    assert not ScoreRun.objects.exists()


def test_without_outputs_beside_references_there_is_no_bleu_of_all_outputs() -> None:
    release = released_with([of_texts(1, ["Men went."]), of_texts(2, [], {"A": "Men."})])

    assert refusal(release.name, "--corpus-bleu") == (
        f"{release.name} has no outputs of systems beside texts that people wrote."
    )


# A file of outputs.


def test_outputs_of_a_file_are_scored_and_not_kept(release: Release, outputs: Path) -> None:
    names, signatures, ids, found = table(printed("score_metrics", release.name, "--outputs", str(outputs)))

    assert ids == list(OUTPUTS)
    assert names == WITHOUT_PARSER
    assert dict(zip(names, signatures, strict=True)) == signed(ScoreSettings(), "all")
    assert np.array_equal(found, scored())
    assert not ScoreRun.objects.exists()


def test_outputs_of_a_file_are_jackknifed_when_asked_for(
    release: Release, outputs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("score_metrics", release.name, "--outputs", str(outputs), "--ground=jackknifed", *ASKED)

    said = capsys.readouterr()
    _, signatures, ids, found = table(said.out)
    assert ids == ["1", "5"]
    assert all(signature.endswith("|ground:jackknifed") for signature in signatures)
    sources = [replace(each, outputs=[]) for each in varied() if each.source_id in ids]
    for source in sources:
        source.outputs.append(ReleasedOutput("S", OUTPUTS[source.source_id], ()))
    expected = plainly_jackknifed(sources, ScoreSettings(metrics=(NAME, OTHER)))
    assert found == pytest.approx(np.array([list(row.values()) for key, row in expected.items() if key[1]]))
    assert said.err.splitlines() == [
        f"{outputs}: {name!r} has one reference, and cannot be jackknifed: left out" for name in ("2", "7")
    ]


@pytest.mark.parametrize(("suffix", "parted"), [("tsv", "\t"), ("csv", ",")])
def test_outputs_may_stand_in_a_table(release: Release, outputs: Path, suffix: str, parted: str) -> None:
    path = outputs.with_suffix(f".{suffix}")
    rows = [("id", "text"), *OUTPUTS.items()]
    path.write_text("".join(parted.join(row) + "\n" for row in rows), encoding="utf-8")

    assert printed("score_metrics", release.name, "--outputs", str(path)) == printed(
        "score_metrics", release.name, "--outputs", str(outputs)
    )


def test_the_mean_is_that_of_the_outputs(release: Release, outputs: Path) -> None:
    _, _, ids, found = table(printed("score_metrics", release.name, "--outputs", str(outputs), "--mean"))

    assert ids == ["mean"]
    assert found[0] == pytest.approx(scored().mean(axis=0))


@pytest.mark.parametrize(
    ("words", "chosen", "options"),
    [
        (["--window=0"], Analysis(), Options(window=0)),
        (["--single=first"], Analysis(), Options(single="first")),
        (["--smoothing=floor"], Analysis(), Options(smoothing="floor")),
        (["--language=de", "--stemmer=snowball"], Analysis(Tokenizer(language="de", stemmer="snowball")), Options()),
        (["--without-stop-words"], Analysis(Tokenizer(without_stop_words=True)), Options()),
        (["--no-normalize"], Analysis(normalize=False), Options()),
    ],
)
def test_settings_of_a_file_are_those_asked_for(
    release: Release, outputs: Path, words: list[str], chosen: Analysis, options: Options
) -> None:
    _, _, _, found = table(printed("score_metrics", release.name, "--outputs", str(outputs), *words))

    assert np.array_equal(found, scored(chosen, options))


def test_metrics_are_printed_in_the_order_asked_for(release: Release, outputs: Path) -> None:
    asked = [OTHER, NAME]

    names, _, _, found = table(printed("score_metrics", release.name, "--outputs", str(outputs), "--metrics", *asked))

    assert names == asked
    assert np.array_equal(found, scored(metrics=asked))


def test_outputs_of_sources_that_nobody_shortened_are_left_out_and_named(
    release: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = json_lines(tmp_path / "o.jsonl", *({"id": name, "text": "Men."} for name in ("3", "1", "none")))

    call_command("score_metrics", release.name, "--outputs", str(path), *ASKED)

    said = capsys.readouterr()
    assert table(said.out)[2] == ["1"]
    assert said.err.splitlines() == [
        f"{path}: nobody's text for {name!r} is in {release.name}: left out" for name in ("3", "none")
    ]


@pytest.mark.parametrize("words", [[], ["--mean"], ["--format=json"]])
def test_a_file_without_outputs_has_no_scores(release: Release, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "o.jsonl").touch()

    text = printed("score_metrics", release.name, "--outputs", str(tmp_path / "o.jsonl"), *words)

    assert (json.loads(text)["scores"] if "--format=json" in words else table(text)[2]) == []


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("o.jsonl", b'{"id": "1", "text": "a"}\n{"id": "1"', "line 2: not JSON"),
        ("o.jsonl", b'{"id": "1", "text": "a"}\n[]', "line 2: not a JSON object"),
        ("o.jsonl", b'{"id": "1", "text": "a"}\n{"id": "1", "text": "b"}', "line 2: a second output for '1'"),
        ("o.jsonl", b'{"id": "1", "text": "\xff"}', "line 1: not UTF-8"),
        ("o.jsonl", b'{"id": "1", "text": ["a"]}', "line 1: 'text' is not a string"),
        ("o.tsv", b"id\ttext\n1\ta\tb\n", "line 2: 3 fields, 2 wanted"),
        ("o.tsv", b"id\toutput\n1\ta\n", "line 1: no column named text"),
        ("o.txt", b"a\n", "o.txt: a file of texts ends in .jsonl, .csv or .tsv"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    release: Release, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)

    said = refusal(release.name, "--outputs", str(tmp_path / name))

    assert name in said
    assert reason in said


def test_a_file_that_is_not_there_is_named(release: Release, tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"

    assert refusal(release.name, "--outputs", str(path)) == f"{path}: No such file or directory"


@pytest.mark.parametrize("of_file", [False, True])
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--metrics", "LR-1"], "there is no metric 'LR-1'"),
        (["--metrics", "PARSE-2+Recall+MULT-ALL"], "wants a parser"),
        (["--window=-1"], "must not be negative"),
        (["--stemmer=porter", "--language=de"], "Porter"),
        (["--language=qq"], "no rules for the language 'qq'"),
        (["--parser=no_such_pipeline"], "python -m spacy download"),
    ],
)
def test_wrong_choices_are_refused(
    release: Release, outputs: Path, words: list[str], reason: str, of_file: bool
) -> None:
    assert reason in refusal(release.name, *(["--outputs", str(outputs)] if of_file else []), *words)


# With a parser.


def test_metrics_that_want_no_parser_do_not_mind_a_broken_one(release: Release, settings: Settings) -> None:
    settings.SPACY_MODEL = "no_such_pipeline"

    names, _, _, _ = table(printed("score_metrics", release.name, *ASKED))

    assert names == [NAME, OTHER]


@pytest.fixture
def hand_made(settings: Settings, monkeypatch: Monkey) -> None:
    pipeline = Pipeline()
    for module in (preprocessing, spacy_models):
        monkeypatch.setattr(module, "load_model", lambda _: pipeline)
    settings.SPACY_MODEL = "any"


@pytest.mark.usefixtures("hand_made")
def test_a_parser_makes_eighty_metrics(release: Release, outputs: Path) -> None:
    of_release, _, _, _ = table(printed("score_metrics", release.name))
    of_file, _, _, found = table(printed("score_metrics", release.name, "--outputs", str(outputs)))

    assert of_release == of_file == list(METRICS)
    assert np.array_equal(found, scored(Analysis(parser="any")))
    assert stored(ScoreRun.objects.get()) == plainly(varied(), ScoreSettings(parser="any"))
