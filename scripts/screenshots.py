"""Take the pictures of the README, the handbook and docs/participants.md from a demonstration in a temporary folder.

With --every-page FOLDER, take every page at 360 and 1280 pixels, light and dark, for review.
"""

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from find_chromium import chromium_path
from handbook_pictures import handbook_pictures
from participant_pictures import participant_pictures
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from throwaway_postgres import free_port

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STAFF_PAGES = {
    "dashboard": "",
    "sources": "sources/",
    "source": "sources/7/",
    "compression": "compressions/1/",
    "flagged": "flagged/",
    "remarks": "remarks/",
    "paragraphs": "paragraphs/",
    "imports": "imports/",
    "editors": "participants/edit/",
    "raters": "participants/rate/",
    "lists": "participants/edit/lists/",
    "bonus": "participants/edit/bonus/",
    "pay": "pay/",
    "person": "people/41/",
    "examples": "examples/",
    "example": "examples/new/",
    "gold": "gold/new/",
    "experts": "experts/",
    "systems": "systems/",
    "quality": "quality/",
    "preview": "quality/preview/",
    "releases": "releases/",
    "freeze": "releases/freeze/",
    "release": "releases/1/",
    "overview": "releases/1/overview/",
    "erase": "people/41/erase/",
    "agreement": "releases/1/agreement/",
    "plan": "plan/",
    "scores": "releases/1/scores/",
    "links": "links/",
    "settings": "settings/",
    "settings-history": "settings/history/",
}


@dataclass(frozen=True)
class Demo:
    """The running demonstration: its URL, links and password, as printed by `manage.py start`, and its folder."""

    url: str
    editor_link: str
    rater_link: str
    password: str
    data: Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every-page", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    path = chromium_path()
    if path is None:
        sys.exit("Chromium was not found; set CHROMIUM to its path.")
    with running_demo() as demo, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        if options.every_page:
            take_every_page(browser, demo, options.every_page)
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
    editor, rater = re.findall(r"http\S+/join/\S+", output)[:2]
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


def take_every_page(browser: Browser, demo: Demo, folder: Path) -> None:
    for width in (360, 1280):
        for scheme in ("light", "dark"):
            name = f"{width}-{scheme}"
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
            take_worker_pages(context, demo, folder / name, name)
            take_staff_pages(context, demo, folder / name)
            context.close()


def take_worker_pages(context: BrowserContext, demo: Demo, folder: Path, person: str) -> None:
    page = context.new_page()
    page.goto(f"{demo.editor_link}?participant={person}")
    take(page, folder, "join")
    agree(page)
    take(page, folder, "guidelines")
    editing_page(page, demo, person)
    take(page, folder, "editor")
    page.locator("#compare").click()
    take(page, folder, "editor-differences")
    for dialog in ("guidelines", "problem", "skip"):
        page.locator(f"[data-opens={dialog}]").click()
        page.screenshot(path=folder / f"editor-{dialog}.png")
        page.keyboard.press("Escape")
    page.locator("#submit").click()
    page.goto(f"{demo.rater_link}?participant={person}-rater")
    agree(page)
    page.locator("main button").first.click()
    take(page, folder, "practice")
    answer(page)
    take(page, folder, "practice-answered")
    page.goto(f"{demo.url}/work/qualification/?practised=1")
    take(page, folder, "qualification")
    while page.locator("input[name=number]").count():
        answer(page)
    take(page, folder, "qualification-result")
    page.locator("main button").first.click()
    page.locator("#rating").wait_for()
    take(page, folder, "rating")
    page.locator(".differences").first.click()
    take(page, folder, "rating-differences")
    page.locator("details.menu > summary").click()
    page.get_by_role("button", name="I can’t rate this text").first.click()
    page.screenshot(path=folder / "rating-cannot.png")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.keyboard.press("2")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto(f"{demo.url}/work/answers/")
    take(page, folder, "answers")
    page.get_by_text("Change").first.click()
    take(page, folder, "correction")
    page.close()


def answer(page: Page) -> None:
    """Answer the examples on the page correctly and submit."""
    lines = (ROOT / "dashboard/simulation/demo_files/qualification.jsonl").read_text(encoding="utf-8").splitlines()
    for example in map(json.loads, lines):
        section = page.locator("main").locator("section", has_text=example["compression"])
        if not section.count():
            continue
        scope = page.locator("main") if section.locator("fieldset").count() == 0 else section
        for scale, points in example["answers"].items():
            scope.locator(f"[name^={scale}-][value='{points[0]}']").check()
    page.locator("main form button").last.click()


def take_staff_pages(context: BrowserContext, demo: Demo, folder: Path) -> None:
    page = context.new_page()
    page.goto(f"{demo.url}/login/")
    take(page, folder, "login")
    log_in(page, demo)
    take(page, folder, "campaigns")
    for name, path in STAFF_PAGES.items():
        page.goto(f"{demo.url}/campaigns/demo/{path}")
        take(page, folder, name)
    page.close()


def editing_page(page: Page, demo: Demo, person: str) -> None:
    """Join as an editor and delete a few words of the first text."""
    page.goto(f"{demo.editor_link}?participant={person}")
    agree(page)
    if page.locator("#draft").count() == 0:
        page.locator("main button").first.click()
    page.locator("#draft:not([readonly])").press("ControlOrMeta+End")  # writable once the script has loaded
    for _ in range(4):
        page.keyboard.press("ControlOrMeta+Backspace")
    page.locator("#answer", has_text="Saved.").wait_for()


def agree(page: Page) -> None:
    """Consent, or just continue if the person has already consented."""
    page.locator("main button").first.click()


def log_in(page: Page, demo: Demo) -> None:
    page.goto(f"{demo.url}/login/")
    page.locator("[name=username]").fill("demo")
    page.locator("[name=password]").fill(demo.password)
    page.locator("main button").first.click()
    page.wait_for_url(re.compile("campaigns"))


def take(page: Page, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)


if __name__ == "__main__":
    main()
