"""The kinds of reports of the room: those of all folders."""

from importlib import import_module
from pathlib import Path

from protocols.campaign_report import CampaignReport

_FOLDERS = sorted(each.parent.name for each in Path(__file__).parent.glob("*/report.py"))
KINDS: list[CampaignReport] = [import_module(f"protocols.{folder}.report").KIND for folder in _FOLDERS]
