"""`browse/`: pages to read the texts of a release, which need no server; they are made from its other files."""

from corpus.formats.base import CardFacts, ReleaseFormat

BROWSE = "browse/"


def _card(_facts: CardFacts) -> str:
    return (
        f"[`{BROWSE}index.html`]({BROWSE}index.html) opens pages to read and search the texts, with their ratings and "
        "what was done to each word, on a disk or any web server; the Hugging Face Hub only stores them."
    )


FORMAT = ReleaseFormat("browse", rank=75, writer=None, card=_card)
