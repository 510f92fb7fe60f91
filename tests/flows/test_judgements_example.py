"""The examples of docs/judgements.md: their commands run in their order, and print what the page says."""

import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import QuerySet

from corpus.models import Release
from corpus.selectors import release_sources
from ratings.models import ImportedScore, Rating, Score
from reports.models import Report
from tests.flows.test_evaluation_example import steps
from tests.support.factories import make_staff

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
FOLDERS = (EXAMPLES / "judgements", EXAMPLES / "answers")
COMMANDS = steps(ROOT / "docs" / "judgements.md")


def test_the_commands_of_the_page_run_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    make_staff("USERNAME")
    said = ""

    for command, printed in COMMANDS:
        out, err = StringIO(), StringIO()
        call_command(*shlex.split(command), stdout=out, stderr=err)
        assert printed in out.getvalue()
        assert "refused:" not in err.getvalue()
        said += err.getvalue()

    assert "the column 'error_spans' is left aside" in said
    own = Score.objects.values_list("rating__worker__campaign__slug", flat=True)
    assert set(own) == {"answers"}
    answers = Rating.objects.filter(worker__campaign__slug="answers", gold=None)
    assert {len(set(of_question)) for of_question in by_rater_and_question(answers).values()} == {2}
    numbers = {
        release.campaign.slug: sorted(
            number
            for source in release_sources(release)
            for output in source.outputs
            for rating in (*output.ratings, *output.expert_ratings)
            for number in rating.scores.values()
        )
        for release in Release.objects.exclude(campaign__slug="answers")
    }
    expected = {"wmt": 54, "esa": 36, "simplification": 54, "aspects": 54}
    assert {slug: len(found) for slug, found in numbers.items()} == expected
    assert any(number != int(number) for number in numbers["wmt"])
    assert ImportedScore.objects.count() == 198 + 2
    assert {each.kind for each in Report.objects.all()} == {"agreement", "evaluation", "comparison"}


def by_rater_and_question(ratings: QuerySet[Rating]) -> dict[tuple[int, str], list[int]]:
    found: dict[tuple[int, str], list[int]] = {}
    for worker, source, target in ratings.values_list("worker", "target__source", "target"):
        found.setdefault((worker, source), []).append(target)
    return found


def test_the_page_uses_every_file_of_the_examples() -> None:
    commands = " ".join(command for command, _ in COMMANDS)
    files = [path for folder in FOLDERS for path in folder.iterdir() if path.name != "README.md"]

    assert [path.name for path in files if str(path.relative_to(ROOT)) not in commands] == []
