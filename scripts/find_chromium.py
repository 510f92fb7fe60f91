"""Find the Chromium that the browser tests and the screenshots drive: the system's, never a download."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def chromium_path() -> str | None:
    """Return the path of Chromium or Chrome, or None; CHROMIUM in the environment goes first."""
    candidates = (os.environ.get("CHROMIUM", ""), *NAMES, *MAC_APPLICATIONS)
    return next(filter(None, map(shutil.which, candidates)), None)
