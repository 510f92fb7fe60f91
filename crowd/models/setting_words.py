"""What each setting of a campaign is called, and what it does: shown beside its field."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from common.words import Words


class SettingWords(NamedTuple):
    label: Words
    help: Words = ""


WORDS = {
    # General
    "name": SettingWords(_("name"), _("Participants see it on the consent page.")),
    "slug": SettingWords(
        _("short name"),
        _("Part of web addresses and of the names of releases: letters, digits, - and _. It can’t be changed later."),
    ),
    "description": SettingWords(
        _("description of the corpus"),
        _("Printed at the top of every release frozen from now on. Plain text or Markdown."),
    ),
    "language": SettingWords(
        _("language of the texts"),
        _(
            "A language tag, such as en or pt-BR; mul for several. It sets the direction of the texts and the spell "
            "check; releases say it and are parsed by it."
        ),
    ),
    "page_language": SettingWords(
        _("language of the pages"),
        _(
            "What participants read around the texts: buttons, messages, errors. A new campaign begins with consent, "
            "guidelines and scales in this language; a later change does not translate them."
        ),
    ),
    "licence": SettingWords(
        _("licence of releases"),
        _(
            "Its SPDX name, such as cc-by-4.0. Releases frozen from now on say it; leave it empty until you have "
            "decided."
        ),
    ),
    "homepage": SettingWords(_("project website"), _("Releases frozen from now on link to it.")),
    "primary_metric": SettingWords(
        _("primary metric"),
        _(
            "The metric that you will hold against the ratings, by its name in reports, such as LR-2+Recall+MULT-ALL. "
            "Name it before the first rating: then the report keeps it apart from what was only explored."
        ),
    ),
    "hypothesis": SettingWords(
        _("hypothesis"),
        _("What you expect of it, and how you will decide. The report shows it with the time at which it was saved."),
    ),
    "texts_go_on_erasure": SettingWords(
        _("delete the texts of people who withdraw their data"),
        _("If not, their texts stay in the corpus without any link to the person. Applies to erasures from now on."),
    ),
    "record_leaving": SettingWords(
        _("record when participants leave a page and come back"),
        _(
            "How often and how long a page was out of sight, never where they went; and how often raters copy. You see "
            "it beside their work, and releases never hold it. The consent page says so. Applies to pages opened from "
            "now on."
        ),
    ),
    # Texts
    "editors_per_source": SettingWords(
        _("editors per source"),
        _("How many people shorten each source. Applies from now on; sources that are already here keep their number."),
    ),
    "editor_tasks": SettingWords(
        _("texts per editor"),
        _("How many texts one editor gets at most. Applies to everyone’s next text. Texts can name it as {texts}."),
    ),
    "lease_minutes": SettingWords(
        _("minutes a text stays reserved"),
        _(
            "A text that is opened and not submitted within this time goes to someone else. Open pages renew their "
            "reservation by themselves. Applies to texts handed out or renewed from now on, and to raters too."
        ),
    ),
    "editor_task": SettingWords(
        _("what editors write"),
        _("Fixed once there are texts. One sentence of two is written in an empty box, from texts of two sentences."),
    ),
    "fusion_within_longer": SettingWords(
        _("one sentence of two: not longer than the longer of them"), _("In addition to the maximum length.")
    ),
    "fusion_asks_sentences": SettingWords(
        _("one sentence of two: ask about several sentences instead of refusing them"),
        _("Sentences are told apart by English rules, which go wrong now and then."),
    ),
    "editor_start": SettingWords(
        _("initial text in the editor’s box"), _("What editors begin with. Applies to texts opened from now on.")
    ),
    "keep_percent": SettingWords(
        _("maximum length of a compression (% of the source)"),
        _(
            "Counted in characters, and enforced. Compressions that are already here stay; everything submitted from "
            "now on must be short enough. Texts can name it as {keep_percent}, and {percent} is 100 minus it."
        ),
    ),
    "sentence_min_words": SettingWords(
        _("minimum words per sentence"),
        _(
            "Imports refuse shorter sentences. Sources that are already here stay. Of languages without spaces "
            "between words, such as Chinese, characters count."
        ),
    ),
    "paragraph_min_words": SettingWords(
        _("minimum words per paragraph"),
        _(
            "Imports refuse shorter paragraphs. Sources that are already here stay. Of languages without spaces "
            "between words, such as Chinese, characters count."
        ),
    ),
    # Raters
    "raters_per_compression": SettingWords(
        _("raters per compression"),
        _(
            "How many people rate each compression, in each arm if there are arms. Applies from now on; compressions "
            "that are already here keep their number."
        ),
    ),
    "rater_tasks": SettingWords(
        _("ratings per rater"),
        _("How many ratings one rater gives at most. Applies to everyone’s next one. Texts can name it as {texts}."),
    ),
    "rating_task": SettingWords(
        _("what raters see"), _("Fixed once there are compressions to rate, or examples for the raters’ test.")
    ),
    "planned_analysis": SettingWords(_("fixed analysis of the judgement task")),
    "task_settings": SettingWords(_("settings of the judgement task")),
    "scales": SettingWords(_("scales")),
    "arms": SettingWords(
        _("arms"),
        _(
            "To try one set of scales against another on the same texts: who gets which is drawn as they join, and "
            "participants are not told. For each of two to six arms, write a line with its key and name, such as "
            "“three: Three points”. A scale of one arm begins with its key in brackets: “[three] Meaning: How much is "
            "kept?”; scales without one are for everybody. Each text gets the number of raters below in each arm. "
            "Fixed once raters have joined, or there are compressions to rate."
        ),
    ),
    "ratings_per_page": SettingWords(
        _("compressions per page"),
        _("How many compressions a rater sees on one page. Applies to pages opened from now on."),
    ),
    "extra_raters": SettingWords(
        _("two extra raters where the first three disagree by two points"),
        _("On any scale. Compressions whose first three ratings come from now on are affected."),
    ),
    "pairs_per_compression": SettingWords(
        _("comparisons per new compression"),
        _(
            "Side by side only: with how many earlier compressions of its source a new one is compared. Applies to "
            "compressions from now on."
        ),
    ),
    "system_percent": SettingWords(
        _("system outputs among the ratings (%)"),
        _("How often a rater gets a system’s output while people’s texts wait too. Applies to everyone’s next rating."),
    ),
    "gold_percent": SettingWords(
        _("gold questions among the ratings (%)"),
        _(
            "In the long run, if there are any. Each visit of eight texts or more has at least four, early and late. "
            "Applies to everyone’s next rating."
        ),
    ),
    "gold_warn_percent": SettingWords(
        _("flag raters with fewer gold questions right (%)"),
        _("Raters below this share are shown to you. It excludes nobody."),
    ),
    "qualification_pass_percent": SettingWords(
        _("right answers to pass the test (%)"),
        _("Raters who have passed stay qualified. Texts can name it as {pass_percent}."),
    ),
    "qualification_questions": SettingWords(
        _("test questions per attempt"),
        _(
            "Drawn anew for each attempt; 0 asks all. With at least twice as many questions, the second attempt has "
            "none of the first. The starter test has 24."
        ),
    ),
    "qualification_tries": SettingWords(
        _("attempts at the test"),
        _("Applies to everyone who has not passed or failed yet. Texts can name it as {tries}."),
    ),
    "qualification_wait_minutes": SettingWords(
        _("minutes between attempts"), _("Raters who did not pass wait this long before they may try again.")
    ),
    # Pay
    "partial_after": SettingWords(
        _("texts that earn partial pay"),
        _("Participants who stop after at least this many texts get the code for partial pay. 0: they never do."),
    ),
    "currency": SettingWords(_("currency"), _("Three letters, such as GBP. All amounts of this campaign are in it.")),
    "editor_pay": SettingWords(_("pay of an editor"), _("Empty if it is not stated. Texts can name it as {pay}.")),
    "editor_pay_unit": SettingWords(_("editors are paid")),
    "editor_minutes": SettingWords(
        _("minutes an editor needs"),
        _("What editors are told, and the basis of the pay per hour. Texts can name it as {minutes}."),
    ),
    "rater_pay": SettingWords(_("pay of a rater"), _("Empty if it is not stated. Texts can name it as {pay}.")),
    "rater_pay_unit": SettingWords(_("raters are paid")),
    "rater_minutes": SettingWords(
        _("minutes a rater needs"),
        _("What raters are told, and the basis of the pay per hour. Texts can name it as {minutes}."),
    ),
    "editor_partial_pay": SettingWords(
        _("partial pay of an editor"),
        _(
            "What the code for partial pay is worth to editors who are paid per study. They read it before they stop. "
            "Editors who are paid per text get their texts paid."
        ),
    ),
    "rater_partial_pay": SettingWords(
        _("partial pay of a rater"), _("The same for raters. Leave it empty if the amount is not fixed.")
    ),
    "platform_fee_percent": SettingWords(
        _("fee of the platform (%)"), _("What the platform takes on top of the pay. The costs below include it.")
    ),
    "budget": SettingWords(
        _("budget for more texts"), _("To see how many texts it buys beyond those that are here. It limits nothing.")
    ),
    "failed_pay": SettingWords(
        _("pay for a test that was not passed"),
        _("Raters read it before the test begins. 0: it pays nothing. Empty: nothing is said about it."),
    ),
    "minimum_hourly_pay": SettingWords(
        _("minimum pay per hour"), _("You are warned where the pay comes out lower. Participants don’t see it.")
    ),
    # What people read
    "consent": SettingWords(_("consent text"), _("Who asks, how long it takes, and what happens with the data.")),
    "editor_guidelines": SettingWords(
        _("editor guidelines"), _("What a good compression is. Examples have their own fields.")
    ),
    "sentence_examples": SettingWords(
        _("examples of sentences"), _("Good and bad compressions of a sentence; may be empty.")
    ),
    "paragraph_examples": SettingWords(
        _("examples of paragraphs"), _("Good and bad compressions of a paragraph; may be empty.")
    ),
    "rater_guidelines": SettingWords(_("rater guidelines"), _("What each point of the scales means, with examples.")),
}


def label_of(name: str) -> Words:
    return WORDS[name].label
