"""The commands of a page of the documentation, in their order."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# A block that cannot be run says so on the line before it.
BLOCK = re.compile(
    r"^(?P<heading>##+ [^\n]*)$"
    r"|(?:^<!-- not run by deploy-check: (?P<reason>[^\n]+) -->\n)?^```sh\n(?P<commands>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """Some commands; `reason` says why they are not run, and is empty if they are."""

    heading: str
    commands: str
    reason: str = ""


def documented_blocks(page: Path, section: str) -> list[Block]:
    """Return the blocks of a section (a heading with two #) and all below it."""
    return [block for top, block in _blocks(page.read_text(encoding="utf-8")) if top == f"## {section}"]


def _blocks(text: str) -> Iterator[tuple[str, Block]]:
    top = heading = ""
    for match in BLOCK.finditer(text):
        if match["heading"]:
            heading = match["heading"]
            top = heading if heading.startswith("## ") else top
        else:
            yield top, Block(heading.lstrip("# "), match["commands"], match["reason"] or "")
