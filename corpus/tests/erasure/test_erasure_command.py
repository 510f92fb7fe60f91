"""Erasing somebody from the command line: whom it finds, what it says."""

import pytest
from django.core.management import CommandError, call_command

from compressions.models import Compression
from crowd.models import Campaign, Worker
from crowd.services.campaigns import campaign_update
from crowd.services.entry import PlatformIds, worker_enter
from tests.support.factories import EDIT, enrol, freeze, judged_campaign, make_campaign, open_link

pytestmark = pytest.mark.django_db


def erase(campaign: Campaign, *options: str) -> None:
    call_command("erase_worker", campaign.slug, *options)


def known_ids() -> set[str]:
    return set(Worker.objects.filter(erased_at=None).values_list("external_id", flat=True))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--number", "77"], "Nobody has that number or id"),
        (["--number", "-1"], "Nobody has that number or id"),
        (["--number", "99999999999999999999"], "Nobody has that number or id"),
        (["--id", "somebody else"], "Nobody has that number or id"),
        (["--id", ""], "Nobody has that number or id"),
        (["--number", "one"], "invalid int value"),
        ([], "one of the arguments --number --id is required"),
        (["--number", "1", "--id", "ann"], "not allowed with argument"),
    ],
)
def test_it_refuses_what_names_nobody(options: list[str], reason: str) -> None:
    campaign = make_campaign(sources=1)
    for name in ("ann", "ben", "cem"):
        enrol(campaign, EDIT, name)
    for name in ("ben", "cem"):
        erase(campaign, "--id", name)

    with pytest.raises(CommandError, match=reason):
        erase(campaign, *options)

    assert known_ids() == {"ann"}


def test_it_does_not_choose_between_two_people_of_one_id() -> None:
    campaign = make_campaign(sources=1)
    enrol(campaign, EDIT, "ann")
    link = open_link(campaign=campaign, work_round=EDIT, platform_key="prolific")
    worker_enter(link=link, ids=PlatformIds("ann"))

    with pytest.raises(CommandError, match="Several people have that number or id"):
        erase(campaign, "--id", "ann")

    assert Worker.objects.filter(external_id="ann").count() == 2


def test_it_finds_people_of_the_named_campaign_alone() -> None:
    one, other = make_campaign(sources=1), make_campaign(sources=1)
    for campaign, name in ((one, "ann"), (other, "ben")):
        enrol(campaign, EDIT, name)

    with pytest.raises(CommandError, match="Nobody has that number or id"):
        erase(one, "--id", "ben")
    erase(one, "--number", "1")

    assert known_ids() == {"ben"}


def test_it_knows_only_campaigns_that_there_are() -> None:
    with pytest.raises(CommandError, match="There is no campaign 'elsewhere'"):
        call_command("erase_worker", "elsewhere", "--number", "1")


@pytest.mark.parametrize("texts_go", [False, True])
def test_it_says_what_went_and_what_was_released_before(capsys: pytest.CaptureFixture[str], *, texts_go: bool) -> None:
    campaign = judged_campaign(sources=2, editors=2, texts_go_on_erasure=texts_go)
    releases = [freeze(campaign).name for _ in range(2)]

    erase(campaign, "--id", "editor-1")

    assert capsys.readouterr().out.splitlines() == [
        f"2 records of edits and {2 if texts_go else 0} texts erased.",
        *(f"{name} was released before and holds work of this person." for name in reversed(releases)),
    ]


def test_of_somebody_without_work_nothing_goes_but_who_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judged_campaign()
    freeze(campaign)
    enrol(campaign, EDIT, "ann")

    erase(campaign, "--id", "ann")

    assert capsys.readouterr().out == "0 records of edits and 0 texts erased.\n"
    assert "ann" not in known_ids()


def test_texts_that_stayed_go_when_the_campaign_decides_so_later(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judged_campaign(sources=2, editors=2)
    number = str(Worker.objects.get(external_id="editor-1").number)
    erase(campaign, "--number", number)
    assert Compression.objects.count() == 4
    campaign_update(campaign=campaign, confirmed=1, texts_go_on_erasure=True)

    erase(campaign, "--number", number)

    assert Compression.objects.count() == 2
    assert "0 records of edits and 2 texts erased." in capsys.readouterr().out
