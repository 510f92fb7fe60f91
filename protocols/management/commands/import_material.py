"""Import the material of a campaign's judgement task."""

from typing import Any

from common.jobs import Progress
from compressions.commands import ImportCommand
from crowd.models import Campaign
from protocols.models import MaterialImport
from protocols.services.material import material_import


class Command(ImportCommand):
    help = "Import what people judge in the campaign's judgement task, from JSONL, CSV or TSV."
    file_help = "file of material"

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> MaterialImport:
        del options
        return material_import(campaign=campaign, file_name=file_name, content=content, progress=progress)
