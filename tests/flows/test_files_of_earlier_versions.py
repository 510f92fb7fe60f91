"""Files that earlier versions wrote stay where they are, and rows name them after the upgrade."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from common.stores import store
from corpus.models import Release
from scoring.models import ScorePart, ScoreRun
from scoring.tests.releases import FEW, computed
from tests.support.factories import freeze, judged_campaign, make_staff, staff_client
from tests.support.stored import path_of, release_folder

pytestmark = pytest.mark.django_db


def test_releases_and_scores_are_found_where_they_lay() -> None:
    owner = make_staff()
    release = freeze(judged_campaign(owner=owner, sources=2, editors=2))
    run = computed(release, FEW)
    (part,) = run.parts.all()
    as_before(release, run, part)

    import_module("corpus.migrations.0002_since_0_2_0").name_folders(apps, None)
    import_module("scoring.migrations.0002_since_0_2_0").name_files(apps, None)

    assert Release.objects.get().folder == f"campaign-{release.campaign_id}/v1"
    assert ScorePart.objects.get().file == f"run-{run.pk}/part-00000.parquet"
    assert ScoreRun.objects.get().file == f"run-{run.pk}/scores.parquet"
    pages = f"/campaigns/{release.campaign.slug}/releases/1"
    client = staff_client(owner)
    for page in (f"{pages}/files/corpus.jsonl", f"{pages}/scores.tsv", f"{pages}/scores.parquet", f"{pages}/scores/"):
        response = client.get(page)
        assert response.status_code == 200
        assert b"".join(response)


def as_before(release: Release, run: ScoreRun, part: ScorePart) -> None:
    """Lay the files where earlier versions had them."""
    scores = Path(store("scores").path(run.folder))
    release_folder(release).rename(release_folder(release).with_name("v1"))
    path_of(part).rename(scores / "part-00000.parquet")
    path_of(run).rename(scores / "scores.parquet")
    Release.objects.update(folder="unknown")
    ScorePart.objects.update(file="unknown", file_sha256="")
    ScoreRun.objects.update(file="unknown", file_sha256="")
