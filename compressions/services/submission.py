"""Accept editors' submissions. A submitted text must be what replaying its edit log gives."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.template.defaultfilters import pluralize

from common.errors import Refused
from common.inserts import insert
from common.typed_text import marks_refuse, stacked_marks_words
from compressions.edit_logs import LogRefused, ReplayedLog, beginning, replay_log
from compressions.models import Compression, Source, Start
from compressions.services.targets import rating_block, target_create, target_known, target_reopen
from crowd.models import Enrolment, Stream
from crowd.services.claims import assignment_complete
from crowd.services.claims_ahead import TaskAhead
from crowd.services.remarks import comment_add
from measures.keystrokes.edit_log import Operation, dump_log
from measures.keystrokes.effort import active_time, effort_flags
from measures.text.disguise import disguises
from measures.text.length_rule import Reason, Verdict, check_compression
from measures.text.normalization import display_text


class RuleBroken(Refused):
    """The text breaks the campaign's length rule."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(" ".join(_explain(reason, verdict) for reason in verdict.reasons))
        self.verdict = verdict


def _explain(reason: Reason, verdict: Verdict) -> str:
    return {
        Reason.EMPTY: "The text is empty.",
        Reason.TOO_LONG: f"The text is too long: remove {verdict.excess} more character{pluralize(verdict.excess)}.",
        Reason.STRETCHED: (
            "Some characters stand for several letters (such as “ﬁ” or “㎏”): written out, the text is too long."
        ),
        Reason.NO_LETTERS: "The text has no letters.",
        Reason.CUT_IN_WORD: "The text is the beginning of the original, cut off in the middle of a word.",
        Reason.FORBIDDEN_CHARACTER: "The text contains a control character. Please type it again.",
        Reason.STACKED_MARKS: stacked_marks_words(verdict.stacked_at or 0),
    }[reason]


@dataclass(frozen=True)
class Submission:
    """A submission from a browser: the text, the decoded log, the starting point and a comment."""

    text: str
    raw_log: object
    started_from: str = Start.SOURCE
    comment: str = ""


def compression_submit(
    *,
    enrolment: Enrolment,
    assignment_id: int,
    source: Source,
    submission: Submission,
    ahead: TaskAhead | None = None,
) -> Compression:
    """Check and store a compression, which immediately becomes work for raters, and lease the task `ahead` with it.

    Idempotent: a submission sent twice is stored once, and both calls return the same compression.
    """
    replayed = _checked_log(source, submission)
    verdict = check_compression(source.text, submission.text, keep_percent=enrolment.campaign.keep_percent)
    if not verdict.accepted:
        raise RuleBroken(verdict)
    marks_refuse(submission.comment, "your comment")
    text = display_text(submission.text)
    known = target_known(source=source, text=text)
    flags = flags_of(source, submission, replayed.operations)
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
            flags=flags,
            is_flagged=bool(flags),
            active_ms=active_time(replayed.operations),
            settings_version_id=enrolment.campaign.settings_version_id,
            guidelines_version_id=enrolment.guidelines_version_id,
        )
        insert(compression)
        if known is not None:
            target_reopen(target=known, stream=stream)
        if ahead is not None:
            ahead.take()
        return compression


def _checked_log(source: Source, submission: Submission) -> ReplayedLog:
    replayed = replay_log(source, submission.started_from, submission.raw_log)
    if replayed.text != submission.text:
        raise LogRefused("The record of your edits does not lead to your text.")
    return replayed


def flags_of(source: Source, submission: Submission, operations: Iterable[Operation]) -> list[list[str | int | None]]:
    """Return the flags for staff, as stored in `Compression.flags`: of how the text was written, and of the text."""
    written = effort_flags(source.text, beginning(source.text, submission.started_from), operations)
    disguised = disguises(source.text, submission.text)
    flags: list[list[str | int | None]] = [[flag.name, flag.evidence, flag.operation] for flag in written]
    return flags + [[disguise.name, disguise.evidence, None] for disguise in disguised]
