"""What a file may hold, made of the models: their choices, ranges and lengths, and what pages say of each setting."""

import json
import re
from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from common.typed_text import MAX_FIELD_LENGTH
from crowd.arms import MAX_ARM_NAME, MAX_ARMS
from crowd.models import Campaign, JoinLink, Round
from crowd.models.setting_words import WORDS
from crowd.models.settings_version import PEOPLE_READ
from crowd.platforms import platform_choices
from crowd.prose_bounds import MAX_PROSE_LENGTH
from crowd.scales import MAX_POINTS, MAX_SCALES, MIN_POINTS
from crowd.settings_tabs import TABS, WRITTEN
from dashboard.campaign_files.kinds import (
    UNREAD,
    Amount,
    Entry,
    Kind,
    Listed,
    Moment,
    Number,
    Record,
    Setting,
    Table,
    Text,
    Truth,
    Whole,
)
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.example_check import MOST_QUESTIONS
from ratings.example_files import MAX_TEXT_LENGTH
from ratings.forms import MOST_SHARE

VERSION = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_LINKS = 100
MOST_PEOPLE = 2**31 - 1
OF_THE_TOP = ("name", "slug")
SETTINGS = tuple(
    name for name in dict.fromkeys(name for tab in TABS for name in tab.fields) if name not in {*OF_THE_TOP, *WRITTEN}
)
"""The settings in the order of their pages."""
NOT_IN_FILE = {
    "id": "of this installation",
    "state": "a campaign of a file begins as a draft",
    "edit_paused": "how it goes, and no setting",
    "rate_paused": "how it goes, and no setting",
    "expert_paused": "how it goes, and no setting",
    "sandbox_of": "of previews",
    "created_at": "of this installation",
    "settings_version": "its history",
    "editor_guidelines_changed": "its history",
    "rater_guidelines_changed": "its history",
    "arms_seed": "each campaign draws its own",
    "planned_analysis": "fixed for the answers of one campaign, at a time that counts",
}
LINK_SETTINGS = ("name", "is_active", "is_test", "opens_at", "closes_at", "max_people")
LINK_NOT_IN_FILE = {
    "id": "of this installation",
    "campaign": "the one of the file",
    "token": "who has it takes part",
    "signing_keys": "keys",
    "code_done": "who has it is paid",
    "code_partial": "who has it is paid",
    "code_failed": "who has it is paid",
    "code_no_work": "who has it is paid",
    "code_skipped": "who has it is paid",
    "code_withdrew": "who has it is paid",
    "completion_address": "of one study on its platform; on some, who opens it is credited",
    "wrong_ids": "who came",
    "wrong_id_example": "who came",
    "wrong_id_at": "who came",
    "other_ids": "who came",
    "other_id_platform": "who came",
    "other_id_at": "who came",
}
"""The fields of a link that no file holds, and why."""

ARMS = (
    "The two to six arms into which raters are drawn as they join, each with the scales that name it. Every text gets "
    "`raters_per_compression` people of each, and participants are not told."
)
SCALE_KEY = r"^[a-z0-9_]{1,40}$"
TASK_SETTING = r"^[a-z0-9_]{1,40}$"
SCALE_KEY_RULE = _("A key has lower-case letters a to z, digits and _ only, 40 characters or fewer.")


def kind_of(field: "models.Field[Any, Any]") -> Kind:
    """Return the kind of a field of a model."""
    if isinstance(field, models.BooleanField):
        return Truth()
    if isinstance(field, models.DateTimeField):
        return Moment()
    if field.choices:
        return Text(most=field.max_length or 0, choices=tuple(str(key) for key, _words in field.flatchoices))
    if isinstance(field, models.DecimalField):
        return Amount(*map(Decimal, _limits(field)))
    if isinstance(field, models.PositiveIntegerField | models.PositiveSmallIntegerField):
        least, most = _limits(field)
        return Whole(int(least), min(int(most), MOST_PEOPLE), or_nothing=field.null)
    return _text(field)


def _limits(field: "models.Field[Any, Any]") -> tuple[Any, Any]:
    """Return the narrowest bounds that a field has."""
    lower = [each.limit_value for each in field.validators if isinstance(each, MinValueValidator)]
    upper = [each.limit_value for each in field.validators if isinstance(each, MaxValueValidator)]
    return max(lower), min(upper, default=MOST_PEOPLE)


def _text(field: "models.Field[Any, Any]") -> Text:
    length = MAX_PROSE_LENGTH if field.name in PEOPLE_READ else field.max_length or MAX_FIELD_LENGTH
    patterns = [each for each in field.validators if type(each) is RegexValidator]
    if not patterns or isinstance(field, models.SlugField):
        return Text(length, least=0 if field.blank else 1)
    pattern = re.compile(patterns[0].regex).pattern.replace("\\Z", "$")
    return Text(length, least=0 if field.blank else 1, pattern=pattern, rule=patterns[0].message)


def _setting(name: str) -> Entry:
    field = Campaign._meta.get_field(name)
    assert isinstance(field, models.Field)  # a setting is no relation
    has_default = field.has_default() and name not in PEOPLE_READ
    help_text = str(WORDS[name].help) or str(WORDS[name].label)
    return Entry(kind_of(field), help=help_text, default=field.default if has_default else UNREAD)


def _link_setting(name: str) -> Entry:
    field = JoinLink._meta.get_field(name)
    assert isinstance(field, models.Field)  # a setting is no relation
    return Entry(kind_of(field), help=str(field.help_text))


def _slug() -> Entry:
    rule = _("Use letters, digits, - and _ only.")
    kind = Text(50, pattern=r"^[-a-zA-Z0-9_]+$", rule=rule)
    return Entry(kind, help=f"{WORDS['slug'].help} Left out, it is made of the name.")


def _one_line(most: int) -> Text:
    return Text(most, least=1, pattern=r"^[^\n]*$", rule=_("This must be in one line."))


def _scale() -> Record:
    return Record(
        {
            "key": Entry(
                Text(40, least=1, pattern=SCALE_KEY, rule=SCALE_KEY_RULE),
                is_required=True,
                help="The name of the scale in files of releases and in the answers below.",
            ),
            "name": Entry(_one_line(40), is_required=True),
            "question": Entry(_one_line(200), is_required=True),
            "points": Entry(
                Listed(_one_line(100), MAX_POINTS, MIN_POINTS),
                help="The words of the points, the lowest first. Side by side, all questions have the same answers: "
                "then there are none here.",
            ),
            "arm": Entry(
                Text(40, pattern=r"^[a-z0-9_]*$", rule=SCALE_KEY_RULE),
                help="The key of the arm whose raters have it; left out, all have it.",
            ),
            "nuggets": Entry(
                Truth(), help="Whether raters can open the text’s nuggets beside this scale; false if left out."
            ),
        }
    )


def _arm() -> Record:
    return Record(
        {
            "key": Entry(
                Text(40, least=1, pattern=SCALE_KEY, rule=SCALE_KEY_RULE),
                is_required=True,
                help="What scales above and files of releases call it.",
            ),
            "name": Entry(_one_line(MAX_ARM_NAME), is_required=True, help="What staff call it."),
        }
    )


def _question(*, needs_why: bool) -> Listed:
    points = Listed(Whole(1, MAX_POINTS), MAX_POINTS, 1)
    answers = "The points that count as right, for each scale by its key."
    why_of_test = "What raters read after they have answered."
    entries = {
        "source": Entry(Text(MAX_TEXT_LENGTH, least=1), is_required=True, help="The original."),
        "compression": Entry(Text(MAX_TEXT_LENGTH, least=1), is_required=True, help="The shortened text, A."),
        "other": Entry(Text(MAX_TEXT_LENGTH), help="The version beside it, B; only side by side."),
        "answers": Entry(Table(points, SCALE_KEY), is_required=True, help=answers),
        "why": Entry(
            Text(MAX_TEXT_LENGTH, least=int(needs_why)),
            is_required=needs_why,
            help=why_of_test if needs_why else "For yourselves; raters never read it.",
        ),
    }
    return Listed(Record(entries), MOST_QUESTIONS)


def _link() -> Record:
    rounds, platforms = Text(8, choices=tuple(Round.values)), tuple(key for key, _name in platform_choices())
    return Record(
        {
            "round": Entry(
                rounds, is_required=True, help="edit shortens texts, rate rates them; expert rates a sample."
            ),
            "platform": Entry(Text(16, choices=platforms), is_required=True, help="Where participants come from."),
            **{name: _link_setting(name) for name in LINK_SETTINGS},
        }
    )


def _rule() -> Record:
    ours = FilterParameters()
    choices = {"order": Order, "rater_quality": RaterQuality, "roles": Roles}
    return Record(
        {
            "share": Entry(
                Number(0, MOST_SHARE),
                default=ours.share,
                help="The share of the participants of each role that the rule excludes, worst first.",
            ),
            "min_items": Entry(
                Whole(1, 10_000), default=ours.min_items, help="People with fewer ratings are not assessed."
            ),
            **{
                name: Entry(Text(40, choices=tuple(each.value for each in of)), default=getattr(ours, name).value)
                for name, of in choices.items()
            },
        }
    )


def campaign_record() -> Record:
    """Return what a file may hold."""
    name = kind_of(Campaign._meta.get_field("name"))
    return Record(
        {
            "precis_campaign": Entry(Whole(VERSION, VERSION), is_required=True, help="The version of this format."),
            "name": Entry(name, is_required=True, help=str(WORDS["name"].help)),
            "slug": _slug(),
            "settings": Entry(Record({each: _setting(each) for each in SETTINGS})),
            "task_settings": Entry(
                Table(Setting(MAX_FIELD_LENGTH), TASK_SETTING),
                help="The settings of a judgement task with material of its own, by their names; those that are left "
                "out have their defaults.",
            ),
            "scales": Entry(Listed(_scale(), MAX_SCALES, 1), help="The scales on which raters rate."),
            "arms": Entry(Listed(_arm(), MAX_ARMS), help=ARMS),
            "practice": Entry(_question(needs_why=True), help="Questions that show the right answers at once."),
            "test": Entry(_question(needs_why=True), help="Questions of the test before the work."),
            "gold": Entry(_question(needs_why=False), help="Questions with known answers among the ratings."),
            "links": Entry(
                Listed(_link(), MAX_LINKS),
                help="The links by which participants come; left out, there is a direct link for each round.",
            ),
            "quality_rule": Entry(_rule(), help="Whom a release leaves out, once the rule is applied."),
        }
    )


def campaign_schema() -> dict[str, Any]:
    with translation.override("en"):
        described = campaign_record().schema()
    return {"$schema": DIALECT, "title": "A campaign of Précis", **described}


def schema_text() -> str:
    """Return the schema as docs/campaign.schema.json has it."""
    return json.dumps(campaign_schema(), indent=2, ensure_ascii=False, default=str) + "\n"
