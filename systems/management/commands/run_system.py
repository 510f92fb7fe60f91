"""Run a system on the texts of a campaign or a release."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import not_found, progress_bar
from common.errors import Refused
from corpus.commands import release_named
from corpus.models import Release
from crowd.commands import campaign_named, only_campaign
from crowd.models import Campaign
from systems.models import SystemRun, TrainedSystem
from systems.outside_options import add_outside_options, kind_of, name_of, outside_run
from systems.programs.registry import SYSTEMS
from systems.programs.texts import NO_OUTPUT
from systems.selectors import finished_models
from systems.services.resources import Given
from systems.services.runs import ALL_SPLITS, RunRequest, fallbacks, system_run

EVERYTHING = "all"


class Command(BaseCommand):
    help = "Compress the texts of a campaign or a release by a system, and add its outputs. " + "; ".join(
        f"{name}: {system.title}" for name, system in SYSTEMS.items()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "system", nargs="?", choices=list(SYSTEMS), help="the system (default: --endpoint or --command)"
        )
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        parser.add_argument("--name", help="what its outputs are called (default: the system's name)")
        parser.add_argument(
            "--release", help="run it on this release, as in demo-v1 (default: on the campaign's texts)"
        )
        parser.add_argument("--split", default="test", help="of the release, or all (default: test)")
        parser.add_argument(
            "--no-import", action="store_true", help="keep the outputs with the run alone: nobody rates or scores them"
        )
        parser.add_argument(
            "--model",
            help="number of a model of train_system (default: as it comes); with --endpoint the model's name",
        )
        parser.add_argument("--seed", type=int, default=2016, help="seed of what is drawn (default: 2016)")

        parser.add_argument(
            "--parser",
            default="",
            help="a spaCy pipeline with Universal Dependencies: drop, lm, ilp and t3 need one (default: that of "
            "PRECIS_SPACY_MODEL), and lead, lsa, mmr, centroid and question keep clauses of single sentences by it",
        )
        parser.add_argument(
            "--about",
            default="",
            metavar="FILE",
            help="start-of-centroid, question, --documents: JSONL, CSV or TSV with id, and document or question "
            "(default: none)",
        )
        parser.add_argument(
            "--documents",
            action="store_true",
            help="lead, lsa, mmr, centroid: choose among the sentences of all texts of a document, which --about names "
            "(default: of each text)",
        )
        model = parser.add_mutually_exclusive_group()
        model.add_argument(
            "--language-model",
            default="",
            metavar="FILE",
            help="lm, ilp: trigrams, as ARPA (default: trained on the texts)",
        )
        model.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="FILE",
            help="lm, ilp: train the language model on the lines of this file, too; may be repeated (default: none)",
        )
        add_outside_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"]) if options["release"] else None
        try:
            with progress_bar("outputs") as progress:
                request = _request(options, release)
                run = outside_run(request=request, options=options, progress=progress) or system_run(
                    request=request, progress=progress
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        if run.outputs is not None:
            for _line, reason in run.outputs.problems:
                self.stderr.write(f"{run.name}: refused: {reason}")
            self.stdout.write(run.outputs.outcome)
        self.stdout.write(_said_of(run))
        if without := run.statuses.get(NO_OUTPUT, 0):
            most = run.parameters["most"]
            why = f"not even their first word is within {most}%"
            if run.kind not in SYSTEMS or options["argv"]:
                why = "none came back for them, or one that breaks the length rule"
            self.stderr.write(f"{without} texts have no output: {why}.")


def _request(options: Mapping[str, Any], release: Release | None) -> RunRequest:
    if release is not None:
        campaign = release.campaign
    else:
        campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
    kind, model = kind_of(options), None
    if options["model"] is not None and not options["endpoint"]:
        model = _model(campaign, kind, str(options["model"]))
    return RunRequest(
        campaign=campaign,
        kind=kind,
        name=options["name"] or name_of(options, model.name if model else kind),
        seed=options["seed"],
        given=Given(options["parser"], options["language_model"], options["text"], options["about"]),
        release=release,
        split=options["split"].replace(EVERYTHING, ALL_SPLITS) if release else ALL_SPLITS,
        model=model,
        is_for_raters=not options["no_import"],
        by_document=options["documents"],
    )


def _model(campaign: Campaign, kind: str, number: str) -> TrainedSystem:
    found = finished_models(campaign).filter(kind=kind)
    for model in found:
        if str(model.pk) == number:
            return model
    raise not_found(f"model of {kind}", "Models", number, [str(model.pk) for model in found])


def _said_of(run: SystemRun) -> str:
    """Return how the outputs came about, and how long one took."""
    counts = ", ".join(f"{number} {status}" for status, number in run.statuses.items() if status != NO_OUTPUT)
    said = f"{run.texts - run.statuses.get(NO_OUTPUT, 0)} outputs ({counts or 'none'}), "
    said += f"{run.seconds_per_text:.3f} seconds a text."
    if few := fallbacks(run):
        said += f" {few} are only the first words, since the system found none of its own."
    return said
