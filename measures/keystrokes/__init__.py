"""How was a text written, according to the edit log of its text field?

Reading and replaying the log; time, keystrokes and pastes; hints at pasted or machine-written text.
"""

from measures.keystrokes.edit_log import (
    EditLogError,
    Kind,
    Operation,
    dump_log,
    edit_history,
    parse_log,
    replay,
    snapshots,
)
from measures.keystrokes.effort import Effort, Flag, FlagName, FlagThresholds, effort, effort_flags
from measures.keystrokes.paste_origin import Paste, pastes
from measures.keystrokes.typing_speed import Burst, fastest_burst

__all__ = [
    "Burst",
    "EditLogError",
    "Effort",
    "Flag",
    "FlagName",
    "FlagThresholds",
    "Kind",
    "Operation",
    "Paste",
    "dump_log",
    "edit_history",
    "effort",
    "effort_flags",
    "fastest_burst",
    "parse_log",
    "pastes",
    "replay",
    "snapshots",
]
