"""The list of a round's participants: what it is searched, narrowed and ordered by, and its columns as CSV."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import compress

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.listing import Columns, Filter, Listing, ListingState
from crowd.models import Campaign, JoinLink, Outcome, Round
from crowd.platforms import PLATFORMS
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Visit

YES_NO = (("1", gettext_lazy("Yes")), ("0", gettext_lazy("No")))
IDS = ("platform_id", "study", "session", "code")
"""Columns that only accounts get which may see who participants are."""
HEAD = (
    *(
        "participant",
        "round",
        "platform",
        *IDS,
        "link",
        "outcome",
        "submitted",
        "skipped",
        "first_submission",
        "last_submission",
    ),
    *("active_minutes", "elapsed_minutes", "flags", "evidence", "gold_items", "gold_accuracy"),
    *("quality", "quality_decision", "excluded", "test", "simulated", "paid", "arm"),
)


def participants_listing(work_round: str, links: Sequence[JoinLink], *, shows_ids: bool) -> Listing:
    """Return by what the list is narrowed and ordered; ids can be neither shown nor guessed without the right."""
    filters = (
        Filter("outcome", _("Outcome"), Outcome.choices),
        Filter("link", _("Link"), [(str(link.pk), link.title) for link in links]),
        Filter("flagged", _("Flagged"), YES_NO),
        Filter("excluded", _("Excluded"), YES_NO),
        Filter("browser", _("Shares a browser"), YES_NO),
    )
    sorts = {
        "look": lambda each: (each.is_low_on_gold, each.flags, each.visitor.submitted),
        "number": lambda each: each.worker.number,
        "outcome": lambda each: each.visitor.current.outcome_words,
        "submitted": lambda each: each.visitor.submitted,
        "first": lambda each: each.visitor.first_at,
        "last": lambda each: each.visitor.last_at,
        "active": lambda each: each.visitor.active_ms,
        "link": lambda each: each.visitor.current.link.title,
        "quality": lambda each: each.quality,
        "excluded": lambda each: each.is_excluded,
    }
    if work_round == Round.RATE:
        sorts |= {
            "arm": lambda each: each.worker.arm,
            "gold": lambda each: each.gold.accuracy,
            "gold_items": lambda each: each.gold.items,
        }
    if shows_ids:
        sorts |= {
            "id": lambda each: each.worker.external_id or None,
            "study": lambda each: each.visitor.current.study_id or None,
            "session": lambda each: each.visitor.current.session_id or None,
        }
    default = "-look" if work_round == Round.RATE else "number"
    names = _names_with_ids if shows_ids else _names
    return Listing(sorts=sorts, default=default, search_names=names, filters=filters)


def participants_columns(
    query: QueryDict, campaign: Campaign, work_round: str, *, has_links: bool, shows_ids: bool
) -> Columns:
    """Return the columns that may be left out beside the participants' numbers."""
    has_gold = work_round == Round.RATE and not campaign.task.has_material
    labels = {
        "id": _("Platform ID") if shows_ids else None,
        "link": _("Link") if has_links else None,
        "outcome": _("Outcome"),
        "submitted": _("Submitted"),
        "last": _("Last (UTC)"),
        "active": _("Active minutes"),
        "gold_items": _("Gold questions") if has_gold else None,
        "gold": _("Agreement with gold") if has_gold else None,
        "look": _("Flags"),
        "quality": _("Quality"),
        "excluded": _("Marks"),
    }
    return Columns({name: label for name, label in labels.items() if label}, query)


def _names(each: Participant) -> tuple[str, ...]:
    return (each.worker.public_name,)


def _names_with_ids(each: Participant) -> tuple[str, ...]:
    of_visits = (name for visit in each.visits for name in (visit.study_id, visit.session_id))
    return (each.worker.public_name, each.worker.external_id, *of_visits)


def chosen_participants(people: Iterable[Participant], listing: ListingState) -> list[Participant]:
    """Return those whom a request asks for, in order."""
    if any(listing.values.values()):
        people = (each for each in people if _is_chosen(each, listing))
    return listing.of_rows(people)


def _is_chosen(each: Participant, listing: ListingState) -> bool:
    flagged, excluded = listing.values["flagged"], listing.values["excluded"]
    is_asked = flagged in {"", _flag(each.is_to_look_at)} and excluded in {"", _flag(each.is_excluded)}
    shares = listing.values["browser"] in {"", _flag(bool(each.same_browser))}
    return is_asked and shares and bool(_asked_visits(each, listing))


def _asked_visits(each: Participant, listing: ListingState) -> list[Visit]:
    link, outcome = listing.values["link"], listing.values["outcome"]
    return [visit for visit in each.visits if link in {"", str(visit.link.pk)} and outcome in {"", str(visit.outcome)}]


def chosen_visits(people: Iterable[Participant], listing: ListingState) -> Iterator[tuple[Participant, Visit]]:
    """Yield the visits that a request asks for, of those whom it asks for."""
    for each in chosen_participants(people, listing):
        yield from ((each, visit) for visit in _asked_visits(each, listing))


def head_of_csv(*, shows_ids: bool) -> list[str]:
    return [name for name in HEAD if shows_ids or name not in IDS]


def rows_of_csv(visits: Iterable[tuple[Participant, Visit]], *, shows_ids: bool) -> Iterator[list[object]]:
    """Yield a row for each visit: who came by two links of a round has two."""
    is_shown = [shows_ids or name not in IDS for name in HEAD]
    for each, visit in visits:
        yield list(compress(_cells(each, visit), is_shown))


def _cells(each: Participant, visit: Visit) -> tuple[object, ...]:
    worker, work = each.worker, visit.work
    return (
        *(worker.public_name, visit.link.round, platform_name(worker.platform_key)),
        *(worker.external_id, visit.study_id, visit.session_id, visit.code),
        *(visit.link.title, visit.outcome, work.submitted, work.skipped, _time(work.first_at), _time(work.last_at)),
        *(_minutes(work.active_ms), _minutes(visit.elapsed_ms), each.flags_by(visit), " ".join(each.evidence)),
        *(each.gold.items, "" if each.gold.accuracy is None else round(each.gold.accuracy, 4)),
        *("" if each.quality is None else each.quality, each.decision_words),
        *(int(value) for value in (each.is_excluded, worker.is_test, worker.is_simulated)),
        *(_time(visit.paid_at), each.worker.arm),
    )


def platform_name(key: str) -> str:
    return str(PLATFORMS[key].name) if key in PLATFORMS else key


def _flag(value: bool) -> str:
    return "1" if value else "0"


def _time(value: datetime | None) -> str:
    return value.isoformat() if value else ""


def _minutes(milliseconds: int | None) -> float | str:
    return "" if milliseconds is None else round(milliseconds / 60_000, 2)
