"""With what settings staff may have outputs scored."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from django import forms

from agreement.models import ScoreRun
from agreement.scores.question import ScoreQuestion, parser_for
from measures.metrics import Options, Tokenizer
from measures.metrics.bleu import SMOOTHINGS
from measures.metrics.single import Single
from measures.metrics.tokens import Method, Stemmer

MOST_NAMED = 4
SPELLED = {
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
    """Empty fields are the defaults, which are the paper's where it has any. `question` is what a valid form asks."""

    tokenizer = _choice("words by", get_args(Method))
    mixed_case = forms.BooleanField(label="keep the case of letters", required=False)
    stemmer = _choice("stems", get_args(Stemmer))
    without_stop_words = forms.BooleanField(label="leave out stop words", required=False)
    window = forms.IntegerField(
        label="most words inside a skip bigram", min_value=0, max_value=50, required=False, initial=4
    )
    single = _choice("the reference of SINGLE-REF", get_args(Single))
    seed = forms.IntegerField(label="seed", min_value=0, max_value=2**31 - 1, required=False, initial=Options.seed)
    smoothing = _choice("smoothing of BLEU", SMOOTHINGS)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.language = language.partition("-")[0]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.question = self._question(cleaned)
                self.question.check()
            except (ValueError, ModuleNotFoundError) as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned

    def _question(self, cleaned: dict[str, Any]) -> ScoreQuestion:
        given = {name: value for name, value in cleaned.items() if value not in (None, "")}
        tokenizer = Tokenizer(
            given.pop("tokenizer", "spacy"),
            self.language,
            lower=not given.pop("mixed_case", False),
            stemmer=given.pop("stemmer", "none"),
            without_stop_words=given.pop("without_stop_words", False),
        )
        return ScoreQuestion(tokenizer, Options(**given), parser_for(self.language))


def initial_of(run: ScoreRun | None) -> dict[str, Any]:
    """The settings of a run, to ask the same again or something like it."""
    if run is None or run.kind == ScoreRun.Kind.IMPORTED:
        return {}
    question = ScoreQuestion.of(run.settings)
    words = {
        "tokenizer": question.tokenizer.method,
        "mixed_case": not question.tokenizer.lower,
        "stemmer": question.tokenizer.stemmer,
        "without_stop_words": question.tokenizer.without_stop_words,
    }
    return words | asdict(question.options)


def spelled_run(run: ScoreRun) -> str:
    """In a line, what was scored and how it was other than usual; or where scores are from."""
    names = list(run.signatures)
    metrics = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} metrics"
    if run.kind == ScoreRun.Kind.IMPORTED:
        return f"{metrics}, from {run.settings['file']}"
    question = ScoreQuestion.of(run.settings)
    usual = ScoreQuestion(Tokenizer(language=run.release.campaign.language.partition("-")[0]))
    given, before = ({**asdict(each.tokenizer), **asdict(each.options)} for each in (question, usual))
    changed = [SPELLED[name].format(value) for name, value in given.items() if value != before[name]]
    if question.parser:
        changed.append(f"parser {Path(question.parser).name}")
    return ", ".join([metrics, *changed])
