"""What each setting of a campaign is called, and what it does: shown beside its field."""

from typing import NamedTuple


class SettingWords(NamedTuple):
    label: str
    help: str = ""


_NEW_ITEMS = "Applies from now on; {} that are already here keep their number."
WORDS = {
    # General
    "name": SettingWords("name", "Participants see it on the consent page."),
    "slug": SettingWords(
        "short name",
        "Part of web addresses and of the names of releases: letters, digits, - and _. It can’t be changed later.",
    ),
    "description": SettingWords(
        "description of the corpus", "Printed at the top of every release frozen from now on. Plain text or Markdown."
    ),
    "language": SettingWords(
        "language of the texts",
        "A language tag, such as en or pt-BR; mul for several. It sets the direction of the texts and the spell check; "
        "releases say it and are parsed by it.",
    ),
    "page_language": SettingWords(
        "language of the pages",
        "What participants read around the texts: buttons, messages, errors. Consent and guidelines are yours to "
        "translate.",
    ),
    "licence": SettingWords(
        "licence of releases",
        "Its SPDX name, such as cc-by-4.0. Releases frozen from now on say it; leave it empty until you have decided.",
    ),
    "homepage": SettingWords("project website", "Releases frozen from now on link to it."),
    "texts_go_on_erasure": SettingWords(
        "delete the texts of people who withdraw their data",
        "If not, their texts stay in the corpus without any link to the person. Applies to erasures from now on.",
    ),
    # Texts
    "editors_per_source": SettingWords(
        "editors per source", f"How many people shorten each source. {_NEW_ITEMS.format('sources')}"
    ),
    "editor_tasks": SettingWords(
        "texts per editor",
        "How many texts one editor gets at most. Applies to everyone’s next text. Texts can name it as {texts}.",
    ),
    "lease_minutes": SettingWords(
        "minutes a text stays reserved",
        "A text that is opened and not submitted within this time goes to someone else. Open pages renew their "
        "reservation by themselves. Applies to texts handed out or renewed from now on, and to raters too.",
    ),
    "editor_start": SettingWords(
        "initial text in the editor’s box", "What editors begin with. Applies to texts opened from now on."
    ),
    "keep_percent": SettingWords(
        "maximum length of a compression (% of the source)",
        "Counted in characters, and enforced. Compressions that are already here stay; everything submitted from now "
        "on must be short enough. Texts can name it as {keep_percent}, and {percent} is 100 minus it.",
    ),
    "sentence_min_words": SettingWords(
        "minimum words per sentence",
        "Imports refuse shorter sentences. Sources that are already here stay.",
    ),
    "paragraph_min_words": SettingWords(
        "minimum words per paragraph",
        "Imports refuse shorter paragraphs. Sources that are already here stay.",
    ),
    # Raters
    "raters_per_compression": SettingWords(
        "raters per compression", f"How many people rate each compression. {_NEW_ITEMS.format('compressions')}"
    ),
    "rater_tasks": SettingWords(
        "ratings per rater",
        "How many ratings one rater gives at most. Applies to everyone’s next one. Texts can name it as {texts}.",
    ),
    "rating_task": SettingWords(
        "what raters see", "Fixed once there are compressions to rate, or examples for the raters’ test."
    ),
    "scales": SettingWords("scales"),
    "ratings_per_page": SettingWords(
        "compressions per page", "How many compressions a rater sees on one page. Applies to pages opened from now on."
    ),
    "extra_raters": SettingWords(
        "two extra raters where the first three disagree by two points",
        "On any scale. Compressions whose first three ratings come from now on are affected.",
    ),
    "pairs_per_compression": SettingWords(
        "comparisons per new compression",
        "Side by side only: with how many earlier compressions of its source a new one is compared. Applies to "
        "compressions from now on.",
    ),
    "system_percent": SettingWords(
        "system outputs among the ratings (%)",
        "How often a rater gets a system’s output while people’s texts wait too. Applies to everyone’s next rating.",
    ),
    "gold_percent": SettingWords(
        "gold questions among the ratings (%)", "In the long run, if there are any. Applies to everyone’s next rating."
    ),
    "gold_warn_percent": SettingWords(
        "flag raters with fewer gold questions right (%)",
        "Raters below this share are shown to you. It excludes nobody.",
    ),
    "qualification_pass_percent": SettingWords(
        "right answers to pass the test (%)",
        "Raters who have passed stay qualified. Texts can name it as {pass_percent}.",
    ),
    "qualification_tries": SettingWords(
        "attempts at the test", "Applies to everyone who has not passed or failed yet. Texts can name it as {tries}."
    ),
    "qualification_wait_minutes": SettingWords(
        "minutes between attempts", "Raters who did not pass wait this long before they may try again."
    ),
    # Pay
    "partial_after": SettingWords(
        "texts that earn partial pay",
        "Participants who stop after at least this many texts get the code for partial pay. 0: they never do.",
    ),
    "currency": SettingWords("currency", "Three letters, such as GBP. All amounts of this campaign are in it."),
    "editor_pay": SettingWords("pay of an editor", "Empty if it is not stated. Texts can name it as {pay}."),
    "editor_pay_unit": SettingWords("editors are paid"),
    "editor_minutes": SettingWords(
        "minutes an editor needs",
        "What editors are told, and the basis of the pay per hour. Texts can name it as {minutes}.",
    ),
    "rater_pay": SettingWords("pay of a rater", "Empty if it is not stated. Texts can name it as {pay}."),
    "rater_pay_unit": SettingWords("raters are paid"),
    "rater_minutes": SettingWords(
        "minutes a rater needs",
        "What raters are told, and the basis of the pay per hour. Texts can name it as {minutes}.",
    ),
    "minimum_hourly_pay": SettingWords(
        "minimum pay per hour", "You are warned where the pay comes out lower. Participants don’t see it."
    ),
    # What people read
    "consent": SettingWords("consent text", "Who asks, how long it takes, and what happens with the data."),
    "editor_guidelines": SettingWords(
        "editor guidelines", "What a good compression is. Examples have their own fields."
    ),
    "sentence_examples": SettingWords(
        "examples of sentences", "Good and bad compressions of a sentence; may be empty."
    ),
    "paragraph_examples": SettingWords(
        "examples of paragraphs", "Good and bad compressions of a paragraph; may be empty."
    ),
    "rater_guidelines": SettingWords("rater guidelines", "What each point of the scales means, with examples."),
}


def label_of(name: str) -> str:
    return WORDS[name].label
