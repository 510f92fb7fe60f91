"""The report on linked sentences: its figures, its page, its files, and what comes with its request."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from common.errors import Refused
from crowd.models import Campaign
from measures.clustering import LinkClassifier
from measures.clustering.tests.golden_values import GOLDEN
from protocols.links import divided, predicted
from protocols.links import rows as of
from protocols.links.documents import linked_documents
from protocols.links.material import body_of
from protocols.links.others import OthersLinks, others_check, others_links
from protocols.links.page import answer_of
from protocols.links.parameters import LinksParameters
from protocols.links.report import KIND
from protocols.links.rows import Row
from protocols.links.tests.examples import ABSTRACT, LINKS, SENTENCES, line
from protocols.links.tests.planted import QUICK, answer_all, links_campaign, planted_campaign
from protocols.selectors import GivenAnswer
from protocols.task import Subject
from reports.models import Report
from reports.published import published_table
from reports.services import report_compute, report_get_or_create
from tests.support.factories import readable, silent, staff_client
from tests.support.reports import every_tab

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def computed(campaign: Campaign, parameters: LinksParameters = QUICK, others: OthersLinks | None = None) -> Report:
    asked = report_get_or_create(kind=KIND, on=campaign, parameters=parameters, attached=others or OthersLinks())
    report_compute(report=asked, progress=silent)
    return Report.objects.get(pk=asked.pk)


def rows(report: Report, table: str, **wanted: str) -> list[Row]:
    found = [row for row in report.rows or [] if row["table"] == table]
    return [row for row in found if all(row[name] == each for name, each in wanted.items())]


def value(report: Report, table: str, **wanted: str) -> Any:
    (found,) = rows(report, table, **wanted)
    return found["value"]


def two_people(case: dict[str, Any]) -> Campaign:
    """Two people whose communities are those of a golden case."""
    ids = [str(node) for node in range(case["n"])]
    sentences = [{"id": each, "text": f"Sentence {each}."} for each in ids]
    most = max(len(case["a"]), len(case["b"]))
    abstract = [{"id": f"s{place}", "text": f"Part {place}."} for place in range(most)]
    campaign = links_campaign([line("golden", "", sentences=sentences, abstract=abstract)])
    for name in "ab":
        links = {f"s{place}": [str(node) for node in each] for place, each in enumerate(case[name])}
        answer_all(campaign, name, {"golden": links})
    return campaign


@pytest.mark.parametrize("case", [GOLDEN["omega"][0], GOLDEN["omega"][4], GOLDEN["omega"][5]])
def test_the_omega_of_people_is_the_golden_one(case: dict[str, Any]) -> None:
    report = computed(two_people(case))

    assert value(report, of.PEOPLE, figure="omega") == pytest.approx(case["omega"], abs=1e-8)
    assert "95%" not in KIND.page(report, {})["answer"][0]  # type: ignore[arg-type]


def test_nothing_to_tell_apart_is_undefined_and_said() -> None:
    report = computed(two_people(GOLDEN["omega"][3]))

    (row,) = rows(report, of.PEOPLE, figure="omega")
    assert row["value"] is None
    assert row["reason"] == "no comparison has a value"
    assert "not known" in KIND.page(report, {})["answer"][0]  # type: ignore[arg-type]


@pytest.fixture
def report() -> Report:
    return computed(planted_campaign())


def test_planted_communities_and_links_are_found(report: Report) -> None:
    everyone = {"against": of.EVERYONE, "figure": "omega"}
    people = value(report, of.PEOPLE, figure="omega")
    assert 0.8 < people < 1
    assert value(report, of.OMEGA, graph=of.ALL, one="CONGA", **everyone) > 0.8
    own = {"graph": of.OWN, "against": of.THEMSELVES, "one": "CONGA", "figure": "omega"}
    assert value(report, of.OMEGA, **own) > people
    chance = {"graph": of.ALL, "against": of.EVERYONE, "one": "CONGA", "figure": "chance"}
    assert value(report, of.OMEGA, **chance) < 0.6
    assert len(rows(report, of.NUMBERS, graph=of.ALL, one="CONGA")) == 39
    assert len(rows(report, of.TESTS, graph=of.ALL, figure="paired t")) == 3
    assert value(report, of.SIZES, one="people", figure="communities") == 3
    assert report.pinned["wanted"] == [3]
    macro = {"against": "macro"}
    lower = {
        figure: value(report, of.LINKS, one=predicted.LOWER_BOUND, figure=figure, **macro)
        for figure in predicted.FIGURES
    }
    assert (lower["recall"], lower["auroc"]) == (1, 0.5)
    assert value(report, of.LINKS, one=predicted.CLASSIFIER, figure="auroc", **macro) > 0.9
    assert value(report, of.LINKS, one=predicted.MESSAGES, figure="precision", **macro) == 1
    (area,) = rows(report, of.LINKS, one=predicted.MESSAGES, figure="auroc", against="macro")
    assert area["value"] is None
    pairs = {(row["one"], row["other"]) for row in rows(report, of.TRANSFER)}
    assert len(pairs) == 9
    assert all(row["n"] == 4 for row in rows(report, of.TRANSFER, figure="kappa"))


def test_the_page_answers_first_and_files_hold_the_rest(report: Report) -> None:
    campaign = report.of_campaign
    client = staff_client(campaign.memberships.get().user)
    page = readable(every_tab(client, f"/campaigns/{campaign.slug}/communities/"))

    assert "People agree on communities with a mean Omega of" in page
    assert "With so few documents, that says nothing of others." in page
    assert ".209" in page  # the people of the paper
    assert published_table("MU12", "Table 2").lines[3][1][0].printed == "0.209"  # type: ignore[union-attr]
    assert page.count('class="fill"') == 4 * (1 + 3 * 2)
    _check_files(client, campaign)


def _check_files(client: Client, campaign: Campaign) -> None:
    """Covers, links, graphs and trees."""

    def body(name: str, *args: Any, asked: str = "") -> str:
        answer = client.get(reverse(f"protocols:links:{name}", args=[campaign.slug, *args]) + asked)
        assert answer.status_code == 200
        return b"".join(answer).decode()

    covers = [json.loads(each) for each in body("files", "jsonl").splitlines()]
    assert len(covers) == 4 * (3 + 2 * 3)
    assert covers[0]["communities"][0] == ["0", "1", "2", "3"]
    edges = list(csv.DictReader(io.StringIO(body("files", "tsv")), delimiter="\t"))
    assert {each["graph"] for each in edges} == {of.PREDICTED, of.ALL}
    for_graph = "?graph=links+of+all+people&n=2"
    graph = ElementTree.fromstring(body("graph", 1, "graphml", asked=for_graph))
    name = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(graph.findall(f".//{name}node")) == 12
    assert len(graph.findall(f".//{name}edge")) == sum(
        each["document"] == "talk 0" and each["graph"] == of.ALL for each in edges
    )
    assert body("graph", 1, "newick").count("(") == body("graph", 1, "newick").count(")") > 3
    assert json.loads(body("graph", 1, "json"))["branches"]
    shown = {
        n: readable(client.get(reverse("protocols:links:document", args=[campaign.slug, 1]) + f"?n={n}"))
        for n in (3, 5)
    }
    assert "showing 3" in shown[3]
    assert shown[3] != shown[5]
    for address in (("files", "xml"), ("graph", 1, "gif"), ("graph", 9, "json"), ("document", 9)):
        assert (
            client.get(reverse(f"protocols:links:{address[0]}", args=[campaign.slug, *address[1:]])).status_code == 404
        )
    wrong = reverse("protocols:links:document", args=[campaign.slug, 1]) + "?n=none"
    assert client.get(wrong).status_code == 422


GOLD = '{"document": "talk 0", "annotator": "gold", "abstract_sentence": "1", "sentences": ["0", "1"]}'
EDGES = "document\ta\tb\tscore\ntalk 0\t0\t1\t0.9\ntalk 0\t2\t1\t0.8\ntalk 0\t4\t5\t0.2\n"


def test_links_made_elsewhere_come_with_the_request() -> None:
    campaign = planted_campaign(documents=2, people=2)
    client = staff_client(campaign.memberships.get().user)
    content = f"{GOLD}\n{EDGES}".encode()

    sent = client.post(
        f"/campaigns/{campaign.slug}/communities/reports/",
        {"copies": "1", "shuffles": "10", "links_file": SimpleUploadedFile("links.txt", content)},
    )

    assert sent.status_code == 302
    asked = Report.objects.get()
    report_compute(report=asked, progress=silent)
    report = Report.objects.get()
    (first, _second) = report.figures["documents"]
    assert [each["annotator"] for each in first["people"]][-1] == "gold"
    assert first["graphs"][of.PREDICTED]["edges"] == [[0, 1], [1, 2]]
    assert value(report, of.LINKS, one=predicted.FILE, figure="precision", against="macro") == 1
    assert len(report.pinned["others_sha256"]) == 64


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff", "not UTF-8"),
        (b"{", "line 1: this is not JSON"),
        (b'{"document": "talk 0"}', "a link has"),
        (GOLD.replace('"1"]', "[]]").encode(), "names are texts"),
        (b"talk 0\t1", "a predicted link has"),
        (b"talk 0\t1\t2\tx", "not a number"),
        (b"talk 0\t1\t2\tnan", "from 0 to 1"),
        (b"talk 0\t1\t1\t1", "linked to itself"),
        (b"talk 0\t1\t2\ntalk 0\t2\t1", "line 2: the pair is there"),
        (b"talk 9\t1\t2", "no document talk 9"),
        (b"talk 0\t1\t99", "no sentence 99"),
        (GOLD.replace('"1"]', '"77"]').encode(), "no sentence 77"),
        (b"x" * 4_000_001, "bytes"),
        (b"\n" * 200_001, "more than 200,000 lines"),
    ],
)
def test_a_file_of_links_that_cannot_be_used_is_refused_with_its_line(content: bytes, words: str) -> None:
    ids = {"talk 0": {str(place): place for place in range(12)}}

    with pytest.raises(Refused, match=words):
        others_check(others_links(content), ids)


def test_what_is_no_nearer_than_chance_is_said_to_be_that(report: Report) -> None:
    assert "nearest to those of people" in answer_of(report)[1] or "equally near" in answer_of(report)[1]
    for each in report.rows or []:
        if each["table"] == of.OMEGA and each["figure"] == "chance":
            each["value"] = 0.999
    assert answer_of(report)[1].endswith("Of shuffled communities, 97.5% are below 0.999.")
    for each in report.rows or []:
        if each["table"] == of.OMEGA:
            each["value"] = None if each["figure"] == "chance" else -0.1
    assert answer_of(report)[1].endswith("nearer to people than chance: Omega is at most −0.100.")


def test_too_much_work_is_refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = planted_campaign(documents=2, people=2)
    monkeypatch.setattr(divided, "MOST_WORK", 100)
    asked = report_get_or_create(kind=KIND, on=campaign, parameters=QUICK)

    with pytest.raises(Refused, match=r"graphs with 2 copies is [\d,.]+ times more"):
        report_compute(report=asked, progress=silent)


def test_without_scikit_learn_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_args: Any, **_options: Any) -> None:
        raise ModuleNotFoundError("sklearn")

    monkeypatch.setattr(LinkClassifier, "trained", absent)
    monkeypatch.setattr(predicted, "annotator_transfers", absent)
    report = computed(planted_campaign(documents=2, people=2))

    reasons = {row["reason"] for row in rows(report, of.LINKS, one=predicted.CLASSIFIER)}
    assert reasons == {predicted.NOT_INSTALLED.reason}
    assert not rows(report, of.OMEGA, graph=of.PREDICTED)
    assert [row["reason"] for row in rows(report, of.TRANSFER)] == [predicted.NOT_INSTALLED.reason]


def test_parts_of_speech_of_the_material_are_the_classifiers() -> None:
    tagged = [SENTENCES[0] | {"tags": ["NN", "DT", "NN"]}, *SENTENCES[1:]]
    body = body_of({"sentences": tagged, "abstract": ABSTRACT})
    given = GivenAnswer("ann", Subject("talk", body, "", "", ""), {"links": LINKS}, 1, None)

    (document,) = linked_documents([given], OthersLinks(), {"talk": body["sentences"]}, "en")

    assert [each.tags for each in document.sentences] == [("DT", "NN"), *[()] * 5]


def test_lines_of_one_document_with_other_sentences_are_refused() -> None:
    campaign = links_campaign(
        [line("1", "A"), line("1", "B", sentences=line("1")["sentences"][:4], abstract=line("1")["abstract"][:1])]
    )
    answer_all(campaign, "somebody", {"1": {"s1": ["1"]}})

    with pytest.raises(Refused, match="document 1 have different sentences"):
        report_get_or_create(kind=KIND, on=campaign, parameters=QUICK)
