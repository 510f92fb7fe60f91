"""spaCy pipelines in the storage of models, each packed as one archive that is named by its checksum.

Under its name, a small file says which archive is the newest. Whoever uses a pipeline pins that one
(`stored_model_pinned`), so that all parts of a score run are made with the same, on whatever machine. An archive is
fetched and unpacked once for each data folder.
"""

import json
import re
import shutil
import zipfile
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from common.json_values import file_sha256
from common.scratch import scratch_folder
from common.stores import store
from measures.text.spacy_models import model_is_for

PREFIX = "stored:"
NEWEST = "newest.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,49}")
_PINNED = re.compile(rf"{PREFIX}({_NAME.pattern})@([0-9a-f]{{64}})")


def model_name_checked(name: str) -> str:
    """Return a name for a pipeline; raise ValueError if it is none."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a pipeline: give up to 50 letters, digits, - and _.")
    return name


def model_store(folder: Path, name: str) -> str:
    """Put a pipeline into the storage, in place of an earlier one of that name; return its checksum."""
    model_name_checked(name)
    with scratch_folder() as scratch:
        archive, newest = scratch / "model.zip", scratch / NEWEST
        _pack(folder, archive)
        digest = file_sha256(archive)
        newest.write_text(json.dumps({"sha256": digest}), encoding="utf-8")
        store("models").put(archive, f"{name}/{digest}.zip")
        store("models").put(newest, f"{name}/{NEWEST}")
    return digest


@lru_cache(maxsize=4)
def stored_model_pinned(name: str) -> str:
    """Return the name of the archive that a pipeline's name means now, and in this process from now on."""
    model = model_name_checked(name.removeprefix(PREFIX))
    path = f"{model}/{NEWEST}"
    try:
        content = b"".join(store("models").pieces(path, range(store("models").size(path))))
    except FileNotFoundError as error:
        raise ValueError(
            f"no pipeline {model!r} is stored. Put one there: manage.py train_parser --store {model}"
        ) from error
    return f"{PREFIX}{model}@{json.loads(content)['sha256']}"


def stored_model_located(name: str) -> str:
    """Return the folder of a pinned pipeline, fetched if necessary; any other name is returned as it is."""
    pinned = _PINNED.fullmatch(name)
    if pinned is None:
        return name
    model, digest = pinned.groups()
    folder: Path = settings.DATA_DIR / "pipelines" / digest
    if not folder.is_dir():
        try:
            _unpack(f"{model}/{digest}.zip", digest, folder)
        except FileNotFoundError as error:
            raise ValueError(f"the pipeline {model!r} with the checksum {digest} is no longer stored") from error
    return str(folder)


def _unpack(stored: str, digest: str, folder: Path) -> None:
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with scratch_folder() as scratch:
        with store("models").local(stored, digest) as archive, zipfile.ZipFile(archive) as members:
            members.extractall(scratch / "model")
        try:
            (scratch / "model").rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
            shutil.rmtree(scratch / "model")  # another process was quicker, and has the same


def _pack(folder: Path, archive: Path) -> None:
    """Write the same archive whenever the same pipeline is packed."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as members:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(str(path.relative_to(folder)), date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            with path.open("rb") as source, members.open(info, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)


def configured_model(language: str) -> str:
    """Return the pipeline that PRECIS_SPACY_MODEL names if it is for a language, else an empty text.

    Raises ModuleNotFoundError or ValueError, which says what to install, if it cannot be loaded.
    """
    name: str = settings.SPACY_MODEL
    if name.startswith(PREFIX):
        name = stored_model_pinned(name)
    return name if name and model_is_for(name, language) else ""
