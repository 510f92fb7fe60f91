"""Programs of the user's: what they are told, what is taken from them, and how they fail."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from measures.core.undefined import Undefined
from systems.programs.external import FAILURES_IN_A_ROW, MOST_BYTES, Program
from systems.programs.texts import Output, Range, Source, Status

SOURCE = Source("7", "en", ("The old cat sat on the red mat.", "It was warm there."))
READING = "import json, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n"


def program(folder: Path, body: str, *, seconds: float = 20.0, is_as_is: bool = False) -> Program:
    """A program that does something for each line, `asked`."""
    file = folder / "program.py"
    file.write_text(READING + "".join(f"    {line}\n" for line in body.splitlines()), encoding="utf-8")
    errors, environment = folder / "errors.txt", {"PATH": os.environ["PATH"], "SEEN": "yes"}
    argv = [sys.executable, str(file), "an argument; $(of its own)"]
    return Program(argv, seconds=seconds, errors=errors, environment=environment, is_as_is=is_as_is)


SAY = "print(json.dumps({'id': asked['id'], 'text': %s}), flush=True)"


def test_a_program_is_told_the_rule_and_is_one_process_for_all_texts(tmp_path: Path) -> None:
    body = "import os\nprint(os.getpid(), sys.argv[1], os.environ['SEEN'], line.strip(), file=sys.stderr)\n"
    with program(tmp_path, body + SAY % "asked['sentences'][0]") as run:
        outputs = [run(SOURCE, Range(), 5) for _ in range(3)]
    assert outputs == [Output("The old cat sat on the red mat.", Status.EXTERNAL)] * 3
    lines = (tmp_path / "errors.txt").read_text(encoding="utf-8").splitlines()
    pids, *_ = zip(*(line.split(" ", 1) for line in lines), strict=True)
    assert len(lines) == 3
    assert len(set(pids)) == 1
    assert "an argument; $(of its own) yes" in lines[0]
    assert json.loads(lines[0][lines[0].index("{") :]) == {
        "id": "7",
        "language": "en",
        "text": SOURCE.text,
        "sentences": list(SOURCE.sentences),
        "minimum": 25,
        "allowed": 37,
        "seed": 5,
    }


def test_a_text_over_the_length_is_none_or_is_taken_and_marked(tmp_path: Path) -> None:
    with program(tmp_path, SAY % "asked['text']") as run:
        assert run(SOURCE, Range(), 0) == Undefined("too long: 50 of 37 characters")
    with program(tmp_path, SAY % "asked['text']", is_as_is=True) as run:
        assert run(SOURCE, Range(), 0) == Output(SOURCE.text, Status.EXTERNAL, "too long: 50 of 37 characters")
    with program(tmp_path, SAY % "' '", is_as_is=True) as run:
        assert run(SOURCE, Range(), 0) == Undefined("empty")
    with program(tmp_path, SAY % "None", is_as_is=True) as run:
        assert run(SOURCE, Range(), 0) == Undefined("the program gave no text")


FAILURES = {
    "print('nonsense', flush=True)": "not a line of JSON: b'nonsense'",
    "print('[' * 100000, flush=True)": "not a line of JSON",
    "print(7, flush=True)": "not an object with the id '7'",
    "print(json.dumps({'id': '8', 'text': 'a'}), flush=True)": "not an object with the id '7'",
    "print(json.dumps({'id': '7', 'text': 8}), flush=True)": "not an object with the id '7'",
    "print(json.dumps({'id': '7'}), flush=True)": "not an object with the id '7'",
    "print('{}\\n{}', flush=True)": "more than one line for a text",
    f"sys.stdout.write('x' * {MOST_BYTES + 100_000})": "a line of more than 1,048,576 bytes",
    "sys.exit(3)": "it ended with status 3",
    "import os; os.kill(os.getpid(), 9)": "it ended with status -9",
}


@pytest.mark.parametrize("body", FAILURES)
def test_a_failure_is_told_and_the_program_started_again(tmp_path: Path, body: str) -> None:
    body = f"if asked['seed']:\n    {body}\nelse:\n    {SAY % repr('A cat sat.')}"
    with program(tmp_path, body) as run:
        failed = run(SOURCE, Range(), 1)
        assert isinstance(failed, Undefined)
        assert failed.reason.startswith(f"the program failed: {FAILURES[body.splitlines()[1].strip()]}")
        assert run(SOURCE, Range(), 0) == Output("A cat sat.", Status.EXTERNAL)


def test_a_program_that_takes_its_time_is_ended_with_what_it_started(tmp_path: Path) -> None:
    body = f"import subprocess\nprint(subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(60)']).pid,"
    body += " file=sys.stderr, flush=True)\ntime.sleep(60)"
    with program(tmp_path, body, seconds=2.0) as run:
        assert run(SOURCE, Range(), 0) == Undefined("the program failed: no line within 2 seconds")
    child = int((tmp_path / "errors.txt").read_text(encoding="utf-8"))
    ends_at = time.monotonic() + 10
    while _is_alive(child) and time.monotonic() < ends_at:
        time.sleep(0.02)
    assert not _is_alive(child)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_fails_again_and_again_ends_the_run(tmp_path: Path) -> None:
    with program(tmp_path, "sys.exit('no memory')") as run:
        for _ in range(FAILURES_IN_A_ROW - 1):
            assert isinstance(run(SOURCE, Range(), 0), Undefined)
        with pytest.raises(ValueError, match=r"failed at 3 texts in a row.*errors\.txt"):
            run(SOURCE, Range(), 0)
    assert "no memory" in (tmp_path / "errors.txt").read_text(encoding="utf-8")


def test_standard_error_is_kept_up_to_a_bound_and_read_on(tmp_path: Path) -> None:
    body = "sys.stderr.write('x' * 3_000_000)\n" + SAY % repr("A cat sat.")
    with program(tmp_path, body) as run:
        assert isinstance(run(SOURCE, Range(), 0), Output)
    assert (tmp_path / "errors.txt").stat().st_size == MOST_BYTES


def test_texts_that_no_pipe_takes_at_once_pass(tmp_path: Path) -> None:
    source = Source("7", "en", ("Ein längeres Wort. " * 20_000,))
    with program(tmp_path, SAY % "asked['text'][:150000]", is_as_is=True) as run:
        output = run(source, Range(), 0)
    assert isinstance(output, Output)
    assert output.text == source.text[:150_000]


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = Program([str(tmp_path / "none")], seconds=1, errors=tmp_path / "errors.txt", environment={})
    with missing, pytest.raises(ValueError, match="none could not be started"):
        missing(SOURCE, Range(), 0)
