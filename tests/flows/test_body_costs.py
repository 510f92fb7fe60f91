"""What a body may cost: whatever its shape, up to its largest size, and whoever sends it."""

import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from string import ascii_letters
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from annotation.failures import body_limit
from common.api.endpoint import SMALL_BODY
from common.api.problems import MOST_FAULTS
from crowd.access import Access
from tests.support.api_addresses import API_TABLE, SAFE, api_address, api_addresses
from tests.support.api_client import Api
from tests.support.world import World

pytestmark = pytest.mark.django_db
CPU_SECONDS, MEMORY_BYTES, ANSWER_BYTES = 0.5, 100 * 2**20, 50_000
KNOWN_SECONDS = 0.06  # what `_known_work` takes on an ordinary machine with nothing else to do
FILL_MEMORY = {
    "long lists of lists",
    "long lists of nothing",
    "many members",
    "short members",
    "unknown fields",
    "long words of marks",
}
SENDS_JSON = [
    (name, method)
    for name, row in API_TABLE.items()
    for method, call in row.calls.items()
    if method not in SAFE and not call.is_form
]
DEEP = 100_000


@pytest.fixture(autouse=True)
def many_calls(settings: Settings) -> None:
    settings.API_CALLS_PER_MINUTE = 1_000_000


def fields_of(name: str, method: str) -> list[str]:
    """The names of the fields of a body."""
    pattern: Any = dict(api_addresses())[name]
    body = getattr(pattern.callback.cls, method).body
    return sorted(body().fields) if body else []


def shapes(names: list[str], size: int) -> Iterator[tuple[str, bytes]]:
    """Bodies of `size` bytes, each of which makes some way of reading them as slow as it can be."""
    each = size // max(1, len(names)) - 50

    def of_all(value: str) -> bytes:
        return ("{" + ", ".join(f'"{name}": {value}' for name in names) + "}").encode()

    yield "long lists of words", of_all("[" + ",".join(['"a"'] * (each // 4)) + "]")
    yield "long lists of numbers", of_all("[" + ",".join(["1"] * (each // 2)) + "]")
    yield "long lists of nothing", of_all("[" + ",".join(["{}"] * (each // 3)) + "]")
    yield "long lists of lists", of_all("[" + ",".join(["[1]"] * (each // 4)) + "]")
    yield "long lists of objects", of_all("[" + ",".join(['{"key":1,"x":2}'] * (each // 16)) + "]")
    yield "long words", of_all('"' + "a" * each + '"')
    yield "long words of marks", of_all('"' + "\u0301" * (each // 2) + '"')
    yield "long words of escapes", of_all('"' + "\\ud800" * (each // 6) + '"')
    yield "long words of lines", of_all('"' + "- a: [\\n" * (each // 8) + '"')
    yield "huge numbers", of_all("9" * min(each, 4300))
    yield "lists of huge numbers", of_all("[" + ",".join(["9" * 4300] * (each // 4301)) + "]")
    yield "huge fractions", of_all("0." + "9" * each)
    yield "many members", of_all("{" + ",".join(f'"u{n}":0' for n in range(each // 12)) + "}")
    short = ("".join(each) for length in (1, 2, 3, 4) for each in product(ascii_letters, repeat=length))
    members = ",".join(f'"{name}":0' for name in islice(short, size // 9 - 50))
    yield "short members", f'{{"{(names or ["name"])[0]}": {{{members}}}}}'.encode()
    unknown = ",".join(f'"u{n}":0' for n in range(size // 14))
    yield "unknown fields", ("{" + unknown + "}").encode()
    near = ",".join(f'"{(names or ["name"])[0]}{n}":0' for n in range(size // 60))
    yield "nearly known fields", ("{" + near + "}").encode()
    yield "doubled fields", ("{" + ",".join(f'"{(names or ["name"])[0]}":0' for _ in range(size // 80)) + "}").encode()
    yield "deep lists", b"[" * min(size, DEEP)
    yield "deep objects", b'{"a":' * min(size // 5, DEEP)
    yield "deep values", of_all("[" * min(each // 2, 900) + "]" * min(each // 2, 900))
    yield "a long list", ("[" + ",".join(["1"] * (size // 2 - 1)) + "]").encode()


@pytest.mark.parametrize(("name", "method"), SENDS_JSON)
def test_no_body_costs_much_whatever_is_in_it(world: World, name: str, method: str) -> None:
    api, address = Api(world.owner), api_address(name, world)
    size = largest(world, api, address)
    assert size <= django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    spent: dict[str, tuple[float, int, int, int]] = {}
    send(api, method, address, b"{}")
    # What a small body takes depends on its size and not on its address: one of them is enough.
    is_weighed = size > SMALL_BODY or (name, method) == SENDS_JSON[0]
    for shape, body in shapes(fields_of(name, method), size):
        assert len(body) <= size, shape
        answer, seconds = timed(partial(send, api, method, address, body))
        peak = memory_of(partial(send, api, method, address, body)) if is_weighed and shape in FILL_MEMORY else 0
        assert answer.status_code < 500, shape
        faults = answer.json().get("errors", []) if answer.content else []
        spent[shape] = (seconds, peak, len(answer.content), len(faults))
    too_much = {
        shape: each
        for shape, each in spent.items()
        if each[0] > CPU_SECONDS or each[1] > MEMORY_BYTES or each[2] > ANSWER_BYTES or each[3] > MOST_FAULTS
    }
    assert too_much == {}


HEAD = "precis_campaign: 1\nname: A\n"
UNKNOWN = ",".join(f'"u{n}":[1]' for n in range(150))
QUESTIONS, OPERATIONS = "campaigns/{0}/examples/", "campaigns/{0}/releases/{1}/operations/reports/"


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        (QUESTIONS, {"a.csv": "\r" * 2**21}),
        (QUESTIONS, {"a.jsonl": f'{{"source":"a","answers":{{{UNKNOWN}}}}}\n' * 1000}),
        ("campaign-files/", {"file": HEAD + "questions:\n" + "- !t &a x\n" * 49_900}),
        ("campaign-files/", {"file": HEAD + "settings:\n" + "".join(f"  unknown{n}: x\n" for n in range(24_000))}),
        (OPERATIONS, {"word_pairs": "a\tb\n" * 199_999}),
        (OPERATIONS, {"word_pairs": "".join(f"a{n}\tb{n}\n" for n in range(49_999))}),
        (OPERATIONS, {"word_pairs": ("a" + "\u0301" * 4900 + "\u0323" * 4900 + "\tb\n") * 60}),
    ],
    ids=["line ends", "unknown scales", "anchors", "unknown settings", "lines", "pairs", "marks"],
)
def test_no_file_costs_much_whatever_is_in_it(world: World, address: str, sent: dict[str, str]) -> None:
    api, place = Api(world.owner), address.format(world.campaign.slug, world.release.version)

    def act() -> Any:
        if address != QUESTIONS:
            return api.post(place, sent)
        [(name, text)] = sent.items()
        return api.call("post", place, {"file": SimpleUploadedFile(name, text.encode())}, is_form=True)

    answer, seconds = timed(act)
    assert answer.status_code < 500
    assert len(answer.content) < ANSWER_BYTES
    assert seconds < CPU_SECONDS
    assert memory_of(act) < MEMORY_BYTES


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """What came of it, and the CPU that it took; once more if it took much, as a process also looks for garbage.

    On a machine that is slow just now, the seconds are those that one at its usual pace would have needed.
    """
    found, seconds = _spent(act)
    for _again in range(2):
        if seconds > CPU_SECONDS:
            before = _spent(_known_work)[1]
            found, again = _spent(act)
            slowness = (before + _spent(_known_work)[1]) / 2 / KNOWN_SECONDS
            seconds = min(seconds, again / max(1.0, slowness))
    return found, seconds


def _spent(act: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.process_time()
    found = act()
    return found, time.process_time() - begun


def _known_work() -> None:
    """What a body costs most by: small objects made, looked up and joined."""
    for _ in range(5):
        names = {f"unknown{n}": (n, str(n)) for n in range(24_000)}
        "".join(name for name, (n, text) in names.items() if len(text) < n)


def memory_of(act: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def largest(world: World, api: Api, address: str) -> int:
    """The largest body that this sender may send there."""
    request = api.client.get(address, headers=api.headers).wsgi_request
    request.META["HTTP_AUTHORIZATION"] = api.headers["Authorization"]
    return body_limit(request)


def send(api: Api, method: str, address: str, body: bytes) -> Any:
    return getattr(api.client, method)(address, body, "application/json", headers=api.headers)


def test_bodies_are_small_but_where_texts_travel(world: World) -> None:
    api = Api(world.owner)
    sizes = {(name, method): largest(world, api, api_address(name, world)) for name, method in SENDS_JSON}
    large = {name for (name, _method), size in sizes.items() if size > SMALL_BODY}
    assert large == {"crowd-api:campaigns", "crowd-api:settings", "api-campaign-files", "edit_operations-api:reports"}


def test_an_account_that_is_only_an_expert_pays_for_nothing_it_may_not_do(world: World) -> None:
    expert = next(member.user for name, member in world.members.items() if name == "expert")
    for name, row in API_TABLE.items():
        if row.access is Access.SIGNED_IN or "post" not in row.calls or row.calls["post"].is_form:
            continue
        long = b"[" + b"1," * 100_000 + b"1]"
        answer, seconds = timed(partial(send, Api(expert), "post", api_address(name, world), long))
        assert (answer.status_code in {403, 404, 413}, seconds < CPU_SECONDS) == (True, True)
