"""Deliberate mistakes that a reviewer would catch; `mutants.py` checks whether the tests catch them too.

A mutant names its file and a passage that occurs there exactly once. A mutant that changes nothing a user could see
does not belong here.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Area:
    """A part of the product: its files and the tests that cover them, those that fail soonest first."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file; `first` names tests, of any area, to run before those of the area."""

    file: str
    old: str
    new: str
    first: str = ""

    def applied(self, root: Path) -> str:
        """Return the text of the file with the mistake in it.

        Raises
        ------
        ValueError
            If the passage does not occur in the file exactly once, or its replacement is the same.
        """
        text = (root / self.file).read_text(encoding="utf-8")
        if (times := text.count(self.old)) != 1 or self.old == self.new:
            raise ValueError(f"{self}: the passage occurs {times} times")
        return text.replace(self.old, self.new)

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"


OPTIONS_TEST = "corpus/tests/release/test_freeze_options.py"
PINS_TEST = "corpus/tests/release/test_freeze_pins.py"
STATEMENTS_TEST = "tests/flows/test_statements.py"
SHARED_BROWSERS_TEST = "tests/flows/test_shared_browsers.py"
AHEAD_TEST = "tests/flows/test_claims_ahead.py"
PREPARED_TEST = "tests/flows/test_prepared_pages.py"
NEXT_TEST = "ratings/tests/test_next_items.py"
EXPERT_RATER_TEST = "tests/flows/test_experts.py::test_an_excluded_expert_stays_a_rater"
RATER_EXPERT_TEST = "tests/flows/test_experts.py::test_a_rater_whom_the_rule_leaves_out_stays_an_expert"
PAIRS_TEST = "tests/flows/test_own_scales_release.py"
COMPARED_TEST = f"{PAIRS_TEST}::test_what_was_compared_stands_in_the_complete_file_and_rawdata_is_empty"
PAIR_EDITOR_TEST = f"{PAIRS_TEST}::test_a_pair_is_left_out_with_an_editor_who_is_left_out_and_with_no_other"
IMPORT_TEST = (
    "corpus/tests/release_import/test_import_release.py::test_a_release_comes_back_byte_by_byte_from_rawdata_alone"
)

CAMPAIGNS = "crowd/services/campaigns.py"
PLACEHOLDERS, READINGS = "crowd/placeholders.py", "crowd/readings.py"
PEOPLE = "crowd/models/people.py"
PROVENANCE = "corpus/release/provenance.py"
COLLECTION = "corpus/release/collection.py"
COLLECTED = "corpus/description/collected.py"
STATED = "corpus/release_import/stated.py"
WORKER_FILTER = "measures/quality_control/worker_filter.py"
FILTER_INPUT = "measures/quality_control/filter_input.py"
ROLE_DECISIONS = "measures/quality_control/role_decisions.py"
LOWEST_SHARE = "measures/quality_control/lowest_share.py"
PARAMETERS = "measures/quality_control/parameters.py"
WORKER_QUALITY = "measures/quality_control/worker_quality.py"
MEASURED_QUALITY = "measures/quality_control/measured_quality.py"
LENGTH_RULE = "measures/text/length_rule.py"
NORMALIZATION = "measures/text/normalization.py"
EDIT_LOG = "measures/keystrokes/edit_log.py"
SIMULATED_PAIRS = "measures/agreement/simulated_pairs.py"
BOOTSTRAP = "measures/agreement/bootstrap.py"
TWO_WAY = "measures/agreement/two_way.py"
SAMPLED_RATINGS = "measures/agreement/sampled_ratings.py"
TABLE_INTERVALS = "measures/agreement/table_intervals.py"
CONFIDENCE = "measures/core/confidence.py"
INTERVALS = "measures/core/intervals.py"
CLAIMS = "crowd/services/claims.py"
CLAIMS_AHEAD = "crowd/services/claims.py"
CLAIM_STATEMENTS = "crowd/services/claim_statements.py"
SHARED_BROWSERS = "crowd/services/shared_browsers.py"
TARGETS = "compressions/services/targets.py"
QUESTION_DRAW = "ratings/selectors/sittings.py"
SITTING = "ratings/selectors/sittings.py"
SITTINGS = "ratings/services/sittings.py"
PREPARED_PAGES = "common/prepared_pages.py"
ITEM_SLOTS = "crowd/services/leases.py"
ITEMS = "crowd/services/items.py"
ASSEMBLY = "corpus/release/assembly.py"
SPLITS = "corpus/release/splits.py"
TABLE_READERS = "corpus/release/table_readers.py"
BUILDING = "corpus/services/building.py"

AREAS = (
    Area(
        "quality filter",
        (WORKER_FILTER, FILTER_INPUT, ROLE_DECISIONS, LOWEST_SHARE, PARAMETERS, WORKER_QUALITY, MEASURED_QUALITY),
        (
            # The examples in the docstrings are tests as well.
            *(WORKER_FILTER, FILTER_INPUT, ROLE_DECISIONS, LOWEST_SHARE, PARAMETERS, WORKER_QUALITY, MEASURED_QUALITY),
            "measures/quality_control/tests/test_worker_filter.py",
            "measures/quality_control/tests/test_worker_quality.py",
            "measures/quality_control/tests/test_measured_quality.py",
            "measures/quality_control/tests/test_manual_decisions.py",
            "measures/quality_control/tests/test_rater_quality.py",
            "measures/quality_control/tests/test_share_preview.py",
        ),
    ),
    Area(
        "length rule",
        (LENGTH_RULE, NORMALIZATION),
        (
            LENGTH_RULE,
            NORMALIZATION,
            "measures/text/tests/test_length_rule.py",
            "measures/text/tests/test_normalization.py",
        ),
    ),
    Area(
        "settings versions",
        (CAMPAIGNS, PLACEHOLDERS, READINGS, PEOPLE, PROVENANCE, COLLECTION, COLLECTED, STATED),
        (
            "tests/flows/test_settings_versions.py",
            "tests/flows/test_guidelines_again.py",
            "crowd/tests/test_settings_pages.py",
            "crowd/tests/test_placeholders.py",
            "corpus/tests/release/test_card.py",
            "corpus/tests/release_import/test_imported_card.py",
        ),
    ),
    Area("edit log", (EDIT_LOG,), (EDIT_LOG, "measures/keystrokes/tests/test_edit_log.py")),
    Area(
        "simulated pairs",
        (SIMULATED_PAIRS, BOOTSTRAP, INTERVALS),
        (
            SIMULATED_PAIRS,
            BOOTSTRAP,
            INTERVALS,
            "measures/agreement/tests/test_simulated_pairs.py",
            "measures/agreement/tests/test_bootstrap.py",
        ),
    ),
    Area(
        "agreement intervals",
        (TWO_WAY, SAMPLED_RATINGS, TABLE_INTERVALS, CONFIDENCE),
        (
            *(TWO_WAY, SAMPLED_RATINGS, TABLE_INTERVALS, CONFIDENCE),
            "measures/agreement/tests/test_two_way.py",
            "measures/core/tests/test_confidence.py",
        ),
    ),
    Area(
        "claims",
        (CLAIMS, CLAIMS_AHEAD, CLAIM_STATEMENTS, SHARED_BROWSERS, TARGETS, PREPARED_PAGES, ITEM_SLOTS, ITEMS),
        (
            "crowd/tests/test_claims.py",
            "crowd/tests/test_skip.py",
            NEXT_TEST,
            STATEMENTS_TEST,
            AHEAD_TEST,
            PREPARED_TEST,
        ),
    ),
    Area(
        "raters' test",
        (QUESTION_DRAW, SITTING, SITTINGS),
        (
            QUESTION_DRAW,
            "ratings/tests/test_question_draw.py",
            "tests/flows/test_sittings.py",
            "ratings/tests/test_qualification.py",
            "ratings/tests/test_practice_and_tries.py",
        ),
    ),
    Area(
        "release assembly",
        (ASSEMBLY, SPLITS, TABLE_READERS, BUILDING),
        (
            "corpus/tests/release/test_release.py",
            OPTIONS_TEST,
            PINS_TEST,
            "corpus/tests/release_import/test_outputs.py",
        ),
    ),
)

MUTANTS = (
    # Quality filter: the data that workers are judged on
    Mutant(WORKER_FILTER, "if parameters.order is Order.RATERS_FIRST:", "if parameters.order is Order.EDITORS_FIRST:"),
    Mutant(WORKER_FILTER, "removed = replace(removed, raters=raters.removed)", "removed = replace(removed)"),
    Mutant(
        WORKER_FILTER,
        "RemovedWorkers(raters.removed, editors.removed)",
        "RemovedWorkers(raters.removed, data.manual.excluded_editors)",
    ),
    Mutant(FILTER_INPUT, "remaining[self.authorship.text] = False", "remaining[self.authorship.text] = True"),
    Mutant(FILTER_INPUT, " & self.remaining_texts(removed)[self.ratings.text]", ""),
    Mutant(FILTER_INPUT, "np.where(removed.raters, 0, found.items)", "found.items"),
    Mutant(FILTER_INPUT, "removed.raters.tobytes(), removed.editors.tobytes())", 'removed.raters.tobytes(), b"")'),
    Mutant(FILTER_INPUT, "rater_deviation(self._remaining(removed),", "rater_deviation(self.ratings,"),
    # Quality filter: who is removed
    Mutant(ROLE_DECISIONS, "by_hand = role.included | role.excluded", "by_hand = role.excluded"),
    Mutant(ROLE_DECISIONS, "~by_hand & (items < min_items)", "items < min_items"),
    Mutant(ROLE_DECISIONS, "removed = role.excluded.copy()", "removed = np.zeros_like(role.excluded)"),
    Mutant(ROLE_DECISIONS, "np.flatnonzero(items < min_items)", "np.flatnonzero(items <= min_items)"),
    Mutant(LOWEST_SHARE, "(items >= min_items)", "(items > min_items)"),
    Mutant(LOWEST_SHARE, "Fraction(str(float(share)))", "Fraction(float(share))"),
    Mutant(LOWEST_SHARE, "np.round(quality[eligible], DECIMALS)", "quality[eligible]"),
    Mutant(LOWEST_SHARE, "items[eligible], badness))", "-items[eligible], badness))"),
    Mutant(LOWEST_SHARE, "order[count - 1 : count + 1]", "order[count - 1 : count]"),
    Mutant(PARAMETERS, "return self.roles is not Roles.EDITORS", "return self.roles is not Roles.RATERS"),
    Mutant(PARAMETERS, "min_items: int = 5", "min_items: int = 6"),
    # Quality filter: how quality is measured
    Mutant(WORKER_QUALITY, "scores = ratings.scores.mean(axis=1)", "scores = ratings.scores[:, 0]"),
    Mutant(WORKER_QUALITY, "- np.bincount(pair)[pair]\n", "- 1\n"),
    Mutant(WORKER_QUALITY, "rated = ~np.isnan(written)", "rated = np.ones(len(written), dtype=np.bool_)"),
    Mutant(MEASURED_QUALITY, "items * (items - 1)", "items * items"),
    Mutant(MEASURED_QUALITY, "if smallest_is_worst else cut - quality", "if smallest_is_worst else quality - cut"),
    Mutant(MEASURED_QUALITY, "np.where(items > 1, items, np.nan)", "np.where(items > 0, items, np.nan)"),
    # Length rule: the verdict
    Mutant(LENGTH_RULE, "len(part) > allowed,", "len(part) >= allowed,"),
    Mutant(LENGTH_RULE, "len(part) <= allowed < _expanded", "len(part) <= allowed <= _expanded"),
    Mutant(LENGTH_RULE, "source_length * keep_percent // 100", "round(source_length * keep_percent / 100)"),
    Mutant(LENGTH_RULE, "if not 1 <= keep_percent <= 100", "if not 1 <= keep_percent < 100"),
    Mutant(LENGTH_RULE, "set(part) - _BLANK_LETTERS", "set(part)"),
    Mutant(LENGTH_RULE, "Counter(part) - Counter(whole)", "Counter(part)"),
    Mutant(LENGTH_RULE, "count * _extra_letters(character)", "_extra_letters(character)"),
    Mutant(LENGTH_RULE, "0 if _FRACTION_SLASH in expanded else max(", "max("),
    Mutant(LENGTH_RULE, '"NFKC", character', '"NFKD", character'),
    Mutant(LENGTH_RULE, "forbidden_character(compression)", "forbidden_character(part)"),
    Mutant(LENGTH_RULE, "all(map(_is_word_character, cut)) and", "any(map(_is_word_character, cut)) and"),
    Mutant(LENGTH_RULE, 'startswith("M")', 'startswith("Mn")'),
    Mutant(LENGTH_RULE, "return in_word and character not in _BLANK_LETTERS", "return in_word"),
    # Length rule: what is counted
    Mutant(NORMALIZATION, "(0x2066, 0x206F)", "(0x2066, 0x2069)"),
    Mutant(NORMALIZATION, "(0x2000, 0x200A)", "(0x2000, 0x2009)"),
    Mutant(NORMALIZATION, 'tidy_spaces(unicodedata.normalize("NFC", visible))', "tidy_spaces(visible)"),
    Mutant(NORMALIZATION, "(0x0E, 0x1F)", "(0x10, 0x1F)"),
    Mutant(NORMALIZATION, "for plane in range(17)", "for plane in range(16)"),
    # Edit log: what is accepted
    Mutant(EDIT_LOG, "if len(raw) > max_operations", "if len(raw) >= max_operations"),
    Mutant(EDIT_LOG, "if operation.at_ms < last_ms", "if operation.at_ms <= last_ms"),
    Mutant(EDIT_LOG, "last_ms = operation.at_ms", "last_ms = 0"),
    Mutant(
        EDIT_LOG,
        "characters += len(operation.removed) + len(operation.inserted)",
        "characters += len(operation.inserted)",
    ),
    Mutant(EDIT_LOG, "if characters > max_characters", "if characters >= max_characters"),
    Mutant(
        EDIT_LOG, "if type(position) is not int or position < 0", "if not isinstance(position, int) or position < 0"
    ),
    Mutant(EDIT_LOG, "not 0 <= at_ms <= MAX_LOG_MS", "not 0 <= at_ms < MAX_LOG_MS"),
    Mutant(EDIT_LOG, "_UNSTORABLE.search(removed + inserted)", "_UNSTORABLE.search(inserted)"),
    Mutant(EDIT_LOG, "NO_CHANGES and (removed or inserted)", "NO_CHANGES and inserted"),
    # Edit log: the replay
    Mutant(EDIT_LOG, "if not 0 <= edit.position <= len(text)", "if not 0 <= edit.position < len(text)"),
    Mutant(EDIT_LOG, "if not text.startswith(edit.removed, edit.position)", "if edit.removed not in text"),
    Mutant(EDIT_LOG, "if len(text) - len(edit.removed) + len(edit.inserted) >", "if len(text) + len(edit.inserted) >"),
    Mutant(EDIT_LOG, "copied += len(text)", "copied = len(text)"),
    Mutant(EDIT_LOG, "edit.position + len(edit.removed) :]", "edit.position + len(edit.inserted) :]"),
    Mutant(EDIT_LOG, "if text != before:", "if text != start:"),
    Mutant(EDIT_LOG, "shown.append(bounded_display_text(text))", "shown.append(text)"),
    # Simulated pairs: who is compared with whom
    Mutant(SIMULATED_PAIRS, "require_pairs(patterns).counts", "patterns.counts"),
    Mutant(SIMULATED_PAIRS, "counts.sum(axis=1)[:, None] - 1, 1)", "counts.sum(axis=1)[:, None], 1)"),
    Mutant(SIMULATED_PAIRS, "[:, None] - values,", "[:, None] - 0 * values,"),
    Mutant(SIMULATED_PAIRS, "rounding) - values[0]", "rounding) - 1"),
    Mutant(
        SIMULATED_PAIRS, "patterns.counts / patterns.counts.sum(", "(patterns.counts > 0) / (patterns.counts > 0).sum("
    ),
    Mutant(
        SIMULATED_PAIRS,
        "_others_category(patterns.counts, categories, rounding), draws)",
        "_others_category(patterns.counts, categories, Rounding.HALF_UP), draws)",
    ),
    Mutant(SIMULATED_PAIRS, "counts, categories=categories, rounding=rounding)\n", "counts, categories=categories)\n"),
    Mutant(SIMULATED_PAIRS, "if resample_items:", "if not resample_items:"),
    Mutant(SIMULATED_PAIRS, "np.random.default_rng(seed)", "np.random.default_rng(0)"),
    Mutant(SIMULATED_PAIRS, "tables += chosen", "tables = chosen"),
    # Simulated pairs: what the draws show
    Mutant(SIMULATED_PAIRS, "table_intervals(tables, weights)", 'table_intervals(tables, "quadratic")'),
    Mutant(SIMULATED_PAIRS, "kappa_of_table(tables, weights)", "kappa_of_table(tables)"),
    Mutant(SIMULATED_PAIRS, "kappas[~np.isnan(kappas)]", "kappas"),
    Mutant(INTERVALS, "[2.5, 97.5]", "[5, 95]"),
    Mutant(INTERVALS, "float(draws.var())", "float(draws.std())"),
    Mutant(BOOTSTRAP, "len(kappa) - len(defined)", "len(defined)"),
    Mutant(BOOTSTRAP, "kappa_of_table(table, weights)", "kappa_of_table(table)"),
    Mutant(BOOTSTRAP, "kappa_of_table(counts, weights)", "kappa_of_table(counts)"),
    # Intervals of agreement: the two parts of the variance, and what is put around the value
    Mutant(TWO_WAY, "(number - 1) / number * ((without", "((without"),
    Mutant(TWO_WAY, "variance += of_raters", "variance += 0"),
    Mutant(TWO_WAY, "(sums[several] ** 2 - squares[several])", "(sums[several] ** 2)"),
    Mutant(TWO_WAY, "moved - (sums / np.maximum(numbers, 1))[number]", "moved"),
    Mutant(TWO_WAY, "* float((number**2).sum())", "* float(number.sum())"),
    Mutant(TWO_WAY, "raters = ratings.raters if ratings.raters > 1 else 0", "raters = 0"),
    Mutant(SAMPLED_RATINGS, "contributed[items][self.item] - contributed[without]", "contributed[items][self.item]"),
    Mutant(SAMPLED_RATINGS, "if (rater < 0).any():", "if (rater < 0).all():"),
    Mutant(TABLE_INTERVALS, "squares * (sources - 1) / np.maximum(sources, 1)", "squares"),
    Mutant(CONFIDENCE, "max(least, raters / 3)", "most"),
    Mutant(CONFIDENCE, "max(low, value - reach)", "value - reach"),
    # The raters' test: which questions, and what counts
    Mutant(QUESTION_DRAW, "last_asked.get(question, 0)", "-last_asked.get(question, 0)"),
    Mutant(QUESTION_DRAW, "drawn[1:] + drawn[:1] if is_repeated else drawn", "drawn"),
    Mutant(SITTING, 'answer.get("mark") == item.mark and ', ""),
    Mutant(SITTING, "if missing else []", "if False else []"),
    Mutant(SITTINGS, "if not sitting.has_begun:", "if True:"),
    Mutant(SITTINGS, "marks.get(pk, marked[pk]) == marked[pk] and ", ""),
    Mutant(SITTINGS, "if passed or standing.tries_left <= 1:", "if passed:"),
    # Claims: who gets what
    Mutant(ITEM_SLOTS, " and not _is_excluded(enrolment)\n", "\n"),
    Mutant(CLAIMS, "if not enrolment.takes_work or remaining <= 0:", "if remaining <= 0:"),
    Mutant(CLAIM_STATEMENTS, "AND i.open_slots > 0 AND NOT i.is_closed\n", "AND i.open_slots > 0\n"),
    Mutant(CLAIM_STATEMENTS, "AND NOT i.is_closed {skip_locked}", "{skip_locked}"),
    Mutant(CLAIM_STATEMENTS, "u.state IN ('leased', 'expired')", "u.state IN ('leased')", STATEMENTS_TEST),
    Mutant(CLAIM_STATEMENTS, "AND i.round = 'edit'", "", SHARED_BROWSERS_TEST),
    Mutant(TARGETS, " UNION {OTHERS_OF_BROWSERS}", "", SHARED_BROWSERS_TEST),
    Mutant(TARGETS, "p.second_id = c.target_id", "p.first_id = c.target_id", SHARED_BROWSERS_TEST),
    Mutant(SHARED_BROWSERS, " AND NOT w.is_test", "", SHARED_BROWSERS_TEST),
    Mutant(SHARED_BROWSERS, "((worker_id, other), (other, worker_id))", "((worker_id, other),)", SHARED_BROWSERS_TEST),
    Mutant(
        SHARED_BROWSERS,
        "    _submissions_await([worker_id, *others])\n",
        "",
        "tests/concurrency/test_shared_browsers.py",
    ),
    Mutant(CLAIMS_AHEAD, "counts.unfinished == 1", "counts.unfinished >= 1", AHEAD_TEST),
    Mutant(CLAIMS_AHEAD, "counts.by_link + 2", "counts.by_link + 1", AHEAD_TEST),
    Mutant(CLAIMS_AHEAD, "            GIVE_BACK.run(item=item_id)\n", "", AHEAD_TEST),
    Mutant(CLAIMS_AHEAD, "enrolment.must_read_guidelines or ", "", AHEAD_TEST),
    Mutant(
        PREPARED_PAGES,
        "{path: escape(str(_found(context, path)))",
        "{path: str(_found(context, path))",
        PREPARED_TEST,
    ),
    Mutant(CLAIMS, "counts.submitted + page_position + 1", "counts.submitted + 1", NEXT_TEST),
    Mutant(CLAIMS, "key=lambda row: row.page_position) if", "key=lambda row: row.page_position)[:1] if"),
    # Claims: renewing, finishing, skipping
    Mutant(ITEM_SLOTS, "{State.SUBMITTED, State.SKIPPED, State.DISCARDED}", "{State.SUBMITTED, State.SKIPPED}"),
    Mutant(ITEM_SLOTS, "    for row in leased:\n", "    for row in leased[:1]:\n"),
    Mutant(ITEM_SLOTS, "any(row.page_position == assignment.page_position and", "any("),
    Mutant(ITEM_SLOTS, "            if not may_hold_work(enrolment):\n                raise NoOpenSlot\n", ""),
    Mutant(
        ITEM_SLOTS,
        "{State.SUBMITTED, State.DISCARDED}:\n        return False",
        "{State.SUBMITTED}:\n        return False",
    ),
    Mutant(
        ITEM_SLOTS,
        "{State.SUBMITTED, State.DISCARDED}:\n        raise AlreadySubmitted",
        "{State.SUBMITTED}:\n        raise AlreadySubmitted",
    ),
    Mutant(ITEM_SLOTS, "    if assignment.state == State.LEASED:\n", "    if assignment.state != State.SUBMITTED:\n"),
    # Claims: expired leases, and slots
    Mutant(ITEM_SLOTS, "lease_ends_at__lt=now", "lease_ends_at__lte=now"),
    Mutant(ITEM_SLOTS, "+ slots)", "+ 1)"),
    Mutant(
        ITEM_SLOTS,
        " or not slot_claim(assignment.item_id, enrolment):\n                raise",
        ":\n                raise",
    ),
    Mutant(ITEM_SLOTS, "open_slots__gt=0, is_closed=False", "open_slots__gt=0"),
    Mutant(ITEM_SLOTS, "if only_had else had", "if not only_had else had"),
    Mutant(
        ITEMS,
        "campaign.people_per_item(work_round) if people is None else people",
        "campaign.people_per_item(work_round)",
    ),
    Mutant(ITEMS, "pk=item_id, is_extended=False", "pk=item_id"),
    Mutant(ITEMS, 'wanted=F("wanted") - F("open_slots") + people, open', "open"),
    # Versions of settings: what is recorded, and what the card makes of it
    Mutant(CAMPAIGNS, "confirmed != before.number", "confirmed is None"),
    Mutant(CAMPAIGNS, "before.number + 1", "before.number"),
    Mutant(CAMPAIGNS, "stored.versioned_settings | recorded", "recorded"),
    Mutant(PLACEHOLDERS, "str(100 - keep)", "str(keep)"),
    Mutant(READINGS, " if is_same else []", ""),
    Mutant(READINGS, "& (set(TOLD_OR_HELD_TO) | read)", "& set(TOLD_OR_HELD_TO)"),
    Mutant(CAMPAIGNS, "if not read_again.isdisjoint(RATERS_READ):", "if changed:"),
    Mutant(PEOPLE, "(self.guidelines_version_id or 0) < changed", "(self.guidelines_version_id or 0) <= changed"),
    Mutant(PROVENANCE, "self.editors[each.worker, each.guidelines] += 1", "self.editors[each.worker, None] += 1"),
    Mutant(PROVENANCE, "min(known, at) if", "max(known, at) if"),
    Mutant(COLLECTION, "passed[worker] <= first", "True"),
    Mutant(COLLECTION, '"is_read": text is not False', '"is_read": True'),
    Mutant(COLLECTED, "if origin == Origin.IMPORTED else UNRECORDED", "if origin else UNRECORDED"),
    Mutant(COLLECTED, "if len(rows) > 1 else []", "if rows else []"),
    Mutant(STATED, "and not 0 <= value < 2**53", "and value < 0"),
    Mutant(STATED, "if named - told:", "if not named:"),
    # Release assembly: who and what is left out
    Mutant(
        ASSEMBLY,
        "pool == RaterPool.EXPERTS and worker in self.filter.experts",
        "worker in self.filter.experts",
        EXPERT_RATER_TEST,
    ),
    Mutant(
        ASSEMBLY,
        "pool == RaterPool.CROWD and worker in self.filter.raters",
        "worker in self.filter.raters",
        RATER_EXPERT_TEST,
    ),
    Mutant(
        ASSEMBLY,
        "len(of_text) >= self.filter.min_ratings or",
        "len(of_text) > self.filter.min_ratings or",
        OPTIONS_TEST,
    ),
    Mutant(ASSEMBLY, " or text in compared:", ":", COMPARED_TEST),
    Mutant(ASSEMBLY, "if log and worker not in self.filter.editors and", "if log and"),
    Mutant(ASSEMBLY, "if not has_authors or not of_pair:", "if not of_pair:", PAIR_EDITOR_TEST),
    Mutant(ASSEMBLY, "if len(source.texts) >=", "if source.outputs or len(source.texts) >=", OPTIONS_TEST),
    Mutant(ASSEMBLY, "        elif source.outputs:\n", "        elif not source.outputs:\n", OPTIONS_TEST),
    Mutant(ASSEMBLY, "+= len(written) - len(kept)", "+= len(written)"),
    Mutant(
        BUILDING, "editors=removed_people(self.release, Round.EDIT)", "editors=removed_people(self.release, Round.RATE)"
    ),
    Mutant(BUILDING, "min_compressions=self.options.min_compressions,", "", OPTIONS_TEST),
    # Release assembly: the splits
    Mutant(SPLITS, "in reversed(sources)}", "in sources}", OPTIONS_TEST),
    Mutant(SPLITS, "    strata |= {source.source_id: source.stratum for source in sources}\n", "", OPTIONS_TEST),
    Mutant(SPLITS, "source.split or drawn", "drawn", IMPORT_TEST),
    Mutant(SPLITS, "if wanted > total:", "if wanted >= total:", OPTIONS_TEST),
    Mutant(SPLITS, "seed=options.seed", "seed=2016", OPTIONS_TEST),
    # Release assembly: which rows are pinned, and what is written
    Mutant(
        TABLE_READERS,
        "pinned = Score.objects.filter(rating__lte=self",
        "pinned = Score.objects.filter(rating__lt=self",
        PINS_TEST,
    ),
    Mutant(TABLE_READERS, 'filter(pk__lte=self.tables.last_rows["outputs"])', "all()", PINS_TEST),
    Mutant(TABLE_READERS, 'filter(pk__lte=self.tables.last_rows["compressions"])', "all()", PINS_TEST),
    Mutant(TABLE_READERS, 'pk__lt": self.stop', 'pk__lte": self.stop', PINS_TEST),
    Mutant(TABLE_READERS, 'order_by("source", "system__name", "pk")', 'order_by("source", "pk")', PINS_TEST),
    Mutant(BUILDING, "    if release.state == Release.State.READY:\n        return\n", ""),
    Mutant(BUILDING, '{name: each[name] for name in ("worker", "round", "reason")}', "dict(each)"),
    Mutant(BUILDING, "        release.files.all().delete()\n", ""),
    Mutant(BUILDING, ", sort_keys=True)", ")", PINS_TEST),
)
