"""The platforms that send people."""

from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction

from crowd.models import JoinLink, Round
from crowd.platforms import ACCOUNT, PLATFORMS, Platform, platform_choices
from tests.support.factories import make_campaign, open_link


def test_a_worker_goes_back_to_prolific_with_the_code() -> None:
    address = PLATFORMS["prolific"].return_address("C0DE")
    assert address == "https://app.prolific.com/submissions/complete?cc=C0DE"


def test_a_platform_that_takes_typed_codes_has_no_return_address() -> None:
    assert PLATFORMS["sona"].return_address("C0DE") == ""


@pytest.mark.parametrize("platform", PLATFORMS.values(), ids=str)
def test_people_are_sent_to_https_addresses_only(platform: Platform) -> None:
    address = platform.return_address("C0DE")
    assert not address or urlsplit(address).scheme == "https"


def test_every_platform_names_its_people_in_a_parameter_of_its_own() -> None:
    assert len({platform.worker_parameter for platform in PLATFORMS.values()}) == len(PLATFORMS)
    nameless = [key for key, platform in PLATFORMS.items() if not platform.worker_parameter]
    assert nameless == [ACCOUNT]  # no address names an account


def test_only_the_direct_link_takes_people_without_id() -> None:
    assert [key for key, platform in PLATFORMS.items() if not platform.id_required] == ["direct"]


def test_staff_may_choose_every_platform_but_that_of_accounts() -> None:
    assert [*(key for key, _ in platform_choices()), ACCOUNT] == list(PLATFORMS)


@pytest.mark.django_db
def test_a_platform_more_is_an_entry_and_needs_no_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign()
    with pytest.raises(ValidationError, match="'elsewhere' is not a valid choice"):
        open_link(campaign=campaign, work_round=Round.EDIT, platform_key="elsewhere")
    monkeypatch.setitem(PLATFORMS, "elsewhere", Platform("elsewhere", "Elsewhere", "person"))
    link = open_link(campaign=campaign, work_round=Round.EDIT, platform_key="elsewhere")
    assert link.platform.name == "Elsewhere"
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db
def test_no_table_holds_a_link_without_a_platform() -> None:
    campaign = make_campaign()
    with pytest.raises(IntegrityError, match="join_link_has_platform"), transaction.atomic():
        JoinLink.objects.create(campaign=campaign, round=Round.EDIT, platform_key="")
