"""The command line."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from measures.core.arrays import FloatArray
from measures.metrics import (
    EXTRA_METRICS,
    METRICS,
    SOURCE_METRICS,
    VECTOR_METRICS,
    Analysis,
    Options,
    Tokenizer,
    compare,
    score,
)
from measures.metrics.__main__ import main
from measures.metrics.cli_options import WITHOUT_PARSER
from measures.metrics.words import preprocessing
from measures.tests.test_alone import WITH_NUMPY_ALONE
from measures.text import spacy_models

ROOT = Path(__file__).resolve().parents[3]
OUTPUTS = ["Think about your household.", "The cats were running.", "\t"]
REFERENCES = [["Imagine your household.", "Cats ran.", "x"], ["Your household.", "", "y z"]]
NAME = "LR-1+Recall+MULT-ALL"
SIXTY_EIGHT = [name for name, metric in METRICS.items() if not metric.wants_parser]

Run = Callable[..., str]


LEFT_OUT = f"12 of 80 metrics are left out. {WITHOUT_PARSER}.\n"


class Pipeline:
    """Every word hangs on the one before it."""

    lang, meta, pipe_names = "en", {"name": "hand_made", "version": "1.2.3"}, ["parser"]

    def __init__(self) -> None:
        self.blank = spacy.blank("en")

    def pipe(self, texts: Iterable[str], **_: int) -> Iterator[Doc]:
        for text in texts:
            words = [token.text for token in self.blank(text)]
            heads = [max(0, place - 1) for place in range(len(words))]
            yield Doc(self.blank.vocab, words=words, heads=heads, deps=["dobj"] * len(words))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    names = []
    for name, lines in zip(["o.txt", "r1.txt", "r2.txt"], [OUTPUTS, *REFERENCES], strict=True):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        names.append(str(tmp_path / name))
    return names


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command that goes well prints."""

    def run(*arguments: str) -> str:
        assert main(list(arguments)) == 0
        said = capsys.readouterr()
        assert said.err in {"", LEFT_OUT}
        return said.out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Run:
    """The one line that says what is wrong."""

    def refused(*arguments: str) -> str:
        assert main(list(arguments)) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        return said.err.rstrip("\n")

    return refused


@pytest.fixture
def hand_made(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = Pipeline()
    for module in (preprocessing, spacy_models):
        monkeypatch.setattr(module, "load_model", lambda _: pipeline)


def scored(chosen: Analysis, metrics: list[str] | None = None, options: Options | None = None) -> FloatArray:
    references = [[texts[place] for texts in REFERENCES if texts[place]] for place in range(len(OUTPUTS))]
    return score(
        compare(list(chosen.texts(OUTPUTS)), [list(chosen.texts(each)) for each in references]), metrics, options
    )


def table(printed: str) -> tuple[list[str], list[str], list[str], FloatArray]:
    """Names of metrics, signatures, ids, scores."""
    (corner, *names), (beside, *signatures), *rows = csv.reader(io.StringIO(printed), delimiter="\t")
    assert (corner, beside) == ("id", "signature")
    return names, signatures, [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float64)


def test_a_table_holds_the_scores(run: Run, files: list[str]) -> None:
    names, signatures, ids, scores = table(run(*files))
    assert names == SIXTY_EIGHT
    assert ids == ["1", "2", "3"]
    assert np.array_equal(scores, scored(Analysis()))
    assert all(each.startswith(f"norm:yes|{Tokenizer().signature}|refs:distinct|") for each in signatures)


def test_json_holds_the_same(run: Run, files: list[str]) -> None:
    names, signatures, ids, scores = table(run(*files))
    printed = json.loads(run(*files, "--format", "json"))
    assert printed["signatures"] == dict(zip(names, signatures, strict=True))
    assert [row["id"] for row in printed["scores"]] == ids
    assert [[row[name] for name in names] for row in printed["scores"]] == scores.tolist()


@pytest.mark.parametrize("form", ["tsv", "json"])
def test_means_are_those_of_all_outputs(run: Run, files: list[str], form: str) -> None:
    printed = run(*files, "--mean", "--metrics", NAME, "LR-2+F-1+MULT-MAX", "--format", form)
    expected = scored(Analysis(), [NAME, "LR-2+F-1+MULT-MAX"]).mean(axis=0).tolist()
    if form == "json":
        (row,) = json.loads(printed)["scores"]
        assert row == {"id": "mean", NAME: expected[0], "LR-2+F-1+MULT-MAX": expected[1]}
    else:
        _, _, ids, scores = table(printed)
        assert (ids, scores.tolist()) == (["mean"], [expected])


def test_metrics_come_in_the_order_of_their_names(run: Run, files: list[str]) -> None:
    asked = ["ROUGE-L+Recall+MULT-MAX", NAME, "ROUGE-2+Recall+JACKKNIFE"]
    names, _, _, scores = table(run(*files, "--metrics", *asked))
    assert names == asked
    assert np.array_equal(scores, scored(Analysis(), asked))


def test_the_list_has_eighty_names_and_those_beyond(run: Run) -> None:
    assert run("--list").splitlines() == [*METRICS, *EXTRA_METRICS, *SOURCE_METRICS, *VECTOR_METRICS]
    assert len(METRICS) == 80


@pytest.mark.usefixtures("hand_made")
def test_a_parser_makes_eighty_metrics(run: Run, files: list[str]) -> None:
    names, signatures, _, scores = table(run(*files, "--parser", "any"))
    assert names == list(METRICS)
    assert np.array_equal(scores, scored(Analysis(parser="any")))
    of = dict(zip(names, signatures, strict=True))
    assert of["PARSE-2+Recall+MULT-ALL"] == "norm:yes|parser:en_hand_made-1.2.3|refs:distinct|precis:2|ground:all"
    assert "parser" not in of[NAME]
    assert scores[0, names.index("PARSE-2+Recall+MULT-PROB")] > 0


@pytest.mark.parametrize(
    ("words", "chosen", "options"),
    [
        (["--tokenizer", "whitespace"], Analysis(Tokenizer("whitespace")), Options()),
        (["--language", "de", "--stemmer", "snowball"], Analysis(Tokenizer(language="de", stemmer="snowball")), None),
        (["--mixed-case"], Analysis(Tokenizer(lower=False)), None),
        (["--stemmer", "porter"], Analysis(Tokenizer(stemmer="porter")), None),
        (["--without-stop-words"], Analysis(Tokenizer(without_stop_words=True)), None),
        (["--window", "0"], Analysis(), Options(window=0)),
        (["--single", "first"], Analysis(), Options(single="first")),
        (["--single", "mean"], Analysis(), Options(single="mean")),
        (["--seed", "3"], Analysis(), Options(seed=3)),
        (["--smoothing", "floor"], Analysis(), Options(smoothing="floor")),
        (["--no-normalize"], Analysis(normalize=False), None),
        (["--reference-weights", "by-editor"], Analysis(), Options(reference_weights="by-editor")),
    ],
)
def test_options_change_scores_and_signatures(
    run: Run, files: list[str], words: list[str], chosen: Analysis, options: Options | None
) -> None:
    _, before, _, _ = table(run(*files))
    _, after, _, scores = table(run(*files, *words))
    assert np.array_equal(scores, scored(chosen, None, options))
    assert before != after


@pytest.mark.parametrize(
    ("words", "metric", "part"),
    [
        (["--window", "2"], "SKIP-2+Recall+MULT-ALL", "window:2"),
        (["--single", "first"], "LR-1+Recall+SINGLE-REF", "single:first"),
        (["--single", "mean"], "BLEU-4+PrecBrev+SINGLE-REF", "single:mean"),
        (["--seed", "3"], "LR-1+Recall+SINGLE-REF", "seed:3"),
        (["--smoothing", "add-k"], "BLEU-2+PrecBrev+MULT-ALL", "smooth:add-k[1.0]"),
        (["--tokenizer", "whitespace"], NAME, "tok:whitespace"),
        (["--mixed-case"], NAME, "case:mixed"),
        (["--no-normalize"], NAME, "norm:no"),
        (["--reference-weights", "by-editor"], NAME, "refs:by-editor"),
    ],
)
def test_signatures_say_what_was_chosen(run: Run, files: list[str], words: list[str], metric: str, part: str) -> None:
    _, (signature,), _, _ = table(run(*files, *words, "--metrics", metric))
    assert part in signature.split("|")


def test_signatures_do_not_say_what_does_not_matter(run: Run, files: list[str]) -> None:
    _, (first, single), _, _ = table(run(*files, "--metrics", NAME, "LR-1+Recall+SINGLE-REF", "--single", "first"))
    assert not {"window", "single", "seed", "smooth"} & {part.partition(":")[0] for part in first.split("|")}
    assert "seed" not in single


def test_the_same_command_prints_the_same(run: Run, files: list[str]) -> None:
    assert run(*files) == run(*files)


def test_equal_references_count_once_or_for_each_of_their_editors(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "a b", "references": ["a", "c", "a"]}), encoding="utf-8")
    for words, expected in (((), 0.5), (("--reference-weights", "by-editor"), 2 / 3)):
        _, _, _, ((found,),) = table(run(str(path), "--metrics", "LR-1+Recall+MULT-PROB", *words))
        assert found == pytest.approx(expected)


def test_outputs_are_jackknifed_when_asked_for(run: Run, refused: Run, tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text('{"id": "1", "text": "a b", "references": ["a", "b c", "a"]}\n', encoding="utf-8")
    name = "LR-1+Recall+MULT-ALL"
    _, (signature,), _, ((found,),) = table(run(str(path), "--metrics", name, "--ground", "jackknifed"))
    assert signature.endswith("|ground:jackknifed")
    assert found == (1 + 1 / 2) / 2
    path.write_text('{"id": "1", "text": "a", "references": ["a", "a"]}\n', encoding="utf-8")
    said = refused(str(path), "--metrics", name, "--ground", "jackknifed")
    assert said == f"{path}: the output '1' has one reference: to be jackknifed it wants two"


def test_typography_matters_where_texts_are_scored_as_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("\u201cIt\u2019s so\u2026\u201d\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text('"It\'s so..."\n', encoding="utf-8")
    files, name = [str(tmp_path / "o.txt"), str(tmp_path / "r.txt")], "LR-1+F-1+MULT-ALL"
    assert table(run(*files, "--metrics", name))[3] == 1
    assert table(run(*files, "--metrics", name, "--no-normalize"))[3] < 1


def test_ids_come_back_whatever_stands_in_them(run: Run, tmp_path: Path) -> None:
    ids = ["a\tb", 'q"q', "new\nline", "é😀", " ", ""]
    rows = [{"id": each, "text": "a", "references": ["a"]} for each in ids]
    path = tmp_path / "o.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert table(run(str(path), "--metrics", NAME))[2] == ids
    assert [row["id"] for row in json.loads(run(str(path), "--format", "json"))["scores"]] == ids


def test_options_may_stand_between_files(run: Run, files: list[str]) -> None:
    outputs, *references = files
    assert run(outputs, "--mean", *references) == run("--mean", outputs, *references)


@pytest.mark.parametrize("words", [[], ["--mean"], ["--format", "json"], ["--mean", "--format", "json"]])
def test_no_outputs_have_no_scores(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "empty.txt").touch()
    printed = run(str(tmp_path / "empty.txt"), *words)
    if "json" in words:
        assert json.loads(printed)["scores"] == []
    else:
        assert table(printed)[2] == []


def test_a_pipeline_that_is_not_there_says_what_to_install(refused: Run, files: list[str]) -> None:
    said = refused(*files, "--parser", "no_such_pipeline")
    assert "'no_such_pipeline'" in said
    assert "python -m spacy download en_core_web_sm" in said


def test_a_package_that_is_no_pipeline_is_refused(refused: Run, files: list[str]) -> None:
    assert "'numpy'" in refused(*files, "--parser", "numpy")


def test_a_pipeline_without_a_parser_is_refused(refused: Run, files: list[str], tmp_path: Path) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.to_disk(tmp_path / "pipeline")
    said = refused(*files, "--parser", str(tmp_path / "pipeline"))
    assert said.endswith("has no parser: it has sentencizer")


def test_dependencies_want_a_parser(refused: Run, files: list[str]) -> None:
    assert "--parser" in refused(*files, "--metrics", NAME, "PARSE-2+Recall+MULT-ALL")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metrics", "LR-1"], "there is no metric 'LR-1'; there are LR-1+Precision+SINGLE-REF"),
        (["--window", "-1"], "window and seed must not be negative"),
        (["--seed", "-1"], "window and seed must not be negative"),
        (["--language", "qq"], "no rules for the language 'qq'"),
        (["--stemmer", "porter", "--language", "de"], "Porter"),
        (["--stemmer", "snowball", "--language", "ja"], "Snowball"),
    ],
)
def test_wrong_choices_are_refused_in_a_line(refused: Run, files: list[str], words: list[str], message: str) -> None:
    assert message in refused(*files, *words)


def test_wrong_files_are_refused_in_a_line(refused: Run, files: list[str], tmp_path: Path) -> None:
    assert "no outputs" in refused()
    assert f"{files[0]}, line 1" in refused(files[0])
    assert str(tmp_path / "none.txt") in refused(str(tmp_path / "none.txt"), files[1])
    assert f"{files[0]} has outputs: 3" in refused(files[0], files[1], str(ROOT / "pyproject.toml"))


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "xml"],
        ["--window", "two"],
        ["--tokenizer", "words"],
        ["--stemmer", "lancaster"],
        ["--single", "last"],
        ["--smoothing", "add"],
        ["--metrics"],
        ["--nothing"],
    ],
)
def test_words_that_are_no_options_are_refused_with_the_usage(
    files: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*files, *words])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m measures.metrics")


def command(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "measures.metrics", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
        **options,
    )


def test_a_process_prints_the_table_and_nothing_else(files: list[str], run: Run) -> None:
    done = command(*files)
    assert (done.returncode, done.stderr) == (0, LEFT_OUT)
    assert done.stdout == run(*files)


def test_a_process_that_fails_says_so(files: list[str]) -> None:
    done = command(files[0])
    assert (done.returncode, done.stdout) == (1, "")
    assert "no reference" in done.stderr


def test_a_reader_who_has_seen_enough_causes_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("a b c\n" * 2000, encoding="utf-8")
    arguments = [sys.executable, "-m", "measures.metrics", str(path), str(path), "--tokenizer", "whitespace"]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"id\t")
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_progress_is_shown_to_a_terminal_alone(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main([*files, "--metrics", NAME]) == 0
    assert "outputs" in terminal.getvalue()


SCORING = """
from measures.metrics import METRICS, Analysis, Text, Tokenizer, compare, leave_one_out, score
texts = [Text(("a", "b"), ("x(a, b)",)), Text(("a", "c"), ())]
assert score(compare(texts, [texts, texts])).shape == (2, 80)
assert score(leave_one_out([texts]), ["LR-1+Recall+MULT-ALL"]).tolist() == [[0.5], [0.5]]
assert [text.words for text in Analysis(Tokenizer("whitespace")).texts(["A b"])] == [("a", "b")]
"""
NOT_INSTALLED = """
from measures.metrics import Tokenizer
try:
    list(Tokenizer().words(["a"]))
except ImportError as error:
    assert "spacy" in str(error)
else:
    raise AssertionError
"""


@pytest.mark.parametrize("program", ["import measures.metrics", SCORING, NOT_INSTALLED])
def test_the_library_wants_numpy_alone(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITH_NUMPY_ALONE + program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_pipeline_is_asked_for_distinct_texts_only(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    pipeline = Pipeline()

    def pipe(texts: Iterable[str], **_: int) -> Iterator[Doc]:
        kept = list(texts)
        asked.extend(kept)
        return pipeline.pipe(kept)

    watched = SimpleNamespace(lang="en", meta=Pipeline.meta, pipe_names=["parser"], pipe=pipe)
    for module in (preprocessing, spacy_models):
        monkeypatch.setattr(module, "load_model", lambda _: watched)
    path = tmp_path / "o.txt"
    path.write_text("a b\na b\nc\n", encoding="utf-8")
    run(str(path), str(path), "--parser", "any")
    assert asked == ["a b", "c"]


def test_a_metric_named_twice_is_refused(refused: Run, files: list[str]) -> None:
    name = "LR-1+Recall+MULT-ALL"
    assert refused(*files, "--metrics", name, name) == f"the metric {name!r} is named twice"


def test_the_list_refuses_what_there_is_not(refused: Run) -> None:
    assert "no metric 'foo'" in refused("--list", "--metrics", "foo")


def test_what_cannot_be_written_is_said(files: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "measures.metrics", *files],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1] == "the scores could not be written: No space left on device"


def test_vectors_add_rouge_we_and_say_how_many_words_they_have(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("your 1 2\nhouse 3 1\n", encoding="utf-8")
    assert main([*files, "--embeddings", str(path), "--matching", "optimal", "--exact-weight", "0.5"]) == 0
    said = capsys.readouterr()
    names, signatures, _, scores = table(said.out)
    assert names == [*SIXTY_EIGHT, *(f"{units}+Recall+MULT-MAX" for units in ("WE-1", "WE-2", "WE-SU4"))]
    assert "vectors:vectors.txt[dim=2," in signatures[-1]
    assert "|sim:cosine|match:optimal|compose:product|lookup:form-lower|exact:0.5|threshold:0|" in signatures[-1]
    assert "words have a vector; of distinct words" in said.err
    assert ((scores >= 0) & (scores <= 1)).all()


def test_without_vectors_and_model_one_line_says_how_to_name_them(refused: Run, files: list[str]) -> None:
    said = refused(*files, "--metrics", "WE-2+Recall+JACKKNIFE")
    assert said == "WE-2+Recall+JACKKNIFE wants vectors of words: name a file of them with --embeddings."
    said = refused(*files, "--metrics", "CONTEXT+Recall+MULT-MEAN")
    assert said == "CONTEXT+Recall+MULT-MEAN wants a model that reads texts: name its folder with --encoder."


def test_bleu_of_all_outputs_stands_beside_the_mean_of_single_outputs(run: Run, files: list[str]) -> None:
    head, *lines = [line.split("\t") for line in run(*files, "--corpus-bleu").splitlines()]
    assert head == ["metric", "corpus", "mean of outputs"]
    assert [line[0] for line in lines] == ["BLEU-2", "BLEU-3", "BLEU-4"]
    expected = scored(Analysis(), ["BLEU-4+PrecBrev+MULT-ALL"]).mean()
    assert float(lines[2][2]) == pytest.approx(expected)


@pytest.mark.usefixtures("hand_made")
def test_parse_2_can_be_pairs_of_heads_and_modifiers(run: Run, files: list[str]) -> None:
    name = "PARSE-2+F-1+MULT-ALL"
    _, labelled, _, with_names = table(run(*files, "--parser", "any", "--metrics", name))
    _, unlabelled, _, without = table(run(*files, "--parser", "any", "--metrics", name, "--unlabelled"))
    assert "labels:no" in unlabelled[0]
    assert "labels" not in labelled[0]
    assert (without >= with_names).all()
