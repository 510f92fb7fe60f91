"""Every act of every page can be undone, or its page says beforehand what cannot: the list is complete."""

from pathlib import Path

import pytest

from tests.support.addresses import REFUSED, TABLE

TEMPLATES = Path(__file__).parents[2] / "templates"

# What takes an act back: the same address with another value, or the address that is named.
ITSELF = ""
UNDONE_BY = {
    "account-tokens": "account-token-revoke",
    "account-email": ITSELF,
    "account-password": ITSELF,
    "account-second-factor": ITSELF,
    "password-reset-confirm": "account-password",
    "account-end-session": "login",
    "account-end-others": "login",
    "login": "logout",
    "logout": "login",
    "campaign-state": ITSELF,
    "campaign-mails": ITSELF,
    "crowd:list-view": ITSELF,
    "campaign-from-file": "campaign-delete",
    "campaign-from-template": "campaign-delete",
    "campaign-copy": "campaign-delete",
    "crowd:campaign-new": "campaign-delete",
    "crowd:campaign-edit": ITSELF,
    "crowd:settings-tab": ITSELF,
    "ratings:pay-tell": "crowd:settings-tab",
    "ratings:paid": ITSELF,
    "preview": "preview-end",
    "simulate": "test-people",
    "webhooks": "webhook-delete",
    "webhook-state": ITSELF,
    "crowd:links": "crowd:link-state",
    "crowd:link": ITSELF,
    "crowd:link-codes": "crowd:link",
    "crowd:link-keys": ITSELF,
    "crowd:link-state": ITSELF,
    "crowd:round-pause": ITSELF,
    "crowd:invite": "crowd:revoke",
    "crowd:revoke": "crowd:invite",
    "crowd:member": ITSELF,
    "crowd:member-remove": "crowd:invite",
    "crowd:invitation": "crowd:member-remove",
    "crowd:leave": "crowd:claim",
    "ratings:task": ITSELF,
    "compressions:flags-seen": ITSELF,
    "compressions:flags-seen-many": ITSELF,
    "compressions:alignment": ITSELF,
    "compressions:remark-answer": ITSELF,
    "compressions:sources-retire": "compressions:source-reinstate",
    "compressions:source-retire": "compressions:source-reinstate",
    "compressions:source-reinstate": "compressions:source-retire",
    "compressions:source-correct": "compressions:source-reinstate",
    "ratings:exclude": ITSELF,
    "ratings:exclude-many": "ratings:exclude",
    "ratings:include": ITSELF,
    "ratings:example-new": "ratings:example-delete",
    "ratings:example-edit": ITSELF,
    "ratings:example-delete": "ratings:example-restore",
    "ratings:example-restore": "ratings:example-delete",
    "ratings:example-starter": "ratings:example-delete",
    "ratings:example-from-gold": "ratings:gold-restore",
    "ratings:example-import": "ratings:example-restore",
    "ratings:gold-new": "ratings:gold-retire",
    "ratings:gold-import": "ratings:gold-retire",
    "ratings:gold-retire": "ratings:gold-restore",
    "ratings:gold-restore": "ratings:gold-retire",
    "ratings:quality-apply": "ratings:quality-withdraw",
    "ratings:quality-withdraw": "ratings:quality-apply",
    "ratings:quality-rule": ITSELF,
    "protocols:analysis": ITSELF,
    "protocols:plan": ITSELF,
    "protocols:settings": ITSELF,
    "protocols:sounds": ITSELF,
}
# What cannot be taken back, the template of its form, and what that says before the button.
SAID = {
    "account-token-revoke": ("crowd/accounts/api_tokens.html", "for good"),
    "campaign-delete": ("dashboard/campaign_delete.html", "It cannot be undone."),
    "preview-end": ("worker_base.html", "nothing you do here is kept"),
    "labelled-sessions": ("dashboard/labelled_sessions.html", "It cannot be undone."),
    "test-people": ("dashboard/test_people.html", "It cannot be undone."),
    "webhook-delete": ("dashboard/webhook.html", "deleted for good"),
    "crowd:withdraw": ("crowd/stop.html", "you can’t come back to it"),
    "crowd:skip": ("task_base.html", "You won’t see it again. If you skip more"),
    "crowd:browser-request": ("crowd/links.html", "takes the place of the first one"),
    "compressions:paragraphs": ("compressions/paragraphs.html", "A division cannot be undone."),
    "compressions:imports": ("compressions/imports.html", "An import cannot be undone."),
    "compressions:translations": ("compressions/translations.html", "An import cannot be undone."),
    "corpus:systems": ("corpus/systems.html", "An import cannot be undone."),
    "systems:run-request": ("systems/systems.html", "Added outputs cannot be taken back."),
    "protocols:set-up": ("protocols/set_up.html", "An import cannot be undone."),
    "protocols:pieces": ("protocols/set_up.html", "can’t change afterwards"),
    "ratings:import-ratings": ("ratings/import_ratings.html", "Ratings by people cannot be taken back."),
    "ratings:model-delete": ("ratings/model_delete.html", "for good"),
    "ratings:experts": ("ratings/experts.html", "A draw cannot be undone"),
    "ratings:reset-test": ("ratings/person.html", "cannot be undone"),
    "corpus:freeze": ("corpus/freeze.html", "cannot be deleted"),
    "corpus:erase": ("corpus/erase.html", "cannot be undone"),
}
# What shows or computes something, or goes on to the next page, and takes nothing away.
TAKES_NOTHING_AWAY = {
    "password-reset",
    "webhook-test",
    "webhook-again",
    "crowd:join",
    "crowd:guidelines",
    "crowd:claim",
    "crowd:finish",
    "crowd:renew",
    "crowd:problem",
    "crowd:settings-preview",
    "crowd:link-wrong-ids",
    "crowd:rate-as-expert",
    "ratings:participants-csv",
    "ratings:all-participants-csv",
    "ratings:platform-lists",
    "ratings:bonus",
    "ratings:quality-preview-compute",
    "ratings:qualification",
    "ratings:practice",
    "agreement:reports",
    "agreement:plan-compute",
    "edit-operations:reports",
    "evaluation:reports",
    "protocols:absolute:reports",
    "protocols:comparison:reports",
    "protocols:factoids:reports",
    "protocols:links:reports",
    "protocols:draft",
    "protocols:peer:reports",
    "protocols:practice",
    "protocols:quiz:reports",
    "protocols:ranking:reports",
    "protocols:scale-comparison:reports",
    "protocols:scu:reports",
    "protocols:spans:reports",
    "scoring:runs",
    "systems:train",
}
# A text that is submitted, and a test that is handed in, are the work itself.
THE_WORK = {"compressions:task", "protocols:task"}


def acts() -> set[str]:
    """Every address that does something for somebody who posts to it."""
    return {name for name, row in TABLE.items() if row.post != REFUSED and 405 not in row.post}


def test_of_every_act_it_is_known_how_it_is_taken_back() -> None:
    known = [*UNDONE_BY, *SAID, *TAKES_NOTHING_AWAY, *THE_WORK]
    assert sorted(known) == sorted(acts())
    assert {name for name in UNDONE_BY.values() if name} <= acts()


@pytest.mark.parametrize("name", SAID)
def test_what_cannot_be_taken_back_is_said_before_its_button(name: str) -> None:
    template, words = SAID[name]
    page = (TEMPLATES / template).read_text(encoding="utf-8")
    _, form, rest = page.partition(f"'{name}'")
    before = page[: -len(rest)] + rest.partition("<button")[0] if form else page.rpartition("<button")[0]
    assert words in before
