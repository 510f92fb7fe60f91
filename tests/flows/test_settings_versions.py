"""What was in force when somebody consented, wrote or rated is recorded, and never changes afterwards."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from common.errors import Refused
from compressions.models import Compression
from crowd.models import Campaign, Enrolment, SettingsVersion
from crowd.models.campaign import RANGES
from crowd.models.settings_version import NOT_VERSIONED, ONLY_RECORDED, TOLD_OR_HELD_TO, VERSIONED
from crowd.services.campaigns import UnconfirmedChange, campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.entry import guidelines_accept
from ratings.models import Rating
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    make_campaign,
    make_staff,
    rate,
    rate_next,
    submit_edit,
)
from tests.support.settings import settings_change, version_numbers

pytestmark = pytest.mark.django_db


def again(enrolment: Enrolment) -> Enrolment:
    """The enrolment as the next request reads it."""
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def test_every_field_of_a_campaign_is_either_versioned_or_not() -> None:
    fields = [field.name for field in (*Campaign._meta.concrete_fields, *Campaign._meta.many_to_many)]
    assert sorted(TOLD_OR_HELD_TO + ONLY_RECORDED + NOT_VERSIONED) == sorted(fields)


def test_a_new_campaign_has_version_1_by_whoever_made_it() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, keep_percent=60)
    version = campaign.settings_versions.get()
    assert (version.number, version.created_by, campaign.settings_version) == (1, owner, version)
    assert version.settings == {name: getattr(campaign, name) for name in VERSIONED}
    assert version.settings["keep_percent"] == 60


def test_a_change_of_a_versioned_setting_makes_a_version_and_leaves_the_one_before_as_it_was() -> None:
    user, campaign = make_staff(), make_campaign(keep_percent=75)
    before = SettingsVersion.objects.filter(campaign=campaign).values().get()
    campaign_update(campaign=campaign, user=user, keep_percent=70)
    campaign.refresh_from_db()
    first, second = campaign.settings_versions.order_by("number")
    assert SettingsVersion.objects.filter(pk=first.pk).values().get() == before
    assert (second.number, second.settings["keep_percent"], second.created_by) == (2, 70, user)
    assert campaign.settings_version == second


def test_what_only_describes_the_corpus_makes_no_version() -> None:
    campaign = make_campaign()
    campaign_update(campaign=campaign, name="Other", licence="cc0-1.0", language="de", state="closed")
    assert version_numbers(campaign) == [1]


def test_saving_the_same_again_makes_no_version_and_going_back_makes_one() -> None:
    campaign = make_campaign(keep_percent=75)
    for keep_percent, expected in ((75, [1]), (70, [1, 2]), (70, [1, 2]), (75, [1, 2, 3])):
        campaign_update(campaign=campaign, keep_percent=keep_percent)
        assert version_numbers(campaign) == expected


NUMBERS = {name: st.integers(*RANGES[name]) for name in VERSIONED if name in RANGES}
CHANGES = st.sampled_from(sorted(NUMBERS)).flatmap(lambda name: st.tuples(st.just(name), NUMBERS[name]))


@given(changes=st.lists(CHANGES, max_size=8))
def test_the_version_in_force_always_says_what_the_campaign_says(changes: list[tuple[str, Any]]) -> None:
    with transaction.atomic():
        campaign = make_campaign()
        snapshots = {1: campaign.versioned_settings}
        for name, value in changes:
            settings_change(campaign, **{name: value})
            campaign.refresh_from_db()
            assert campaign.settings_version
            snapshots.setdefault(campaign.settings_version.number, campaign.versioned_settings)
            stored = campaign.settings_versions.values_list("number", "settings")
            assert dict(stored) == snapshots
            assert snapshots[campaign.settings_version.number] == campaign.versioned_settings
        transaction.set_rollback(True)


def test_an_old_copy_of_a_campaign_does_not_undo_what_was_changed_meanwhile() -> None:
    campaign = make_campaign(keep_percent=75)
    old = Campaign.objects.get(pk=campaign.pk)
    campaign_update(campaign=campaign, keep_percent=70)
    campaign_update(campaign=old, lease_minutes=10)
    campaign.refresh_from_db()
    assert (campaign.keep_percent, campaign.lease_minutes, version_numbers(campaign)) == (70, 10, [1, 2, 3])
    assert (old.keep_percent, old.settings_version_id) == (70, campaign.settings_version_id)


def test_the_database_holds_each_number_once_and_none_below_1() -> None:
    version = make_campaign().settings_versions.get()
    for number in (0, 1):
        version.pk, version.number = None, number
        with pytest.raises(IntegrityError), transaction.atomic():
            version.save(force_insert=True)


# Work knows what it was done under.


def test_a_compression_knows_whose_rule_was_enforced_and_what_its_editor_had_read() -> None:
    campaign = make_campaign(sources=3, keep_percent=75, editor_tasks=3)
    ann = enrol(campaign, EDIT, "ann")
    edit_next(ann)
    claimed = assignment_claim(enrolment=ann)
    assert claimed
    settings_change(campaign, keep_percent=80)
    submit_edit(again(ann), claimed)
    found = Compression.objects.order_by("pk").values_list(
        "settings_version__number", "guidelines_version__number", "allowed"
    )
    assert [row[:2] for row in found] == [(1, 1), (2, 1)]
    assert found[0][2] < found[1][2]


def test_a_rating_knows_when_it_was_given_and_a_corrected_one_when_it_was_corrected() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1)
    edit_next(enrol(campaign, EDIT))
    bob = enrol(campaign, RATE, "bob")
    rating = rate_next(bob, 3, 3)
    assert rating
    assert rating.assignment
    assert rating.settings_version == rating.guidelines_version == campaign.settings_version
    settings_change(campaign, rater_guidelines="Judge strictly.")
    bob = again(bob)
    guidelines_accept(enrolment=bob)
    rate(bob, rating.assignment, known_version=1, meaning=1, grammar=3)
    stored = Rating.objects.get()
    assert stored.settings_version == stored.guidelines_version == campaign.settings_version
    assert version_numbers(campaign) == [1, 2]


def test_an_enrolment_knows_what_was_consented_to_and_which_guidelines_were_read_last() -> None:
    campaign = make_campaign()
    ann = enrol(campaign, EDIT, "ann")
    settings_change(campaign, consent="Do you really agree?")
    bob = enrol(campaign, EDIT, "bob")
    settings_change(campaign, editor_guidelines="Shorten a lot.")
    for enrolment in (ann, bob):
        guidelines_accept(enrolment=again(enrolment))
    found = Enrolment.objects.order_by("pk").values_list("settings_version__number", "guidelines_version__number")
    assert list(found) == [(1, 3), (2, 3)]


def test_what_is_recorded_costs_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    campaign = make_campaign(sources=1)
    ann = enrol(campaign, EDIT, "ann")
    with django_assert_num_queries(0):
        assert not ann.must_read_guidelines
        assert ann.campaign.settings_version_id == ann.guidelines_version_id


# What people are told or held to is changed on purpose only.


@pytest.mark.parametrize(("name", "value"), [("keep_percent", 70), ("consent", "Other."), ("qualification_tries", 5)])
def test_what_people_were_told_changes_only_when_it_is_confirmed(name: str, value: Any) -> None:
    campaign = make_campaign()
    settings_change(campaign, **{name: value})
    enrol(campaign, EDIT)
    before = campaign.versioned_settings
    other: Any = 60 if name == "keep_percent" else 4 if name == "qualification_tries" else "Yet another."
    for confirmed in (None, 1, 3):
        with pytest.raises(UnconfirmedChange):
            campaign_update(campaign=campaign, confirmed=confirmed, **{name: other})
        stored = Campaign.objects.get(pk=campaign.pk)
        assert stored.versioned_settings == before
        assert version_numbers(campaign) == [1, 2]
    campaign_update(campaign=campaign, confirmed=2, **{name: other})
    assert (getattr(Campaign.objects.get(pk=campaign.pk), name), version_numbers(campaign)) == (other, [1, 2, 3])


def test_what_is_only_recorded_needs_no_confirmation() -> None:
    campaign = make_campaign()
    enrol(campaign, EDIT)
    campaign_update(campaign=campaign, lease_minutes=10)
    assert version_numbers(campaign) == [1, 2]


def test_scales_stay_fixed_whatever_is_confirmed() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    with pytest.raises(Refused, match="can no longer be changed"):
        campaign_update(campaign=campaign, confirmed=1, rating_task="pair")
