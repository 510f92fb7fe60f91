"""Labelled sessions: what people are asked to do with a text, what came of it, and how editors score by it.

They are held in a sandbox of the campaign, so nothing of them reaches raters, releases, pay, counts or comparisons.
Odd and even texts are written and copied in turn, and the other way round by every second person: what is asked for
follows from the text and the person, so it is the same on each page and whenever it is asked.
"""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from compressions.models import Compression, Decoy, Label, LabelledSessions, LabelledText, Source, TextFeatures
from compressions.visit_evidence import MOST_TEXTS, Log, features_of
from crowd.models import Assignment, Campaign, Enrolment
from measures.quality_control.provenance.calibration import LEARNT, Calibration
from measures.quality_control.provenance.calibration import LabelledText as Labelled
from measures.quality_control.provenance.matching import SourceWords, TextWords, is_near_copy

BREAK = timedelta(hours=1)
"""Who hands in nothing for longer begins another session. Our choice."""

FEWEST_IN_SESSION = 3
"""As many as a rule over a visit takes at least."""

MOST_LABELLED = 20_000


@dataclass(frozen=True)
class LabelledTask:
    """What somebody is asked to do with a text, and what they copy."""

    label: Label
    to_copy: str = ""


def labelled_task(enrolment: Enrolment, source: Source) -> LabelledTask | None:
    """Return what a person is asked to do with a text of labelled sessions; None for all other texts."""
    if enrolment.campaign.sandbox_of_id is None:
        return None
    # A sandbox has one decoy for each text: what is copied.
    decoys = Decoy.objects.filter(source=source, source__campaign__labelled_sessions_for__isnull=False)
    found = decoys.values_list("text", "source__item__position").first()
    if found is None:
        return None
    is_copied = (found[1] + enrolment.worker.number) % 2
    return LabelledTask(Label.COPY, found[0]) if is_copied else LabelledTask(Label.OWN)


def is_as_asked(task: LabelledTask, source: Source, text: str) -> bool:
    """Whether what was to be copied is copied, but for a word in ten."""
    if task.label != Label.COPY:
        return True
    words = SourceWords.of(source.text)
    return is_near_copy(TextWords.of(text, words), TextWords.of(task.to_copy, words))


def labelled_text_store(*, compression: Compression, task: LabelledTask, log: Log, language: str) -> None:
    """Store the label of a new text with its features; call inside the transaction that stores the text."""
    LabelledText.objects.create(compression=compression, label=task.label)
    values = features_of(compression.source, compression.text, compression.started_from, log, language)
    TextFeatures.objects.create(compression=compression, values=values)


@dataclass(frozen=True)
class LabelledTexts:
    """The labelled texts of a campaign in sessions, and how many are in none, since their session has too few."""

    texts: list[Labelled]
    left_out: int

    @property
    def digest(self) -> str:
        """The SHA-256 of all that is learnt from."""
        rows = [[each.person, each.session, each.is_copy, dict(sorted(each.features.items()))] for each in self.texts]
        return hashlib.sha256(json.dumps([LEARNT, rows]).encode()).hexdigest()


def labelled_texts(sessions: LabelledSessions) -> LabelledTexts:
    """Return the newest labelled texts of people who came with a name and have not withdrawn."""
    found = LabelledText.objects.filter(
        compression__source__campaign=sessions.sandbox_id,
        compression__assignment__state=Assignment.State.SUBMITTED,
        compression__text_features__isnull=False,
    ).exclude(compression__worker__external_id="")  # who has no name may be several people
    names = ("compression__worker", "label", "compression__assignment__submitted_at")
    rows = list(found.order_by("-pk").values_list(*names, "compression__text_features__values")[:MOST_LABELLED])
    by_session: dict[int, list[Labelled]] = {}
    numbers = _Sessions()
    for person, label, at, features in sorted(rows, key=lambda row: (row[0], row[2])):
        session = numbers.of(person, label, at)
        by_session.setdefault(session, []).append(Labelled(person, session, label == Label.COPY, features))
    whole = [text for texts in by_session.values() if len(texts) >= FEWEST_IN_SESSION for text in texts]
    return LabelledTexts(whole, left_out=len(rows) - len(whole))


class _Sessions:
    """Number the sessions of texts that come in order of people and time: of one person and label, without a break."""

    def __init__(self) -> None:
        self.last: tuple[int, datetime] | None = None
        self.numbers: dict[str, int] = {}
        self.count = 0

    def of(self, person: int, label: str, at: datetime) -> int:
        if self.last is None or self.last[0] != person or at - self.last[1] > BREAK:
            self.numbers = {}
        self.last = (person, at)
        if label not in self.numbers:
            self.count += 1
            self.numbers[label] = self.count
        return self.numbers[label]


def calibration_of(sessions: LabelledSessions | None) -> Calibration | None:
    """Return what was learnt from labelled sessions; None before that, or if it was of other features than now."""
    if sessions is None or sessions.result is None or sessions.result["features"] != list(LEARNT):
        return None
    return Calibration.of_stored({name: part for name, part in sessions.result.items() if name != "features"})


def editor_scores(campaign: Campaign, workers: Collection[int]) -> dict[int, float]:
    """Return the score of editors over their newest texts: empty without labelled sessions that tell copies apart."""
    found = calibration_of(LabelledSessions.objects.filter(campaign=campaign).first())
    if found is None or not found.tells_apart or not workers:
        return {}
    rows = TextFeatures.objects.filter(compression__worker__in=workers, compression__worker__campaign=campaign)
    scores: dict[int, list[float]] = {}
    for worker, values in rows.order_by("-pk").values_list("compression__worker", "values"):
        known = scores.setdefault(worker, [])
        if len(known) < MOST_TEXTS:
            known.append(found.model.score(values))
    return {worker: sum(known) / len(known) for worker, known in scores.items()}
