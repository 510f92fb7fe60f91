"""Who took part, as a platform tells it: counted in groups in which nobody can be known."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from corpus.demographics import LEAST, _groups
from crowd.models import Campaign
from tests.support.factories import EDIT, edit_next, enrol, make_campaign

HEAD = "Submission id,Participant id,Status,Age,Sex\n"


@pytest.fixture
def campaign() -> Campaign:
    """Twelve people wrote, and one joined only."""
    campaign = make_campaign(slug="study", sources=12, editor_tasks=1, editors_per_source=1)
    for number in range(12):
        edit_next(enrol(campaign, EDIT, f"p{number}"))
    enrol(campaign, EDIT, "idle")
    return campaign


def said(folder: Path, lines: str, *options: str) -> str:
    (folder / "export.csv").write_text(HEAD + lines)
    out = StringIO()
    call_command("describe_people", "study", str(folder / "export.csv"), *options, stdout=out)
    return out.getvalue().strip()


def line(name: str, age: object, sex: str) -> str:
    return f"s-{name},{name},APPROVED,{age},{sex}\n"


@pytest.mark.django_db
@pytest.mark.usefixtures("campaign")
def test_people_who_worked_are_counted_and_no_small_group_has_a_number(tmp_path: Path) -> None:
    lines = "".join(line(f"p{number}", 20 + number, "Female" if number < 6 else "Male") for number in range(11))

    assert said(tmp_path, lines + line("idle", 80, "Female"), "--column=Sex", "--column=Age") == (
        "The platform says of 11 of 12 people who wrote or rated: Sex: Female 6, Male 5. "
        "Age: in groups of fewer than 5, or hidden with them, 11."
    )


@pytest.mark.django_db
@pytest.mark.usefixtures("campaign")
@pytest.mark.parametrize(
    ("lines", "options", "reason"),
    [
        (line("elsewhere", 30, "Male"), ["--column=Sex"], "nobody who wrote or rated in study is in the column"),
        (line("p1", 30, "Male") + line("p2", 31, "Male"), ["--column=Sex"], "Fewer than 5 people"),
        (line("p1", 30, "Male"), ["--column=Shoe size"], "no column named shoe size"),
        (line("p1", 30, "Male"), ["--column=Sex", "--id=PID"], "no column named pid"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, lines: str, options: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        said(tmp_path, lines, *options)


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "DATA_EXPIRED", ""]), min_size=LEAST, max_size=60))
def test_no_group_follows_from_what_is_shown(values: list[str]) -> None:
    found = _groups("any", values)

    assert all(people >= LEAST for people in found.shown.values())
    assert sum(found.shown.values()) + found.hidden == len(values)
    hidden = len({value if value in {"a", "b", "c", "d"} else "" for value in values}) - len(found.shown)
    assert hidden != 1 or not found.shown
