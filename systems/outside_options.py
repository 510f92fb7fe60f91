"""The options of `run_system` for what comes from outside: a program, an endpoint, other texts."""

from argparse import REMAINDER, ArgumentParser
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common.commands import file_content
from common.jobs import Progress
from systems.endpoints import Limits
from systems.models import SystemRun
from systems.programs.chat import Chat, Prompt
from systems.programs.registry import SYSTEMS
from systems.services.outside import (
    ENDPOINT,
    PROGRAM,
    EndpointGiven,
    OtherTexts,
    ProgramGiven,
    endpoint_run,
    other_texts_run,
    program_run,
)
from systems.services.runs import RunRequest

CHAINED = "+"


def amount(value: str) -> Decimal:
    """Read an amount of money, at least 0."""
    try:
        found = Decimal(value)
    except InvalidOperation as fault:
        raise ValueError(value) from fault
    if not 0 <= found < 10**9:
        raise ValueError(value)
    return found


def add_outside_options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="FILE",
        help="run it on the texts of this file (JSONL, CSV or TSV with id and text), such as translations into the "
        "campaign's language, for the same ids (default: the texts as they are)",
    )
    parser.add_argument(
        "--as-is", action="store_true", help="take texts from outside that break the length rule, and mark them"
    )
    parser.add_argument(
        "--endpoint", metavar="URL", help="ask a language model by the OpenAI chat format (default: none)"
    )
    parser.add_argument(
        "--prompt",
        type=Path,
        metavar="FILE",
        help="--endpoint: what the model is told (default: none; --endpoint needs it)",
    )
    parser.add_argument("--temperature", type=float, help="--endpoint: sent with each request (default: not sent)")
    parser.add_argument("--tries", type=int, default=3, help="--endpoint: for a text that is short enough (default: 3)")
    parser.add_argument("--most-requests", type=int, default=10_000, metavar="N", help="--endpoint: (default: 10000)")
    parser.add_argument(
        "--most-money", type=amount, metavar="AMOUNT", help="--endpoint: what it may cost; needs --price (default: any)"
    )
    parser.add_argument(
        "--price",
        type=amount,
        nargs=2,
        metavar=("READ", "WRITTEN"),
        help="--endpoint: of a million tokens that the model reads, and of those that it writes (default: not counted)",
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="--command: time for a text (default: 60)")
    parser.add_argument(
        "--command",
        nargs=REMAINDER,
        default=[],
        metavar="PROGRAM",
        dest="argv",
        help="last of all: a program with its arguments that shortens the texts, or does something to the outputs of "
        "the system before it (default: none)",
    )


def kind_of(options: Mapping[str, Any]) -> str:
    """Return the kind of a run: a system of the registry, or what alone comes from outside."""
    if options["endpoint"]:
        _refuse(
            options, "--endpoint", ("system", "texts", "argv"), "nothing but texts of a campaign or a release leaves"
        )
        return ENDPOINT
    system: str | None = options["system"]
    if system is None and not options["argv"]:
        raise CommandError(f"Name a system ({', '.join(SYSTEMS)}), or give --endpoint or --command.")
    return system or PROGRAM


def _refuse(options: Mapping[str, Any], name: str, others: tuple[str, ...], why: str) -> None:
    if any(options[other] for other in others):
        raise CommandError(f"{name} stands alone, without a system, --texts and --command: {why} this computer.")


def name_of(options: Mapping[str, Any], system: str) -> str:
    """Return what the outputs of a run are called, if nobody says: all links of its chain."""
    if options["endpoint"]:
        return str(options["model"]).replace("/", "-")
    links = [options["system"] and system, options["texts"] and options["texts"].stem, *map(_stem, options["argv"][:1])]
    return CHAINED.join(filter(None, links))


def _stem(program: str) -> str:
    return Path(program).stem


def outside_run(*, request: RunRequest, options: Mapping[str, Any], progress: Progress) -> SystemRun | None:
    """Run what the options name; None if nothing comes from outside."""
    texts = options["texts"] and OtherTexts(options["texts"].name, file_content(options["texts"]))
    if options["endpoint"]:
        return endpoint_run(request=request, given=_endpoint(options), progress=progress)
    if options["argv"]:
        given = ProgramGiven(options["argv"], options["seconds"], options["as_is"])
        return program_run(request=request, given=given, texts=texts, progress=progress)
    return other_texts_run(request=request, texts=texts, progress=progress) if texts else None


def chat_of(options: Mapping[str, Any], tries: int) -> Chat:
    """Return how a model is asked; raise CommandError if its name or prompt is missing, or the prompt is no use."""
    if not options["model"] or options["prompt"] is None:
        raise CommandError("Give --model and --prompt: the name of the model, and a file with what it is told.")
    try:
        prompt = Prompt.read(file_content(options["prompt"]).decode())
        return Chat(str(options["model"]), prompt, options["temperature"], tries)
    except ValueError as fault:
        raise CommandError(f"{options['prompt']}: {fault}") from fault


def _endpoint(options: Mapping[str, Any]) -> EndpointGiven:
    if options["most_money"] is not None and options["price"] is None:
        raise CommandError("--most-money needs --price: what a million tokens cost.")
    if options["tries"] < 1 or options["most_requests"] < 1:
        raise CommandError("--tries and --most-requests are at least 1.")
    chat = chat_of(options, options["tries"])
    prices = options["price"] or (Decimal(0), Decimal(0))
    limits = Limits(options["most_requests"], options["most_money"], *prices)
    return EndpointGiven(options["endpoint"], chat, limits, options["as_is"])
