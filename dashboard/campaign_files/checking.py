"""Whether what a file says makes a campaign: its values with their lines, and the checks of the pages."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from crowd.arms import arms_validate
from crowd.default_texts import default_settings
from crowd.models import Campaign
from crowd.models.settings_version import PEOPLE_READ
from crowd.placeholders import PlaceholdersRefused
from crowd.prose_bounds import prose_bound
from crowd.readings import placeholders_check
from crowd.scales import PREFERENCE_WORDS, RESERVED_KEYS, scales_load
from crowd.settings_forms import NewSettings
from crowd.tasks import task_of
from dashboard.campaign_files.fields import VERSION, campaign_record
from dashboard.campaign_files.kinds import UNREAD, Path, Reading
from dashboard.campaign_files.reading import CampaignFileRefused, Fault, MapNode, Node, Scalar, nodes_read
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from protocols.task import study_task
from ratings.example_check import ExampleText
from ratings.example_files import FileRefused, Kind, examples_read

QUESTIONS = {"practice": Kind.TEST, "test": Kind.TEST, "gold": Kind.GOLD}


@dataclass(frozen=True)
class CampaignFile:
    """What a file says. Where `faults` are, the values that they are about are missing."""

    values: dict[str, Any]
    reading: Reading

    @property
    def faults(self) -> list[Fault]:
        return self.reading.faults

    def has_wrong(self, *path: str | int) -> bool:
        """Whether something below a path is wrong."""
        return any(wrong[: len(path)] == path for wrong in self.reading.wrong)

    def fault(self, path: Path, reason: str) -> Fault:
        """Return a fault of a value; of one that is not in the file, at the nearest line above it."""
        name = next((each for each in reversed(path) if isinstance(each, str)), "")
        lines = self.reading.lines
        line = next((lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in lines), 0)
        return Fault(line, name, reason)


def campaign_file_read(content: bytes) -> CampaignFile:
    """Read what a file says, as far as it can be read; raise CampaignFileRefused if that is nothing."""
    root, faults = nodes_read(content)
    _version_check(root, faults)
    reading = Reading(faults)
    values = campaign_record().of(root, (), reading)
    if values is UNREAD:
        raise CampaignFileRefused(reading.faults)
    return CampaignFile(values, reading)


def _version_check(root: Node, faults: list[Fault]) -> None:
    """Refuse other formats at once: what else is wrong with them says nothing."""
    entries = {key.text: value for key, value in root.entries} if isinstance(root, MapNode) else {}
    version = entries.get("precis_campaign")
    if isinstance(version, Scalar) and version.text == str(VERSION):
        return
    words = _("This is not a campaign in the format of this version: it must say “precis_campaign: %(version)s”.")
    raise CampaignFileRefused([*faults, Fault((version or root).line, "", words % {"version": VERSION})])


@dataclass(frozen=True)
class CheckedCampaign:
    """What is to be stored."""

    settings: dict[str, Any]
    questions: dict[str, list[ExampleText]]
    links: list[dict[str, Any]] | None
    rule: FilterParameters | None


class FileSettings(NewSettings):
    """All settings of a new campaign at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in PEOPLE_READ:
            prose_bound(self.fields[name], "")


def campaign_check(file: CampaignFile, *, slug: str = "", name: str = "") -> CheckedCampaign:
    """Return what a file wants to be stored, under another short name or name; CampaignFileRefused with all faults."""
    faults = list(file.faults)
    scales = _scales(file, faults)
    chosen = {key: value for key, value in (("slug", slug), ("name", name)) if value}
    settings = _settings(file, chosen, faults)
    settings["scales"] = scales or settings["scales"]
    settings["arms"] = _arms(file, settings, faults)
    settings["task_settings"] = _task_settings(file, faults)
    questions: dict[str, list[ExampleText]] = {}
    if not file.has_wrong("scales") and scales is not None and not file.has_wrong("settings", "rating_task"):
        questions = _questions(file, Campaign(**settings), faults)
    links = file.values.get("links")
    faults += _link_faults(file, links or [])
    if faults:
        raise CampaignFileRefused(faults)
    return CheckedCampaign(settings, questions, links, _rule(file))


def _settings(file: CampaignFile, chosen: dict[str, str], faults: list[Fault]) -> dict[str, Any]:
    given = file.values.get("settings", {})
    top = {key: file.values[key] for key in ("name", "slug") if key in file.values} | chosen
    defaults = default_settings(given.get("page_language", "en"))
    known = {each.name: each.get_default() for each in Campaign._meta.concrete_fields if each.has_default()}
    sent = known | defaults | given | top
    form = FileSettings({key: "" if value is None else value for key, value in sent.items()})
    if form.is_valid():
        settings = form.cleaned_data | {"scales": defaults["scales"]}
        faults += _placeholder_faults(file, settings)
        return settings
    for field, reasons in form.errors.items():
        if field in chosen:
            faults += [Fault(0, field, str(reason)) for reason in reasons]
        elif not file.has_wrong(field) and not file.has_wrong("settings", field):
            path = (field,) if field in {"name", "slug"} else ("settings", field)
            faults += [file.fault(path, str(reason)) for reason in reasons]
    return {"rating_task": task_of(given.get("rating_task")).key, "scales": defaults["scales"]}


def _placeholder_faults(file: CampaignFile, settings: dict[str, Any]) -> Iterator[Fault]:
    try:
        placeholders_check({}, Campaign(**settings).versioned_settings)
    except PlaceholdersRefused as refusal:
        for name, reasons in refusal.faults.items():
            yield from (file.fault(("settings", name), reason) for reason in reasons)


def _task_settings(file: CampaignFile, faults: list[Fault]) -> dict[str, Any]:
    """Return the settings of a judgement task with material of its own, checked by it; all others have none."""
    given = file.values.get("task_settings")
    if given is None or file.has_wrong("task_settings"):
        return {}
    task = task_of(file.values.get("settings", {}).get("rating_task"))
    if not task.has_material:
        faults.append(file.fault(("task_settings",), _("Only a judgement task with material of its own has these.")))
        return {}
    for name, reason in study_task(task.key).settings_faults(given):
        faults.append(file.fault(("task_settings", name), reason))
    return dict(given)


def _scales(file: CampaignFile, faults: list[Fault]) -> list[dict[str, Any]] | None:
    """Return the scales as they are stored; an empty list for the default ones, None if some are wrong."""
    task = task_of(file.values.get("settings", {}).get("rating_task"))
    is_pair = task.asks_preference
    found = file.values.get("scales")
    if found is None:
        if not task.fits_default_scales and ("scales",) not in file.reading.lines:
            words = _("This task needs scales of its own. Add them.")
            faults.append(file.fault(("settings", "rating_task"), words))
            return None
        return []
    if file.has_wrong("scales"):
        return None
    wrong = list(_scale_faults(file, found, is_pair=is_pair))
    faults += wrong
    if wrong:
        return None
    order = ("key", "name", "question")
    return [
        {
            **{each: scale[each] for each in order},
            "points": list(PREFERENCE_WORDS) if is_pair else scale["points"],
            **({"arm": scale["arm"]} if scale.get("arm") else {}),
            **({"nuggets": True} if scale.get("nuggets") else {}),
        }
        for scale in found
    ]


def _arms(file: CampaignFile, settings: dict[str, Any], faults: list[Fault]) -> list[dict[str, Any]]:
    """Return the arms as they are stored; none if they, or the scales that name them, are wrong."""
    if file.has_wrong("arms") or file.has_wrong("scales"):
        return []
    arms = [{name: arm[name] for name in ("key", "name")} for arm in file.values.get("arms", [])]
    try:
        extra, task = settings.get("extra_raters", False), task_of(settings.get("rating_task"))
        arms_validate(arms, scales_load(settings["scales"]), extra_raters=extra, task=task)
    except ValidationError as error:
        faults += [file.fault(("arms",), reason) for reason in error.messages]
    return arms


def _scale_faults(file: CampaignFile, scales: list[dict[str, Any]], *, is_pair: bool) -> Iterator[Fault]:
    for number, scale in enumerate(scales):
        for name in ("key", "name"):
            if any(scale[name] == earlier[name] and _clash(scale, earlier, name) for earlier in scales[:number]):
                yield file.fault(("scales", number, name), _("Another scale has the same one."))
        if scale["key"] in RESERVED_KEYS:
            yield file.fault(("scales", number, "key"), _("This word has another meaning. Choose another one."))
        if scale["name"][0].isdigit() or ":" in scale["name"] or "\uff1a" in scale["name"]:
            words = _("A name must not begin with a digit or contain a colon.")
            yield file.fault(("scales", number, "name"), words)
        if is_pair and "points" in scale:
            words = _("Side by side, all questions have the same answers, so write none here.")
            yield file.fault(("scales", number, "points"), words)
        if not is_pair and "points" not in scale:
            yield file.fault(("scales", number, "points"), _("This is missing."))


def _clash(one: dict[str, Any], other: dict[str, Any], name: str) -> bool:
    """Whether two scales cannot both have a value: raters of different arms can have scales of one name."""
    return name == "key" or not one.get("arm") or not other.get("arm") or one["arm"] == other["arm"]


def _questions(file: CampaignFile, campaign: Campaign, faults: list[Fault]) -> dict[str, list[ExampleText]]:
    """Check each question as a line of a file of questions is checked."""
    found: dict[str, list[ExampleText]] = {}
    for section, kind in QUESTIONS.items():
        found[section] = []
        if campaign.task.has_material and file.values.get(section):
            words = _("Raters of this campaign do a judgement task whose practice is part of its material.")
            faults.append(file.fault((section,), words))
            continue
        for number, question in enumerate(file.values.get(section, [])):
            if file.has_wrong(section, number):
                continue
            line = json.dumps({**question, "is_practice": section == "practice"} if kind == Kind.TEST else question)
            try:
                found[section] += examples_read("question.jsonl", line.encode(), campaign, kind)
            except FileRefused as refusal:
                faults += [file.fault(_path(section, number, each.field), each.reason) for each in refusal.faults]
    return found


def _path(section: str, number: int, field: str) -> tuple[str | int, ...]:
    if field in {"source", "compression", "other", "why", "answers"}:
        return (section, number, field)
    return (section, number, "answers", field) if field else (section, number)


def _link_faults(file: CampaignFile, links: list[dict[str, Any]]) -> Iterator[Fault]:
    names: set[str] = set()
    for number, link in enumerate(links):
        if file.has_wrong("links", number) and not isinstance(link, dict):
            continue
        if link.get("name") and link["name"] in names:
            yield file.fault(("links", number, "name"), _("Another link of this campaign has this name."))
        names.add(link.get("name", ""))
        opens, closes = link.get("opens_at"), link.get("closes_at")
        if opens and closes and closes <= opens:
            yield file.fault(("links", number, "closes_at"), _("A link closes after it has opened."))


def _rule(file: CampaignFile) -> FilterParameters | None:
    given, ours = file.values.get("quality_rule"), FilterParameters()
    if given is None:
        return None
    return FilterParameters(
        given.get("share", ours.share),
        given.get("min_items", ours.min_items),
        Order(given.get("order", ours.order)),
        RaterQuality(given.get("rater_quality", ours.rater_quality)),
        Roles(given.get("roles", ours.roles)),
    )
