"""The tables of a report on operations on a phone: whole words, and captions that are seen whole."""

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from edit_operations.report_page import TABS
from edit_operations.tests.releases import computed, released_with, varied
from tests.support.browser import staff_in
from tests.support.factories import make_staff

CUT_CAPTIONS = """boxes => boxes
  .map(box => [box.clientWidth, box.querySelector("caption").getBoundingClientRect().width])
  .filter(([seen, caption]) => caption > seen + 1)"""
# A word that is broken has a box on each of its lines.
BROKEN_WORDS = r"""cells => cells.flatMap(cell => {
  const found = [], walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const { index, 0: word } of walker.currentNode.data.matchAll(/[\p{L}]+/gu)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  }
  return found;
})"""


def test_words_are_whole_and_captions_seen_on_a_phone(page: Page, live_server: LiveServer) -> None:
    owner = make_staff()
    release = released_with(varied(), owner=owner)
    computed(release)
    staff_in(page.context, live_server.url, owner)
    page.set_viewport_size({"width": 360, "height": 800})

    place = f"{live_server.url}/campaigns/{release.campaign.slug}/releases/{release.version}/operations/"
    counted = 0
    for tab in ("", *(f"{each.key}/" for each in TABS)):
        page.goto(place + tab)
        tables = page.locator(".table.matrix:has(caption)")
        counted += tables.count()
        assert tables.evaluate_all(CUT_CAPTIONS) == [], tab
        assert page.locator("table.estimates :is(th, td)").evaluate_all(BROKEN_WORDS) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, tab
    assert counted >= 8
