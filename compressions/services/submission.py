"""Accept editors' submissions: decode and replay the edit log, which must give the text that is submitted."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.clock import milliseconds_since
from common.errors import AskedOnce, Refused
from common.inserts import insert
from common.typed_text import TextRefused, comment_check, stacked_marks_words
from compressions.flag_kinds import LOG_TOO_LONG, Flag, flag_columns
from compressions.fusions import fusion_verdict, pair_of, question_words
from compressions.labelled import is_as_asked, labelled_task, labelled_text_store
from compressions.models import Compression, Source, Start
from compressions.services.targets import known_text_block, rating_block, target_create, target_known, target_reopen
from crowd.models import Campaign, Enrolment, Stream
from crowd.page_records import PageRecord
from crowd.services.claims import TaskAhead
from crowd.services.leases import assignment_complete
from crowd.services.remarks import comment_add
from measures.keystrokes.edit_log import EditLogError, Kind, Operation, dump_log, parse_log, replay, without_leaving
from measures.keystrokes.effort import active_time, effort_flags
from measures.keystrokes.log_bounds import log_bounds, most_operations_within, too_long_for
from measures.keystrokes.source_shares import origins_check
from measures.text.fusion_rule import FusionReason
from measures.text.length_rule import Reason, Verdict, check_compression
from measures.text.normalization import display_text
from measures.text.odd_texts import disguises, odd_texts

MAX_LOG_BYTES = 1_000_000
LOG_WORDS = gettext_lazy(
    "Something went wrong while recording your edits. Open “More” to start again or report a problem."
)


class LogRefused(Refused):
    """The log cannot be parsed, or does not lead to the submitted text."""


@dataclass(frozen=True)
class ReplayedLog:
    """The operations of a log and the text they lead to."""

    operations: tuple[Operation, ...]
    text: str


def decode_json(raw: str | bytes) -> object:
    """Decode JSON from a browser; return None if it is invalid or too large."""
    if len(raw.encode(errors="replace") if isinstance(raw, str) else raw) > MAX_LOG_BYTES:
        return None
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):  # not JSON, a number with too many digits, or nested too deeply
        return None


def beginning(source: str, started_from: str) -> str:
    """Return the text with which the editor's box started."""
    if started_from not in Start.values:
        raise LogRefused(LOG_WORDS)
    return source if started_from == Start.SOURCE else ""


def replay_log(
    source: Source, started_from: str, raw_log: object, available_ms: int | None = None, *, with_leaving: bool = True
) -> ReplayedLog:
    """Replay a log within the bounds for its source and, where that is known, for the time since it was given out.

    What is too much is refused before any of it is read. A page that was opened before its campaign stopped recording
    when it is left still says so: that is dropped.
    """
    start = beginning(source.text, started_from)
    bounds = log_bounds(len(source.text))
    if isinstance(raw_log, list):
        _size_check(len(raw_log), bounds.operations, available_ms)
    try:
        operations = parse_log(raw_log, max_operations=bounds.operations, max_characters=bounds.characters)
        text = replay(start, operations, max_replayed=bounds.replayed)
        if any(operation.kind is Kind.SOURCE for operation in operations):
            origins_check(pair_of(source.text), operations)
    except EditLogError as error:
        raise LogRefused(LOG_WORDS) from error
    return ReplayedLog(operations if with_leaving else without_leaving(operations), text)


def _size_check(operations: int, most: int, available_ms: int | None) -> None:
    if operations > most:
        raise LogRefused(LOG_WORDS)
    if available_ms is not None and operations > most_operations_within(available_ms):
        raise LogRefused(LOG_WORDS)


class RuleBroken(Refused):
    """The text breaks the campaign's rule: that of its length, or that it is one sentence."""

    def __init__(self, verdict: Verdict, reasons: Iterable[Reason | FusionReason]) -> None:
        super().__init__(" ".join(_explain(reason, verdict) for reason in reasons))
        self.verdict = verdict


def _explain(reason: Reason | FusionReason, verdict: Verdict) -> str:
    return {
        Reason.EMPTY: _("Write some text."),
        Reason.TOO_LONG: ngettext("%(n)s character too long.", "%(n)s characters too long.", verdict.excess)
        % {"n": verdict.excess},
        Reason.STRETCHED: _("Write out special characters such as ㎏ (kg)."),
        Reason.NO_LETTERS: _("Write some text."),
        Reason.CUT_IN_WORD: _("Your text ends in the middle of a word."),
        Reason.FORBIDDEN_CHARACTER: _("Your text contains a hidden character. Delete it and type it again."),
        Reason.STACKED_MARKS: stacked_marks_words(verdict.stacked_at or 0),
        FusionReason.SEVERAL_SENTENCES: _("Write one sentence. This looks like more than one."),
    }[reason]


@dataclass(frozen=True)
class Submission:
    """A submission from a browser: text, decoded log, starting point, a comment, and what the page counted."""

    text: str
    raw_log: object
    started_from: str = Start.SOURCE
    comment: str = ""
    page_record: PageRecord | None = None
    confirmed: bool = False
    """Whether the editor was asked about the text, and means it."""


def compression_submit(
    *,
    enrolment: Enrolment,
    assignment_id: int,
    source: Source,
    submission: Submission,
    leased_at: datetime | None = None,
    ahead: TaskAhead | None = None,
) -> Compression:
    """Check and store a compression, which immediately becomes work for raters, and lease the task `ahead` with it.

    `leased_at` is when the editor was first given the text; renewing a lease and taking it again leave it as it is.
    Where it is not known, nothing is made of how long the log lasts.

    Idempotent: a submission sent twice is stored once, and both calls return the same compression.
    """
    available_ms = None if leased_at is None else milliseconds_since(leased_at)
    replayed = _checked_log(source, submission, available_ms, enrolment.campaign)
    verdict = _checked_text(source, submission, enrolment.campaign)
    comment_check(submission.comment)
    labelled = labelled_task(enrolment, source)
    if labelled is not None and not is_as_asked(labelled, source, submission.text):
        raise TextRefused(_("Your version differs from the text to copy."))
    text = display_text(submission.text)
    known = target_known(source=source, text=text)
    setting = Setting(verdict.allowed, enrolment.campaign.language, available_ms)
    flags = flags_of(source, submission, replayed.operations, setting)
    with transaction.atomic():
        if not assignment_complete(assignment_id=assignment_id, enrolment=enrolment):
            return Compression.objects.get(assignment_id=assignment_id)
        stream = Stream.TEST if enrolment.worker.is_test else Stream.WORK
        target = known or target_create(campaign=enrolment.campaign, source=source, text=text, stream=stream)
        rating_block(target=target, worker_id=enrolment.worker_id)
        comment_add(assignment_id=assignment_id, text=submission.comment)
        compression = Compression(
            source=source,
            target=target,
            worker_id=enrolment.worker_id,
            assignment_id=assignment_id,
            text=submission.text,
            started_from=submission.started_from,
            edit_log=dump_log(replayed.operations),
            length=verdict.length,
            allowed=verdict.allowed,
            **flag_columns(flags),
            active_ms=active_time(replayed.operations),
            page_record=submission.page_record,
            settings_version_id=enrolment.campaign.settings_version_id,
            guidelines_version_id=enrolment.guidelines_version_id,
        )
        insert(compression)
        if labelled is not None:
            language = enrolment.campaign.language
            labelled_text_store(compression=compression, task=labelled, log=replayed.operations, language=language)
        if known is not None:
            known_text_block(target=known, worker_id=enrolment.worker_id)
            target_reopen(target=known, stream=stream)
        if ahead is not None:
            ahead.take()
        return compression


def _checked_log(source: Source, submission: Submission, available_ms: int | None, campaign: Campaign) -> ReplayedLog:
    start, with_leaving = submission.started_from, campaign.record_leaving
    replayed = replay_log(source, start, submission.raw_log, available_ms, with_leaving=with_leaving)
    if replayed.text != submission.text or (campaign.fuses and start != Start.EMPTY):
        raise LogRefused(LOG_WORDS)
    return replayed


def _checked_text(source: Source, submission: Submission, campaign: Campaign) -> Verdict:
    """Return what the campaign's rule says of a text that keeps it; ask about what is odd unless it is confirmed."""
    if not campaign.fuses:
        verdict = check_compression(source.text, submission.text, keep_percent=campaign.keep_percent)
        if not verdict.accepted:
            raise RuleBroken(verdict, verdict.reasons)
        return verdict
    found = fusion_verdict(campaign, source.text, submission.text)
    if not found.accepted:
        raise RuleBroken(found.rule, found.reasons)
    if found.questions and not submission.confirmed:
        raise AskedOnce(question_words(found.questions))
    return found.rule


@dataclass(frozen=True)
class Setting:
    """What a text was written under: its allowed length, its language, and the time since the editor was given it.

    The time is in milliseconds, and None where it is not known.
    """

    allowed: int
    language: str = ""
    available_ms: int | None = None


def flags_of(
    source: Source, submission: Submission, operations: Iterable[Operation], setting: Setting | None = None
) -> list[Flag]:
    """Return the flags for staff, as stored in `Compression.flags`: of how the text was written, and of the text.

    Without a `setting`, what depends on it is left out. What takes the editor's other texts is added by
    `compressions/services/comparison.py`.
    """
    log, text = tuple(operations), submission.text
    written = effort_flags(source.text, beginning(source.text, submission.started_from), log)
    flags: list[Flag] = [[flag.name, flag.evidence, flag.operation] for flag in written]
    if setting is not None and setting.available_ms is not None:
        evidence = too_long_for(log, setting.available_ms)
        flags += [[LOG_TOO_LONG, evidence, None]] if evidence else []
    flags += [[disguise.name, disguise.evidence, None] for disguise in disguises(source.text, text)]
    if setting is not None:
        odd = odd_texts(source.text, text, allowed=setting.allowed, language=setting.language)
        flags += [[found.name, found.evidence, None] for found in odd]
    return flags
