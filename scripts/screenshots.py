"""Take the pictures of the README, the handbook and docs/participants.md from a demonstration in a temporary folder.

With --sheet, take every page at 360, 768 and 1280 pixels, light and dark, and write one sheet of them,
build/sheet/index.html.
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from contact_sheet import contact_sheet
from demo_visits import Demo, editing_page, log_in
from find_chromium import chromium_path
from handbook_pictures import handbook_pictures
from participant_pictures import participant_pictures
from playwright.sync_api import Browser, sync_playwright
from throwaway_postgres import free_port

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sheet", action="store_true", help="write build/sheet/index.html with every page instead")
    options = parser.parse_args()
    path = chromium_path()
    if path is None:
        sys.exit("Chromium was not found; set CHROMIUM to its path.")
    with running_demo() as demo, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        if options.sheet:
            contact_sheet(browser, demo, ROOT / "build" / "sheet")
        else:
            take_documentation(browser, demo)
            handbook_pictures(browser, demo.url, lambda page: log_in(page, demo))
            participant_pictures(browser, demo.url, demo.editor_link, demo.rater_link, demo.data)


@contextlib.contextmanager
def running_demo() -> Iterator[Demo]:
    with tempfile.TemporaryDirectory(prefix="precis-pictures-") as folder:
        port = str(free_port())
        server = subprocess.Popen(
            [sys.executable, "manage.py", "start", "--port", port],
            cwd=ROOT,
            env=os.environ | {"PRECIS_DATA_DIR": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield read_demo(server, f"http://127.0.0.1:{port}", Path(folder))
        finally:
            server.terminate()
            server.wait()


def read_demo(server: subprocess.Popen[str], url: str, data: Path) -> Demo:
    """Wait until the server is ready and parse what it has printed."""
    output = ""
    for line in server.stdout or []:
        output += line
        if "is ready at" in line:
            break
    else:
        sys.exit(f"The demonstration did not start:\n{output}")
    editor, rater = re.findall(r"(?:Editor|Rater) round: +(\S+)", output)
    (password,) = re.findall(r"password (\S+)", output)
    return Demo(url, editor, rater, password, data)


def take_documentation(browser: Browser, demo: Demo) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    editing_page(page, demo, "pictures")
    page.locator("#compare").click()
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=IMAGES / "editor.png")
    log_in(page, demo)
    page.goto(f"{demo.url}/campaigns/demo/")
    page.screenshot(path=IMAGES / "dashboard.png")


if __name__ == "__main__":
    main()
