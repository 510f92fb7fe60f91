"""The closed list of English function words, and the classes whose words may stand for each other."""

from __future__ import annotations

_CLASSES = {
    "articles and possessives": "a the my your his her its our their",
    "be": "am is are was were be been being 's",
    "have": "have has had having 've",
    "modals": "can could will would shall should may might must ought 'll 'd ca wo",
    "prepositions": (
        "of in on at by for with from to into onto upon about above across after against along among amongst around as "
        "before behind below beneath beside besides between beyond despite down during except inside like near off out "
        "outside over per since through throughout toward towards under until till up via within without"
    ),
    "relatives": "that which who whom whose what where when why how",
}
_WITHOUT_CLASS = (
    # pronouns and pointing words
    "i you he she it we they me him us them mine yours hers ours theirs myself yourself himself herself itself "
    "ourselves yourselves themselves this these those there some any each every all both either neither such no none "
    "someone something anyone anything everyone everything nobody nothing another other whoever whatever "
    # auxiliaries that have no class of their own, and the negation
    "do does did doing not "
    # conjunctions
    "and or but nor so yet if because although though while whereas unless than whether "
    # degree words
    "very too more most less least much many quite rather just only also even almost enough few"
)

ENGLISH_CLASSES: dict[str, str] = {word: name for name, words in _CLASSES.items() for word in words.split()}
"""The class of each English function word that has one. An apostrophe stays in clitics: 's is no letter."""

ENGLISH_FUNCTION_WORDS: frozenset[str] = frozenset(ENGLISH_CLASSES) | frozenset(_WITHOUT_CLASS.split())
"""Articles, pronouns, auxiliaries, prepositions, conjunctions and degree words, as `measures.alignment.norms` writes
them: "an" is "a", and "n't" is "not"."""
