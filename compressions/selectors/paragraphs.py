"""Which paragraphs can be divided into their sentences, and why the others cannot."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from compressions.models import Source
from compressions.rows import is_source_id
from compressions.selectors.writing import undivided_paragraphs
from crowd.models import Campaign
from measures.text.segmentation import sentences, word_count


def is_suitable(paragraph: Source, campaign: Campaign) -> bool:
    texts = sentences(paragraph.text)
    return len(texts) == 2 and all(word_count(text) >= campaign.sentence_min_words for text in texts)


def free_ids(paragraph: Source, taken: set[str]) -> tuple[str, ...]:
    return next((ids for ids in possible_ids(paragraph.source_id) if not taken & set(ids)), ())


def possible_ids(paragraph_id: str) -> Iterator[tuple[str, ...]]:
    """Yield ids for the sentences: those in the paragraph's id, as in 101_102, then the id with a number appended."""
    parts = tuple(paragraph_id.split("_"))
    if len(set(parts)) == len(parts) == 2 and all(map(is_source_id, parts)):
        yield parts
    numbered = (f"{paragraph_id}.1", f"{paragraph_id}.2")
    if all(map(is_source_id, numbered)):
        yield numbered


def why_none_is_suitable(campaign: Campaign) -> list[str]:
    """Say what a suitable paragraph is, and how many of the campaign's texts lack what."""
    rule = _(
        "A paragraph is suitable if it has two sentences, each of at least %(words)s words, and is neither divided nor "
        "retired."
    ) % {"words": campaign.sentence_min_words}
    texts = Source.objects.filter(campaign=campaign)
    undivided = list(undivided_paragraphs(campaign))
    if not texts.filter(sentences=2).exists():
        return [rule, _("None of the campaign’s texts has two sentences.")]
    taken = set(texts.values_list("source_id", flat=True))
    counts = {
        _("divided already"): texts.filter(sentences=2, own_sentences__isnull=False).distinct().count(),
        _("retired"): texts.filter(sentences=2, retired_at__isnull=False).count(),
        _("with a sentence that is too short, or that cannot be cut into two"): sum(
            not is_suitable(each, campaign) for each in undivided
        ),
        _("whose sentences find no free ids"): sum(
            is_suitable(each, campaign) and not free_ids(each, taken) for each in undivided
        ),
    }
    found = "; ".join(f"{number:,} {words}" for words, number in counts.items() if number)
    return [rule, _("The campaign’s paragraphs: %(counts)s.") % {"counts": found}]
