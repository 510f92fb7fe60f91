"""The sections of the report, a file each: `reports.kinds.sections_in` finds those that have `SECTIONS`."""
