"""The handbook: its page, its pictures, the names of pages and buttons in it, and the way through the app it tells."""

import re
import struct
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from crowd.models import JoinLink
from crowd.models.links import CODES
from dashboard.documents import document_from, document_read, names
from tests.support.world import STAFF, World

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from handbook_pictures import DEMO_PAGES, FOLDER, NOT_KEPT, PICTURES, SIZE, STEPS

ROOT = Path(__file__).resolve().parents[2]
HANDBOOK = (ROOT / "docs" / "handbook.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"!\[([^\]]+)\]\(\.\./static/handbook/([a-z-]+)\.png\)")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
WORDS_OF_ITS_OWN = {
    "bold",
    "Check:",
    "The question.",
    "Ethics approval.",
    "Pay.",
    "Time",
    "Pay per hour",
    "The texts",
    "Answer people.",
    "Requests of other browsers.",
    "Texts with problems.",
    "Participants.",
    "The same browser.",
    "Answer requests for erasure",
    "No file of a release has an ID",
}
INTERFACE = [
    *ROOT.glob("templates/**/*.html"),
    *(
        ROOT / path
        for path in (
            "dashboard/checklist.py",
            "dashboard/navigation.py",
            "dashboard/views/campaign_states.py",
            "agreement/kind.py",
            "edit_operations/kind.py",
            "evaluation/kind.py",
            "crowd/views/links.py",
            "ratings/participant_list.py",
            "crowd/models/links.py",
            "crowd/models/setting_words.py",
            "crowd/settings_tabs.py",
            "ratings/platform_lists.py",
        )
    ),
]
LARGEST, LARGEST_TOGETHER = 60_000, 600_000


def squeezed(text: str) -> str:
    return " ".join(unescape(text).split()).lower()


def interface() -> str:
    codes = [str(JoinLink._meta.get_field(name).verbose_name) for name in CODES]  # type: ignore[union-attr]
    return squeezed("\n".join([*codes, *(path.read_text(encoding="utf-8") for path in INTERFACE)]))


def test_every_picture_is_one_that_the_script_takes() -> None:
    named = [name for _alt, name in PICTURE.findall(HANDBOOK)]
    assert sorted(named) == sorted(PICTURES) == sorted(path.stem for path in FOLDER.iterdir())
    assert HANDBOOK.count("![") == len(named)
    assert set(STEPS) > NOT_KEPT


def test_pictures_are_small_and_of_one_size() -> None:
    files = {name: (FOLDER / f"{name}.png").read_bytes() for name in PICTURES}
    assert {struct.unpack(">II", file[16:24]) for file in files.values()} == {(SIZE["width"], SIZE["height"])}
    assert [name for name, file in files.items() if len(file) > LARGEST] == []
    assert sum(map(len, files.values())) <= LARGEST_TOGETHER


def test_pages_and_buttons_in_bold_are_in_the_interface() -> None:
    words = interface()
    named = {" ".join(name.split()) for name in BOLD.findall(HANDBOOK)} - WORDS_OF_ITS_OWN
    missing = [name for name in named if not re.search(rf"(?<!\w){re.escape(squeezed(name))}(?!\w)", words)]
    assert missing == []


def test_words_of_its_own_are_in_the_handbook() -> None:
    assert {" ".join(name.split()) for name in BOLD.findall(HANDBOOK)} >= WORDS_OF_ITS_OWN


def test_it_tells_ten_steps() -> None:
    steps = re.findall(r"^## (\d+)\. ", HANDBOOK, re.MULTILINE)
    assert [int(step) for step in steps] == list(range(1, 11))


@pytest.mark.django_db
def test_the_page_shows_all_of_it(client: Client) -> None:
    page = client.get("/handbook/").content.decode()
    for heading in document_read("handbook").contents:
        assert page.count(f'href="#{heading.anchor}"') >= 1
        assert page.count(f'id="{heading.anchor}"') == 1
    assert len(document_read("handbook").contents) == len(re.findall(r"^## ", HANDBOOK, re.MULTILINE))
    assert len(re.findall(r'<img src="/static/[^"]+" alt="[^"]+" width="1024" height="640"', page)) == len(PICTURES)


def test_every_document_is_in_the_index() -> None:
    listed = document_read("index").html + document_read("adr/index").html
    assert [name for name in names() - {"index"} if f'href="{document_read(name).address}"' not in listed] == []


def test_documents_lead_only_to_what_is_there() -> None:
    documents = {read.address: read for read in map(document_read, names())}
    for read in documents.values():
        anchors = [section.anchor for section in read.sections]
        assert len(anchors) == len(set(anchors)), read.name
        assert [
            path for path in re.findall(r'<img src="/static/([^"]+)"', read.html) if finders.find(path) is None
        ] == []
        for address, anchor in re.findall(r'<a href="(/[^"#]*)?(?:#([^"]*))?"', read.html):
            there = documents[address] if address else read
            there_are = {"", *(section.anchor for section in there.sections)}
            assert unquote(anchor) in there_are, f"{read.name}: {address}#{anchor}"


@pytest.mark.django_db
def test_sections_are_found_by_their_words(client: Client) -> None:
    page = client.get("/docs/", {"q": "Pilot  PEOPLE"}).content.decode()
    assert 'href="/handbook/#7-run-a-pilot"' in page
    assert "No section" not in page
    nothing = client.get("/docs/", {"q": "no-such-word <b>"}).content.decode()
    assert "0 sections with “no-such-word &lt;b&gt;”" in nothing
    assert client.get("/docs/", {"q": " "}).content == client.get("/docs/").content
    assert client.get("/docs/", {"q": "e" * 10_000}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["nothing", "../README", "handbook.md", "images/editor"])
def test_only_documents_are_served(client: Client, path: str) -> None:
    assert client.get(f"/docs/{path}/").status_code == 404


@pytest.mark.django_db
def test_it_is_read_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/handbook/")
    monkeypatch.setattr(Path, "read_text", lambda *_arguments, **_options: pytest.fail("it was read again"))
    assert client.get("/handbook/").status_code == 200


def test_html_in_it_is_shown_as_it_is_written() -> None:
    read = document_from(
        "# A\n\n## B & C\n\n<b>bold</b> [one](glossary.md#term) [two](#b-c) [three](javascript:alert) "
        "[four](../Makefile)\n\n## B & C\n\n|a|\n|-|\n|b|"
    )
    assert [(heading.anchor, heading.title) for heading in read.contents] == [("b-c", "B & C"), ("b-c-1", "B & C")]
    assert "&lt;b&gt;bold&lt;/b&gt;" in read.html
    assert '<a href="/docs/glossary/#term">one</a>' in read.html
    assert '<a href="#b-c">two</a>' in read.html
    assert "javascript:" not in re.findall(r'href="([^"]*)"', read.html)
    assert "four (Makefile)" in read.html
    assert "<td>b</td>" in read.html


@pytest.mark.django_db
def test_every_page_of_staff_and_the_login_lead_to_it(world: World, client: Client) -> None:
    staff = world.client(STAFF)
    for path in ("/campaigns/", f"/campaigns/{world.campaign.slug}/", "/account/", "/handbook/"):
        assert 'href="/handbook/"' in staff.get(path).content.decode()
    assert 'href="/handbook/"' in client.get("/login/").content.decode()
    assert 'href="/handbook/"' not in client.get(f"/join/{world.token}/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "at"), DEMO_PAGES.values(), ids=DEMO_PAGES)
def test_pages_of_the_pictures_are_there(world: World, path: str, at: str) -> None:
    page = world.client(STAFF).get(f"/campaigns/{world.campaign.slug}/{path}")
    assert page.status_code == 200
    assert (f'id="{at[1:]}"' if at.startswith("#") else f"<{at.removeprefix('main ')}") in page.content.decode()
