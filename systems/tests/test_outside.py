"""Systems from outside: endpoints of language models, programs, and other texts, through `run_system`."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from common.clock import database_now
from common.errors import Refused
from common.outgoing.hosts import checked_keys, checked_receivers
from compressions.models import SystemOutput
from crowd.models import Campaign
from systems import endpoints
from systems.files import folder_of
from systems.models import SystemRun
from tests.support.factories import import_texts, make_campaign
from tests.support.webhooks import Receiving, receiver

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TEXTS = [
    "The old bridge over the river fell last night after a week of heavy rain.",
    "It rained for days and days on end.",
]
SHORT = {"1": "The old bridge fell last night.", "2": "It rained for days."}
PROMPT = "Shorten to {allowed} characters, at least {minimum}, in {language}:\n{text}\n"
AGAIN = PROMPT + "---\nThat has {length} characters; {allowed} are allowed.\n"
KEY = "sk-of-a-test"
Said = pytest.CaptureFixture[str]
Step = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Model:
    """A server that answers as it is told, step by step, and then with a short text for whatever it is asked."""

    received: Receiving
    steps: list[Step] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.received.address() + "/v1"

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [call.said for call in self.received.calls]


def answering(status: int, body: bytes, **headers: str) -> Step:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def saying(text: str | None, **more: Any) -> Step:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    return answering(200, json.dumps({"choices": [choice], "usage": usage}).encode())


def broken_off(handler: BaseHTTPRequestHandler) -> None:
    answering(200, b'{"choices": [', Content_Length="1000")(handler)


@contextmanager
def serving(settings: Settings, *steps: Step) -> Iterator[Model]:
    left = list(steps)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if left:
            left.pop(0)(handler)
            return
        said = json.loads(received.calls[-1].body)["messages"][0]["content"]
        saying(next(SHORT[number] for number, text in zip(SHORT, TEXTS, strict=True) if text in said))(handler)

    with receiver(answer) as received:
        settings.MODEL_RECEIVERS = checked_receivers("PRECIS_MODEL_HOSTS", [received.address()])
        settings.MODEL_KEYS = checked_keys("KEYS", f"{received.address()}={KEY}", settings.MODEL_RECEIVERS)
        yield Model(received, left)


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(sentence_min_words=5, paragraph_min_words=5)
    import_texts(campaign, TEXTS)
    return campaign


@pytest.fixture(autouse=True)
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between requests, which take no time."""
    pauses: list[float] = []
    monkeypatch.setattr(endpoints, "sleep", pauses.append)
    return pauses


def ask(model: Model, folder: Path, prompt: str = AGAIN, **options: Any) -> None:
    file = folder / "prompt.txt"
    file.write_text(prompt, encoding="utf-8")
    call_command("run_system", endpoint=model.address, model="org/some-model", prompt=file, **options)


def outputs() -> dict[str, str]:
    return dict(SystemOutput.objects.values_list("source__source_id", "target__text"))


def requests_kept() -> list[dict[str, Any]]:
    with folder_of(SystemRun.objects.get()) as folder:
        lines = (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def lines_of_run() -> dict[str, dict[str, Any]]:
    with folder_of(SystemRun.objects.get()) as folder:
        lines = (folder / "outputs.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def test_a_model_is_asked_for_each_text_with_the_rule_and_all_is_kept_but_the_key(
    campaign: Campaign, settings: Settings, tmp_path: Path
) -> None:
    with serving(settings) as model:
        ask(model, tmp_path, temperature=0.5, seed=7, price=[Decimal(2), Decimal(8)], most_money=Decimal("1"))
    assert outputs() == SHORT
    first = model.received.calls[0]
    assert (first.path, first.headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    told = f"Shorten to 54 characters, at least 37, in en:\n{TEXTS[0]}"
    assert first.said == {
        "model": "org/some-model",
        "messages": [{"role": "user", "content": told}],
        "temperature": 0.5,
        "seed": 7,
    }
    run = SystemRun.objects.get()
    assert (run.name, run.kind, run.statuses) == ("org-some-model", "endpoint", {"external": 2})
    assert run.parameters["prompt_first"] == AGAIN.split("---")[0].strip()
    assert run.notes == {"requests": 2, "tokens_read": 200, "tokens_written": 20, "money": "0.00056"}
    kept = requests_kept()
    assert [(each["id"], each["try"], each["status"], each["request"]) for each in kept] == [
        ("1", 1, 200, model.asked[0]),
        ("2", 1, 200, model.asked[1]),
    ]
    assert kept[0]["answer"]["choices"][0]["message"]["content"] == SHORT["1"]
    assert KEY not in json.dumps(kept) + json.dumps(run.parameters)


def test_it_is_asked_again_until_the_length_holds_and_the_note_says_how_often(
    campaign: Campaign, settings: Settings, tmp_path: Path
) -> None:
    with serving(settings, saying(TEXTS[0]), saying(TEXTS[0][:60] + "."), saying(SHORT["1"])) as model:
        ask(model, tmp_path)
    assert outputs() == SHORT
    assert lines_of_run()["1"]["note"] == "3 tries"
    assert lines_of_run()["2"]["note"] == ""
    third = model.asked[2]
    assert [each["role"] for each in third["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert third["messages"][2]["content"] == "That has 73 characters; 54 are allowed."
    assert [each["seed"] for each in model.asked] == [2016, 2017, 2018, 2016]


def test_a_text_that_stays_too_long_is_none_or_is_taken_and_marked(
    campaign: Campaign, settings: Settings, tmp_path: Path, capsys: Said
) -> None:
    with serving(settings, *[saying(TEXTS[0])] * 2) as model:
        ask(model, tmp_path, tries=2)
    assert outputs() == {"2": SHORT["2"]}
    assert (
        "1 texts have no output: none came back for them, or one that breaks the length rule."
        in capsys.readouterr().err
    )
    SystemRun.objects.all().delete()
    with serving(settings, *[saying(TEXTS[0])] * 2) as model:
        ask(model, tmp_path, tries=2, as_is=True, name="other")
    assert lines_of_run()["1"] | {"seconds": 0} == {
        "id": "1",
        "text": TEXTS[0],
        "status": "external",
        "note": "2 tries; too long: 73 of 54 characters",
        "seconds": 0,
    }
    assert SystemOutput.objects.filter(system__name="other", source__source_id="1").exists()


UNREADABLE = {
    "nonsense": answering(200, b"<html>busy</html>"),
    "deep": answering(200, b"[" * 100_000),
    "no object": answering(200, b"[]"),
    "no choice": answering(200, b'{"choices": []}'),
    "no text": saying(None),
    "cut off": saying("The old", finish_reason="length"),
    "too long to read": answering(200, b" " * ((1 << 20) + 1)),
    "not UTF-8": answering(200, b"\xff\xfe"),
}


@pytest.mark.parametrize("step", UNREADABLE)
def test_an_answer_that_cannot_be_read_is_a_try(
    campaign: Campaign, settings: Settings, tmp_path: Path, step: str
) -> None:
    with serving(settings, UNREADABLE[step]) as model:
        ask(model, tmp_path)
    assert outputs() == SHORT
    assert lines_of_run()["1"]["note"] == "2 tries"
    assert len(model.asked) == len(requests_kept()) == 3


def test_what_passes_is_waited_for_as_long_as_the_endpoint_says(
    campaign: Campaign, settings: Settings, tmp_path: Path, waited: list[float]
) -> None:
    date = format_datetime(database_now() + timedelta(seconds=40), usegmt=True)
    steps = [
        answering(429, b"", Retry_After="7"),
        answering(500, b"oh"),
        broken_off,
        answering(503, b"", Retry_After=date),
    ]
    with serving(settings, *steps) as model:
        ask(model, tmp_path)
    assert outputs() == SHORT
    assert waited[:3] == [7.0, 4.0, 16.0]
    assert 20 < waited[3] <= 40
    assert [(each["try"], each["status"], each["fault"]) for each in requests_kept()][:5] == [
        (1, 429, "status"),
        (1, 500, "status"),
        (1, None, "connection"),
        (1, 503, "status"),
        (1, 200, ""),
    ]
    assert lines_of_run()["1"]["note"] == ""
    assert len(model.asked) == 6


STOPS = {
    "wait": ([answering(429, b"", Retry_After="3600")], "asks to wait 3600 seconds", 1),
    "down": ([answering(500, b"oh no")] * 5, "failed 5 times in a row: 500 oh no", 5),
    "key": ([answering(401, b'{"error": "bad key"}')], 'refused a request: 401 {"error": "bad key"}', 1),
    "redirect": ([answering(307, b"", Location="http://169.254.169.254/")], "redirects are not followed", 1),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_run_that_stopped_goes_on_without_asking_again(
    campaign: Campaign, settings: Settings, tmp_path: Path, stop: str
) -> None:
    steps, reason, requests = STOPS[stop]
    with serving(settings, saying(TEXTS[0]), saying(SHORT["1"]), saying(TEXTS[1]), *steps) as model:
        with pytest.raises(CommandError) as refusal:
            ask(model, tmp_path)
        assert reason in str(refusal.value)
        assert len(model.asked) == 3 + requests
        assert outputs() == {}
        ask(model, tmp_path)
        assert len(model.asked) == 4 + requests
        assert [each["role"] for each in model.asked[-1]["messages"]] == ["user", "assistant", "user"]
    assert outputs() == SHORT
    assert SystemRun.objects.get().notes["requests"] == 4 + requests


def test_a_line_that_was_cut_off_is_asked_for_again(campaign: Campaign, settings: Settings, tmp_path: Path) -> None:
    with serving(settings, saying(TEXTS[0]), saying(TEXTS[0]), answering(401, b"")) as model:
        with pytest.raises(CommandError):
            ask(model, tmp_path)
        (file,) = settings.DATA_DIR.rglob("requests.jsonl")
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(lines[0] + lines[1][:50])
        ask(model, tmp_path)
    assert len(model.asked) == 5
    assert model.asked[3] == model.asked[1]
    assert outputs() == SHORT


def test_limits_of_requests_and_of_money_end_a_run_that_goes_on_with_higher_ones(
    campaign: Campaign, settings: Settings, tmp_path: Path
) -> None:
    with serving(settings, saying(TEXTS[0])) as model:
        with pytest.raises(CommandError, match="The limit of 1 requests is reached"):
            ask(model, tmp_path, most_requests=1)
        with pytest.raises(CommandError, match=r"0\.001 of 0\.001 are spent"):
            ask(model, tmp_path, price=[Decimal(10), Decimal(0)], most_money=Decimal("0.001"))
        assert len(model.asked) == 1
        ask(model, tmp_path, price=[Decimal(10), Decimal(0)], most_money=Decimal("0.0021"))
    assert outputs() == SHORT
    assert len(model.asked) == 3


def test_a_price_that_cannot_be_known_ends_the_run(campaign: Campaign, settings: Settings, tmp_path: Path) -> None:
    with serving(settings, answering(200, b'{"choices": []}')) as model:
        with pytest.raises(CommandError, match="does not say how many tokens"):
            ask(model, tmp_path, price=[Decimal(10), Decimal(0)], most_money=Decimal("1"))
        assert len(model.asked) == 1


def test_no_request_is_made_to_hosts_that_are_not_listed(
    campaign: Campaign, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(settings) as model:
        listed = settings.MODEL_RECEIVERS
        settings.MODEL_RECEIVERS = ()
        with pytest.raises(CommandError, match="makes no requests to endpoints, and made none now"):
            ask(model, tmp_path)
        settings.MODEL_RECEIVERS = checked_receivers("HOSTS", ["api.example.org"])
        with pytest.raises(
            CommandError, match=r"may not be called: PRECIS_MODEL_HOSTS lists https://api\.example\.org"
        ):
            ask(model, tmp_path)
        assert not SystemRun.objects.exists()
        settings.MODEL_RECEIVERS = checked_receivers("HOSTS", [f"localhost:{model.received.port}"])
        address = f"https://localhost:{model.received.port}"
        with pytest.raises(CommandError, match="inside the network of this installation"):
            call_command("run_system", endpoint=address, model="m", prompt=tmp_path / "prompt.txt")
        assert listed
    assert model.asked == []


def test_a_key_goes_to_its_own_host_only_and_is_not_kept_if_it_comes_back(
    campaign: Campaign, settings: Settings, tmp_path: Path
) -> None:
    with serving(settings, answering(200, json.dumps({"error": f"who is {KEY}?"}).encode())) as model:
        ask(model, tmp_path)
        assert requests_kept()[0]["answer"] == {"error": "who is KEY?"}
        others = checked_receivers("HOSTS", ["api.example.org"])
        settings.MODEL_KEYS = checked_keys("KEYS", f"api.example.org={KEY}", others)
        ask(model, tmp_path, name="without")
    assert "Authorization" not in model.received.calls[-1].headers


PROMPTS = {
    "Shorten {text}": "{allowed} is missing",
    "Shorten to {allowed}": "{text} is missing",
    "{text} {allowed} {txt}": "{txt} stands for nothing there",
    "{text} {allowed}\n---\n{text}": "{text} stands for nothing there",
    "{text} {allowed}\n---\na\n---\nb": "more than two parts",
    "{text} {allowed}" + "x" * 20_000: "at most 20,000",
}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_prompt_without_the_rule_in_it_is_refused(
    campaign: Campaign, settings: Settings, tmp_path: Path, prompt: str
) -> None:
    with serving(settings) as model, pytest.raises(CommandError) as refusal:
        ask(model, tmp_path, prompt)
    assert PROMPTS[prompt] in str(refusal.value)
    assert model.asked == []


def test_options_that_make_no_sense_are_refused(campaign: Campaign, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text("{}\n", encoding="utf-8")
    with serving(settings) as model:
        for options, reason in (
            ({"temperature": 0.0}, "each try would be the same"),
            ({"most_money": Decimal(1)}, "--most-money needs --price"),
            ({"tries": 0}, "at least 1"),
            ({"texts": tmp_path / "other.jsonl"}, "nothing but texts of a campaign or a release"),
        ):
            with pytest.raises(CommandError, match=reason):
                ask(model, tmp_path, PROMPT, **options)
        with pytest.raises(CommandError, match="Give --model and --prompt"):
            call_command("run_system", endpoint=model.address)
        with pytest.raises(CommandError, match="Name a system"):
            call_command("run_system")
        ask(model, tmp_path, PROMPT, temperature=0.0, tries=1)
    assert outputs() == SHORT


def test_braces_in_a_text_stay_braces(settings: Settings, tmp_path: Path) -> None:
    text = "The {old} bridge over the {allowed} river fell last night after a week of rain."
    import_texts(make_campaign(sentence_min_words=5, paragraph_min_words=5), [text])
    with serving(settings, saying("The {old} bridge fell.")) as model:
        ask(model, tmp_path)
    assert text in model.asked[0]["messages"][0]["content"]


# Programs, and other texts

SHORTEN = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    words = asked["text"][: asked["allowed"]].rsplit(" ", 1)[0]
    text = asked["text"].upper() if len(sys.argv) > 1 else words
    print(json.dumps({"id": asked["id"], "text": text}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    file = tmp_path / "shorten.py"
    file.write_text(SHORTEN, encoding="utf-8")
    return [sys.executable, str(file)]


def test_a_program_runs_on_the_texts_without_the_settings_of_the_installation(
    campaign: Campaign, tmp_path: Path, program: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    monkeypatch.setenv("SECRET_KEY_FILE", "hunter2")
    monkeypatch.setenv("OF_THE_USER", "kept")
    file = tmp_path / "shorten.py"
    file.write_text(f"import os, sys\nprint(dict(os.environ), file=sys.stderr){SHORTEN}", encoding="utf-8")
    call_command("run_system", argv=program, name="mine")
    run = SystemRun.objects.get()
    assert (run.kind, run.name, run.statuses) == ("program", "mine", {"external": 2})
    assert run.parameters["argv"] == program
    assert outputs()["2"] == "It rained for days and"
    with folder_of(run) as folder:
        said = (folder / "standard-error.txt").read_text(encoding="utf-8")
    assert "OF_THE_USER" in said
    assert "hunter2" not in said


def test_a_program_after_a_system_gets_its_outputs_and_stands_in_the_name(
    campaign: Campaign, program: list[str]
) -> None:
    call_command("run_system", "first", argv=[*program, "upper"])
    stem = Path(program[0]).stem
    assert SystemRun.objects.get().name == f"first+{stem}"
    assert outputs()["2"] == "IT RAINED FOR DAYS AND."


def test_a_program_that_fails_is_told(campaign: Campaign, capsys: Said) -> None:
    import_texts(campaign, [*TEXTS, "It rained for a week and another week on end."])
    with pytest.raises(CommandError, match="failed at 3 texts in a row"):
        call_command("run_system", argv=[sys.executable, "-c", "raise SystemExit(1)"], name="mine")
    with pytest.raises(CommandError, match="could not be started"):
        call_command("run_system", argv=["/nowhere"], name="mine")
    assert outputs() == {}


def test_other_texts_for_the_same_ids_are_run_on_and_named(campaign: Campaign, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "mt.cs-en.jsonl"
    rows = [
        {"id": "1", "text": "A bridge fell down and it was old."},
        {"id": "2", "text": "It has rained for many days."},
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    call_command("run_system", "first", texts=file)
    run = SystemRun.objects.get()
    assert (run.name, run.parameters["texts_file"]) == ("first+mt.cs-en", "mt.cs-en.jsonl")
    assert outputs() == {"1": "A bridge fell down and it", "2": "It has rained for."}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"id": "1", "text": "A bridge fell."}], "has no text for 1 of 2 ids: 2"),
        ([{"id": "1", "text": "A."}, {"id": "1", "text": "B."}], "line 2: a second text for 1"),
        ([{"id": "1", "text": " "}], "line 1: no text"),
        ([7], "line 1: not a JSON object"),
    ],
)
def test_other_texts_that_lack_one_are_refused(
    campaign: Campaign, tmp_path: Path, rows: list[Any], reason: str
) -> None:
    file = tmp_path / "mt.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(CommandError, match=reason):
        call_command("run_system", "first", texts=file)
    assert outputs() == {}


def test_a_run_that_goes_on_elsewhere_is_left_alone(campaign: Campaign, settings: Settings, tmp_path: Path) -> None:
    with serving(settings):
        limits = endpoints.Limits(1)
        with endpoints.Endpoint(settings.MODEL_RECEIVERS[0].origin, tmp_path / "requests.jsonl", limits):
            another = endpoints.Endpoint(settings.MODEL_RECEIVERS[0].origin, tmp_path / "requests.jsonl", limits)
            with pytest.raises(Refused, match="going on in another process"):
                another.__enter__()
