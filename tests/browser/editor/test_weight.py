"""What the editing page weighs, and whom it asks."""

import gzip
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from playwright.sync_api import Page, Response, Route
from pytest_django.live_server_helper import LiveServer

from annotation.static_storage import bundled
from crowd.default_texts import default_texts
from tests.support.browser import open_task, saved, write
from tests.support.factories import import_texts, make_campaign

MAX_BYTES, MAX_REQUESTS = 50_000, 15
STATIC = Path(settings.BASE_DIR) / "static"


def bytes_sent(response: Response) -> int:
    """What goes over the wire: static files are kept compressed by a server that has collected them."""
    if "/static/" in response.url:
        return len(gzip.compress(response.body()))
    return response.request.sizes()["responseBodySize"]


def as_collected(route: Route) -> None:
    """Answer with a script as `collectstatic` makes it: one file with all that it imports."""
    script = bundled(
        urlsplit(route.request.url).path.removeprefix("/static/"), lambda name: (STATIC / name).read_text()
    )
    route.fulfill(body=script, content_type="text/javascript")


def test_the_editing_page_is_light_and_asks_nobody_else(page: Page, live_server: LiveServer) -> None:
    source = ("The committee met on Tuesday evening and agreed to repair the old wooden bridge soon, " * 7)[:599]
    asked: list[str] = []
    answers: list[Response] = []
    page.route("**/static/js/*.js", as_collected)
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda response: answers.append(response) if response.status == 200 else None)
    texts: dict[str, Any] = {**default_texts()}
    campaign = make_campaign(**texts)
    import_texts(campaign, [f"{source}."])
    open_task(page, live_server.url, campaign)
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Show differences").click()
    write(page, "They agreed.")
    saved(page, "They agreed.")

    weights = {answer.url: bytes_sent(answer) for answer in answers if answer.request.method == "GET"}
    assert {urlsplit(url).netloc for url in asked if url.startswith("http")} == {urlsplit(live_server.url).netloc}
    assert 2 < len(weights) < MAX_REQUESTS  # the page, its style, its script
    assert sum(weights.values()) < MAX_BYTES, weights


def test_every_script_can_be_put_into_one_file(page: Page) -> None:
    scripts = sorted(path.name for path in (STATIC / "js").glob("*.js"))
    assert len(scripts) > 5
    for name in scripts:
        page.evaluate(
            "(script) => void new Function(script)", bundled(f"js/{name}", lambda each: (STATIC / each).read_text())
        )
