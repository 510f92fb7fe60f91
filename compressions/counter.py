"""What the counter beside an editor's text says before the page's script takes over (`static/js/lib`)."""

from django.template.defaultfilters import pluralize

from measures.text.length_rule import Verdict


def counter_words(verdict: Verdict) -> str:
    if not verdict.length:
        return "the text is empty"
    if verdict.excess:
        return f"remove {verdict.excess} more character{pluralize(verdict.excess)}"
    return f"{verdict.spare} to spare" if verdict.spare else "exactly short enough"


def shortened(verdict: Verdict) -> int:
    """Return how much of the shortening required by the length rule is done, as a whole percentage."""
    required = verdict.source_length - verdict.allowed
    removed = verdict.source_length - verdict.length
    return max(0, min(100, 100 * removed // required)) if required else 100
