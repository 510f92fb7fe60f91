"""The kinds and severities of a file as those of a preset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from measures.spans.annotation import Annotation
from measures.spans.mark import Mark
from measures.spans.presets import Preset

_MOST_LISTED = 1_500


def keyed(annotation: Annotation, preset: Preset) -> Annotation:
    """Give the marks of an annotation the keys of a preset.

    Parameters
    ----------
    annotation : Annotation
        As a file has it: kinds by older names too, case folded.
    preset : Preset
        The preset.

    Returns
    -------
    Annotation
        The same with the preset's keys.

    Raises
    ------
    ValueError
        If a kind or severity is not the preset's; it names the annotation and the mark, and what the preset has.

    Examples
    --------
    >>> from measures.spans.presets import preset
    >>> mark = Mark("1", "output", 0, 4, kind="style/awkward", severity="MAJOR")
    >>> found = keyed(Annotation("A", "sys", "1", marks=(mark,)), preset("mqm")).marks[0]
    >>> found.kind, found.severity
    ('Style/Unnatural or awkward', 'major')
    """
    where = f"segment {annotation.segment} of {annotation.system}, {annotation.person}"
    return replace(annotation, marks=tuple(_keyed(mark, preset, where) for mark in annotation.marks))


def _keyed(mark: Mark, preset: Preset, where: str) -> Mark:
    kind, severity = preset.kind(mark.kind), preset.severity(mark.severity)
    if mark.kind is not None and kind is None:
        known = _listed(each.key for each in preset.kinds)
        raise ValueError(f"{where}, mark {mark.id}: there is no kind {mark.kind[:50]!r} in preset {preset.key}{known}")
    if mark.severity is not None and severity is None:
        known = _listed(preset.severities)
        what = f"there is no severity {mark.severity[:50]!r} in preset {preset.key}{known}"
        raise ValueError(f"{where}, mark {mark.id}: {what}")
    return replace(mark, kind=None if kind is None else kind.key, severity=severity)


def _listed(names: Iterable[str]) -> str:
    """Return what a preset has, as the end of a sentence; it has perhaps none, and perhaps many."""
    every = ", ".join(names)
    shown = every if len(every) <= _MOST_LISTED else f"{every[:_MOST_LISTED]}…"
    return f", which has {shown}" if every else ", which has none"
