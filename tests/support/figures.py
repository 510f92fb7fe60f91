"""The files of a report's figures, as a reader of its pages finds them."""

import csv
import json
import re
from collections import Counter
from html import unescape
from io import StringIO
from urllib.parse import urlsplit
from xml.etree import ElementTree

from django.test import Client

from common.spreadsheets import as_before_defusing
from tests.support.factories import readable

SVG = "{http://www.w3.org/2000/svg}"
TAB = re.compile(r'<a href="([^"]*)"[^>]*>')
TABS = re.compile(r'<nav class="tabs"[^>]*aria-label="Parts of the report".*?</nav>', re.DOTALL)
FILE = re.compile(r'href="([^"]*/figures/[^"]*)"')
REFERENCE = re.compile(r"(?:href|src)=|url\(|@import|https?://(?!www\.w3\.org/)")
CLASSES = re.compile(r'class="([^"]+)"')
BARE = {"standalone", "label", "dot-name"}
"""Classes that look like any text of the file, or like a picture."""


def figures_of(client: Client, address: str) -> set[str]:
    """Return the addresses of all figures of a report without their endings, each file of them held to the others."""
    first = readable(client.get(address))
    tabs = TABS.search(first)
    assert tabs, address
    return figures_on(client, *(unescape(link) for link in TAB.findall(tabs.group())))


def figures_on(client: Client, *addresses: str) -> set[str]:
    """Return the same of the figures on some pages, whatever they are pages of."""
    pages = [readable(client.get(each)) for each in addresses]
    found = {unescape(each) for page in pages for each in FILE.findall(page)}
    by_figure = Counter(urlsplit(each).path.rpartition(".")[0] for each in found)
    for name in by_figure:
        own = {_ending(each): each for each in found if urlsplit(each).path.startswith(f"{name}.")}
        _files_agree({ending: _content(client, each) for ending, each in own.items()})
    return set(by_figure)


def _ending(address: str) -> str:
    return urlsplit(address).path.rpartition(".")[2]


def _content(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    content: str = response.content.decode()
    return content


def _files_agree(files: dict[str, str]) -> None:
    assert set(files) == {"svg", "csv", "json", "html"}
    root = ElementTree.fromstring(files["svg"])
    styles = root.findtext(f"{SVG}style") or ""
    classes = {name for each in CLASSES.findall(files["svg"]) for name in each.split()}
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    assert not REFERENCE.search(files["svg"])
    assert {name for name in classes - BARE if f".{name}" not in styles} == set()

    lines = csv.DictReader(StringIO(files["csv"]))
    rows = [{name: as_before_defusing(cell) for name, cell in line.items()} for line in lines]
    values = json.loads(files["json"])["data"]["values"]
    assert [{name: _text(value) for name, value in each.items()} for each in values] == rows
    drawn = [each for each in root.iter() if each.find(f"{SVG}title") is not None and each is not root]
    if "label" in rows[0]:
        assert len(drawn) == sum(bool(row["value"] or row.get("low")) for row in rows)
    else:  # points of curves are rows, too
        assert len(drawn) <= len(rows)
    assert files["html"].count("<svg") >= files["svg"].count("<svg")


def _text(value: object) -> str:
    return "" if value is None else str(value)
