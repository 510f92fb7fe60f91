"""The command that applies a rule, or says what it would do."""

from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityRun
from ratings.selectors.quality import parameters_of
from ratings.services.quality import quality_apply
from ratings.tests.quality.test_preview import crowd, preview_page, query_of, rows_by_share, rows_of
from tests.support.factories import RATE, golden_campaign, judged_campaign, make_campaign

pytestmark = pytest.mark.django_db

OPTIONS = [
    ([], FilterParameters()),
    (["--share", "0.125"], FilterParameters(share=0.125)),
    (["--share=1"], FilterParameters(share=1.0)),
    (["--min-items", "1"], FilterParameters(min_items=1)),
    (["--first", "editors"], FilterParameters(order=Order.EDITORS_FIRST)),
    (["--first", "raters"], FilterParameters()),
    (["--rater-quality", "deviation"], FilterParameters()),
    (["--rater-quality", "gold"], FilterParameters(rater_quality=RaterQuality.GOLD)),
    (["--rater-quality", "dawid-skene"], FilterParameters(rater_quality=RaterQuality.DAWID_SKENE)),
    (["--roles", "both"], FilterParameters()),
    (["--roles", "raters"], FilterParameters(roles=Roles.RATERS)),
    (["--roles", "editors"], FilterParameters(roles=Roles.EDITORS)),
]
NO_SENSE = [
    (["--share", "2"], "share must be between 0 and 1"),
    (["--share", "nan"], "share must be between 0 and 1"),
    (["--share", "inf"], "share must be between 0 and 1"),
    (["--share", "abc"], "--share: invalid float value: 'abc'"),
    (["--min-items", "0"], "min_items must be at least 1, not 0"),
    (["--min-items", "2.5"], "--min-items: invalid int value: '2.5'"),
    (["--first", "nobody"], "--first: invalid choice: 'nobody'"),
    (["--rater-quality", "looks"], "--rater-quality: invalid choice: 'looks'"),
    (["--roles", "experts"], "--roles: invalid choice: 'experts'"),
]


@pytest.mark.parametrize(("options", "parameters"), OPTIONS)
def test_each_option_is_a_parameter_of_the_run(options: list[str], parameters: FilterParameters) -> None:
    call_command("apply_quality", judged_campaign(sources=1).slug, *options)

    run = QualityRun.objects.get()
    assert parameters_of(run.parameters) == parameters
    assert (run.requested_by, run.job) == (None, None)


@pytest.mark.parametrize("beside", [[], ["--dry-run"]])
@pytest.mark.parametrize(("options", "reason"), NO_SENSE)
def test_values_without_sense_are_refused_with_a_reason(options: list[str], reason: str, beside: list[str]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("apply_quality", make_campaign().slug, *options, *beside)

    assert reason in str(refused.value)
    assert not QualityRun.objects.exists()


def would_do(campaign: Campaign, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    call_command("apply_quality", campaign.slug, "--dry-run", *options)
    return capsys.readouterr().out.splitlines()


def test_a_dry_run_tells_what_the_page_tells(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = crowd(8)
    parameters = FilterParameters(share=0.25, rater_quality=RaterQuality.DAWID_SKENE)
    options = ("--share=0.25", "--rater-quality=dawid-skene")
    page = preview_page(campaign, **query_of(parameters))

    lines = would_do(campaign, capsys, *options)

    shares = ("0", "0.05", "0.1", "0.15", "0.2", "0.25")
    assert lines[:6] == [
        f"share {share}: {raters} raters and {editors} editors excluded; "
        f"{ratings} of 320 ratings and {texts} of 40 texts kept."
        for share, (_, editors, raters, texts, ratings, *_) in zip(shares, rows_by_share(page), strict=True)
    ]
    removed = [line.split("; standard error")[0] for line in lines[6:] if ", worker " in line]
    assert removed == [
        f"{work_round}, worker {row[0]}: {row[6]}"
        for work_round, title in (("Rater round", "Raters"), ("Editor round", "Editors"))
        for row in rows_of(page, f"{title}, worst first")
        if row[5] == "excluded"
    ]
    notes = [line.split(": ", maxsplit=1)[1] for line in lines[6:] if ", worker " not in line]
    assert notes == [
        "No rater has too few ratings to be assessed.",
        "No editor has too few rated compressions to be assessed.",
    ]
    assert all(note in page for note in notes)
    assert len(lines) == 12


def test_a_dry_run_tells_what_is_applied_then(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = golden_campaign()

    lines = would_do(campaign, capsys, "--share=0.5", "--roles=raters")

    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, roles=Roles.RATERS))
    gone = run.decisions.get(round=RATE, removed=True)
    # Of ten texts grim is 2 points from the others on five and 1 on five; the others 0.75 on average.
    assert lines[-3:] == [
        "share 0.5: 1 raters and 0 editors excluded; 20 of 30 ratings and 10 of 10 texts kept.",
        "Rater round: No rater has too few ratings to be assessed.",
        f"Rater round, worker {gone.worker.public_name}: {gone.reason}; "
        "standard error 0.167, -0.375 from the cut (-2.2 standard errors)",
    ]


@pytest.mark.parametrize("share", ["0.125", "0.005"])
def test_a_dry_run_names_the_share_that_was_asked(share: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = would_do(judged_campaign(sources=1), capsys, f"--share={share}")

    assert sum(line.startswith(f"share {share}: ") for line in lines) == 1


def rows() -> list[list[dict[str, Any]]]:
    return [list(model._default_manager.order_by("pk").values()) for model in apps.get_models()]


@pytest.mark.parametrize("quality", ["deviation", "gold", "dawid-skene"])
def test_a_dry_run_writes_nothing(quality: str, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = golden_campaign()
    before = rows()

    lines = would_do(campaign, capsys, "--share=1", f"--rater-quality={quality}")

    assert len(lines) > 6
    assert rows() == before


def test_a_dry_run_of_a_campaign_without_work_has_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    lines = would_do(make_campaign(), capsys)

    assert len(lines) == 8
    assert all(
        line.endswith(": 0 raters and 0 editors excluded; 0 of 0 ratings and 0 of 0 texts kept.") for line in lines[:6]
    )
    assert lines[6:] == [
        "Rater round: No rater has too few ratings to be assessed.",
        "Editor round: No editor has too few rated compressions to be assessed.",
    ]
