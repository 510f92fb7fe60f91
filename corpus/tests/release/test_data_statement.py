"""What the researchers say of a corpus: on the page, by the command and by the API, and kept for the next release."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Release
from corpus.release.data_statement import MAX_ANSWER_LENGTH, QUESTIONS
from tests.support.api_client import Api
from tests.support.factories import freeze, judged_campaign, make_staff, readable, staff_client
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

OPTIONS = {"train": "1", "valid": "0", "test": "0", "seed": "1", "min_ratings": "1", "min_compressions": "1"}


def said_in(release: Release, name: str) -> str:
    return (release_folder(release) / name).read_text(encoding="utf-8")


def test_an_answer_stands_in_every_description_and_is_kept_for_the_next_release() -> None:
    release = freeze(judged_campaign(), statement={"limitations": "Bridges only.\nIn English.", "biases": "  "})
    again = freeze(release.campaign)
    other = freeze(release.campaign, statement={"uses": "Loaders."})

    assert release.data_statement == again.data_statement == {"limitations": "Bridges only.\nIn English."}
    assert other.data_statement == {"uses": "Loaders."}
    for each in (release, again):
        card = said_in(each, "README.md")
        assert "- Limitations: Bridges only.; In English.\n- Biases: Not stated." in card
        assert f"@misc{{{each.name}," in card
        assert json.loads(said_in(each, "manifest.json"))["data_statement"] == release.data_statement
        assert json.loads(said_in(each, "croissant.json"))["rai:dataBiases"] == "Not stated."


def test_the_page_asks_it_with_what_was_said_before_and_keeps_what_was_typed() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    freeze(campaign, statement={"uses": "For loaders."})
    client, address = staff_client(owner), f"/campaigns/{campaign.slug}/releases/freeze/"

    form = readable(client.get(address))
    assert all(str(question.label) in form for question in QUESTIONS)
    assert "For loaders." in form

    refused = client.post(address, {**OPTIONS, "seed": "-1", "uses": "For <loaders> & more."})
    assert refused.status_code == 422
    assert "For <loaders> & more." in readable(refused)

    long = client.post(address, {**OPTIONS, "biases": "x" * (MAX_ANSWER_LENGTH + 1)})
    assert long.status_code == 422
    assert client.post(address, {**OPTIONS, "biases": "One language."}).status_code == 302
    assert Release.objects.latest("pk").data_statement == {"biases": "One language."}


def test_the_command_reads_it_from_a_file_and_names_what_it_does_not_know(tmp_path: Path) -> None:
    campaign, file = judged_campaign(), tmp_path / "said.json"
    file.write_text(json.dumps({"impact": "None known."}))

    call_command("freeze_release", campaign.slug, "--statement", str(file))
    assert Release.objects.get().data_statement == {"impact": "None known."}

    for wrong, words in (
        ({"colour": "red"}, "no such question about the corpus: colour"),
        ({"uses": 3}, "must be text"),
    ):
        file.write_text(json.dumps(wrong))
        with pytest.raises(CommandError, match=words):
            call_command("freeze_release", campaign.slug, "--statement", str(file))
    file.write_text("[]")
    with pytest.raises(CommandError, match="not one JSON object"):
        call_command("freeze_release", campaign.slug, "--statement", str(file))
    assert Release.objects.count() == 1


def test_the_api_takes_it_and_tells_it() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    api, address = Api(owner), f"campaigns/{campaign.slug}/releases/"

    refused = api.post(address, {"statement": {"colour": "red"}})
    assert refused.status_code in {400, 422}
    assert "colour" in refused.content.decode()
    assert api.post(address, {"statement": {"uses": "Loaders."}}).status_code == 202
    assert api.get(f"{address}1/").json()["statement"] == {"uses": "Loaders."}
