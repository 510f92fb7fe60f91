"""When a lease ends: some time after it was last renewed, but not ever later.

An open page renews its lease, so a page that is left open, or a program, could hold a text for ever. From
`longest_hold` on, renewing has no effect: the lease runs out, and the text goes to whoever needs it first. Until
somebody does, its holder can still submit. The time counts from the first claim; giving the text back and taking it
again does not start it anew.
"""

from datetime import datetime, timedelta

from crowd.models import Campaign

SHORTEST_LIMIT = timedelta(hours=4)
LEASES_AT_MOST = 2  # of campaigns whose leases are longer than that


def longest_hold(campaign: Campaign) -> timedelta:
    """Return how long one person can keep others from a text by renewing its lease."""
    return max(SHORTEST_LIMIT, LEASES_AT_MOST * timedelta(minutes=campaign.lease_minutes))


def lease_end(campaign: Campaign, *, now: datetime, leased_at: datetime | None = None) -> datetime:
    """Return the end of a lease that is taken or renewed now, and was first taken at `leased_at`."""
    begun = leased_at or now
    return min(now + timedelta(minutes=campaign.lease_minutes), begun + longest_hold(campaign))
