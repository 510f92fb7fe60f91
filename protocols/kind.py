"""The kinds of reports of the room: those of all folders."""

from importlib import import_module
from pathlib import Path

from reports.kinds import ReportKind

_FOLDERS = sorted(each.parent.name for each in Path(__file__).parent.glob("*/report.py"))
KINDS: list[ReportKind] = [import_module(f"protocols.{folder}.report").KIND for folder in _FOLDERS]
