"""The settings of a score run: how texts are analysed, and the options of the metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings as django_settings
from django.utils.translation import gettext as _

from common.json_values import json_digest
from common.stored_models import configured_model
from measures.metrics import METRICS, Analysis, Metric, Options, Tokenizer, load_encoder, metrics_named, signature

MAX_WINDOW, MAX_SEED = 50, 2**31 - 1
"""What pages and programs may ask for at most."""


@dataclass(frozen=True)
class ScoreSettings:
    """The settings of a score run.

    `metrics` are names; empty means all that can be computed: all eighty, or 68 without a parser. Runs that were
    stored before texts could be normalised have no key `normalize`: their texts were scored as they are written.
    Nor have they a key `jackknifed`: no output was, and when they are completed none is. `vectors` is a file of word
    vectors and `encoder` a folder with a model that reads texts, both where the process that scores finds them.
    """

    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    options: Options = field(default_factory=Options)
    parser: str = ""
    metrics: tuple[str, ...] = ()
    normalize: bool = True
    jackknifed: bool = True
    vectors: str = ""
    encoder: str = ""
    labelled: bool = True

    @classmethod
    def typed(cls, given: Mapping[str, Any], *, language: str, metrics: Sequence[str] = ()) -> "ScoreSettings":
        """Return the settings that staff gave for a campaign in a language; what is not given has its default."""
        known, code = dict(given), language.partition("-")[0]
        tokenizer = Tokenizer(
            known.pop("tokenizer", "spacy"),
            code,
            lower=not known.pop("mixed_case", False),
            stemmer=known.pop("stemmer", "none"),
            without_stop_words=known.pop("without_stop_words", False),
        )
        normalize = not known.pop("no_normalize", False)
        return cls(
            tokenizer,
            Options(**known),
            configured_model(code),
            tuple(metrics),
            normalize,
            vectors=django_settings.EMBEDDINGS,
            encoder=django_settings.ENCODER,
        )

    def with_extra(self, names: Sequence[str]) -> "ScoreSettings":
        """Return the same settings with metrics beyond the paper."""
        return replace(self, metrics=(*(metric.name for metric in self.chosen), *names)) if names else self

    @property
    def analysis(self) -> Analysis:
        wants_vectors = any(metric.wants_vectors for metric in self.chosen)
        wants_encoder = any(metric.wants_encoder for metric in self.chosen)
        return Analysis(
            self.tokenizer,
            self.parser if self.wants_parser else "",
            self.normalize,
            self.vectors if wants_vectors else "",
            self.encoder if wants_encoder else "",
            self.labelled,
        )

    @property
    def wants_parser(self) -> bool:
        return bool(self.parser) and any(metric.wants_parser for metric in self.chosen)

    @property
    def chosen(self) -> list[Metric]:
        """The metrics to compute; raises ValueError for an unknown one, or one that needs a parser if there is none."""
        if not self.metrics:
            return [metric for metric in METRICS.values() if self.parser or not metric.wants_parser]
        chosen = metrics_named(self.metrics)
        if not self.parser and any(metric.wants_parser for metric in chosen):
            raise ValueError(
                _("The PARSE-2 metrics need a parser. Install a spaCy pipeline and name it in PRECIS_SPACY_MODEL.")
            )
        for metric in chosen:
            if metric.wants_vectors and not self.vectors:
                words = _("%(metric)s needs vectors of words. Name a file of them in PRECIS_EMBEDDINGS.")
                raise ValueError(words % {"metric": metric.name})
            if metric.wants_encoder and not self.encoder:
                words = _("%(metric)s needs a model that reads texts. Name its folder in PRECIS_ENCODER.")
                raise ValueError(words % {"metric": metric.name})
        return chosen

    @property
    def signatures(self) -> dict[str, str]:
        return {metric.name: signature(metric, self.analysis, self.options) for metric in self.chosen}

    def stored(self) -> dict[str, Any]:
        return asdict(self) | {"metrics": [metric.name for metric in self.chosen]}

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "ScoreSettings":
        return cls(
            Tokenizer(**stored["tokenizer"]),
            Options(**stored["options"]),
            stored["parser"],
            tuple(stored["metrics"]),
            stored.get("normalize", False),
            stored.get("jackknifed", False),
            stored.get("vectors", ""),
            stored.get("encoder", ""),
            stored.get("labelled", True),
        )

    def check(self) -> None:
        """Raise ValueError or ModuleNotFoundError if a metric does not exist or the texts cannot be analysed."""
        if self.chosen:
            list(self.analysis.texts([""]))
            _ = self.signatures
            if self.analysis.encoder:
                load_encoder(Path(self.analysis.encoder))

    def digest(self, last_output: int | None) -> str:
        """Return a digest that identifies the scores: the signatures it covers contain the versions of all software."""
        identity = [self.signatures, last_output] if last_output is not None else self.signatures
        return json_digest(identity)
