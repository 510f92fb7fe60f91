"""The models of the compressions app."""

from .texts import (
    MAX_FLAG_KINDS,
    MAX_PAGE_NAME_LENGTH,
    MAX_RETIRE_NOTE_LENGTH,
    MAX_SYSTEM_NAME_LENGTH,
    Compression,
    Draft,
    FileImport,
    Pair,
    Source,
    SourceImport,
    Start,
    System,
    SystemOutput,
    Target,
    text_digest,
)
from .translations import MAX_LANGUAGE_LENGTH, MAX_MAKER_LENGTH, AlignmentCorrection, TranslatedText, TranslationImport

__all__ = [
    "MAX_FLAG_KINDS",
    "MAX_LANGUAGE_LENGTH",
    "MAX_MAKER_LENGTH",
    "MAX_PAGE_NAME_LENGTH",
    "MAX_RETIRE_NOTE_LENGTH",
    "MAX_SYSTEM_NAME_LENGTH",
    "AlignmentCorrection",
    "Compression",
    "Draft",
    "FileImport",
    "Pair",
    "Source",
    "SourceImport",
    "Start",
    "System",
    "SystemOutput",
    "Target",
    "TranslatedText",
    "TranslationImport",
    "text_digest",
]
