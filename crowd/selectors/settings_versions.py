"""Query the versions of a campaign's settings, and what was done under each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import takewhile

from django.db.models import Count

from crowd.models import Campaign, Enrolment, SettingsVersion
from crowd.models.settings_version import changed_names
from crowd.settings_difference import SettingChange, settings_difference, settings_first_recorded
from crowd.work_counts import work_counts

Counts = Mapping[str, int]
Numbers = Mapping[int | None, int]


@dataclass(frozen=True)
class VersionRow:
    """A version, what it changed, and the numbers of people who consented to it and of their work under it.

    `first_recorded` are settings that the version before is too old to know.
    """

    version: SettingsVersion
    changes: list[SettingChange]
    first_recorded: list[SettingChange]
    counts: Counts


@dataclass(frozen=True)
class SettingsHistory:
    """The versions, the newest first, and the numbers of what is under none of them."""

    rows: list[VersionRow]
    unrecorded: Counts


def settings_history(campaign: Campaign) -> SettingsHistory:
    versions = list(campaign.settings_versions.select_related("created_by").order_by("number"))
    counts = _counts(campaign)
    before = [None, *versions[:-1]]
    rows = [_row(earlier, version, counts) for earlier, version in zip(before, versions, strict=True)]
    return SettingsHistory(rows[::-1], _of(counts, None))


def _row(before: SettingsVersion | None, version: SettingsVersion, counts: Mapping[str, Numbers]) -> VersionRow:
    done = _of(counts, version.pk)
    if before is None:
        return VersionRow(version, [], [], done)
    changes = settings_difference(before.settings, version.settings)
    return VersionRow(version, changes, settings_first_recorded(before.settings, version.settings), done)


def counts_with(version: SettingsVersion, names: Collection[str]) -> Counts:
    """Return the numbers of people and of their work under all versions with the same values of some settings."""
    counts = _counts(version.campaign)
    wanted = [version.settings.get(name) for name in names]
    rows = version.campaign.settings_versions.values_list("pk", "settings")
    same = [pk for pk, settings in rows if [settings.get(name) for name in names] == wanted]
    return {name: sum(found.get(pk, 0) for pk in same) for name, found in counts.items()}


def standing_since(campaign: Campaign, *names: str) -> SettingsVersion:
    """Return the version since which some settings have been as they are now."""
    now = [getattr(campaign, name) for name in names]
    versions = campaign.settings_versions.order_by("-number").iterator()
    *_later, first = takewhile(lambda each: [each.settings.get(name) for name in names] == now, versions)
    return first


def _counts(campaign: Campaign) -> dict[str, Mapping[int | None, int]]:
    enrolments = Enrolment.objects.filter(worker__campaign=campaign, worker__is_test=False)
    people = dict(enrolments.values_list("settings_version_id").annotate(Count("worker", distinct=True)))
    return {"people": people, **work_counts(campaign)}


def _of(counts: Mapping[str, Mapping[int | None, int]], version_id: int | None) -> Counts:
    return {name: found.get(version_id, 0) for name, found in counts.items()}


@dataclass(frozen=True)
class VersionChanges:
    """A version, and the names of the settings in which it differs from the one before."""

    version: SettingsVersion
    changed: list[str]

    @property
    def number(self) -> int:
        return self.version.number


def versions_with_changes(campaign: Campaign) -> list[VersionChanges]:
    """Return all versions, the oldest first; the first one changed nothing."""
    versions = list(campaign.settings_versions.select_related("created_by").order_by("number"))
    before = versions[:1] + versions[:-1]
    return [
        VersionChanges(version, changed_names(earlier.settings, version.settings))
        for earlier, version in zip(before, versions, strict=True)
    ]
