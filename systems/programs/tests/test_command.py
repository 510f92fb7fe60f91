"""`python -m systems.programs`: what it writes is what the library makes, and faults are named by file and line."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from systems.programs import __main__ as command
from systems.programs.__main__ import main
from systems.programs.lm.trigrams import trained
from systems.programs.made_pairs import made_pairs, parse_of
from systems.programs.models import Checkpoint, Model, read_model, write_model
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Output, Range, Source
from systems.programs.tokens import words_of_lines

SENTENCES = ("The old cat sat on the mat by the door.", "It rained.", "The dog of the neighbour barked all night long.")
MADE = made_pairs(24, seed=3)
LEARNT, DEV = MADE[:22], MADE[22:]
PARSER = "a pipeline"


def lines(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def sources(tmp_path: Path) -> str:
    return lines(tmp_path / "sources.jsonl", [{"id": 7, "text": " ".join(SENTENCES)}, {"id": "b", "text": "Rain."}])


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> str:
    """A pipeline that knows the trees of the made-up pairs."""
    monkeypatch.setattr(command, "load_model", lambda _name: None)
    monkeypatch.setattr(command, "model_is_for", lambda _name, language: language == "en")
    monkeypatch.setattr(command, "spacy_parse", lambda _pipeline: parse_of(MADE))
    monkeypatch.setattr(command, "parser_checksum", lambda name: f"checksum of {name}")
    return PARSER


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(list(map(str, arguments))) == 2
    return capsys.readouterr().err.strip()


def test_each_system_is_listed_with_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in listed] == list(SYSTEMS)
    assert "t3\trules on trees\tlearns, must be trained, needs a parser" in listed
    assert "first\tthe first words\t" in listed


def test_outputs_are_those_of_the_system(sources: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "random", sources, str(tmp_path / "o.jsonl"), "--seed=5", "--most=60"]) == 0

    compress = SYSTEMS["random"].prepare(Resources([]))
    first, second = written(tmp_path / "o.jsonl")
    expected = compress(Source("7", "en", SENTENCES), Range.below(60), 5)
    assert isinstance(expected, Output)
    assert {**first, "seconds": 0} == {"id": "7", "text": expected.text, "status": "made", "note": "", "seconds": 0}
    assert (second["id"], second["text"], second["status"]) == ("b", None, "none")
    assert second["note"]
    assert capsys.readouterr().out.startswith("1 outputs (1 made), ")


def test_a_line_says_what_its_sentences_document_and_references_are(tmp_path: Path) -> None:
    texts: list[dict[str, Any]] = [
        {"id": "1", "text": "One two three. Four", "sentences": ["One", "two three. Four"], "document": "d"},
        {"id": "2", "text": "One two three. Four five", "document": "d", "references": ["two three."]},
        {"id": "3", "text": "Six seven eight nine ten.", "document": "d"},
    ]
    path, output = lines(tmp_path / "s.jsonl", texts), tmp_path / "o.jsonl"
    assert main(["run", "lead", path, str(output), "--most=75"]) == 0
    assert written(output)[0]["text"] == "One"
    assert main(["run", "topline", path, str(output)]) == 0
    without, beside, also_without = written(output)
    assert without["status"] == also_without["status"] == "none"
    assert "Two three" in beside["text"]
    assert main(["run", "start-of-centroid", path, str(output)]) == 0
    assert written(output)[2]["text"].startswith("One two three")


def test_documents_are_those_of_the_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[dict[str, Any]] = [
        {"id": "1", "text": "Dogs ran. Cats sat.", "document": "d"},
        {"id": "2", "text": "Men fell. Snow came.", "document": "d"},
    ]
    path, output = lines(tmp_path / "s.jsonl", texts), tmp_path / "o.jsonl"
    assert main(["run", "lead", path, str(output)]) == 0
    assert [row["text"] for row in written(output)] == ["Dogs ran.", "Men fell."]
    assert main(["run", "lead", path, str(output), "--documents"]) == 0
    assert [row["text"] for row in written(output)] == ["Dogs ran.", "Dogs ran."]
    assert "leave out --documents" in refusal(capsys, "run", "first", path, output, "--documents")
    bare = lines(tmp_path / "bare.jsonl", [{"id": "1", "text": "Dogs ran. Cats sat."}])
    expected = f"{bare}: --documents needs a document in the lines of texts"
    assert refusal(capsys, "run", "lead", bare, output, "--documents") == expected


def test_a_model_is_that_of_the_library_and_runs(parser: str, tmp_path: Path) -> None:
    model = tmp_path / "model"
    rows = [[{"source": pair.source_text, "target": pair.target_text} for pair in part] for part in (LEARNT, DEV)]
    files = [lines(tmp_path / f"{name}.jsonl", each) for name, each in zip(("p", "v"), rows, strict=True)]
    assert main(["train", "t3", files[0], str(model), "--valid", files[1], "--parser", parser]) == 0

    pairs = tuple(Pair(pair.source_text, pair.target_text, f"p.jsonl:{n}") for n, pair in enumerate(LEARNT, start=1))
    dev = tuple(DevSource(Source("", "en", (pair.source_text,)), (pair.target_text,)) for pair in DEV)
    trigrams = trained(words_of_lines(dict.fromkeys(pair.source for pair in pairs), "en"))
    known = Resources([], parse_of(MADE), trigrams)
    train = SYSTEMS["t3"].train
    assert train is not None
    expected = train(
        TrainingData("en", pairs, dev), known, seed=2016, checkpoint=Checkpoint(), progress=lambda _done, _of: None
    )

    found = read_model(model)

    assert (found.rules, found.parameters, found.curve) == (expected.rules, expected.parameters, expected.curve)
    assert found.made_from["pairs_file"] == "p.jsonl"
    assert found.made_from["parser_sha256"] == f"checksum of {PARSER}"
    texts = lines(tmp_path / "s.jsonl", ({"id": n, "text": pair.source_text} for n, pair in enumerate(DEV)))
    assert main(["run", "t3", texts, str(tmp_path / "o.jsonl"), "--model", str(model), "--parser", parser]) == 0
    compress = SYSTEMS["t3"].prepare(Resources([], parse_of(MADE), trained=found))
    made = [compress(Source("", "en", (pair.source_text,)), Range(), 2016) for pair in DEV]
    assert [row["text"] for row in written(tmp_path / "o.jsonl")] == [
        each.text for each in made if isinstance(each, Output)
    ]


def test_a_model_goes_with_its_system_its_language_and_its_parser(
    parser: str, sources: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, made_from = tmp_path / "model", {"parser": PARSER, "parser_sha256": f"checksum of {PARSER}"}
    write_model(Model("t3", "en", 1, made_from=made_from), model)
    asked = (sources, tmp_path / "o.jsonl", "--model", model, "--parser")
    assert refusal(capsys, "run", "ilp", *asked, parser) == f"{model} is a model of t3, not of ilp"
    assert "is for texts in en, not in de" in refusal(capsys, "run", "t3", *asked, parser, "--language=de")
    assert refusal(capsys, "run", "t3", *asked, "other") == f"{model} was trained with another parser: {PARSER}"
    assert "name one with --parser" in refusal(capsys, "run", "t3", *asked[:-1])
    again = refusal(capsys, "train", "t3", tmp_path / "p.jsonl", model, "--parser", parser)
    assert again == f"{model} is there already: name a new folder"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "line 1: Expecting"),
        ("[]", "line 1: not an object"),
        ('{"source": "It rained."}', "line 1: there is no target"),
        ('\n{"source": " ", "target": "Rain."}', "line 2: source is empty"),
        ('{"source": "\\ud800", "target": "Rain."}', "line 1: source has half of a character"),
        ('{"source": "It rained.", "target": ["Rain."]}', "line 1: there is no target"),
    ],
)
def test_a_bad_line_of_pairs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, reason: str
) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(content, encoding="utf-8")

    assert refusal(capsys, "train", "seq2seq", path, tmp_path / "model").startswith(f"{path}, {reason}")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"text": "It rained."}', ", line 1: the id must be a text or a number"),
        (b'{"id": "1", "text": ""}', ", line 1: text is empty"),
        (b'{"id": "1", "text": "A."}\n{"id": 1, "text": "B."}', ", line 2: the id '1' stands in line 1, too"),
        (b'{"id": "1", "text": "A. B.", "sentences": ["A."]}', ", line 1: the sentences are not those of the text"),
        (b'{"id": "1", "text": "A.", "references": "B."}', ", line 1: references must be a list of texts"),
        (b'{"id": "1", "text": "A.", "question": 3}', ", line 1: there is no question"),
        (b'{"id": "1", "text": "\xff"}', ", line 1: byte 21 of the file is not UTF-8"),
        (b"\n", ": there is no text"),
    ],
)
def test_a_bad_line_of_texts_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, reason: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)

    assert refusal(capsys, "run", "first", path, tmp_path / "o.jsonl") == f"{path}{reason}"
    assert not (tmp_path / "o.jsonl").exists()


def test_what_is_missing_is_said(sources: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "o.jsonl"
    assert refusal(capsys, "run", "t3", sources, output) == (
        "t3 must be trained before it is run: name its model with --model"
    )
    assert "needs a spaCy pipeline" in refusal(capsys, "run", "drop", sources, output)
    assert "needs a document or a question" in refusal(capsys, "run", "question", sources, output)
    assert (
        refusal(capsys, "run", "first", tmp_path / "none", output) == f"{tmp_path / 'none'}: No such file or directory"
    )
    assert refusal(capsys, "run", "first", sources, tmp_path) == f"{tmp_path}: Is a directory"
    assert refusal(capsys, "run", "first", sources, output, "--most=0") == "a range of 1% to 0%"
    empty = lines(tmp_path / "p.jsonl", [])
    assert (
        refusal(capsys, "train", "t3", empty, tmp_path / "m", "--preset=cpu")
        == "the training of t3 has no option preset"
    )
    with pytest.raises(SystemExit):
        main(["train", "first", empty, str(tmp_path / "m")])
    assert "invalid choice: 'first'" in capsys.readouterr().err


def test_a_damaged_model_is_named(sources: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "model"
    assert refusal(capsys, "run", "ilp", sources, tmp_path / "o", "--model", folder) == f"{folder}: model.json: missing"
    write_model(Model("ilp", "en", 1), folder)
    (folder / "model.json").write_text("{}")
    assert f"{folder}: model.json: of format None" in refusal(
        capsys, "run", "ilp", sources, tmp_path / "o", "--model", folder
    )
