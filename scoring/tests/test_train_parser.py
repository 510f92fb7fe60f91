"""`train_parser`: what it gives to spaCy, and what it refuses before that."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from common.stored_models import stored_model_located, stored_model_pinned
from tests.support.reports import printed

Sentences = list[str]


def sentence(number: int) -> str:
    fields = ["1", f"word{number}", "word", "NOUN", "NN", "_", "0", "root", "_", "_"]
    return f"# sent_id = {number}\n" + "\t".join(fields)


def treebank(path: Path, number: int, *, first: int = 0) -> Path:
    path.write_text("".join(f"{sentence(each)}\n\n" for each in range(first, first + number)), encoding="utf-8")
    return path


class Spacy:
    """Notes what spaCy is asked, sees the sentences, and makes a pipeline of nothing."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.sentences: dict[str, Sentences] = {}
        self.fails_at = ""
        self.folder = Path()

    def __call__(self, command: list[str], **_: Any) -> SimpleNamespace:
        assert command[:3] == [sys.executable, "-m", "spacy"]
        words = command[3:]
        self.asked.append(words)
        if words[0] == self.fails_at:
            return SimpleNamespace(returncode=1)
        if words[0] == "convert":
            path = Path(words[1])
            self.folder = path.parent
            self.sentences[path.stem] = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
        elif words[0] == "train":
            best = Path(words[words.index("--output") + 1]) / "model-best"
            best.mkdir(parents=True)
            (best / "meta.json").write_text("{}", encoding="utf-8")
        return SimpleNamespace(returncode=0)


@pytest.fixture(autouse=True)
def spacy(monkeypatch: pytest.MonkeyPatch) -> Spacy:
    spacy = Spacy()
    monkeypatch.setattr(subprocess, "run", spacy)
    return spacy


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "new" / "parser"


Refusal = Callable[..., str]


@pytest.fixture
def refusal(spacy: Spacy, output: Path) -> Refusal:
    """What the command says; spaCy was not asked, and no pipeline is there."""

    def refusal(path: Path, *options: str) -> str:
        with pytest.raises(CommandError) as refused:
            call_command("train_parser", str(path), f"--output={output}", *options)
        assert spacy.asked == []
        assert not output.exists()
        return str(refused.value)

    return refusal


def test_the_best_pipeline_is_in_the_folder_that_is_named(tmp_path: Path, output: Path) -> None:
    said = printed("train_parser", str(treebank(tmp_path / "t.conllu", 20)), f"--output={output}")

    assert [path.name for path in output.iterdir()] == ["meta.json"]
    assert json.loads((output / "meta.json").read_text(encoding="utf-8"))["name"] == "parser"
    assert said == f"The parser is in {output}. Set PRECIS_SPACY_MODEL={output.resolve()} to use it.\n"


def test_spacy_converts_configures_and_trains(tmp_path: Path, output: Path, spacy: Spacy) -> None:
    printed(
        "train_parser", str(treebank(tmp_path / "t.conllu", 20)), f"--output={output}", "--language=de", "--steps=7"
    )

    convert, of_dev, init, train = spacy.asked
    folder = spacy.folder
    assert (convert[0], of_dev[0]) == ("convert", "convert")
    assert init[:2] == ["init", "config"]
    assert init[init.index("--lang") + 1] == "de"
    assert init[init.index("--pipeline") + 1] == "tagger,parser"
    assert train[0] == "train"
    assert train[train.index("--training.max_steps") + 1] == "7"
    assert train[train.index("--paths.train") + 1] == str(folder / "train.spacy")
    assert train[train.index("--paths.dev") + 1] == str(folder / "dev.spacy")


@pytest.mark.parametrize("number", [2, 10, 11, 25])
def test_a_tenth_of_the_treebank_is_held_out(tmp_path: Path, output: Path, spacy: Spacy, number: int) -> None:
    printed("train_parser", str(treebank(tmp_path / "t.conllu", number)), f"--output={output}")

    train, dev = spacy.sentences["train"], spacy.sentences["dev"]
    assert len(dev) == -(-number // 10)
    assert sorted([*train, *dev]) == sorted(sentence(each) for each in range(number))


def test_another_treebank_to_judge_by_leaves_the_first_whole(tmp_path: Path, output: Path, spacy: Spacy) -> None:
    dev = treebank(tmp_path / "d.conllu", 3, first=50)

    printed("train_parser", str(treebank(tmp_path / "t.conllu", 5)), f"--output={output}", f"--dev={dev}")

    assert spacy.sentences["train"] == [sentence(each) for each in range(5)]
    assert spacy.sentences["dev"] == [sentence(each) for each in (50, 51, 52)]


def test_lines_may_end_as_on_windows(tmp_path: Path, output: Path, spacy: Spacy) -> None:
    path = treebank(tmp_path / "t.conllu", 4)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    printed("train_parser", str(path), f"--output={output}")

    assert spacy.sentences["train"] == [sentence(each) for each in (1, 2, 3)]


def test_nothing_is_left_beside_the_pipeline(tmp_path: Path, output: Path, spacy: Spacy) -> None:
    printed("train_parser", str(treebank(tmp_path / "t.conllu", 4)), f"--output={output}")

    assert spacy.folder.name.startswith("precis-parser-")
    assert not spacy.folder.exists()


@pytest.mark.parametrize("step", ["convert", "init", "train"])
def test_a_step_that_fails_is_named_and_leaves_no_pipeline(
    tmp_path: Path, output: Path, spacy: Spacy, step: str
) -> None:
    spacy.fails_at = step

    with pytest.raises(CommandError, match=f"spaCy could not {step}"):
        call_command("train_parser", str(treebank(tmp_path / "t.conllu", 4)), f"--output={output}")

    assert not output.exists()
    assert spacy.asked[-1][0] == step


def test_training_that_ends_without_a_pipeline_is_a_refusal(
    tmp_path: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0))

    with pytest.raises(CommandError):
        call_command("train_parser", str(treebank(tmp_path / "t.conllu", 4)), f"--output={output}")

    assert not output.exists()


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path, spacy: Spacy) -> None:
    (tmp_path / "kept.txt").write_text("kept", encoding="utf-8")

    with pytest.raises(CommandError, match="is there already"):
        call_command("train_parser", str(treebank(tmp_path / "t.conllu", 4)), f"--output={tmp_path}")

    assert spacy.asked == []
    assert (tmp_path / "kept.txt").read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("steps", ["0", "-5"])
def test_training_has_a_step_at_least(refusal: Refusal, tmp_path: Path, steps: str) -> None:
    assert refusal(treebank(tmp_path / "t.conllu", 4), f"--steps={steps}") == "steps must be at least 1"


@pytest.mark.parametrize("number", [0, 1])
def test_too_few_sentences_are_refused(refusal: Refusal, tmp_path: Path, number: int) -> None:
    path = treebank(tmp_path / "t.conllu", number)

    assert refusal(path) == f"{path}: too few sentences to train and to judge by."


@pytest.mark.parametrize(
    "wrong",
    ["Just a text.", "1\tword\tNOUN", "# a comment", '{"id": 1}', "\t".join("123456789"), "\t".join("123456789ab")],
)
def test_a_sentence_without_ten_fields_is_refused_by_its_number(refusal: Refusal, tmp_path: Path, wrong: str) -> None:
    path = treebank(tmp_path / "t.conllu", 2)
    path.write_text(path.read_text(encoding="utf-8") + wrong + "\n\n", encoding="utf-8")

    assert refusal(path) == f"{path}, sentence 3: no line of ten fields, so it is not CoNLL-U."


def test_files_that_cannot_be_read_are_named(refusal: Refusal, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.conllu"
    wrong.write_bytes(sentence(1).encode() + b"\xff")

    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'}: No such file or directory"
    assert refusal(tmp_path) == f"{tmp_path}: Is a directory"
    assert refusal(wrong) == f"{wrong}: byte {len(sentence(1))} is not UTF-8"


def test_a_wrong_file_to_judge_by_is_named(refusal: Refusal, tmp_path: Path) -> None:
    train, empty = treebank(tmp_path / "t.conllu", 4), treebank(tmp_path / "empty.conllu", 0)
    text = tmp_path / "text.conllu"
    text.write_text("Just a text.\n", encoding="utf-8")

    assert refusal(train, f"--dev={tmp_path / 'none'}") == f"{tmp_path / 'none'}: No such file or directory"
    assert refusal(train, f"--dev={text}").startswith(f"{text}, sentence 1: ")
    assert refusal(train, f"--dev={empty}").startswith(f"{empty}: too few sentences")


def test_a_parser_can_be_stored_where_all_machines_find_it(tmp_path: Path) -> None:
    said = printed("train_parser", str(treebank(tmp_path / "t.conllu", 20)), "--store=mine")

    pinned = stored_model_pinned("stored:mine")
    assert said == f"The parser is stored (SHA-256 {pinned[-64:]}). Set PRECIS_SPACY_MODEL=stored:mine to use it.\n"
    meta = Path(stored_model_located(pinned)) / "meta.json"
    assert json.loads(meta.read_text(encoding="utf-8")) == {"name": "mine"}
