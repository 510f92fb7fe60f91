"""Run systems on the texts of a campaign or a release, and add their outputs."""

import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress
from common.json_values import json_digest
from common.models import Job
from common.scratch import scratch_folder
from common.stores.unnamed_paths import OwnPath, path_of_attempt
from compressions.services.file_imports import ADDED
from compressions.services.outputs import system_name_fault
from corpus.models import OutputImport, Release
from corpus.services.outputs import output_import_run
from crowd.models import Campaign
from systems.files import STORAGE, folder_put, new_folder, unfinished_folder, unfinished_remove
from systems.models import RUN_JOBS, SystemRun, TrainedSystem
from systems.programs.baselines import Compress
from systems.programs.documents import wholes
from systems.programs.parses import parser_checksum
from systems.programs.registry import SYSTEMS, System
from systems.programs.resources import Resources
from systems.programs.texts import Range, Source, Status, described
from systems.services.resources import (
    NOTHING,
    Given,
    about_read,
    campaign_sources,
    language_model_of,
    parser_found,
    references_of,
    released_sources,
)
from systems.services.training import model_loaded

OUTPUTS_FILE = "outputs.jsonl"
"""The status of a text for which not even the first word is short enough."""
ALL_SPLITS = ""
BY_DOCUMENT = "documents"


@dataclass(frozen=True)
class RunRequest:
    """What is asked for: a system or a model by its kind, on all texts of a campaign, or on a split of a release."""

    campaign: Campaign
    kind: str
    name: str
    seed: int
    given: Given = NOTHING
    release: Release | None = None
    split: str = ALL_SPLITS
    model: TrainedSystem | None = None
    is_for_raters: bool = True
    by_document: bool = False
    """Whether the system chooses among the sentences of whole documents."""
    outside: Mapping[str, Any] = field(default_factory=dict)
    """What is kept of a program, an endpoint or other texts that it was run with."""


def system_run_request(*, request: RunRequest, user: User | None) -> SystemRun:
    """Enqueue a run; the same one that is not finished goes on."""
    run_check(request)
    with transaction.atomic():
        run = run_get_or_create(request)
        RUN_JOBS.enqueue(run.pk, campaign_id=run.campaign_id, user=user)
    return run


def system_run(*, request: RunRequest, progress: Progress) -> SystemRun:
    """Run a system at once; one that was stopped goes on with the texts that it had not reached."""
    run_check(request)
    return system_run_complete(run=run_get_or_create(request), progress=progress)


def run_check(request: RunRequest) -> None:
    """Refuse what can never run, before anything is stored."""
    if reason := system_name_fault(request.name):
        raise Refused(reason)
    system = SYSTEMS.get(request.kind)
    if system is not None and system.is_learnt and request.model is None:
        raise Refused(_("%(system)s has to learn first: train it with train_system.") % {"system": request.kind})
    _about_check(request, system)
    if system is not None and system.has_seen_references and request.is_for_raters:
        words = _(
            "%(system)s has seen what people wrote, so nobody should rate it or rank it beside systems. Keep its "
            "outputs with the run: --no-import."
        )
        raise Refused(words % {"system": request.kind})
    if request.release is not None and request.release.state != Release.State.READY:
        raise Refused(_("%(release)s is not ready, so no system can be run on it.") % {"release": request.release.name})
    if system is not None and system.is_parsing:
        name, _parse = parser_found(request.campaign, request.given.parser)
        if request.model is not None and parser_checksum(name) != request.model.parser_checksum:
            words = _("%(model)s was trained with another parser: %(parser)s, with the checksum %(checksum)s.")
            learnt = request.model
            named = {"model": learnt.name, "parser": learnt.parser, "checksum": learnt.parser_checksum}
            raise Refused(words % named)
    if request.model is not None and request.model.finished_at is None:
        raise Refused(_("%(model)s has not been trained to the end yet.") % {"model": request.model.name})


def _about_check(request: RunRequest, system: System | None) -> None:
    if system is not None and system.wants_about and not request.given.about:
        words = _("%(system)s needs a file with the document of each text, or a question on it: name one with --about.")
        raise Refused(words % {"system": request.kind})
    if request.by_document and (system is None or not system.takes_documents):
        words = _("%(system)s does not choose among the sentences of documents: leave out --documents.")
        raise Refused(words % {"system": request.kind})
    if request.by_document and not request.given.about:
        raise Refused(_("--documents needs a file with the document of each text: name one with --about."))


@transaction.atomic
def run_get_or_create(request: RunRequest) -> SystemRun:
    campaign, release, model = request.campaign, request.release, request.model
    fields = {
        "kind": request.kind,
        "name": request.name.strip(),
        "seed": request.seed,
        "split": request.split,
        "release_checksum": release.checksum if release else "",
        "parameters": {
            "most": campaign.keep_percent,
            **asdict(request.given),
            "texts": list(request.given.texts),
            **({BY_DOCUMENT: True} if request.by_document else {}),
            **request.outside,
        },
        "is_for_raters": request.is_for_raters,
    }
    digest = json_digest({**fields, "release": release and release.pk, "model": model and model.digest})
    defaults = {**fields, "release": release, "model": model}
    run, _is_new = SystemRun.objects.get_or_create(
        campaign=campaign, digest=digest, finished_at=None, defaults=defaults
    )
    return run


def system_run_complete(
    *,
    run: SystemRun,
    progress: Progress,
    job: Job | None = None,
    compress: Compress | None = None,
    sources: Sequence[Source] = (),
) -> SystemRun:
    """Make the outputs of a run, store them, and add them to the campaign's; what was done before is not done again.

    `compress` stands in for what the registry has under the run's kind, and `sources` for the texts of the run.
    """
    attempt = Attempt.of(job)
    if not run.folder:
        _outputs_make(run, compress, sources, attempt, progress)
    if run.is_for_raters and run.finished_at is None:
        _outputs_import(run, job, progress)
    with transaction.atomic():
        attempt.fence()
        unfinished = SystemRun.objects.filter(pk=run.pk, finished_at=None)
        unfinished.update(finished_at=database_now())
    unfinished_remove(run.campaign_id, run)
    run.refresh_from_db()
    return run


def _outputs_make(
    run: SystemRun, compress: Compress | None, given: Sequence[Source], attempt: Attempt, progress: Progress
) -> None:
    sources = list(given or run_sources(run))
    if not sources:
        raise Refused(_("There are no texts to run a system on."))
    path = unfinished_folder(run.campaign_id, run) / OUTPUTS_FILE
    made = {line["id"]: line for line in outputs_in(path)}
    left = [source for source in sources if source.id not in made]
    if left:
        made |= _compressed(run, left, compress or run_prepared(run), path, len(made), progress)
    lines = [made[source.id] for source in sources]
    with scratch_folder() as folder:
        (folder / "run").mkdir()
        for each in path.parent.iterdir():  # whatever else was kept of the run
            if each.name != OUTPUTS_FILE and each.is_file():
                shutil.copyfile(each, folder / "run" / each.name)
        (folder / "run" / OUTPUTS_FILE).write_text("".join(map(_line, lines)), encoding="utf-8")
        with path_of_attempt(STORAGE, new_folder(run.campaign_id, run), attempt) as own:
            _outputs_name(run, own, folder_put(folder / "run", own.row.path), lines, attempt)


def run_sources(run: SystemRun) -> Iterator[Source]:
    if run.release is None:
        return campaign_sources(run.campaign)
    return (source for source, _released in released_sources(run.release, run.split))


def run_prepared(run: SystemRun, sources: Sequence[Source] = ()) -> Compress:
    """Return the system of a run, ready to compress; it knows all texts of the campaign, or those that are given."""
    system, given = SYSTEMS[run.kind], _given(run)
    sources = sources or list(campaign_sources(run.campaign))
    learnt = model_loaded(run.model) if run.model else None
    resources = Resources(sources, trained=learnt)
    if given.about:
        documents, questions = about_read(given.about)
        resources = replace(resources, documents=documents, questions=questions)
        if run.parameters.get(BY_DOCUMENT):
            if not documents:
                raise Refused(_("%(file)s has no document of a text.") % {"file": given.about})
            resources = replace(resources, wholes=wholes(sources, documents))
    if system.has_seen_references:
        resources = replace(resources, references=references_of(run.campaign, run.release))
    if system.is_parsing or given.parser:
        _name, parse = parser_found(run.campaign, given.parser)
        resources = replace(resources, parse=parse)
    if system.is_parsing:
        trigrams = learnt.trigrams if learnt and learnt.trigrams else language_model_of(run.campaign, sources, given)
        resources = replace(resources, model=trigrams)
    try:
        return system.prepare(resources)
    except (ValueError, ModuleNotFoundError) as fault:
        raise Refused(f"{run.name}: {fault}") from fault


def _given(run: SystemRun) -> Given:
    return Given(**{name: run.parameters[name] for name in Given.__dataclass_fields__})


def _compressed(
    run: SystemRun, sources: list[Source], compress: Compress, path: Path, before: int, progress: Progress
) -> Mapping[str, dict[str, Any]]:
    """Compress texts, and note each output at once, so that another attempt need not make it again."""
    allowed, total = Range.below(run.parameters["most"]), 2 * (before + len(sources))
    made = {}
    with path.open("a", encoding="utf-8") as stream:
        stream.write("\n")  # the last line may have been cut off
        for number, source in enumerate(sources, start=before + 1):
            begun = time.perf_counter()
            output = compress(source, allowed, run.seed)
            made[source.id] = described(source, output, time.perf_counter() - begun)
            stream.write(_line(made[source.id]))
            stream.flush()
            progress(number, total)
    return made


def _line(output: Mapping[str, Any]) -> str:
    return json.dumps(output, ensure_ascii=False) + "\n"


def outputs_in(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the outputs of a file that may not be there, or that was cut off in the middle of a line."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            try:
                yield json.loads(line)
            except ValueError:  # where an attempt was stopped, and another one went on
                continue


@transaction.atomic
def _outputs_name(
    run: SystemRun, own: OwnPath, files: Mapping[str, str], lines: list[dict[str, Any]], attempt: Attempt
) -> None:
    attempt.fence()
    current = SystemRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    if not current.folder:
        own.name_it()
        current.folder, current.files = own.row.path, dict(files)
        current.texts, current.statuses = len(lines), dict(Counter(line["status"] for line in lines))
        current.seconds_per_text = sum(line["seconds"] for line in lines) / len(lines)
        current.outputs = _import_record(current, lines)
        current.save()
    run.refresh_from_db()


def _import_record(run: SystemRun, lines: list[dict[str, Any]]) -> OutputImport | None:
    """Return the record of the outputs as those of a file, not yet read."""
    made = [_line({"id": line["id"], "text": line["text"]}) for line in lines if line["text"] is not None]
    if not run.is_for_raters or not made:
        return None
    return OutputImport.objects.create(
        campaign=run.campaign,
        system=run.name,
        file_name=f"{run.kind}.jsonl",
        content="".join(made).encode(),
        is_as_is=run.parameters.get("as_is", False),
    )


def _outputs_import(run: SystemRun, job: Job | None, progress: Progress) -> None:
    record = run.outputs
    if record is None or record.finished_at is not None:
        return
    if job is not None:
        record.job, record.added = job, job.parameters.get(ADDED, 0)
    output_import_run(record=record, progress=lambda done, total: progress(total + done, 2 * total))


def fallbacks(run: SystemRun) -> int:
    """Return how many outputs of a run are only the first words, since the system found none by its own rule."""
    return int(run.statuses.get(Status.FALLBACK, 0))
