"""Whether an edit log lasts longer than its author had the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from measures.keystrokes.edit_log import Kind, Operation


@dataclass(frozen=True)
class ClockSlack:
    """By how much a log may last longer than the server's time, since clocks differ.

    Attributes
    ----------
    seconds : int, default 15
        For the time in which a server takes what is sent, or in which its clock is set back a little.
    percent : int, default 1
        For clocks that do not run alike: those of computers differ by a hundredth of this.

    Examples
    --------
    >>> ClockSlack(seconds=5).percent
    1
    """

    seconds: int = 15
    percent: int = 1


DEFAULT_SLACK = ClockSlack()


def watched_time(operations: Iterable[Operation]) -> int:
    """Return how long a log lasts, in milliseconds, without the times before its author came back to the page.

    A page counts the time since its author left it by the clock of that computer, which may be wrong by hours. While
    it stays open, it counts by a clock that nobody sets.

    Parameters
    ----------
    operations : iterable of Operation
        The operations in order.

    Returns
    -------
    int
        The time of all operations but returns since the one before, 0 without operations.

    Examples
    --------
    >>> back = Operation(0, "", "", Kind.RETURN, 90_000)
    >>> watched_time([Operation(0, "", "a", Kind.TYPING, 2_000), back, Operation(1, "", "b", Kind.TYPING, 91_000)])
    3000
    """
    total = last = 0
    for operation in operations:
        if operation.kind is not Kind.RETURN:
            total += operation.at_ms - last
        last = operation.at_ms
    return total


def too_long_for(operations: Iterable[Operation], available_ms: int, slack: ClockSlack = DEFAULT_SLACK) -> str | None:
    """Return by what a log lasts longer than its author can have had the text.

    Parameters
    ----------
    operations : iterable of Operation
        The operations in order.
    available_ms : int
        The time from when the author was first given the text until it was sent, by the server's clock.
    slack : ClockSlack
        By how much it may last longer.

    Returns
    -------
    str or None
        The reason in words; None if the log may be as long as it is.

    Examples
    --------
    >>> too_long_for([Operation(0, "", "Hi", Kind.TYPING, 300_000)], 20_000)
    'edits over 300 s, sent 20 s after the text was given out'
    >>> too_long_for([Operation(0, "", "Hi", Kind.TYPING, 21_000)], 20_000) is None
    True
    """
    watched = watched_time(operations)
    if watched <= available_ms * (100 + slack.percent) // 100 + 1000 * slack.seconds:
        return None
    return f"edits over {watched // 1000} s, sent {available_ms // 1000} s after the text was given out"
