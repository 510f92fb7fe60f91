r"""Mistakes that a reviewer would catch, each made on purpose: `mutants.py` sees whether the tests catch them too.

A mutant names its file and a passage that stands there exactly once. Mutants that change nothing anybody could
see do not belong here.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Area:
    """A part of the product: its files, and the tests that are to the point, those that fail soonest first."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file; `first` is a test, of any area, that is tried before those of its area."""

    file: str
    old: str
    new: str
    first: str = ""

    def applied(self, root: Path) -> str:
        """The file's text with the mistake in it.

        Raises
        ------
        ValueError
            If the passage does not stand in the file exactly once, or what replaces it is the same.
        """
        text = (root / self.file).read_text(encoding="utf-8")
        if (times := text.count(self.old)) != 1 or self.old == self.new:
            raise ValueError(f"{self}: stands there {times} times")
        return text.replace(self.old, self.new)

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"


OPTIONS_TEST = "corpus/tests/release/test_freeze_options.py"
PINS_TEST = "corpus/tests/release/test_freeze_pins.py"
NEXT_TEST = "ratings/tests/test_next_items.py"
EXPERT_TEST = "tests/flows/test_experts.py::test_a_rater_whom_the_rule_leaves_out_stays_an_expert"

QUALITY = "measures/quality_control/worker_filter.py"
CASE = "measures/quality_control/filter_input.py"
JUDGING = "measures/quality_control/role_decisions.py"
BOTTOM = "measures/quality_control/lowest_share.py"
RULE = "measures/quality_control/parameters.py"
WORKERS = "measures/quality_control/worker_quality.py"
LENGTH = "measures/text/length_rule.py"
TEXT = "measures/text/normalization.py"
EDITS = "measures/keystrokes/edit_log.py"
PAIRS = "measures/agreement/simulated_pairs.py"
BOOTSTRAP = "measures/agreement/bootstrap.py"
CLAIMS = "crowd/services/claims.py"
PLACES = "crowd/services/item_slots.py"
ITEMS = "crowd/services/items.py"
STREAM = "corpus/release/assembly.py"
SPLITS = "corpus/release/splits.py"
TABLES = "corpus/release/table_readers.py"
BUILDING = "corpus/services/building.py"

AREAS = (
    Area(
        "quality filter",
        (QUALITY, CASE, JUDGING, BOTTOM, RULE, WORKERS),
        (
            # The examples in the docstrings are tests as well.
            *(QUALITY, CASE, JUDGING, BOTTOM, RULE, WORKERS),
            "measures/quality_control/tests/test_worker_filter.py",
            "measures/quality_control/tests/test_worker_quality.py",
            "measures/quality_control/tests/test_manual_decisions.py",
            "measures/quality_control/tests/test_rater_quality.py",
            "measures/quality_control/tests/test_share_preview.py",
        ),
    ),
    Area(
        "length rule",
        (LENGTH, TEXT),
        (LENGTH, TEXT, "measures/text/tests/test_length_rule.py", "measures/text/tests/test_normalization.py"),
    ),
    Area("edit log", (EDITS,), (EDITS, "measures/keystrokes/tests/test_edit_log.py")),
    Area(
        "simulated pairs",
        (PAIRS, BOOTSTRAP),
        (
            PAIRS,
            BOOTSTRAP,
            "measures/agreement/tests/test_simulated_pairs.py",
            "measures/agreement/tests/test_bootstrap.py",
        ),
    ),
    Area(
        "claims",
        (CLAIMS, PLACES, ITEMS),
        (
            "crowd/tests/test_claims.py",
            "crowd/tests/test_skip.py",
            NEXT_TEST,
        ),
    ),
    Area(
        "release assembly",
        (STREAM, SPLITS, TABLES, BUILDING),
        (
            "corpus/tests/release/test_release.py",
            OPTIONS_TEST,
            PINS_TEST,
            "corpus/tests/release_import/test_outputs.py",
        ),
    ),
)

MUTANTS = (
    # Quality filter: who is measured on what
    Mutant(QUALITY, "if parameters.order is Order.RATERS_FIRST:", "if parameters.order is Order.EDITORS_FIRST:"),
    Mutant(QUALITY, "gone = replace(gone, raters=raters.removed)", "gone = replace(gone)"),
    Mutant(QUALITY, "Gone(raters.removed, editors.removed)", "Gone(raters.removed, case.by_hand.excluded_editors)"),
    Mutant(CASE, "left[self.authorship.text] = False", "left[self.authorship.text] = True"),
    Mutant(CASE, " & self.texts_left(gone)[self.ratings.text]", ""),
    Mutant(CASE, "np.where(gone.raters, 0, items)", "items"),
    Mutant(CASE, "gone.raters.tobytes(), gone.editors.tobytes())", 'gone.raters.tobytes(), b"")'),
    Mutant(CASE, "rater_deviation(self._left(gone),", "rater_deviation(self.ratings,"),
    # Quality filter: who is cut
    Mutant(JUDGING, "np.where(role.included | role.excluded,", "np.where(role.excluded,"),
    Mutant(JUDGING, "removed = role.excluded.copy()", "removed = np.zeros_like(role.excluded)"),
    Mutant(JUDGING, "np.flatnonzero(items < min_items)", "np.flatnonzero(items <= min_items)"),
    Mutant(BOTTOM, "(items >= min_items)", "(items > min_items)"),
    Mutant(BOTTOM, "Fraction(str(float(share)))", "Fraction(float(share))"),
    Mutant(BOTTOM, "np.round(quality[eligible], DECIMALS)", "quality[eligible]"),
    Mutant(BOTTOM, "items[eligible], badness))", "-items[eligible], badness))"),
    Mutant(RULE, "return self.roles is not Roles.EDITORS", "return self.roles is not Roles.RATERS"),
    Mutant(RULE, "min_items: int = 5", "min_items: int = 6"),
    # Quality filter: what is measured
    Mutant(WORKERS, "scores = ratings.scores.mean(axis=1)", "scores = ratings.scores[:, 0]"),
    Mutant(WORKERS, "- np.bincount(own)[own]\n", "- 1\n"),
    Mutant(WORKERS, "rated = ~np.isnan(written)", "rated = np.ones(len(written), dtype=np.bool_)"),
    # Length rule: the verdict
    Mutant(LENGTH, "len(part) > allowed,", "len(part) >= allowed,"),
    Mutant(LENGTH, "len(part) <= allowed < _written", "len(part) <= allowed <= _written"),
    Mutant(LENGTH, "source_length * keep_percent // 100", "round(source_length * keep_percent / 100)"),
    Mutant(LENGTH, "if not 1 <= keep_percent <= 100", "if not 1 <= keep_percent < 100"),
    Mutant(LENGTH, "set(part) - _BLANK_LETTERS", "set(part)"),
    Mutant(LENGTH, "Counter(part) - Counter(whole)", "Counter(part)"),
    Mutant(LENGTH, "count * _further_letters(character)", "_further_letters(character)"),
    Mutant(LENGTH, "0 if _FRACTION_SLASH in written else max(", "max("),
    Mutant(LENGTH, '"NFKC", character', '"NFKD", character'),
    Mutant(LENGTH, "forbidden_character(compression)", "forbidden_character(part)"),
    Mutant(LENGTH, "_of_word(whole[len(part) - 1]) and", "_of_word(whole[len(part) - 1]) or"),
    Mutant(LENGTH, 'startswith("M")', 'startswith("Mn")'),
    Mutant(LENGTH, "return is_of_word and character not in _BLANK_LETTERS", "return is_of_word"),
    # Length rule: what is counted
    Mutant(TEXT, "(0x2066, 0x206F)", "(0x2066, 0x2069)"),
    Mutant(TEXT, "(0x2000, 0x200A)", "(0x2000, 0x2009)"),
    Mutant(TEXT, '_collapse(unicodedata.normalize("NFC", visible))', "_collapse(visible)"),
    Mutant(TEXT, "(0x0E, 0x1F)", "(0x10, 0x1F)"),
    Mutant(TEXT, "for plane in range(17)", "for plane in range(16)"),
    # Edit log: what is taken in
    Mutant(EDITS, "if len(raw) > max_operations", "if len(raw) >= max_operations"),
    Mutant(EDITS, "if operation.at_ms < last_ms", "if operation.at_ms <= last_ms"),
    Mutant(EDITS, "last_ms = operation.at_ms", "last_ms = 0"),
    Mutant(
        EDITS, "characters += len(operation.removed) + len(operation.inserted)", "characters += len(operation.inserted)"
    ),
    Mutant(EDITS, "if characters > max_characters", "if characters >= max_characters"),
    Mutant(EDITS, "if type(position) is not int or position < 0", "if not isinstance(position, int) or position < 0"),
    Mutant(EDITS, "not 0 <= at_ms <= MAX_LOG_MS", "not 0 <= at_ms < MAX_LOG_MS"),
    Mutant(EDITS, "_UNSTORABLE.search(removed) or _UNSTORABLE", "_UNSTORABLE"),
    Mutant(EDITS, "Kind.RETURN and (removed or inserted)", "Kind.RETURN and inserted"),
    # Edit log: the replay
    Mutant(EDITS, "if not 0 <= edit.position <= len(text)", "if not 0 <= edit.position < len(text)"),
    Mutant(EDITS, "if not text.startswith(edit.removed, edit.position)", "if edit.removed not in text"),
    Mutant(EDITS, "if len(text) - len(edit.removed) + len(edit.inserted) >", "if len(text) + len(edit.inserted) >"),
    Mutant(EDITS, "copied += len(text)", "copied = len(text)"),
    Mutant(EDITS, "edit.position + len(edit.removed) :]", "edit.position + len(edit.inserted) :]"),
    Mutant(EDITS, "if text != before:", "if text != start:"),
    Mutant(EDITS, "shown.append(display_text(text))", "shown.append(text)"),
    # Simulated pairs: who stands against whom
    Mutant(PAIRS, "require_pairs(patterns).counts", "patterns.counts"),
    Mutant(PAIRS, "number - 1, rounding) - values[0]", "number, rounding) - values[0]"),
    Mutant(PAIRS, "[:, None] - values,", "[:, None] - 0 * values,"),
    Mutant(PAIRS, "rounding) - values[0]", "rounding) - 1"),
    Mutant(PAIRS, "patterns.counts / patterns.counts.sum(", "(patterns.counts > 0) / (patterns.counts > 0).sum("),
    Mutant(
        PAIRS,
        "_landing(patterns, categories, rounding), draws)",
        "_landing(patterns, categories, Rounding.HALF_UP), draws)",
    ),
    Mutant(PAIRS, "categories=categories, rounding=rounding)\n", "categories=categories)\n"),
    Mutant(PAIRS, "if resample_items:", "if not resample_items:"),
    Mutant(PAIRS, "np.random.default_rng(seed)", "np.random.default_rng(0)"),
    Mutant(PAIRS, "tables += chosen", "tables = chosen"),
    # Simulated pairs: what the draws say
    Mutant(PAIRS, "table_intervals(tables, weights)", 'table_intervals(tables, "quadratic")'),
    Mutant(PAIRS, "kappa_of_table(tables, weights)", "kappa_of_table(tables)"),
    Mutant(PAIRS, "kappas[~np.isnan(kappas)]", "kappas"),
    Mutant(BOOTSTRAP, "[2.5, 97.5]", "[5, 95]"),
    Mutant(BOOTSTRAP, "float(draws.var())", "float(draws.std())"),
    Mutant(BOOTSTRAP, "len(kappa) - len(defined)", "len(defined)"),
    Mutant(BOOTSTRAP, "kappa_of_table(table, weights)", "kappa_of_table(table)"),
    Mutant(BOOTSTRAP, "kappa_of_table(counts, weights)", "kappa_of_table(counts)"),
    # Claims: who gets what
    Mutant(CLAIMS, "if enrolment.is_excluded or enrolment.outcome", "if enrolment.outcome"),
    Mutant(CLAIMS, "if not campaign.is_open or room <= 0:", "if room <= 0:"),
    Mutant(CLAIMS, "open_slots__gt=0, is_closed=False", "open_slots__gt=0"),
    Mutant(CLAIMS, "    if tally.unfinished:\n", "    if not tally.unfinished:\n"),
    Mutant(CLAIMS, "[enrolment.round] + place + 1", "[enrolment.round] + 1", NEXT_TEST),
    Mutant(CLAIMS, "key=lambda row: row.place) if", "key=lambda row: row.place)[:1] if"),
    # Claims: renewing, finishing, skipping
    Mutant(CLAIMS, "{State.SUBMITTED, State.SKIPPED, State.DISCARDED}", "{State.SUBMITTED, State.SKIPPED}"),
    Mutant(CLAIMS, "    for row in leased:\n", "    for row in leased[:1]:\n"),
    Mutant(CLAIMS, "any(row.place == assignment.place and", "any("),
    Mutant(CLAIMS, "_is_excluded(enrolment) or not _taken_back", "not _taken_back"),
    Mutant(
        CLAIMS,
        "{State.SUBMITTED, State.DISCARDED}:\n        return False",
        "{State.SUBMITTED}:\n        return False",
    ),
    Mutant(
        CLAIMS,
        "{State.SUBMITTED, State.DISCARDED}:\n        raise AlreadySubmitted",
        "{State.SUBMITTED}:\n        raise AlreadySubmitted",
    ),
    Mutant(CLAIMS, "    if assignment.state == State.LEASED:\n", "    if assignment.state != State.SUBMITTED:\n"),
    # Claims: leases that ran out, and the places
    Mutant(CLAIMS, "lease_ends_at__lt=now", "lease_ends_at__lte=now"),
    Mutant(CLAIMS, "+ places)", "+ 1)"),
    Mutant(CLAIMS, "ended.update(**live) or not slot_claim(assignment.item_id)", "ended.update(**live)"),
    Mutant(PLACES, "open_slots__gt=0, is_closed=False", "open_slots__gt=0"),
    Mutant(PLACES, "if only_had else had", "if not only_had else had"),
    Mutant(
        ITEMS,
        "campaign.people_per_item(work_round) if people is None else people",
        "campaign.people_per_item(work_round)",
    ),
    Mutant(ITEMS, "pk=item_id, is_extended=False", "pk=item_id"),
    Mutant(ITEMS, 'wanted=F("wanted") - F("open_slots"), open', "open"),
    # Release assembly: who and what is left out
    Mutant(STREAM, "judges == Judges.EXPERTS and worker in self.cleaning.experts", "worker in self.cleaning.experts"),
    Mutant(
        STREAM,
        "judges == Judges.CROWD and worker in self.cleaning.raters",
        "worker in self.cleaning.raters",
        EXPERT_TEST,
    ),
    Mutant(
        STREAM,
        "len(ratings) >= self.cleaning.min_ratings or",
        "len(ratings) > self.cleaning.min_ratings or",
        OPTIONS_TEST,
    ),
    Mutant(STREAM, " or text in compared:", ":"),
    Mutant(STREAM, "if log and worker not in self.cleaning.editors and", "if log and"),
    Mutant(STREAM, "if not has_authors or not ratings:", "if not ratings:", PINS_TEST),
    Mutant(STREAM, "if source.texts and len(source.texts) <", "if len(source.texts) <", OPTIONS_TEST),
    Mutant(STREAM, "+= len(written) - len(kept)", "+= len(written)"),
    Mutant(
        BUILDING, "editors=removed_people(self.release, Round.EDIT)", "editors=removed_people(self.release, Round.RATE)"
    ),
    Mutant(BUILDING, "min_compressions=self.options.min_compressions,", "", OPTIONS_TEST),
    # Release assembly: the splits
    Mutant(SPLITS, "in reversed(places)}", "in places}", OPTIONS_TEST),
    Mutant(SPLITS, "    strata |= {place.source_id: place.stratum for place in places}\n", "", OPTIONS_TEST),
    Mutant(SPLITS, "place.split or drawn", "drawn"),
    Mutant(SPLITS, "if wanted > total:", "if wanted >= total:", OPTIONS_TEST),
    Mutant(SPLITS, "seed=options.seed", "seed=2016", OPTIONS_TEST),
    # Release assembly: what is pinned, and what is written of it
    Mutant(
        TABLES, 'rating__lte=self.tables.last_rows["ratings"]', 'rating__lt=self.tables.last_rows["ratings"]', PINS_TEST
    ),
    Mutant(TABLES, 'filter(pk__lte=self.tables.last_rows["outputs"])', "all()", PINS_TEST),
    Mutant(TABLES, 'filter(pk__lte=self.tables.last_rows["compressions"])', "all()", PINS_TEST),
    Mutant(TABLES, 'pk__lt": self.stop', 'pk__lte": self.stop', PINS_TEST),
    Mutant(TABLES, 'order_by("source", "system__name", "pk")', 'order_by("source", "pk")', PINS_TEST),
    Mutant(BUILDING, "    if release.state == Release.State.READY:\n        return\n", ""),
    Mutant(BUILDING, '{name: each[name] for name in ("worker", "round", "reason")}', "dict(each)"),
    Mutant(BUILDING, "            release.files.all().delete()\n", ""),
    Mutant(BUILDING, ", sort_keys=True)", ")", PINS_TEST),
)
