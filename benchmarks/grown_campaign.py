"""Fill a campaign as months of work by thousands of people would, within minutes.

What carries texts is made here; the many rows that carry numbers only are made by the database, from a series. All
rows are as the services would have written them: people differ in how much they do, no editor is a rater,
and authors and raters have the rows that keep them from each other's texts. Every constraint but foreign keys is
enforced meanwhile. The campaign needs room for busy people: `editor_tasks` and `rater_tasks` of 30,000.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max, Model

from compressions.models import Compression, Source, Target
from crowd.models import Assignment, Campaign, Enrolment, Item, ItemConflict, Remark, Worker
from crowd.scales import Scale
from measures.text.length_rule import allowed_length
from ratings.models import Rating, RatingVersion, Score

ADJECTIVES = ("old", "wooden", "narrow", "famous", "northern", "quiet", "busy", "damaged", "public", "private", "small")
NOUNS = ("bridge", "library", "harbour", "theatre", "hospital", "market", "school", "garden", "station", "museum")
ACTS = ("repair", "enlarge", "close", "sell", "visit", "reopen", "inspect", "paint", "heat", "rent", "insure", "name")
TIMES = ("winter", "holidays", "election", "summer", "flood", "festival", "harvest", "concert", "strike")
GENRES = ("Letters", "News", "Journal", "Nonfiction")
MODELS = (Worker, Enrolment, Item, Source, ItemConflict, Assignment, Target, Compression, Remark, Rating, Score)
TABLES = {model: model._meta.db_table for model in (*MODELS, RatingVersion)}
DAYS = 60
BATCH = 2000
FEW_SECONDS = ["done in a few seconds", "the last change came 5.0 s after the page was shown", 1]


@dataclass(frozen=True)
class Plan:
    """How much there will be, and the last id already used in each table."""

    campaign: Campaign
    sources: int
    each: int  # editors of a source
    raters_each: int  # raters of a text
    began: datetime
    last: dict[type[Model], int]

    @property
    def texts(self) -> int:
        return self.sources * self.each

    @property
    def editors(self) -> int:
        return self.each * max(2, self.sources // 20 // self.each)

    @property
    def raters(self) -> int:
        return self.raters_each * max(2, self.sources // 10 // self.raters_each)

    def first(self, model: type[Model]) -> int:
        return self.last[model] + 1

    @property
    def words(self) -> dict[str, object]:
        """What the statements below name in braces."""
        first = {f"first_{model.__name__.lower()}": self.first(model) for model in TABLES}
        tables = {model.__name__.lower(): f'"{table}"' for model, table in TABLES.items()}
        return {
            **first,
            **tables,
            "campaign": self.campaign.pk,
            "version": self.campaign.settings_version_id,
            **{f"{link.round}_link": link.pk for link in self.campaign.links.filter(platform_key="direct")},
            "sources": self.sources,
            "texts": self.texts,
            "each": self.each,
            "raters_each": self.raters_each,
            "editors": self.editors,
            "editor_of_text": _person("n", "n % {each}", self.editors // self.each, "{each}"),
            "rater": _person(
                "n / {raters_each}", "n % {raters_each}", self.raters // self.raters_each, "{raters_each}"
            ),
            "written": _moment(self.began, f"n * {DAYS * 80_000} / {{texts}}"),
            "written_end": _moment(self.began, f"n * {DAYS * 80_000} / {{texts}} + 180"),
            "written_lease": _moment(self.began, f"n * {DAYS * 80_000} / {{texts}} + 1800"),
            "rated": _moment(self.began, f"40000 + n * {DAYS * 80_000} / ({{texts}} * {{raters_each}})"),
            "rated_end": _moment(self.began, f"40060 + n * {DAYS * 80_000} / ({{texts}} * {{raters_each}})"),
            "rated_lease": _moment(self.began, f"41800 + n * {DAYS * 80_000} / ({{texts}} * {{raters_each}})"),
        }


def fill(
    *, campaign_id: int, sources: int = 100_000, editors_per_source: int = 5, raters_per_compression: int = 4
) -> None:
    """Add sources that editors have compressed and raters have rated; every tenth source wants one editor more."""
    campaign = Campaign.objects.get(pk=campaign_id)
    last: dict[type[Model], int] = {
        model: model._default_manager.aggregate(last=Max("pk"))["last"] or 0 for model in TABLES
    }
    began = campaign.created_at.replace(microsecond=0) - timedelta(days=DAYS)
    plan = Plan(campaign, sources, editors_per_source, raters_per_compression, began, last)
    with _quick(), transaction.atomic(), _without_indexes():
        _people(plan)
        _items(plan)
        _texts(plan)
        _written(plan)
        _ratings(plan)
        if connection.vendor == "postgresql":
            _execute(*connection.ops.sequence_reset_sql(no_style(), list(TABLES)))
    _execute("ANALYZE" if connection.vendor == "sqlite" or connection.in_atomic_block else "VACUUM ANALYZE")


def _people(plan: Plan) -> None:
    """Write the workers, editors first, and their enrolments; one in ten is still there."""
    number = (Worker.objects.filter(campaign=plan.campaign).aggregate(last=Max("number"))["last"] or 0) + 1
    people = range(plan.editors + plan.raters)
    workers = (
        Worker(
            pk=plan.first(Worker) + index,
            campaign=plan.campaign,
            platform_key="direct",
            external_id=f"grown-{number + index}",
            number=number + index,
        )
        for index in people
    )
    _create(Worker, workers)
    links = {link.round: link for link in plan.campaign.links.filter(platform_key="direct")}
    _create(
        Enrolment,
        (
            Enrolment(
                pk=plan.first(Enrolment) + index,
                worker_id=plan.first(Worker) + index,
                round=work_round,
                link=links[work_round],
                consented_at=plan.began,
                guidelines_read_at=plan.began,
                settings_version_id=plan.campaign.settings_version_id,
                guidelines_version_id=plan.campaign.settings_version_id,
                outcome=Enrolment.Outcome.WORKING if index % 10 == 0 else Enrolment.Outcome.DONE,
            )
            for index in people
            for work_round in ["edit" if index < plan.editors else "rate"]
        ),
    )


def _items(plan: Plan) -> None:
    columns = "(id, campaign_id, round, stream, position, wanted, open_slots, is_closed, is_extended)"
    one_more = "CASE WHEN n % {of} = {of} - 1 THEN 1 ELSE 0 END"
    for work_round, count, people, of, offset in (
        ("edit", plan.sources, plan.each, 10, 0),
        ("rate", plan.texts, plan.raters_each, 10 * plan.each, plan.sources),
    ):
        more = one_more.format(of=of)
        _insert(
            plan,
            f"{{item}} {columns}",
            f"{{first_item}} + {offset} + n, {{campaign}}, '{work_round}', 'work', "
            f"((n + {offset}) * 2654435761) % 2147483647, {people} + {more}, {more}, false, false",
            count,
        )
    _insert(
        plan,
        "{itemconflict} (id, item_id, blocks_id)",
        "{first_itemconflict} + n, {first_item} + {sources} + n, {first_item} + n / {each}",
        plan.texts,
    )


def source_text(number: int) -> str:
    """Return a sentence of about 150 characters; no other has its number."""
    adjective, noun = ADJECTIVES[number % 11], NOUNS[number // 11 % 10]
    act, season = ACTS[number // 7 % 12], TIMES[number // 3 % 9]
    return (
        f"In its meeting number {number} the committee, after more than three hours of talks, finally agreed to {act} "
        f"the {adjective} {noun} by the river before the next {season} begins."
    )


def version_of(text: str, number: int, keep_percent: int) -> tuple[str, str]:
    """Return the words that an editor leaves at the beginning of a text, and the rest that goes."""
    words, allowed = text.split(), allowed_length(text, keep_percent) - 1
    kept = next(count for count in range(len(words), 0, -1) if len(" ".join(words[:count])) <= allowed)
    start = " ".join(words[: kept - number])
    return start, text[len(start) :]


def _texts(plan: Plan) -> None:
    """Write sources, and for each the different texts of its editors with their logs."""
    keep = plan.campaign.keep_percent
    for first in range(0, plan.sources, BATCH):
        found = [(number, source_text(number)) for number in range(plan.sources)[first : first + BATCH]]
        _create(Source, (_source(plan, number, text) for number, text in found))
        written = [
            (number * plan.each + editor, text, *version_of(text, editor, keep))
            for number, text in found
            for editor in range(plan.each)
        ]
        _create(Target, (_target(plan, index, f"{start}.") for index, _, start, _ in written))
        _create(Compression, (_compression(plan, *each) for each in written))


def _source(plan: Plan, number: int, text: str) -> Source:
    return Source(
        pk=plan.first(Source) + number,
        campaign=plan.campaign,
        source_id=f"grown-{plan.first(Source) + number}",
        genre=GENRES[number % 4],
        text=text,
        sentences=1,
        item_id=plan.first(Item) + number,
    )


def _target(plan: Plan, index: int, text: str) -> Target:
    return Target(
        pk=plan.first(Target) + index,
        source_id=plan.first(Source) + index // plan.each,
        text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        item_id=plan.first(Item) + plan.sources + index,
    )


def _compression(plan: Plan, index: int, source: str, start: str, rest: str) -> Compression:
    """Return the text of somebody who deleted the end and typed a full stop; one in a hundred was very quick."""
    quick = index % 100 == 0
    at_ms = 5_000 if quick else 20_000 + index * 7919 % 90_000
    place, of = index % plan.each, plan.editors // plan.each
    return Compression(
        pk=plan.first(Compression) + index,
        source_id=plan.first(Source) + index // plan.each,
        target_id=plan.first(Target) + index,
        worker_id=plan.first(Worker) + _person_number(index, place, of, plan.each),
        assignment_id=plan.first(Assignment) + index,
        text=f"{start}.",
        edit_log=[[len(start), rest, "", "deletion", at_ms - 2_000], [len(start), "", ".", "typing", at_ms]],
        length=len(start) + 1,
        allowed=allowed_length(source, plan.campaign.keep_percent),
        flags=[FEW_SECONDS] if quick else [],
        is_flagged=quick,
        flag_kinds=" seconds " if quick else "",
        active_ms=2_000 if at_ms > 32_000 else at_ms,
        settings_version_id=plan.campaign.settings_version_id,
        guidelines_version_id=plan.campaign.settings_version_id,
    )


ASSIGNMENT = (
    "{assignment} (id, item_id, worker_id, round, link_id, state, page_position, leased_at, lease_ends_at, "
    "submitted_at)"
)


def _written(plan: Plan) -> None:
    """Write the editors' assignments, and the rows that keep them from rating their own texts."""
    editor = "{first_worker} + {editor_of_text}"
    times = "'submitted', 0, {written}, {written_lease}, {written_end}"
    _insert(
        plan,
        ASSIGNMENT,
        f"{{first_assignment}} + n, {{first_item}} + n / {{each}}, {editor}, 'edit', {{edit_link}}, {times}",
        plan.texts,
    )
    blocked = "'rate', NULL, 'blocked', 0, NULL, NULL, NULL"
    _insert(
        plan,
        ASSIGNMENT,
        f"{{first_assignment}} + {{texts}} + n, {{first_item}} + {{sources}} + n, {editor}, {blocked}",
        plan.texts,
    )
    _comments(plan, 0, plan.texts)


def _ratings(plan: Plan) -> None:
    """Write the raters' assignments, the rows that keep them from editing what they saw, and what they answered."""
    count = plan.texts * plan.raters_each
    rater = "{first_worker} + {editors} + {rater}"
    assignment = "{first_assignment} + 2 * {texts} + n"
    item = "{first_item} + {sources} + n / {raters_each}"
    times = "'submitted', 0, {rated}, {rated_lease}, {rated_end}"
    _insert(plan, ASSIGNMENT, f"{assignment}, {item}, {rater}, 'rate', {{rate_link}}, {times}", count)
    _comments(plan, 2 * plan.texts, count)
    of_source = "{first_item} + n / {raters_each} / {each}"
    first_blocked = f"{{first_assignment}} + 2 * {{texts}} + {count}"
    blocked = f"{first_blocked} + n, {of_source}, {rater}, 'edit', NULL, 'blocked', 0, NULL, NULL, NULL"
    _insert(plan, ASSIGNMENT, blocked, count, "ON CONFLICT DO NOTHING")
    _insert(
        plan,
        "{rating} (id, target_id, worker_id, assignment_id, rater_pool, version, milliseconds, difference_shown, "
        "is_swapped, created_at, settings_version_id, guidelines_version_id)",
        f"{{first_rating}} + n, {{first_target}} + n / {{raters_each}}, {rater}, {assignment}, 'crowd', 1, "
        "4000 + n * 7919 % 50000, n % 3 = 0, false, {rated_end}, {version}, {version}",
        count,
    )
    scales = plan.campaign.rating_scales
    for place, scale in enumerate(scales):
        score = f"{{first_score}} + n * {len(scales)} + {place}, {{first_rating}} + n, '{scale.key}', {_points(scale)}"
        _insert(plan, "{score} (id, rating_id, scale, value)", score, count)
    pairs = ", ".join(f"'{scale.key}', {_points(scale)}" for scale in scales)
    answers = f"{'jsonb_build_object' if connection.vendor == 'postgresql' else 'json_object'}({pairs})"
    _insert(
        plan,
        "{ratingversion} (id, rating_id, number, scores, milliseconds, difference_shown, created_at)",
        f"{{first_ratingversion}} + n, {{first_rating}} + n, 1, {answers}, "
        "4000 + n * 7919 % 50000, n % 3 = 0, {rated_end}",
        count,
    )


def _comments(plan: Plan, first: int, count: int) -> None:
    """Let one in a hundred say something about their task."""
    written = Remark.objects.aggregate(last=Max("pk"))["last"] or 0
    _insert(
        plan,
        "{remark} (id, assignment_id, kind, reason, text, created_at, answer_note)",
        f"{written + 1} + n, {{first_assignment}} + {first} + n * 100, 'comment', '', "
        "'I was not sure about the name in the middle.', "
        + _moment(plan.began, f"n * {DAYS * 80_000} / {max(1, count // 100)}")
        + ", ''",
        count // 100,
    )


def _points(scale: Scale) -> str:
    """Return SQL for a point: most texts are good, most raters see it, and one rater in twenty looks at nothing."""
    best, salt = len(scale.points), len(scale.key)
    good = f"CASE WHEN n / {{raters_each}} * 31 % 10 < 7 THEN {best} ELSE {best - 1} END"
    fair = f"CASE WHEN (n * 7919 + {salt}) % 6 = 0 THEN 1 ELSE 0 END"
    return f"(CASE WHEN ({{rater}}) % 20 = 7 THEN 1 + (n * 131 + n / 7 + {salt}) % {best} ELSE {good} - {fair} END)"


SPREAD = 16


def _person(work: str, place: str, of: str | int, places: str) -> str:
    """Return SQL for the number of the person in one of the places of a piece of work, as `_person_number`."""
    drawn = f"(({work}) * 7919 + ({place}) * 15485 + ({work}) / 131) % {SPREAD * int(of)}"
    return f"(({place}) + {places} * (({drawn}) * ({drawn}) / {SPREAD * SPREAD * int(of)}))"


def _person_number(work: int, place: int, of: int, places: int) -> int:
    """Return who is in one of the places of a piece of work: those with small numbers far more often."""
    drawn = (work * 7919 + place * 15485 + work // 131) % (SPREAD * of)
    return place + places * (drawn * drawn // (SPREAD * SPREAD * of))


def _moment(began: datetime, seconds: str) -> str:
    start = f"{began:%Y-%m-%d %H:%M:%S}"
    if connection.vendor == "postgresql":
        return f"(timestamptz '{start}+00' + ({seconds}) * interval '1 second')"
    return f"datetime('{start}', '+' || ({seconds}) || ' seconds')"


def _insert(plan: Plan, into: str, values: str, count: int, ending: str = "") -> None:
    """Insert a row for each n below a count."""
    if count < 1:
        return
    rows = f"SELECT CAST(0 AS bigint) UNION ALL SELECT n + 1 FROM series WHERE n + 1 < {count}"
    template = (
        f"INSERT INTO {into} WITH RECURSIVE series(n) AS ({rows}) SELECT {values} FROM series WHERE true {ending}"
    )
    words = plan.words
    _execute(template.format(**words).format(**words))


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _create(model: type[Any], rows: Iterable[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=BATCH)


@contextlib.contextmanager
def _quick() -> Iterator[None]:
    """Leave foreign keys unchecked: looking up each of the many millions takes longer than all the rest."""
    off, on = (
        ("PRAGMA foreign_keys = OFF", "PRAGMA cache_size = -1000000"),
        ("PRAGMA foreign_keys = ON", "PRAGMA cache_size = -65536"),
    )
    if connection.vendor == "postgresql":
        off, on = (
            ("SET session_replication_role = replica", "SET work_mem = '128MB'"),
            ("RESET session_replication_role", "RESET work_mem"),
        )
    _execute(*off)
    try:
        yield
    finally:
        _execute(*on)


@contextlib.contextmanager
def _without_indexes() -> Iterator[None]:
    """Drop the indexes that only make things quick, and make them again from all rows at once."""
    found = _plain_indexes(list(TABLES.values()))
    _execute(*(f'DROP INDEX "{name}"' for name, _ in found))
    yield
    _execute(*(statement for _, statement in found))


def _plain_indexes(tables: Sequence[str]) -> list[tuple[str, str]]:
    listed = (
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX%%' AND tbl_name IN ({})"
    )
    if connection.vendor == "postgresql":
        listed = "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE 'CREATE INDEX%%' AND tablename IN ({})"
    with connection.cursor() as cursor:
        cursor.execute(listed.format(", ".join(["%s"] * len(tables))), list(tables))
        return list(cursor.fetchall())
