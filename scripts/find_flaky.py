"""Run the tests many times, each time in another order and in another number of processes; name what fails by chance.

A round also has another seed for hashes, so that sets come in another order. `--rounds 5` makes it fewer; all other
arguments are passed on to pytest. The exit code is 0 if no test failed in any round.
"""

import argparse
import os
import re
import tempfile
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

from find_chromium import chromium_path
from run_tests import Half, Plan, interruptible, outcome, run_halves


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=20)
    asked, arguments = parser.parse_known_args()
    failed: dict[str, list[int]] = defaultdict(list)
    red: list[int] = []
    for number in range(asked.rounds):
        with tempfile.TemporaryDirectory(prefix="precis-tests-") as name:
            halves = run_halves(plan_of(number, Path(name), arguments))
            print(f"\nRound {number + 1} of {asked.rounds}", *halves, sep="\n", flush=True)
            if any(half.passed is False for half in halves) or not any(half.counts for half in halves):
                red.append(number)
            for each in {test for half in halves for test in failures(half)}:
                failed[each].append(number)
    report(failed, red, asked.rounds)
    return 1 if red else 0


def plan_of(number: int, folder: Path, arguments: list[str]) -> Plan:
    """Of each round another: from one process to two for each core, where everything takes long."""
    processes = 1 + number % (2 * (os.cpu_count() or 1))
    browser = chromium_path()
    return Plan(
        folder,
        (f"--shuffle={number}", f"--numprocesses={processes}", *arguments),
        {"PYTHONHASHSEED": str(number), **({"CHROMIUM": browser} if browser else {})},
    )


def failures(half: Half) -> list[str]:
    if half.report is None or not half.report.exists():
        return []
    cases = ET.parse(half.report).getroot().iter("testcase")  # noqa: S314
    return [f"{name_of(case)}, {half.name}" for case in cases if outcome(case) in {"failed", "with errors"}]


def name_of(case: ET.Element) -> str:
    """The test without the name of its group, which pytest-xdist appends."""
    return re.sub(r"@[^@\]]*$", "", f"{case.get('classname')}::{case.get('name')}")


def report(failed: dict[str, list[int]], red: list[int], rounds: int) -> None:
    print(f"\n{rounds - len(red)} of {rounds} rounds were green.")
    for test, numbers in sorted(failed.items(), key=lambda row: -len(row[1])):
        again = f"--shuffle={numbers[0]}, PYTHONHASHSEED={numbers[0]}"
        word = "always" if len(numbers) == rounds else "by chance"
        print(f"Failed {word}, in {len(numbers)} of {rounds} rounds: {test} (first with {again})")


if __name__ == "__main__":
    interruptible(main)
