"""Benchmark what the evidence of how texts came to be finds: simulated writers, honest and not, of many kinds.

Every person writes a visit of texts in a campaign of honest people; printed is which share of each kind is listed, by
any rule and by which, beside the flags of single texts alone. `--strict` ends with a failure below the marks.

    .venv/bin/python benchmarks/provenance.py --people 60 --texts 7 --seed 7
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dashboard.simulation.writers import CHEATS, HONEST, Habits, Texts, WriterKind, reworded, written  # noqa: E402
from measures.keystrokes.edit_log import Operation  # noqa: E402
from measures.keystrokes.effort import effort_flags  # noqa: E402
from measures.quality_control.provenance.cuts import one_cut, small_word_share  # noqa: E402
from measures.quality_control.provenance.matching import SourceWords, TextWords, kept_words  # noqa: E402
from measures.quality_control.provenance.text_evidence import text_evidence  # noqa: E402
from measures.quality_control.provenance.visits import Rule, VisitText, is_half, rules_met  # noqa: E402
from measures.text.length_rule import allowed_length  # noqa: E402
from measures.text.odd_texts import odd_texts  # noqa: E402

LANGUAGE, KEEP_PERCENT, OTHERS = "en", 75, 5
REPEATED = "same text for different sources"
MARK_FOUND, MARK_FALSE = 26, 0.015


def sources() -> list[str]:
    path = ROOT / "dashboard/simulation/demo_files/sources.jsonl"
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def text_of(person: int, source: int, number: int, text: str, known: str, log: list[Operation]) -> VisitText:
    words, evidence = SourceWords.of(known), text_evidence(known, known, log)
    of_text = TextWords.of(text, words)
    allowed = allowed_length(known, KEEP_PERCENT)
    flags = [flag.name.value for flag in effort_flags(known, known, log)]
    flags += [odd.name.value for odd in odd_texts(known, text, allowed=allowed, language=LANGUAGE)]
    return VisitText(
        person=person,
        source=source,
        number=number,
        evidence=evidence,
        words=of_text,
        kept=kept_words(of_text, words),
        cut=one_cut(known, text),
        small_words=small_word_share(known, text, LANGUAGE),
        flags=frozenset(flags),
    )


Crowd = dict[int, list[tuple[VisitText, str]]]


def visit(kind: WriterKind, person: int, texts: int, crowd: Crowd, rng: random.Random) -> list[VisitText]:
    """Let a person of a kind write; the same text twice is flagged as the product does."""
    habits, known = Habits.drawn(rng, **kind.habits), sources()
    found, seen = [], set[str]()
    for number, source in enumerate(rng.sample(range(len(known)), texts)):
        own = reworded(known[source], KEEP_PERCENT, rng.betavariate(6, 2), 0.08, rng)
        model = reworded(known[source], KEEP_PERCENT, 0.9, 0.6, rng)
        given = Texts(known[source], own, model, crowd[source][0][1] if crowd else own, KEEP_PERCENT)
        text, log = written(kind, habits, given, number, rng)
        one = text_of(person, source, 10**6 + number, text, known[source], log)
        flags = one.flags | ({REPEATED} if text in seen else set())
        seen.add(text)
        found.append(VisitText(**{**vars(one), "flags": flags}))
    return found


def honest_crowd(seed: int) -> Crowd:
    """Five honest people wrote every source, each in their own way."""
    rng, known = random.Random(f"{seed}:crowd"), sources()
    crowd: Crowd = {}
    for person in range(OTHERS):
        habits = Habits.drawn(rng)
        for source, text in enumerate(known):
            own = reworded(text, KEEP_PERCENT, rng.betavariate(6, 2), 0.08, rng)
            done, log = written(HONEST[0], habits, Texts(text, own, own, own, KEEP_PERCENT), source, rng)
            one = text_of(-1 - person - OTHERS * (source // 12), source, person, done, text, log)
            crowd.setdefault(source, []).append((one, done))
    return crowd


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--texts", type=int, default=7)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--strict", action="store_true", help="fail below the marks")
    options = parser.parse_args()
    crowd = honest_crowd(options.seed)
    print(f"{'kind':36}{'flags':>7}{'listed':>8}  rules")
    false, kinds_found = Counter[str](), 0
    for kind in (*HONEST, *CHEATS):
        listed, flagged, rules = 0, 0, Counter[Rule]()
        for person in range(options.people):
            rng = random.Random(f"{options.seed}:{kind.name}:{person}")
            own = visit(kind, person, options.texts, crowd, rng)
            others = [each for text in own for each, _ in crowd[text.source]]
            met = rules_met([*own, *others], {}, REPEATED).get(person, [])
            listed += bool(met)
            flagged += is_half(sum(bool(text.flags) for text in own), len(own))
            rules.update(each.rule for each in met)
        share = listed / options.people
        if kind.is_honest:
            false.update(people=options.people, listed=listed)
        else:
            kinds_found += share >= 0.5
        said = ", ".join(f"{rule} {count / options.people:.2f}" for rule, count in rules.most_common())
        mark = "" if kind.is_honest else "cheat: "
        print(f"{mark + kind.name:36}{flagged / options.people:7.2f}{share:8.2f}  {said}", flush=True)
    false_share = false["listed"] / false["people"]
    print(f"\nkinds of cheats found in half of their people: {kinds_found} of {len(CHEATS)} (mark: {MARK_FOUND})")
    print(f"honest people listed: {false_share:.3f} of {false['people']} (mark: {MARK_FALSE})")
    if options.strict and (kinds_found < MARK_FOUND or false_share > MARK_FALSE):
        sys.exit(1)


if __name__ == "__main__":
    main()
