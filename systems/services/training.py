"""Train systems on the train split of a release."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

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
from crowd.services.account_bounds import upload_take
from measures.metrics.vectors.files import vector_file
from systems.files import STORAGE, folder_of, folder_put, new_folder, unfinished_folder, unfinished_remove
from systems.models import CHOSEN, MAX_FILE_NAME, MODEL_JOBS, TrainedSystem
from systems.programs.models import Checkpoint, Model, read_model, write_model
from systems.programs.parses import parser_checksum
from systems.programs.registry import SYSTEMS, System, Train
from systems.programs.resources import Resources
from systems.programs.texts import Range
from systems.services.resources import (
    NOTHING,
    Given,
    language_model_of,
    parser_found,
    released_sources,
)
from systems.services.training_data import TRAIN, PairsFile, training_data

NO_PAIRS = PairsFile()
PRESETS = ("cpu", "paper")
ALIGN = "align"
"""What a training takes that needs the words of pairs aligned."""


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
    device: str = ""
    vectors: str = ""
    well_rated: bool = False
    given: Given = NOTHING
    pairs: PairsFile = NO_PAIRS


def learning_systems() -> dict[str, str]:
    """Return the titles of the systems that learn, by name."""
    return {name: system.title for name, system in SYSTEMS.items() if system.train is not None}


def presets_of() -> list[str]:
    """Return the presets that some system can be trained with."""
    learning = [system.train for system in SYSTEMS.values() if system.train is not None]
    return list(PRESETS) if any("preset" in inspect.signature(each).parameters for each in learning) else []


def training_request(*, request: TrainRequest, user: User | None) -> TrainedSystem:
    """Enqueue a training; the same one again returns the same model, and goes on if it is not finished."""
    fields = _fields(request)
    with transaction.atomic():
        model = _model_get_or_create(request, fields)
        if model.finished_at is None:
            if user is not None and request.pairs.content:
                upload_take(user, len(request.pairs.content))
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
    options = _options(request, system)
    if release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so nothing can learn from it.") % {"release": release.name})
    parser = parser_found(release.campaign, request.given.parser)[0] if system.is_parsing else ""
    given = {**asdict(request.given), "parser": parser, "texts": list(request.given.texts), **_file_signatures(request)}
    return {
        "kind": request.kind,
        "name": request.name.strip(),
        "seed": request.seed,
        "parameters": {
            "options": options,
            "well_rated": request.well_rated,
            "most": release.campaign.keep_percent,
            **given,
        },
        "release_checksum": release.checksum,
        "split": TRAIN,
        "parser": parser[:MAX_FILE_NAME],
        "parser_checksum": parser_checksum(parser) if parser else "",
        "pairs_file": request.pairs.name[:MAX_FILE_NAME],
        "pairs_checksum": sha256(request.pairs.content).hexdigest() if request.pairs.name else "",
    }


def _learning(system: System) -> Train:
    if system.train is None:
        raise Refused(_("This system learns nothing: run it as it is."))
    return system.train


def _options(request: TrainRequest, system: System) -> dict[str, str]:
    """Return what is asked for beside the data; refuse what the training of a system does not take."""
    given = {name: value for name in ("preset", "device", "vectors") if (value := getattr(request, name))}
    taken = inspect.signature(_learning(system)).parameters.keys()
    unknown = given.keys() - taken
    if request.pairs.alignments_name and ALIGN not in taken:
        unknown.add("alignments")
    if unknown:
        words = _("The training of %(system)s has no option %(name)s.")
        raise Refused(words % {"system": request.kind, "name": min(unknown)})
    if request.pairs.alignments_name and not request.pairs:
        raise Refused(_("Alignments are those of a file of pairs: name it with --pairs."))
    return given


def _file_signatures(request: TrainRequest) -> dict[str, str]:
    """Return what tells the content of files that only some trainings have."""
    found = {}
    if request.pairs.alignments_name:
        found["alignments"] = request.pairs.alignments_name
        found["alignments_sha256"] = sha256(request.pairs.alignments).hexdigest()
    if request.vectors:
        try:
            found["vectors"] = vector_file(Path(request.vectors)).signature
        except ValueError as fault:
            raise Refused(str(fault)) from fault
    return found


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
    learnt = _learnt(model, pairs or PairsFile(model.pairs_file, bytes(model.pairs)), progress)
    with scratch_folder() as folder:
        write_model(learnt, folder / "model")
        with path_of_attempt(STORAGE, new_folder(campaign_id, model), attempt) as own:
            files = folder_put(folder / "model", own.row.path)
            _model_name(model, own, files, learnt, attempt)
    unfinished_remove(campaign_id, model)
    model.refresh_from_db()
    return model


def _learnt(row: TrainedSystem, pairs: PairsFile, progress: Progress) -> Model:
    release, chosen, system = row.release, row.parameters, SYSTEMS[row.kind]
    data, counted = training_data(release, pairs, Range.below(chosen["most"]), well_rated=chosen["well_rated"])
    given = Given(chosen["parser"], chosen["language_model"], chosen["texts"])
    checkpoint = Checkpoint(unfinished_folder(release.campaign_id, row))
    made_from: dict[str, str | int | float] = {
        "release": release.name,
        "release_sha256": row.release_checksum,
        "split": row.split,
        "parser": row.parser,
        "parser_sha256": row.parser_checksum,
        "pairs_file": row.pairs_file,
        "pairs_sha256": row.pairs_checksum,
        **{name: chosen[name] for name in ("alignments", "alignments_sha256") if name in chosen},
        **counted,
    }
    known = _resources(row, given)
    train: Callable[..., Model] = _learning(system)
    try:
        learnt = train(data, known, seed=row.seed, checkpoint=checkpoint, progress=progress, **chosen["options"])
    except (ValueError, ModuleNotFoundError) as fault:
        words = _("%(system)s learnt nothing: %(fault)s. Of %(release)s: %(counts)s.")
        counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in counted.items())
        said = {"system": row.kind, "fault": str(fault).rstrip("."), "release": release.name, "counts": counts}
        raise Refused(words % said) from fault
    return replace(learnt, made_from=made_from | dict(learnt.made_from))


def _resources(row: TrainedSystem, given: Given) -> Resources:
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
    attempt: Attempt,
) -> None:
    attempt.fence()
    current = TrainedSystem.objects.select_for_update(no_key=True).get(pk=model.pk)
    if current.finished_at is not None:
        return
    own.name_it()
    current.folder, current.files, current.pairs = own.row.path, dict(files), b""
    current.curve, current.made_from = [dict(row) for row in learnt.curve], dict(learnt.made_from)
    current.parameters = {**current.parameters, CHOSEN: dict(learnt.parameters)}
    current.finished_at = database_now()
    current.save()


def model_loaded(row: TrainedSystem) -> Model:
    """Return a trained system, read from its files."""
    try:
        with folder_of(row) as folder:
            return read_model(folder)
    except (ValueError, FileNotFoundError) as fault:
        raise Refused(f"{row.name}: {fault}") from fault
