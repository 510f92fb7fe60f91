"""Why migrations since the last release need a pause, for whoever plans the upgrade: each has a line.

A test finds migrations that need one and are not here (annotation/upgrade/tests/test_operations.py). Write migrations
that need none where that is possible: add columns that may be empty or have a `db_default`, fill them with a job, and
remove what is not used any more one release later. After a release, this list begins anew.
"""

LAST_RELEASE = "0.2.0"
# The last migration of each room in that release.
AT_LAST_RELEASE = dict.fromkeys(
    ("agreement", "common", "compressions", "corpus", "crowd", "ratings", "scoring"), "0001_initial"
)
# Rooms that came later. Their migrations stand on later ones of other rooms, so they are no part of that release.
ROOMS_SINCE = {"edit_operations", "evaluation"}

# Version 0.2.0 cannot serve on what these leave: they came about before upgrades without a pause were looked after.
NOTES: dict[str, str] = {
    "agreement.0002_since_0_2_0": "Reports say which version of the report computed them.",
    "compressions.0002_since_0_2_0": "Texts can be retired and corrected, drafts are weighed, flags get kinds, and the "
    "time at work is computed from each edit log; takes longest.",
    "corpus.0002_since_0_2_0": "Releases name the folder of their files, and say which texts were retired.",
    "crowd.0002_since_0_2_0": "Campaigns have states, pay, a language and versions of their settings, staff their "
    "roles, links their studies, visits their browsers. Ends all sessions of staff: everyone logs in once more.",
    "ratings.0002_since_0_2_0": "Ratings know the settings that they were made under, qualities have standard errors, "
    "attempts at the test remember their questions, and questions can be deleted.",
    "scoring.0002_since_0_2_0": "Scores name their files, and parts count who has claimed them.",
}
