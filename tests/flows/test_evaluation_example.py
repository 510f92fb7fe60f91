"""The example of docs/evaluation.md: its commands run in their order, and print what the page says."""

import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from corpus.models import Release
from corpus.selectors import release_sources
from reports.models import Report
from scoring.models import ScoreRun
from tests.support.factories import make_staff

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "evaluation.md"
BLOCK = re.compile(r"^ *```(sh|text)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
START = "python manage.py "
Steps = list[tuple[str, str]]
"""Each command of the page, with what it should print."""


def steps(page: Path = PAGE) -> Steps:
    found: Steps = []
    for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        lines = [line.strip() for line in block.splitlines()]
        if kind == "sh":
            assert all(line.startswith(START) for line in lines)
            found += [(line.removeprefix(START), "") for line in lines]
        else:
            found[-1] = (found[-1][0], "\n".join(lines))
    return found


def test_the_commands_of_the_page_run_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    make_staff("USERNAME")

    for command, printed in steps():
        out, err = StringIO(), StringIO()
        call_command(*shlex.split(command), stdout=out, stderr=err)
        assert printed in out.getvalue()
        assert "refused:" not in err.getvalue()

    without, with_references = Release.objects.order_by("pk")
    for release in (without, with_references):
        ratings = [output.ratings for source in release_sources(release) for output in source.outputs]
        assert [len(each) for each in ratings] == [2] * 15
        assert {rating.rater for each in ratings for rating in each} != {""}
        assert Report.objects.get(release=release).rows
    assert (without.summary["compressions"], with_references.summary["compressions"]) == (0, 10)
    assert with_references.summary["unrated_compressions"] == 10
    assert list(ScoreRun.objects.order_by("pk").values_list("release", "kind")) == [
        (without.pk, ScoreRun.Kind.IMPORTED),
        (with_references.pk, ScoreRun.Kind.COMPUTED),
        (with_references.pk, ScoreRun.Kind.IMPORTED),
    ]


def test_the_page_uses_every_file_of_the_example() -> None:
    commands = " ".join(command for command, _ in steps())
    folder = ROOT / "docs" / "examples" / "evaluation"
    files = [path for path in folder.iterdir() if path.name != "README.md"]

    assert len(files) == 6
    assert [path.name for path in files if str(path.relative_to(ROOT)) not in commands] == []
