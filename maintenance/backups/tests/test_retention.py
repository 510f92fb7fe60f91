"""Which backups are kept."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maintenance.backups.retention import Keep, archive_name, keep_of, kept, time_of

TIMES = st.sets(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), max_size=60)
KEEPS = st.builds(Keep, *[st.integers(0, 12)] * 3)


def nightly(nights: int) -> list[datetime]:
    return [datetime(2026, 1, 1, 3, tzinfo=UTC) + timedelta(days=night) for night in range(nights)]


@given(TIMES, KEEPS)
def test_the_newest_is_kept_and_no_more_than_was_asked_for(times: set[datetime], keep: Keep) -> None:
    chosen = kept(times, keep)

    assert chosen <= times
    assert not times or max(times) in chosen
    assert len(chosen) <= max(1, keep.daily + keep.weekly + keep.monthly)


@given(TIMES, KEEPS)
def test_what_was_kept_is_kept_again(times: set[datetime], keep: Keep) -> None:
    assert kept(kept(times, keep), keep) == kept(times, keep)


@given(TIMES, KEEPS)
def test_each_of_the_last_days_weeks_and_months_has_its_newest(times: set[datetime], keep: Keep) -> None:
    chosen = kept(times, keep)

    for number, period in keep.rules:
        for each in sorted({period(time) for time in times}, reverse=True)[:number]:
            assert max(time for time in times if period(time) == each) in chosen


def test_a_year_of_nights_leaves_months_weeks_and_days() -> None:
    keep, left = Keep(daily=7, weekly=5, monthly=12), set[datetime]()
    for night in nightly(365):
        left = kept({*left, night}, keep)

    assert left == kept(nightly(365), keep)
    assert sorted(left)[-7:] == nightly(365)[-7:]
    assert {time.month for time in left} == set(range(1, 13))


@pytest.mark.parametrize(
    "text", ["", "7", "7 nightly", "0 daily", "7 daily, 3 daily", "-1 daily", "7 daily,", "٣ daily x"]
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="takes numbers such as"):
        keep_of(text)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), st.sampled_from(["", ".age"]))
def test_a_name_says_when_its_backup_was_begun(at: datetime, suffix: str) -> None:
    assert time_of(archive_name(at, suffix)) == at.replace(microsecond=0)


def test_files_of_others_have_no_time() -> None:
    assert [time_of(name) for name in ("precis-20269999T000000Z.tar.gz", "precis.tar.gz", "state.json")] == [None] * 3
