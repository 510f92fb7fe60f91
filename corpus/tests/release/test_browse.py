"""The texts of a release, read on a page and on the site in its files."""

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compressions.services.outputs import Output, outputs_add
from corpus.browse import found, steps
from corpus.browse.compared import compared, words_of
from corpus.browse.shown import Showing
from corpus.browse.site import site_write
from corpus.browse.steps import history_of
from corpus.description.facts import ReleaseFacts
from corpus.formats.jsonl import jsonl_line
from corpus.models import Release
from corpus.release.folder import ReleaseFolder
from corpus.release.records import (
    ReleasedAlignment,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
)
from corpus.selectors import release_sources
from crowd.models import Campaign, Worker
from tests.support.factories import (
    RATE,
    enrol,
    freeze,
    judged_campaign,
    make_staff,
    rate_all,
    readable,
    staff_client,
)
from tests.support.stored import release_folder

NASTY = '<script>alert(1)</script> & "quoted" </article>'


def page_of(client: Client, release: Release, query: str = "") -> str:
    response = client.get(reverse("corpus:browse", args=[release.campaign.slug, release.version]) + query)
    assert response.status_code == 200
    return readable(response)


@pytest.fixture
def release(db: None) -> Release:
    """Four sources by two editors and a system, rated by two people; the first has a text in which something moved."""
    campaign = judged_campaign(sources=4, editors=2, scores=((3, 2), (2, 1)), slug="read", owner=make_staff("owner"))
    outputs = [
        Output(line, source_id, text[:60])
        for line, (source_id, text) in enumerate(campaign.sources.values_list("source_id", "text"), start=1)
        if source_id != "4"
    ]
    outputs_add(campaign=campaign, system="half", outputs=outputs)
    rate_all(enrol(campaign, RATE, "of-outputs"))
    return freeze(campaign, seed=7)


def site_of(release: Release) -> dict[str, str]:
    folder = release_folder(release) / "browse"
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.django_db
def test_page_and_site_show_every_text_with_its_ratings_and_how_it_was_written(release: Release) -> None:
    site = site_of(release)
    assert set(site) == {"index.html", "texts-1.html", "texts.js", "browse.js", "browse.css"}
    client = staff_client_of(release)
    with CaptureQueriesContext(connection) as of_one:
        page_of(client, release, "?after=3")
    with CaptureQueriesContext(connection) as of_all:
        page = page_of(client, release)
    assert len(of_all) == len(of_one)
    for shown in (page, site["texts-1.html"]):
        for source in release_sources(release):
            assert source.text in shown
            for text in source.texts:
                assert f"How editor {text.editors[0]} wrote it: 1 step" in shown
        assert shown.count("<h3>System half</h3>") == 3
        assert shown.count("Ratings: Meaning 3, 2 (mean 2.50); Grammar 2, 1 (mean 1.50); by ") == 8
        assert "<del>" in shown
        assert "<ins>" in shown


def staff_client_of(release: Release) -> Client:
    owner = release.campaign.memberships.get().user
    return staff_client(owner)


@pytest.mark.django_db
def test_the_site_needs_no_host_and_knows_nobody(release: Release) -> None:
    site = site_of(release)
    pages = {name: text for name, text in site.items() if name.endswith(".html")}
    for name, text in pages.items():
        assert "default-src 'none'" in text, name
        assert "<script>" not in text, name
        assert "style=" not in text, name
    everything = "".join(site.values())
    assert "//" not in everything.replace("// ", "")  # no address of a host
    ids = set(Worker.objects.exclude(external_id="").values_list("external_id", flat=True))
    assert len(ids) == 5
    for private in ids:
        assert private not in everything
    rows = json.loads(site["texts.js"].removeprefix("const texts = ").strip().removesuffix(",\n];") + "]")
    assert [(page, number) for page, number, *_ in rows] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert sorted(row[2] for row in rows if row[5] == ["half"]) == ["1", "2", "3"]
    files = {file["name"] for file in json.loads((release_folder(release) / "manifest.json").read_text())["files"]}
    assert files >= {f"browse/{name}" for name in site}
    assert "<code>browse/index.html</code>" in readable(
        staff_client_of(release).get(reverse("corpus:release", args=["read", 1]))
    )


@pytest.mark.django_db
def test_a_page_finds_texts_and_goes_on_where_it_stopped(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    client = staff_client_of(release)
    ids = [source.source_id for source in release_sources(release)]

    def found_ids(query: str) -> list[str]:
        page = page_of(client, release, query)
        return [each for each in ids if f"<bdi>{each}</bdi>" in page]

    assert found_ids("?q=VERSION+2") == ids
    assert found_ids("?q=bridge+number+3") == ["3"]
    assert found_ids("?system=half") == [each for each in ids if each != "4"]
    assert found_ids("?genre=Letters") == ids
    assert found_ids("?q=nowhere") == []
    assert found_ids("?after=3") == ids[3:]
    monkeypatch.setattr(found, "SOURCES_AT_ONCE", 2)
    page = page_of(client, release, f"?q=bridge+number+{ids[3]}")
    assert "0 sources found among sources 1 to 2 of 4." in page
    assert f"?q=bridge+number+{ids[3]}&after=2" in page
    assert f"<bdi>{ids[3]}</bdi>" in page_of(client, release, f"?q=bridge+number+{ids[3]}&after=2")
    for query in ("?split=none", "?after=-1", "?after=x", "?q=" + "a" * 201):
        address = reverse("corpus:browse", args=["read", 1])
        assert client.get(address + query).status_code == 422


@pytest.mark.django_db
def test_a_release_without_logs_or_site_is_read_and_one_that_is_not_there_is_not(release: Release) -> None:
    client = staff_client_of(release)
    (release_folder(release) / "edit_logs.jsonl").unlink()
    Release.objects.update(summary={**release.summary, "edit_logs": 0})
    release.files.filter(name__startswith="browse/").delete()
    assert "wrote it" not in page_of(client, release)
    assert "browse/index.html" not in readable(client.get(reverse("corpus:release", args=["read", 1])))
    address = reverse("corpus:browse", args=["read", 1])
    (release_folder(release) / "corpus.jsonl").unlink()
    assert client.get(address).status_code == 404
    Release.objects.update(state=Release.State.FAILED)
    assert client.get(address).status_code == 404


def test_texts_are_escaped_split_into_pages_and_the_same_each_time(tmp_path: Path) -> None:
    rating = ReleasedRating("<b>", {"meaning": 3})
    sources = [
        ReleasedSource(
            str(number),
            NASTY,
            NASTY,
            1,
            "",
            str(number),
            "train",
            [ReleasedText(f"{NASTY} {place}", (NASTY,), (rating,)) for place in range(100)],
            [ReleasedOutput(NASTY, NASTY, (), is_over_length=True)],
            [ReleasedComparison(NASTY, "other", (rating,))],
        )
        for number in range(6)
    ]
    campaign = Campaign(slug="nasty", name=NASTY, language="en")
    release = Release(campaign=campaign, version=1, data_statement={})
    facts = ReleaseFacts(release, {"sources": 6, "compressions": 600, "ratings": 600}, {"work": []}, None)
    written = []
    for name in ("one", "two"):
        with ReleaseFolder(tmp_path / name) as folder:
            folder.write("corpus.jsonl", b"".join(map(jsonl_line, sources)))
            folder.write("edit_logs.jsonl", b"")
            site_write(folder, facts, len(sources), lambda _done, _of: None)
            written.append([file for file in folder.files if file.name.startswith("browse/")])
    assert written[0] == written[1]
    assert [file.name for file in written[0] if "texts-" in file.name] == ["browse/texts-1.html", "browse/texts-2.html"]
    for path in (tmp_path / "one/browse").glob("*.html"):
        assert "alert(1)</script>" not in path.read_text()
        assert path.read_text().count("<article") == path.read_text().count("</article>")
    assert 'href="texts-2.html" rel="next"' in (tmp_path / "one/browse/texts-1.html").read_text()
    assert 'href="texts-1.html" rel="prev"' in (tmp_path / "one/browse/texts-2.html").read_text()


@pytest.mark.parametrize(
    ("source", "text", "shown"),
    [
        (
            "The old bridge, at last, fell.",
            "the bridge fell.",
            ("The <del>old</del> bridge<del>, at last,</del> fell.", "the bridge fell."),
        ),
        ("A big car <i>", "A red car <i>", ("A <del>big</del> car &lt;i&gt;", "A <ins>red</ins> car &lt;i&gt;")),
        ("今天下雨了。", "今天雨。", ("今天<del>下</del>雨<del>了</del>。", "今天雨。")),
        ("a " * 400, "b " * 400, None),
    ],
)
def test_words_are_compared_in_order(source: str, text: str, shown: tuple[str, str] | None) -> None:
    marked = compared(source, words_of(source), text, None)
    assert (marked and (marked.source, marked.text)) == shown


def test_an_alignment_that_staff_corrected_tells_what_was_moved_and_said_otherwise() -> None:
    corrected = ReleasedAlignment(
        ("Today", "he", "bought", "a", "car"), ("He", "bought", "cars", "today"), (1, 2, 4, 0), 1
    )
    source = ReleasedSource("1", "", "Today he bought a car", 1, "", "1", "train")
    source.texts.append(ReleasedText("He bought cars today", ("1",), (), (), corrected))
    (text,) = Showing(()).of(1, source).texts
    assert text.marked
    assert text.marked.source == "Today he bought <del>a</del> car"
    assert text.marked.text == 'He bought <em class="paraphrased">cars</em> <span class="moved">today</span>'
    assert text.notes == ["Not rated", "The alignment was corrected by hand."]


def test_a_history_joins_what_was_done_in_one_go_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    log = [
        [8, "c", "", "deletion", 100],
        [7, "b", "", "deletion", 200],
        [3, " <", "", "deletion", 900],
        [3, ">", "", "deletion", 900],
        [0, "", "N", "typing", 1500],
        [1, "", "o", "typing", 1600],
        [2, "", "x" * 300, "paste", 70_000],
    ]
    history = history_of({"editor": "5", "text": "t", "log": log})
    assert history
    assert (history.number, history.left_out) == (4, "")
    assert history.steps.startswith(
        "<li>0.1 s deletion <del>bc</del></li><li>0.9 s deletion <del> &lt;&gt;</del></li>"
        "<li>1.5 s typing <ins>No</ins></li>"
    )
    assert "x" * 200 + "…</ins>" in history.steps
    monkeypatch.setattr(steps, "MOST_STEPS", 1)
    short = history_of({"editor": "5", "text": "t", "log": log})
    assert short
    assert (short.steps.count("<li>"), short.left_out) == (1, "The file edit_logs.jsonl has 3 more.")
    assert history_of({"editor": "5", "text": "t", "log": [["no log"]]}) is None
