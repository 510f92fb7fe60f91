#!/usr/bin/env python
"""Run Django's commands with the settings of Précis, and say its version."""

import os
import sys

import django
from django.core.management import execute_from_command_line

from common.extras import product_version


def main() -> None:
    """Run a command; end quietly where its reader has gone, as `head` does when it has seen enough."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    try:
        try:
            if sys.argv[1:] in (["--version"], ["version"]):
                print(f"Précis {product_version()} (Django {django.get_version()})")  # noqa: T201
            else:
                execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if _output_is_read():  # the pipe that broke is another one
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _output_is_read() -> bool:
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        return False
    return True


if __name__ == "__main__":
    main()
