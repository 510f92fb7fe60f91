"""How the work of a release was collected, as its manifest and its card say it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Min

from corpus.models import Release
from corpus.release.conduct import conduct_of
from corpus.release.provenance import Origin, Provenance, Work, origin_of
from crowd.models import ArmDraw, Campaign, Enrolment, Round, SettingsVersion, Stratum
from crowd.models.settings_version import EDITORS_READ, RATERS_READ, VERSIONED
from crowd.placeholders import fill
from crowd.platforms import PLATFORMS
from crowd.selectors.arms import arms_of_raters
from ratings.models import QualificationAttempt

Collection = dict[str, Any]
Versions = Mapping[int, SettingsVersion]
Enrolments = Mapping[tuple[int, str], tuple[int | None, datetime | None]]


def collection_of(release: Release, found: Provenance) -> Collection:
    """Describe the work that was found, with the settings that occur; versions are numbers, None where unknown."""
    campaign = release.campaign
    versions = {version.pk: version for version in SettingsVersion.objects.filter(campaign=campaign)}
    enrolments = _enrolments(campaign)
    readers = {
        "editors": _readings(found, found.editors, Round.EDIT, EDITORS_READ, versions, enrolments),
        "raters": _readings(found, found.raters, Round.RATE, RATERS_READ, versions, enrolments),
        "experts": _readings(found, found.experts, Round.EXPERT, RATERS_READ, versions, enrolments),
    }
    consent = _consents(found, versions, enrolments)
    work = _work(found, versions)
    occurring = {row["settings"] for row in work} | {
        number for rows in (*readers.values(), consent) for row in rows for number in row["versions"]
    }
    return {
        "work": work,
        "people": _people(found),
        "days": {work: [day.isoformat() for day in days] for work, days in found.days.items()},
        "platforms": _platforms(found),
        "guidelines": readers,
        "consent": consent,
        "test": _test(campaign, found),
        "versions": [_snapshot(each) for each in _in_order(versions.values()) if each.number in occurring],
        "editors_per_source": sorted(map(list, found.editors_per_source.items())),
        "ratings_per_text": sorted(map(list, found.ratings_per_text.items())),
        "ratings_per_comparison": sorted(map(list, found.ratings_per_comparison.items())),
        "longest_percent": found.longest_percent,
        "given_splits": found.given_splits,
        **({"conduct": conduct_of(release, found)} if release.conduct else {}),
        **({"arms": _arms(release, found)} if campaign.arms else {}),
    }


def _arms(release: Release, found: Provenance) -> dict[str, Any]:
    """Return the list by which people were drawn into arms, its seed, and how many of each arm rated anything here."""
    draws = ArmDraw.objects.filter(campaign=release.campaign, drawn_at__lte=release.created_at)
    lists: dict[str, list[str]] = defaultdict(list)
    for stratum, arm in draws.exclude(stratum=Stratum.TEST).order_by("number").values_list("stratum", "arm"):
        lists[stratum].append(arm)
    drawn = Counter(arm for of_stratum in lists.values() for arm in of_stratum)
    of_raters = arms_of_raters(release.campaign)
    rated = Counter(of_raters.get(worker, "") for worker in {worker for worker, _ in found.raters})
    return {
        "seed": release.campaign.arms_seed,
        "lists": lists,
        "counts": [
            {"key": arm.key, "name": arm.name, "drawn": drawn[arm.key], "raters": rated[arm.key]}
            for arm in release.campaign.rating_arms
        ],
    }


def _enrolments(campaign: Campaign) -> Enrolments:
    """Return what each person consented to in each round, and when they read its guidelines."""
    rows = Enrolment.objects.filter(worker__campaign=campaign)
    columns = rows.values_list("worker_id", "round", "settings_version_id", "guidelines_read_at")
    return {(worker, work_round): (consented, read_at) for worker, work_round, consented, read_at in columns}


def _in_order(versions: Iterable[SettingsVersion]) -> list[SettingsVersion]:
    return sorted(versions, key=lambda version: version.number)


def _snapshot(version: SettingsVersion) -> dict[str, Any]:
    settings = {name: version.settings.get(name) for name in VERSIONED}
    return {"number": version.number, "created_at": version.created_at.isoformat(), "settings": settings}


def _work(found: Provenance, versions: Versions) -> list[dict[str, Any]]:
    rows = [
        {"origin": origin.value, "settings": _number(settings, versions), **{kind: counts[kind] for kind in Work}}
        for (origin, settings), counts in found.work.items()
    ]
    return sorted(rows, key=lambda row: (list(Origin).index(row["origin"]), row["settings"] or 0))


def _number(version_id: int | None, versions: Versions) -> int | None:
    return None if version_id is None else versions[version_id].number


def _people(found: Provenance) -> dict[str, dict[str, int]]:
    """Return how many editors, raters and experts there are, by where they come from."""
    roles = {"editors": found.editors, "raters": found.raters, "experts": found.experts}
    counts = {}
    for role, done in roles.items():
        by_origin = Counter(origin_of(found.people[worker]) for worker in {worker for worker, _ in done})
        counts[role] = {origin.value: by_origin[origin] for origin in Origin}
    return counts


def _platforms(found: Provenance) -> dict[str, int]:
    """Return how many of those whose work is in the release came by links of each platform, not counting imported."""
    here = {worker for done in (found.editors, found.raters, found.experts) for worker, _ in done}
    here = {worker for worker in here if origin_of(found.people[worker]) == Origin.COLLECTED}
    if not here:
        return {}
    campaign = found.people[next(iter(here))].campaign_id
    rows = Enrolment.objects.filter(worker__campaign=campaign).order_by("pk")
    came = dict(rows.values_list("worker_id", "link__platform_key"))
    return dict(sorted(Counter(str(PLATFORMS[came[each]].name) for each in here if came.get(each)).items()))


def _readings(
    found: Provenance,
    done: Counter[tuple[int, int | None]],
    work_round: Round,
    names: tuple[str, ...],
    versions: Versions,
    enrolments: Enrolments,
) -> list[dict[str, Any]]:
    """Return each distinct text, as it was read, with how many people had read it and how much they did afterwards.

    A row without a version is of people whose reading is not recorded, or who never said that they had read anything.
    Imported people are in none.
    """
    rows: dict[Any, _Reading] = defaultdict(_Reading)
    for (worker, version_id), number in done.items():
        if origin_of(found.people[worker]) == Origin.IMPORTED:
            continue
        if version_id is None:
            is_read = enrolments.get((worker, work_round.value), (None, None))[1] is not None
            rows[is_read].add(worker, None, number)
        else:
            version = versions[version_id]
            rows[_as_read(version, names, work_round)].add(worker, version.number, number)
    return _sorted_readings(
        _row(text, row) | {"is_read": text is not False, "work": row.work} for text, row in rows.items()
    )


def _as_read(version: SettingsVersion, names: Iterable[str], work_round: Round) -> str:
    """Return texts of a version as people of a round read them."""
    texts = [fill(version.settings.get(name) or "", version.settings, work_round) for name in names]
    return "\n\n".join(filter(None, texts))


def _row(text: str | bool | None, row: "_Reading") -> dict[str, Any]:
    """Describe the people who read a text; it is none where no version says what they read."""
    return {"versions": sorted(row.versions), "text": text if row.versions else None, "people": len(row.people)}


class _Reading:
    """The people who read one text, and how much they did after it."""

    def __init__(self) -> None:
        self.people: set[int] = set()
        self.versions: set[int] = set()
        self.work = 0

    def add(self, worker: int, version: int | None, work: int) -> None:
        self.people.add(worker)
        self.work += work
        if version is not None:
            self.versions.add(version)


def _sorted_readings(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (not row["versions"], row["versions"], row["is_read"], row["text"] or ""))


def _consents(found: Provenance, versions: Versions, enrolments: Enrolments) -> list[dict[str, Any]]:
    """Return each distinct text of consent, as it was read, with how many of the people agreed to it."""
    rows: dict[str | None, _Reading] = defaultdict(_Reading)
    roles = {Round.EDIT: found.editors, Round.RATE: found.raters, Round.EXPERT: found.experts}
    for work_round, done in roles.items():
        for worker in {worker for worker, _ in done}:
            if origin_of(found.people[worker]) != Origin.IMPORTED:
                version_id = enrolments.get((worker, work_round.value), (None, None))[0]
                text = None if version_id is None else _as_read(versions[version_id], ["consent"], work_round)
                rows[text].add(worker, _number(version_id, versions), 0)
    return _sorted_readings(_row(text, row) | {"is_read": True} for text, row in rows.items())


def _test(campaign: Campaign, found: Provenance) -> dict[str, int]:
    """Count the raters of this campaign who had passed a test before their first rating in the release."""
    passed = dict(
        QualificationAttempt.objects.filter(enrolment__worker__campaign=campaign, passed=True)
        .values_list("enrolment__worker_id")
        .annotate(first=Min("created_at"))
    )
    own = {
        worker: first
        for worker, first in found.first_rating.items()
        if origin_of(found.people[worker]) != Origin.IMPORTED
    }
    had_passed = sum(bool(first and worker in passed and passed[worker] <= first) for worker, first in own.items())
    return {"raters": len(own), "passed": had_passed}
