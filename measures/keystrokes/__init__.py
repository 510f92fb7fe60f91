"""How was a text written, according to the edit log of its text field?

Reading and replaying the log; time, keystrokes and pastes; hints at pasted or machine-written text; the order in which
words were deleted, replaced, inserted and moved.
"""

from measures.keystrokes.edit_log import (
    EditLogError,
    Kind,
    Operation,
    Origin,
    dump_log,
    edit_history,
    parse_log,
    replay,
    snapshots,
    without_leaving,
)
from measures.keystrokes.edit_order import AlignedWords, EditOrder, PlacedWord, edit_order, word_spans
from measures.keystrokes.effort import Effort, Flag, FlagName, FlagThresholds, effort, effort_flags
from measures.keystrokes.order_summary import OperationPlace, OrderSummary, order_summary
from measures.keystrokes.paste_origin import Burst, Paste, fastest_burst, pastes
from measures.keystrokes.source_shares import SourceShares, origins_check, source_shares

__all__ = [
    "AlignedWords",
    "Burst",
    "EditLogError",
    "EditOrder",
    "Effort",
    "Flag",
    "FlagName",
    "FlagThresholds",
    "Kind",
    "Operation",
    "OperationPlace",
    "OrderSummary",
    "Origin",
    "Paste",
    "PlacedWord",
    "SourceShares",
    "dump_log",
    "edit_history",
    "edit_order",
    "effort",
    "effort_flags",
    "fastest_burst",
    "order_summary",
    "origins_check",
    "parse_log",
    "pastes",
    "replay",
    "snapshots",
    "source_shares",
    "without_leaving",
    "word_spans",
]
