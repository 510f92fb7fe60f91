"""The form for the settings of a score run, and one-line summaries of runs."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.words import Words
from measures.metrics import EXTRA_METRICS, SOURCE_METRICS, VECTOR_METRICS, Options, Tokenizer
from measures.metrics.options import REFERENCE_WEIGHTS, SMOOTHINGS, ReferenceChoice
from measures.metrics.words.tokens import Method, Stemmer
from scoring.models import ScoreRun
from scoring.settings import MAX_SEED, MAX_WINDOW, ScoreSettings

MAX_NAMED = 4
ONE_FOR_ALL, ONE_FOR_EACH = gettext_lazy("one reference"), gettext_lazy("one reference for each editor")
SETTING_LABELS: dict[str, Words] = {
    "method": gettext_lazy("words by %(value)s"),
    "language": gettext_lazy("language %(value)s"),
    "lower": gettext_lazy("mixed case"),
    "stemmer": gettext_lazy("stems by %(value)s"),
    "without_stop_words": gettext_lazy("without stop words"),
    "window": gettext_lazy("window %(value)s"),
    "single": gettext_lazy("SINGLE-REF %(value)s"),
    "seed": gettext_lazy("seed %(value)s"),
    "smoothing": gettext_lazy("smoothing %(value)s"),
    "reference_weights": gettext_lazy("references %(value)s"),
    "normalize": gettext_lazy("texts as written"),
    "similarity": gettext_lazy("similarity %(value)s"),
    "matching": gettext_lazy("matching %(value)s"),
    "exact_weight": gettext_lazy("weight of equal units %(value)s"),
    "threshold": gettext_lazy("similarity from %(value)s"),
}


def _choice(label: Words, choices: tuple[str, ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(each, each) for each in choices], required=False)


class ScoreForm(forms.Form):
    """Settings of a score run; empty fields mean the defaults, which are the paper's where it states them.

    `settings` holds the result once the form is valid.
    """

    tokenizer = _choice(gettext_lazy("Words by"), get_args(Method))
    mixed_case = forms.BooleanField(label=gettext_lazy("Keep the case of letters"), required=False)
    stemmer = _choice(gettext_lazy("Stems"), get_args(Stemmer))
    without_stop_words = forms.BooleanField(label=gettext_lazy("Leave out stop words"), required=False)
    window = forms.IntegerField(
        label=gettext_lazy("Skip-bigram window (words)"), min_value=0, max_value=MAX_WINDOW, required=False, initial=4
    )
    single = _choice(gettext_lazy("Reference of SINGLE-REF"), get_args(ReferenceChoice))
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, max_value=MAX_SEED, required=False, initial=Options.seed
    )
    smoothing = _choice(gettext_lazy("Smoothing of BLEU"), SMOOTHINGS)
    reference_weights = forms.ChoiceField(
        label=gettext_lazy("A text that several editors wrote counts as"),
        choices=list(zip(REFERENCE_WEIGHTS, (ONE_FOR_ALL, ONE_FOR_EACH), strict=True)),
        required=False,
    )
    no_normalize = forms.BooleanField(
        label=gettext_lazy("Keep typographic and invisible characters as written"), required=False
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.language = language
        self.fields["extra"] = forms.MultipleChoiceField(
            label=gettext_lazy("Metrics beyond the paper"),
            choices=[(each, each) for each in extra_names()],
            required=False,
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                given = {name: value for name, value in cleaned.items() if value not in (None, "")}
                extra = given.pop("extra")
                self.settings = ScoreSettings.typed(given, language=self.language).with_extra(extra)
                self.settings.check()
            except (ValueError, ModuleNotFoundError) as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned


def extra_names() -> list[str]:
    """Return the metrics beyond the paper that can be asked for here."""
    of_models = [
        name
        for name, metric in VECTOR_METRICS.items()
        if (settings.EMBEDDINGS if metric.wants_vectors else settings.ENCODER)
    ]
    return [*EXTRA_METRICS, *SOURCE_METRICS, *of_models]


def initial_of(run: ScoreRun | None) -> dict[str, Any]:
    """Return a run's settings as initial form data, to request the same or a similar run."""
    if run is None or run.kind == ScoreRun.Kind.IMPORTED:
        return {}
    chosen = ScoreSettings.of(run.settings)
    tokenizer = {
        "tokenizer": chosen.tokenizer.method,
        "mixed_case": not chosen.tokenizer.lower,
        "stemmer": chosen.tokenizer.stemmer,
        "without_stop_words": chosen.tokenizer.without_stop_words,
        "no_normalize": not chosen.normalize,
        "extra": [name for name in chosen.metrics if name in extra_names()],
    }
    return tokenizer | asdict(chosen.options)


def run_summary(run: ScoreRun) -> str:
    """Return one line with the metrics of a run and its non-default settings, or with the file they came from."""
    names = list(run.signatures)
    count = ngettext("%(n)s metric", "%(n)s metrics", len(names)) % {"n": len(names)}
    metrics = ", ".join(names) if len(names) <= MAX_NAMED else count
    if run.kind == ScoreRun.Kind.IMPORTED:
        return _("%(metrics)s, from %(file)s") % {"metrics": metrics, "file": run.settings["file"]}
    chosen = ScoreSettings.of(run.settings)
    default = ScoreSettings(Tokenizer(language=run.release.campaign.language.partition("-")[0]))
    used, defaults = (
        {**asdict(each.tokenizer), **asdict(each.options), "normalize": each.normalize} for each in (chosen, default)
    )
    changed = [str(SETTING_LABELS[name]) % {"value": value} for name, value in used.items() if value != defaults[name]]
    if chosen.parser:
        changed.append(_("parser %(name)s") % {"name": Path(chosen.parser).name})
    if not chosen.labelled:
        changed.append(_("PARSE-2 without labels"))
    wanted = [VECTOR_METRICS[name] for name in names if name in VECTOR_METRICS]
    if any(metric.wants_vectors for metric in wanted):
        changed.append(_("vectors %(name)s") % {"name": Path(chosen.vectors).name})
    if any(metric.wants_encoder for metric in wanted):
        changed.append(_("model %(name)s") % {"name": Path(chosen.encoder).name})
    return ", ".join([metrics, *changed])
