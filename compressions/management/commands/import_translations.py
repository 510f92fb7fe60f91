"""Import translations of a campaign's texts."""

from typing import Any

from common.jobs import Progress
from compressions.commands import ImportCommand
from compressions.models import TranslationImport
from compressions.services.translations import translations_import
from crowd.models import Campaign


class Command(ImportCommand):
    help = (
        "Import translations of sources, compressions and outputs from JSONL, CSV or TSV with id, kind (source, "
        "reference or output), text or system, language, made_by and translated."
    )
    unit, file_help = "translations", "file of translations"

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, _options: dict[str, Any]
    ) -> TranslationImport:
        return translations_import(campaign=campaign, file_name=file_name, content=content, progress=progress)
