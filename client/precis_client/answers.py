"""Answers of the server with their fields, one class for each; `make openapi` writes this file.

An object in a field is a `Record`, of which each field is an attribute, too.
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
    paragraph: str
    retired_at: str | None
    sentences: int
    text: str
    wanted: int


class Compression(Record):
    """What an editor submitted for a text."""

    __slots__ = ()

    active_ms: int | None
    allowed: int
    created_at: str
    editor: int
    flags: list[Record]
    flags_seen_at: str | None
    flags_seen_by: str | None
    id: int
    is_imported: bool
    length: int
    started_from: str
    text: str
    text_id: str
    version: int


class OneCompression(Record):
    """A compression with the text that it is of and the record of its edits."""

    __slots__ = ()

    active_ms: int | None
    allowed: int
    created_at: str
    editor: int
    flags: list[Record]
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
    writing: Record


class Rating(Record):
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
    versions: list[Record] | None


class Participant(Record):
    """A participant of a round, as the list of participants shows them. No flag is by itself a reason to reject."""

    __slots__ = ()

    arm: str
    decision: str
    erased_at: str | None
    evidence: list[str]
    flags: int
    gold: Record
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
    visits: list[Record]


class ParticipantIds(Record):
    """Who a participant is on their platform."""

    __slots__ = ()

    external_id: str
    number: int
    platform: str
    visits: list[Record]


class Person(Record):
    """A person, by the number that they have in the campaign."""

    __slots__ = ()

    decisions: list[Record]
    erased_at: str | None
    is_simulated: bool
    is_test: bool
    manual_decisions: list[Record]
    name: str
    number: int
    platform: str
    rounds: list[Record]
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


class Settings(Record):
    """All settings that staff can change, and the version that they are."""

    __slots__ = ()

    arms: list[Record]
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
    scales: list[Record]
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


class Preview(Record):
    """A preview of the quality rule, or the job that computes it."""

    __slots__ = ()

    computed_at: str | None
    is_current: bool
    job: int | None
    preview: Record | None


class Plan(Record):
    """Plans for each scale, as far as they are found."""

    __slots__ = ()

    computed_at: str | None
    job: int | None
    raters: list[int]
    scales: list[Record] | None
    since: Record | None
    state: str
    texts: list[int]


class Import(Record):
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
    problems: list[Record]
    refused: int
    state: str
    unchanged: int
    warnings: list[Record]


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
