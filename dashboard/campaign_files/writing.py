"""Write a campaign as a file. No tokens, keys or codes are in it, and no people, texts or work."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from crowd.models import Campaign, JoinLink
from crowd.models.settings_version import plain_text
from crowd.platforms import ACCOUNT
from dashboard.campaign_files.fields import LINK_SETTINGS, SETTINGS, VERSION
from dashboard.campaign_files.yaml_text import yaml_lines
from ratings.models.examples import Example
from ratings.selectors.qualification import gold_items, live_items
from ratings.selectors.quality import kept_rule

HEADER = """\
# A Précis campaign as a file: everything that staff have set, and nothing about participants, texts or work.
# `manage.py create_campaign FILE --owner USER`, the page “New campaign” and the API create a draft campaign from it.
# Links get new addresses and completion codes. What you leave out has its default. See docs/campaign-file.md.
"""
COMMENTS = {
    "settings": "The settings, in the order of their pages.",
    "scales": "What raters are asked; points with the lowest first.",
    "practice": "Practice questions: raters see the right answers at once, and nothing counts.",
    "test": "Test questions, asked before the work.",
    "gold": "Gold questions: known answers among the texts to rate.",
    "links": "The links by which participants join.",
    "quality_rule": "Whom releases exclude, once the rule is applied.",
}


def campaign_file(campaign: Campaign) -> bytes:
    """Return a campaign as a file."""
    return file_of(campaign_values(campaign))


def file_of(values: dict[str, Any]) -> bytes:
    """Return the values of a file as its bytes."""
    lines = [HEADER.rstrip("\n"), *yaml_lines({"precis_campaign": VERSION}), *_top(values)]
    return ("\n".join(lines) + "\n").encode()


def _top(values: dict[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if name in COMMENTS:
            yield ""
            yield f"# {COMMENTS[name]}"
        if value == []:
            yield f"{name}: []"
        else:
            yield from yaml_lines({name: value})


def campaign_values(campaign: Campaign) -> dict[str, Any]:
    questions = list(live_items(campaign))
    gold = gold_items(campaign).filter(item__is_closed=False)
    values = {
        "name": plain_text(campaign.name),
        "slug": campaign.slug,
        "settings": {name: _plain(getattr(campaign, name)) for name in SETTINGS},
        "scales": [_scale(scale, is_pair=campaign.task.asks_preference) for scale in campaign.scales],
        "practice": [_question(each) for each in questions if each.is_practice],
        "test": [_question(each) for each in questions if not each.is_practice],
        "gold": [_question(each) for each in gold],
        "links": [_link(each) for each in _links(campaign)],
    }
    rule = kept_rule(campaign)
    names = ("share", "min_items", "order", "rater_quality", "roles")
    return values | ({"quality_rule": {name: getattr(rule, name) for name in names}} if rule else {})


def _plain(value: Any) -> Any:
    return plain_text(value) if isinstance(value, str) else value


def _scale(scale: dict[str, Any], *, is_pair: bool) -> dict[str, Any]:
    names = ("key", "name", "question") if is_pair else ("key", "name", "question", "points")
    return {name: scale[name] for name in names}


def _question(item: Example) -> dict[str, Any]:
    texts = {"source": item.source_text, "compression": item.compression_text, "other": item.other_text}
    found = {name: plain_text(text) for name, text in texts.items()}
    written = {name: text for name, text in found.items() if text or name != "other"}
    why = plain_text(item.why)
    answers = {key: sorted(set(points)) for key, points in sorted(item.answers.items())}
    return {**written, "answers": answers, **({"why": why} if why else {})}


def _links(campaign: Campaign) -> Iterator[JoinLink]:
    """Yield the links that staff made, in the order in which they made them."""
    yield from JoinLink.objects.filter(campaign=campaign).exclude(platform_key=ACCOUNT).order_by("pk")


def _link(link: JoinLink) -> dict[str, Any]:
    settings: dict[str, str | bool | int | datetime | None] = {
        name: _plain(getattr(link, name)) for name in LINK_SETTINGS
    }
    return {"round": link.round, "platform": link.platform_key, **settings}
