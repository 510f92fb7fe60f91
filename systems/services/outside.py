"""Runs with something from outside: a program, an endpoint of a language model, or other texts for the same ids."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from common import environment
from common.errors import Refused
from common.jobs import Progress
from compressions.readers import BadLine, Row, read_rows, text_fault
from measures.core.undefined import Undefined
from measures.text.normalization import display_text
from systems.endpoints import Endpoint, Limits, endpoint_receiver
from systems.files import unfinished_folder
from systems.models import SystemRun
from systems.programs.baselines import Compress
from systems.programs.chat import Chat, language_model
from systems.programs.external import Program
from systems.programs.texts import Output, Range, Source, Status, outside_output
from systems.services.resources import source_of
from systems.services.runs import (
    RunRequest,
    run_check,
    run_get_or_create,
    run_prepared,
    run_sources,
    system_run_complete,
)

PROGRAM, ENDPOINT = "program", "endpoint"
"""The kinds of runs whose outputs come from outside alone."""
ERRORS_FILE, REQUESTS_FILE = "standard-error.txt", "requests.jsonl"
MOST_NAMED = 5


@dataclass(frozen=True)
class OtherTexts:
    """Texts for the ids of a campaign's, such as translations of them, in its language."""

    file_name: str
    content: bytes


@dataclass(frozen=True)
class ProgramGiven:
    """A program with its arguments, its seconds for a text, and whether texts over the length are taken."""

    argv: Sequence[str]
    seconds: float
    is_as_is: bool = False


@dataclass(frozen=True)
class EndpointGiven:
    """An endpoint, how its model is asked, what it may take, and whether texts over the length are taken."""

    address: str
    chat: Chat
    limits: Limits
    is_as_is: bool = False


def other_texts_run(*, request: RunRequest, texts: OtherTexts, progress: Progress) -> SystemRun:
    """Run a system on other texts for the same ids; its outputs are of these ids."""
    run = _run_of(request, {}, texts)
    sources = _other_sources(run, texts)
    return system_run_complete(run=run, progress=progress, compress=run_prepared(run, sources), sources=sources)


def program_run(
    *, request: RunRequest, given: ProgramGiven, progress: Progress, texts: OtherTexts | None = None
) -> SystemRun:
    """Run a program, which shortens texts or, after a system of the registry, does something to its outputs."""
    run = _run_of(request, {"argv": list(given.argv), "seconds": given.seconds, "as_is": given.is_as_is}, texts)
    sources = _other_sources(run, texts) if texts else ()
    is_last = run.kind != PROGRAM
    errors = unfinished_folder(run.campaign_id, run) / ERRORS_FILE
    program = Program(
        given.argv,
        seconds=given.seconds,
        errors=errors,
        environment=_environment(),
        is_as_is=given.is_as_is or is_last,
    )
    with program:
        compress: Compress = program
        if is_last:
            compress = _one_after_the_other(run_prepared(run, sources), program, is_as_is=given.is_as_is)
        return _completed(run, compress, sources, progress)


def endpoint_run(*, request: RunRequest, given: EndpointGiven, progress: Progress) -> SystemRun:
    """Ask a language model; only the texts of the run leave this computer, and every request is kept with it."""
    endpoint_receiver(given.address)
    asked = {"model": given.chat.model, "temperature": given.chat.temperature, "tries": given.chat.tries}
    prompt = {f"prompt_{name}": value for name, value in asdict(given.chat.prompt).items()}
    run = _run_of(request, {"endpoint": given.address, **asked, **prompt, "as_is": given.is_as_is})
    file = unfinished_folder(run.campaign_id, run) / REQUESTS_FILE
    with Endpoint(given.address, file, given.limits) as ask:
        compress = language_model(given.chat, ask, is_as_is=given.is_as_is)
        run = _completed(run, compress, (), progress)
        SystemRun.objects.filter(pk=run.pk).update(notes={**run.notes, **ask.notes})
    run.refresh_from_db()
    return run


def _run_of(request: RunRequest, outside: Mapping[str, Any], texts: OtherTexts | None = None) -> SystemRun:
    run_check(request)
    if texts is not None:
        checksum = sha256(texts.content).hexdigest()
        outside = {**outside, "texts_file": texts.file_name, "texts_checksum": checksum}
    return run_get_or_create(replace(request, outside=outside))


def _completed(run: SystemRun, compress: Compress, sources: Sequence[Source], progress: Progress) -> SystemRun:
    try:
        return system_run_complete(run=run, progress=progress, compress=compress, sources=sources)
    except ValueError as fault:
        raise Refused(str(fault)) from fault


def _environment() -> dict[str, str]:
    """Return the environment for a program of the user's, without the settings of this installation."""
    ours = environment.values_read()
    return {name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in ours}


def _one_after_the_other(first: Compress, then: Compress, *, is_as_is: bool) -> Compress:
    """Return a chain: what a system makes of a text goes through another one."""

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        output = first(source, range_, seed)
        if isinstance(output, Undefined) or output.status == Status.FALLBACK:
            return Undefined("the system before it found nothing of its own")
        text = then(replace(source, sentences=(output.text,)), Range(1, 100), seed)
        if isinstance(text, Undefined):
            return text
        return outside_output(source, text.text, range_, is_as_is=is_as_is)

    return compress


def _other_sources(run: SystemRun, texts: OtherTexts) -> list[Source]:
    """Return the texts of a file for those of a run; raise Refused if one cannot be read or is missing."""
    given: dict[str, str] = {}
    for row in read_rows(texts.file_name, texts.content, ("id", "text"), ()):
        reason = row.reason if isinstance(row, BadLine) else _add(given, row)
        if reason:
            words = _("%(file)s, line %(line)s: %(fault)s")
            raise Refused(words % {"file": texts.file_name, "line": row.line, "fault": reason})
    sources = list(run_sources(run))
    if missing := [source.id for source in sources if source.id not in given]:
        words = _("%(file)s has no text for %(n)s of %(all)s ids: %(ids)s.")
        named = {"file": texts.file_name, "n": len(missing), "all": len(sources)}
        raise Refused(words % {**named, "ids": ", ".join(missing[:MOST_NAMED])})
    return [source_of(each.id, given[each.id], len(each.sentences), each.language) for each in sources]


def _add(given: dict[str, str], row: Row) -> str:
    """Add the text of a line, or return why it cannot be."""
    source_id, text = row.fields["id"].strip(), row.fields["text"]
    if source_id in given:
        return _("a second text for %(id)s") % {"id": source_id}
    if reason := text_fault(text):
        return reason
    given[source_id] = display_text(text)
    return "" if given[source_id] else _("no text")
