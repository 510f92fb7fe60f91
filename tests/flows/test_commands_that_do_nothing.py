"""Commands that do nothing say why, and errors say what is wrong and what was meant."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand

from crowd.models import Campaign, Role
from tests.support.factories import EDIT, SENTENCE, enrol, freeze, judged_campaign, make_campaign, make_staff
from tests.support.rooms import ROOMS

pytestmark = pytest.mark.django_db
OURS = sorted(name for name, app in get_commands().items() if app in ROOMS)


def said(command: str, *arguments: str) -> tuple[str, str]:
    """What a command prints, and what it says beside that."""
    out, err = StringIO(), StringIO()
    call_command(command, *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def file_of(folder: Path, *texts: str) -> str:
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts, start=1)))
    return str(path)


def test_an_import_of_what_is_there_says_so(tmp_path: Path) -> None:
    campaign = make_campaign()
    file = file_of(tmp_path, SENTENCE.format(number=1))
    assert said("import_sources", campaign.slug, file)[1] == ""

    out, err = said("import_sources", campaign.slug, file)

    assert out == "0 texts added, 1 known before, 0 rows refused.\n"
    assert err == "Nothing was added: the campaign has everything in texts.jsonl already.\n"


def test_an_import_without_lines_and_one_of_refused_lines_say_so(tmp_path: Path) -> None:
    campaign = make_campaign()

    assert "texts.jsonl has no lines" in said("import_sources", campaign.slug, file_of(tmp_path))[1]
    assert "every line of texts.jsonl was refused" in said("import_sources", campaign.slug, file_of(tmp_path, "No."))[1]


def test_outputs_that_are_there_say_so(tmp_path: Path) -> None:
    campaign = make_campaign(sources=1)
    file = file_of(tmp_path, "Short.")
    said("import_outputs", "first", file, f"--campaign={campaign.slug}")

    assert "everything in texts.jsonl already" in said("import_outputs", "first", file)[1]


def test_ratings_that_are_there_say_so(tmp_path: Path) -> None:
    campaign = make_campaign(sources=1)
    said("import_outputs", "first", file_of(tmp_path, "Short."), f"--campaign={campaign.slug}")
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,system,rater,meaning\n1,first,a model,2.5\n")
    said("import_ratings", str(ratings))

    assert "everything in ratings.csv already" in said("import_ratings", str(ratings))[1]


def test_quality_without_ratings_says_that_nobody_was_assessed() -> None:
    assert "no ratings that count yet" in said("apply_quality", make_campaign().slug)[1]
    assert "Nobody has written a compression" in said("apply_quality", make_campaign().slug, "--dry-run")[1]


def test_a_dry_run_in_which_nobody_would_go_says_so() -> None:
    assert "Nobody would be excluded" in said("apply_quality", judged_campaign().slug, "--dry-run")[1]


def test_scores_without_systems_say_how_to_bring_one() -> None:
    release = freeze(judged_campaign(editors=2))

    err = said("score_metrics", release.name, "--format=table", "--metrics", "ROUGE-L+Recall+MULT-MAX")[1]

    assert f"{release.name} has no outputs of systems" in err


@pytest.mark.parametrize(
    ("sources", "options", "why"),
    [
        (0, [], "has no texts"),
        (1, ["--editors=0", "--raters=0"], "--editors and --raters are 0"),
    ],
)
def test_a_simulation_without_work_says_why(sources: int, options: list[str], why: str) -> None:
    campaign = make_campaign(sources=sources)

    out, err = said("simulate_crowd", campaign.slug, *(options or ["--editors=1", "--raters=1"]))

    assert out.startswith("0 compressions and 0 ratings")
    assert why in err


def test_participants_of_a_release_are_not_simulated_as_tests() -> None:
    campaign = make_campaign(sources=1)
    said("simulate_crowd", campaign.slug, "--editors=1", "--raters=0", "--for-release")

    with pytest.raises(CommandError, match="Choose another --seed"):
        said("simulate_crowd", campaign.slug, "--editors=1", "--raters=0")


def test_a_role_that_was_there_is_said() -> None:
    campaign, colleague = make_campaign(), make_staff("colleague")
    assert said("add_staff", campaign.slug, colleague.username, "--role=viewer")[1] == ""

    out, err = said("add_staff", campaign.slug, colleague.username, "--role=viewer")

    assert out == f"colleague is {Role.VIEWER.value} of {campaign.name}.\n"
    assert "Nothing has changed" in err


def test_nothing_to_erase_is_said() -> None:
    campaign = make_campaign()
    enrol(campaign, EDIT, "ann")

    assert "no such work of this participant" in said("erase_worker", campaign.slug, "--id=ann")[1]
    assert "data were erased on" in said("erase_worker", campaign.slug, "--number=1")[1]


def test_without_failed_logins_nobody_had_to_wait() -> None:
    assert "nobody had to wait" in said("unlock_logins")[1]


def test_an_unknown_subject_of_the_doctor_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice: 'disc'"):
        call_command("doctor", "--only", "disc")


# Errors.


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (("plan_ratings", "leters"), "There is no campaign 'leters', but there is letters."),
        (("report", "letters-v2", "agreement"), "There is no release 'letters-v2', but there is letters-v1."),
        (("score_metrics", "letter-v1"), "There is no release 'letter-v1', but there is letters-v1."),
        (("add_staff", "letters", "colleage"), "There is no account 'colleage', but there is colleague."),
    ],
)
def test_a_slip_is_answered_with_what_is_meant(command: tuple[str, ...], meant: str) -> None:
    make_staff("colleague")
    freeze(judged_campaign(slug="letters"))

    with pytest.raises(CommandError) as refused:
        call_command(*command)

    assert str(refused.value) == meant


def test_a_file_that_is_not_there_is_answered_with_its_neighbour(tmp_path: Path) -> None:
    file_of(tmp_path)

    with pytest.raises(CommandError, match=r"text\.jsonl: No such file or directory\. There is texts\.jsonl"):
        call_command("import_sources", make_campaign().slug, str(tmp_path / "text.jsonl"))
    with pytest.raises(CommandError, match=r"There is no folder .*none"):
        call_command("import_sources", make_campaign().slug, str(tmp_path / "none" / "text.jsonl"))


def test_the_owner_of_an_import_is_refused_by_name_before_anything_is_read(tmp_path: Path) -> None:
    make_staff("colleague")

    with pytest.raises(CommandError, match="There is no account 'colleage', but there is colleague"):
        call_command("import_release", str(tmp_path / "none"), "--owner=colleage")
    assert not Campaign.objects.exists()


# Help.


def options_of(name: str) -> list[tuple[str, str, bool]]:
    """The options of a command that Django does not give to all: name, help, whether it takes a value by choice."""
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, BaseCommand)
    shared = {each.dest for each in BaseCommand().create_parser("manage.py", name)._actions}
    actions = command.create_parser("manage.py", name)._actions
    own = [each for each in actions if each.dest not in shared]
    return [
        (each.dest, each.help or "", bool(each.option_strings) and each.nargs != 0 and not each.required)
        for each in own
    ]


@pytest.mark.parametrize("name", [name for name in OURS if name != "migrate"])
def test_help_explains_each_option_and_its_default(name: str) -> None:
    for option, words, is_optional in options_of(name):
        assert words, option
        assert not is_optional or any(word in words for word in ("default", "(this or")), option
