"""The files of models and runs: kept in the storage of systems, and on this computer while they are being made."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex

from django.conf import settings

from common.json_values import file_sha256
from common.scratch import scratch_folder
from common.stores import store
from systems.models import SystemRun, TrainedSystem

STORAGE = "systems"


def campaign_folder(campaign_id: int) -> str:
    """Return the folder of what a campaign's systems have, named by its id: short names can change and be reused."""
    return f"campaign-{campaign_id}"


def new_folder(campaign_id: int, row: TrainedSystem | SystemRun) -> str:
    """Return a new name for the folder of a model or a run."""
    return f"{campaign_folder(campaign_id)}/{_name(row)}-{token_hex(4)}"


def unfinished_folder(campaign_id: int, row: TrainedSystem | SystemRun) -> Path:
    """Return the folder of this computer in which a model or a run is made, so that an attempt goes on after another.

    Whoever goes on elsewhere begins anew, and makes the same.
    """
    folder = _unfinished(campaign_id) / _name(row)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def unfinished_remove(campaign_id: int, row: TrainedSystem | SystemRun | None = None) -> None:
    """Remove what was being made of a model or a run, or of all of a campaign."""
    folder = _unfinished(campaign_id)
    shutil.rmtree(folder if row is None else folder / _name(row), ignore_errors=True)


def folder_put(source: Path, folder: str) -> dict[str, str]:
    """Move the files of a folder into the storage, and return their checksums by name."""
    files = {}
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        name = path.relative_to(source).as_posix()
        files[name] = file_sha256(path)
        store(STORAGE).put(path, f"{folder}/{name}")
    return files


@contextmanager
def folder_of(row: TrainedSystem | SystemRun) -> Iterator[Path]:
    """Yield a folder of this computer with the files of a model or a run; raise FileNotFoundError if one is missing."""
    with scratch_folder() as folder, ExitStack() as open_files:
        for name, digest in row.files.items():
            path = open_files.enter_context(store(STORAGE).local(f"{row.folder}/{name}", digest))
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(path)
        yield folder


def _unfinished(campaign_id: int) -> Path:
    folder: Path = settings.DATA_DIR / "unfinished" / campaign_folder(campaign_id)
    return folder


def _name(row: TrainedSystem | SystemRun) -> str:
    return f"{'model' if isinstance(row, TrainedSystem) else 'run'}-{row.pk}"
