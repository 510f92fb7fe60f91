"""A terminal of a given width in which a command is run, and what it shows."""

import fcntl
import os
import pty
import re
import struct
import termios
import threading

from django.core.management import call_command

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def shown_on_terminal(command: str, *arguments: str, width: int = 80, encoding: str = "utf-8") -> str:
    """What a command writes to a pseudo-terminal, with its escape sequences."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    written = bytearray()
    reader = threading.Thread(target=_read, args=(master, written))
    reader.start()
    try:
        with os.fdopen(slave, "w", encoding=encoding) as out:
            call_command(command, *arguments, stdout=out)
    finally:
        reader.join()
        os.close(master)
    return written.decode(encoding).replace("\r\n", "\n")


def _read(master: int, written: bytearray) -> None:
    """Read until the other end is closed, which Linux says by an error."""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            return
        if not part:
            return
        written.extend(part)


def plain_lines(shown: str) -> list[str]:
    return ESCAPE.sub("", shown).splitlines()
