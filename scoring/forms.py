"""With what settings staff may have outputs scored."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from django import forms

from measures.metrics import Options, Tokenizer
from measures.metrics.options import SMOOTHINGS, ReferenceChoice
from measures.metrics.words.tokens import Method, Stemmer
from scoring.models import ScoreRun
from scoring.settings import ScoreSettings, parser_for

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
}


def _choice(label: str, choices: tuple[str, ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(each, each) for each in choices], required=False)


class ScoreForm(forms.Form):
    """Empty fields are the defaults, which are the paper's where it has any. `settings` is what a valid form asks."""

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
        return ScoreSettings(tokenizer, Options(**given), parser_for(self.language))


def initial_of(run: ScoreRun | None) -> dict[str, Any]:
    """The settings of a run, to ask the same again or something like it."""
    if run is None or run.kind == ScoreRun.Kind.IMPORTED:
        return {}
    settings = ScoreSettings.of(run.settings)
    words = {
        "tokenizer": settings.tokenizer.method,
        "mixed_case": not settings.tokenizer.lower,
        "stemmer": settings.tokenizer.stemmer,
        "without_stop_words": settings.tokenizer.without_stop_words,
    }
    return words | asdict(settings.options)


def run_summary(run: ScoreRun) -> str:
    """In a line, what was scored and how it was other than usual; or where scores are from."""
    names = list(run.signatures)
    metrics = ", ".join(names) if len(names) <= MAX_NAMED else f"{len(names)} metrics"
    if run.kind == ScoreRun.Kind.IMPORTED:
        return f"{metrics}, from {run.settings['file']}"
    settings = ScoreSettings.of(run.settings)
    usual = ScoreSettings(Tokenizer(language=run.release.campaign.language.partition("-")[0]))
    given, before = ({**asdict(each.tokenizer), **asdict(each.options)} for each in (settings, usual))
    changed = [SETTING_LABELS[name].format(value) for name, value in given.items() if value != before[name]]
    if settings.parser:
        changed.append(f"parser {Path(settings.parser).name}")
    return ", ".join([metrics, *changed])
