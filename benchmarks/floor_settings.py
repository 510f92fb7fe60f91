"""The settings of Précis with the bare views of `benchmarks/floor.py` in place of the task pages."""

from annotation.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.floor"
