"""What the management commands share."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from tqdm import tqdm

from common.commands import progress_bar
from crowd.commands import campaign_named
from crowd.models import Role
from crowd.selectors.members import Place, membership_in
from tests.support.factories import make_campaign, make_staff


@pytest.mark.django_db
def test_a_campaign_is_found_by_its_short_name() -> None:
    campaign = make_campaign(slug="letters")
    assert campaign_named("letters") == campaign


@pytest.mark.django_db
def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    for slug in ("news", "letters"):
        make_campaign(slug=slug)
    with pytest.raises(CommandError, match=r"no campaign 'leters', but there is letters\."):
        campaign_named("leters")
    with pytest.raises(CommandError, match=r"no campaign 'books'\. Campaigns: letters, news\."):
        campaign_named("books")


@pytest.mark.django_db
def test_a_name_where_there_are_no_campaigns_is_answered_with_none() -> None:
    with pytest.raises(CommandError, match="Campaigns: none"):
        campaign_named("letters")


def test_progress_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("texts") as progress:
        progress(1, 2)
        progress(2, 2)
    assert capsys.readouterr() == ("", "")


def test_progress_follows_what_is_done(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        "common.commands.tqdm", lambda **options: tqdm(**{**options, "disable": False, "mininterval": 0})
    )
    with progress_bar("texts") as progress:
        for done in (1, 4):
            progress(done, 4)
    assert "4/4" in capsys.readouterr().err


@pytest.mark.django_db
def test_an_account_is_made_staff_of_a_campaign() -> None:
    campaign, colleague = make_campaign(slug="news"), make_staff("colleague")
    call_command("add_staff", "news", "colleague", stdout=StringIO())
    assert membership_in(colleague, "news") == Place(campaign, Role.MANAGER)
    with pytest.raises(CommandError, match="no account 'nobody'"):
        call_command("add_staff", "news", "nobody")
    with pytest.raises(CommandError, match="no account 'coleague', but there is colleague"):
        call_command("add_staff", "news", "coleague")
    colleague.is_active = False
    colleague.save()
    with pytest.raises(CommandError, match="'colleague' is deactivated"):
        call_command("add_staff", "news", "colleague")
