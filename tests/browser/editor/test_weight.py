"""What the editing page weighs, and whom it asks."""

import gzip
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response
from pytest_django.live_server_helper import LiveServer

from crowd.default_texts import default_texts
from tests.support.browser import chromium, open_task, saved, write
from tests.support.factories import import_texts, make_campaign

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium() is None, reason="no Chromium was found"),
]

MAX_BYTES = 60_000


def bytes_sent(response: Response) -> int:
    """What goes over the wire: static files are kept compressed by a server that has collected them."""
    if "/static/" in response.url:
        return len(gzip.compress(response.body()))
    return response.request.sizes()["responseBodySize"]


def test_the_editing_page_is_light_and_asks_nobody_else(page: Page, live_server: LiveServer) -> None:
    source = ("The committee met on Tuesday evening and agreed to repair the old wooden bridge soon, " * 7)[:599]
    asked: list[str] = []
    answers: list[Response] = []
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
    assert len(weights) > 10  # the page, its style, its modules
    assert sum(weights.values()) < MAX_BYTES, weights
