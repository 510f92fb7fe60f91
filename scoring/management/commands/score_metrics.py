"""Score outputs with the metrics against the texts that people wrote in a release."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar
from common.console import CSV, TABLE, add_format, csv_text, form_of, print_sections, width_of
from common.errors import Refused
from common.jobs import Progress
from common.stored_models import configured_model
from compressions.readers import BadLine, read_rows, text_fault
from corpus.commands import release_named
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_sources, sources_with_outputs
from measures.core.arrays import FloatArray
from measures.metrics import (
    METRICS,
    Analysis,
    Comparisons,
    Coverage,
    Models,
    Options,
    Text,
    analyse_distinct,
    compare,
    metrics_named,
    score_chunks,
    signature,
)
from measures.metrics.cli_options import (
    WITHOUT_PARSER,
    add_corpus_bleu,
    add_settings,
    bleu_lines,
    names_to_score,
    settings_of,
)
from measures.metrics.compute import chosen_metrics
from measures.metrics.options import Ground
from measures.metrics.signatures import with_ground
from measures.metrics.writers import WRITERS, Result
from scoring.entries import ALL, JACKKNIFED, PEOPLE, system_name, written_texts
from scoring.models import ScoreRun
from scoring.selectors import (
    NOT_JACKKNIFED,
    common_ground,
    default_ground,
    metric_lines,
    result_of_means,
    section_of,
)
from scoring.services.runs import score_run_get_or_create, scores_complete
from scoring.settings import ScoreSettings
from scoring.tables import BEST, best_place, result_sections, score_sections, shown_metrics

TSV = "tsv"
WORDS_OF_GROUND: dict[Ground, str] = {ALL: "against all references", JACKKNIFED: "jackknifed"}
NO_SYSTEMS = (
    "{} has no outputs of systems, so only the texts of people are scored. Import a system's outputs with "
    "manage.py import_outputs SYSTEM FILE."
)


class Command(BaseCommand):
    help = (
        "Score outputs with the eighty metrics. With --outputs, score those in a file (JSONL, or a table with id and "
        "text) and print the scores without storing them. Otherwise score all outputs of the release, as the page "
        "does, and print the means; with --corpus-bleu, print BLEU of each system and store nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release's name, as in demo-v1")
        parser.add_argument(
            "--outputs",
            type=Path,
            metavar="FILE",
            help="outputs of a system, with the ids of their sources (default: the outputs in the release)",
        )
        add_format(parser, TSV, *WRITERS)
        parser.add_argument("--all", action="store_true", help="show all metrics in the table, and all outputs")
        parser.add_argument("--mean", action="store_true", help="with --outputs: print the means only")
        add_corpus_bleu(parser)
        add_settings(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        release, given = release_named(options["release"]), Namespace(**options)
        try:
            language = release.campaign.language.partition("-")[0]
            analysis, metric_options = settings_of(
                given,
                language=language,
                parser_of=configured_model,
                embeddings=settings.EMBEDDINGS,
                encoder=settings.ENCODER,
            )
            if not given.metrics and not analysis.parser and not given.corpus_bleu:
                self.stderr.write(f"12 of {len(METRICS)} metrics are left out. {WITHOUT_PARSER}.")
            if given.corpus_bleu and given.ground == JACKKNIFED:
                raise ValueError("--corpus-bleu takes each output once, against all references: leave out --ground.")
            if given.corpus_bleu:
                analysis = replace(analysis, parser="")  # its words are enough, and a parser is slow
            if given.outputs:
                self._score_file(release, given, analysis, metric_options)
            elif given.corpus_bleu:
                self._score_systems_as_one_text(release, analysis, metric_options)
            else:
                self._score_release(release, given, analysis, metric_options)
        except (ValueError, ModuleNotFoundError, Refused) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error

    def _write(self, form: str, result: Result) -> None:
        if form == CSV:
            rows = [dict(zip(result.signatures, each, strict=True)) for each in result.scores.tolist()]
            named = [{"id": name, **row} for name, row in zip(result.names, rows, strict=True)]
            text = csv_text(["id", *result.signatures], [{"id": "signature", **result.signatures}, *named])
        else:
            stream = StringIO()
            WRITERS[form](result, stream)
            text = stream.getvalue()
        self.stdout.write(text, ending="")

    def _end(self, shown: int, metrics: int, *, has_star: bool) -> str:
        star = f"{BEST} the best system: its 95% interval lies above those of the others. " if has_star else ""
        more = f"{shown} of {metrics} metrics; all: --all. " if shown < metrics else ""
        return f"{star}{more}Everything, with all digits: --format csv or --format json."

    def _score_file(self, release: Release, given: Namespace, analysis: Analysis, options: Options) -> None:
        ground: Ground = given.ground or ALL
        sources = release_sources(release)
        references = _references(sources, options)
        outputs = dict(_read_outputs(given.outputs))
        for name in list(outputs):
            number = len(references.get(name, []))
            if not number:
                self.stderr.write(f"{given.outputs}: nobody's text for {name!r} is in {release.name}: left out")
            elif ground == JACKKNIFED and number == 1:
                self.stderr.write(f"{given.outputs}: {name!r} has one reference, and cannot be jackknifed: left out")
            else:
                continue
            del outputs[name]
        wants_sources = any(metric.wants_sources for metric in metrics_named(given.metrics or []))
        originals = {source.source_id: source.text for source in sources} if wants_sources else None
        compared, texts = _compared(outputs, references, analysis, ground, originals)
        if given.corpus_bleu:
            self.stdout.write("\n".join(bleu_lines(compared, options)))
            return
        names, models = names_to_score(given, analysis), analysis.models(texts)
        if models.words is not None:
            self.stderr.write(f"{models.words.coverage(text.words for text in texts)}.")
        with progress_bar("outputs") as progress:
            scores = _score(compared, names, options, models, progress)
        chosen = chosen_metrics(compared, names, models)
        signatures = {each.name: with_ground(signature(each, analysis, options), ground) for each in chosen}
        result = Result(list(outputs), scores, signatures)
        form = form_of(self, vars(given), TSV)
        if form != TABLE:
            self._write(form, result.mean() if given.mean else result)
            return
        metrics = list(signatures)
        asked = None if given.mean else given.metrics
        sections = result_sections(result, given.outputs.name, asked, is_all=given.all)
        shown = len(metrics if given.all else shown_metrics(metrics, given.metrics))
        print_sections(self, sections, vars(given), self._end(shown, len(metrics), has_star=False))

    def _score_systems_as_one_text(self, release: Release, analysis: Analysis, options: Options) -> None:
        sources = sources_with_outputs(release)
        references = _references(sources, options)
        outputs: dict[str, dict[str, str]] = {}
        for source in sources:
            for output in source.outputs if references[source.source_id] else ():
                outputs.setdefault(output.system, {})[source.source_id] = output.text
        if not outputs:
            raise ValueError(f"{release.name} has no outputs of systems beside texts that people wrote.")
        for number, (system, texts) in enumerate(sorted(outputs.items())):
            compared, _texts = _compared(texts, references, analysis, ALL)
            head, *lines = bleu_lines(compared, options)
            named = [f"{system_name(system)}\t{line}" for line in lines]
            self.stdout.write("\n".join(named if number else [f"system\t{head}", *named]))

    def _score_release(self, release: Release, given: Namespace, analysis: Analysis, options: Options) -> None:
        wanted = ScoreSettings(
            analysis.tokenizer,
            options,
            analysis.parser,
            tuple(names_to_score(given, analysis) or ()),
            analysis.normalize,
            vectors=str(Path(analysis.vectors).resolve()) if analysis.vectors else "",
            encoder=str(Path(analysis.encoder).resolve()) if analysis.encoder else "",
            labelled=analysis.labelled,
        )
        run = score_run_get_or_create(release=release, settings=wanted)
        with progress_bar("parts") as progress:
            run = scores_complete(run=run, progress=progress)
        if found := (run.summary or {}).get("coverage"):
            self.stderr.write(f"{Coverage(**found)}.")
        common, ground = common_ground(run.summary or {}), given.ground or default_ground(run.summary or {})
        if ground == JACKKNIFED and not (common and common.sources):
            raise ValueError(f"{release.name}: {NOT_JACKKNIFED}")
        if ground == JACKKNIFED and common:
            self.stderr.write(f"Jackknifed; means over {common.sources} sources. {common.described()}")
        form = form_of(self, vars(given), TSV)
        if form == TABLE:
            self._print_means(run, ground, given)
        else:
            self._write(form, result_of_means(run, ground))

    def _print_means(self, run: ScoreRun, ground: Ground, given: Namespace) -> None:
        summary = section_of(run.summary or {"metrics": [], "systems": []}, ground)
        title = f"Means of {run.release.name} with 95% intervals ({WORDS_OF_GROUND[ground]})"
        width = width_of(self.stdout)
        sections = score_sections(summary, title, given.metrics, width, is_all=given.all)
        if not any(each["system"] != PEOPLE for each in summary["systems"]):
            self.stderr.write(NO_SYSTEMS.format(run.release.name))
        metrics = summary["metrics"]
        shown = metrics if given.all else shown_metrics(metrics, given.metrics)
        has_star = any(best_place(summary, line) is not None for line in metric_lines({**summary, "metrics": shown}))
        print_sections(self, sections, vars(given), self._end(len(shown), len(metrics), has_star=has_star))


def _references(sources: Iterable[ReleasedSource], options: Options) -> dict[str, list[str]]:
    return {source.source_id: list(options.references(written_texts(source))) for source in sources}


def _compared(
    outputs: Mapping[str, str],
    references: Mapping[str, Sequence[str]],
    analysis: Analysis,
    ground: Ground,
    originals: Mapping[str, str] | None = None,
) -> tuple[Comparisons, list[Text]]:
    texts = analyse_distinct(analysis, (text for name in outputs for text in (outputs[name], *references[name])))
    compared = compare(
        [texts[outputs[name]] for name in outputs],
        [[texts[each] for each in references[name]] for name in outputs],
        [ground == JACKKNIFED] * len(outputs),
        None if originals is None else _sources(outputs, originals, analysis),
    )
    return compared, list(texts.values())


def _sources(names: Iterable[str], originals: Mapping[str, str], analysis: Analysis) -> list[Text]:
    """Return what each output compresses, cut into words but not parsed."""
    wanted = [originals[name] for name in names]
    words = analyse_distinct(replace(analysis, parser=""), wanted)
    return [words[each] for each in wanted]


def _score(
    compared: Comparisons, metrics: list[str] | None, options: Options, models: Models, progress: Progress
) -> FloatArray:
    parts, done = [np.zeros((0, len(chosen_metrics(compared, metrics, models))))], 0
    for part in score_chunks(compared, metrics, options, models):
        parts.append(part)
        done += len(part)
        progress(done, len(compared))
    return np.concatenate(parts)


def _read_outputs(path: Path) -> Iterable[tuple[str, str]]:
    """Yield the source id and text of each output; raise ValueError for a bad line or a repeated id."""
    seen: set[str] = set()
    for row in read_rows(path.name, file_content(path), ("id", "text")):
        if isinstance(row, BadLine):
            raise ValueError(f"{path}, line {row.line}: {row.reason}")
        if reason := text_fault(row.fields["text"]):
            raise ValueError(f"{path}, line {row.line}: the output: {reason}")
        name = row.fields["id"].strip()
        if name in seen:
            raise ValueError(f"{path}, line {row.line}: a second output for {name!r}")
        seen.add(name)
        yield name, row.fields["text"]
