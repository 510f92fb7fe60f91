"""The page of the API and the page of tokens, in a browser, under the policy that all pages have."""

import json

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.support.factories import make_staff

PASSWORD = "correct horse battery"


def test_swagger_ui_lists_the_operations_and_loads_nothing_from_elsewhere(page: Page, live_server: LiveServer) -> None:
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{live_server.url}/api/")

    page.get_by_role("button", name="Expand operation").first.wait_for(state="attached", timeout=20_000)
    page.locator(".opblock-tag", has_text="campaigns").first.click()
    expect(page.get_by_text("List the campaigns that you are staff of").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert [url for url in asked if not url.startswith((live_server.url, "data:"))] == []


def test_a_token_made_on_the_page_reads_the_campaigns(page: Page, live_server: LiveServer) -> None:
    user = make_staff()
    user.set_password(PASSWORD)
    user.save()
    page.goto(f"{live_server.url}/login/?next=/account/tokens/")
    page.get_by_label("username").fill(user.username)
    page.get_by_label("password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()

    page.get_by_label("name").fill("A notebook")
    page.get_by_label("your password").fill(PASSWORD)
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("#token").inner_text()

    answer = page.request.get(f"{live_server.url}/api/v1/campaigns/", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status, json.loads(answer.body())) == (200, {"cursor": None, "results": []})
    page.get_by_text("Revoke…").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("revoked")).to_be_visible()
    gone = page.request.get(f"{live_server.url}/api/v1/campaigns/", headers={"Authorization": f"Bearer {token}"})
    assert gone.status == 401
