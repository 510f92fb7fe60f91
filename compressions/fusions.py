"""Fusions: one sentence that an editor makes of the two of a text."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crowd.models import Campaign
from measures.text.fusion_rule import FusionQuestion, FusionVerdict, check_fusion
from measures.text.length_rule import Verdict
from measures.text.segmentation import sentences

WHOLE = 100


def pair_of(text: str) -> tuple[str, str]:
    """Return the two sentences of a text; of one that has another number, the first and what is left."""
    first, *others = sentences(text) or ("",)
    return first, " ".join(others)


def fusion_verdict(campaign: Campaign, source: str, text: str) -> FusionVerdict:
    return check_fusion(
        pair_of(source),
        text,
        keep_percent=campaign.keep_percent,
        within_longer=campaign.fusion_within_longer,
        ask_sentences=campaign.fusion_asks_sentences,
    )


def percent_allowed(verdict: Verdict) -> float:
    """Return the percentage of the source by which a page's script finds the same greatest length."""
    return WHOLE * (verdict.allowed + 0.5) / max(1, verdict.source_length)


def fusion_rule_words(verdict: Verdict) -> str:
    words = ngettext(
        "Write one sentence with what matters most in both: %(n)s character or fewer. The two have %(original)s.",
        "Write one sentence with what matters most in both: %(n)s characters or fewer. The two have %(original)s.",
        verdict.allowed,
    )
    return words % {"n": verdict.allowed, "original": verdict.source_length}


def question_words(questions: Sequence[FusionQuestion]) -> str:
    """Say what is odd about a fusion, and ask whether it is meant."""
    said = {
        FusionQuestion.COPY: _("This is one of the two sentences as it stands."),
        FusionQuestion.ONE_SOURCE: _("Your text uses words of only one of the two sentences."),
        FusionQuestion.SEVERAL_SENTENCES: _("This looks like more than one sentence."),
    }
    return " ".join([*(said[each] for each in questions), _("Submit it anyway?")])
