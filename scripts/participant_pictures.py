"""Take the pictures of docs/participants.md: eight states of participants' pages, on a phone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from small_png import small_png

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images" / "participants"
PHONE: ViewportSize = {"width": 360, "height": 640}
KEYBOARD_OPEN: ViewportSize = {"width": 360, "height": 420}
SHORTER = "Bees find their way home by watching the position of the sun, even when it is hidden."
# A campaign whose pages and texts are in Arabic; what it prints is the token of its editors' link.
ARABIC = """
import json
from django.contrib.auth.models import User
from compressions.services.imports import source_import
from crowd.default_texts import default_settings
from crowd.services.campaigns import campaign_state_set
from crowd.services.campaigns import campaign_create
owner = User.objects.get(username="demo")
settings = default_settings("ar") | {"language": "ar", "page_language": "ar"}
campaign = campaign_create(owner=owner, name="عرض توضيحي", slug="demo-ar", **settings)
text = (
    "اجتمعت لجنة المدينة مساء يوم الثلاثاء لمدة ثلاث ساعات، ووافقت أخيرا على إصلاح الجسر الخشبي القديم "
    "فوق النهر قبل حلول الشتاء المقبل."
)
row = json.dumps({"id": "1", "genre": "News", "text": text}).encode()
source_import(campaign=campaign, file_name="texts.jsonl", content=row, strict=True, seed=1)
campaign_state_set(campaign=campaign, state="open", user=owner)
print(campaign.links.get(round="edit", platform_key="direct").token)
"""


def participant_pictures(browser: Browser, url: str, editor_link: str, rater_link: str, data: Path) -> None:
    """Take all pictures from a running demonstration, whose data lie in a folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    steps = [
        *editor(context, f"{editor_link}?participant=pictures-phone"),
        *rater(context, f"{rater_link}?participant=pictures-phone-rater"),
        *arabic(context, f"{url}/join/{arabic_token(data)}/?participant=pictures-arabic"),
    ]
    context.close()
    blank = browser.new_page()
    for name, screenshot in steps:
        (FOLDER / f"{name}.png").write_bytes(small_png(screenshot, blank))
    blank.close()


def editor(context: BrowserContext, link: str) -> Iterator[tuple[str, bytes]]:
    page = context.new_page()
    page.goto(link)
    yield "consent", page.screenshot()
    open_editor(page)
    yield "text", page.screenshot()
    page.set_viewport_size(KEYBOARD_OPEN)
    page.locator("#submit").click()
    page.get_by_role("alert").wait_for()
    yield "too-long", page.screenshot()
    page.set_viewport_size(PHONE)
    page.locator("#draft").fill("Bees dance.")
    page.locator("#submit").click()
    page.get_by_role("alert").wait_for()
    yield "very-short", page.screenshot()
    page.locator("#draft").fill(SHORTER)
    page.locator("#compare").click()
    page.evaluate("scrollTo(0, 0)")
    yield "differences", page.screenshot()
    context.set_offline(True)
    page.locator("#submit").click()
    page.get_by_role("alert").wait_for()
    yield "offline", page.screenshot()
    context.set_offline(False)
    page.close()


def open_editor(page: Page) -> None:
    for _ in ("consent", "guidelines"):
        page.locator("main button.main").click()
    page.wait_for_function("() => document.querySelector('#draft')?.readOnly === false")


def rater(context: BrowserContext, link: str) -> Iterator[tuple[str, bytes]]:
    page = context.new_page()
    page.goto(link)
    page.locator("main button.main").click()
    page.locator("main button.main").click()
    page.locator("main fieldset").first.wait_for()
    yield "practice", page.screenshot()
    page.close()


def arabic(context: BrowserContext, link: str) -> Iterator[tuple[str, bytes]]:
    page = context.new_page()
    page.goto(link)
    open_editor(page)
    yield "arabic", page.screenshot()
    page.close()


def arabic_token(data: Path) -> str:
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", ARABIC],
        cwd=ROOT,
        env=os.environ | {"PRECIS_DATA_DIR": str(data)},
        check=True,
        capture_output=True,
        text=True,
    )
    return made.stdout.split()[-1]
