"""The platforms that send people."""

from urllib.parse import urlsplit

import pytest

from crowd.platforms import PLATFORMS, Platform, platform_choices


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
    assert all(platform.worker_parameter for platform in PLATFORMS.values())


def test_only_the_direct_link_takes_people_without_id() -> None:
    assert [key for key, platform in PLATFORMS.items() if not platform.id_required] == ["direct"]


def test_staff_may_choose_every_platform() -> None:
    assert [key for key, _ in platform_choices()] == list(PLATFORMS)
