"""The kinds and severities of a file as those of a preset."""

from __future__ import annotations

from dataclasses import replace

from measures.spans.annotation import Annotation
from measures.spans.mark import Mark
from measures.spans.presets import Preset


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
        If a kind or severity is not the preset's; it names the annotation and the mark.

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
        raise ValueError(f"{where}, mark {mark.id}: there is no kind {mark.kind[:50]!r} in preset {preset.key}")
    if mark.severity is not None and severity is None:
        raise ValueError(f"{where}, mark {mark.id}: there is no severity {mark.severity[:50]!r} in preset {preset.key}")
    return replace(mark, kind=None if kind is None else kind.key, severity=severity)
