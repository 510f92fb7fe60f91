"""Use a site as its first account does: log in, make a campaign, and have a release of the demonstration frozen.

    python3 deployed_site.py https://precis.example.org USER PASSWORD

Needs nothing but Python, so that it can run on the server. Ends with an error if the site does not do what it should.
"""

import http.cookiejar
import re
import sys
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

RELEASE_SECONDS = 60


class Browser:
    """Keeps cookies and sends forms with the token that the page gave; certificates are verified."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.opener = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.page, self.at = "", ""

    def visit(self, path: str, form: dict[str, str] | None = None) -> None:
        sent = urlencode(form).encode() if form is not None else None
        request = Request(self.site + path, sent, {"Referer": self.site + path})  # noqa: S310  (https, as given)
        try:
            with self.opener.open(request, timeout=60) as answer:
                self.page, self.at = answer.read().decode(), answer.url.removeprefix(self.site)
        except HTTPError as error:
            sys.exit(f"{path}: {error.code}\n{error.read().decode(errors='replace')[:2000]}")

    def send(self, path: str, **form: str) -> None:
        self.visit(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.page)
        if not token:
            sys.exit(f"{path} has no form")
        self.visit(path, {**form, "csrfmiddlewaretoken": token[1]})


def main() -> None:
    site, user, password = sys.argv[1:]
    browser = Browser(site)
    browser.send("/login/", username=user, password=password)
    if not browser.at.startswith("/campaigns/"):
        sys.exit(f"The login led to {browser.at}.")
    make_campaign(browser)
    freeze(browser)


def make_campaign(browser: Browser) -> None:
    browser.send(
        "/campaigns/new/",
        name="Deployed",
        slug="deployed",
        editors_per_source="2",
        raters_per_compression="2",
        rating_task="single",
        page_language="en",
    )
    if browser.at != "/campaigns/deployed/":
        sys.exit(f"The new campaign led to {browser.at}.")


def freeze(browser: Browser) -> None:
    """Ask for a release and wait until the worker has written its files."""
    browser.send("/campaigns/demo/releases/freeze/", **form_of(browser, "/campaigns/demo/releases/freeze/"))
    ends = time.monotonic() + RELEASE_SECONDS
    while "manifest.json" not in browser.page:
        if time.monotonic() > ends:
            sys.exit(f"No release after {RELEASE_SECONDS} seconds.")
        time.sleep(0.5)
        browser.visit("/campaigns/demo/releases/1/")


def form_of(browser: Browser, path: str) -> dict[str, str]:
    """Return what the form has in its boxes before anybody types."""
    browser.visit(path)
    boxes = re.findall(r"<input\b[^>]*>", browser.page)
    named = ((re.search(r'name="([^"]+)"', box), re.search(r'value="([^"]*)"', box)) for box in boxes)
    return {name[1]: value[1] for name, value in named if name and value and name[1] != "csrfmiddlewaretoken"}


if __name__ == "__main__":
    main()
