"""Answers of the server with their fields, one class for each; `make openapi` writes this file.

An object in a field has a class of its own, or is a `Record` where its names are those of scales or settings.
"""

from typing import Any

from precis_client.records import Record


class Text(Record):
    """A text, as the list of texts shows it."""

    __slots__ = ()

    compressions: int
    genre: str
    id: str
    is_reported: bool
    means: Record
    nuggets: list[str]
    paragraph: str
    retired_at: str | None
    sentences: int
    text: str
    wanted: int


class Flag(Record):
    """Something seen in a compression, with the evidence. It does not say why."""

    __slots__ = ()

    evidence: str
    kind: str
    name: str
    operation: int | None


class Compression(Record, flags=Flag):
    """What an editor submitted for a text."""

    __slots__ = ()

    active_ms: int | None
    allowed: int
    created_at: str
    editor: int
    flags: list[Flag]
    flags_seen_at: str | None
    flags_seen_by: str | None
    id: int
    is_imported: bool
    length: int
    started_from: str
    text: str
    text_id: str
    version: int


class Paste(Record):
    """Text that was pasted or dropped."""

    __slots__ = ()

    characters: int
    from_source: float
    operation: int


class Effort(Record, pastes=Paste):
    """How much work an editor has put in, from the record of edits; null where that does not tell."""

    __slots__ = ()

    active_ms: int | None
    deleted: int
    first_pause_ms: int | None
    inserted: int
    keystrokes: int
    longest_pause_ms: int | None
    pastes: list[Paste]
    revisits: int
    total_ms: int | None


class Edit(Record):
    """One edit of the record."""

    __slots__ = ()

    at_ms: int
    inserted: str
    kind: str
    origin: list[int] | None
    position: int
    removed: str


class Writing(Record, effort=Effort, log=Edit):
    """How a compression was written."""

    __slots__ = ()

    effort: Effort
    log: list[Edit]
    start: str


class OneCompression(Record, flags=Flag, writing=Writing):
    """A compression with the text that it is of and the record of its edits."""

    __slots__ = ()

    active_ms: int | None
    allowed: int
    created_at: str
    editor: int
    flags: list[Flag]
    flags_seen_at: str | None
    flags_seen_by: str | None
    id: int
    is_imported: bool
    length: int
    original: str
    started_from: str
    text: str
    text_id: str
    version: int
    writing: Writing


class RatingVersion(Record):
    """A rating as it was submitted; a correction is another version."""

    __slots__ = ()

    created_at: str
    difference_shown: bool
    milliseconds: int | None
    number: int
    points: Record


class Rating(Record, versions=RatingVersion):
    """What one rater gave to a version of a text, to two versions side by side, or to a gold question."""

    __slots__ = ()

    created_at: str | None
    difference_shown: bool
    gold_id: int | None
    id: int
    milliseconds: int | None
    pair: list[int] | None
    points: Record
    pool: str
    rater: int | None
    text_id: str | None
    version: int
    version_id: int | None
    versions: list[RatingVersion] | None


class GoldRecord(Record):
    """How a rater answered the gold questions."""

    __slots__ = ()

    accuracy: float | None
    answers: int
    right: int


class Visit(Record):
    """A visit by one link; a participant who joined a round by two links has two."""

    __slots__ = ()

    active_ms: int | None
    began_at: str
    elapsed_ms: int | None
    first_at: str | None
    flagged: int
    kept: int
    last_at: str | None
    link: int
    link_title: str
    outcome: str
    paid_at: str | None
    skipped: int
    submitted: int


class Participant(Record, gold=GoldRecord, visits=Visit):
    """A participant of a round, as the list of participants shows them. No flag is by itself a reason to reject."""

    __slots__ = ()

    arm: str
    decision: str
    erased_at: str | None
    evidence: list[str]
    flags: int
    gold: GoldRecord
    is_excluded: bool
    is_low_on_gold: bool
    is_simulated: bool
    is_test: bool
    name: str
    number: int
    outcome: str
    quality: float | None
    same_browser: list[int]
    submitted: int
    visits: list[Visit]


class VisitIds(Record):
    """The ids of a visit."""

    __slots__ = ()

    code: str
    link: int
    session_id: str
    study_id: str


class ParticipantIds(Record, visits=VisitIds):
    """Who a participant is on their platform."""

    __slots__ = ()

    external_id: str
    number: int
    platform: str
    visits: list[VisitIds]


class Decision(Record):
    """What a run of the quality rule decided about a person in a round."""

    __slots__ = ()

    gap: float | None
    gap_in_standard_errors: float | None
    is_by_hand: bool
    is_excluded: bool
    participant: int
    quality: float | None
    reason: str
    round: str
    run_id: int
    standard_error: float | None


class ManualDecision(Record):
    """A decision by hand, withdrawn ones included."""

    __slots__ = ()

    created_at: str
    created_by: str | None
    decision: str
    note: str
    round: str
    withdrawn_at: str | None
    withdrawn_by: str | None


class Attempt(Record):
    """A try at the test; one that was reset does not count any more."""

    __slots__ = ()

    correct: int
    created_at: str
    number: int
    passed: bool
    questions: int
    reset_at: str | None


class RaterRecord(Record, gold=GoldRecord):
    """How a rater did in the crowd."""

    __slots__ = ()

    flags: list[str]
    gold: GoldRecord
    is_low_on_gold: bool
    ratings: int


class PersonRound(Record, attempts=Attempt, record=RaterRecord, visits=Visit):
    """A person's work in one round."""

    __slots__ = ()

    attempts: list[Attempt]
    has_withdrawn: bool
    is_excluded: bool
    outcome: str | Any | None
    record: RaterRecord | None
    round: str
    submitted: int
    visits: list[Visit]


class Person(Record, decisions=Decision, manual_decisions=ManualDecision, rounds=PersonRound):
    """A person, by the number that they have in the campaign."""

    __slots__ = ()

    decisions: list[Decision]
    erased_at: str | None
    is_simulated: bool
    is_test: bool
    manual_decisions: list[ManualDecision]
    name: str
    number: int
    platform: str
    rounds: list[PersonRound]
    same_browser: list[int]


class Remark(Record):
    """A remark of a participant on a text."""

    __slots__ = ()

    answer_note: str
    answered_at: str | None
    answered_by: str | None
    created_at: str
    id: int
    kind: str
    participant: int
    reason: str | Any
    text: str
    text_id: str | None


class System(Record):
    """A system that shortens texts automatically."""

    __slots__ = ()

    id: int
    name: str
    outputs: int
    rated: int


class Arm(Record):
    """An arm of the rater round."""

    __slots__ = ()

    key: str
    name: str


class Scale(Record):
    """A scale on which raters rate."""

    __slots__ = ()

    arm: str
    key: str
    name: str
    nuggets: bool
    points: list[str]
    question: str


class Settings(Record, arms=Arm, scales=Scale):
    """All settings that staff can change, and the version that they are."""

    __slots__ = ()

    arms: list[Arm]
    budget: str | None
    consent: str
    currency: str
    description: str
    editor_guidelines: str
    editor_minutes: int | None
    editor_partial_pay: str | None
    editor_pay: str | None
    editor_pay_unit: str
    editor_start: str
    editor_task: str
    editor_tasks: int
    editors_per_source: int
    extra_raters: bool
    failed_pay: str | None
    fusion_asks_sentences: bool
    fusion_within_longer: bool
    gold_percent: int
    gold_warn_percent: int
    homepage: str
    hypothesis: str
    keep_percent: int
    language: str
    lease_minutes: int
    licence: str
    minimum_hourly_pay: str | None
    name: str
    page_language: str
    pairs_per_compression: int
    paragraph_examples: str
    paragraph_min_words: int
    partial_after: int
    platform_fee_percent: str | None
    primary_metric: str
    qualification_pass_percent: int
    qualification_questions: int
    qualification_tries: int
    qualification_wait_minutes: int
    rater_guidelines: str
    rater_minutes: int | None
    rater_partial_pay: str | None
    rater_pay: str | None
    rater_pay_unit: str
    rater_tasks: int
    raters_per_compression: int
    rating_task: str
    ratings_per_page: int
    record_leaving: bool
    scales: list[Scale]
    sentence_examples: str
    sentence_min_words: int
    system_percent: int
    texts_go_on_erasure: bool
    version: int


class Link(Record):
    """A join link. Its codes and its completion address are left out where your role is viewer."""

    __slots__ = ()

    address: str
    closed_because: str
    closes_at: str | None
    code_done: str
    code_failed: str
    code_no_work: str
    code_partial: str
    code_skipped: str
    code_withdrew: str
    completion_address: str
    id: int
    is_active: bool
    is_test: bool
    max_people: int | None
    name: str
    opens_at: str | None
    people: int
    platform: str
    round: str
    takes_signed_ids_only: bool
    warnings: list[str]


class Example(Record):
    """A practice or test question, with the points that are accepted."""

    __slots__ = ()

    answers: Record
    compression: str
    deleted_at: str | None
    id: int
    kind: str
    other: str
    position: int
    source: str
    why: str


class Gold(Record):
    """A gold question with the points that are accepted, and how raters answered it."""

    __slots__ = ()

    accuracy: float | None
    answered: int
    answers: Record
    compression: str
    id: int
    is_retired: bool
    other: str
    raters: int
    right: int
    source: str
    why: str


class Webhook(Record):
    """A webhook, without its secret."""

    __slots__ = ()

    address: str
    created_at: str
    events: list[str]
    id: int
    is_active: bool


class NewWebhook(Record):
    """A webhook with its secret, which no other operation gives."""

    __slots__ = ()

    address: str
    created_at: str
    events: list[str]
    id: int
    is_active: bool
    secret: str | None


class Entry(Record):
    """An entry of the audit log: what an account, or a command, did."""

    __slots__ = ()

    action: str
    created_at: str
    detail: str
    id: int
    subject: str
    username: str


class QualityRun(Record):
    """A run of the quality rule: its parameters, and the figures that came of it."""

    __slots__ = ()

    created_at: str
    id: int
    is_active: bool
    job: int | None
    parameters: Record
    requested_by: str | None
    rule: str
    summary: Record
    withdrawn_at: str | None
    withdrawn_by: str | None


class PreviewPerson(Record):
    """What the rule would decide about a person."""

    __slots__ = ()

    gap: float | None
    is_excluded: bool
    participant: int
    quality: float | None
    reason: str
    standard_error: float | None


class PreviewRole(Record, people=PreviewPerson):
    """What the rule would do with the editors or the raters."""

    __slots__ = ()

    cut: float | None
    eligible: int
    notes: list[str]
    number: int
    people: list[PreviewPerson]
    removed: int
    threshold: float | None


class PreviewShare(Record):
    """What would be left if a share of the people was excluded."""

    __slots__ = ()

    editors: int
    raters: int
    ratings_kept: int
    share: float
    texts_kept: int


class PreviewResult(Record, editors=PreviewRole, raters=PreviewRole, shares=PreviewShare):
    """What the rule would do: with its own share, and with a range of others."""

    __slots__ = ()

    editors: PreviewRole
    raters: PreviewRole
    ratings: int
    ratings_kept: int
    shares: list[PreviewShare]
    texts: int
    texts_kept: int


class Prediction(Record):
    """What an estimate would be, and how far its 95% interval would reach to either side."""

    __slots__ = ()

    reach: float | None
    undefined: str
    value: float | None


class PlanLine(Record, kappa=Prediction, mean=Prediction):
    """A plan: so many texts with so many ratings each."""

    __slots__ = ()

    cost: str | None
    kappa: Prediction
    mean: Prediction
    raters: int
    ratings: int
    ratings_per_text: int
    sources: int
    texts: int


class ScalePlans(Record, plans=PlanLine):
    """The plans for one scale, or why there are none; and kappa of the ratings so far."""

    __slots__ = ()

    high: float | None
    kappa: float | None
    low: float | None
    plans: list[PlanLine]
    ratings: int
    scale: str
    texts: int
    undefined: str


class Since(Record):
    """What has come since the plans were computed; numbers stop at 10,001."""

    __slots__ = ()

    compressions: int
    corrections: int
    decisions: int
    ratings: int


class Plan(Record, scales=ScalePlans, since=Since):
    """Plans for each scale, as far as they are found."""

    __slots__ = ()

    computed_at: str | None
    job: int | None
    raters: list[int]
    scales: list[ScalePlans] | None
    since: Since | None
    state: str
    texts: list[int]


class Line(Record):
    """A line of a file, and what became of it."""

    __slots__ = ()

    line: int
    reason: str


class Import(Record, problems=Line, warnings=Line):
    """A file that was imported, or is being imported, and what became of its lines."""

    __slots__ = ()

    added: int
    created_at: str
    file_name: str
    finished_at: str | None
    id: int
    job: int | None
    kind: str
    message: str
    problems: list[Line]
    refused: int
    state: str
    unchanged: int
    warnings: list[Line]


class Member(Record):
    """An account on the staff of a campaign, and its role there."""

    __slots__ = ()

    role: str
    username: str


class Invitation(Record):
    """An invitation to the staff of a campaign."""

    __slots__ = ()

    address: str | None


class FixedAnalysis(Record):
    """An analysis as it was fixed."""

    __slots__ = ()

    analysis: Record
    answers_before: int | None
    answers_of_files: int
    fixed_at: str
    plan_sha256: str
    settings_version: int


class RoundProgress(Record):
    """How much of a round's work is done: each text needs the work of several people."""

    __slots__ = ()

    claimed: int
    complete_items: int
    done: int
    is_complete: bool
    missing: int
    percent_done: int | None
    round: str
    wanted: int
