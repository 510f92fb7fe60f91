"""The form for the settings of a score run, and one-line summaries of runs."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from django import forms

from common.spacy_model import configured_model
from measures.metrics import Options, Tokenizer
from measures.metrics.options import REFERENCE_WEIGHTS, SMOOTHINGS, ReferenceChoice
from measures.metrics.words.tokens import Method, Stemmer
from scoring.models import ScoreRun
from scoring.settings import ScoreSettings

MAX_NAMED = 4
SETTING_LABELS = {
    "method": "words by {}",
    "language": "language {}",
    "lower": "mixed case",
    "stemmer": "stems by {}",
    "without_stop_words": "without stop words",
    "window": "window {}",
    "single": "SINGLE-REF {}",
    "seed": "seed {}",
    "smoothing": "smoothing {}",
    "reference_weights": "references {}",
    "normalize": "texts as written",
}


def _choice(label: str, choices: tuple[str, ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(each, each) for each in choices], required=False)


class ScoreForm(forms.Form):
    """Settings of a score run; empty fields mean the defaults, which are the paper's where it states them.

    `settings` holds the result once the form is valid.
    """

    tokenizer = _choice("words by", get_args(Method))
    mixed_case = forms.BooleanField(label="keep the case of letters", required=False)
    stemmer = _choice("stems", get_args(Stemmer))
    without_stop_words = forms.BooleanField(label="leave out stop words", required=False)
    window = forms.IntegerField(
        label="most words inside a skip bigram", min_value=0, max_value=50, required=False, initial=4
    )
    single = _choice("the reference of SINGLE-REF", get_args(ReferenceChoice))
    seed = forms.IntegerField(label="seed", min_value=0, max_value=2**31 - 1, required=False, initial=Options.seed)
    smoothing = _choice("smoothing of BLEU", SMOOTHINGS)
    reference_weights = forms.ChoiceField(
        label="a text that several editors wrote",
        choices=list(zip(REFERENCE_WEIGHTS, ("one reference", "one reference for each editor"), strict=True)),
        required=False,
    )
    no_normalize = forms.BooleanField(label="keep typographic and invisible characters as written", required=False)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.language = language.partition("-")[0]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.settings = self._settings(cleaned)
                self.settings.check()
            except (ValueError, ModuleNotFoundError) as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned

    def _settings(self, cleaned: dict[str, Any]) -> ScoreSettings:
        given = {name: value for name, value in cleaned.items() if value not in (None, "")}
        tokenizer = Tokenizer(
            given.pop("tokenizer", "spacy"),
            self.language,
            lower=not given.pop("mixed_case", False),
            stemmer=given.pop("stemmer", "none"),
            without_stop_words=given.pop("without_stop_words", False),
        )
        normalize = not given.pop("no_normalize", False)
        return ScoreSettings(tokenizer, Options(**given), configured_model(self.language), normalize=normalize)


def initial_of(run: ScoreRun | None) -> dict[str, Any]:
    """Return a run's settings as initial form data, to request the same or a similar run."""
    if run is None or run.kind == ScoreRun.Kind.IMPORTED:
        return {}
    settings = ScoreSettings.of(run.settings)
    tokenizer = {
        "tokenizer": settings.tokenizer.method,
        "mixed_case": not settings.tokenizer.lower,
        "stemmer": settings.tokenizer.stemmer,
        "without_stop_words": settings.tokenizer.without_stop_words,
        "no_normalize": not settings.normalize,
    }
    return tokenizer | asdict(settings.options)


def run_summary(run: ScoreRun) -> str:
    """Return one line with the metrics of a run and its non-default settings, or with the file they came from."""
    names = list(run.signatures)
    metrics = ", ".join(names) if len(names) <= MAX_NAMED else f"{len(names)} metrics"
    if run.kind == ScoreRun.Kind.IMPORTED:
        return f"{metrics}, from {run.settings['file']}"
    settings = ScoreSettings.of(run.settings)
    default = ScoreSettings(Tokenizer(language=run.release.campaign.language.partition("-")[0]))
    used, defaults = (
        {**asdict(each.tokenizer), **asdict(each.options), "normalize": each.normalize} for each in (settings, default)
    )
    changed = [SETTING_LABELS[name].format(value) for name, value in used.items() if value != defaults[name]]
    if settings.parser:
        changed.append(f"parser {Path(settings.parser).name}")
    return ", ".join([metrics, *changed])
