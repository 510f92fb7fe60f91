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
    "agreement.0002_report_version": "Reports say which version of the report computed them.",
    "compressions.0002_settings_versions": "Compressions know the settings that they were made under.",
    "compressions.0004_draft_size": "Drafts are weighed, those that are there, too.",
    "compressions.0005_retired_sources": "Texts can be retired and corrected.",
    "compressions.0006_active_time": "The time at work is computed from each edit log; takes longest.",
    "compressions.0007_flag_kinds": "Flags get kinds, from the flags that are there.",
    "compressions.0008_flag_constraints": "Holds the kinds to the flags, and finds them quickly.",
    "corpus.0005_retired_sources": "Releases say which texts were retired.",
    "corpus.0006_stored_files": "Releases name the folder of their files, those that are there, too.",
    "corpus.0007_stored_files_named": "Holds releases that are ready to that.",
    "crowd.0002_settings_versions": "Settings have versions; simulated people are marked.",
    "crowd.0003_first_settings_versions": "The settings of each campaign become its version 1.",
    "crowd.0004_browsers_and_signed_ids": "Visits belong to the browser that they began in.",
    "crowd.0005_people_and_money": "Campaigns have states and pay, links their studies, staff their roles.",
    "crowd.0006_people_and_money_data": "Whoever was staff becomes an owner; tasks know their links.",
    "crowd.0007_after_people_and_money": "Removes what states and roles have replaced.",
    "crowd.0008_studies": "Links lead to where the platform credits who has finished.",
    "crowd.0009_accounts": "Ends all sessions of staff: everyone logs in once more. Protects the audit log.",
    "crowd.0012_page_language": "Campaigns have a language of participants' pages.",
    "crowd.0013_shared_browsers": "People of one browser are known to be possibly the same.",
    "crowd.0014_known_browsers": "Browsers of visits become browsers of their people.",
    "crowd.0015_test_questions_per_try": "Attempts at the test draw their questions; campaigns that are there ask all.",
    "ratings.0002_settings_versions": "Ratings know the settings that they were made under.",
    "ratings.0003_standard_errors": "Qualities have standard errors.",
    "ratings.0006_deleted_questions": "Questions can be deleted and restored.",
    "ratings.0007_sittings": "Attempts remember their questions.",
    "scoring.0002_score_part_attempts": "Parts of scores count who has claimed them.",
    "scoring.0003_stored_files": "Scores name their files, those that are there, too.",
    "scoring.0004_stored_files_named": "Holds scores that are finished to that.",
}
