"""What reports say of a release in which systems have rated outputs and no person wrote a text."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from scoring.models import ScoreRun
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    make_campaign,
    rate_all,
    readable,
    staff_client,
    submit_text,
)

pytestmark = pytest.mark.django_db

PAGES = ("", "agreement/", "operations/", "scores/", "overview/", "overview.csv", "overview.tex")


def released(*, texts: int = 0) -> Release:
    """Three sources with outputs of two systems that two raters have rated; people wrote texts for some."""
    people: dict[str, Any] = {"raters_per_compression": 2, "rater_tasks": 99, "gold_percent": 0}
    campaign = make_campaign(sources=3, **people)
    outputs = [Output(n, str(n), f"Bridge {n} by {name}.", name) for n in (1, 2, 3) for name in ("lead", "tail")]
    outputs_add(campaign=campaign, outputs=outputs)
    for number in range(texts):
        submit_text(enrol(campaign, EDIT, f"editor-{number}"), f"Text {number} of a bridge.")
    for points in ((3, 2), (2, 2)):
        assert rate_all(enrol(campaign, RATE), *points) == 6 + texts
    return freeze(campaign, min_compressions=0, shares={"test": 1})


def pages(release: Release) -> dict[str, Any]:
    client = staff_client(release.campaign.staff.get())
    address = f"/campaigns/{release.campaign.slug}/releases/{release.version}/"
    return {path: client.get(address + path) for path in PAGES}


@pytest.mark.parametrize("texts", [0, 1])
def test_every_page_of_the_release_opens(texts: int) -> None:
    assert {path: reply.status_code for path, reply in pages(released(texts=texts)).items()} == dict.fromkeys(
        PAGES, 200
    )


def test_agreement_says_that_it_is_about_people_s_texts() -> None:
    release = released()

    with pytest.raises(CommandError, match="has no ratings of compressions by editors"):
        call_command("report", release.name, "agreement")

    client = staff_client(release.campaign.staff.get())
    address = f"/campaigns/{release.campaign.slug}/releases/{release.version}/agreement/"
    reply = client.post(f"{address}reports/", follow=True)
    assert "has no ratings of compressions by editors" in readable(reply)


def test_the_agreement_on_a_few_texts_is_about_these_alone(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("report", released(texts=1).name, "agreement")

    assert "no item has two ratings" not in capsys.readouterr().out


def test_operations_of_people_are_undefined_and_those_of_systems_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("report", released().name, "operations", "--draws=50")

    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    copied = {(row[1], row[2]): row[4] for row in rows if row[0] == "token shares" and row[3] == "copied"}
    assert copied["release", ""] == ""
    assert copied["system", "lead"] != ""


def test_nothing_is_scored_without_references_and_imported_scores_count(tmp_path: Path) -> None:
    release = released()
    lines = [f"{n},{name},Fluency,v1,0.{n}" for n in (1, 2, 3) for name in ("lead", "tail")]
    (tmp_path / "scores.csv").write_text("\n".join(["source,system,metric,signature,score", *lines]))

    with pytest.raises(CommandError, match="no source has a text by a person, so outputs have no references"):
        call_command("score_metrics", release.name, "--metric=LR-2+Recall+MULT-ALL")
    call_command("import_scores", release.name, str(tmp_path / "scores.csv"))

    summary = ScoreRun.objects.get(kind=ScoreRun.Kind.IMPORTED).summary
    assert summary is not None
    assert [each["system"] for each in summary["systems"]] == ["lead", "tail"]
    assert "Fluency" in readable(pages(release)["scores/"])
