"""Staff read nothing of ratings in a campaign whose raters do another task, unless it says that it does not apply."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from crowd.models import Campaign
from crowd.settings_tabs import TABS
from dashboard.simulation.crowd import crowd_simulate
from protocols.services.material import material_import
from protocols.spans.tests.examples import MATERIAL
from tests.support.addresses import ITS_STAFF, TABLE, of_campaign, of_study
from tests.support.factories import make_staff, readable, silent, staff_client

SAYS_SO = re.compile("rate nothing on scales|do a judgement task with material of its own")
FORBIDDEN = re.compile(r"\b(?:rate[sd]?|ratings?|gold|(?:test|gold) questions?|worker filter)\b", re.IGNORECASE)
ALLOWED = {
    "Rating",  # the name of a tab of the settings
    "ratings, by its name",  # the metric to hold against ratings, which is of releases
    "the first rating: then the report",
    "can rate texts, and sees nothing else",  # the role of an expert, whatever raters do
    "simulated-7-rate-1",
    "simulated-7-rate-2",
}


@pytest.fixture
def client() -> Client:
    """Staff of a campaign by the template, with material and answers."""
    file = Path(settings.BASE_DIR) / "dashboard/campaign_files/templates/error-spans.yaml"
    make_staff("owner")
    call_command("create_campaign", file, "--owner", "owner", stdout=StringIO())
    Campaign.objects.update(state="open")
    campaign = Campaign.objects.get()
    content = "\n".join(map(json.dumps, MATERIAL)).encode()
    material_import(campaign=campaign, file_name="material.jsonl", content=content)
    crowd_simulate(campaign=campaign, editors=0, raters=2, seed=7, progress=silent)
    return staff_client(campaign.memberships.get().user)


def addresses() -> dict[str, str]:
    """Every page of the campaign that staff can open."""
    slug = Campaign.objects.get().slug
    of_tables = (
        name for name, row in TABLE.items() if row.arguments in (of_campaign, of_study) and row.get == ITS_STAFF
    )
    of_ratings = {"protocols:plan"}  # there is no such page where raters do a judgement task
    named = [*(name for name in of_tables if name not in of_ratings), "protocols:spans:report", "protocols:spans:texts"]
    rounds = {f"participants {each}": reverse("ratings:participants", args=[slug, each]) for each in ("edit", "rate")}
    tabs = {f"tab {tab.key}": reverse("crowd:settings-tab", args=[slug, tab.key]) for tab in TABS if tab.key}
    person = {"person": reverse("ratings:person", args=[slug, 1]), "campaigns": reverse("crowd:campaigns")}
    return {name: reverse(name, args=[slug]) for name in named} | rounds | tabs | person


def words_of(page: str) -> str:
    main = page.partition("<main")[2].partition("</main>")[0]
    words = " ".join(re.sub(r"<[^>]*>", " ", main).split())
    for each in ALLOWED:
        words = words.replace(each, "")
    return words


@pytest.mark.django_db
def test_pages_speak_of_ratings_only_where_they_say_that_these_do_not_apply(client: Client) -> None:
    found = {}
    for name, address in addresses().items():
        response = client.get(address)
        assert response.status_code == 200, name
        if response.headers["Content-Type"].startswith("text/html"):
            words = words_of(readable(response))
            if not SAYS_SO.search(words):
                found[name] = [words[max(0, each.start() - 60) : each.end() + 40] for each in FORBIDDEN.finditer(words)]

    assert len(found) > 20
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.django_db
def test_what_is_counted_and_agreed_to_are_answers(client: Client) -> None:
    slug = Campaign.objects.get().slug

    history = readable(client.get(reverse("crowd:settings-history", args=[slug])))
    consent = readable(client.get(reverse("crowd:settings-tab", args=[slug, "consent"])))

    assert " ".join(history.split()).count("12 answers") == 1
    assert "mark the errors in up to 20 texts" in consent
