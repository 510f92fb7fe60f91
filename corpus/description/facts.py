"""What the card, the Croissant metadata and the manifest of a release are made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.template.defaultfilters import pluralize

from corpus.description.collected import RATINGS, UNKNOWN, Collected
from corpus.models import ImportedFacts, Release
from corpus.release.collection import Collection
from corpus.release.provenance import Origin, Work
from corpus.release.rater_spreads import DEFINITION
from crowd.models import Campaign
from crowd.scales import Scale, plain_number

BELOW = "as its files state, below"
CREATORS = {Origin.COLLECTED: "crowdsourced", Origin.SIMULATED: "machine-generated"}

ON_THE_HUB = re.compile(r"https://huggingface\.co/datasets/([\w.-]+/[\w.-]*\w)", re.ASCII)

Z_SCORES = f"`z_scores` of scales that came with files are derived. {DEFINITION}"


def scale_words(scale: Scale) -> str:
    """Say which numbers a scale has, and of one that came with a file which end is better."""
    if scale.numbers is None:
        return f"{len(scale.points)} points from {scale.lowest} to {scale.highest}"
    numbers = scale.numbers
    if numbers.step is None:
        steps = "any number between them"
    elif numbers.step == 1 and float(numbers.lowest).is_integer():
        steps = "whole numbers"
    else:
        steps = f"in steps of {plain_number(numbers.step)}"
    better = "less is better" if numbers.less_is_better else "more is better"
    return f"{scale.lowest} to {scale.highest}, {steps}; {better}. Given elsewhere, and kept as given"


@dataclass(frozen=True)
class ReleaseFacts:
    """A release with its figures, how its work was collected, and what is known of work that was imported."""

    release: Release
    summary: dict[str, Any]
    collection: Collection
    imported: ImportedFacts | None
    after_quality: Mapping[str, int] = field(default_factory=dict)
    """How many ratings came after the quality rule was applied."""

    @property
    def campaign(self) -> Campaign:
        return self.release.campaign

    @cached_property
    def collected(self) -> Collected:
        return Collected(self.collection, BELOW if any("collection" in each for each in self.stated) else UNKNOWN)

    @property
    def stated(self) -> list[dict[str, Any]]:
        """What its files said of an imported release, and of those that it was itself imported from."""
        return self.imported.stated if self.imported else []

    @property
    def is_imported_only(self) -> bool:
        return self.collected.is_only(Origin.IMPORTED)

    @property
    def language(self) -> str:
        """The language of the texts; empty if nobody has told it: a campaign that was imported has a default."""
        default = Campaign._meta.get_field("language").get_default()
        if self.is_imported_only and self.campaign.language == default:
            return self.imported.language if self.imported else ""
        return self.campaign.language

    @property
    def description(self) -> str:
        """The words of staff, or else a sentence that is true of any such release."""
        if self.campaign.description:
            return self.campaign.description
        if not self.summary["compressions"]:
            return "Outputs of automatic systems for sentences and short paragraphs, with ratings."
        if self.collected.is_only(Origin.COLLECTED):
            return "Human compressions of sentences and short paragraphs, judged by people."
        return "Compressions of sentences and short paragraphs, with ratings."

    @property
    def outputs(self) -> str:
        """How many outputs systems made, how many ratings were of these alone, and how many of them files brought."""
        outputs, rated = (sum(self.summary[name].values()) for name in ("systems", "rated_outputs"))
        if not outputs:
            return ""
        systems = f"{len(self.summary['systems'])} automatic system{pluralize(len(self.summary['systems']))}"
        have = "has" if rated == 1 else "have"
        made = f"{systems}: {outputs} output{pluralize(outputs)}, of which {rated} {have} ratings by the crowd."
        given = self.collected.amount([Work.OUTPUT_RATINGS], *Origin)
        if not given:
            return made
        brought = self.collected.amount([Work.OUTPUT_RATINGS], Origin.IMPORTED)
        are = "is" if given == 1 else "are"
        apart = f"{given} rating{pluralize(given)} of outputs alone {are} not among those above"
        if not brought:
            return f"{made} {apart}."
        return f"{made} {apart}, and {'all' if brought == given else brought} of these came from files."

    @property
    def origins(self) -> str:
        """Where the work comes from, in a few words for each origin."""
        name = f" from the files of {self.imported.name}" if self.imported else ""
        words = {Origin.COLLECTED: "collected", Origin.SIMULATED: "simulated"}
        present = {row["origin"] for row in self.collection["work"]}
        made_here = " and ".join(word for origin, word in words.items() if origin in present)
        sentences = [f"{made_here.capitalize()} with Précis."] if made_here else []
        if Origin.IMPORTED in present:
            sentences.append(f"Imported into Précis{name}.")
        return " ".join(sentences)

    @property
    def language_creators(self) -> list[str]:
        """Who wrote the texts, in the words of the Hugging Face Hub; empty where nobody knows."""
        found = [word for origin, word in CREATORS.items() if self.collected.amount([Work.COMPRESSIONS], origin)]
        if self.summary["systems"]:
            found.append("machine-generated")
        if self.release.data_statement.get("origins"):
            found.append("found")
        return list(dict.fromkeys(found))

    @property
    def source_datasets(self) -> list[str]:
        """The datasets of the Hub that the texts come from, as the researchers say it."""
        return sorted(set(ON_THE_HUB.findall(self.release.data_statement.get("origins", ""))))

    @property
    def annotations_creators(self) -> list[str]:
        if not self.collected.amount(RATINGS, *Origin):
            return ["no-annotation"]
        found = [word for origin, word in CREATORS.items() if self.collected.amount(RATINGS, origin)]
        experts = self.collected.amount([Work.EXPERT_RATINGS], Origin.COLLECTED)
        return [*found, "expert-generated"] if experts else found

    @property
    def scales(self) -> list[tuple[Scale, str]]:
        """The scales of the ratings, each with what its numbers are."""
        return [(scale, scale_words(scale)) for scale in self.release.rating_scales]

    @property
    def derived(self) -> str:
        """What is said of z-scores, where there are any."""
        return Z_SCORES if any(scale.numbers for scale in self.release.rating_scales) else ""

    @property
    def has_questions(self) -> bool:
        """Whether it is known what raters were asked: the format of the public release tells points only."""
        has_own = bool(self.collected.amount(RATINGS, Origin.COLLECTED, Origin.SIMULATED))
        return has_own or (self.imported is not None and self.imported.has_questions)
