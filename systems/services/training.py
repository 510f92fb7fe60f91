"""Train systems on the train split of a release."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.computed_results import get_or_request
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from common.json_values import json_digest
from common.models import Job
from common.scratch import scratch_folder
from common.stores.unnamed_paths import OwnPath, path_of_attempt
from compressions.services.outputs import system_name_fault
from corpus.models import Release
from systems.files import STORAGE, folder_of, folder_put, new_folder, unfinished_folder, unfinished_remove
from systems.models import MAX_FILE_NAME, MODEL_JOBS, TrainedSystem
from systems.programs.models import Checkpoint, Model, read_model, write_model
from systems.programs.pairs import TrainingData
from systems.programs.parses import Parse
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.services.resources import (
    Given,
    language_model_of,
    parser_checksum,
    parser_found,
    released_sources,
)
from systems.services.training_data import TRAIN, PairsFile, training_data

NO_PAIRS = PairsFile()


@dataclass(frozen=True)
class TrainRequest:
    """What is asked for: a system that learns, from a release and perhaps a file with more pairs.

    With `well_rated`, it learns from compressions alone that were rated high on all scales.
    """

    release: Release
    kind: str
    name: str
    seed: int
    preset: str = ""
    well_rated: bool = False
    given: Given = Given()
    pairs: PairsFile = NO_PAIRS


def learning_systems() -> dict[str, str]:
    """Return the titles of the systems that learn, by name."""
    return {name: system.title for name, system in SYSTEMS.items() if system.train is not None}


def training_request(*, request: TrainRequest, user: User | None) -> TrainedSystem:
    """Enqueue a training; the same one again returns the same model, and goes on if it is not finished."""
    fields = _fields(request)
    with transaction.atomic():
        model = _model_get_or_create(request, fields)
        if model.finished_at is None:
            TrainedSystem.objects.filter(pk=model.pk).update(pairs=request.pairs.content)
            MODEL_JOBS.enqueue(model.pk, campaign_id=request.release.campaign_id, user=user)
    return model


def system_train(*, request: TrainRequest, progress: Progress) -> TrainedSystem:
    """Train a system at once; a training that was stopped goes on where it was."""
    fields = _fields(request)
    with transaction.atomic():
        model = _model_get_or_create(request, fields)
    return training_complete(model=model, progress=progress, pairs=request.pairs)


def _fields(request: TrainRequest) -> dict[str, Any]:
    """Return what a model's row says; refuse what can never be trained. This may load a parser."""
    if reason := system_name_fault(request.name):
        raise Refused(reason)
    system, release = SYSTEMS[request.kind], request.release
    if system.train is None:
        raise Refused(_("%(system)s learns nothing: run it as it is.") % {"system": request.kind})
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so nothing can learn from it.") % {"release": release.name})
    parser = parser_found(release.campaign, request.given.parser)[0] if system.is_parsing else ""
    given = {**asdict(request.given), "parser": parser, "texts": list(request.given.texts)}
    return {
        "kind": request.kind,
        "name": request.name.strip(),
        "seed": request.seed,
        "parameters": {"preset": request.preset, "well_rated": request.well_rated, **given},
        "release_checksum": release.checksum,
        "split": TRAIN,
        "parser": parser[:MAX_FILE_NAME],
        "parser_checksum": parser_checksum(parser) if parser else "",
        "pairs_file": request.pairs.name[:MAX_FILE_NAME],
        "pairs_checksum": sha256(request.pairs.content).hexdigest() if request.pairs.name else "",
    }


def _model_get_or_create(request: TrainRequest, fields: Mapping[str, Any]) -> TrainedSystem:
    model, _is_new = get_or_request(request.release.trained_systems, fields, digest=json_digest(dict(fields)))
    return model


def training_complete(
    *, model: TrainedSystem, progress: Progress, job: Job | None = None, pairs: PairsFile = NO_PAIRS
) -> TrainedSystem:
    """Train a model that is not finished, from its last step on, and store its files."""
    if model.finished_at is not None:
        return model
    attempt, campaign_id = Attempt.of(job), model.release.campaign_id
    learnt, made_from = _learnt(model, pairs or PairsFile(model.pairs_file, bytes(model.pairs)), progress)
    with scratch_folder() as folder:
        write_model(learnt, folder / "model")
        with path_of_attempt(STORAGE, new_folder(campaign_id, model), attempt) as own:
            files = folder_put(folder / "model", own.row.path)
            _model_name(model, own, files, learnt, made_from, attempt)
    unfinished_remove(campaign_id, model)
    model.refresh_from_db()
    return model


def _learnt(row: TrainedSystem, pairs: PairsFile, progress: Progress) -> tuple[Model, dict[str, Any]]:
    release, chosen, system = row.release, row.parameters, SYSTEMS[row.kind]
    data, counted = training_data(release, pairs, well_rated=chosen["well_rated"])
    given = Given(chosen["parser"], chosen["language_model"], chosen["texts"])
    preset = {"preset": chosen["preset"]} if chosen["preset"] else {}
    checkpoint = Checkpoint(unfinished_folder(release.campaign_id, row))
    made_from = {
        "release": release.name,
        "release_sha256": row.release_checksum,
        "split": row.split,
        "parser": row.parser,
        "parser_sha256": row.parser_checksum,
        "pairs_file": row.pairs_file,
        "pairs_sha256": row.pairs_checksum,
        **counted,
    }
    known = _resources(row, data, given)
    assert system.train is not None
    try:
        learnt = system.train(data, known, seed=row.seed, checkpoint=checkpoint, progress=progress, **preset)
    except (ValueError, ModuleNotFoundError) as fault:
        words = _("%(system)s learnt nothing: %(fault)s. Of %(release)s: %(counts)s.")
        counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in counted.items())
        said = {"system": row.kind, "fault": str(fault).rstrip("."), "release": release.name, "counts": counts}
        raise Refused(words % said) from fault
    return learnt, made_from


def _resources(row: TrainedSystem, data: TrainingData, given: Given) -> Resources:
    """Return what a training stands on: nothing of the test split is in it."""
    campaign = row.release.campaign
    sources = [source for source, _each in released_sources(row.release, row.split)]
    if not SYSTEMS[row.kind].is_parsing:
        return Resources(sources)
    _name, parse = parser_found(campaign, given.parser)
    return Resources(sources, parse, language_model_of(campaign, sources, given))


@transaction.atomic
def _model_name(
    model: TrainedSystem,
    own: OwnPath,
    files: Mapping[str, str],
    learnt: Model,
    made_from: Mapping[str, Any],
    attempt: Attempt,
) -> None:
    attempt.fence()
    current = TrainedSystem.objects.select_for_update(no_key=True).get(pk=model.pk)
    if current.finished_at is not None:
        return
    own.name_it()
    current.folder, current.files, current.pairs = own.row.path, dict(files), b""
    current.curve, current.made_from = [dict(row) for row in learnt.curve], dict(made_from)
    current.finished_at = database_now()
    current.save()


def model_loaded(row: TrainedSystem) -> Model:
    """Return a trained system, read from its files."""
    try:
        with folder_of(row) as folder:
            return read_model(folder)
    except (ValueError, FileNotFoundError) as fault:
        raise Refused(f"{row.name}: {fault}") from fault
