"""Find the system's Chromium for browser tests and screenshots; nothing is ever downloaded."""

import os
import shutil

# The same browser without windows comes first: tests in it take a third less.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def chromium_path() -> str | None:
    """Return the path of Chromium or Chrome, or None; the environment variable CHROMIUM takes precedence."""
    candidates = (os.environ.get("CHROMIUM", ""), *NAMES, *MAC_APPLICATIONS)
    return next(filter(None, map(shutil.which, candidates)), None)
