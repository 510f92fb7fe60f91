"""Write a campaign as a file. No tokens, keys or codes are in it, and no people, texts or work.

The YAML is written by hand: the same bytes for the same values, and long texts as people would write them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from crowd.models import Campaign, JoinLink
from crowd.models.settings_version import plain_text
from crowd.platforms import ACCOUNT
from dashboard.campaign_files.fields import LINK_SETTINGS, SETTINGS, VERSION
from dashboard.campaign_files.kinds import is_read_as_text
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
    "task_settings": "The settings of the judgement task.",
    "scales": "What raters are asked; points with the lowest first.",
    "arms": "Raters are drawn into these as they join, and not told; a scale of one arm names it.",
    "practice": "Practice questions: raters see the right answers at once, and nothing counts.",
    "test": "Test questions, asked before the work.",
    "gold": "Gold questions: known answers among the texts to rate.",
    "links": "The links by which participants join.",
    "quality_rule": "Whom releases exclude, once the rule is applied.",
}
STEP = "  "
_PLAIN = re.compile(r"[^\W\d_](?:[\w .,;()!?’‘“”/%+=@–—-]*[\w.,;()!?’‘“”/%+=@–—-])?")
# What YAML takes for an end of line, or does not take at all.
_UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ELSEWHERE_A_TRUTH = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


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
    values = {
        "name": plain_text(campaign.name),
        "slug": campaign.slug,
        "settings": {name: _plain(getattr(campaign, name)) for name in SETTINGS},
        **(_of_task(campaign) if campaign.task.has_material else _of_ratings(campaign)),
        "links": [_link(each) for each in _links(campaign)],
    }
    rule = kept_rule(campaign)
    names = ("share", "min_items", "order", "rater_quality", "roles")
    return values | ({"quality_rule": {name: getattr(rule, name) for name in names}} if rule else {})


def _of_task(campaign: Campaign) -> dict[str, Any]:
    """Return what a campaign has whose raters judge material of its own; the material is no part of the file."""
    known = sorted(campaign.task_settings.items())
    return {"task_settings": {name: _plain(value) for name, value in known}} if known else {}


def _of_ratings(campaign: Campaign) -> dict[str, Any]:
    questions = list(live_items(campaign))
    gold = gold_items(campaign).filter(item__is_closed=False)
    return {
        "scales": [_scale(scale, is_pair=campaign.task.asks_preference) for scale in campaign.scales],
        **({"arms": [{name: arm[name] for name in ("key", "name")} for arm in campaign.arms]} if campaign.arms else {}),
        "practice": [_question(each) for each in questions if each.is_practice],
        "test": [_question(each) for each in questions if not each.is_practice],
        "gold": [_question(each) for each in gold],
    }


def _plain(value: Any) -> Any:
    return plain_text(value) if isinstance(value, str) else value


def _scale(scale: dict[str, Any], *, is_pair: bool) -> dict[str, Any]:
    names = ("key", "name", "question") if is_pair else ("key", "name", "question", "points")
    return {name: scale[name] for name in (*names, "arm", "nuggets") if name in scale}


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


def yaml_lines(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a mapping or a list of mappings, without their ends."""
    pad = STEP * depth
    if isinstance(value, Mapping):
        for name, below in value.items():
            yield from _entry(f"{pad}{name}:", below, depth)
    else:
        for item in value:
            yield from _item(item, depth)


def _item(item: Any, depth: int) -> Iterator[str]:
    pad = STEP * depth
    if not isinstance(item, Mapping):
        yield f"{pad}- {scalar(item)}"
        return
    first, *rest = yaml_lines(item, depth + 1)
    yield f"{pad}- {first[len(pad) + len(STEP) :]}"
    yield from rest


def _entry(head: str, value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, Sequence) and not isinstance(value, str) and _is_flat(value):
        yield f"{head} [{', '.join(map(str, value))}]"
    elif isinstance(value, Mapping | list):
        yield head if value else f"{head} {{}}"
        yield from yaml_lines(value, depth + 1)
    elif isinstance(value, str) and _is_block(value):
        yield f"{head} |"
        yield from (f"{STEP * (depth + 1)}{line}" if line else "" for line in value.split("\n"))
    else:
        yield f"{head} {scalar(value)}"


def _is_flat(value: Sequence[Any]) -> bool:
    return all(type(each) is int for each in value)


def _is_block(text: str) -> bool:
    return "\n" in text and not _UNPRINTABLE.search(text) and text == text.strip()


def scalar(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, str):
        return value if _is_plain(value) else quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, datetime):
        return f'"{value.astimezone(UTC).isoformat().replace("+00:00", "Z")}"'
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    return f"{Decimal(repr(value)):f}"


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _ELSEWHERE_A_TRUTH and is_read_as_text(text)


def quoted(text: str) -> str:
    """Return a text in double quotes, with an escape for whatever could not be read back."""
    named = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + _UNPRINTABLE.sub(lambda match: f"\\U{ord(match[0]):08X}", named) + '"'
