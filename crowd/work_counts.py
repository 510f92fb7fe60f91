"""Registry of the work that is counted by version of the settings; the apps that store work register it here."""

from collections.abc import Callable, Mapping

from crowd.models import Campaign

# campaign -> number by the id of the settings version, None for work without one.
CountBySettings = Callable[[Campaign], Mapping[int | None, int]]

_counts: dict[str, CountBySettings] = {}


def work_count_register(name: str, count: CountBySettings) -> None:
    _counts[name] = count


def work_counts(campaign: Campaign) -> dict[str, Mapping[int | None, int]]:
    return {name: count(campaign) for name, count in _counts.items()}
