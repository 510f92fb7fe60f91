"""What the documents for a paper are made from: a release as it was frozen, and its agreement."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.description.collected import Collected
from corpus.description.facts import ReleaseFacts
from corpus.models import ImportedFacts, Release
from corpus.release.provenance import Origin, Work
from corpus.selectors import release_file

MANIFEST = "manifest.json"
AS_STATED = "not known beyond what the imported files state"
RATED = (Work.RATINGS, Work.OUTPUT_RATINGS)


@dataclass(frozen=True)
class Agreed:
    """A coefficient of agreement on one scale, over so many texts; `why` says why it has no value."""

    scale: str
    judges: str
    measure: str
    cites: tuple[str, ...]
    value: float | None
    low: float | None
    high: float | None
    texts: int
    has_raters: bool
    """Whether its interval is over raters, too."""
    is_few: bool
    """Whether the texts are too few for the value to be cited."""
    why: str = ""


@dataclass(frozen=True)
class PaperFacts:
    """A release with all that its documents say; `agreement` is None where no report on it has been computed."""

    facts: ReleaseFacts
    agreement: Sequence[Agreed] | None = None

    @property
    def release(self) -> Release:
        return self.facts.release

    @property
    def summary(self) -> Mapping[str, Any]:
        return self.facts.summary

    @property
    def collection(self) -> Mapping[str, Any]:
        return self.facts.collection

    @property
    def conduct(self) -> Mapping[str, Any] | None:
        """How the work went; None for releases from before that was counted."""
        found: Mapping[str, Any] | None = self.collection.get("conduct")
        return found

    @property
    def collected(self) -> Collected:
        return Collected(self.facts.collection, AS_STATED if self.facts.stated else "not known")

    def done_here(self, *work: Work) -> int:
        """Return how much people of this campaign did, and simulated ones."""
        return self.collected.amount(work, Origin.COLLECTED, Origin.SIMULATED)

    def imported(self, *work: Work) -> int:
        return self.collected.amount(work, Origin.IMPORTED)

    def people(self, role: str, *origins: Origin) -> int:
        of_role = self.collection["people"][role]
        return sum(of_role[origin] for origin in origins or (Origin.COLLECTED, Origin.SIMULATED))

    def versions_of(self, *work: Work) -> list[Mapping[str, Any]]:
        """Return the versions of the settings under which people did some work, in their order."""
        numbers = {
            row["settings"]
            for row in self.collection["work"]
            if row["origin"] != Origin.IMPORTED and any(row[each] for each in work)
        }
        return [version for version in self.collection["versions"] if version["number"] in numbers]

    def has_unknown_version(self, *work: Work) -> bool:
        """Whether some work of people was done under settings that are not recorded."""
        rows = (row for row in self.collection["work"] if row["origin"] != Origin.IMPORTED and row["settings"] is None)
        return any(row[each] for row in rows for each in work)

    def settings(self, name: str, *work: Work) -> list[Any]:
        """Return the distinct values of a setting under which people did some work, in the order of the versions."""
        values: list[Any] = []
        for version in self.versions_of(*work):
            if (value := version["settings"].get(name)) not in values:
                values.append(value)
        return values


def facts_of(release: Release) -> ReleaseFacts:
    """Return what a finished release says of itself, as its manifest has it."""
    with release_file(release, MANIFEST) as path:
        manifest = json.loads(path.read_bytes())
    imported = ImportedFacts.objects.filter(campaign=release.campaign).first()
    return ReleaseFacts(release, release.summary, manifest["collection"], imported, manifest.get("after_quality") or {})
