"""Options that make no release: the page and the command say why, and nothing half-made is left."""

import re

import pytest
from django.core.management import CommandError

from common.models import Job
from corpus.models import Release
from corpus.tests.release.test_freeze_options import Freeze, by_command
from tests.support.factories import judged_campaign, readable
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "fields",
    [
        {"train": "-1"},
        {"valid": "nan"},
        {"test": "inf"},
        {"test": "1e999"},
        {"train": ""},
        {"train": "many"},
        {"train": "0", "valid": "0", "test": "0"},
        {"as_sizes": "on", "valid": "-1"},
        {"as_sizes": "on", "valid": "1.5", "test": "0"},
        {"as_sizes": "on", "valid": "2", "test": "1"},
        {"as_sizes": "on", "valid": "1e300", "test": "1"},
        {"seed": "-1"},
        {"seed": str(2**31)},
        {"seed": "1.5"},
        {"seed": ""},
        {"min_ratings": "-1"},
        {"min_ratings": "51"},
        {"min_compressions": "51"},
        {"min_compressions": "-3"},
    ],
)
def test_the_page_refuses_what_makes_no_release(by_page: Freeze, fields: dict[str, str]) -> None:
    campaign = judged_campaign(sources=2)

    reply = by_page(campaign, **fields)

    assert reply.status_code == 422
    reasons = [reason for reasons in reply.context["form"].errors.values() for reason in reasons]
    assert reasons
    assert all(reason in readable(reply) for reason in reasons)
    assert not Release.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--shares=train=nan", "finite numbers"),
        ("--shares=train=inf,valid=1", "finite numbers"),
        ("--shares=train=-1,valid=2", "finite numbers"),
        ("--shares=train=0,valid=0,test=0", "not all of them 0"),
        ("--shares=train=1,dev=1", "The splits are train, valid and test"),
        ("--shares=train", "not of the form"),
        ("--shares=", "not of the form"),
        ("--shares=train=many", "not of the form"),
        ("--sizes=train=1", "sizes are given for valid and test"),
        ("--sizes=valid=-1", "must not be negative"),
        ("--sizes=valid=1.5", "not of the form"),
        ("--sizes=valid=2,test=1", "The splits need 3 sources, but only 2 can be released."),
        ("--min-ratings=-1", "must not be negative"),
        ("--min-compressions=-1", "must not be negative"),
        ("--min-ratings=two", "invalid int value"),
        ("--min-ratings=3", "nothing to release"),
        ("--seed=-1", "--seed must lie between"),
        ("--seed=2147483648", "--seed must lie between"),
    ],
)
def test_the_command_refuses_what_makes_no_release(option: str, reason: str) -> None:
    campaign = judged_campaign(sources=2)

    with pytest.raises(CommandError, match=re.escape(reason)):
        by_command(campaign, option)

    assert not Release.objects.exclude(state=Release.State.FAILED).exists()
    assert not any(release_folder(release).exists() for release in Release.objects.all())


def test_after_splits_that_want_too_much_the_next_try_goes_through(by_page: Freeze) -> None:
    campaign = judged_campaign(sources=2)

    refused = readable(by_page(campaign, as_sizes="on", valid="2", test="1"))
    by_page(campaign)

    assert "The splits need 3 sources, but only 2 can be released." in refused
    assert Release.objects.latest("version").state == Release.State.READY
    assert not Release.objects.filter(state=Release.State.BUILDING).exists()
