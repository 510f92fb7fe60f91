"""`python -m measures.alignment` as a command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from measures.alignment.__main__ import main

ROOT = Path(__file__).resolve().parents[3]


def command(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "measures.alignment", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_two_texts_give_pairs() -> None:
    done = command("The old bridge fell .", "The bridge fell .")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0-0 2-1 3-2 4-3\n", "")


def test_json_lines_get_pairs_and_scores() -> None:
    row = {"source": "a b c", "target": ["a", "b"], "sure": "0-0 1-1"}
    done = command("--jsonl", "-", "--gold", text=json.dumps(row))
    assert done.returncode == 0
    assert json.loads(done.stdout) == {**row, "pairs": "0-0 1-1"}
    assert "F1\t1.0000\n" in done.stderr


def test_files_are_scored_by_a_file_of_gold(tmp_path: Path) -> None:
    for name, line in (("source", "old bridge fell"), ("target", "bridge fell"), ("gold", "1-0 2p1")):
        (tmp_path / name).write_text(line + "\n")
    done = command(*(str(tmp_path / name) for name in ("source", "target", "gold")))
    assert (done.returncode, done.stdout) == (0, "1-0 2-1\n")
    assert "precision\t0.5000\nrecall\t1.0000\n" in done.stderr


def test_bad_input_names_the_line() -> None:
    done = command("--jsonl", "-", text='{"source": "a", "target": "a", "sure": "3-0"}\n')
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("-, line 1: the pair 3-0 is outside")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"source": "a", "target": "a"}', "{"], "texts.jsonl, line 2: "),
        (['{"source": "a", "target": "a"}', "", "[]"], "texts.jsonl, line 3: not an object"),
        (['{"source": "a"}'], "texts.jsonl, line 1: target must be a text or a list of words"),
        (['{"source": "a", "target": [1]}'], "texts.jsonl, line 1: target must be"),
        (['{"source": "a b", "target": "a", "source_lemmas": "a"}'], "line 1: source has 2 words and 1 lemmas"),
        (['{"source": "a", "target": "a", "sure": 1}'], "texts.jsonl, line 1: sure and possible must be texts"),
        (["[" * 100_000], "texts.jsonl, line 1: "),
    ],
)
def test_a_bad_line_is_named_with_its_file(
    lines: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(lines))
    assert main(["--jsonl", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert str(path) in err
    assert "Traceback" not in err


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_bytes(b'{"source": "a", "target": "a"}\n\xff\n')
    assert main(["--jsonl", str(path)]) == 2
    assert f"{path}, line 2: byte 31 of the file is not UTF-8" in capsys.readouterr().err


SIMILAR = ["she bought it cheaply yesterday", "cheap they say she purchased"]


@pytest.mark.parametrize(
    ("option", "content"), [("--pairs", "bought\tpurchased\n"), ("--vectors", "bought 3 4\npurchased 6 8.1\n")]
)
def test_lists_of_pairs_and_vectors_are_read_from_files(
    option: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "similar").write_text(content)
    assert main(SIMILAR) == 0
    assert "1-4" not in capsys.readouterr().out
    assert main([*SIMILAR, option, str(tmp_path / "similar")]) == 0
    assert "1-4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("--pairs", "car\tauto\nalone\n", "similar, line 2: no pair"),
        ("--vectors", "car 1 2\nauto 1\n", "similar, line 2: "),
        ("--vectors", "car 1 nan\n", "similar, line 1: a number is not finite"),
        ("--pairs", None, "similar: "),
    ],
)
def test_a_bad_list_is_named_with_its_line(
    option: str, content: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "similar").write_text(content)
    assert main([*SIMILAR, option, str(tmp_path / "similar")]) == 2
    assert said in capsys.readouterr().err


def test_possible_pairs_count_as_right_but_need_not_be_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"source": "old bridge fell", "target": "bridge fell", "sure": "1-0", "possible": "2-1"}
    for name, line in files.items():
        (tmp_path / name).write_text(line + "\n")
    given = [str(tmp_path / name) for name in ("source", "target", "sure")]
    assert main(given) == 0
    assert "AER\t0.3333\n" in capsys.readouterr().err
    assert main([*given, "--possible", str(tmp_path / "possible")]) == 0
    assert "AER\t0.0000\n" in capsys.readouterr().err
