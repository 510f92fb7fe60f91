"""The raters' test is set from a file."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from crowd.models import Campaign
from ratings.selectors.qualification import qualification_items
from tests.support.factories import add_qualification, make_campaign
from tests.support.normalizing import SHORT_STACK

pytestmark = pytest.mark.django_db

ANSWERS = {"meaning": [2, 3], "grammar": [3]}
GOOD = {"source": "A long text.", "compression": "A text.", "answers": ANSWERS, "why": "One word."}


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(slug="letters")


def set_test(tmp_path: Path, *lines: object) -> str:
    file, out = tmp_path / "test.jsonl", StringIO()
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    call_command("import_qualification", "letters", str(file), stdout=out)
    return out.getvalue()


def test_a_file_replaces_the_test(campaign: Campaign, tmp_path: Path) -> None:
    add_qualification(campaign, 3)
    assert "has 2 questions" in set_test(
        tmp_path, GOOD, "", {**GOOD, "source": "Another long text.", "note": "not read"}
    )
    items = list(qualification_items(campaign))
    assert [(item.position, item.answers, item.why) for item in items] == [(n, ANSWERS, "One word.") for n in (1, 2)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, r"line 2: not JSON \(nested too deeply\)"),
        ('{"why": ' + "1" * 50_000 + "}", r"line 2: not JSON \(a number is too long\)"),
        ({**GOOD, "why": SHORT_STACK}, "line 2: 'why': more than 30 accents or marks stand on one letter"),
        ({**GOOD, "source": "a" * 50_001}, "line 2: 'source': 50,001 characters, at most 50,000 are read"),
        ([1], "line 2: not a JSON object"),
        ({**GOOD, "source": 1}, "line 2: 'source': must be text"),
        ({**GOOD, "why": None}, "line 2: 'why': must not be empty"),
        ({**GOOD, "is_practice": 1}, "line 2: 'is_practice': must be true or false"),
        ({**GOOD, "answers": [3, 3]}, "line 2: 'answers': must be a list of points for each scale"),
        (
            {**GOOD, "answers": {**ANSWERS, "grammar": 3}},
            "line 2: 'grammar': must be a list of the points that are right",
        ),
        ({**GOOD, "answers": {**ANSWERS, "meaning": [4]}}, "line 2: 'meaning': 4 is not among the points 1 to 3"),
        ({**GOOD, "answers": {**ANSWERS, "meaning": [[]]}}, r"line 2: 'meaning': \[\] is not among the points 1 to 3"),
        ({**GOOD, "answers": {"meaning": [3]}}, "line 2: 'grammar': must be a list of the points that are right"),
        ({**GOOD, "answers": {**ANSWERS, "style": [1]}}, "line 2: 'answers': the campaign has no scale style"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_changes_nothing(
    campaign: Campaign, tmp_path: Path, line: object, reason: str
) -> None:
    before = [item.pk for item in add_qualification(campaign, 1)]
    with pytest.raises(CommandError, match=reason):
        set_test(tmp_path, GOOD, line)
    assert [item.pk for item in qualification_items(campaign)] == before
