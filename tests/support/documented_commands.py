"""The commands that the documentation tells people to run, as they are written there."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
CODE = re.compile(r"^ *```[^\n]*\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
PROGRAM = re.compile(r"(?:\S*manage\.py|\S*python\d? -m)\s+\S.*")
END = re.compile(r"\s+#\s.*|\s*(?:&&|\|\|?|;|>).*")


@dataclass(frozen=True)
class Documented:
    """A command: "manage.py" or "python -m" with its words, and the page that has it."""

    program: str
    words: tuple[str, ...]
    page: str

    @property
    def name(self) -> str:
        return self.words[0]

    def __str__(self) -> str:
        return f"{self.program} {' '.join(self.words)}"


def documented_commands() -> list[Documented]:
    """Every command once, without those that prose only names, such as one that wants a file and has none."""
    found = {str(each): each for page in PAGES for each in _of_page(page)}
    return [each for each in found.values() if not is_only_named(each)]


def _of_page(page: Path) -> Iterator[Documented]:
    text = page.read_text(encoding="utf-8")
    blocks = (line for block in CODE.findall(text) for line in block.replace("\\\n", " ").splitlines())
    spans = (" ".join(match.split()) for match in SPAN.findall(CODE.sub("", text)))
    for line in (*blocks, *spans):
        if match := PROGRAM.search(line):
            yield _command(match[0], page.name)


def _command(text: str, page: str) -> Documented:
    """Return a command with its optional words, which pages write in brackets."""
    words = shlex.split(END.sub("", text).replace("[", "").replace("]", ""))
    if words[0].endswith("manage.py"):
        return Documented("manage.py", tuple(words[1:]), page)
    return Documented("python -m", tuple(words[2:]), page)


def is_only_named(command: Documented) -> bool:
    """Whether a command stands without what it cannot do without, as a module does that is named alone.

    `manage.py --version` is answered by manage.py itself (tests/flows/test_versions.py).
    """
    if command.name == "--version":
        return True
    if len(command.words) > 1:
        return False
    if command.program != "manage.py" or command.name not in get_commands():
        return command.program != "manage.py"
    parser = load_command_class(get_commands()[command.name], command.name).create_parser("manage.py", command.name)
    is_choice = any(each.required for each in parser._mutually_exclusive_groups)
    return is_choice or any(each.required for each in parser._actions)
