"""What staff should know before participants come: of gold questions, the test, and the language of the texts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from compressions.models import Source
from crowd.models import Campaign, JoinLink, Round, Stream
from crowd.models.work import Item
from measures.quality_control.parameters import RaterQuality
from measures.text.normalization import display_text
from measures.text.segmentation import has_word_spaces
from measures.text.spacy_models import has_word_rules
from ratings.models import GoldItem
from ratings.selectors.gold import MIN_GOLD, most_gold
from ratings.selectors.qualification import qualification_items, starter_items
from ratings.selectors.quality import latest_quality_run, parameters_of

EXAMPLES, SETTINGS = "ratings:examples", "crowd:campaign-edit"


@dataclass(frozen=True)
class SetupWarning:
    """A sentence for staff, the page on which they can do something about it, and its step of the set-up."""

    text: str
    url_name: str
    step: str = ""


@dataclass(frozen=True)
class _Counts:
    """The gold questions that raters are given, the sources that are not retired, and the other items of raters.

    Of these, no more are counted than one rater may have.
    """

    gold: int
    rated: int
    sources: int


def setup_warnings(campaign: Campaign) -> list[SetupWarning]:
    """Return what is not as the settings of a campaign need it; nothing if all is well."""
    found = {"texts": _of_language(campaign)}
    if not campaign.task.has_material:
        counts = _counts(campaign)
        of_gold = chain(_of_gold(campaign, counts), _of_nuggets(campaign), _of_rule(campaign, counts))
        questions = qualification_items(campaign).count()
        of_test, of_pay = _of_test(campaign, questions), _of_failed_pay(campaign, questions)
        found = {"gold": of_gold, "test": of_test, "pay": of_pay, **found}
    return [SetupWarning(text, url_name, step) for step, warnings in found.items() for text, url_name in warnings]


def _counts(campaign: Campaign) -> _Counts:
    items = Item.objects.filter(campaign=campaign, round=Round.RATE, is_closed=False)
    gold = items.filter(pk__in=GoldItem.objects.values("item")).count()
    sources = Source.objects.filter(campaign=campaign, retired_at=None).count()
    return _Counts(gold, items.exclude(stream=Stream.GOLD)[: campaign.rater_tasks].count(), sources)


def _most_tasks(campaign: Campaign, counts: _Counts) -> int:
    """Return the most tasks that one rater can get: what the settings allow, and not more than there will be."""
    if not counts.sources:
        return campaign.rater_tasks
    of_each = campaign.pairs_per_compression if campaign.task.makes_pairs else 1
    to_come = counts.sources * campaign.editors_per_source * of_each
    return min(campaign.rater_tasks, max(counts.rated, to_come) + counts.gold)


def _of_gold(campaign: Campaign, counts: _Counts) -> Iterator[tuple[str, str]]:
    tasks = _most_tasks(campaign, counts)
    due = most_gold(tasks=tasks, percent=campaign.gold_percent, visit=campaign.rater_tasks)
    if due > 1 and due <= counts.gold < 2 * due:
        words = _(
            "A rater with %(tasks)s ratings is due %(due)s gold questions. While there are fewer than %(enough)s, "
            "raters are given much the same ones, and can tell each other which they are."
        )
        yield words % {"tasks": tasks, "due": due, "enough": 2 * due}, EXAMPLES
    if not due or counts.gold >= due:
        return
    if not counts.gold:
        words = _(
            "There are no gold questions, though %(percent)s%% of the ratings are meant to be answers to gold "
            "questions in the long run."
        )
        yield words % {"percent": campaign.gold_percent}, EXAMPLES
        return
    words = ngettext(
        "A rater with %(tasks)s ratings can be due %(due)s gold questions, and there is only %(gold)s. Nobody is "
        "given the same one twice, so other texts take their place.",
        "A rater with %(tasks)s ratings can be due %(due)s gold questions, and there are only %(gold)s. Nobody is "
        "given the same one twice, so other texts take their place.",
        counts.gold,
    )
    yield words % {"tasks": tasks, "due": due, "gold": counts.gold}, EXAMPLES
    if counts.gold < min(MIN_GOLD, due) and campaign.gold_warn_percent:
        words = _("Raters are flagged for their gold questions only after %(gold)s of them, so nobody can be flagged.")
        yield words % {"gold": MIN_GOLD}, EXAMPLES


def _of_nuggets(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield how many gold questions show no nuggets, although the texts of the campaign do."""
    if not any(scale.shows_nuggets for scale in campaign.rating_scales):
        return
    gold = GoldItem.objects.filter(item__campaign=campaign, item__is_closed=False)
    asked = Counter(display_text(text) for text in gold.values_list("source_text", flat=True))
    having = Source.objects.filter(campaign=campaign).exclude(nuggets="")
    known = set(having.filter(text__in=[*asked]).values_list("text", flat=True))
    if (number := sum(asked[text] for text in asked.keys() - known)) and having.exists():
        words = ngettext(
            "%(n)s gold question has no nuggets, unlike other texts, so raters can tell that it is one. Ask about a "
            "text of the campaign that has nuggets.",
            "%(n)s gold questions have no nuggets, unlike other texts, so raters can tell which they are. Ask about "
            "texts of the campaign that have nuggets.",
            number,
        )
        yield words % {"n": number}, EXAMPLES


def _of_rule(campaign: Campaign, counts: _Counts) -> Iterator[tuple[str, str]]:
    """Yield whether the quality rule that is active assesses raters by more gold questions than they can answer."""
    run = latest_quality_run(campaign)
    if run is None:
        return
    parameters = parameters_of(run.parameters)
    if parameters.rater_quality == RaterQuality.GOLD and counts.gold < parameters.min_items:
        words = ngettext(
            "The active quality rule assesses raters with %(wanted)s or more gold questions, and there is only "
            "%(gold)s.",
            "The active quality rule assesses raters with %(wanted)s or more gold questions, and there are only "
            "%(gold)s.",
            counts.gold,
        )
        if not counts.gold:
            words = _(
                "The active quality rule assesses raters with %(wanted)s or more gold questions, and there are none."
            )
        yield words % {"wanted": parameters.min_items, "gold": counts.gold}, EXAMPLES


def _of_test(campaign: Campaign, questions: int) -> Iterator[tuple[str, str]]:
    has_raters = JoinLink.objects.filter(campaign=campaign, round=Round.RATE, is_active=True).exists()
    if has_raters and not questions:
        yield _("Raters start without a test: there are no test questions."), EXAMPLES
    if questions and (public := len(starter_items(campaign))):
        words = ngettext(
            "%(public)s of the %(all)s test questions is a starter question, which anyone can read with its answers. "
            "Write questions of your own, or draw some from your gold questions.",
            "%(public)s of the %(all)s test questions are starter questions, which anyone can read with their answers. "
            "Write questions of your own, or draw some from your gold questions.",
            public,
        )
        yield words % {"public": public, "all": questions}, EXAMPLES


def _of_failed_pay(campaign: Campaign, questions: int) -> Iterator[tuple[str, str]]:
    if questions and campaign.rater_pay is not None and campaign.failed_pay is None:
        yield _("Raters are not told what they are paid if they don’t pass the test."), SETTINGS


def _of_language(campaign: Campaign) -> Iterator[tuple[str, str]]:
    language = campaign.language
    if not has_word_spaces(language):
        yield _without_spaces(campaign), SETTINGS
    if not has_word_rules(language):
        words = _(
            "The program has no rules for the words of the language “%(language)s”. Scores can be computed only with "
            "words cut at white space."
        )
        yield words % {"language": language}, SETTINGS


def _without_spaces(campaign: Campaign) -> str:
    words = _(
        "Texts in the language “%(language)s” are usually written without spaces. Words are counted by spaces, so a "
        "sentence without any counts as one. Imports count characters instead: at least %(sentence)s per sentence, "
        "%(paragraph)s per paragraph."
    )
    least = {"sentence": campaign.sentence_min_words, "paragraph": campaign.paragraph_min_words}
    return words % {"language": campaign.language, **least}
