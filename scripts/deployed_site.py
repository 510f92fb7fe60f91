"""Use a site as its first account does: log in, make a campaign, and have a release of the demonstration frozen.

    python3 deployed_site.py https://precis.example.org USER PASSWORD

Needs nothing but Python, so that it can run on the server. Ends with an error if the site does not do what it should.
"""

import http.cookiejar
import sys
import time
from html.parser import HTMLParser
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
            sys.exit(f"{path}: {error.code}\n{error.read().decode(errors='replace')}")

    def send(self, path: str, **filled: str) -> None:
        """Send the form of the page with what it holds, changed as given."""
        self.visit(path)
        form = Form()
        form.feed(self.page)
        self.visit(path, {**form.fields, **filled})


class Form(HTMLParser):
    """What a browser would send of the forms of a page, but for choices from lists."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, kind = given.get("name") or "", given.get("type")
        if tag == "textarea" and name:
            self._textarea, self.fields[name] = name, ""
        elif tag == "input" and name and (kind not in {"radio", "checkbox", "file"} or "checked" in given):
            self.fields[name] = given.get("value") or ("on" if kind == "checkbox" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._textarea = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.fields[self._textarea] += data.removeprefix("\n")


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
    browser.send("/campaigns/demo/releases/freeze/")
    ends = time.monotonic() + RELEASE_SECONDS
    while "manifest.json" not in browser.page:
        if time.monotonic() > ends:
            sys.exit(f"No release after {RELEASE_SECONDS} seconds.")
        time.sleep(0.5)
        browser.visit("/campaigns/demo/releases/1/")


if __name__ == "__main__":
    main()
