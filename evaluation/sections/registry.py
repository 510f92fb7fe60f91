"""All sections of the report, in the order of their ranks."""

from itertools import chain

from evaluation import sections
from evaluation.sections.base import ReportSection
from measures.core.discovery import find_in_modules

SECTIONS: list[ReportSection] = sorted(
    chain.from_iterable(find_in_modules(sections, "SECTIONS")), key=lambda section: section.rank
)
