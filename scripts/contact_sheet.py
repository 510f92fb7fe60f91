"""Every page of the demonstration in all widths and both colour schemes, side by side on one sheet."""

import json
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Literal

from demo_visits import Demo, agree, editing_page, log_in
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
WIDTHS = (360, 768, 1280)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
BESIDE_THE_MENU = (
    "sources/7/",
    "compressions/1/",
    "people/41/",
    "people/41/erase/",
    "participants/edit/lists/",
    "participants/edit/bonus/",
    "releases/3/",
    "releases/3/overview/",
    "releases/3/texts/",
    "releases/3/comparison/",
    "releases/3/agreement/figures/answer/kappa.html",
)
REPORTS = ("agreement", "operations", "evaluation", "scores")
LONGEST_REPORT_MS = 600_000
"""How long the worker may take to compute a report of the demonstration."""
HEAD = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Contact sheet</title>
<style>
body { font: 14px sans-serif; background: #888; }
section { display: flex; gap: 8px; align-items: flex-start; overflow-x: auto; padding-bottom: 16px; }
h2 { margin: 8px 0 4px; }
img { display: block; max-height: 900px; border: 1px solid #000; }
</style>
"""


@dataclass
class Sheet:
    """The pictures so far, in a folder for each width and colour scheme."""

    folder: Path
    names: list[str] = field(default_factory=list)

    def take(self, page: Page, name: str) -> None:
        """Take a page as it stands now, without loading it again."""
        self.names.append(name)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                path = self.folder / f"{width}-{scheme}" / f"{name}.png"
                page.screenshot(path=path, full_page=True)

    def write(self) -> Path:
        """Write the sheet with all pictures, a line for each page."""
        sections = [f"<h2>{escape(name)}</h2><section>{self._pictures(name)}</section>" for name in self.names]
        path = self.folder / "index.html"
        path.write_text("\n".join([HEAD, *sections]), encoding="utf-8")
        return path

    @staticmethod
    def _pictures(name: str) -> str:
        places = [f"{width}-{scheme}" for width in WIDTHS for scheme in SCHEMES]
        files = [(place, f"{place}/{name}.png") for place in places]
        return "".join(
            f'<a href="{file}"><img loading="lazy" src="{file}" alt="{escape(name)}, {place}"></a>'
            for place, file in files
        )


def contact_sheet(browser: Browser, demo: Demo, folder: Path) -> None:
    sheet = Sheet(folder)
    page = browser.new_context().new_page()
    participant_pages(page, demo, sheet, "sheet")
    staff_pages(browser.new_context().new_page(), demo, sheet)
    print(sheet.write())


def staff_pages(page: Page, demo: Demo, sheet: Sheet) -> None:
    """Take what the menu leads to, what lists lead to, and all tabs of the reports."""
    page.goto(f"{demo.url}/login/")
    sheet.take(page, "login")
    log_in(page, demo)
    sheet.take(page, "campaigns")
    home = f"{demo.url}/campaigns/demo/"
    page.goto(home)
    links = page.locator(".all-pages a").evaluate_all("(links) => links.map((link) => link.href)")
    listed = [home, *(link for link in links if link.endswith("/")), *(home + path for path in BESIDE_THE_MENU)]
    for report in REPORTS:
        page.goto(f"{home}releases/3/{report}/")
        page.locator("nav.tabs a").first.wait_for(timeout=LONGEST_REPORT_MS)
        tabs = page.locator("nav.tabs").first.locator("a")
        listed += tabs.evaluate_all("(links) => links.map((link) => link.href)")
    for address in dict.fromkeys(listed):
        reply = page.goto(address)
        if reply is not None and reply.ok:
            sheet.take(page, named(address))


def named(address: str) -> str:
    """Return the name of a page's pictures: its path below the campaign's."""
    path = address.partition("?")[0].partition("/campaigns/demo/")[2].removesuffix(".html").strip("/")
    return re.sub(r"[^a-z0-9-]+", "-", path) or "dashboard"


def participant_pages(page: Page, demo: Demo, sheet: Sheet, person: str) -> None:
    page.goto(f"{demo.editor_link}?participant={person}")
    sheet.take(page, "join")
    agree(page)
    sheet.take(page, "guidelines")
    editing_page(page, demo, person)
    sheet.take(page, "editor")
    page.locator("#compare").click()
    sheet.take(page, "editor-differences")
    for dialog in ("guidelines", "problem", "skip"):
        opens = page.locator(f"[data-opens={dialog}]")
        if not opens.is_visible():
            page.locator("details.menu > summary").click()
        opens.click()
        sheet.take(page, f"editor-{dialog}")
        page.keyboard.press("Escape")
    page.locator("#submit").click()
    page.goto(f"{demo.rater_link}?participant={person}-rater")
    agree(page)
    page.locator("main button").first.click()
    sheet.take(page, "practice")
    answer(page)
    sheet.take(page, "practice-answered")
    page.goto(f"{demo.url}/work/qualification/?practised=1")
    sheet.take(page, "qualification")
    while page.locator("input[name=number]").count():
        answer(page)
    sheet.take(page, "qualification-result")
    page.locator("main button").first.click()
    page.locator("#rating").wait_for()
    sheet.take(page, "rating")
    page.locator(".differences").first.click()
    sheet.take(page, "rating-differences")
    page.locator("details.menu > summary").click()
    page.get_by_role("button", name="I can’t rate this text").first.click()
    sheet.take(page, "rating-cannot")
    page.reload()  # without the dialog and the menu, which would take the keys
    page.keyboard.press("3")
    page.keyboard.press("2")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto(f"{demo.url}/work/answers/")
    sheet.take(page, "answers")
    page.get_by_text("Change").first.click()
    sheet.take(page, "correction")


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
