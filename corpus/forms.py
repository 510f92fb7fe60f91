"""Staff forms for outputs and releases."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts, marks_validate
from compressions.forms import TableForm
from compressions.genres import genre_label
from compressions.models import MAX_SYSTEM_NAME_LENGTH
from compressions.services.outputs import system_name_fault
from corpus.browse.found import Wanted
from corpus.release.data_statement import (
    ABOUT_CORPUS,
    ABOUT_STUDY,
    MAX_ANSWER_LENGTH,
    QUESTIONS,
    Statement,
    StatementQuestion,
)
from corpus.release.options import (
    DEFAULT_SEED,
    DEFAULT_SHARES,
    MAX_LEAST,
    MAX_SEED,
    SPLIT_NAMES,
    ReleaseOptions,
    splits_in_order,
)

MAX_PLACE = 100_000_000
FILTERS = {"q": "words", "split": "split", "genre": "genre", "system": "system"}


class OutputsForm(TableForm):
    system = forms.CharField(
        required=False,
        max_length=MAX_SYSTEM_NAME_LENGTH,
        label=gettext_lazy("System (optional)"),
        help_text=gettext_lazy(
            "The name of the system, as it will appear in files. Leave it empty if the file has a column system."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "JSONL, CSV or TSV with id and text, and system if it has the outputs of several; or the RawData of a "
            "release."
        ),
    )
    is_decoy = forms.BooleanField(
        required=False,
        label=gettext_lazy("Decoys"),
        help_text=gettext_lazy(
            "Texts by language models that are only compared with what editors write. They are never rated, scored or "
            "published."
        ),
    )
    is_as_is = forms.BooleanField(
        required=False,
        label=gettext_lazy("Take outputs that are too long"),
        help_text=gettext_lazy(
            "Otherwise outputs that are longer than editors may write are refused, line by line, unless the file has "
            "ratings of them. Releases mark them."
        ),
    )
    command = "import_outputs"
    field_order = ("system", "file", "written_by", "columns", "is_decoy", "is_as_is")

    def clean_system(self) -> str:
        name: str = self.cleaned_data["system"]
        if name and (reason := system_name_fault(name)):
            raise forms.ValidationError(reason)
        return name


class ReleaseForm(forms.Form):
    """The options of a release, and what the researchers say of the corpus."""

    train = forms.FloatField(min_value=0, initial=DEFAULT_SHARES["train"], label=gettext_lazy("Train"))
    valid = forms.FloatField(min_value=0, initial=DEFAULT_SHARES["valid"], label=gettext_lazy("Valid"))
    test = forms.FloatField(min_value=0, initial=DEFAULT_SHARES["test"], label=gettext_lazy("Test"))
    as_sizes = forms.BooleanField(
        required=False,
        label=gettext_lazy("Valid and test are numbers of sources, and train gets the rest"),
        help_text=gettext_lazy("Otherwise the three numbers are proportions."),
    )
    seed = forms.IntegerField(min_value=0, max_value=MAX_SEED, initial=DEFAULT_SEED, label=gettext_lazy("Seed"))
    min_ratings = forms.IntegerField(
        min_value=0,
        max_value=MAX_LEAST,
        initial=1,
        label=gettext_lazy("Minimum ratings per compression"),
        help_text=gettext_lazy("With 0, compressions without a rating are kept as references."),
    )
    min_compressions = forms.IntegerField(
        min_value=0,
        max_value=MAX_LEAST,
        initial=1,
        label=gettext_lazy("Minimum compressions per source"),
        help_text=gettext_lazy(
            "With 0, sources without a compression by an editor are kept, too, if an output of a system for them has "
            "been rated. Nothing can be scored against references there."
        ),
    )

    exact_times = forms.BooleanField(
        required=False,
        label=gettext_lazy("Publish edits with exact times"),
        help_text=gettext_lazy(
            "A typist can be recognised by times to the millisecond. Otherwise times are rounded to a tenth of a "
            "second. Neither tells when the page was left."
        ),
    )

    def __init__(self, *args: Any, statement: Statement, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in QUESTIONS:
            self.fields[question.key] = _answer_field(question, statement.get(question.key, ""))

    @property
    def about_corpus(self) -> list[forms.BoundField]:
        return [self[question.key] for question in ABOUT_CORPUS]

    @property
    def about_study(self) -> list[forms.BoundField]:
        return [self[question.key] for question in ABOUT_STUDY]

    @property
    def statement(self) -> Statement:
        return {question.key: self.cleaned_data[question.key] for question in QUESTIONS}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        try:
            self.options = self._options(cleaned) if not self.errors else ReleaseOptions()
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        return cleaned

    @staticmethod
    def _options(given: dict[str, Any]) -> ReleaseOptions:
        common = {name: given[name] for name in ("seed", "min_ratings", "min_compressions", "exact_times")}
        if given["as_sizes"]:
            if not given["valid"].is_integer() or not given["test"].is_integer():
                raise ValueError(_("Numbers of sources must be whole numbers."))
            return ReleaseOptions(sizes={"valid": int(given["valid"]), "test": int(given["test"])}, **common)
        return ReleaseOptions(shares={split: given[split] for split in SPLIT_NAMES}, **common)


def _answer_field(question: StatementQuestion, initial: str) -> forms.Field:
    told: dict[str, Any] = {"required": False, "initial": initial, "label": question.label, "help_text": question.help}
    if question.choices:
        return forms.ChoiceField(choices=[("", _("not stated")), *((each, each) for each in question.choices)], **told)
    return forms.CharField(
        max_length=MAX_ANSWER_LENGTH, widget=forms.Textarea(attrs={"rows": 3}), validators=[marks_validate], **told
    )


class ErasureForm(forms.Form):
    """The last look at what a person is owed: afterwards nothing tells whom to pay."""

    is_settled = forms.BooleanField(
        label=gettext_lazy("they have been paid, or I have noted whom to pay"),
        error_messages={"required": gettext_lazy("Look at what they are owed, and tick this.")},
    )


class BrowseForm(TypedTexts, forms.Form):
    """Which texts of a release are looked for; nothing is required."""

    q = forms.CharField(label=gettext_lazy("Words or ID"), max_length=200, required=False)
    split = forms.ChoiceField(label=gettext_lazy("Split"), required=False)
    genre = forms.ChoiceField(label=gettext_lazy("Genre"), required=False)
    system = forms.ChoiceField(label=gettext_lazy("With an output of"), required=False)
    after = forms.IntegerField(min_value=0, max_value=MAX_PLACE, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, summary: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        genres = [genre_label(name) for name in summary.get("genres", ())]
        for name, values in (
            ("split", splits_in_order(summary.get("splits", ()))),
            ("genre", genres),
            ("system", list(summary.get("systems", ()))),
        ):
            self.fields[name].choices = [("", _("any")), *((value, value) for value in values)]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> Wanted:
        """What is looked for; a filter that is refused is none."""
        given = {name: self.cleaned_data.get(field) or "" for field, name in FILTERS.items()}
        return Wanted(**given)

    @property
    def asked(self) -> dict[str, str]:
        """The filters of the query, to go on with."""
        return {name: value for name in FILTERS if (value := self.cleaned_data.get(name))}
