"""What the worst texts and logs cost that anybody may send: milliseconds of CPU by input and function."""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.keystrokes.edit_log import Kind, Operation, dump_log, parse_log, replay
from measures.keystrokes.effort import effort, effort_flags
from measures.keystrokes.log_bounds import LogBounds, log_bounds
from measures.metrics.words.preprocessing import plain_form
from measures.metrics.words.tokens import Tokenizer
from measures.text.length_rule import check_compression
from measures.text.normalization import MAX_TYPED_LENGTH, display_text, stacked_marks
from measures.text.odd_texts import disguises, odd_texts
from measures.text.segmentation import sentences, word_count

LIMIT_MS = 50
RUNS = 3
SOURCE_LENGTH, SENTENCE_LENGTH = 5_000, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each is measured; the least is shown")
    runs = parser.parse_args().runs
    slow = [*print_table(text_costs(), runs), *print_table(log_costs(), runs)]
    print(f"\nMore than {LIMIT_MS} ms: {', '.join(slow) or 'none'}")


Costs = dict[str, dict[str, Callable[[], Any]]]


def print_table(costs: Costs, runs: int) -> Iterator[str]:
    names = list(next(iter(costs.values())))
    print(f"\n{'ms CPU':24}" + "".join(f"{name:>11}" for name in names))
    for family, works in costs.items():
        found = {name: min(cpu_ms(work) for _ in range(runs)) for name, work in works.items()}
        print(f"{family:24}" + "".join(f"{found[name]:11.1f}" for name in names))
        yield from (f"{name} of {family}" for name in names if found[name] > LIMIT_MS)


def cpu_ms(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return 1000 * (time.process_time() - begun)


def filled(unit: str) -> str:
    """A text as long as anybody may type, made of one unit."""
    return (unit * (MAX_TYPED_LENGTH // len(unit) + 1))[:MAX_TYPED_LENGTH]


def texts() -> dict[str, str]:
    return {
        "one word": filled("a"),
        "marks at the limit": filled("a" + "\u0315\u0300" * 15),
        "marks that become two": filled("\u1f82" + "\u0344\u0315" * 15),
        "different marks": filled("a" + "".join(map(chr, range(0x300, 0x31E)))),
        "a stack of marks": filled("\u0315\u0300"),
        "different characters": "".join(chr(0x10000 + each) for each in range(MAX_TYPED_LENGTH)),
        "Hangul of jamo": filled("\u1112\u1161\u11ab"),
        "compatible characters": filled("".join(map(chr, range(0x3300, 0x3400)))),
        "one that becomes 18": filled("\ufdfa"),
        "spaces": filled("a  "),
        "invisible characters": filled("a\u200b"),
        "joined emoji": filled("\U0001f469\u200d\U0001f467\u200d"),
        "directions": filled("\u2066\u202ea\u202c\u2069"),
        "bars": filled("| | |"),
        "signs at the limit": filled("\"')]" * 7 + " "),
        "punctuation": filled(".\"')]"),
        "sentences of a letter": filled("A. "),
        "initials": filled("A.B."),
        "alphabets mixed": filled("a\u043e "),
        "words, all different": "".join(f"{each:x} " for each in range(MAX_TYPED_LENGTH))[:MAX_TYPED_LENGTH],
        "an address": filled("www.a-b/c@d."),
    }


def text_costs() -> Costs:
    tokenizers = {name: Tokenizer(name) for name in ("whitespace", "spacy")}
    for tokenizer in tokenizers.values():
        list(tokenizer.words(["Loads its rules."]))
    return {family: dict(of_text(text, tokenizers)) for family, text in texts().items()}


def of_text(text: str, tokenizers: dict[str, Tokenizer]) -> Iterator[tuple[str, Callable[[], Any]]]:
    source = text[:SOURCE_LENGTH]
    yield "marks", lambda: stacked_marks(text)
    yield "judge", lambda: check_compression(source, text)
    yield "disguise", lambda: disguises(source, text[: SOURCE_LENGTH * 3 // 4])
    if stacked_marks(text) is None:
        yield "odd", lambda: odd_texts(source, text[: SOURCE_LENGTH * 3 // 4], allowed=SOURCE_LENGTH, language="en")
    else:
        yield "odd", lambda: None
    if stacked_marks(text) is not None:
        source = ""  # nobody gets such a text further than this
    released = source[: SOURCE_LENGTH * 3 // 4]
    yield "display", lambda: display_text(source)
    yield "words", lambda: word_count(source)
    yield "sentences", lambda: sentences(source)
    yield "plain", lambda: plain_form(released)
    for name, tokenizer in tokenizers.items():
        # Tokenizers keep words that they have met: each run gets others.
        yield name, lambda tokenizer=tokenizer: list(tokenizer.words([f"{random.random()}{released}"]))  # type: ignore[misc]


def logs() -> dict[str, tuple[str, list[Operation]]]:
    """Sources with the logs of an editor who starts with them."""
    return logs_of(SOURCE_LENGTH) | {f"{name}, a sentence": log for name, log in logs_of(SENTENCE_LENGTH).items()}


def logs_of(length: int) -> dict[str, tuple[str, list[Operation]]]:
    """As long as the bounds for a source of this length let them be."""
    bounds = log_bounds(length)
    found: dict[str, tuple[str, list[Operation]]] = {}
    for name, letter in {"ASCII": "x", "other planes": "\U0001f600"}.items():
        source = letter * length
        found |= {
            f"keys, {name}": (source, keys(length, letter, Kind.TYPING)),
            f"pastes of a letter, {name}": (source, keys(length, letter, Kind.PASTE)),
            f"a paste and back, {name}": (source, there_and_back(bounds, letter * 25)),
            f"a letter and back, {name}": (source, there_and_back(bounds, letter, Kind.TYPING)),
        }
    found["random pastes"] = ("x" * length, random_pastes(length, 25))
    found["random pieces"] = ("x" * length, random_pastes(length, 4))
    spaced = "x  " * (length // 3)
    found["spaces around"] = (spaced, there_and_back(bounds, " y ", Kind.TYPING, position=length // 5))
    found["marks in the log"] = ("x" * length, there_and_back(bounds, "\u0315\u0300" * 12))
    return {name: (source, within(source, log, bounds)) for name, (source, log) in found.items()}


def within(source: str, log: list[Operation], bounds: LogBounds) -> list[Operation]:
    """Return the beginning of a log that the server would take."""
    length, replayed = len(source), 0
    for number, operation in enumerate(log[: bounds.operations]):
        replayed += length
        if replayed > bounds.replayed:
            return log[:number]
        length += len(operation.inserted) - len(operation.removed)
    return log[: bounds.operations]


def keys(length: int, letter: str, kind: Kind) -> list[Operation]:
    drawn = random.Random(2016)
    count = log_bounds(length).operations
    return [Operation(drawn.randrange(length), "", letter, kind, at) for at in range(count)]


def there_and_back(bounds: LogBounds, text: str, kind: Kind = Kind.PASTE, position: int = 0) -> list[Operation]:
    pair = (Operation(position, "", text, kind, 0), Operation(position, text, "", Kind.DELETION, 0))
    times = min(bounds.operations // 2 - 1, bounds.characters // (2 * len(text)) - 1)
    return [*pair * times, Operation(position, "", text, Kind.PASTE, 0)]


def random_pastes(length: int, size: int) -> list[Operation]:
    drawn = random.Random(2016)
    count = 15_000 // size
    pasted = ("".join(chr(drawn.randrange(0x4E00, 0x9000)) for _ in range(size)) for _ in range(count))
    return [Operation(drawn.randrange(length), "", text, Kind.PASTE, at) for at, text in enumerate(pasted)]


def log_costs() -> Costs:
    return {family: dict(of_log(source, log)) for family, (source, log) in logs().items()}


def of_log(source: str, log: list[Operation]) -> Iterator[tuple[str, Callable[[], Any]]]:
    raw = dump_log(log)
    bounds = log_bounds(len(source))
    most = {"max_operations": bounds.operations, "max_characters": bounds.characters}
    yield "parse", lambda: parse_log(raw, **most)
    yield "replay", lambda: replay(source, log, max_replayed=bounds.replayed)
    yield "effort", lambda: effort(source, source, log)
    yield "flags", lambda: effort_flags(source, source, log)


if __name__ == "__main__":
    main()
