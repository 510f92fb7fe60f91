"""The sections of a report, a file each; `edit_operations.sections.registry` finds those that have `SECTIONS`."""
