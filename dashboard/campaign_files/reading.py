"""Read a file of a campaign: its values, the line of each, and everything that is wrong with it."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.campaign_files.faults import CampaignFileRefused, Fault
from dashboard.campaign_files.fields import VERSION, campaign_record
from dashboard.campaign_files.kinds import UNREAD, Path, Reading
from dashboard.campaign_files.nodes import MapNode, Node, Scalar, nodes_read


@dataclass(frozen=True)
class CampaignFile:
    """What a file says. Where `faults` are, the values that they are about are missing."""

    values: dict[str, Any]
    reading: Reading

    @property
    def faults(self) -> list[Fault]:
        return self.reading.faults

    def has_wrong(self, *path: str | int) -> bool:
        """Whether something below a path is wrong."""
        return any(wrong[: len(path)] == path for wrong in self.reading.wrong)

    def fault(self, path: Path, reason: str) -> Fault:
        """Return a fault of a value; of one that is not in the file, at the nearest line above it."""
        name = next((each for each in reversed(path) if isinstance(each, str)), "")
        lines = self.reading.lines
        line = next((lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in lines), 0)
        return Fault(line, name, reason)


def campaign_file_read(content: bytes) -> CampaignFile:
    """Read what a file says, as far as it can be read; raise CampaignFileRefused if that is nothing."""
    root, faults = nodes_read(content)
    _version_check(root, faults)
    reading = Reading(faults)
    values = campaign_record().of(root, (), reading)
    if values is UNREAD:
        raise CampaignFileRefused(reading.faults)
    return CampaignFile(values, reading)


def _version_check(root: Node, faults: list[Fault]) -> None:
    """Refuse other formats at once: what else is wrong with them says nothing."""
    entries = {key.text: value for key, value in root.entries} if isinstance(root, MapNode) else {}
    version = entries.get("precis_campaign")
    if isinstance(version, Scalar) and version.text == str(VERSION):
        return
    words = _("This is not a campaign in the format of this version: it must say “precis_campaign: %(version)s”.")
    raise CampaignFileRefused([*faults, Fault((version or root).line, "", words % {"version": VERSION})])
