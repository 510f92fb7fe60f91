"""Take the pictures of docs/handbook.md: walk through a new campaign by its pages, then look at the demonstration.

A step goes to a page as the handbook says, by the names of fields and buttons, so a page that has changed fails it. All
pictures have one size.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize
from small_png import small_png

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "static" / "handbook"
TEXTS = ROOT / "dashboard/simulation/demo_files/sources.jsonl"
SIZE: ViewportSize = {"width": 1024, "height": 640}
NAME, SHORT_NAME = "News in brief", "news-in-brief"
WORKER_IS_BUSY_MS = 900_000
"""How long the reports of the demonstration may take, which the worker computes first."""


@dataclass(frozen=True)
class Walk:
    """A member of staff at a browser."""

    page: Page
    address: str

    @property
    def dashboard(self) -> str:
        return f"{self.address}/campaigns/{SHORT_NAME}/"

    def open(self, path: str) -> None:
        self.page.goto(f"{self.dashboard}{path}")

    def follow(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).first.click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.click()

    def fill(self, **values: str) -> None:
        for field, value in values.items():
            self.page.locator(f"[name={field}]").fill(value)

    def save(self) -> None:
        self.press("Save")
        self.page.locator(".messages").wait_for()

    def show(self, selector: str) -> None:
        """Scroll until something stands at the top."""
        self.page.locator(selector).first.evaluate("(element) => element.scrollIntoView()")


Step = Callable[[Walk], None]


def new_campaign(walk: Walk) -> None:
    walk.page.goto(f"{walk.address}/campaigns/")
    walk.follow("New campaign")
    walk.fill(name=NAME, slug=SHORT_NAME)
    walk.press("Create the campaign")
    walk.page.wait_for_url(walk.dashboard)


def texts(walk: Walk) -> None:
    walk.open("")
    walk.page.get_by_text("All pages", exact=True).click()
    walk.follow("Imports")
    walk.page.locator("input[type=file]").set_input_files(TEXTS)
    walk.press("Import")
    walk.page.get_by_text("Finished").wait_for(timeout=WORKER_IS_BUSY_MS)


def pay(walk: Walk) -> None:
    walk.open("")
    walk.follow("Settings")
    walk.follow("Pay")
    walk.fill(minimum_hourly_pay="9", partial_after="3")
    walk.fill(editor_pay="2.50", editor_minutes="15", rater_pay="2", rater_minutes="12")
    walk.save()
    walk.show("nav.tabs")


def consent(walk: Walk) -> None:
    walk.open("settings/")
    walk.follow("Consent")
    box = walk.page.locator("[name=consent]")
    box.fill(f"{box.input_value().rstrip()}\n\nIt takes about {{minutes}} minutes. You are paid {{pay}}.")
    walk.save()
    walk.page.get_by_text("Numbers you can fill in").click()
    walk.show("main h1")


def questions(walk: Walk) -> None:
    walk.open("participants/rate/")
    walk.follow("Test and gold questions")
    walk.press("starter question")
    walk.page.locator(".messages").wait_for()
    walk.show("#test")


def link(walk: Walk) -> None:
    walk.open("links/")
    walk.fill(name="Pilot, 20 people")
    walk.page.locator("[name=round]").select_option("rate")
    walk.page.locator("[name=platform_key]").select_option("prolific")
    walk.press("Make the link")
    walk.page.locator("[name=max_people]").fill("20")
    walk.save()
    walk.show("#use")


def shortening(walk: Walk) -> None:
    walk.open("")
    walk.press("Preview the editor round")
    consent_and_read(walk)
    draft = walk.page.locator("#draft:not([readonly])")  # writable once the script has loaded
    draft.press("ControlOrMeta+End")
    for _ in range(4):
        walk.page.keyboard.press("ControlOrMeta+Backspace")
    walk.page.locator("#answer", has_text="Saved.").wait_for()
    walk.page.evaluate("scrollTo(0, 0)")


def rating(walk: Walk) -> None:
    end_preview(walk)
    walk.press("Preview the rater round")
    consent_and_read(walk)


def consent_and_read(walk: Walk) -> None:
    walk.page.get_by_role("button", name=re.compile("agree")).click()
    with walk.page.expect_navigation():  # until the page's scripts are there
        walk.page.get_by_role("button", name=re.compile("read")).click()


def end_preview(walk: Walk) -> None:
    walk.press("End the preview")
    walk.page.wait_for_url(walk.dashboard)


def simulated(walk: Walk) -> None:
    end_preview(walk)
    walk.follow("Test participants")
    walk.fill(editors="3", raters="2")
    walk.press("Simulate")
    walk.page.get_by_text("Done.").wait_for()
    walk.open("test-people/")
    walk.page.get_by_text("Remove 5 test participants…").click()
    walk.press("Remove them")
    walk.page.get_by_text("There are none.").wait_for()


def state(walk: Walk) -> None:
    walk.open("")
    walk.show("#state")


def opened(walk: Walk) -> None:
    walk.page.get_by_role("button", name="Open", exact=True).click()
    walk.page.get_by_text("The campaign is open.").wait_for()


def of_demo(path: str, at: str) -> Step:
    """Return a step that opens a page of the demonstration, and scrolls to something on it."""

    def step(walk: Walk) -> None:
        walk.page.goto(f"{walk.address}/campaigns/demo/{path}")
        walk.show(at)

    return step


WAY: Mapping[str, Step] = {
    "new-campaign": new_campaign,
    "texts": texts,
    "pay": pay,
    "consent": consent,
    "questions": questions,
    "link": link,
    "shortening": shortening,
    "rating": rating,
    "simulated": simulated,
    "state": state,
    "opened": opened,
}
"""The way of a new campaign from nothing until it is open."""
DEMO_PAGES: Mapping[str, tuple[str, str]] = {
    "tour": ("", "main h1"),
    "dashboard": ("", "#today"),
    "lists": ("participants/edit/lists/", "main h1"),
    "release": ("releases/1/", "main h1"),
}
"""Pages of the demonstration, and what is shown at the top of their pictures."""
NOT_KEPT = {"new-campaign", "texts", "rating", "simulated", "opened"}
STEPS = {**WAY, **{name: of_demo(*page) for name, page in DEMO_PAGES.items()}}
PICTURES = [name for name in STEPS if name not in NOT_KEPT]


def handbook_pictures(browser: Browser, address: str, log_in: Callable[[Page], None]) -> None:
    """Walk all the way, and keep the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    page = browser.new_page(viewport=SIZE, color_scheme="light", device_scale_factor=1)
    blank = browser.new_page()
    log_in(page)
    walk = Walk(page, address)
    for name, step in STEPS.items():
        step(walk)
        if name in PICTURES:
            screenshot = page.screenshot(animations="disabled", caret="hide")
            (FOLDER / f"{name}.png").write_bytes(small_png(screenshot, blank))
    page.context.close()
    blank.context.close()
