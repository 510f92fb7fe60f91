"""Where the files of releases and scores lie in the folder of a test."""

from pathlib import Path
from typing import Any

from django.conf import settings

from common.stores import store
from corpus.models import Release
from scoring.models import ScorePart, ScoreRun


def release_folder(release: Release) -> Path:
    """The folder of a release's files, as its row says now; one that is not there if the row names none."""
    named = Release.objects.values_list("folder", flat=True).get(pk=release.pk)
    return Path(store("releases").path(named or f"campaign-{release.campaign_id}/none"))


def run_folder(run: ScoreRun) -> Path:
    return Path(store("scores").path(run.folder))


def path_of(scored: ScorePart | ScoreRun) -> Path:
    """The file of a part, or a run's file for downloads, as the row says now."""
    scored.refresh_from_db(fields=["file"])
    return Path(store("scores").path(scored.file or f"{scored.pk}-none"))


def stored_paths() -> list[Path]:
    """All files of releases, scores, systems and sounds."""
    roots = [Path(store(name).path("")) for name in ("releases", "scores", "systems", "sounds")]
    return [path for root in roots for path in root.rglob("*") if path.is_file()]


def stored_in(folder: Path) -> dict[str, Any]:
    """The settings with which everything is stored in a folder."""
    options = {name: {**settings.STORAGES[name], "OPTIONS": {"location": folder / name}} for name in settings.STORED}
    return {"DATA_DIR": folder, "STORAGES": {**settings.STORAGES, **options}}
