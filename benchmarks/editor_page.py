"""Benchmark the editing page: its size over the wire, how soon it can be used on a slow network, and how long a
keystroke keeps the browser busy.

Collects the static files, serves Précis with gunicorn, opens the editing page of a 600-character text in Chromium, and
types into it as people do. A keystroke's time is the main thread's computing time from the key to the next frame: the
editor's script, style, layout and painting, and the browser's own handling of the key. For comparison, the same keys
are also typed into a bare text field.

With `--against`, the same keys are also typed into the page of an earlier commit, in turn with the current one.

    .venv/bin/python benchmarks/editor_page.py --keys 400
    .venv/bin/python benchmarks/editor_page.py --keys 150 --against 409da38f --rounds 3
"""

import argparse
import contextlib
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from find_chromium import chromium_path  # noqa: E402
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright  # noqa: E402

from benchmarks.code_trees import Tree, trees  # noqa: E402
from benchmarks.product import served  # noqa: E402
from tests.support.product import environment, manage, shell  # noqa: E402

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MAX_MS, MAX_BYTES, MAX_REQUESTS = 8.0, 50_000, 15
# A slow mobile network as web performance tools set it up: 400 kbit/s both ways, 400 ms there and back.
SLOW_BYTES_A_SECOND, SLOW_MS = 50_000, 400
MAX_SLOW_MS, MAX_NEXT_BYTES = 4_000.0, 8_000
READY = "() => document.querySelector('#draft') && !document.querySelector('#draft').readOnly && performance.now()"
LENGTH = 600
PREPARE = """
from crowd.default_texts import default_texts
from tests.support.factories import import_texts, make_campaign
campaign = make_campaign(slug="bench", editors_per_source=50, **default_texts())
import_texts(campaign, [{text!r}, {other!r}])
print(campaign.links.get(round="edit").token)
"""
BARE = "data:text/html,<textarea id=draft rows=8 cols=60>{text}</textarea>"
DIFFERENCES = "with the differences shown"
TYPINGS = ("the editing page", DIFFERENCES, "the same after these keys")
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


@dataclass(frozen=True)
class Place:
    """An installation to be served: its code, its environment, and the token of its link for editors."""

    tree: Tree
    env: dict[str, str]
    token: str


def main() -> None:
    options = arguments()
    text = make_text(LENGTH)
    with (
        tempfile.TemporaryDirectory(prefix="precis-bench-") as name,
        trees(options.against, Path(name), floor=False, grown=False) as codes,
        sync_playwright() as playwright,
    ):
        places = [prepared(tree, Path(name) / f"of-{tree.name}", text) for tree in codes]
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        with opened(browser, places[-1]) as page:
            is_too_big = measure_size(page) | measure_slow_network(page)
        is_too_slow = measure_keystrokes(browser, places, text, options)
        browser.close()
    sys.exit(is_too_big or is_too_slow)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=400, help="keystrokes per measurement")
    parser.add_argument("--pause", type=int, default=40, help="milliseconds between keystrokes")
    parser.add_argument("--against", metavar="COMMIT", help="compare with the page of this commit")
    parser.add_argument("--rounds", type=int, default=1, help="how often each is measured, in turn")
    return parser.parse_args()


def prepared(tree: Tree, folder: Path, text: str) -> Place:
    """Prepare a database and the static files with the code of a tree."""
    folder.mkdir()
    env = environment(f"sqlite:///{folder / 'bench.sqlite3'}", folder)
    manage(env, "collectstatic", "--noinput", "--verbosity=0", root=tree.root)
    manage(env, "migrate", "--verbosity=0", root=tree.root)
    token = shell(env, PREPARE.format(text=text, other=f"{text[:-1]} again."), root=tree.root)
    return Place(tree, env, token)


@contextlib.contextmanager
def opened(browser: Browser, place: Place) -> Iterator[Page]:
    """Serve a place, and open the editing page behind its link as somebody who was never there."""
    with served(place.env, 1, 4, root=place.tree.root) as server, contextlib.closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/join/{place.token}/")
        page.locator("main button").first.click()
        with page.expect_navigation():
            page.locator("main button").first.click()
        page.wait_for_function(READY)
        yield page


def measure_keystrokes(browser: Browser, places: list[Place], text: str, options: argparse.Namespace) -> bool:
    """Print the times of a bare text field and of each place's editing page; return whether the current is too slow."""
    times: dict[str, list[float]] = defaultdict(list)
    for _ in range(options.rounds):
        with contextlib.closing(browser.new_page()) as bare:
            bare.goto(BARE.format(text=text))
            times["a bare text field"] += type_keys(bare, options.keys, options.pause)
        for place in places:
            with opened(browser, place) as page:
                for name in TYPINGS:
                    if name == DIFFERENCES:
                        page.locator("#compare").click()
                    times[named(name, place, places)] += type_keys(page, options.keys, options.pause)
    print(f"\n{'milliseconds per keystroke':44}{'p50':>7}{'p95':>7}{'p99':>7}{'max':>7}")
    p95s = {name: report(name, each) for name, each in times.items()}
    return any(p95s[named(name, places[-1], places)] >= MAX_MS for name in TYPINGS)


def named(name: str, place: Place, places: list[Place]) -> str:
    return name if len(places) == 1 else f"{name}, {place.tree.name}"


def make_text(length: int) -> str:
    """Return a paragraph of two sentences made of the demonstration's words."""
    lines = (ROOT / "dashboard/simulation/demo_files/sources.jsonl").read_text(encoding="utf-8").splitlines()
    words = " ".join(json.loads(line)["text"] for line in lines).replace(".", "").split()
    half = length // 2 - 2
    first, second = " ".join(words)[:half], " ".join(words[200:])[:half]
    return f"{first.strip()}. The {second.strip()}."


def measure_size(page: Page) -> bool:
    """Print what the editing page loads with an empty cache; return whether it is too big."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    url_of: dict[str, str] = {}
    loaded: dict[str, float] = {}
    session.on("Network.responseReceived", lambda event: url_of.update({event["requestId"]: event["response"]["url"]}))
    session.on("Network.loadingFinished", lambda event: loaded.update({event["requestId"]: event["encodedDataLength"]}))
    page.reload(wait_until="networkidle")
    session.detach()
    for request, size in sorted(loaded.items(), key=lambda item: -item[1]):
        print(f"{size:8,.0f} bytes  {url_of[request].split('/', 3)[3]}")
    total = sum(loaded.values())
    print(f"{total:8,.0f} bytes over the wire in {len(loaded)} requests; limits: {MAX_BYTES:,} and {MAX_REQUESTS}")
    return total >= MAX_BYTES or len(loaded) > MAX_REQUESTS


def measure_slow_network(page: Page) -> bool:
    """Print how soon the page can be used on a slow network, and what the next text costs; return if either is much."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    speed = {"downloadThroughput": SLOW_BYTES_A_SECOND, "uploadThroughput": SLOW_BYTES_A_SECOND}
    session.send("Network.emulateNetworkConditions", {"offline": False, "latency": SLOW_MS, **speed})
    page.reload(wait_until="commit")
    ready_ms = float(page.wait_for_function(READY, timeout=60_000).json_value())
    print(f"{ready_ms:8,.0f} ms until it can be written in at 400 kbit/s and 400 ms; limit: {MAX_SLOW_MS:,.0f}")
    loaded: list[float] = []
    session.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    source = page.locator("#source").inner_text()
    page.locator("#draft").fill(source[: 7 * len(source) // 10].rsplit(" ", 1)[0])
    was = page.url
    page.locator("#submit").click()
    page.wait_for_url(lambda url: url != was, timeout=60_000)
    page.wait_for_function(READY, timeout=60_000)
    print(f"{sum(loaded):8,.0f} bytes to submit and get the next text; limit: {MAX_NEXT_BYTES:,}")
    session.send("Network.emulateNetworkConditions", {"offline": False, "latency": 0} | dict.fromkeys(speed, -1))
    session.detach()
    return ready_ms >= MAX_SLOW_MS or sum(loaded) >= MAX_NEXT_BYTES


def type_keys(page: Page, keys: int, pause: int) -> list[float]:
    """Type and return the main thread's time for each key, in milliseconds."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.locator("#draft").focus()
    page.keyboard.press("ControlOrMeta+Home")
    idle = min(busy_ms(session, page, None) for _ in range(20))
    times = []
    for key in keystrokes(keys):
        times.append(max(0.0, busy_ms(session, page, key) - idle))
        page.wait_for_timeout(pause)
    return times


def busy_ms(session: CDPSession, page: Page, key: str | None) -> float:
    """Return the milliseconds of work on the page's main thread until the frame after a key is drawn."""
    before = task_duration(session)
    if key:
        page.keyboard.press(key)
    page.evaluate(NEXT_FRAME)
    return 1000 * (task_duration(session) - before)


def task_duration(session: CDPSession) -> float:
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def keystrokes(count: int) -> Iterator[str]:
    """Yield letters, corrections and cursor moves, the same in every measurement."""
    rng = random.Random(1)
    for _ in range(count):
        choice = rng.random()
        if choice < 0.6:
            yield rng.choice("etaoin shrdlu")
        elif choice < 0.9:
            yield "Backspace" if rng.random() < 0.5 else "Delete"
        else:
            yield rng.choice(["ControlOrMeta+ArrowRight", "ArrowRight", "End"])


def report(name: str, times: Iterable[float]) -> float:
    """Print percentiles of the times and return the 95th."""
    ordered = sorted(times)
    p50, p95, p99 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99))
    print(f"{name:44}{p50:7.2f}{p95:7.2f}{p99:7.2f}{ordered[-1]:7.2f}", flush=True)
    return p95


if __name__ == "__main__":
    main()
