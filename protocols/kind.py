"""The kinds of reports of the room: those of all folders."""

from importlib import import_module
from pathlib import Path

from common.errors import Refused
from crowd.models import Campaign
from protocols.campaign_report import PlannedReport, ReleaseReport

_FOLDERS = sorted(each.parent.name for each in Path(__file__).parent.glob("*/report.py"))
_MODULES = [import_module(f"protocols.{folder}.report") for folder in _FOLDERS]
KINDS: list[PlannedReport] = [kind for each in _MODULES for kind in getattr(each, "KINDS", None) or [each.KIND]]


def release_kinds(campaign: Campaign) -> list[ReleaseReport]:
    """Return those that releases of a campaign can have, as far as its settings say."""
    return [kind for kind in KINDS if isinstance(kind, ReleaseReport) and _is_possible(kind, campaign)]


def _is_possible(kind: ReleaseReport, campaign: Campaign) -> bool:
    try:
        kind.resolved(campaign, kind.parameters())
    except Refused:
        return False
    return True
