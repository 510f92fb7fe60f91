"""How a release is cited."""

import re

from corpus.models import Release
from corpus.release.data_statement import lines_of

_SPECIAL = re.compile(r"[\\{}%&$#_^~]")
_ESCAPED = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def bibtex(release: Release) -> str:
    """Return an entry for a list of references. It names what is known and nothing else."""
    campaign, year = release.campaign, release.created_at.year
    statement = release.data_statement
    fields = {
        "author": " and ".join(f"{{{_escaped(name)}}}" for name in lines_of(statement, "creators")),
        "title": f"{{{_escaped(campaign.name)}, version {release.version}}}",
        "year": str(year),
        "publisher": _escaped(statement.get("publisher", "")),
        "url": campaign.homepage,
        "note": f"SHA-256 of its manifest: {release.checksum}" if release.checksum else "",
    }
    listed = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{release.name},\n{listed}\n}}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found.group(), "\\" + found.group()), " ".join(text.split()))
