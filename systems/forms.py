"""Staff forms: train a system, and run one."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from compressions.forms import UploadForm
from compressions.models import MAX_SYSTEM_NAME_LENGTH
from compressions.services.outputs import system_name_fault
from corpus.models import Release
from corpus.release.options import DEFAULT_SEED, MAX_SEED, SPLIT_NAMES
from crowd.models import Campaign
from systems.models import TrainedSystem
from systems.programs.registry import SYSTEMS
from systems.selectors import finished_models, ready_releases
from systems.services.runs import ALL_SPLITS, RunRequest
from systems.services.training import NO_PAIRS, TrainRequest, learning_systems, presets_of
from systems.services.training_data import TEST, PairsFile

OF_CAMPAIGN = "campaign"
MODEL = "model-"


def _name_field() -> forms.CharField:
    return forms.CharField(
        max_length=MAX_SYSTEM_NAME_LENGTH,
        required=False,
        label=gettext_lazy("Name (optional)"),
        help_text=gettext_lazy("What its outputs are called on pages and in files. Raters never see it."),
    )


def _seed_field() -> forms.IntegerField:
    return forms.IntegerField(min_value=0, max_value=MAX_SEED, initial=DEFAULT_SEED, label=gettext_lazy("Seed"))


class _Named(TypedTexts, forms.Form):
    """A form with a name for outputs."""

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name and (reason := system_name_fault(name)):
            raise forms.ValidationError(reason)
        return name


class TrainForm(_Named, UploadForm):
    system = forms.ChoiceField(label=gettext_lazy("System"))
    release = forms.ModelChoiceField(Release.objects.none(), label=gettext_lazy("Release"), empty_label=None)
    name = _name_field()
    preset = forms.ChoiceField(label=gettext_lazy("Preset"), required=False)
    well_rated = forms.BooleanField(
        required=False,
        label=gettext_lazy("Learn from well rated compressions only"),
        help_text=gettext_lazy("Those with a mean of at least 2.5 of 3 on all scales, or as much of other scales."),
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("More pairs (optional)"),
        help_text=gettext_lazy("JSONL, CSV or TSV with source and target. The system learns from them, nothing else."),
    )
    seed = _seed_field()
    command = "train_system"
    field_order = ("system", "release", "name", "preset", "well_rated", "file", "seed")

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["system"].choices = [(name, f"{name}: {title}") for name, title in learning_systems().items()]
        fields["release"].queryset = ready_releases(campaign)
        fields["preset"].choices = [("", _("the default"))] + [(name, name) for name in presets_of()]
        if not presets_of():
            del fields["preset"]

    def clean_file(self) -> Any:
        return super().clean_file() if self.cleaned_data["file"] else None

    @property
    def training(self) -> TrainRequest:
        """What is asked for, once the form is valid."""
        given = self.cleaned_data
        file = given["file"]
        return TrainRequest(
            release=given["release"],
            kind=given["system"],
            name=given["name"] or given["system"],
            seed=given["seed"],
            preset=given.get("preset", ""),
            well_rated=given["well_rated"],
            pairs=PairsFile(file.name or "pairs.jsonl", file.read()) if file else NO_PAIRS,
        )


class RunForm(_Named):
    system = forms.ChoiceField(label=gettext_lazy("System"))
    texts = forms.ChoiceField(label=gettext_lazy("Texts"))
    name = _name_field()
    is_for_raters = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Add the outputs to the campaign"),
        help_text=gettext_lazy(
            "Raters get them among people’s texts, as often as the setting “system outputs among the ratings” says, "
            "and nothing shows which is which. Otherwise they stay with the run."
        ),
    )
    seed = _seed_field()

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.campaign = campaign
        self.models = {f"{MODEL}{model.pk}": model for model in finished_models(campaign)}
        self.releases = {str(release.version): release for release in ready_releases(campaign)}
        fields: dict[str, Any] = self.fields
        untrained = [
            (name, f"{name}: {system.title}")
            for name, system in SYSTEMS.items()
            if not (system.is_learnt or system.wants_about)
        ]
        trained = [(key, _described(model)) for key, model in self.models.items()]
        fields["system"].choices = (
            [(_("Trained here"), trained), (_("As they are"), untrained)] if trained else untrained
        )
        splits = [
            (f"{version}/{split}", f"{release.name}: {split}")
            for version, release in self.releases.items()
            for split in (TEST, *(name for name in SPLIT_NAMES if name != TEST))
            if release.summary.get("splits", {}).get(split)
        ]
        fields["texts"].choices = [*splits, (OF_CAMPAIGN, _("all texts of the campaign"))]

    @property
    def run(self) -> RunRequest:
        """What is asked for, once the form is valid."""
        given = self.cleaned_data
        model = self.models.get(given["system"])
        version, _slash, split = given["texts"].partition("/")
        kind = model.kind if model else given["system"]
        return RunRequest(
            campaign=self.campaign,
            kind=kind,
            name=given["name"] or (model.name if model else kind),
            seed=given["seed"],
            release=self.releases.get(version),
            split=split if version in self.releases else ALL_SPLITS,
            model=model,
            is_for_raters=given["is_for_raters"],
        )


def _described(model: TrainedSystem) -> str:
    return _("%(name)s, learnt from %(release)s") % {"name": model.name, "release": model.release.name}
