"""The sections of the agreement report; `agreement.sections.registry` finds the modules that have `SECTIONS`."""
