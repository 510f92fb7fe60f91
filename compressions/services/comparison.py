"""Compare the texts of one editor with each other: the same text again, and too many with one piece cut out.

That takes all of an editor's texts, so it is no part of a submission: whoever waits for the next text would wait for
more statements, the more the longer they have worked. The worker does it some minutes later, for the editors of new
texts. What it finds is recomputed for all texts of an editor whenever there is a new one, so a flag goes when what it
says has ceased to be true, and the flags of the submission stay.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from compressions.flag_kinds import ONE_CUT, SAME_TEXT, Flag, flag_columns
from compressions.models import Compression
from compressions.visit_evidence import visit_rules_store
from crowd.models import Worker
from measures.quality_control.provenance.cuts import one_cut
from measures.quality_control.provenance.visits import is_half, one_cut_met
from measures.text.endings import words_of

MOST_OTHERS = 1_000
"""Of how many newest texts by others for the same sources it is seen how often one piece is cut out."""

PEOPLE_AT_ONCE = 500
MOST_NAMED = 3
COMPARED = {SAME_TEXT, ONE_CUT}


def compressions_compare() -> int:
    """Compare the texts of editors who have written since they were last compared; return how many editors."""
    people = list(_to_compare().order_by("worker_id").values_list("worker_id", flat=True).distinct()[:PEOPLE_AT_ONCE])
    for worker_id in people:
        editor_compare(worker_id=worker_id)
        # Outside of that transaction, which keeps others from the editor's row: this takes longer.
        visit_rules_store(worker=Worker.objects.select_related("campaign").get(pk=worker_id))
    return len(people)


@transaction.atomic
def editor_compare(*, worker_id: int) -> None:
    """Compare the texts of one editor; of one who has been erased, nothing is found any more."""
    worker = Worker.objects.select_for_update(no_key=True).get(pk=worker_id)
    written = Compression.objects.filter(worker=worker, is_imported=False)
    texts = list(written.select_related("source").defer("edit_log").order_by("pk"))
    if worker.erased_at is None:
        found = _found_among(texts)
        for each in texts:
            _store(each, found[each.pk])
    new = [each.pk for each in texts if not each.is_compared]
    Compression.objects.filter(pk__in=new).update(is_compared=True)


def _to_compare() -> QuerySet[Compression]:
    return Compression.objects.filter(is_compared=False, is_imported=False)


def _store(compression: Compression, found: list[Flag]) -> None:
    """Store what was found beside what the submission was flagged for; a new kind is to be looked at again."""
    flags = [flag for flag in compression.flags if flag[0] not in COMPARED] + found
    if flags == compression.flags:
        return
    columns: dict[str, Any] = flag_columns(flags)
    known = set(compression.flag_kinds.split())
    if not set(columns["flag_kinds"].split()) <= known or not flags:
        columns |= {"flags_seen_at": None, "flags_seen_by": None}
    Compression.objects.filter(pk=compression.pk).update(**columns)


def _found_among(texts: Sequence[Compression]) -> defaultdict[int, list[Flag]]:
    """Return the flags of each text, by its id."""
    found: defaultdict[int, list[Flag]] = defaultdict(list)
    for same in _by_words(texts).values():
        for pk, evidence in _repetitions(same):
            found[pk].append([SAME_TEXT, evidence, None])
    cut = [each for each in texts if one_cut(each.source.text, each.text)]
    if is_half(len(cut), len(texts)) and one_cut_met(len(cut), len(texts), others=_cut_by_others(texts)):
        evidence = f"{len(cut)} of {len(texts)} texts of this editor so far are their source with one piece cut out"
        for each in cut:
            found[each.pk].append([ONE_CUT, evidence, None])
    return found


def _cut_by_others(texts: Sequence[Compression]) -> tuple[int, int]:
    """Return of how many texts by others for the same sources one piece is cut out, and how many there are."""
    worker, sources = texts[0].worker, [each.source_id for each in texts]
    others = Compression.objects.filter(source__in=sources, worker__is_test=worker.is_test).exclude(worker=worker)
    pairs = others.order_by("-pk").values_list("source__text", "text")[:MOST_OTHERS]
    cut = [one_cut(source, text) is not None for source, text in pairs]
    return sum(cut), len(cut)


def _by_words(texts: Sequence[Compression]) -> dict[tuple[str, ...], list[Compression]]:
    same: defaultdict[tuple[str, ...], list[Compression]] = defaultdict(list)
    for each in texts:
        same[tuple(words_of(each.text))].append(each)
    return {words: written for words, written in same.items() if words and len(written) > 1}


def _repetitions(same: Sequence[Compression]) -> Iterator[tuple[int, str]]:
    """Yield the texts that the editor also submitted for a source of other words, with where.

    Takes linear time: of the others, only as many are looked at as are named, and those of the same paragraph.
    """
    family, groups = _families(same), _by_subject(same)
    for group in groups.values():
        inside = {each.pk for each in group}
        beside = {each.pk: family[each.pk] - inside for each in group}
        enough = MOST_NAMED + max(map(len, beside.values()))
        outside = list(islice((each for each in same if each.pk not in inside), enough))
        for each in group:
            count = len(same) - len(group) - len(beside[each.pk])
            if count:
                named = (other.source.source_id for other in outside if other.pk not in beside[each.pk])
                words = ", ".join(islice(named, MOST_NAMED)) + (" …" if count > MOST_NAMED else "")
                yield each.pk, f"also submitted for {count} other source{'' if count == 1 else 's'}: {words}"


def _by_subject(texts: Sequence[Compression]) -> dict[tuple[str, ...], list[Compression]]:
    groups: defaultdict[tuple[str, ...], list[Compression]] = defaultdict(list)
    for each in texts:
        groups[tuple(words_of(each.source.text))].append(each)
    return groups


def _families(texts: Sequence[Compression]) -> defaultdict[int, set[int]]:
    """Return for each text those of its source's paragraph or sentences, for which the same text may do as well."""
    of_source: defaultdict[int, list[int]] = defaultdict(list)
    for each in texts:
        of_source[each.source_id].append(each.pk)
    family: defaultdict[int, set[int]] = defaultdict(set)
    for each in texts:
        for paragraph in of_source.get(each.source.paragraph_id or 0, ()):
            family[each.pk].add(paragraph)
            family[paragraph].add(each.pk)
    return family
