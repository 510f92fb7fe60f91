"""What a sentence that fuses two others has to keep to, and what its writer is asked about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from measures.text.endings import words_of
from measures.text.length_rule import KEEP_PERCENT, Reason, Verdict, check_compression
from measures.text.normalization import length
from measures.text.segmentation import sentence_count


class FusionReason(StrEnum):
    """Why a fusion is refused, besides the reasons of the length rule."""

    SEVERAL_SENTENCES = "several sentences"


class FusionQuestion(StrEnum):
    """What the writer of a fusion is asked about; who means it sends the text."""

    COPY = "a copy of one source"
    ONE_SOURCE = "words of one source only"
    SEVERAL_SENTENCES = "several sentences"


@dataclass(frozen=True)
class FusionVerdict:
    """Result of checking one fusion.

    Attributes
    ----------
    rule : Verdict
        The length rule, of the text against both sources joined by a space; `allowed` is at most the length of the
        longer source if the text is to be within that.
    reasons : tuple of (Reason or FusionReason)
        All reasons to refuse the text, those of the length rule first; empty if it is accepted.
    questions : tuple of FusionQuestion
        What to ask before it is accepted; empty if it is refused.
    """

    rule: Verdict
    reasons: tuple[Reason | FusionReason, ...]
    questions: tuple[FusionQuestion, ...]

    @property
    def accepted(self) -> bool:
        """Whether there is no reason to refuse the text."""
        return not self.reasons


def check_fusion(
    sources: tuple[str, str],
    text: str,
    *,
    keep_percent: int = KEEP_PERCENT,
    within_longer: bool = False,
    ask_sentences: bool = False,
) -> FusionVerdict:
    """Check a sentence that fuses two others.

    The length rule is that of compressions: at most `keep_percent` of the characters of both sources joined by a
    space. The text is to be one sentence. Its writer is asked if it has the words of one source in their order, or
    words that only one of the sources has and none that only the other has. Of scripts that do not part words by
    spaces, runs of letters are compared as a whole.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", for the task; it has
    neither a length nor checks.

    Parameters
    ----------
    sources : tuple of two str
        The sentences.
    text : str
        The fusion as it was typed.
    keep_percent : int, default 75
        As for `check_compression`.
    within_longer : bool, default False
        Whether a text longer than the longer source is too long, too.
    ask_sentences : bool, default False
        Whether several sentences are a question and no reason to refuse the text.

    Returns
    -------
    FusionVerdict
        Reasons and questions. Takes linear time.

    Raises
    ------
    ValueError
        If `keep_percent` is not between 1 and 100.

    Examples
    --------
    >>> pair = "The plant opened in 1990.", "It will close in May, the owner said."
    >>> check_fusion(pair, "The plant, opened in 1990, will close in May.").accepted
    True
    >>> check_fusion(pair, "It opened in 1990. It will close in May.").reasons
    (<FusionReason.SEVERAL_SENTENCES: 'several sentences'>,)
    >>> check_fusion(pair, "The plant opened.").questions
    (<FusionQuestion.ONE_SOURCE: 'words of one source only'>,)
    """
    rule = check_compression(" ".join(sources), text, keep_percent)
    if within_longer:
        rule = _within(rule, max(map(length, sources)))
    reasons: list[Reason | FusionReason] = list(rule.reasons)
    if {Reason.EMPTY, Reason.STACKED_MARKS, Reason.TOO_LONG} & set(rule.reasons):
        return FusionVerdict(rule, rule.reasons, ())
    is_one = sentence_count(text) <= 1
    if not is_one and not ask_sentences:
        reasons.append(FusionReason.SEVERAL_SENTENCES)
    if reasons:
        return FusionVerdict(rule, tuple(reasons), ())
    found = _of_one_source(sources, text)
    asked = [] if is_one else [FusionQuestion.SEVERAL_SENTENCES]
    return FusionVerdict(rule, (), (*([found] if found else []), *asked))


def _within(rule: Verdict, most: int) -> Verdict:
    """Return the verdict of a rule that allows no more than `most`."""
    is_news = rule.length > most and Reason.TOO_LONG not in rule.reasons
    reasons = (Reason.TOO_LONG, *rule.reasons) if is_news else rule.reasons
    return replace(rule, allowed=min(rule.allowed, most), reasons=reasons)


def _of_one_source(sources: tuple[str, str], text: str) -> FusionQuestion | None:
    words, originals = words_of(text), [words_of(source) for source in sources]
    if words and words in originals:
        return FusionQuestion.COPY
    one, other = map(set, originals)
    used = [bool(set(words) & only) for only in (one - other, other - one)]
    return FusionQuestion.ONE_SOURCE if used[0] != used[1] and one - other and other - one else None
