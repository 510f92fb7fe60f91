"""Nuggets, what a good answer to a question says: imported, looked up with the scales that are marked, and released."""

import json
import re
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.models import Source
from compressions.services.imports import source_import
from compressions.services.retirement import source_correct
from corpus.formats.jsonl import CORPUS_FILE
from corpus.services.outputs import Taken, outputs_import
from corpus.tests.support.cards import card_of
from crowd.models import Campaign, Item
from dashboard.campaign_files.templates import TEMPLATES
from dashboard.services.previews import preview_create
from dashboard.simulation.crowd import crowd_simulate
from ratings.example_check import ExampleText
from ratings.selectors.setup_warnings import setup_warnings
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace
from tests.support.api_client import Api
from tests.support.factories import RATE, freeze, make_staff, readable, silent, staff_client, worker_client
from tests.support.settings import settings_change
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MARKET, CHEAP, WARM = "Why do people like the market?", "It is cheap and open late.", "It is warm."
QUESTIONS = [
    {"id": "1", "text": MARKET, "nuggets": ["It is <cheap>.", " It opens  late. ", ""]},
    {"id": "2", "text": "Why do people like the pool?"},
]
ANSWERS = [{"id": "1", "text": CHEAP}, {"id": "2", "text": WARM}]
TITLE = "What it should say"


def lines(*rows: object) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    make_staff("owner")
    template = TEMPLATES["question-answering"].content.decode()
    file = tmp_path / "answers.yaml"
    file.write_text(template.replace("    name: Content\n", "    name: Content\n    nuggets: true\n"), encoding="utf-8")
    call_command("create_campaign", str(file), "--slug=answers", "--owner=owner")
    campaign = Campaign.objects.get(slug="answers")
    qualification_items_replace(campaign=campaign, examples=[])
    settings_change(campaign, ratings_per_page=2, gold_percent=0, raters_per_compression=3)
    Item.objects.filter(gold__isnull=False).update(is_closed=True)
    assert source_import(campaign=campaign, file_name="q.jsonl", content=lines(*QUESTIONS), seed=1).added == 2
    outputs_import(campaign=campaign, system="M", file_name="m.jsonl", content=lines(*ANSWERS), taken=Taken(as_is=True))
    Campaign.objects.update(state="open")
    return Campaign.objects.get(pk=campaign.pk)


def boxes(page: str) -> list[str]:
    """Return the names of the scales that have a box, in each part of a page that has scales."""
    scales = re.findall(r'<fieldset class="scale.*?</fieldset>', page, re.DOTALL)
    return [re.findall(r"<strong>(.*?)</strong>", each)[0] for each in scales if TITLE in each]


def unmarked(campaign: Campaign) -> list[dict[str, object]]:
    return [{name: value for name, value in each.items() if name != "nuggets"} for each in campaign.scales]


def judged(client: Client) -> dict[str, str]:
    """Return the parts of a rater's page, by the text that is judged."""
    page = client.get("/work/", follow=True).content.decode()
    parts = page.split('<section class="judged"')[1:]
    return {re.findall(r'class="reading version"[^>]*>(.*?)</p>', each)[0]: each for each in parts}


def test_raters_can_open_them_with_the_scale_that_is_marked_where_there_are_some(campaign: Campaign) -> None:
    found = judged(worker_client(campaign, RATE, "ann"))

    assert {text: boxes(part) for text, part in found.items()} == {CHEAP: ["Content"], WARM: []}
    (box,) = re.findall(r'<details class="nuggets">.*?</details>', found[CHEAP], re.DOTALL)  # closed at first
    assert re.findall(r"<li>(.*?)</li>", box) == ["It is &lt;cheap&gt;.", "It opens late."]


def test_a_text_without_any_has_none_though_another_has_the_same_words(campaign: Campaign) -> None:
    Source.objects.filter(source_id="2").update(text=MARKET)

    found = judged(worker_client(campaign, RATE, "ann"))
    assert {text: boxes(part) for text, part in found.items()} == {CHEAP: ["Content"], WARM: []}


def test_those_of_texts_cost_no_query(campaign: Campaign) -> None:
    client = worker_client(campaign, RATE, "ann")
    address = client.get("/work/", follow=True).redirect_chain[-1][0]

    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            assert client.get(address).status_code == 200
        return len(counted)

    queries()  # the first one prepares the page
    marked = queries()
    Campaign.objects.update(scales=unmarked(campaign))
    assert queries() == marked


def test_a_corrected_text_keeps_them(campaign: Campaign) -> None:
    source = Source.objects.get(source_id="1")
    corrected = source_correct(
        source=source, text="Why do people like the market hall?", note="Typo.", work_is_kept=True, user=None
    )
    assert corrected.nuggets == source.nuggets


def test_a_preview_shows_those_of_questions_whichever_texts_it_copies(campaign: Campaign) -> None:
    more = [{"id": str(number), "text": f"Why do people like place {number}?"} for number in range(3, 9)]
    source_import(campaign=campaign, file_name="more.jsonl", content=lines(*more), seed=1)
    Item.objects.filter(source__source_id="1").update(position=Item.objects.latest("position").position + 1)
    qualification_items_replace(campaign=campaign, examples=[question_about(MARKET, "No.", is_practice=True)])

    client = worker_client(preview_create(campaign=campaign, work_round=RATE).campaign, RATE, "ann")
    assert boxes(client.get("/work/practice/1/").content.decode()) == ["Content"]


def test_without_a_scale_that_is_marked_nobody_sees_them(campaign: Campaign) -> None:
    Campaign.objects.update(scales=unmarked(campaign))

    assert [boxes(part) for part in judged(worker_client(campaign, RATE, "ann")).values()] == [[], []]


def question_about(question: str, compression: str, *, is_practice: bool = False) -> ExampleText:
    answers = {"content": [3], "coherence": [3]}
    return ExampleText(question, compression, answers, why="So it is.", is_practice=is_practice)


def test_questions_with_known_answers_have_those_of_the_text_with_the_same_words(campaign: Campaign) -> None:
    asked = [question_about(f" {MARKET.replace(' ', '  ')}", "No.", is_practice=each) for each in (True, False)]
    qualification_items_replace(campaign=campaign, examples=asked)
    client = worker_client(campaign, RATE, "ann")

    assert boxes(client.get("/work/practice/1/").content.decode()) == ["Content"]
    assert boxes(client.get("/work/qualification/?practised=1", follow=True).content.decode()) == ["Content"]

    qualification_items_replace(campaign=campaign, examples=[])
    gold_create(campaign=campaign, example=question_about(f"{MARKET} ", "Perhaps."))
    settings_change(campaign, gold_percent=50)
    pages = [judged(worker_client(campaign, RATE, f"rater {person}")) for person in range(6)]
    of_gold = [page["Perhaps."] for page in pages if "Perhaps." in page]
    assert of_gold
    assert all(boxes(each) == ["Content"] for each in of_gold)


def test_staff_are_told_of_gold_questions_that_raters_can_tell_by_them(campaign: Campaign) -> None:
    def told() -> str:
        return " ".join(each.text for each in setup_warnings(campaign) if "nuggets" in each.text)

    gold_create(campaign=campaign, example=question_about(MARKET.replace(" ", "  "), "Perhaps."))
    assert told() == ""
    gold_create(campaign=campaign, example=question_about("Why do people like the zoo?", "Perhaps."))
    assert told().startswith("1 gold question has no nuggets, unlike other texts, so raters can tell that it is one.")
    Source.objects.update(nuggets="")
    assert told() == ""


def test_a_release_has_them_says_so_and_brings_them_into_another_campaign(campaign: Campaign) -> None:
    crowd_simulate(campaign=campaign, editors=0, raters=2, seed=1, progress=silent, as_tests=False)
    release = freeze(campaign, min_compressions=0)

    rows = [json.loads(line) for line in (release_folder(release) / CORPUS_FILE).read_text("utf-8").splitlines()]
    assert {row["id"]: row.get("nuggets") for row in rows} == {"1": ["It is <cheap>.", "It opens late."], "2": None}
    assert "`corpus.jsonl` has the `nuggets` of 1 source: what a good answer to it says." in card_of(release)
    manifest = json.loads((release_folder(release) / "manifest.json").read_text("utf-8"))
    assert [scale.get("nuggets") for scale in manifest["scales"]] == [True, None]
    written = staff_client(campaign.staff.get()).get("/campaigns/answers/releases/1/paper/methods.md")
    methods = " ".join(written.content.decode().split())
    assert "While rating Content, the campaign’s raters could look up what a good answer says (1 source)." in methods

    call_command("import_release", release_folder(release), "--campaign=again", "--owner=owner")
    again = Campaign.objects.get(slug="again")
    sources = dict(Source.objects.filter(campaign=again).values_list("source_id", "nuggets"))
    assert sources == {"1": "It is <cheap>.\nIt opens late.", "2": ""}
    copied = freeze(again, min_compressions=0)
    folders = [release_folder(each) / CORPUS_FILE for each in (release, copied)]
    assert [re.findall('"nuggets".*?]', each.read_text("utf-8")) for each in folders] == 2 * [
        ['"nuggets": ["It is <cheap>.", "It opens late."]']
    ]


BROKEN = [
    (["\ud800"], "U+D800"),
    (["a\x00b"], "U+0000"),
    (["a\x07b"], "U+0007"),
    (["One.", None, 5], "None is not a text"),
    ([["a", "b"]], "is not a text"),
    (["a" * 6_000], "the nuggets are longer than 5000 characters"),
    (["a\u2028b"], "a nugget is empty, or has a line break"),
    ("abc", "nuggets is not a list"),
    ({"a": 1}, "nuggets is not a list"),
    (None, "nuggets is not a list"),
]


@pytest.mark.parametrize(("nuggets", "reason"), BROKEN)
def test_a_release_with_others_is_refused(
    campaign: Campaign, tmp_path: Path, nuggets: object, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    crowd_simulate(campaign=campaign, editors=0, raters=2, seed=1, progress=silent, as_tests=False)
    folder = tmp_path / "copy"
    shutil.copytree(release_folder(freeze(campaign, min_compressions=0)), folder)
    rows = [json.loads(line) for line in (folder / CORPUS_FILE).read_text("utf-8").splitlines()]
    content = "\n".join(json.dumps(row | {"nuggets": nuggets}) for row in rows)
    (folder / CORPUS_FILE).write_text(f"{content}\n", encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        call_command("import_release", folder, "--campaign=again", "--owner=owner")
    assert reason in f"{refused.value}{capsys.readouterr().err}"
    assert not Campaign.objects.filter(slug="again").exists()


def test_staff_and_programs_can_read_them(campaign: Campaign) -> None:
    client = staff_client(campaign.staff.get())
    page = readable(client.get("/campaigns/answers/sources/1/"))
    assert "<li>It is <cheap>.</li>" in page
    assert "Nuggets" not in readable(client.get("/campaigns/answers/sources/2/"))
    texts = Api(campaign.staff.get()).get("campaigns/answers/texts/").json()["results"]
    assert {each["id"]: each["nuggets"] for each in texts} == {"1": ["It is <cheap>.", "It opens late."], "2": []}
