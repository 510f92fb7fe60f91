"""Within what an edit log has to stay: bounds in proportion to its source and to the time that its author had.

What honest work takes. An editor who shortens a source of n characters deletes, types and corrects, and makes fewer
than n changes. One who rewrites it from nothing makes at most 3n/4 insertions, a fifth of them twice, with the
deletions between: about n. An input method for Chinese or Japanese reports up to four changes for a character: 4n. A
correction by the keyboard is one more for each word, and dictation makes one for each phrase. So 4n + 1,000 are enough
for whoever types everything once, and for most who do so three times. Whoever makes more is not refused either: before
a log comes near these bounds, the page merges neighbouring changes of the same kind (`static/js/lib/log-merge.js`).
Only a log that was not written by the page can exceed them.

Each change copies the text, so what replaying costs is the sum of the texts' lengths. A text is at most as long as its
source for most of the time; the bound allows twice that and 500 characters for each change. A paste of a whole page by
mistake, and its removal, is within the bound on characters; if the page stays in the box while much is typed, the page
of the editor merges here, too.
"""

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


MAX_OPERATIONS = 10_000
MAX_CHARACTERS = 250_000
MAX_REPLAYED = 60_000_000
OPERATIONS_PER_SECOND = 100
OPERATIONS_AT_ONCE = 3_000
"""A key that is held down repeats some thirty times a second, and faster only where a person has set it to."""


@dataclass(frozen=True)
class LogBounds:
    """Within what the log of one text has to stay.

    Attributes
    ----------
    operations : int
        Greatest number of operations.
    characters : int
        Greatest number of code points that all operations together remove and insert.
    replayed : int
        Greatest total length of the texts before each operation, in code points.

    Examples
    --------
    >>> LogBounds(2_200, 129_000, 2_420_000).operations
    2200
    """

    operations: int
    characters: int
    replayed: int


def log_bounds(source_length: int) -> LogBounds:
    """Return the bounds for the log of a text.

    Parameters
    ----------
    source_length : int
        Number of code points of the source as it is stored.

    Returns
    -------
    LogBounds
        They grow with the source, up to what they are for the longest ones.

    Examples
    --------
    >>> log_bounds(300)
    LogBounds(operations=2200, characters=129000, replayed=2420000)
    >>> log_bounds(2_000).operations, log_bounds(5_000).operations
    (9000, 10000)
    """
    operations = min(MAX_OPERATIONS, 1_000 + 4 * source_length)
    return LogBounds(
        operations=operations,
        # Two whole pages that were pasted and removed, besides what is typed.
        characters=min(MAX_CHARACTERS, 120_000 + 30 * source_length),
        replayed=min(MAX_REPLAYED, operations * (2 * source_length + 500)),
    )


def most_operations_within(available_ms: int) -> int:
    """Return how many operations there can be in a time.

    Parameters
    ----------
    available_ms : int
        The time from when the author was first given the text until it was sent, by the server's clock.

    Returns
    -------
    int
        Far more than hands, held keys and input methods make.

    Examples
    --------
    >>> most_operations_within(0), most_operations_within(60_000)
    (3000, 9000)
    """
    return OPERATIONS_AT_ONCE + OPERATIONS_PER_SECOND * available_ms // 1000
