"""What pictures of the demonstration have in common: where it is, and how staff and an editor come in."""

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page


@dataclass(frozen=True)
class Demo:
    """The running demonstration: its URL, links and password, as printed by `manage.py start`, and its folder."""

    url: str
    editor_link: str
    rater_link: str
    password: str
    data: Path


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
