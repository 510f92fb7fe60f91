"""Why a file of a campaign is refused: every fault with its line and the name of what is wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from common.errors import Refused

MAX_FAULTS = 50


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong in a line; `line` is 0 for what does not come from the file, `name` empty for the whole file."""

    line: int
    name: str
    reason: str

    def __str__(self) -> str:
        where = [f"line {self.line}"] * bool(self.line) + [self.name] * bool(self.name)
        return ": ".join([*where, self.reason])


class CampaignFileRefused(Refused):
    """Nothing of a file is stored, because something in it is wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        found = sorted(set(faults))
        self.faults, self.more = found[:MAX_FAULTS], max(0, len(found) - MAX_FAULTS)
        super().__init__("\n".join(map(str, self.faults)))
